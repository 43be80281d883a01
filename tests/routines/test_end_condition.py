"""Over one threshold until under another: a routine with an end condition of its own."""

from datetime import timedelta
from typing import Any

import pytest
from homeassistant.util import dt as dt_util

from custom_components.sage.routines.registry import RoutineEventKind as Kind
from custom_components.sage.routines.routine_types import (
    Condition,
    EdgeKind,
    Repeat,
    RoutineError,
    Status,
    Watched,
)

from .house import LIGHT, SOUND, House, fails

HUMIDITY = "sensor.humidity"


def compares(function: str, comparison: str) -> Condition:
    return Condition(
        function=function,
        source=f'def {function}():\n    return float(get_state("{HUMIDITY}")) {comparison}\n',
    )


HUMID, DRY = compares("is_humid", "> 70"), compares("is_dry", "< 60")


async def watches(house: House, **more: Any) -> Watched:
    """Have the dehumidifier run while it is over 70 until it is under 60."""
    house.hass.states.async_set(HUMIDITY, "58")
    given = {"end": DRY, "end_when": "it is under 60", "undo_after": True}
    return await house.async_create(HUMID, **(given | more))


async def follows(house: House, *values: int) -> list[tuple[int, EdgeKind]]:
    """Measure these values, a minute apart; return which of them did something."""
    seen: list[tuple[int, EdgeKind]] = []
    for value in values:
        on, off = len(house.runner.ran), len(house.runner.undone)
        await house.async_set(HUMIDITY, str(value))
        await house.async_pass(minutes=1)
        seen += [(value, EdgeKind.ON)] * (len(house.runner.ran) - on)
        seen += [(value, EdgeKind.OFF)] * (len(house.runner.undone) - off)
    return seen


async def test_its_end_is_known_after_a_restart(house: House) -> None:
    watched = await watches(house)
    assert await follows(house, 75, 65) == [(75, EdgeKind.ON)]
    await house.async_restart(timedelta(minutes=10))
    assert house.now_of(watched.routine.id).memo.is_acting
    assert await follows(house, 66, 59) == [(59, EdgeKind.OFF)]


async def test_an_end_that_came_while_it_was_down_is_the_end(house: House) -> None:
    await watches(house)
    await follows(house, 75)
    await house.routines.async_close()
    house.hass.states.async_set(HUMIDITY, "55")
    await house.async_start()
    await house.async_pass(1)
    assert len(house.runner.undone) == 1


async def test_an_end_that_came_while_it_was_paused_is_the_end(house: House) -> None:
    watched = await watches(house)
    await follows(house, 75)
    await house.routines.async_pause(watched.routine.id)
    assert await follows(house, 55) == []
    await house.routines.async_resume(watched.routine.id)
    await house.async_pass(1)
    assert len(house.runner.undone) == 1
    assert await follows(house, 75) == [(75, EdgeKind.ON)]


async def test_an_end_that_is_already_there_ends_it_at_once(house: House) -> None:
    """The value may fall past both thresholds while the command is carried out."""
    await watches(house, end=compares("is_below", "< 100"))
    assert await follows(house, 75, 80) == [(75, EdgeKind.ON), (75, EdgeKind.OFF)]


async def test_unknown_is_no_end(house: House) -> None:
    await watches(house)
    await follows(house, 75)
    await house.async_set(HUMIDITY, "unavailable")
    await house.async_pass(minutes=5)
    assert house.runner.undone == []
    assert await follows(house, 59) == [(59, EdgeKind.OFF)]


async def test_once_ends_with_its_end(house: House) -> None:
    watched = await watches(house, repeat=Repeat.ONCE)
    assert await follows(house, 75, 65, 59, 75) == [(75, EdgeKind.ON), (59, EdgeKind.OFF)]
    assert house.kinds(watched.routine.id)[-1] is Kind.REMOVED


async def test_after_its_time_it_is_still_ended(house: House) -> None:
    expires = dt_util.utcnow() + timedelta(minutes=5)
    watched = await watches(house, expires=expires)
    assert await follows(house, 75, 66, 66, 66, 66, 66) == [(75, EdgeKind.ON)]
    assert await follows(house, 59, 75) == [(59, EdgeKind.OFF)]
    assert house.kinds(watched.routine.id)[-1] is Kind.REMOVED


async def test_a_failing_end_is_mended_and_the_trigger_left_alone(house: House) -> None:
    await house.async_set(LIGHT, "19")
    warm = Condition(
        function="is_warm", source=f'def is_warm():\n    return float(get_state("{LIGHT}")) > 20\n'
    )
    house.repairer.sources = [SOUND]
    watched = await watches(house, end=warm, end_when="the light is warm")
    await follows(house, 75)
    await fails(house, 8)
    now = house.now_of(watched.routine.id).routine
    assert now.status is Status.WATCHING
    assert now.is_repaired
    assert now.trigger == HUMID
    assert now.end is not None
    assert now.end.source == SOUND
    await house.async_set(LIGHT, "on")
    assert len(house.runner.undone) == 1


async def test_an_end_that_does_not_run_is_refused(house: House) -> None:
    broken = Condition(function="is_dry", source="def is_dry():\n    return get_stat()\n")
    with pytest.raises(RoutineError, match="The code does not run"):
        await watches(house, end=broken)
    assert house.routines.list_all() == ()
