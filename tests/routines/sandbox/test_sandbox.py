"""Monty in its thread: installed and started at first need; what happens where it cannot be."""

import asyncio
import importlib.abc
import sys
from collections.abc import AsyncGenerator, Callable, Iterator
from datetime import UTC, datetime
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.requirements import RequirementsNotFound

from custom_components.sage.routines.sandbox import launcher
from custom_components.sage.routines.sandbox import sandbox as sandbox_module
from custom_components.sage.routines.sandbox.contract import (
    CheckOutcome,
    FunctionCall,
    FunctionResult,
    SandboxError,
)
from custom_components.sage.routines.sandbox.requirements import MONTY
from custom_components.sage.routines.sandbox.sandbox import LONGEST_RETRY, RETRY, Sandbox
from custom_components.sage.routines.sandbox.session import Session, Workers
from tests.without_monty import without_monty

from .workshop import ANSWERS, FUNCTIONS, GOOD, HANG, LOOP, children, left

AT_THREE = "def check():\n    return get_state('light.hall') == 'on' and datetime.now().hour == 3\n"


@pytest.fixture
def sandbox_patience() -> float:
    """Checks that do not end are ended, and a busy machine has time for the others."""
    return 3


@pytest.fixture
async def sandbox(hass: HomeAssistant) -> AsyncGenerator[Sandbox]:
    sandbox = Sandbox(hass, FUNCTIONS)
    yield sandbox
    await sandbox.async_close()


async def ask(call: FunctionCall) -> FunctionResult:
    return ANSWERS[call]


async def run(sandbox: Sandbox, source: str) -> CheckOutcome:
    return await sandbox.async_run(source, "check", ask=ask)


async def turns_during(work: Callable[[], Any]) -> int:
    """Return how often the loop came round while something was awaited."""
    turns = 0
    task = asyncio.ensure_future(work())
    while not task.done():
        await asyncio.sleep(0.01)
        turns += 1
    await task
    return turns


async def test_it_starts_with_the_first_check(hass: HomeAssistant, sandbox: Sandbox):
    await hass.config.async_set_time_zone("America/Los_Angeles")
    before = children()
    with patch.object(sandbox_module, "async_process_requirements") as process:
        assert not children() - before
        noon = datetime(2026, 7, 1, 10, tzinfo=UTC)
        outcome = await sandbox.async_run(AT_THREE, "check", ask=ask, at=noon)

    process.assert_awaited_once_with(hass, "sage", list(MONTY))
    assert outcome.value is True
    assert sandbox.is_running
    assert sandbox.error is None


async def test_the_event_loop_does_not_wait_for_a_check(sandbox: Sandbox):
    await sandbox.async_ready()

    async def work() -> None:
        await asyncio.gather(*(run(sandbox, source) for source in (LOOP, HANG, GOOD)))

    turns = await turns_during(work)

    # A blocked loop comes round once, after all of the limits.
    assert turns > 3


async def test_it_says_what_is_wrong_with_a_source(sandbox: Sandbox):
    assert await sandbox.async_validate("import os\ndef check():\n    return True\n", "check")
    assert await sandbox.async_validate(GOOD, "check") is None


async def test_nothing_is_left_when_it_is_closed_while_it_runs(hass: HomeAssistant):
    before = children()
    sandbox = Sandbox(hass, FUNCTIONS)
    await sandbox.async_ready()
    running = asyncio.ensure_future(run(sandbox, LOOP))
    await asyncio.sleep(0)
    await sandbox.async_close()
    await sandbox.async_close()
    await asyncio.wait((running,))

    assert running.exception() or running.result().error
    assert left(before) == set()
    with pytest.raises(SandboxError, match="not ready"):
        await run(sandbox, GOOD)


async def test_nothing_is_left_when_it_is_closed_while_it_starts(hass: HomeAssistant):
    before = children()
    sandbox = Sandbox(hass, FUNCTIONS)
    starting = asyncio.ensure_future(sandbox.async_ready())
    for _ in range(5):
        await asyncio.sleep(0)
    await sandbox.async_close()

    with pytest.raises(SandboxError):
        await starting
    assert left(before) == set()


# Without Monty


class _Broken(importlib.abc.MetaPathFinder):
    """Finds a package whose native part is for another machine."""

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        if name == "pydantic_monty":
            raise ImportError("_monty.so: wrong ELF class")
        return None


@pytest.fixture
def absent(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[None]:
    """Take Monty away, in one of the ways in which it can be."""
    if request.param == "import":
        with without_monty():
            yield
        return
    if request.param == "install":

        async def process(hass: HomeAssistant, name: str, requirements: list[str]) -> None:
            raise RequirementsNotFound(name, requirements)

        monkeypatch.setattr(sandbox_module, "async_process_requirements", process)
    elif request.param == "load":
        monkeypatch.delitem(sys.modules, "pydantic_monty", raising=False)
        monkeypatch.setattr(sys, "meta_path", [_Broken(), *sys.meta_path])
    else:
        impostor = tmp_path / "monty"
        impostor.write_text("#!/bin/sh\nexit 0\n")
        impostor.chmod(0o755)
        monkeypatch.setattr(launcher, "find_binary", lambda: impostor)
    yield


@pytest.mark.parametrize(
    ("absent", "why"),
    [
        ("import", "pydantic_monty"),
        ("install", "pydantic-monty"),
        ("load", "wrong ELF class"),
        ("start", "The worker of Monty does not work"),
    ],
    indirect=["absent"],
)
async def test_without_monty_it_says_why_and_how_to_fix_it(
    sandbox: Sandbox, absent: None, why: str, caplog: pytest.LogCaptureFixture
):
    before, heard = children(), []
    sandbox.listen(lambda: heard.append(sandbox.error))
    for work in (
        sandbox.async_ready,
        lambda: sandbox.async_validate(GOOD, "check"),
        lambda: run(sandbox, GOOD),
    ):
        with pytest.raises(SandboxError, match="internet access, free memory") as caught:
            await work()
        assert why in caught.value.detail

    assert [str(each) for each in heard] == [str(sandbox.error)]
    assert caplog.text.count("Condition code cannot run: ") == 1
    assert not sandbox.is_running
    assert left(before) == set()


async def test_it_is_tried_again_after_a_while_and_less_and_less_often(
    sandbox: Sandbox, freezer: FrozenDateTimeFactory
):
    tries = 0

    async def counted(_: Workers) -> None:
        nonlocal tries
        tries += 1
        raise SandboxError("There is no memory.")

    with patch.object(Workers, "async_start", counted):
        for pause in (0, RETRY, 2 * RETRY, 4 * RETRY):
            freezer.tick(max(pause - 1, 0))
            before = tries
            if pause:
                with pytest.raises(SandboxError):
                    await sandbox.async_ready()
                assert tries == before
            freezer.tick(1)
            with pytest.raises(SandboxError):
                await sandbox.async_ready()
            assert tries == before + 1
        for _ in range(10):
            freezer.tick(LONGEST_RETRY)
            with pytest.raises(SandboxError):
                await sandbox.async_ready()
        assert tries == 14
    freezer.tick(LONGEST_RETRY)
    assert (await run(sandbox, GOOD)).value is True
    assert sandbox.error is None


async def test_a_caller_with_little_patience_does_not_wait_for_the_start(sandbox: Sandbox):
    gate = asyncio.Event()
    heard: list[bool] = []
    sandbox.listen(lambda: heard.append(sandbox.is_running))

    async def process(*_: object) -> None:
        await gate.wait()

    with patch.object(sandbox_module, "async_process_requirements", process):
        for _ in range(2):
            with pytest.raises(SandboxError, match="Try again in a moment"):
                await sandbox.async_ready(patience=0.001)
        # That is no failure.
        assert sandbox.error is None
        gate.set()
        await sandbox.async_ready()

    assert heard == [True]
    assert (await run(sandbox, GOOD)).value is True


async def test_what_fails_while_it_runs_is_started_anew(
    sandbox: Sandbox, freezer: FrozenDateTimeFactory
):
    await sandbox.async_ready()
    with (
        patch.object(Session, "run", side_effect=SandboxError("The worker does not start.")),
        pytest.raises(SandboxError, match="worker does not start"),
    ):
        await run(sandbox, GOOD)
    assert not sandbox.is_running
    assert sandbox.error is not None

    freezer.tick(RETRY)
    assert (await run(sandbox, GOOD)).value is True
    assert sandbox.error is None
