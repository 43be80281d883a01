"""A yes to the code's question deletes the memories, and the request to delete them."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.agent import port as port_module
from custom_components.sage.memory.memories import Origin
from tests.decisions import FORMATS, NATIVE, Decides
from tests.end_to_end.conftest import MakeSage, Sage, spoken
from tests.end_to_end.doors.decided import turn_on_the_kitchen_light

from .said import DONE, FORGET, HOCKEY, MOTHER, QUESTION, TEA, TOPIC, forgets
from .story import bytes_of, give_profile, kept, knows, observed, person_of, plant, words


def everything_of(sage: Sage, user_id: str | None) -> str:
    """Return all that SAGE holds of a person outside of the memory's files."""
    return repr((sage.traces(user_id), sage.turns(user_id)))


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
        monkeypatch.setattr(port_module, "QUESTION_TIMEOUT", 0.01)
    # After silence, the model is not asked again.
    after = {"no": (left,), "silence": (), "another request": turn_on_the_kitchen_light()}[answered]
    sage.model_says(*forgets(TOPIC[language], *after))
    assert await sage.hear(FORGET[language], **more) == QUESTION[language]
    if answered == "no":
        heard = await sage.hear({"en": "no", "de": "nein"}[language], **more)
        assert heard == "Then it all stays as it is with me."
        assert "Nothing was forgotten." in observed(sage)
    elif answered == "silence":
        await hass.async_block_till_done(wait_background_tasks=True)
    else:
        # An unclear reply is asked about once more; the second one is a request of its own.
        assert QUESTION[language] in await sage.hear("kitchen light, please", **more)
        assert await sage.hear("kitchen light, please", **more) == "The kitchen light is on."
        before.append("kitchen light, please")
    assert sorted(await words(sage, user.id)) == sorted([*before, FORGET[language]])


async def test_all_are_shown_before_they_are_forgotten(sage: Sage, user) -> None:
    for day in range(1, 7):
        await plant(
            sage,
            user.id,
            f"we watched ice hockey {day} times",
            at=datetime(2026, 11, day, tzinfo=UTC),
        )
    sage.model_says(*forgets("ice hockey", NATIVE.finish("acted", DONE["en"])))
    question = await sage.hear("forget the hockey", user_id=user.id)
    assert question.startswith("Shall I forget this: ")
    assert question.count("we watched ice hockey") == 6
    assert "forget the hockey" not in question
    assert await sage.hear("yes", user_id=user.id) == DONE["en"]
    assert await words(sage, user.id) == []


async def test_replies_of_a_run_that_forgets_are_not_kept(sage: Sage, user) -> None:
    await plant(sage, user.id, HOCKEY["en"])
    sage.model_says(
        NATIVE.call("human_interaction", question="What shall I forget?"),
        *forgets("ice hockey", NATIVE.finish("acted", DONE["en"])),
    )
    await sage.hear("there is something to forget", user_id=user.id)
    assert "Shall I forget this" in await sage.hear("the ice hockey one", user_id=user.id)
    assert await sage.hear("yes", user_id=user.id) == DONE["en"]
    assert await words(sage, user.id) == []
    assert b"hockey" not in bytes_of(Path(sage.hass.config.config_dir))


async def test_nothing_fits_the_topic(sage: Sage, user) -> None:
    """The request names the topic; it is not what is meant."""
    await plant(sage, user.id, TEA["en"])
    answer = "There is nothing of that kind that I know of."
    sage.model_says(*forgets("ice hockey", NATIVE.finish("could_not", answer)))
    assert await sage.hear("forget all about ice hockey", user_id=user.id) == answer
    assert "No memory fits" in observed(sage)
    assert TEA["en"] in await words(sage, user.id)


@pytest.mark.parametrize("language", ["en", "de"])
async def test_period_is_forgotten_by_the_days_of_the_home(sage: Sage, user, language) -> None:
    await sage.hass.config.async_set_time_zone("America/Toronto")
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
    named = {"en": 'this: "', "de": 'das hier vergessen: "'}[language]
    assert named in question
    for text in ("again and again", "late", "in the night"):
        assert text in question
    assert "before" not in question
    assert await sage.hear({"en": "yes", "de": "ja"}[language], **more) == DONE[language]
    left = {each.text: each.count for each in await kept(sage, user.id)}
    assert left == {"before": 1, "again and again": 2, "after": 1}


@pytest.mark.parametrize("language", ["en", "de"])
async def test_everything_is_forgotten(hass: HomeAssistant, sage: Sage, user, language) -> None:
    for known in (HOCKEY, MOTHER):
        await plant(sage, user.id, known[language])
    await plant(sage, user.id, TEA[language], origin=Origin.CORRECTED)
    await give_profile(sage, user.id, "- Likes ice hockey (2026-11-20)")
    await plant(sage, None, "the household stays")
    sage.model_says(
        NATIVE.call("memory", action="forget_everything"), NATIVE.finish("acted", DONE[language])
    )
    more: dict[str, Any] = {"user_id": user.id, "language": language}
    request = {"en": "forget everything about me", "de": "vergiss alles über mich"}[language]
    assert (
        await sage.hear(request, **more)
        == {
            "en": "Number of memories: 3. Shall I forget all of them?",
            "de": "Anzahl der Erinnerungen: 3. Soll ich sie alle vergessen?",
        }[language]
    )
    assert len(await words(sage, user.id)) == 3
    assert await sage.hear({"en": "yes", "de": "ja"}[language], **more) == DONE[language]
    memory = sage.entry.runtime_data.memory
    assert await words(sage, user.id) == []
    left = await memory.async_do(person_of(user.id), lambda kept: kept.summaries.profile_text())
    assert left == ""
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


async def test_what_was_forgotten_is_set_right_no_more(sage: Sage, user) -> None:
    await plant(sage, user.id, HOCKEY["en"], origin=Origin.CORRECTED)
    await plant(sage, user.id, TEA["en"], origin=Origin.CORRECTED)
    sage.model_says(*forgets(TOPIC["en"], NATIVE.finish("acted", DONE["en"])))
    assert await sage.hear(FORGET["en"], user_id=user.id) == QUESTION["en"]
    await sage.hear("yes", user_id=user.id)
    memory = sage.entry.runtime_data.memory
    left = await memory.async_do(person_of(user.id), lambda kept: kept.summaries.corrections())
    assert [each.text for each in left] == [TEA["en"]]
    assert HOCKEY["en"].encode() not in bytes_of(Path(sage.hass.config.config_dir))
