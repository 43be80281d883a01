"""What waits behind a run that takes long, as while its person is asked."""

import asyncio

from custom_components.sage.routines.registry import RoutineEventKind as Kind
from custom_components.sage.routines.routine_types import Status

from .house import DOOR, House


async def opens(house: House, times: int = 1) -> None:
    """Let the door be opened; what the first time sets off may take long."""
    for _ in range(times):
        await house.async_set(DOOR, "off")
        await house.async_set(DOOR, "on")


async def test_what_waits_is_not_done_for_a_routine_that_was_paused(house: House) -> None:
    house.runner.gate = asyncio.Event()
    watched = await house.async_create()
    await opens(house, times=3)
    await house.routines.async_pause(watched.routine.id)
    house.runner.gate.set()
    await house.async_settle()
    assert len(house.fired) == 1
    assert house.deliverer.delivered == ["Done."]
    over = [event.firing for event in house.events if event.kind is Kind.DONE]
    assert [each is not None and each.is_failure for each in over] == [False, True, True]
    assert (await house.store.async_read()).firings == ()


async def test_what_was_done_is_put_back_however_long_that_waited(house: House) -> None:
    house.runner.gate = asyncio.Event()
    watched = await house.async_create(undo_after=True)
    await opens(house)
    await house.async_set(DOOR, "off")
    await house.async_pass(hours=3)
    await house.routines.async_pause(watched.routine.id)
    house.runner.gate.set()
    await house.async_settle()
    assert [each.routine_id for each in house.runner.undone] == [watched.routine.id]


async def test_what_fired_too_often_does_not_go_on_with_what_waits(house: House) -> None:
    house.runner.gate = asyncio.Event()
    watched = await house.async_create()
    await opens(house, times=12)
    assert house.now_of(watched.routine.id).routine.status is Status.TOO_OFTEN
    house.runner.gate.set()
    await house.async_settle()
    assert len(house.fired) == 1
    assert house.deliverer.delivered == ["Done."]
