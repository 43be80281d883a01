"""The sandbox in its thread: the event loop goes on, and nothing is left behind."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from custom_components.sage.routines.sandbox.threaded import ThreadedSandbox

from .workshop import ENGINES, FUNCTIONS, GOOD, HANG, LOOP, check, children


async def turns_during(work: Callable[[], Any]) -> int:
    """Return how often the loop came round while something was awaited."""
    turns = 0
    task = asyncio.ensure_future(work())
    while not task.done():
        await asyncio.sleep(0.01)
        turns += 1
    await task
    return turns


@pytest.mark.parametrize("name", sorted(ENGINES))
async def test_the_event_loop_does_not_wait_for_a_check(name: str):
    sandbox = ThreadedSandbox(name, ENGINES[name](FUNCTIONS, lambda: "UTC"))
    await sandbox.async_start()
    try:
        batch = [check(LOOP, "loop"), check(HANG, "hang"), check(GOOD, "good")]
        turns = await turns_during(lambda: sandbox.async_run(batch))
        assert await sandbox.async_run([]) == {}
    finally:
        await sandbox.async_close()

    # A blocked loop comes round once, after all of the limits.
    assert turns > 3
    assert sandbox.name == name
    assert sandbox.validate("def check():\n    return eval('1')\n", "check")
    assert not [t for t in threading.enumerate() if t.name.startswith("sage-sandbox")]


@pytest.mark.parametrize("name", sorted(ENGINES))
async def test_it_may_be_closed_while_it_runs(name: str):
    before = children()
    sandbox = ThreadedSandbox(name, ENGINES[name](FUNCTIONS, lambda: "UTC"))
    await sandbox.async_start()
    running = asyncio.ensure_future(sandbox.async_run([check(LOOP, "loop"), check(GOOD, "good")]))
    await asyncio.sleep(0)
    await sandbox.async_close()

    assert (await running)["good"].value is True
    assert children() - before == set()
