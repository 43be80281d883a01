"""Routines that set themselves off, or fire too often, are stopped."""

from dataclasses import replace
from datetime import timedelta

from homeassistant.core import Context

from custom_components.sage.routines.routine_types import Status

from .house import DOOR, LIGHT, House, when_on

HOLD = timedelta(minutes=10)


def context_of(house: House, entity_id: str) -> Context:
    """The context of the last change of an entity."""
    state = house.hass.states.get(entity_id)
    assert state is not None
    return state.context


async def test_who_undoes_at_once_what_a_routine_did_is_not_taken_for_it(house: House) -> None:
    """For some seconds Home Assistant gives a manual change the context of the run."""
    await house.async_set(LIGHT, "on")
    watched = await house.async_create(when_on(LIGHT, "off"))
    house.runner.commands[watched.routine.id] = [(LIGHT, "on")]
    for _ in range(3):
        await house.async_set(LIGHT, "off")
        await house.async_pass(1)
        own = context_of(house, LIGHT)
        assert house.runner.chains[own.id] == (watched.routine.id,)
        await house.async_set(LIGHT, "off", own)
        assert house.now_of(watched.routine.id).routine.status is Status.WATCHING
        await house.async_pass(minutes=11)
    assert house.fired == [watched.routine.id] * 6


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


async def test_a_loop_is_seen_through_what_has_to_hold(house: House) -> None:
    watched = await house.async_create(replace(when_on(LIGHT), hold=HOLD))
    house.runner.commands[watched.routine.id] = [(LIGHT, "off")]
    await house.async_set(LIGHT, "on")
    for _ in range(9):
        await house.async_pass(minutes=10)
        await house.async_pass(1)
        await house.async_set(LIGHT, "on", context_of(house, LIGHT))
    assert len(house.fired) == 3
    assert house.now_of(watched.routine.id).routine.status is Status.LOOPING
