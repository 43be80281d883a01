"""Conditions are watched: what fires when, and when not."""

from .house import DOOR, House


async def test_an_edge_fires_once_and_again_at_the_next(house: House) -> None:
    watched = await house.async_create()
    await house.async_pass(10)
    assert house.fired == []
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id]
    for _ in range(5):
        await house.async_pass(10)
    assert house.fired == [watched.routine.id]
    await house.async_set(DOOR, "off")
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id] * 2
