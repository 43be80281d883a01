"""Remembering, setting right and forgetting because the person says so."""

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from benchmark.model_script import Answer
from custom_components.sage.agent import port
from custom_components.sage.memory.model import Origin
from custom_components.sage.memory.person_memory import PersonMemory
from tests.decisions import FORMATS, Decides
from tests.end_to_end.conftest import MakeSage, Sage, spoken
from tests.end_to_end.doors.decided import turn_on_the_kitchen_light

from .story import (
    asked_of_memory,
    bytes_of,
    give_profile,
    kept,
    knows,
    observed,
    person_of,
    plant,
    words,
)

NATIVE = Decides("native")
NOTHING_CHANGED = {"en": "I have not changed anything.", "de": "Ich habe nichts verändert."}
MOTHER = {"en": "my mother lives in Quebec", "de": "meine Mutter wohnt in Quebec"}
HOCKEY = {"en": "I like ice hockey a lot", "de": "ich mag Eishockey sehr"}
TOPIC = {"en": "ice hockey", "de": "Eishockey"}
TEA = {"en": "I drink tea in the morning", "de": "ich trinke morgens Tee"}
REMEMBER = {"en": f"remember that {MOTHER['en']}", "de": f"merk dir, dass {MOTHER['de']}"}
FORGET = {
    "en": "forget that I like ice hockey a lot",
    "de": "vergiss, dass ich Eishockey sehr mag",
}
DONE = {"en": "That is forgotten for good.", "de": "Das habe ich endgültig vergessen."}
NOTED = {"en": "All right, I will remember that.", "de": "In Ordnung, ich merke mir das."}
QUESTION = {
    "en": 'Shall I forget this: "I like ice hockey a lot"?',
    "de": 'Soll ich das vergessen: "ich mag Eishockey sehr"?',
}


def forgets(topic: str, *after: Answer, decides: Decides = NATIVE) -> tuple[Answer, ...]:
    """Return the decision to forget a topic, and what the model decides then."""
    return (decides.call("memory", action="forget", text=topic), *after)


def everything_of(sage: Sage, user_id: str | None) -> str:
    """Return all that SAGE holds of a person outside of the memory's files."""
    runs = sage.entry.runtime_data.runs
    turns = [each for key, each in runs._conversations.items() if key[1] == user_id]
    return repr((sage.traces(user_id), [each.exchanges for each in turns]))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", FORMATS)
async def test_what_is_to_be_remembered_is(make_sage: MakeSage, name, language, user) -> None:
    sage, decides = await make_sage(name), Decides(name)
    sage.model_says(
        decides.call("memory", action="remember", text=MOTHER[language]),
        decides.finish("acted", NOTED[language]),
    )
    heard = await sage.hear(REMEMBER[language], user_id=user.id, language=language)
    assert heard == NOTED[language]
    assert sage.model_calls == 2
    assert "Remembered: " in observed(sage)
    assert {each.text: each.origin for each in await kept(sage, user.id)} == {
        REMEMBER[language]: Origin.SAID,
        MOTHER[language]: Origin.TOLD,
    }
    assert await words(sage) == []
    sage.model_says(
        decides.call("personalization", question=MOTHER[language]),
        knows("In Quebec.", 1),
        decides.finish("answered", "In Quebec."),
    )
    await sage.hear("?", user_id=user.id, conversation_id=None, language=language)
    (given,) = asked_of_memory(sage)
    assert f'"{MOTHER[language]}"' in given


@pytest.mark.parametrize("language", ["en", "de"])
async def test_what_is_set_right_counts_more(sage: Sage, user, language) -> None:
    await plant(sage, user.id, HOCKEY[language])
    await give_profile(sage, user.id, "- Likes ice hockey (2026-11-20)")
    right = {"en": "hockey bores me", "de": "Eishockey langweilt mich"}[language]
    sage.model_says(
        NATIVE.call("memory", action="correct", text=right),
        NATIVE.finish("acted", NOTED[language]),
        NATIVE.call("personalization", question="hockey?"),
        knows("Hockey bores the person.", 1),
        NATIVE.finish("answered", "It bores you, you said so yourself."),
    )
    said = {"en": "that is wrong: ", "de": "das stimmt nicht: "}[language] + right
    assert await sage.hear(said, user_id=user.id, language=language) == NOTED[language]
    assert (await kept(sage, user.id))[-1].origin is Origin.CORRECTED
    await sage.hear("and hockey?", user_id=user.id, conversation_id=None, language=language)
    (given,) = asked_of_memory(sage)
    profile, _, said_before = given.partition("What the person said:")
    assert "- Likes ice hockey (2026-11-20)\nSet right by the person on " in profile
    assert f'(set right): "{right}"' in said_before


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", FORMATS)
async def test_topic_is_forgotten_after_a_yes_to_the_code(
    hass: HomeAssistant, make_sage: MakeSage, name, language, user
) -> None:
    sage, decides = await make_sage(name), Decides(name)
    for known in (HOCKEY, MOTHER, TEA):
        await plant(sage, user.id, known[language])
    more: dict[str, Any] = {"user_id": user.id, "language": language}
    sage.model_says(
        decides.call("personalization", question="hockey?"),
        knows("Hockey.", 1),
        decides.finish("answered", HOCKEY[language]),
    )
    await sage.hear("?", **more)
    assert HOCKEY[language] in everything_of(sage, user.id)
    sage.model_says(
        *forgets(TOPIC[language], decides.finish("acted", DONE[language]), decides=decides)
    )
    asked = await sage.say(FORGET[language], **more)
    assert spoken(asked) == QUESTION[language]
    assert asked.continue_conversation
    assert HOCKEY[language] in await words(sage, user.id), "nothing goes before the yes"
    heard = await sage.hear({"en": "yes, please", "de": "ja, bitte"}[language], **more)
    assert heard == DONE[language]
    assert observed(sage).endswith("Forgotten: 1. Finish with kind `acted`.")
    assert await words(sage, user.id) == [MOTHER[language], TEA[language], "?"]
    # Neither what was forgotten nor the wish to forget it is anywhere.
    for text in (HOCKEY[language], FORGET[language]):
        assert text.encode() not in bytes_of(Path(hass.config.config_dir))
        assert text not in everything_of(sage, user.id)
    trace = sage.traces(user.id)[-1]
    assert (trace["kind"], trace["command"], trace["model_calls"]) == ("answer", "", 2)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("answered", ["no", "another request", "silence"])
async def test_without_a_yes_nothing_is_forgotten(
    hass, sage: Sage, user, language, answered, monkeypatch
) -> None:
    for text in (HOCKEY, MOTHER):
        await plant(sage, user.id, text[language])
    before = await words(sage, user.id)
    more: dict[str, Any] = {"user_id": user.id, "language": language}
    left = NATIVE.finish("could_not", "Then it all stays as it is with me.")
    if answered == "silence":
        monkeypatch.setattr(port, "QUESTION_TIMEOUT", 0.01)
    after = (left,) if answered != "another request" else turn_on_the_kitchen_light()
    sage.model_says(*forgets(TOPIC[language], *after))
    assert await sage.hear(FORGET[language], **more) == QUESTION[language]
    if answered == "no":
        heard = await sage.hear({"en": "no", "de": "nein"}[language], **more)
        assert heard == "Then it all stays as it is with me."
    elif answered == "silence":
        await hass.async_block_till_done(wait_background_tasks=True)
    else:
        assert await sage.hear("kitchen light, please", **more) == "The kitchen light is on."
        before.append("kitchen light, please")
    if answered != "another request":
        assert "Nothing was forgotten." in observed(sage)
    assert sorted(await words(sage, user.id)) == sorted([*before, FORGET[language]])


async def test_more_than_three_are_counted(sage: Sage, user) -> None:
    for day in range(1, 7):
        await plant(
            sage,
            user.id,
            f"we watched ice hockey {day} times",
            at=datetime(2026, 11, day, tzinfo=UTC),
        )
    sage.model_says(*forgets("ice hockey", NATIVE.finish("acted", DONE["en"])))
    question = await sage.hear("forget the hockey", user_id=user.id)
    assert question.startswith("Shall I forget this and 3 more: ")
    assert question.count("we watched ice hockey") == 3
    assert "forget the hockey" not in question
    assert await sage.hear("yes", user_id=user.id) == DONE["en"]
    assert await words(sage, user.id) == []


async def test_reply_is_forgotten_with_its_question(sage: Sage, user) -> None:
    await plant(sage, user.id, "the Canadiens", question="Which hockey team do you follow?")
    sage.model_says(*forgets("hockey team", NATIVE.finish("acted", DONE["en"])))
    assert await sage.hear("forget it", user_id=user.id) == 'Shall I forget this: "the Canadiens"?'
    await sage.hear("yes", user_id=user.id)
    assert await words(sage, user.id) == []


async def test_replies_of_a_run_that_forgets_are_not_kept(
    hass: HomeAssistant, sage: Sage, user
) -> None:
    await plant(sage, user.id, HOCKEY["en"])
    sage.model_says(
        NATIVE.call("human_interaction", question="What shall I forget?"),
        *forgets("ice hockey", NATIVE.finish("acted", DONE["en"])),
    )
    await sage.hear("there is something to forget", user_id=user.id)
    assert "Shall I forget this" in await sage.hear("the ice hockey one", user_id=user.id)
    assert await sage.hear("yes", user_id=user.id) == DONE["en"]
    assert await words(sage, user.id) == []
    assert b"hockey" not in bytes_of(Path(hass.config.config_dir))


async def test_nothing_fits_the_topic(sage: Sage, user) -> None:
    """The request names the topic; it is not what is meant."""
    await plant(sage, user.id, TEA["en"])
    answer = "There is nothing of that kind that I know of."
    sage.model_says(*forgets("ice hockey", NATIVE.finish("could_not", answer)))
    assert await sage.hear("forget all about ice hockey", user_id=user.id) == answer
    assert "No memory fits" in observed(sage)
    assert TEA["en"] in await words(sage, user.id)


@pytest.mark.parametrize("language", ["en", "de"])
async def test_period_is_forgotten_by_the_days_of_the_home(
    hass: HomeAssistant, sage: Sage, user, language
) -> None:
    await hass.config.async_set_time_zone("America/Toronto")
    said = {
        "before": datetime(2026, 11, 20, 4, 59, tzinfo=UTC),
        "in the night": datetime(2026, 11, 20, 5, 0, tzinfo=UTC),
        "late": datetime(2026, 11, 22, 4, 59, tzinfo=UTC),
        "after": datetime(2026, 11, 22, 5, 0, tzinfo=UTC),
    }
    for text, at in said.items():
        await plant(sage, user.id, text, at=at)
        await plant(sage, user.id, "again and again", at=at)
    sage.model_says(
        NATIVE.call(
            "memory", action="forget_period", first_day="2026-11-20", last_day="2026-11-21"
        ),
        NATIVE.finish("acted", DONE[language]),
    )
    more: dict[str, Any] = {"user_id": user.id, "language": language}
    question = await sage.hear(FORGET[language], **more)
    named = {"en": 'this: "', "de": 'das vergessen: "'}[language]
    assert named in question
    for text in ("again and again", "late", "in the night"):
        assert text in question
    assert "before" not in question
    assert await sage.hear({"en": "yes", "de": "ja"}[language], **more) == DONE[language]
    left = {each.text: each.count for each in await kept(sage, user.id)}
    assert left == {"before": 1, "again and again": 2, "after": 1}


async def test_what_was_repeated_since_is_forgotten_for_its_day(sage: Sage, user) -> None:
    for day in (20, 21):
        await plant(sage, user.id, HOCKEY["en"], at=datetime(2026, 11, day, 12, tzinfo=UTC))
    sage.model_says(
        NATIVE.call("memory", action="forget_period", first_day="2026-11-20"),
        NATIVE.finish("acted", DONE["en"]),
    )
    assert await sage.hear("forget friday", user_id=user.id) == QUESTION["en"]
    await sage.hear("yes", user_id=user.id)
    (left,) = await kept(sage, user.id)
    assert (left.count, left.first_at.day) == (1, 21)


@pytest.mark.parametrize(
    "days",
    [
        {},
        {"first_day": "yesterday"},
        {"first_day": "2026-11-31"},
        {"first_day": "2026-11-20", "last_day": "2026-11-19"},
        {"first_day": "2026-11-20", "last_day": "today"},
        {"first_day": "9999-12-31"},
    ],
)
async def test_days_that_are_none_are_told(sage: Sage, user, days) -> None:
    await plant(sage, user.id, HOCKEY["en"])
    sage.model_says(
        NATIVE.call("memory", action="forget_period", **days),
        NATIVE.finish("could_not", "I did not understand which days you mean."),
    )
    await sage.hear("forget that time", user_id=user.id)
    assert observed(sage).startswith("Error: `first_day` ")
    assert HOCKEY["en"] in await words(sage, user.id)


@pytest.mark.parametrize("language", ["en", "de"])
async def test_everything_is_forgotten(hass: HomeAssistant, sage: Sage, user, language) -> None:
    for known in (HOCKEY, MOTHER):
        await plant(sage, user.id, known[language])
    await plant(sage, user.id, TEA[language], origin=Origin.CORRECTED)
    await give_profile(sage, user.id, "- Likes ice hockey (2026-11-20)")
    await plant(sage, None, "the household stays")
    sage.model_says(
        NATIVE.call("memory", action="forget_everything"),
        NATIVE.finish("acted", DONE[language]),
    )
    more: dict[str, Any] = {"user_id": user.id, "language": language}
    request = {"en": "forget everything about me", "de": "vergiss alles über mich"}[language]
    assert (
        await sage.hear(request, **more)
        == {
            "en": "Shall I forget everything that you have told me, 3 in all?",
            "de": "Soll ich alles vergessen, was du mir gesagt hast, insgesamt 3?",
        }[language]
    )
    assert len(await words(sage, user.id)) == 4
    assert await sage.hear({"en": "yes", "de": "ja"}[language], **more) == DONE[language]
    memory = sage.entry.runtime_data.memory
    assert await words(sage, user.id) == []
    assert await memory.async_profile_text(person_of(user.id)) == ""
    on_disk = bytes_of(Path(hass.config.config_dir))
    for text in (HOCKEY[language], MOTHER[language], TEA[language], request, "- Likes ice"):
        assert text.encode() not in on_disk
    assert await words(sage) == ["the household stays"]


async def test_there_is_nothing_to_forget(sage: Sage, user) -> None:
    answer = "There is nothing that I could forget about you."
    sage.model_says(
        NATIVE.call("memory", action="forget_everything"), NATIVE.finish("could_not", answer)
    )
    result = await sage.say("forget everything about me", user_id=user.id)
    assert not result.continue_conversation
    assert spoken(result) == answer


@pytest.mark.parametrize("language", ["en", "de"])
async def test_while_it_is_paused_nothing_is_kept(
    hass: HomeAssistant, sage: Sage, user, other, language
) -> None:
    more: dict[str, Any] = {"user_id": user.id, "language": language}
    stop = {"en": "stop remembering what I say", "de": "merk dir nichts mehr von mir"}[language]
    sage.model_says(NATIVE.call("memory", action="pause"), NATIVE.finish("acted", NOTED[language]))
    assert await sage.hear(stop, **more) == NOTED[language]
    assert await words(sage, user.id) == [stop]

    for _ in range(2):
        sage.model_says(
            NATIVE.call("memory", action="remember", text=MOTHER[language]),
            NATIVE.call("memory", action="correct", text=HOCKEY[language]),
            NATIVE.call("human_interaction", question="What do you drink?"),
            NATIVE.finish("could_not", "Remembering is paused, so I kept nothing of that."),
        )
        await sage.hear(REMEMBER[language], **more)
        assert [observed(sage, call).partition(",")[0] for call in (1, 2)] == [
            "Error: Remembering is paused for this person"
        ] * 2
        heard = await sage.hear(TEA[language], **more)
        assert heard.endswith("Remembering is paused, so I kept nothing of that.")
        assert await words(sage, user.id) == [stop]
        # It stays so after a restart.
        assert await hass.config_entries.async_reload(sage.entry.entry_id)
        await hass.async_block_till_done()
    sage.model_says(NATIVE.finish("answered", "Good morning to you, it is a fine day."))
    await sage.hear("good morning", user_id=other.id, conversation_id=None)
    assert await words(sage, other.id) == ["good morning"], "it is paused for one person only"

    # What was kept before can be recalled, and forgotten.
    sage.model_says(
        *forgets(stop, NATIVE.finish("acted", DONE[language])),
        NATIVE.call("memory", action="resume"),
        NATIVE.finish("acted", NOTED[language]),
        NATIVE.finish("answered", "Good morning to you, it is a fine day."),
    )
    assert stop in await sage.hear(FORGET[language], **more)
    assert await sage.hear({"en": "yes", "de": "ja"}[language], **more) == DONE[language]
    assert await sage.hear("!", **more) == NOTED[language]
    await sage.hear("good morning", **more)
    assert await words(sage, user.id) == ["good morning"]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", ["acted", "answered"])
@pytest.mark.parametrize("name", FORMATS)
async def test_claim_to_have_forgotten_without_the_tool(
    make_sage: MakeSage, name, kind, language, user
) -> None:
    sage, decides = await make_sage(name), Decides(name)
    await plant(sage, user.id, HOCKEY[language])
    sage.model_says(*[decides.finish(kind, DONE[language])] * 2)
    heard = await sage.hear(FORGET[language], user_id=user.id, language=language)
    assert heard == NOTHING_CHANGED[language]
    assert HOCKEY[language] in await words(sage, user.id)
    assert "remembered or forgotten with `memory`" in observed(sage)


async def test_claim_to_have_forgotten_is_mended(sage: Sage, user) -> None:
    await plant(sage, user.id, HOCKEY["en"])
    sage.model_says(
        NATIVE.finish("answered", DONE["en"]),
        *forgets(HOCKEY["en"], NATIVE.finish("acted", DONE["en"])),
    )
    assert await sage.hear(FORGET["en"], user_id=user.id) == QUESTION["en"]
    assert await sage.hear("yes", user_id=user.id) == DONE["en"]
    assert await words(sage, user.id) == []


async def test_polite_wish_to_forget_is_no_small_talk(sage: Sage, user) -> None:
    await plant(sage, user.id, HOCKEY["en"])
    sage.model_says(*[NATIVE.finish("answered", DONE["en"])] * 2)
    heard = await sage.hear("could you please forget my hockey", user_id=user.id)
    assert heard == f"{NOTHING_CHANGED['en']} {DONE['en']}"


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", ["acted", "answered"])
@pytest.mark.parametrize("is_paused", [False, True])
async def test_claim_to_remember_without_the_tool(
    sage: Sage, user, kind, language, is_paused
) -> None:
    """What is said is remembered anyway; the code says no more than that, and not when paused."""
    memory = sage.entry.runtime_data.memory
    await memory.async_set_enabled(person_of(user.id), enabled=not is_paused)
    sage.model_says(*[NATIVE.finish(kind, NOTED[language])] * 2)
    heard = await sage.hear(REMEMBER[language], user_id=user.id, language=language)
    anyway = {"en": "I keep in mind what you tell me.", "de": "Ich behalte, was du mir sagst."}
    assert heard == (NOTHING_CHANGED if is_paused else anyway)[language]
    assert await words(sage, user.id) == ([] if is_paused else [REMEMBER[language]])


async def test_what_is_said_by_the_way_is_remembered_without_the_tool(sage: Sage, user) -> None:
    answer = "Thanks, I will keep that of your mother in mind."
    sage.model_says(NATIVE.finish("answered", answer))
    said = "by the way, my mother lives in Quebec"
    assert await sage.hear(said, user_id=user.id) == answer
    assert await words(sage, user.id) == [said]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_memory_is_no_ground_for_a_claim_about_the_home(
    hass, sage: Sage, user, language
) -> None:
    claim = {"en": "The kitchen light is on now.", "de": "Das Küchenlicht ist jetzt an."}[language]
    sage.model_says(
        NATIVE.call("memory", action="remember", text=HOCKEY[language]),
        *[NATIVE.finish("acted", claim)] * 2,
    )
    request = {
        "en": "turn on the kitchen light and remember that I like ice hockey",
        "de": "schalte das Küchenlicht ein und merk dir, dass ich Eishockey mag",
    }[language]
    assert (
        await sage.hear(request, user_id=user.id, language=language)
        == {
            "en": "I have only changed what I remember, nothing in the home.",
            "de": "Ich habe nur mein Gedächtnis geändert, im Haus nichts.",
        }[language]
    )
    assert hass.states.get("light.kitchen_light").state == "off"
    assert "no command was executed" in observed(sage)


async def test_both_are_done_in_one_request(hass, sage: Sage, user) -> None:
    sage.model_says(
        NATIVE.call("memory", action="remember", text="I like the kitchen bright"),
        *turn_on_the_kitchen_light("Noted, and the kitchen light is on."),
    )
    heard = await sage.hear("I like the kitchen bright, so turn it on", user_id=user.id)
    assert heard == "Noted, and the kitchen light is on."
    assert hass.states.get("light.kitchen_light").state == "on"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"action": "remember"}, "`text` must hold what is to be remembered"),
        ({"action": "remember", "text": " \0 "}, "`text` must hold what is to be remembered"),
        ({"action": "correct", "text": ""}, "`text` must hold what is to be remembered"),
        ({"action": "forget"}, "`text` must say what is to be forgotten"),
        ({"action": "erase"}, "wrong arguments"),
        ({"action": "forget", "text": "tea", "person": "Ben"}, "wrong arguments"),
        ({}, "wrong arguments"),
    ],
)
async def test_wrong_arguments_are_told(sage: Sage, user, arguments, told) -> None:
    await plant(sage, user.id, TEA["en"])
    sage.model_says(
        NATIVE.call("memory", **arguments),
        NATIVE.finish("could_not", "I did not understand what you mean by that."),
    )
    await sage.hear("well then", user_id=user.id)
    assert told in observed(sage)
    assert sorted(await words(sage, user.id)) == sorted([TEA["en"], "well then"])


async def test_memory_that_cannot_be_used_is_told(sage: Sage, user, caplog) -> None:
    caplog.set_level(logging.DEBUG, "custom_components.sage")
    await plant(sage, user.id, HOCKEY["en"])
    await sage.entry.runtime_data.memory.handle(person_of(user.id)).async_close()
    answer = "My memory does not work just now, so nothing became of that."
    for action in ("remember", "correct", "forget", "forget_everything", "pause", "resume"):
        sage.model_says(
            NATIVE.call("memory", action=action, text=HOCKEY["en"]),
            NATIVE.finish("could_not", answer),
        )
        assert (await sage.hear(FORGET["en"], user_id=user.id)).endswith(answer)
        assert "The memory cannot be used right now" in observed(sage)
    logged = "\n".join(
        each.getMessage() + str(each.exc_text or "")
        for each in caplog.records
        if each.name.startswith("custom_components.sage")
    )
    assert "could not be used" in logged
    assert "hockey" not in logged
    assert "Traceback" not in logged


async def test_unknown_speaker_has_the_memory_of_the_household(sage: Sage, user) -> None:
    await plant(sage, user.id, HOCKEY["en"])
    sage.model_says(
        NATIVE.call("memory", action="remember", text=MOTHER["en"]),
        NATIVE.finish("acted", NOTED["en"]),
        *forgets(HOCKEY["en"], NATIVE.finish("could_not", "There is nothing of the kind here.")),
        NATIVE.call("personalization", question="hockey?"),
        knows("Hockey."),
        NATIVE.finish("answered", "I do not know anything about that."),
        NATIVE.call("memory", action="forget_everything"),
        NATIVE.finish("acted", DONE["en"]),
    )
    await sage.hear(REMEMBER["en"])
    assert await words(sage) == [REMEMBER["en"], MOTHER["en"]]
    assert await sage.hear("what of sports?") == "There is nothing of the kind here."
    await sage.hear("and now?")
    assert all(HOCKEY["en"] not in given for given in asked_of_memory(sage))
    question = await sage.hear("forget it all")
    assert question == "Shall I forget everything that you have told me, 4 in all?"
    assert await sage.hear("yes") == DONE["en"]
    assert await words(sage) == []
    assert await words(sage, user.id) == [HOCKEY["en"]]


async def test_what_was_forgotten_is_set_right_no_more(
    hass: HomeAssistant, sage: Sage, user
) -> None:
    await plant(sage, user.id, HOCKEY["en"], origin=Origin.CORRECTED)
    await plant(sage, user.id, TEA["en"], origin=Origin.CORRECTED)
    sage.model_says(*forgets(TOPIC["en"], NATIVE.finish("acted", DONE["en"])))
    assert await sage.hear(FORGET["en"], user_id=user.id) == QUESTION["en"]
    await sage.hear("yes", user_id=user.id)
    memory = sage.entry.runtime_data.memory
    left = await memory.async_do(person_of(user.id), PersonMemory.corrections)
    assert [each.text for each in left] == [TEA["en"]]
    assert HOCKEY["en"].encode() not in bytes_of(Path(hass.config.config_dir))
