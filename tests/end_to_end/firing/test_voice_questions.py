"""A routine asks at a voice satellite, where anybody may reply."""

from datetime import timedelta
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.sage.routines.routine_types import Routine
from tests.waiting import until

from ..conftest import Sage
from .conftest import MakeBox, Owns
from .routine import PIN, Fires, commands, notes, routine_of, state
from .voice import AskingBox


@pytest.fixture
async def secured_box(secured: Sage, make_box: MakeBox) -> AskingBox:
    return await make_box()


def unlocks(sage: Sage, owner: User | None, box: AskingBox, **more: Any) -> Routine:
    commands(sage, "front_door", command="unlock", answer="The front door is unlocked.")
    asked_at = {"satellite_id": box.satellite.entity_id}
    return routine_of(owner, "unlock the front door", **(asked_at | more))


async def test_the_pin_is_asked_for_and_does_it(
    hass: HomeAssistant, secured: Sage, secured_box: AskingBox, user: User
):
    secured_box.satellite.replies = [PIN]

    report = await Fires(secured).fire(unlocks(secured, user, secured_box))

    assert secured_box.satellite.asked == [
        "Shall I really unlock Front Door? To confirm, please say the PIN."
    ]
    assert report.answer == "The front door is unlocked."
    assert state(hass) == "unlocked"
    assert PIN not in str([each.body for each in secured.server.completions])


async def test_a_yes_is_not_enough_there(
    hass: HomeAssistant, secured: Sage, secured_box: AskingBox, user: User
):
    secured_box.satellite.replies = ["yes", "no"]

    report = await Fires(secured).fire(unlocks(secured, user, secured_box))

    assert len(secured_box.satellite.asked) == 2
    assert report.is_failure
    assert state(hass) == "locked"


async def test_another_reply_has_the_pin_asked_again(
    hass: HomeAssistant, secured: Sage, secured_box: AskingBox, user: User
):
    secured_box.satellite.replies = ["turn on the radio", PIN]

    report = await Fires(secured).fire(unlocks(secured, user, secured_box))

    assert secured_box.satellite.asked[1:] == ["Please say just the PIN, or say no."]
    assert not report.is_failure
    assert "radio" not in str([each.body for each in secured.server.completions])
    assert state(hass) == "unlocked"


async def test_the_household_is_asked_for_the_pin(
    hass: HomeAssistant, secured: Sage, secured_box: AskingBox
):
    secured_box.satellite.replies = [PIN]

    report = await Fires(secured).fire(unlocks(secured, None, secured_box))

    assert not report.is_failure
    assert state(hass) == "unlocked"


async def test_without_a_pin_a_voice_confirms_nothing(sage: Sage, make_box: MakeBox, user: User):
    """It waits for its person to sign in instead."""
    box = await make_box()
    box.satellite.replies = ["yes"]
    fires = Fires(sage)
    running = fires.begin(unlocks(sage, user, box))
    question = await fires.async_asked()
    await sage.hass.async_block_till_done()

    assert box.satellite.asked == []
    assert not running.done()
    question.answer("no")
    await running
    assert state(sage.hass) == "locked"


async def test_who_has_a_phone_is_not_asked_aloud(
    sage: Sage, make_box: MakeBox, owns_phone: Owns, user: User
):
    box = await make_box()
    phone = await owns_phone(user, "Pixel")
    running = Fires(sage).begin(unlocks(sage, user, box))

    await phone.async_press(await phone.async_question(), "Yes")

    assert not (await running).is_failure
    assert box.satellite.asked == []


async def test_where_nobody_replies_the_question_waits(
    hass: HomeAssistant, secured: Sage, secured_box: AskingBox, user: User
):
    """Home Assistant itself would wait for ever."""
    fires = Fires(secured)
    running = fires.begin(unlocks(secured, user, secured_box))
    question = await fires.async_asked()
    await until(lambda: secured_box.satellite.asked)
    assert "ront" not in "".join(notes(hass))
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(minutes=1))
    await secured_box.satellite.async_waited(hass)
    await until(lambda: "page of SAGE" in "".join(notes(hass)))

    # A person who was away finds the question on their page.
    assert not running.done()
    assert "ront" not in "".join(notes(hass))
    question.answer(PIN)
    assert (await running).answer == "The front door is unlocked."


async def test_a_conversation_is_not_cut_off(
    hass: HomeAssistant, secured: Sage, secured_box: AskingBox, user: User
):
    satellite = secured_box.satellite
    satellite.replies = [PIN]
    satellite.be("listening")
    fires = Fires(secured)
    running = fires.begin(unlocks(secured, user, secured_box))
    await fires.async_asked()
    await hass.async_block_till_done()
    assert satellite.asked == []

    satellite.be("idle")

    assert not (await running).is_failure
    assert len(satellite.asked) == 1


async def test_what_cannot_ask_is_not_asked(
    hass: HomeAssistant, secured: Sage, secured_box: AskingBox, user: User
):
    secured_box.satellite.can_do(0)
    fires = Fires(secured)
    running = fires.begin(unlocks(secured, user, secured_box))
    question = await fires.async_asked()

    await until(lambda: "page of SAGE" in "".join(notes(hass)))
    question.answer("yes")
    assert not (await running).is_failure
    assert secured_box.satellite.asked == []
