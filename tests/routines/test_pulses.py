"""What is so for less than a tenth of a second: a bell push, a contact that bounces."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from custom_components.sage.routines.routine_types import Condition, Status

from .house import DOOR, LIGHT, House, when_on

HOLD = timedelta(minutes=10)
BOTH = Condition(
    function="both",
    source=f'def both():\n    return [get_state(e) for e in ("{DOOR}", "{LIGHT}")] == ["on"] * 2\n',
)


async def flips(house: House, *states: str, entity_id: str = DOOR) -> None:
    """Let an entity have one state after the other before anybody looks."""
    for state in states:
        house.hass.states.async_set(entity_id, state)
    await looked(house)


async def looked(house: House) -> None:
    await house.async_settle()
    for _ in range(3):
        await house.async_pass(0.2)


async def test_a_short_break_is_the_end_of_one_edge_and_the_begin_of_another(house: House) -> None:
    watched = await house.async_create()
    await house.async_set(DOOR, "on")
    await flips(house, "off", "on")
    assert house.fired == [watched.routine.id] * 2
    assert house.now_of(watched.routine.id).memo.before is True


async def test_a_short_pulse_is_put_back(house: House) -> None:
    watched = await house.async_create(undo_after=True)
    await flips(house, "on", "off")
    assert house.fired == [watched.routine.id]
    assert [each.routine_id for each in house.runner.undone] == [watched.routine.id]


async def test_what_has_to_hold_is_broken_by_a_short_break(house: House) -> None:
    watched = await house.async_create(replace(when_on(), hold=HOLD))
    await house.async_set(DOOR, "on")
    await house.async_pass(minutes=9)
    await flips(house, "off", "on")
    await house.async_pass(minutes=9)
    assert house.fired == []
    await house.async_pass(minutes=1)
    assert house.fired == [watched.routine.id]


async def test_a_pulse_is_not_put_together_with_what_came_after_it(house: House) -> None:
    """The door was shut again when the light came on: they never were so at a time."""
    await house.async_create(BOTH)
    house.hass.states.async_set(DOOR, "on")
    house.hass.states.async_set(DOOR, "off")
    await flips(house, "on", entity_id=LIGHT)
    assert house.fired == []


async def test_a_pulse_while_it_is_unavailable_for_a_moment_is_none(house: House) -> None:
    watched = await house.async_create()
    await house.async_set(DOOR, "on")
    await flips(house, "unavailable", "on")
    assert house.fired == [watched.routine.id]


async def test_several_changes_of_several_devices_are_one_moment(house: House) -> None:
    """A scene opens the door and switches on the light; only the end counts."""
    source = (
        "def only_open():\n"
        f'    return get_state("{DOOR}") == "on" and get_state("{LIGHT}") == "off"\n'
    )
    house.hass.states.async_set(LIGHT, "off")
    watched = await house.async_create(Condition(function="only_open", source=source))
    house.hass.states.async_set(DOOR, "on")
    await flips(house, "on", entity_id=LIGHT)
    assert house.fired == []
    await flips(house, "off", entity_id=LIGHT)
    assert house.fired == [watched.routine.id]


async def test_a_pulse_among_many_reports_of_another_device(house: House) -> None:
    source = f'def rings():\n    get_state("{LIGHT}")\n    return get_state("{DOOR}") == "on"\n'
    watched = await house.async_create(Condition(function="rings", source=source))
    for power in range(20):
        house.hass.states.async_set(LIGHT, str(power))
        if power in (7, 8):
            house.hass.states.async_set(DOOR, "on" if power == 7 else "off")
    await looked(house)
    assert house.fired == [watched.routine.id]


async def test_a_pulse_while_an_answer_takes_long(house: House) -> None:
    source = f'def rings():\n    get_weather()\n    return get_state("{DOOR}") == "on"\n'
    watched = await house.async_create(Condition(function="rings", source=source))
    gate = house.answers.slow["get_weather"] = asyncio.Event()
    house.hass.states.async_set(DOOR, "off", {"tone": 2})
    house.answers.asked.clear()
    await house.async_pass(0.2)
    await house.async_until(lambda: bool(house.answers.asked))
    house.hass.states.async_set(DOOR, "on")
    house.hass.states.async_set(DOOR, "off")
    gate.set()
    while not house.fired:
        await looked(house)
    assert house.fired == [watched.routine.id]


async def test_what_is_withheld_for_a_moment_only_stops_nothing(house: House) -> None:
    watched = await house.async_create()
    house.answers.withheld.add(DOOR)
    house.hass.states.async_set(DOOR, "on")
    house.answers.withheld.clear()
    await flips(house, "off")
    assert house.now_of(watched.routine.id).routine.status is Status.WATCHING


@pytest.mark.parametrize("seconds", [0, 0.05, 0.2])
@pytest.mark.parametrize("after", ["on", "off"])
async def test_a_pulse_right_after_a_routine_was_resumed(
    house: House, seconds: float, after: str
) -> None:
    watched = await house.async_create()
    await house.routines.async_pause(watched.routine.id)
    await house.routines.async_resume(watched.routine.id)
    house.freezer.tick(seconds)
    house.hass.states.async_set(DOOR, "on")
    house.hass.states.async_set(DOOR, after)
    await looked(house)
    assert house.fired == [watched.routine.id]
