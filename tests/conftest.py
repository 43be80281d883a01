"""Fixtures that all tests share."""

import asyncio
import logging
from collections.abc import AsyncGenerator

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.loader import DATA_CUSTOM_COMPONENTS
from homeassistant.setup import async_setup_component

# Home Assistant's test configuration folder would shadow the package otherwise.
import custom_components.sage  # noqa: F401
from benchmark.loopback import free_port
from custom_components.sage.const import DOMAIN
from custom_components.sage.home.safety.risk_levels import RiskLevels, RiskVerdict, keep_levels
from tests.waiting import stretch_sandbox

pytest_plugins = ["tests.fake_model"]

# A test that reads the log asks for `caplog`, which logs everything; `-v` does, too.
for _name in ("", "sqlalchemy.engine"):
    logging.getLogger(_name).setLevel(logging.WARNING)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture
def hass_config_dir(hass_tmp_config_dir: str) -> str:
    """Each test has a configuration folder of its own: what SAGE keeps on the disk goes there."""
    return hass_tmp_config_dir


class FoundHarmless(RiskLevels):
    """The levels of a home in which a model has found nothing risky."""

    def verdict(self, entity_id: str) -> RiskVerdict:
        """Return that of a harmless thing."""
        return super().verdict(entity_id) or RiskVerdict(risk=None, reason="Harmless.")


@pytest.fixture
def levels() -> type[RiskLevels] | None:
    """Let things known only by name be free; a test of their levels replaces this fixture."""
    return FoundHarmless


@pytest.fixture
def unused_tcp_port() -> int:
    """Nobody takes it before the test does."""
    return free_port()


@pytest.fixture
def sandbox_patience() -> float:
    """Keep the time limits of checks out of the way; a test of them replaces this fixture."""
    return 100


@pytest.fixture(autouse=True)
def _patient_sandbox(monkeypatch: pytest.MonkeyPatch, sandbox_patience: float) -> None:
    """A check that ends is not cut off because the machine is busy."""
    stretch_sandbox(monkeypatch, sandbox_patience)


@pytest.fixture
async def hass(
    hass: HomeAssistant, levels: type[RiskLevels] | None
) -> AsyncGenerator[HomeAssistant]:
    """Start Home Assistant for the tests that ask for it.

    Custom integrations load, and the exposure of entities is known.
    """
    hass.data.pop(DATA_CUSTOM_COMPONENTS)
    assert await async_setup_component(hass, "homeassistant", {})
    if levels is not None:
        keep_levels(hass, levels(hass))
    yield hass
    for entry in hass.config_entries.async_entries(DOMAIN):
        # A reload ends before Home Assistant stops, which unloads only what is loaded.
        async with entry.setup_lock:
            pass


@pytest.fixture(autouse=True)
async def enable_event_loop_debug() -> None:
    """Keep the checks of asyncio's debug mode, without the stack of each future and callback.

    The loop still refuses calls from other threads, callbacks that are coroutines and
    sockets that block. The stacks only lengthen messages, and took half the time of a test.
    """
    loop = asyncio.get_running_loop()
    loop.set_debug(True)
    loop.get_debug = lambda: False  # type: ignore[method-assign]
