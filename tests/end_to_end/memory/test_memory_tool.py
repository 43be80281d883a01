"""Remembering, setting right and pausing because the person says so."""

import logging
from typing import Any

import pytest

from custom_components.sage.memory.memories import Origin
from tests.decisions import FORMATS, NATIVE
from tests.end_to_end.conftest import MakeSage, Sage
from tests.end_to_end.routine_tools.test_not_yet import NOTHING, OF_OTHERS, WEAK, wants

from .said import DONE, FORGET, HOCKEY, MOTHER, NOTED, REMEMBER, TEA, forgets
from .story import asked_of_memory, give_profile, kept, knows, observed, plant, words


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("decision_format", FORMATS)
async def test_what_is_to_be_remembered_is(sage: Sage, language, user) -> None:
    sage.model_says(
        sage.decides.call("memory", action="remember", text=MOTHER[language]),
        sage.decides.finish("acted", NOTED[language]),
    )
    heard = await sage.hear(REMEMBER[language], user_id=user.id, language=language)
    assert heard == NOTED[language]
    assert sage.model_calls == 2
    assert "Remembered: " in observed(sage)
    (stored,) = await kept(sage, user.id)
    assert (stored.text, stored.origin, stored.count) == (MOTHER[language], Origin.TOLD, 1)
    assert await words(sage) == []
    sage.model_says(
        sage.decides.call("personalization", question=MOTHER[language]),
        knows("In Quebec.", 1),
        sage.decides.finish("answered", "In Quebec."),
    )
    await sage.hear("?", user_id=user.id, conversation_id=None, language=language)
    (given,) = asked_of_memory(sage)
    assert f'"{MOTHER[language]}"' in given


KEPT = {"en": "I will remember: “{}”", "de": "Ich merke mir: „{}“", "nl": "Noted."}


@pytest.mark.parametrize("wanted", ["tell", "change"])
@pytest.mark.parametrize("language", KEPT)
async def test_what_a_small_model_remembers_is_told_by_code(
    make_sage: MakeSage, user, language, wanted
) -> None:
    """It would say "The person has been remembered.", and read something for it."""
    sage, text = await make_sage("constrained", **WEAK), MOTHER.get(language, MOTHER["en"])
    decides = sage.decides
    sage.model_says(
        *(wants(wanted), NOTHING, *([OF_OTHERS] if wanted == "tell" else [])),
        decides.call("memory", action="remember", text=text),
        decides.finish("acted", "Noted.", about="memory"),
    )
    heard = await sage.hear(f"remember that {text}", user_id=user.id, language=language)
    assert heard == (KEPT[language].format(text) if wanted == "tell" else "Noted.")
    assert [each.text for each in await kept(sage, user.id)] == [text]


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
    assert "- Likes ice hockey (2026-11-20)\nCorrected by the person on " in profile
    assert f'(corrected): "{right}"' in said_before


@pytest.mark.parametrize("language", ["en", "de"])
async def test_while_it_is_paused_nothing_is_kept(sage: Sage, user, other, language) -> None:
    more: dict[str, Any] = {"user_id": user.id, "language": language}
    stop = {"en": "stop remembering what I say", "de": "merk dir nichts mehr von mir"}[language]
    await plant(sage, user.id, stop)
    sage.model_says(NATIVE.call("memory", action="pause"), NATIVE.finish("acted", NOTED[language]))
    assert await sage.hear(stop, **more) == NOTED[language]
    assert await words(sage, user.id) == [stop]

    for _ in range(2):
        sage.model_says(
            NATIVE.call("memory", action="remember", text=MOTHER[language]),
            NATIVE.call("memory", action="correct", text=MOTHER[language]),
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
        assert await sage.hass.config_entries.async_reload(sage.entry.entry_id)
        await sage.hass.async_block_till_done()
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
    assert await words(sage, user.id) == ["!", "good morning"]


async def test_memory_that_cannot_be_used_is_told(sage: Sage, user, caplog) -> None:
    caplog.set_level(logging.DEBUG, "custom_components.sage")
    await plant(sage, user.id, HOCKEY["en"])
    await sage.entry.runtime_data.memory.of(user.id).async_close()
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
    assert await words(sage) == [MOTHER["en"]]
    assert await sage.hear("what of sports?") == "There is nothing of the kind here."
    await sage.hear("and now?")
    assert all(HOCKEY["en"] not in given for given in asked_of_memory(sage))
    question = await sage.hear("forget it all")
    assert question == "Number of memories: 3. Shall I forget all of them?"
    assert await sage.hear("yes") == DONE["en"]
    assert await words(sage) == []
    assert await words(sage, user.id) == [HOCKEY["en"]]
