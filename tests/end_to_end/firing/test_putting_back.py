"""What a routine changed is put back afterwards, also after a restart."""

import json
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_READ_ONLY
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import async_capture_events, async_mock_service

from custom_components.sage.routines.api.public_routines import firing_context_id
from custom_components.sage.routines.routine_types import Firing, Routine

from ..attacker import expose, hide
from ..conftest import Sage
from .phone import Phone
from .routine import LOCK, Fires, commands, firing_of, routine_of, state

LIGHT = "light.kitchen_light"


def stored(routine: Routine, report: Firing) -> Firing:
    """Return the firing as the file gives it back after a restart."""
    assert report.undo is not None
    undo: dict[str, Any] = json.loads(json.dumps(report.undo))
    return firing_of(routine, 3, undo=undo)


@pytest.fixture
async def fired(sage: Sage, fires: Fires, user: User) -> Firing:
    """A routine of Anna has turned on the light in the kitchen."""
    routine = routine_of(user, "turn on the kitchen light", undo_after=True)
    commands(sage, "kitchen_light", command="turn_on", answer="It is on.", brightness_pct=40)
    report = await fires.fire(routine)
    assert state(sage.hass, LIGHT) == "on"
    return stored(routine, report)


@pytest.fixture
def routine(user: User) -> Routine:
    return routine_of(user, "turn on the kitchen light", undo_after=True)


async def test_it_is_put_back_as_its_person_without_the_model(
    hass: HomeAssistant, sage: Sage, user: User, routine: Routine, fired: Firing
):
    changes = async_capture_events(hass, "state_changed")
    sage.model_says()

    report = await Fires(sage).runner.async_undo(routine, fired)

    assert state(hass, LIGHT) == "off"
    assert not report.is_failure
    assert "Kitchen Light" in report.answer
    assert sage.model_calls == 0
    (change,) = [each for each in changes if each.data["entity_id"] == LIGHT]
    assert change.context.user_id == user.id
    assert change.context.id == firing_context_id(fired)


async def test_a_rename_breaks_nothing(sage: Sage, fires: Fires, routine: Routine, fired: Firing):
    er.async_get(sage.hass).async_update_entity(LIGHT, new_entity_id="light.cooking_light")
    await sage.hass.async_block_till_done()
    expose(sage.hass, "light.cooking_light")

    await fires.runner.async_undo(routine, fired)

    assert state(sage.hass, "light.cooking_light") == "off"


async def test_another_thing_that_got_its_name_is_left_alone(
    hass: HomeAssistant, fires: Fires, routine: Routine, fired: Firing
):
    registry = er.async_get(hass)
    registry.async_remove(LIGHT)
    await hass.async_block_till_done()
    other = registry.async_get_or_create(
        "light", "test", "other", suggested_object_id=LIGHT.removeprefix("light.")
    )
    assert other.entity_id == LIGHT
    hass.states.async_set(LIGHT, "on", {"friendly_name": "Night light"})
    expose(hass, LIGHT)
    calls = async_mock_service(hass, "light", "turn_off")

    report = await fires.runner.async_undo(routine, fired)

    assert report.is_failure
    assert "no longer exists" in report.answer
    assert calls == []


async def test_no_word_of_what_was_said_to_the_device_is_kept(fired: Firing):
    assert "brightness_pct" not in json.dumps(fired.undo)
    assert "arguments" not in json.dumps(fired.undo)


async def test_what_may_not_be_used_any_more_stays(fires: Fires, routine: Routine, fired: Firing):
    hide(fires.hass, LIGHT)

    report = await fires.runner.async_undo(routine, fired)

    assert report.is_failure
    assert state(fires.hass, LIGHT) == "on"


async def test_who_may_not_control_it_any_more_changes_nothing(
    hass: HomeAssistant, fires: Fires, user: User, other: User, fired: Firing
):
    await hass.auth.async_update_user(other, group_ids=[GROUP_ID_READ_ONLY])

    report = await fires.runner.async_undo(routine_of(other, "turn on the light"), fired)

    assert report.is_failure
    assert state(hass, LIGHT) == "on"


async def test_for_who_is_gone_nothing_is_put_back(
    hass: HomeAssistant, fires: Fires, user: User, other: User, fired: Firing
):
    await hass.auth.async_update_user(other, is_active=False)

    report = await fires.runner.async_undo(routine_of(other, "turn on the light"), fired)

    assert report.is_failure
    assert "deactivated or deleted" in report.answer
    assert state(hass, LIGHT) == "on"


# ---------------------------------------------------------------- risky


@pytest.fixture
async def locked(hass: HomeAssistant, sage: Sage, fires: Fires, user: User) -> Firing:
    """A routine of Anna has locked the front door, which had been unlocked."""
    await hass.services.async_call("lock", "unlock", {"entity_id": LOCK}, blocking=True)
    commands(sage, "front_door", command="lock", answer="It is locked.")
    routine = routine_of(user, "lock the front door", undo_after=True)
    report = await fires.fire(routine)
    assert state(hass, LOCK) == "locked"
    return stored(routine, report)


@pytest.mark.parametrize("button", ["Yes", "No"])
async def test_to_put_back_something_risky_the_person_is_asked(
    hass: HomeAssistant, fires: Fires, routine: Routine, locked: Firing, phone: Phone, button: str
):
    running = fires.begin_undo(routine, locked)
    question = await phone.async_question("Front Door")
    assert state(hass, LOCK) == "locked"

    await phone.async_press(question, button)

    assert (await running).is_failure is (button == "No")
    # The lock takes its time to open.
    assert (state(hass, LOCK) == "locked") is (button == "No")


async def test_unloading_ends_it(sage: Sage, fires: Fires, routine: Routine, locked: Firing):
    running = fires.begin_undo(routine, locked)
    await fires.async_asked()

    assert await sage.hass.config_entries.async_unload(sage.entry.entry_id)

    report = await running
    assert report.is_failure
    assert "stopping or restarting" in report.answer
    assert state(sage.hass, LOCK) == "locked"
