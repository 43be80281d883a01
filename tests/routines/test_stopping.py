"""Routines that set themselves off, or fire too often, are stopped."""

from dataclasses import replace
from datetime import timedelta

from homeassistant.core import Context

from custom_components.sage.routines.registry import RoutineEventKind as Kind
from custom_components.sage.routines.routine_types import Status
from custom_components.sage.routines.scheduler import PER_MINUTE

from .house import DOOR, LIGHT, House, when_on

HOLD = timedelta(minutes=10)


def context_of(house: House, entity_id: str) -> Context:
    """The context of the last change of an entity."""
    state = house.hass.states.get(entity_id)
    assert state is not None
    return state.context


async def test_a_routine_that_sets_itself_off_is_stopped(house: House) -> None:
    """It switches the light off, which comes on again by that."""
    watched = await house.async_create(when_on(LIGHT))
    house.runner.commands[watched.routine.id] = [(LIGHT, "off")]
    await house.async_set(LIGHT, "on")
    for _ in range(4):
        await house.async_pass(1)
        await house.async_set(LIGHT, "on", context_of(house, LIGHT))
    # The third time that it led to itself it is stopped instead.
    assert [each.chain.count(watched.routine.id) for each in house.runner.ran] == [0, 1, 2]
    now = house.now_of(watched.routine.id)
    assert now.routine.status is Status.LOOPING
    assert now.memo.fired == 3
    assert house.kinds(watched.routine.id)[-1] is Kind.CHANGED


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


async def test_two_that_set_each_other_off_are_stopped(house: House) -> None:
    first = await house.async_create(when_on(DOOR))
    second = await house.async_create(when_on(LIGHT))
    house.runner.commands[first.routine.id] = [(LIGHT, "off"), (LIGHT, "on"), (DOOR, "off")]
    house.runner.commands[second.routine.id] = [(DOOR, "on"), (LIGHT, "off")]
    await house.async_set(DOOR, "on")
    for _ in range(9):
        await house.async_pass(1)
    assert house.fired == [first.routine.id, second.routine.id] * 3
    assert house.runner.ran[1].chain == (first.routine.id,)
    assert house.now_of(first.routine.id).routine.status is Status.LOOPING
    assert house.now_of(second.routine.id).routine.status is Status.WATCHING


async def test_a_loop_by_way_of_a_cloud_is_stopped(house: House) -> None:
    house.runner.keeps_context = False
    first = await house.async_create(when_on(DOOR))
    second = await house.async_create(when_on(LIGHT))
    house.runner.commands[first.routine.id] = [(LIGHT, "on"), (DOOR, "off")]
    house.runner.commands[second.routine.id] = [(DOOR, "on"), (LIGHT, "off")]
    await house.async_set(DOOR, "on")
    for _ in range(30):
        await house.async_pass(1)
    statuses = {each.routine.status for each in house.routines.list_all()}
    assert Status.TOO_OFTEN in statuses
    assert len(house.fired) <= 2 * PER_MINUTE + 1


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
