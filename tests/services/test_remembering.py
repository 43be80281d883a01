"""Given facts that people stored, when they ask, list or correct them, then they are found."""

from datetime import datetime, timedelta
from typing import Any

import probatio
import pytest
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from tests.end_to_end.conftest import Sage
from tests.memory_house import call, refused, remember, texts


async def test_what_a_person_has_remembered_is_recalled_with_its_dates(sage: Sage, anna: User):
    await sage.hass.config.async_set_time_zone("America/Toronto")
    kept = await call(
        sage.hass,
        "remember",
        anna,
        text="  the Canadiens ",
        question="Which hockey team do you support?",
    )
    await remember(sage.hass, anna, "My mother lives in Quebec.", "The bins go out on Tuesday.")

    found = await call(sage.hass, "recall", anna, question="Which hockey team do I like?", count=2)

    assert len(found["memories"]) == 2
    first = found["memories"][0]
    assert first["text"] == "the Canadiens"
    assert first["question"] == "Which hockey team do you support?"
    assert first["id"] == kept["id"]
    assert (first["origin"], first["count"], first["place"]) == ("told", 1, None)
    assert first["at"] == first["first_at"] == kept["at"]
    at = datetime.fromisoformat(first["at"])
    assert at.utcoffset() in {timedelta(hours=-4), timedelta(hours=-5)}
    assert abs(dt_util.utcnow() - at) < timedelta(minutes=1)
    assert first["score"] >= found["memories"][1]["score"]


async def test_a_correction_is_part_of_the_profile_at_once(sage: Sage, anna: User):
    kept = await call(sage.hass, "remember", anna, text="I am no vegetarian.", origin="corrected")

    profile = await call(sage.hass, "get_profile", anna)

    assert kept["origin"] == "corrected"
    assert profile["text"] == ""
    assert profile["made_at"] is profile["model"] is None
    assert profile["dates"] == []
    assert profile["corrections"] == [{"text": "I am no vegetarian.", "at": kept["at"]}]


@pytest.mark.parametrize("text", ["\0", "\0 \0"])
async def test_a_text_without_words_is_refused(sage: Sage, anna: User, text: str):
    (kept,) = await remember(sage.hass, anna, "I like jazz.")

    assert await refused(sage.hass, "remember", anna, text=text) == "no_words"
    assert await refused(sage.hass, "correct_memory", anna, id=kept, text=text) == "no_words"
    assert await texts(sage.hass, anna) == ["I like jazz."]


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("remember", {}),
        ("remember", {"text": ""}),
        ("remember", {"text": "   "}),
        ("remember", {"text": "x" * 4_001}),
        ("remember", {"text": "x", "origin": "said"}),
        ("remember", {"text": "x", "at": "2020-01-01"}),
        ("recall", {"question": "x", "count": 0}),
        ("recall", {"question": "x", "count": 51}),
        ("list_memories", {"before": 2**63}),
        ("correct_memory", {"id": "first", "text": "x"}),
        ("forget", {"ids": ["first"]}),
        ("forget", {"first_day": "yesterday"}),
        ("set_memory", {"retention_days": -1}),
    ],
)
async def test_fields_are_checked(sage: Sage, anna: User, action: str, fields: dict[str, Any]):
    with pytest.raises(probatio.Invalid):
        await call(sage.hass, action, anna, **fields)


async def test_memories_are_listed_page_by_page(hass: HomeAssistant, sage: Sage, anna: User):
    said = [f"Thing number {number}." for number in range(5)]
    await remember(hass, anna, *said)

    first = await call(hass, "list_memories", anna, count=3)
    rest = await call(hass, "list_memories", anna, count=3, before=first["memories"][-1]["id"])

    assert [each["text"] for each in first["memories"]] == said[:1:-1]
    assert (first["has_more"], first["total"]) == (True, 5)
    assert [each["text"] for each in rest["memories"]] == said[1::-1]
    assert (rest["has_more"], rest["total"]) == (False, 5)


async def test_a_memory_gets_other_words(hass: HomeAssistant, sage: Sage, anna: User):
    (kept,) = await remember(hass, anna, "My mother lives in Quebec.")

    corrected = await call(
        hass, "correct_memory", anna, id=str(kept), text="My mother lives in Montreal."
    )

    assert (corrected["id"], corrected["origin"]) == (kept, "corrected")
    assert await texts(hass, anna) == ["My mother lives in Montreal."]
    found = await call(hass, "recall", anna, question="Montreal", count=1)
    assert found["memories"][0]["id"] == kept
