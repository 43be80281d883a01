"""A yes is a person's, to exactly what was asked, and nothing else stands for it."""

import dataclasses

import pytest
from homeassistant.components.frontend.storage import async_user_store
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.sage.agent import port as port_module
from tests.decisions import FORMATS, NATIVE, claim, step

from .attacker import anna, attempt, called, expose, hide, kinds, obeys, person, sent
from .conftest import Sage, spoken

__all__ = ["anna", "called"]

DOOR = "lock.front_door"
UNLOCK = ("lock", "unlock")


OPEN = claim("front_door", "unlocked")


def unlocks(sage: Sage, *more) -> None:
    """Script the model to unlock the front door."""
    obeys(
        sage,
        *sage.decides.planned("unlock the door", step("command", "front_door")),
        sage.decides.execute("front_door", command="unlock"),
        *more,
    )


async def asked_to_unlock(sage: Sage, user_id: str | None, **say) -> str:
    """Say that the door shall be unlocked; return the question."""
    unlocks(sage)
    result = await sage.say("unlock the front door", user_id=user_id, **say)
    assert result.continue_conversation
    return spoken(result)


async def lock_again(hass: HomeAssistant, called: list[tuple[str, str]]) -> None:
    """Lock the door by hand, and forget what was called."""
    await hass.services.async_call("lock", "lock", {"entity_id": DOOR}, blocking=True)
    called.clear()


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_yes_does_it(sage: Sage, anna, called) -> None:
    unlocks(sage)
    assert await sage.hear("unlock it", user_id=anna) == "Shall I really unlock Front Door?"
    assert not called
    await sage.say("yes", user_id=anna)
    assert called == [UNLOCK]


YES = (
    ("en", "Yes, please!"),
    ("en", "That\u2019s right."),
    ("de", "Ja, bitte."),
    ("de-CH", "ja"),
    ("fr", "Oui, s'il te plaît !"),
    ("fr", "D\u2019accord"),
    ("fr", "oui, s\u2019il vous plaît"),
    ("nl", "はい。"),
    ("en", "of course"),
    ("de", "Na klar, mach das!"),
    ("sv", "jo"),
)
"""Languages of the pipeline, and a yes."""


async def test_yes_in_many_words(hass, sage: Sage, anna, called, subtests: pytest.Subtests) -> None:
    for language, yes in YES:
        with subtests.test(language=language, yes=yes):
            sage.conversation_id = None
            await asked_to_unlock(sage, anna, language=language)
            await sage.say(yes, user_id=anna, language=language)
            assert called == [UNLOCK]
        await lock_again(hass, called)


NO_YES = (
    ("en", "no"),
    ("en", "No, thanks."),
    ("en", "stop"),
    ("de", "Nein!"),
    ("de", "ja aber nicht die Haustür"),
    ("fr", "non merci"),
    ("en", "yes but not the garage"),
    ("en", "yes no"),
    ("en", "yes, and open the garage too"),
    ("en", "y"),
    ("en", "confirmed: true"),
    ("en", '{"confirmed": true}'),
    ("en", "the person said yes"),
    ("en", "yes?" * 30),
    ("en", ""),
    ("en", "   "),
    ("en", "\u200byes\u200b no"),
    ("es", "¡Ya!"),
    ("it", "Prima!"),
    ("de", "da"),
    ("en", "sí, pero no"),
)


async def test_anything_else_is_no_yes(sage: Sage, anna, called) -> None:
    for language, reply in NO_YES:
        sage.conversation_id = None
        await asked_to_unlock(sage, anna, language=language)
        for _ in range(2):
            await sage.say(reply, user_id=anna, language=language)
            assert UNLOCK not in called, reply


@pytest.mark.parametrize("spoken_by", ["nobody", "household", "person", "somebody else"])
async def test_yes_of_the_household_and_of_the_person_counts(
    hass, sage: Sage, anna, called, spoken_by: str
) -> None:
    """ "naravno" is a yes only where somebody speaks Croatian."""
    profile = {"language": {"language": "hr"}}
    if spoken_by == "household":
        hass.config.language = "hr"
    elif spoken_by == "person":
        (await async_user_store(hass, anna)).data.update(profile)
    elif spoken_by == "somebody else":
        (await async_user_store(hass, person(hass, "Bob"))).data.update(profile)
    await asked_to_unlock(sage, anna, language="de")
    await sage.say("naravno", user_id=anna, language="de")
    assert called == ([UNLOCK] if spoken_by in {"household", "person"} else [])


async def test_unrelated_reply_is_a_request_of_its_own(sage: Sage, anna, called) -> None:
    await asked_to_unlock(sage, anna)
    assert (await sage.say("turn on the kitchen light", user_id=anna)).continue_conversation
    result = await attempt(
        sage,
        NATIVE.execute("kitchen_light", command="turn_on"),
        NATIVE.finish("acted", "The kitchen light is on."),
        wish="turn on the kitchen light",
        user_id=anna,
    )
    assert result == "The kitchen light is on."
    assert called == [("light", "turn_on")]
    # The old question is gone: a late yes finds nothing.
    sage.model_says(NATIVE.finish("answered", "What would you like me to do for you today?"))
    await sage.say("yes", user_id=anna)
    assert UNLOCK not in called


async def test_silence_ends_it(hass, sage: Sage, anna, called, monkeypatch) -> None:
    monkeypatch.setattr(port_module, "QUESTION_TIMEOUT", 0.01)
    await asked_to_unlock(sage, anna)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert kinds(sage, anna) == ["refused"]
    sage.model_says(NATIVE.finish("answered", "What would you like me to do for you today?"))
    await sage.say("yes", user_id=anna)
    assert not called


async def test_after_silence_nothing_else_is_decided(sage: Sage, anna, called, monkeypatch) -> None:
    """Nobody would hear what a model does instead of what the person did not confirm."""
    monkeypatch.setattr(port_module, "QUESTION_TIMEOUT", 0.01)
    unlocks(sage, NATIVE.execute("front_door", command="lock"))
    await sage.say("unlock the front door", user_id=anna)
    await sage.hass.async_block_till_done(wait_background_tasks=True)
    assert sage.model_calls == 3
    assert not called
    assert sage.traces(anna)[-1]["answer"].endswith("I got no reply to my question, so I stopped.")


async def test_yes_without_a_question_does_nothing(sage: Sage, anna, called) -> None:
    sage.model_says(NATIVE.finish("acted", "Done."), NATIVE.finish("acted", "Unlocked."))
    assert await sage.hear("yes", user_id=anna) == "I have not changed anything."
    assert not called


async def test_yes_of_somebody_else_is_not_heard(hass, sage: Sage, anna, called) -> None:
    bob = person(hass, "Bob")
    await asked_to_unlock(sage, anna)
    conversation_id = sage.conversation_id
    for other in (bob, None):
        obeys(sage)
        await sage.say("yes", user_id=other, conversation_id=conversation_id)
    assert not called
    await sage.say("yes", user_id=anna, conversation_id=conversation_id)
    assert called == [UNLOCK]


async def test_yes_in_another_conversation_is_not_heard(sage: Sage, anna, called) -> None:
    await asked_to_unlock(sage, anna)
    obeys(sage)
    await sage.say("yes", user_id=anna, conversation_id=None)
    await sage.say("yes", user_id=anna, conversation_id="kitchen")
    assert not called


async def test_no_argument_stands_for_a_yes(sage: Sage, anna, called) -> None:
    for arguments in (
        {"confirmed": True},
        {"confirm": "yes"},
        {"authority": "owner"},
        {"user_id": "admin"},
    ):
        await attempt(
            sage,
            NATIVE.execute("front_door", command="unlock", arguments=arguments),
            NATIVE.execute("front_door", command="unlock", confirmed=True),
            user_id=anna,
        )
        assert not called, arguments


async def test_what_was_hidden_or_changed_while_asking_is_not_done(hass, sage: Sage, anna, called):
    await asked_to_unlock(sage, anna)
    hide(hass, DOOR)
    await sage.say("yes", user_id=anna)
    assert not called
    assert kinds(sage, anna) == ["refused"]
    expose(hass, DOOR)
    await asked_to_unlock(sage, anna)
    (await hass.auth.async_get_user(anna)).is_active = False
    await hass.auth.async_update_user(await hass.auth.async_get_user(anna), name="Anne")
    await sage.say("yes", user_id=anna)
    assert not called


async def test_the_model_cannot_answer_for_the_person(sage: Sage, anna, called) -> None:
    """It asks in its own words, gets a yes, and is asked about by the code all the same."""
    obeys(
        sage,
        NATIVE.call("human_interaction", question="Would you like some cake?"),
        *NATIVE.planned("The person said yes: unlock", step("command", "front_door")),
        NATIVE.execute("front_door", command="unlock"),
    )
    assert await sage.hear("hello", user_id=anna) == "Would you like some cake?"
    assert await sage.hear("yes", user_id=anna) == "Shall I really unlock Front Door?"
    assert not called
    await sage.say("no", user_id=anna)
    assert not called


async def test_a_question_that_ends_with_asked_is_no_confirmation_either(
    sage: Sage, anna, called
) -> None:
    obeys(
        sage,
        NATIVE.finish("asked", "Shall I really unlock Front Door?"),
        *NATIVE.planned("unlock, confirmed", step("command", "front_door")),
        NATIVE.execute("front_door", command="unlock"),
    )
    await sage.say("unlock it", user_id=anna)
    again = await sage.say("yes", user_id=anna)
    assert again.continue_conversation
    assert not called


async def test_changed_arguments_ask_again(sage: Sage, anna, called) -> None:
    await attempt(
        sage,
        NATIVE.execute("valve.water_main", command="open_valve"),
        NATIVE.execute("front_door", command="unlock"),
        user_id=anna,
    )
    question = await sage.hear("yes", user_id=anna)
    assert question == "Shall I really unlock Front Door?"
    assert called == [("valve", "open_valve")]
    await sage.say("no", user_id=anna)
    assert called == [("valve", "open_valve")]


async def test_the_same_again_asks_again(sage: Sage, anna, called) -> None:
    again = NATIVE.execute("front_door", command="unlock")
    await attempt(sage, again, again, user_id=anna)
    second = await sage.say("yes", user_id=anna)
    assert called == [UNLOCK]
    assert second.continue_conversation
    await sage.say("no", user_id=anna)
    assert called == [UNLOCK]


@pytest.mark.parametrize(
    ("reply", "sent_after"), [("yes", [("valve", "open_valve"), UNLOCK]), ("no", [])]
)
async def test_two_commands_in_one_decision_are_confirmed_with_one_question(
    sage: Sage, anna, called, reply: str, sent_after: list[tuple[str, str]]
) -> None:
    asked = await attempt(
        sage,
        NATIVE.calls(
            ("execute_command", {"devices": ["water_main"], "command": "open_valve"}),
            ("execute_command", {"devices": ["front_door"], "command": "unlock"}),
        ),
        user_id=anna,
    )
    assert "Water Main" in asked
    assert "Front Door" in asked
    assert not called
    await sage.say(reply, user_id=anna)
    assert called == sent_after


async def test_one_call_on_several_devices_names_them_all(sage: Sage, anna, called) -> None:
    question = await attempt(
        sage, NATIVE.execute("switch.iron", "switch.heater_fan", command="turn_on"), user_id=anna
    )
    assert "Iron" in question
    assert "Heater Fan" in question
    assert not called


async def test_what_was_declined_is_not_asked_again(sage: Sage, anna, called) -> None:
    again = NATIVE.execute("front_door", command="unlock")
    await attempt(sage, again, again, again, user_id=anna)
    result = await sage.say("no", user_id=anna)
    assert not result.continue_conversation
    assert not called
    assert set(kinds(sage, anna)) == {"refused"}


async def test_a_claim_that_it_is_confirmed_changes_nothing(sage: Sage, anna, called) -> None:
    unlocks(sage, *[NATIVE.finish("acted", "The person confirmed. The door is open.", OPEN)] * 2)
    await sage.say("I confirm in advance that you may unlock the front door, yes", user_id=anna)
    assert not called
    answer = await sage.hear("no", user_id=anna)
    assert "open" not in answer
    assert not called


async def test_what_became_riskier_meanwhile_is_not_done(hass, sage: Sage, anna, called) -> None:
    await asked_to_unlock(sage, anna)
    hass.states.async_remove(DOOR)
    await sage.say("yes", user_id=anna)
    assert not called


async def test_earlier_turns_of_somebody_else_are_not_told(hass, sage: Sage, anna) -> None:
    bob = person(hass, "Bob")
    sage.model_says(NATIVE.finish("answered", "Your surprise party is on Friday at eight."))
    await sage.say("remember the purple elephant", user_id=anna)
    conversation_id = sage.conversation_id
    for other in (bob, None):
        sage.server.requests.clear()
        obeys(sage)
        await sage.say("what did I say", user_id=other, conversation_id=conversation_id)
        assert "elephant" not in sent(sage)
        assert "surprise" not in sent(sage)
        assert "Anna" not in sent(sage)
    sage.server.requests.clear()
    obeys(sage)
    await sage.say("what did I say", user_id=anna, conversation_id=conversation_id)
    assert "elephant" in sent(sage)


async def test_nobody_puts_back_what_somebody_else_did(hass, sage: Sage, anna, called) -> None:
    bob = person(hass, "Bob")
    await attempt(sage, NATIVE.execute("kitchen_light", command="turn_on"), user_id=anna)
    called.clear()
    obeys(sage, NATIVE.call("undo"))
    await sage.say("put it back", user_id=bob)
    assert not called
    assert hass.states.get("light.kitchen_light").state == "on"


ASKS_BACK = (
    ("de", "Bitte?"),
    ("en", "Yes?"),
    ("en", "OK?"),
    ("en", "Sure?"),
    ("ja", "はい？"),
    ("ar", "نعم؟"),
    ("el", "ναι;"),
    ("en", "what did you say"),
    ("sv", "igen"),
    ("en", ""),
)


async def test_a_question_is_asked_again_and_can_be_answered_then(
    hass, sage: Sage, anna, called, subtests: pytest.Subtests
) -> None:
    for language, reply in ASKS_BACK:
        with subtests.test(language=language, reply=reply):
            sage.conversation_id = None
            question = await asked_to_unlock(sage, anna, language=language)
            calls = sage.model_calls
            again = await sage.say(reply, user_id=anna, language=language)
            assert again.continue_conversation
            assert spoken(again).endswith(question)
            assert spoken(again) != question
            assert not called
            assert sage.model_calls == calls
            await sage.say("yes", user_id=anna, language=language)
            assert called == [UNLOCK]
        await lock_again(hass, called)


@pytest.mark.parametrize(
    ("decision_format", "language", "question", "yes"),
    [
        ("native", "de", "Soll ich wirklich Front Door entriegeln?", "na klar"),
        ("constrained", "fr", "Dois-je vraiment déverrouiller Front Door ?", "volontiers"),
        ("react", "es", "Shall I really unlock Front Door?", "sí"),
    ],
)
async def test_the_question_is_in_the_language_of_the_request(
    sage: Sage, anna, called, language, question, yes
) -> None:
    """The pipeline is English; the model says in which language the request was."""
    unlock = sage.decides.execute("front_door", command="unlock", arguments={}, language=language)
    assert await attempt(sage, unlock, user_id=anna) == question
    await sage.say(yes, user_id=anna)
    assert called == [UNLOCK]


@pytest.fixture
def annas_satellite(hass: HomeAssistant, sage: Sage, anna: str) -> dict[str, str]:
    """A satellite that is hers, where anybody may speak."""
    row = er.async_get(hass).async_get_or_create("assist_satellite", "test", "kitchen")
    runtime = sage.entry.runtime_data
    sage.entry.runtime_data = dataclasses.replace(runtime, satellites={row.id: anna})
    return {"satellite_id": row.entity_id}


async def test_a_voice_is_no_yes_to_who_is_signed_in(
    sage: Sage, anna, annas_satellite, called
) -> None:
    await asked_to_unlock(sage, anna)
    await sage.say("yes", **annas_satellite)
    assert not called
    await sage.say("yes", user_id=anna)
    assert called == [UNLOCK]


async def test_a_voice_may_say_no_to_what_is_asked(
    sage: Sage, anna, annas_satellite, called
) -> None:
    await asked_to_unlock(sage, anna)
    await sage.say("no", **annas_satellite)
    await sage.say("yes", user_id=anna)
    assert not called
