"""After a person's first command, SAGE says once that it remembers, and how to stop that."""

import pytest
from homeassistant.auth.const import GROUP_ID_USER
from homeassistant.core import HomeAssistant

from benchmark.model_script import Completion
from custom_components.sage.people.person import Person
from tests.decisions import NATIVE
from tests.end_to_end.conftest import MakeSage, Sage


@pytest.fixture
async def sage(make_sage: MakeSage) -> Sage:
    sage: Sage = await make_sage("native")
    return sage


def answers(text: str) -> Completion:
    return NATIVE.finish("answered", text, about="other")


async def somebody(hass: HomeAssistant, *, is_person: bool = True) -> str:
    """Return the id of a new user, with a person entity or without."""
    user = await hass.auth.async_create_user("Anna", group_ids=[GROUP_ID_USER])
    if is_person:
        hass.states.async_set("person.anna", "home", {"user_id": user.id})
    return user.id


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "say: stop remembering"),
        ("de", "sag: merk dir nichts mehr"),
        ("fr", "dites : ne te souviens plus de rien"),
    ],
)
async def test_the_first_answer_says_it_once(sage: Sage, language: str, words: str):
    anna = await somebody(sage.hass)
    sage.model_says(answers("Hello."), answers("Still here."))

    first = await sage.hear("hi", user_id=anna, language=language)
    second = await sage.hear("are you there", user_id=anna, language=language)

    assert first.startswith("Hello. ")
    assert words in first
    assert second == "Still here."
    assert [each["answer"] for each in sage.traces(anna)] == ["Hello.", "Still here."]


async def test_programs_and_unknown_speakers_hear_no_hint(hass: HomeAssistant, sage: Sage):
    program = await somebody(hass, is_person=False)
    sage.model_says(answers("Hello."), answers("Hello."))

    assert await sage.hear("hi", user_id=program) == "Hello."
    assert await sage.hear("hi") == "Hello."


async def test_who_switched_memory_off_hears_no_hint(hass: HomeAssistant, sage: Sage):
    anna = await somebody(hass)
    person = Person(user_id=anna, name="Anna")
    await sage.entry.runtime_data.memory.async_do(
        person, lambda file: file.change_settings(enabled=False)
    )
    sage.model_says(answers("Hello."))

    assert await sage.hear("hi", user_id=anna) == "Hello."
