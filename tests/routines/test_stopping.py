"""Routines that fire too often are stopped."""

from custom_components.sage.routines.routine_types import Status

from .house import DOOR, House


async def test_what_fires_too_often_is_stopped(house: House) -> None:
    watched = await house.async_create()
    for _ in range(15):
        await house.async_set(DOOR, "on")
        await house.async_set(DOOR, "off")
    assert len(house.fired) == 10
    now = house.now_of(watched.routine.id)
    assert (now.routine.status, now.memo.fired) == (Status.TOO_OFTEN, 10)
    await house.routines.async_resume(watched.routine.id)
    await house.async_set(DOOR, "on")
    assert len(house.fired) == 11
