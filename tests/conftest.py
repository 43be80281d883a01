"""Fixtures that all tests share."""

import asyncio
import functools
import inspect
import itertools
import logging
import os
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowHandler, FlowManager
from homeassistant.helpers import service
from homeassistant.loader import DATA_CUSTOM_COMPONENTS, Integration
from homeassistant.setup import async_setup_component
from homeassistant.util import executor
from homeassistant.util.async_ import cancelling
from homeassistant.util.yaml.loader import JSON_TYPE

# Home Assistant's test configuration folder would shadow the package otherwise.
import custom_components.sage  # noqa: F401
from benchmark.loopback import free_port
from benchmark.risk_script import found_risk
from custom_components.sage.const import DOMAIN
from custom_components.sage.embeddings.embedder import Vectors
from custom_components.sage.embeddings.minilm import MiniLM
from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.risk_levels import (
    RISK_LEVELS,
    RiskLevels,
    RiskVerdict,
    subject_of,
)
from custom_components.sage.people import pin
from tests.flow_texts import missing_placeholders
from tests.waiting import stretch_sandbox

pytest_plugins = ["tests.fake_model", "tests.mail_fixtures", "tests.bare_home"]

# On a busy machine, threads of the executor wake up late. Home Assistant then interrupts them, one
# after a third of a second, and an interrupted thread does not tell the next one to end.
executor.EXECUTOR_SHUTDOWN_TIMEOUT = 100

_load_services = service._load_services_file
_services: dict[Path, JSON_TYPE] = {}
"""Folder of an integration -> the descriptions of its actions, for all tests of a process."""


def _load_services_once(integration: Integration) -> JSON_TYPE:
    folder = integration.file_path
    if folder not in _services:
        _services[folder] = _load_services(integration)
    return _services[folder]


# Each Home Assistant reads and validates the descriptions of all actions. The files do not change
# during the tests, and Home Assistant does not change the descriptions.
service._load_services_file = _load_services_once

_block_till_done = HomeAssistant.async_block_till_done
_MOMENT = 10
"""Number of times that the loop runs before a task that is being cancelled counts as ending."""


async def block_till_done(hass: HomeAssistant, wait_background_tasks: bool = False) -> None:
    """Wait for all tasks, also for those that open a connection.

    Home Assistant does not wait for tasks that are being cancelled. anyio, which opens the
    connections of httpx, cancels the task that waits for one, and takes that back at once.
    """
    while True:
        await _block_till_done(hass, wait_background_tasks)
        tasks = hass._tasks | (hass._background_tasks if wait_background_tasks else set())
        cancelled = [task for task in tasks if cancelling(task)]
        for _ in range(_MOMENT if cancelled else 0):
            await asyncio.sleep(0)
        if all(task.done() or cancelling(task) for task in cancelled):
            return


HomeAssistant.async_block_till_done = block_till_done  # type: ignore[assignment, method-assign]

_load_model = MiniLM.load
_encode = MiniLM.encode
_vectors: dict[str, npt.NDArray[np.float32]] = {}  # text -> its vector, for all tests of a process


def encode_once(model: MiniLM, texts: Sequence[str]) -> Vectors:
    """Return the vectors of texts; each is computed once per process."""
    if new := [text for text in dict.fromkeys(texts) if text not in _vectors]:
        _vectors.update(zip(new, _encode(model, new), strict=True))
    return np.stack([_vectors[text] for text in texts]) if texts else _encode(model, texts)


@functools.cache
def load_model_once(path: Path) -> MiniLM:
    """Return the built-in model, which is loaded once per process."""
    return _load_model(path)


# A test that reads the log asks for `caplog`, which logs everything; `-v` does, too.
for _name in ("", "sqlalchemy.engine"):
    logging.getLogger(_name).setLevel(logging.WARNING)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests in each worker, so that no worker ends much later than others.

    A worker gets an equal block of the list, and the last tests of a block go to those who are
    done. The longest tests of a file stay together, since they may share a program.
    """
    slow = [item for item in items if item.get_closest_marker("slow") is not None]
    others = [item for item in items if item.get_closest_marker("slow") is None]
    files = [list(group) for _, group in itertools.groupby(slow, key=lambda item: item.path)]
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    blocks: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for group in sorted(files, key=len, reverse=True):
        min(blocks, key=len).extend(group)
    for number, block in enumerate(blocks):
        size = len(items) // workers + (number >= workers - len(items) % workers)
        rest = max(size - len(block), 0)
        block.extend(others[:rest])
        del others[:rest]
    items[:] = [item for block in blocks for item in block] + others


@pytest.fixture
def hass_config_dir(hass_tmp_config_dir: str) -> str:
    """Give each test its own configuration folder, where SAGE stores its files."""
    return hass_tmp_config_dir


class ClassifiedByName(RiskLevels):
    """Risk levels of a home in which the fake model has classified everything."""

    def verdict(self, entity_id: str) -> RiskVerdict:
        if (stored := super().verdict(entity_id)) is not None:
            return stored
        found = found_risk(dict(subject_of(self._hass, entity_id).facts))
        return RiskVerdict(risk=None if found == "none" else RiskClass(found), reason="By name.")


@pytest.fixture
def levels() -> type[RiskLevels] | None:
    """Classify unclassified entities as the fake model; tests of the levels replace this."""
    return ClassifiedByName


@pytest.fixture
def unused_tcp_port() -> int:
    """Return a port that nothing else uses before the test does."""
    return free_port()


@pytest.fixture
def sandbox_patience() -> float:
    """Return a factor for the sandbox timeouts; tests of these timeouts replace this fixture."""
    return 100


@pytest.fixture(autouse=True)
def _patient_sandbox(monkeypatch: pytest.MonkeyPatch, sandbox_patience: float) -> None:
    """Extend the timeouts of the sandbox, so that a busy machine does not exceed them."""
    stretch_sandbox(monkeypatch, sandbox_patience)


@pytest.fixture(autouse=True)
def _known_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the model and compute a vector once per process; tests of the model replace this."""
    monkeypatch.setattr(MiniLM, "load", load_model_once)
    monkeypatch.setattr(MiniLM, "encode", encode_once)


@pytest.fixture(autouse=True)
def _quick_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash a PIN at little cost; tests of the hash replace this fixture."""
    monkeypatch.setattr(pin, "COST", 2)


@pytest.fixture(autouse=True)
def _complete_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse a step of a flow whose texts contain a placeholder without a value."""
    handle_step = FlowManager._async_handle_step

    async def async_checked(
        manager: FlowManager[Any, Any, Any], flow: FlowHandler[Any, Any, Any], *args: Any
    ) -> Any:
        step = await handle_step(manager, flow, *args)
        assert not (missing := missing_placeholders(flow, step)), missing
        return step

    monkeypatch.setattr(FlowManager, "_async_handle_step", async_checked)


@pytest.fixture
async def hass(
    hass: HomeAssistant, levels: type[RiskLevels] | None
) -> AsyncGenerator[HomeAssistant]:
    """Start Home Assistant if asked for; custom integrations load, exposure is known."""
    hass.data.pop(DATA_CUSTOM_COMPONENTS)
    assert await async_setup_component(hass, "homeassistant", {})
    if levels is not None:
        hass.data[RISK_LEVELS] = levels(hass)
    yield hass
    for entry in hass.config_entries.async_entries(DOMAIN):
        # A reload ends before Home Assistant stops, which unloads only what is loaded.
        async with entry.setup_lock:
            pass


@pytest.fixture(autouse=True)
async def enable_event_loop_debug() -> None:
    """Keep asyncio's debug checks, without the stack of each future and callback.

    The loop still refuses calls from other threads, callbacks that are coroutines and blocking
    sockets. The stacks only lengthen messages, and they took half the time of a test.
    """
    loop = asyncio.get_running_loop()
    loop.set_debug(True)
    loop.get_debug = lambda: False  # type: ignore[method-assign]
    loop._check_callback = _refuse_coroutine  # type: ignore[attr-defined]


def _refuse_coroutine(callback: object, method: str) -> None:
    """Check a callback like asyncio in debug mode, which takes ten times as long."""
    code = getattr(callback, "__code__", None)
    if code is not None and code.co_flags & inspect.CO_COROUTINE:
        raise TypeError(f"coroutines cannot be used with {method}()")
