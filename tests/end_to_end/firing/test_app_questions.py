"""A routine asks on the phone of its person; nobody else can give the answer."""

from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.components import persistent_notification
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import async_capture_events
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.sage.delivery.routine_questions import questions_of
from custom_components.sage.people.pin import hash_pin
from custom_components.sage.routines.host import firing_runs as runs
from custom_components.sage.routines.routine_types import Routine
from tests.decisions import NATIVE

from ..attacker import has_number
from ..conftest import Sage
from .conftest import Owns
from .phone import ACTION, Phone, async_token
from .routine import LOCK, Fires, commands, notes, reminder_of, routine_of, state


@pytest.fixture
def unlocks(sage: Sage, user: User) -> Routine:
    """A routine of Anna that unlocks the front door."""
    commands(sage, "front_door", command="unlock", answer="The front door is unlocked.")
    return routine_of(user, "unlock the front door", when="Anna is at the door")


def titled(hass: HomeAssistant) -> list[tuple[str | None, str]]:
    """What Home Assistant shows to all, with titles."""
    found = persistent_notification._async_get_or_create_notifications(hass)
    return [(each["title"], each["message"]) for each in found.values()]


async def test_yes_on_the_phone_does_it(fires: Fires, unlocks: Routine, phone: Phone):
    running = fires.begin(unlocks)
    question = await phone.async_question()
    assert question["message"] == "Shall I really unlock Front Door?"
    assert question["title"] == "SAGE: “Anna is at the door”"
    assert [each["title"] for each in question["data"]["actions"]] == ["Yes", "No"]
    assert state(fires.hass) == "locked"

    await phone.async_press(question, "Yes")

    report = await running
    assert report.answer == "The front door is unlocked."
    assert not report.is_failure
    assert state(fires.hass) == "unlocked"
    # It goes from the phone, and from the notifications that all see.
    cleared = await phone.async_message("clear_notification")
    assert cleared["data"]["tag"] == question["data"]["tag"]
    assert notes(fires.hass) == []


async def test_what_is_asked_is_shown_on_the_phone_only(
    hass: HomeAssistant, fires: Fires, unlocks: Routine, phone: Phone
):
    running = fires.begin(unlocks)
    question = await phone.async_question()

    ((title, note),) = titled(hass)
    assert title == "SAGE is waiting for an answer from Anna."
    assert note == "Answer on the page of SAGE, under “Routines”."

    await phone.async_press(question, "No")
    await running


async def test_a_question_of_the_model_is_answered_in_words(
    sage: Sage, fires: Fires, user: User, phone: Phone
):
    sage.model_says(
        NATIVE.call("human_interaction", question="Which milk?"),
        NATIVE.finish("answered", "Throw out the oat milk!"),
    )
    running = fires.begin(reminder_of(user, "remind me of the milk"))
    question = await phone.async_question("Which milk?")
    (button,) = question["data"]["actions"]
    assert (button["title"], button["behavior"]) == ("Reply", "textInput")

    await phone.async_press(question, "Reply")
    assert not running.done()
    await phone.async_press(question, "Reply", "the oat milk")

    assert (await running).answer == "Throw out the oat milk!"
    assert "the oat milk" in sage.server.completions[-1].prompt


async def test_words_do_not_stand_for_the_yes(fires: Fires, unlocks: Routine, phone: Phone):
    """The button for yes is needed; what else the event says is nothing."""
    running = fires.begin(unlocks)
    question = await phone.async_question()
    for data in (
        {"action": "yes"},
        {"action": "Yes", "reply_text": "yes"},
        {"reply_text": "yes"},
        {"action": question["data"]["tag"], "reply_text": "yes"},
    ):
        await phone.async_fire(ACTION, data)
    await fires.hass.async_block_till_done()
    assert not running.done()
    assert state(fires.hass) == "locked"

    await phone.async_press(question, "No")
    await running
    assert state(fires.hass) == "locked"


async def test_the_phone_of_somebody_else_cannot_answer(
    hass: HomeAssistant, fires: Fires, unlocks: Routine, phone: Phone, owns_phone: Owns, other: User
):
    others = await owns_phone(other, "Galaxy")
    running = fires.begin(unlocks)
    question = await phone.async_question()
    heard = async_capture_events(hass, ACTION)

    # With the very nonce that Anna's phone was handed.
    await others.async_press(question, "Yes")
    await hass.async_block_till_done()

    assert [each.context.user_id for each in heard] == [other.id]
    assert others.pushed == []
    assert not running.done()
    assert state(hass) == "locked"

    await phone.async_press(question, "No")
    await running


async def test_a_made_up_event_of_somebody_else_is_none(
    fires: Fires, unlocks: Routine, phone: Phone, other: User, hass_client: ClientSessionGenerator
):
    assert await async_setup_component(fires.hass, "api", {})
    client = await hass_client(await async_token(fires.hass, other))
    running = fires.begin(unlocks)
    question = await phone.async_question()
    yes = question["data"]["actions"][0]
    heard = async_capture_events(fires.hass, ACTION)

    response = await client.post(f"/api/events/{ACTION}", json={"action": yes["action"]})
    await fires.hass.async_block_till_done()

    assert response.status == 200
    assert [each.context.user_id for each in heard] == [other.id]
    assert not running.done()
    assert state(fires.hass) == "locked"

    await phone.async_press(question, "No")
    await running


async def test_an_event_of_nobody_is_none(fires: Fires, unlocks: Routine, phone: Phone):
    """As an automation fires it."""
    running = fires.begin(unlocks)
    question = await phone.async_question()

    fires.hass.bus.async_fire(ACTION, {"action": question["data"]["actions"][0]["action"]})
    await fires.hass.async_block_till_done()

    assert not running.done()
    await phone.async_press(question, "No")
    await running
    assert state(fires.hass) == "locked"


async def test_a_nonce_counts_once_and_for_one_question(
    hass: HomeAssistant, sage: Sage, fires: Fires, unlocks: Routine, phone: Phone
):
    running = fires.begin(unlocks)
    first = await phone.async_question()
    await phone.async_press(first, "Yes")
    await running
    await hass.services.async_call("lock", "lock", {"entity_id": LOCK}, blocking=True)
    phone.push.pushed.clear()

    commands(sage, "front_door", command="unlock", answer="The front door is unlocked.")
    running = fires.begin(unlocks, number=2)
    second = await phone.async_question()
    nonces = [{each["action"] for each in asked["data"]["actions"]} for asked in (first, second)]
    assert not nonces[0] & nonces[1]
    await phone.async_press(first, "Yes")
    await hass.async_block_till_done()
    assert not running.done()
    assert state(hass) != "unlocked"

    await phone.async_press(second, "No")
    await running
    assert state(hass) != "unlocked"


async def test_who_is_silent_has_declined_and_an_expired_nonce_is_worth_nothing(
    sage: Sage, fires: Fires, unlocks: Routine, phone: Phone, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(runs, "ROUTINE_QUESTION_TIMEOUT", 2)

    report = await fires.fire(unlocks)

    assert report.is_failure
    assert state(sage.hass) == "locked"
    assert sage.traces(unlocks.owner)[-1]["outcomes"][0]["reason"] == "outcome_refused_declined"
    assert questions_of(sage.hass) == []
    await phone.async_press(await phone.async_question(), "Yes")
    await sage.hass.async_block_till_done()
    assert state(sage.hass) == "locked"


async def test_who_was_deactivated_meanwhile_agrees_to_nothing(
    hass: HomeAssistant, sage: Sage, fires: Fires, user: User, other: User, owns_phone: Owns
):
    """The app of a deactivated user still reaches Home Assistant."""
    bens = await owns_phone(other, "Galaxy")
    commands(sage, "front_door", command="unlock", answer="The front door is unlocked.")
    running = fires.begin(routine_of(other, "unlock the front door"))
    question = await bens.async_question()
    await hass.auth.async_update_user(other, is_active=False)

    await bens.async_press(question, "Yes")

    report = await running
    assert report.is_failure
    assert state(hass) == "locked"


async def test_all_phones_of_a_person_are_asked_and_the_first_answer_counts(
    hass: HomeAssistant, fires: Fires, unlocks: Routine, phone: Phone, owns_phone: Owns, user: User
):
    tablet = await owns_phone(user, "Tablet")
    running = fires.begin(unlocks)
    question = await phone.async_question()
    assert await tablet.async_question()

    await tablet.async_press(question, "No")

    assert (await running).is_failure
    assert await phone.async_message("clear_notification")
    assert await tablet.async_message("clear_notification")
    assert state(hass) == "locked"


@pytest.mark.parametrize(
    ("language", "yes", "no"), [("en", "Yes", "No"), ("de", "Ja", "Nein"), ("fr", "Oui", "Non")]
)
async def test_the_buttons_are_understood_in_each_language(
    sage: Sage, fires: Fires, user: User, phone: Phone, language: str, yes: str, no: str
):
    commands(sage, "front_door", command="unlock", answer="ok")
    running = fires.begin(routine_of(user, "unlock", language=language))
    question = await phone.async_question()
    assert [each["title"] for each in question["data"]["actions"]] == [yes, no]
    await phone.async_press(question, no)
    await running
    assert state(sage.hass) == "locked"

    phone.push.pushed.clear()
    commands(sage, "front_door", command="unlock", answer="ok")
    running = fires.begin(routine_of(user, "unlock", language=language))
    await phone.async_press(await phone.async_question(), yes)
    await running
    assert state(sage.hass) == "unlocked"


async def test_a_pin_that_is_typed_unasked_reaches_no_model(
    hass: HomeAssistant, make_sage: Any, user: User, push: Any, hass_client: ClientSessionGenerator
):
    sage = await make_sage(
        options={"pin_hash": await hass.async_add_executor_job(hash_pin, "4711")}
    )
    for domain in ("mobile_app", "notify"):
        assert await async_setup_component(hass, domain, {})
    client = await hass_client(await async_token(hass, user))
    phone = Phone(hass, push, client, "token")
    await phone.async_register("Pixel")
    sage.model_says(
        NATIVE.call("human_interaction", question="Which milk?"), NATIVE.finish("answered", "Milk!")
    )
    running = Fires(sage).begin(reminder_of(user, "remind me"))

    await phone.async_press(await phone.async_question(), "Reply", "oat milk, 4711")

    assert (await running).answer == "Milk!"
    assert "oat milk" in sage.server.completions[-1].prompt
    assert not has_number(str(sage.server.completions[-1].body), "4711")
