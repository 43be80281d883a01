"""A condition that is unknown for long: a dead sensor, failing code."""

from datetime import timedelta

from homeassistant.util import dt as dt_util

from custom_components.sage.routines.registry import RoutineEventKind as Kind
from custom_components.sage.routines.routine_types import LONG_UNKNOWN, Condition

from .house import DOOR, FRAGILE, LIGHT, House, fails

ANY = Condition(
    function="is_any",
    source=f'def is_any():\n    return any(get_state(e) == "on" for e in ["{LIGHT}", "{DOOR}"])\n',
)


def is_lost(house: House, routine_id: str) -> bool:
    return house.now_of(routine_id).memo.is_long_unknown(dt_util.utcnow())


async def days(house: House, number: float) -> None:
    for _ in range(int(number * 24)):
        await house.async_pass(hours=1)


async def test_what_is_unknown_for_a_day_is_told_once_until_it_is_known_again(house: House) -> None:
    watched = await house.async_create(ANY)
    await house.async_set(LIGHT, "unavailable")
    await days(house, 0.9)
    assert house.kinds(watched.routine.id) == [Kind.CREATED]
    await days(house, 3)
    assert house.kinds(watched.routine.id) == [Kind.CREATED, Kind.CHANGED]
    assert is_lost(house, watched.routine.id)
    await house.async_set(LIGHT, "off")
    assert house.kinds(watched.routine.id) == [Kind.CREATED, Kind.CHANGED, Kind.CHANGED]
    assert not is_lost(house, watched.routine.id)
    await house.async_set(DOOR, "on")
    assert house.fired == [watched.routine.id]


async def test_what_is_known_now_and_then_is_not_told(house: House) -> None:
    watched = await house.async_create(ANY)
    for _ in range(5):
        await house.async_set(LIGHT, "unavailable")
        await days(house, 0.8)
        await house.async_set(LIGHT, "off")
    assert house.kinds(watched.routine.id) == [Kind.CREATED]


async def test_the_day_goes_on_over_restarts(house: House) -> None:
    watched = await house.async_create(ANY)
    await house.async_set(LIGHT, "unavailable")
    for _ in range(3):
        await days(house, 0.4)
        await house.async_restart()
    await house.async_pass(60)
    assert house.kinds(watched.routine.id)[-1] is Kind.CHANGED
    assert is_lost(house, watched.routine.id)


async def test_code_that_fails_while_the_model_is_away_is_told_too(numbers: House) -> None:
    numbers.repairer.is_away = True
    watched = await numbers.async_create(FRAGILE)
    await fails(numbers, 1)
    await days(numbers, 1.1)
    assert is_lost(numbers, watched.routine.id)
    numbers.hass.states.async_set(LIGHT, "19")
    await numbers.async_pass(301)
    assert not is_lost(numbers, watched.routine.id)


async def test_who_has_it_watched_again_is_told_anew(house: House) -> None:
    watched = await house.async_create(ANY)
    await house.async_set(LIGHT, "unavailable")
    await days(house, 1.1)
    await house.routines.async_pause(watched.routine.id)
    await house.async_pass(seconds=LONG_UNKNOWN / timedelta(seconds=1))
    await house.routines.async_resume(watched.routine.id)
    assert not is_lost(house, watched.routine.id)
    told = len(house.kinds(watched.routine.id))
    await days(house, 1.1)
    assert len(house.kinds(watched.routine.id)) == told + 1
    assert is_lost(house, watched.routine.id)
