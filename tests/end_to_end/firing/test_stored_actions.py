"""A routine whose action is stored fires without a model."""

import asyncio

import pytest
from homeassistant.auth.const import GROUP_ID_READ_ONLY
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import async_capture_events

from benchmark.model_script import Fault, FaultKind
from custom_components.sage.people.person import Person
from custom_components.sage.routines.host import firing_runs as runs
from custom_components.sage.routines.routine_types import Routine, Words
from custom_components.sage.tools.routines.condition_polling import async_stored_commands
from tests.waiting import until

from ..attacker import expose, hide
from ..conftest import Sage
from .phone import Phone
from .routine import LOCK, Fires, commands, reminder_of, routine_of, state

LIGHT = "light.kitchen_light"


async def validated(
    sage: Sage, user: User, device: str, command: str, **arguments: object
) -> Routine:
    """Return a routine with one command, validated as when a person asks for it."""
    given = {"devices": [device], "command": command, "arguments": arguments}
    person = Person(user_id=user.id, name="Anna")
    home = sage.entry.runtime_data.home.of(person)
    action, _, _ = await async_stored_commands(sage.hass, home, [given])
    request = f"{command} the {device}"
    return routine_of(user, request, action=action, notify=False)


@pytest.fixture
async def light_on(sage: Sage, user: User) -> Routine:
    """Anna wants 40 percent in the kitchen."""
    return await validated(sage, user, "kitchen_light", "turn_on", brightness_pct=40)


async def test_command_is_sent_as_its_person_while_the_model_server_is_stopped(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, light_on: Routine
) -> None:
    sage.server.requests.clear()
    await sage.server.async_stop()
    changes = async_capture_events(hass, "state_changed")

    report = await fires.fire(light_on)

    assert state(hass, LIGHT) == "on"
    assert not report.is_failure
    (change,) = [each for each in changes if each.data["entity_id"] == LIGHT]
    assert change.data["new_state"].attributes["brightness"] == 102
    assert change.context.user_id == user.id
    trace = sage.traces(user.id)[-1]
    assert trace["model_calls"] == 0
    assert [each["kind"] for each in trace["outcomes"]] == ["verified"]


async def test_verified_action_is_silent_unless_somebody_wants_to_hear_it(
    fires: Fires, user: User, light_on: Routine
) -> None:
    assert (await fires.fire(light_on)).answer == ""
    wanted = routine_of(user, "", action=light_on.action, notify=True)
    assert "Kitchen Light" in (await fires.fire(wanted)).answer


async def test_what_the_model_did_and_was_seen_is_silent_too(
    sage: Sage, fires: Fires, user: User
) -> None:
    commands(sage, "kitchen_light", command="turn_on", answer="It is on.")
    report = await fires.fire(routine_of(user, "turn on the kitchen light", notify=False))
    assert report.answer == ""


async def test_words_are_told_as_they_are(sage: Sage, fires: Fires, user: User) -> None:
    await sage.server.async_stop()
    milk = reminder_of(user, "Throw out the milk.", action=Words(text="Throw out the milk."))
    report = await fires.fire(milk)
    assert (report.answer, report.is_failure) == ("Throw out the milk.", False)
    assert sage.traces(user.id)[-1]["answer"] == "Throw out the milk."


async def test_failure_is_told(sage: Sage, fires: Fires, light_on: Routine, thing) -> None:
    thing(LIGHT).become(available=False)
    await sage.hass.async_block_till_done()
    report = await fires.fire(light_on)
    assert report.is_failure
    assert "Kitchen Light" in report.answer


async def test_permissions_are_those_at_the_firing(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, other: User
) -> None:
    turns_on = await validated(sage, other, "kitchen_light", "turn_on")
    await hass.auth.async_update_user(other, group_ids=[GROUP_ID_READ_ONLY])
    sage.model_says()
    report = await fires.fire(turns_on)
    assert state(hass, LIGHT) == "off"
    assert report.is_failure
    assert report.answer


async def test_risky_command_asks_first_and_what_became_of_it_is_told(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, phone: Phone
) -> None:
    unlocks = await validated(sage, user, "front_door", "unlock")
    sage.model_says()
    running = fires.begin(unlocks)
    question = await fires.async_asked("unlock")
    assert state(hass, LOCK) == "locked"
    question.answer("yes")
    report = await running
    assert state(hass, LOCK) == "unlocked"
    assert "Front Door" in report.answer
    assert sage.model_calls == 0


async def test_rename_breaks_nothing(sage: Sage, fires: Fires, light_on: Routine) -> None:
    er.async_get(sage.hass).async_update_entity(LIGHT, new_entity_id="light.cooking_light")
    await sage.hass.async_block_till_done()
    expose(sage.hass, "light.cooking_light")
    sage.model_says()
    await fires.fire(light_on)
    assert state(sage.hass, "light.cooking_light") == "on"


@pytest.mark.parametrize("is_hidden", [True, False])
async def test_where_the_device_is_gone_the_model_decides(
    hass: HomeAssistant, sage: Sage, fires: Fires, light_on: Routine, is_hidden: bool
) -> None:
    if is_hidden:
        hide(hass, LIGHT)
    else:
        er.async_get(hass).async_remove(LIGHT)
        await hass.async_block_till_done()
    commands(sage, "bedroom_light", command="turn_on", answer="The bedroom light is on.")
    await fires.fire(light_on)
    assert state(hass, "light.bedroom_light") == "on"
    assert f"Request: {light_on.command}" in sage.server.completions[0].prompt


async def test_another_thing_that_got_its_id_is_left_alone(
    hass: HomeAssistant, sage: Sage, fires: Fires, light_on: Routine
) -> None:
    registry = er.async_get(hass)
    registry.async_update_entity(LIGHT, new_entity_id="light.cooking_light")
    registry.async_update_entity("light.bedroom_light", new_entity_id=LIGHT)
    await hass.async_block_till_done()
    expose(hass, LIGHT, "light.cooking_light")
    sage.model_says()
    await fires.fire(light_on)
    assert (state(hass, "light.cooking_light"), state(hass, LIGHT)) == ("on", "off")


async def test_runs_that_wait_for_the_model_hold_it_up_by_nothing(
    sage: Sage, fires: Fires, user: User, light_on: Routine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "ROUTINE_PATIENCE", ())
    sage.server.say(lambda _: Fault(kind=FaultKind.HANG))
    hanging = [fires.begin(routine_of(user, "decide", id=f"r{n}"), number=n) for n in range(2, 8)]
    await until(lambda: sage.model_calls == len(hanging))
    await fires.fire(light_on)
    assert state(sage.hass, LIGHT) == "on"
    assert not any(each.done() for each in hanging)
    for each in hanging:
        each.cancel()
    await asyncio.gather(*hanging, return_exceptions=True)
