"""A routine fires: SAGE does what was asked for, as the person who asked."""

import asyncio

import pytest
from homeassistant.auth.const import GROUP_ID_READ_ONLY
from homeassistant.auth.models import User
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import async_capture_events

from benchmark.model_script import Fault, FaultKind
from custom_components.sage.people.person import Person
from custom_components.sage.routines.host import firing_runs
from tests.decisions import NATIVE, step

from ..conftest import MakeSage, Sage
from .routine import Fires, commands, reminder_of, routine_of

LIGHT = "light.kitchen_light"


def light(hass: HomeAssistant) -> str:
    found = hass.states.get(LIGHT)
    assert found is not None
    return found.state


async def test_the_command_is_carried_out_as_its_person_with_a_context_of_its_own(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User
):
    changes = async_capture_events(hass, "state_changed")
    commands(sage, "kitchen_light", command="turn_on", answer="The kitchen light is on.")

    report = await fires.fire(routine_of(user, "turn on the kitchen light"), number=7)

    assert report.answer == "The kitchen light is on."
    assert not report.is_failure
    assert report.undo is not None
    (change,) = [each for each in changes if each.data["entity_id"] == LIGHT]
    assert change.context.user_id == user.id


async def test_the_model_is_told_what_has_just_happened(sage: Sage, fires: Fires, user: User):
    sage.model_says(NATIVE.finish("answered", "Throw out the milk!"))

    report = await fires.fire(reminder_of(user, "remind me to throw out the milk"))

    assert report.answer == "Throw out the milk!"
    assert (report.undo, report.is_failure) == (None, False)
    prompt = sage.server.completions[0].prompt
    assert "remind me to throw out the milk" in prompt
    assert "the fridge is opened" in prompt
    assert "Person: Anna" in prompt


async def test_a_claim_of_what_was_not_done_is_a_failure(sage: Sage, fires: Fires, user: User):
    claim = NATIVE.finish("acted", "The kitchen light is on.")
    sage.model_says(claim, claim)

    report = await fires.fire(routine_of(user, "turn on the kitchen light"))

    assert report.is_failure
    assert "The kitchen light is on" not in report.answer
    assert light(sage.hass) == "off"


async def test_the_trace_is_its_persons_and_nobody_said_the_command(
    sage: Sage, fires: Fires, user: User
):
    runtime = sage.entry.runtime_data
    anna = Person(user_id=user.id, name="Anna")
    commands(sage, "kitchen_light", command="turn_on", answer="The kitchen light is on.")

    await fires.fire(routine_of(user, "turn on the kitchen light"))
    await sage.hass.async_block_till_done()

    (trace,) = sage.traces(user.id)
    assert trace["command"] == "turn on the kitchen light"
    assert sage.traces(None) == []
    assert [each.text for each in await runtime.memory.async_do(anna, lambda m: m.list())] == []
    # It is no part of any conversation: it can neither be followed up nor put back in one.
    assert runtime.runs.earlier(trace["conversation_id"], anna) == ()


async def test_earlier_turns_are_not_shown(sage: Sage, fires: Fires, user: User):
    sage.model_says(NATIVE.finish("answered", "Pomegranate."))
    await sage.say("which fruit is it?", user_id=user.id)
    sage.model_says(NATIVE.finish("answered", "Milk!"))

    await fires.fire(reminder_of(user, "remind me"))

    assert "omegranate" not in sage.server.completions[0].prompt


async def test_the_permissions_are_those_of_the_person(sage: Sage, fires: Fires):
    guest = await sage.hass.auth.async_create_user("Guest", group_ids=[GROUP_ID_READ_ONLY])
    sage.model_says(
        NATIVE.call("device_interaction", timing="now", command="do it", final=True),
        *[NATIVE.execute("kitchen_light", command="turn_on")] * 2,
        *[NATIVE.finish("could_not", "You may not do that.")] * 3,
    )

    report = await fires.fire(routine_of(guest, "turn on the kitchen light"))

    assert light(sage.hass) == "off"
    assert report.is_failure


@pytest.mark.parametrize("is_removed", [True, False])
async def test_who_is_gone_has_nothing_done(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, other: User, is_removed: bool
):
    if is_removed:
        await hass.auth.async_remove_user(other)
    else:
        await hass.auth.async_update_user(other, is_active=False)
    commands(sage, "kitchen_light", command="turn_on", answer="The kitchen light is on.")

    report = await fires.fire(routine_of(other, "turn on the kitchen light."))

    assert report.is_failure
    assert report.answer == (
        "A routine could not finish this action: turn on the kitchen light. The user account of "
        "the routine's owner was deactivated or deleted."
    )
    assert sage.model_calls == 0
    assert light(hass) == "off"


async def test_a_model_that_comes_back_is_asked_again(
    sage: Sage, fires: Fires, user: User, swift_model: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(firing_runs, "ROUTINE_PATIENCE", (0.01, 0.01))
    again = Fault(kind=FaultKind.SERVER_ERROR)
    sage.model_says(*[again] * 4, NATIVE.finish("answered", "Milk!"))

    report = await fires.fire(reminder_of(user, "remind me"))

    assert report.answer == "Milk!"


async def test_a_model_that_stays_away_is_told_with_what_did_not_happen(
    make_sage: MakeSage, user: User, swift_model: None, monkeypatch: pytest.MonkeyPatch
):
    sage = await make_sage(options={"fall_back": False})
    monkeypatch.setattr(firing_runs, "ROUTINE_PATIENCE", (0.01, 0.01))
    sage.server.say(lambda _: Fault(kind=FaultKind.SERVER_ERROR))

    report = await Fires(sage).fire(routine_of(user, "turn on the kitchen light"))

    assert report.is_failure
    assert "A routine could not finish this action: turn on the kitchen light." in report.answer
    assert light(sage.hass) == "off"


async def test_a_plain_command_is_served_without_the_model(
    sage: Sage, fires: Fires, user: User, swift_model: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(firing_runs, "ROUTINE_PATIENCE", ())
    sage.server.say(lambda _: Fault(kind=FaultKind.SERVER_ERROR))

    report = await fires.fire(routine_of(user, "turn on the kitchen light"))

    assert light(sage.hass) == "on"
    assert not report.is_failure


async def test_nothing_is_done_twice_when_the_model_goes_away_in_the_middle(
    sage: Sage, fires: Fires, user: User, swift_model: None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(firing_runs, "ROUTINE_PATIENCE", (0.01,) * 3)
    script = iter(
        [
            *NATIVE.planned("do it", step("command", "kitchen_light")),
            NATIVE.execute("kitchen_light", command="turn_on"),
        ]
    )
    sage.server.say(lambda _: next(script, Fault(kind=FaultKind.SERVER_ERROR)))

    report = await fires.fire(routine_of(user, "turn on the kitchen light and remind me"))

    assert report.is_failure
    assert "Kitchen Light" in report.answer
    beginnings = [each for each in sage.server.completions if "Request: " in each.prompt]
    assert len(beginnings) == 1, "a run that wrote something must not begin anew"


async def test_a_run_that_waits_ends_when_sage_is_unloaded(sage: Sage, fires: Fires, user: User):
    sage.model_says(NATIVE.call("human_interaction", question="Which milk?"))
    running = fires.begin(reminder_of(user, "remind me"))
    await fires.async_asked()

    assert await sage.hass.config_entries.async_unload(sage.entry.entry_id)

    report = await running
    assert sage.entry.state is ConfigEntryState.NOT_LOADED
    assert report.is_failure
    assert "SAGE is stopping or restarting" in report.answer


async def test_a_runner_that_is_cancelled_takes_its_run_along(sage: Sage, fires: Fires, user: User):
    sage.model_says(NATIVE.call("human_interaction", question="Which milk?"))
    running = fires.begin(reminder_of(user, "remind me"))
    await fires.async_asked()
    assert sage.entry.runtime_data.runs.active

    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await sage.hass.async_block_till_done()

    assert not sage.entry.runtime_data.runs.active


async def test_a_tainted_routine_asks_before_a_harmless_command(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User
):
    command = {"devices": ["kitchen_light"], "command": "turn_on", "timing": "now", "final": True}
    sage.server.say(lambda _: NATIVE.call("execute_command", **command))

    running = fires.begin(routine_of(user, "turn on the kitchen light", tainted=True))
    question = await fires.async_asked()
    assert light(hass) == "off"
    question.answer("yes")
    await running

    assert light(hass) == "on"
