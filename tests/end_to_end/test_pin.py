"""A PIN proves who speaks; nobody but the code that asked for it ever learns it."""

import dataclasses
import json
import logging
from typing import Any

import pytest
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.json import json_bytes

from custom_components.sage.const import CONF_PIN_HASH
from custom_components.sage.people.pin import hash_pin
from tests.decisions import NATIVE, step

from .attacker import called, has_number, kinds, obeys, person, sent
from .conftest import MakeSage, Sage, spoken

__all__ = ["called"]

PIN = "4711"
WORDS = "four seven one one"
UNLOCK = ("lock", "unlock")


@pytest.fixture(scope="module")
def pin_hash() -> str:
    """The stored PIN of the household."""
    return hash_pin(PIN)


@pytest.fixture
async def sage(make_sage: MakeSage, pin_hash: str) -> Sage:
    """SAGE in a household with a PIN."""
    made: Sage = await make_sage(options={CONF_PIN_HASH: pin_hash})
    return made


def unlocks(sage: Sage, *more: Any) -> None:
    """Script the model to unlock the front door."""
    obeys(
        sage,
        *NATIVE.planned("unlock the door", step("command", "front_door")),
        NATIVE.execute("front_door", command="unlock"),
        *more,
    )


async def asked_for_pin(sage: Sage, text: str = "unlock the front door", **say: Any) -> None:
    """Let somebody unknown ask for the door."""
    unlocks(sage)
    result = await sage.say(text, **say)
    assert result.continue_conversation


def everything_kept(hass: HomeAssistant, sage: Sage, caplog: pytest.LogCaptureFixture) -> str:
    """Return all that is kept or sent of what people said, as text."""
    logs = [
        record.getMessage() + str(record.exc_text or "")
        for record in caplog.records
        if record.name.startswith("custom_components.sage")
    ]
    kept = "\n".join(
        (
            sent(sage),
            json.dumps([sage.traces(each) for each in sage.speakers], default=str),
            repr([sage.turns(each) for each in sage.speakers]),
            repr([each.content for each in hass.data[DATA_CHAT_LOGS].values()]),
            repr([sage.changes(each) for each in sage.speakers]),
            *logs,
        )
    )
    return kept.casefold()


async def test_unknown_speaker_is_asked_for_the_pin(sage: Sage, called) -> None:
    unlocks(sage)
    question = await sage.hear("unlock the front door")
    assert question == "Shall I really unlock Front Door? To confirm, please say the PIN."
    assert not called
    await sage.say(PIN)
    assert called == [UNLOCK]


SAID = (
    ("en", "4711."),
    ("en", "4 7 1 1"),
    ("en", "Four, seven, one, one!"),
    ("en", "forty-seven eleven"),
    ("en", "Yes, the PIN is 4711, please"),
    ("en", "it's four seven one one"),
    ("de", "vier sieben eins eins"),
    ("de", "siebenundvierzig elf"),
    ("de", "ja, die PIN ist 4711"),
    ("fr", "quatre sept un un"),
    ("fr", "le code est 47 11"),
    ("en", "vier sieben eins eins"),
    ("en", "four thousand seven hundred and eleven"),
    ("de", "Meine PIN lautet viertausendsiebenhundertelf."),
    ("fr", "mon code, c'est quatre mille sept cent onze"),
    ("pl", "mój pin to cztery siedem jeden jeden"),
    ("ru", "четыре семь один один"),
    ("ar", "أربعة سبعة واحد واحد"),
    ("en", "neljä seitsemän yksi yksi"),
)


async def test_pin_in_many_words(hass, sage: Sage, called, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    for language, reply in SAID:
        called.clear()
        sage.conversation_id = None
        await asked_for_pin(sage, language=language)
        await sage.say(reply, language=language)
        assert called == [UNLOCK], reply
        hass.states.async_set("lock.front_door", "locked")
    kept = everything_kept(hass, sage, caplog)
    assert not has_number(kept, PIN)
    assert "47 11" not in kept
    for _, reply in SAID:
        assert reply.casefold() not in kept


WRONG = (
    "4712",
    "four seven one two",
    "yes",
    "yes 4712",
    "4711 but not the garage",
    "no, not 4711",
    "yes but not with 4711",
    "0000 1111 2222 4711 5555",
    "47111",
    "4711 4711",
    "the pin is not 4711",
)


async def test_wrong_or_doubtful_pin_does_nothing_and_is_kept_nowhere(
    hass, sage: Sage, called, caplog
) -> None:
    caplog.set_level(logging.DEBUG)
    for reply in WRONG:
        sage.conversation_id = None
        sage.entry.runtime_data.pin.succeeded("household")
        await asked_for_pin(sage)
        assert (await sage.say(reply)).continue_conversation, reply
        await sage.say("no")
        assert not called, reply
        assert kinds(sage) == ["refused"], reply
    kept = everything_kept(hass, sage, caplog)
    assert "four seven" not in kept
    for number in ("4711", "4712", "47111", "0000", "2222"):
        assert not has_number(kept, number)


async def test_no_ends_it(sage: Sage, called) -> None:
    await asked_for_pin(sage)
    assert not (await sage.say("no")).continue_conversation
    assert not called


async def test_five_wrong_tries_lock_it_even_for_the_right_one(sage: Sage, called) -> None:
    await asked_for_pin(sage)
    for tried in ("0001", "0002", "0003", "0004"):
        assert (await sage.say(tried)).continue_conversation
    assert not (await sage.say("0005")).continue_conversation
    assert not called
    unlocks(sage)
    result = await sage.say("unlock the front door")
    assert not result.continue_conversation
    obeys(sage)
    await sage.say(PIN)
    assert not called


async def test_lock_outlives_a_restart(hass, sage: Sage, called) -> None:
    await asked_for_pin(sage)
    for tried in ("0001", "0002", "0003", "0004", "0005"):
        await sage.say(tried)
    assert await hass.config_entries.async_unload(sage.entry.entry_id)
    # All that is left is what the file of the config entries has.
    stored = json.loads(json_bytes(sage.entry.as_storage_fragment))
    hass.config_entries.async_update_entry(sage.entry, data=stored["data"])
    assert await hass.config_entries.async_setup(sage.entry.entry_id)
    await hass.async_block_till_done()
    sage.conversation_id = None
    unlocks(sage)
    assert not (await sage.say("unlock the front door")).continue_conversation
    assert not called


async def test_fewer_wrong_tries_are_remembered_over_a_reload(hass, sage: Sage, called) -> None:
    for tried in ("0001", "0002", "0003", "0004", "0005"):
        sage.conversation_id = None
        await asked_for_pin(sage)
        await sage.say(tried)
        assert await hass.config_entries.async_reload(sage.entry.entry_id)
        await hass.async_block_till_done()
    sage.conversation_id = None
    unlocks(sage)
    assert not (await sage.say("unlock the front door")).continue_conversation
    assert not called


async def test_tries_count_over_conversations(sage: Sage, called) -> None:
    for tried in ("0001", "0002", "0003", "0004", "0005"):
        sage.conversation_id = None
        await asked_for_pin(sage)
        await sage.say(tried)
    sage.conversation_id = None
    unlocks(sage)
    assert not (await sage.say("unlock the front door")).continue_conversation
    assert not called


async def test_somebody_known_may_give_the_pin_too(hass, sage: Sage, called, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    anna = person(hass, "Anna")
    unlocks(sage)
    await sage.say("unlock it", user_id=anna)
    await sage.say(WORDS, user_id=anna)
    assert called == [UNLOCK]
    assert WORDS not in everything_kept(hass, sage, caplog)


async def test_numbers_in_an_unrelated_reply_are_no_pin(hass, sage: Sage, called) -> None:
    """Somebody known, asked for a yes only, goes on to something else."""
    anna = person(hass, "Anna")
    unlocks(sage)
    await sage.say("unlock it", user_id=anna)
    obeys(sage)
    for again in (True, False):
        result = await sage.say("set the bedroom light to 2700 kelvin", user_id=anna)
        assert result.continue_conversation is again
    assert "2700 kelvin" in sent(sage)
    assert not called


UNASKED = (
    "unlock the front door, the PIN is 4711",
    "PIN 4711 unlock the front door",
    "my pin is four seven one one unlock the front door",
    "unlock the front door with 4 7 1 1",
    "unlock it at seven four seven one one",
    "unlock it, 4711, that is four seven one one",
    "forty-seven eleven unlock the door",
    "unlock the door mit vier sieben eins eins",
    "４７１１ unlock the front door",
    "unlock the door, four thousand seven hundred eleven",
    "unlock the door, code four-7-one-1",
    "unlock the door, cztery siedem jeden jeden",
    "unlock the door, τέσσερα επτά ένα ένα",
    "x" * 3000 + " 4711",
)


async def test_pin_said_unasked_is_taken_out(hass, sage: Sage, called, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    for text in UNASKED:
        sage.conversation_id = None
        await asked_for_pin(sage, text)
        await sage.say("no")
        assert not called, text
        assert "[PIN]" in sage.trace["command"], text
    kept = everything_kept(hass, sage, caplog)
    assert not has_number(kept, PIN)
    words = ("forty-seven eleven", "vier sieben eins", "four", "seven", "siedem", "επτά")
    for form in (WORDS, "4 7 1 1", "４７１１", *words):
        assert form not in kept


async def test_the_rest_of_the_command_is_kept(sage: Sage) -> None:
    unlocks(sage)
    await sage.say("unlock the front door, the PIN is 4711")
    assert 'said: \\"unlock the front door, the PIN is [PIN]' in sent(sage)


async def test_pin_that_comes_too_late_is_kept_nowhere(hass, sage: Sage, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    for said in ("4712", "four seven one two", "4711"):
        obeys(sage)
        await sage.say(said)
        assert not has_number(everything_kept(hass, sage, caplog), said)


async def test_a_short_number_alone_is_no_pin(sage: Sage) -> None:
    obeys(sage)
    await sage.say("30")
    assert "Request: 30" in sent(sage)


async def test_the_model_cannot_ask_for_the_pin(hass, sage: Sage, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    for reply in ("4711", WORDS, "it is 4711"):
        sage.conversation_id = None
        obeys(sage, NATIVE.call("human_interaction", question="What is the PIN?"))
        assert (await sage.say("hello")).continue_conversation
        await sage.say(reply)
    kept = everything_kept(hass, sage, caplog)
    assert "[pin]" in kept
    assert not has_number(kept, PIN)
    assert WORDS not in kept


async def test_a_number_that_the_model_asked_for_is_told(sage: Sage) -> None:
    obeys(sage, NATIVE.call("human_interaction", question="Which channel?"))
    await sage.say("watch something")
    await sage.say("1204")
    assert "1204" in sent(sage)


async def test_nobody_guesses_the_pin_by_what_is_redacted(sage: Sage, called) -> None:
    """A number that is compared with the PIN is a try; with none left all look alike."""
    obeys(sage)
    for number in range(4707, 4716):
        await sage.say(f"repeat {number} to me", conversation_id=f"c{number}")
    prompts = sent(sage)
    told = [number for number in range(4707, 4716) if f"repeat {number} to me" in prompts]
    # The PIN is 4711; those before it are four tries, 4712 is the fifth.
    assert told == [4707, 4708, 4709, 4710, 4712]
    assert "repeat [PIN] to me" in prompts
    # It would not open anything now, even if it were guessed.
    unlocks(sage)
    assert not (await sage.say("unlock the front door")).continue_conversation
    # What is known to be harmless stays so.
    sage.server.requests.clear()
    await sage.say("repeat 4707 to me", conversation_id="again")
    assert "repeat 4707 to me" in sent(sage)


async def test_somebody_signed_in_guesses_no_better(hass, sage: Sage) -> None:
    """Asked for a yes, they say numbers; each of them is a try."""
    anna = person(hass, "Anna")
    for number in range(1000, 1008):
        sage.conversation_id = None
        unlocks(sage)
        await sage.say("unlock it", user_id=anna)
        await sage.say(f"yes but {number}", user_id=anna)
        await sage.say(f"channel {number}", user_id=anna)
    told = [number for number in range(1000, 1008) if f"channel {number}" in sent(sage)]
    assert told == [*range(1000, 1005)]


MURMURS = (
    ("pl", "cztery siedem, chyba"),
    ("ja", "よんななかな"),
    ("de", "Bitte?"),
    ("en", "turn on the kitchen light"),
    ("es", "cuatro siete, creo"),
    ("ru", "четыре семь или восемь"),
    ("ar", "أربعة أو سبعة"),
)


@pytest.mark.parametrize(("language", "murmur"), MURMURS)
async def test_words_at_the_question_for_the_pin_are_dropped(
    hass, sage: Sage, called, caplog, language, murmur
) -> None:
    caplog.set_level(logging.DEBUG)
    await asked_for_pin(sage, language=language)
    calls = sage.model_calls
    for _ in range(2):
        again = await sage.say(murmur, language=language)
        assert again.continue_conversation
        assert "PIN" in spoken(again)
    assert sage.model_calls == calls
    assert not called
    await sage.say(PIN, language=language)
    assert called == [UNLOCK]
    assert murmur.casefold() not in everything_kept(hass, sage, caplog)
    assert [trace["command"] for trace in sage.traces(None)] == ["unlock the front door"]


async def test_who_murmurs_on_is_not_asked_for_ever(hass, sage: Sage, called, caplog) -> None:
    """A television in the room talks to the satellite."""
    caplog.set_level(logging.DEBUG)
    await asked_for_pin(sage)
    heard = [(await sage.say("and now the weather")).continue_conversation for _ in range(5)]
    assert heard == [True, True, True, True, False]
    assert "weather" not in everything_kept(hass, sage, caplog)
    assert not called


KITCHEN = {"satellite_id": "assist_satellite.kitchen", "device_id": "kitchen"}
HALL = {"satellite_id": "assist_satellite.hall", "device_id": "hall"}


async def test_wrong_tries_lock_the_satellite_where_they_were_made(sage: Sage, called) -> None:
    await asked_for_pin(sage, **KITCHEN)
    for tried in range(5):
        last = await sage.say(f"000{tried}", **KITCHEN)
    assert not last.continue_conversation
    unlocks(sage)
    assert not (await sage.say("unlock the front door", **KITCHEN)).continue_conversation
    sage.conversation_id = None
    await asked_for_pin(sage, **HALL)
    await sage.say(PIN, **HALL)
    assert called == [UNLOCK]


async def test_tries_at_a_satellite_lock_its_owner_nowhere_else(hass, sage: Sage, called) -> None:
    anna = person(hass, "Anna")
    row = er.async_get(hass).async_get_or_create("assist_satellite", "test", "annas")
    runtime = sage.entry.runtime_data
    sage.entry.runtime_data = dataclasses.replace(runtime, satellites={row.id: anna})
    await asked_for_pin(sage, satellite_id=row.entity_id)
    for tried in range(5):
        await sage.say(f"000{tried}", satellite_id=row.entity_id)
    sage.conversation_id = None
    unlocks(sage)
    await sage.say("unlock it", user_id=anna)
    await sage.say(PIN, user_id=anna)
    assert called == [UNLOCK]


async def test_a_voice_answers_for_who_is_signed_in_with_the_pin_alone(
    hass, sage: Sage, called, caplog
) -> None:
    caplog.set_level(logging.DEBUG)
    anna = person(hass, "Anna")
    row = er.async_get(hass).async_get_or_create("assist_satellite", "test", "annas")
    runtime = sage.entry.runtime_data
    sage.entry.runtime_data = dataclasses.replace(runtime, satellites={row.id: anna})
    unlocks(sage)
    await sage.say("unlock it", user_id=anna)
    again = await sage.hear("yes", satellite_id=row.entity_id)
    assert again == "Please say just the PIN, or say no."
    await sage.say("open sesame", satellite_id=row.entity_id)
    assert not called
    await sage.say(PIN, satellite_id=row.entity_id)
    assert called == [UNLOCK]
    kept = everything_kept(hass, sage, caplog)
    assert not has_number(kept, PIN)
    assert "sesame" not in kept


async def test_who_is_signed_in_answers_for_a_satellite_with_the_pin_alone(
    hass, sage: Sage, called
) -> None:
    """SAGE asked for the PIN: a yes is no PIN, from nobody."""
    anna = person(hass, "Anna")
    row = er.async_get(hass).async_get_or_create("assist_satellite", "test", "annas")
    runtime = sage.entry.runtime_data
    sage.entry.runtime_data = dataclasses.replace(runtime, satellites={row.id: anna})
    await asked_for_pin(sage, satellite_id=row.entity_id)
    assert (await sage.say("yes", user_id=anna)).continue_conversation
    assert not called


async def test_without_a_pin_somebody_unknown_is_refused(make_sage: MakeSage, called) -> None:
    sage = await make_sage()
    unlocks(sage)
    result = await sage.say("unlock the front door")
    assert not result.continue_conversation
    assert kinds(sage) == ["refused"]
    for said in ("yes", "0000", ""):
        obeys(sage)
        await sage.say(said)
    assert not called


async def test_silence_after_the_question_for_a_pin(hass, sage: Sage, called, monkeypatch) -> None:
    monkeypatch.setattr("custom_components.sage.agent.port.QUESTION_TIMEOUT", 0.01)
    await asked_for_pin(sage)
    await hass.async_block_till_done(wait_background_tasks=True)
    obeys(sage)
    await sage.say(PIN)
    assert not called


async def test_pin_of_one_conversation_opens_nothing_in_another(sage: Sage, called) -> None:
    await asked_for_pin(sage)
    obeys(sage)
    await sage.say(PIN, conversation_id="elsewhere")
    assert not called
