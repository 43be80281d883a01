"""Calls on one file never run in two threads at once."""

import asyncio
import threading
from pathlib import Path

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.routines.store import RoutineStore
from custom_components.sage.storage.async_file import AsyncFile


@pytest.mark.parametrize("expected_lingering_timers", [True])
async def test_home_assistant_stops_while_a_call_runs(hass: HomeAssistant, path: Path):
    file = AsyncFile(hass, path, RoutineStore)
    started, may_end = asyncio.Event(), threading.Event()
    ended = False

    def slow_call(_: RoutineStore) -> None:
        nonlocal ended
        hass.loop.call_soon_threadsafe(started.set)
        may_end.wait(10)
        ended = True

    hass.async_create_background_task(file.async_run(slow_call), "slow call")
    await started.wait()
    await hass.async_stop(force=True)  # cancels the future of the running call
    closing = asyncio.create_task(file.async_close())
    await asyncio.wait([closing], timeout=0.3)
    assert not closing.done()
    may_end.set()
    await closing
    assert ended
