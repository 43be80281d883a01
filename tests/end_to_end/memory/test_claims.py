"""What the model says of its memory is held against what was remembered and forgotten."""

import pytest

from tests.decisions import FORMATS, NATIVE, claim
from tests.end_to_end.conftest import Sage
from tests.end_to_end.doors.decided import turn_on_the_kitchen_light

from .said import DONE, FORGET, HOCKEY, NOTED, NOTHING_CHANGED, QUESTION, REMEMBER, forgets
from .story import observed, person_of, plant, words


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("decision_format", FORMATS)
async def test_claim_to_have_forgotten_without_the_tool(sage: Sage, language, user) -> None:
    decides = sage.decides
    await plant(sage, user.id, HOCKEY[language])
    sage.model_says(*[decides.finish("acted", DONE[language], about="memory")] * 2)
    heard = await sage.hear(FORGET[language], user_id=user.id, language=language)
    assert heard == NOTHING_CHANGED[language]
    assert HOCKEY[language] in await words(sage, user.id)
    assert "Call `memory`" in observed(sage)


async def test_claim_to_have_forgotten_is_mended(sage: Sage, user) -> None:
    await plant(sage, user.id, HOCKEY["en"])
    sage.model_says(
        NATIVE.finish("acted", DONE["en"], about="memory"),
        *forgets(HOCKEY["en"], NATIVE.finish("acted", DONE["en"])),
    )
    assert await sage.hear(FORGET["en"], user_id=user.id) == QUESTION["en"]
    assert await sage.hear("yes", user_id=user.id) == DONE["en"]
    assert await words(sage, user.id) == []


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("is_paused", [False, True])
async def test_claim_to_remember_without_the_tool(sage: Sage, user, language, is_paused) -> None:
    """What is said is remembered anyway, unless that is paused."""
    memory = sage.entry.runtime_data.memory
    await memory.async_do(
        person_of(user.id), lambda file: file.change_settings(enabled=not is_paused)
    )
    sage.model_says(*[NATIVE.finish("acted", NOTED[language], about="memory")] * 2)
    heard = await sage.hear(REMEMBER[language], user_id=user.id, language=language)
    assert heard == NOTHING_CHANGED[language]
    assert await words(sage, user.id) == ([] if is_paused else [REMEMBER[language]])


async def test_what_is_said_by_the_way_is_remembered_without_the_tool(sage: Sage, user) -> None:
    answer = "Thanks, I will keep that of your mother in mind."
    sage.model_says(NATIVE.finish("answered", answer))
    said = "by the way, my mother lives in Quebec"
    assert await sage.hear(said, user_id=user.id) == answer
    assert await words(sage, user.id) == [said]


@pytest.mark.parametrize("language", ["en", "de"])
async def test_memory_is_no_ground_for_a_claim_about_the_home(sage: Sage, user, language) -> None:
    answer = {"en": "The kitchen light is on now.", "de": "Das Küchenlicht ist jetzt an."}[language]
    sage.model_says(
        NATIVE.call("memory", action="remember", text=HOCKEY[language]),
        *[NATIVE.finish("acted", answer, claim("kitchen_light", "on"))] * 2,
    )
    request = {
        "en": "turn on the kitchen light and remember that I like ice hockey",
        "de": "schalte das Küchenlicht ein und merk dir, dass ich Eishockey mag",
    }[language]
    only_memory = {
        "en": "Just now, I have changed only my memory.",
        "de": "Ich habe gerade nur mein Gedächtnis geändert.",
    }[language]
    heard = await sage.hear(request, user_id=user.id, language=language)
    assert heard.startswith(only_memory)
    assert sage.state("light.kitchen_light") == "off"
    assert "no command was executed" in observed(sage)


async def test_both_are_done_in_one_request(hass, sage: Sage, user) -> None:
    sage.model_says(
        NATIVE.call("memory", action="remember", text="I like the kitchen bright"),
        *turn_on_the_kitchen_light("Noted, and the kitchen light is on."),
    )
    heard = await sage.hear("I like the kitchen bright, so turn it on", user_id=user.id)
    assert heard == "Noted, and the kitchen light is on."
    assert hass.states.get("light.kitchen_light").state == "on"
