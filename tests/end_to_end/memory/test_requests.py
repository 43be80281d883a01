"""Requests about the moment are marked: they are no facts, and go after a while."""

from datetime import timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory

from custom_components.sage.memory.memories import Origin
from tests.decisions import FORMATS, NATIVE, claim, step
from tests.end_to_end.conftest import MakeSage, Sage
from tests.end_to_end.doors.decided import read_the_kitchen_light, turn_on_the_kitchen_light

from .said import DONE, forgets
from .story import asked_of_memory, kept, knows, plant, words

LIGHT = "turn on the kitchen light"
SCRIPT = turn_on_the_kitchen_light()


async def origins(sage: Sage, user_id: str | None) -> dict[str, Origin]:
    """Return what is remembered of a person, and how SAGE came to know it."""
    return {each.text: each.origin for each in await kept(sage, user_id)}


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_command_is_a_request(sage: Sage, user) -> None:
    sage.model_says(
        *sage.decides.planned(LIGHT, step("command", "kitchen_light")),
        sage.decides.execute("kitchen_light", command="turn_on"),
        sage.decides.finish("acted", "It is on."),
    )
    await sage.hear(LIGHT, user_id=user.id)
    assert await origins(sage, user.id) == {LIGHT: Origin.REQUEST}


async def test_question_about_the_home_is_a_request(sage: Sage, user) -> None:
    sage.model_says(*read_the_kitchen_light())
    await sage.hear("is the kitchen light on?", user_id=user.id)
    assert await origins(sage, user.id) == {"is the kitchen light on?": Origin.REQUEST}


async def test_what_tells_a_fact_with_it_is_none(sage: Sage, user) -> None:
    said = "I get cold easily, so turn on the kitchen light"
    sage.model_says(
        *SCRIPT[:-1],
        NATIVE.call(
            "finish",
            kind="acted",
            about=["home", "person"],
            claims=[claim("kitchen_light", "on")],
            answer="It is on.",
        ),
    )
    assert await sage.hear(said, user_id=user.id) == "It is on."
    assert await origins(sage, user.id) == {said: Origin.SAID}


async def test_telling_something_is_nothing_that_was_done(sage: Sage, user) -> None:
    """The subject says something of the request, and proves nothing."""
    sage.model_says(*[NATIVE.finish("acted", "I have seen to that.", about="person")] * 2)
    heard = await sage.hear("I love hockey", user_id=user.id)
    assert heard == "I have not changed anything."


async def test_reply_to_a_question_is_no_request(sage: Sage, user) -> None:
    sage.model_says(NATIVE.call("human_interaction", question="Which light do you like?"), *SCRIPT)
    await sage.hear("make it nice", user_id=user.id)
    await sage.hear("I like the kitchen light", user_id=user.id)
    assert await origins(sage, user.id) == {
        "make it nice": Origin.REQUEST,
        "I like the kitchen light": Origin.SAID,
    }


async def test_request_is_recalled_by_nobody_and_crowds_out_nothing(sage: Sage, user) -> None:
    await plant(sage, user.id, "the kitchen is where I read in the evening")
    for number in range(12):
        sage.model_says(*SCRIPT)
        await sage.hear(f"{LIGHT} please, take {number}", user_id=user.id, conversation_id=None)
    sage.model_says(
        NATIVE.call("personalization", question=LIGHT),
        knows("It is where they read.", 1),
        NATIVE.finish("answered", "You read there."),
    )
    await sage.hear("what about the kitchen?", user_id=user.id, conversation_id=None)
    (given,) = asked_of_memory(sage)
    assert "where I read" in given
    assert "take" not in given


async def test_topic_that_is_forgotten_takes_requests_with_it(sage: Sage, user) -> None:
    sage.model_says(*SCRIPT)
    await sage.hear(LIGHT, user_id=user.id)
    await kept(sage, user.id)
    sage.model_says(*forgets("the kitchen light", NATIVE.finish("acted", DONE["en"])))
    heard = await sage.hear("forget about the kitchen light", user_id=user.id)
    assert heard == f'Shall I forget this: "{LIGHT}"?'
    await sage.hear("yes", user_id=user.id)
    assert await words(sage, user.id) == []


@pytest.mark.parametrize(
    ("options", "days", "stays"),
    [
        ({}, 89, True),
        ({}, 91, False),
        ({"request_days": 7}, 8, False),
        ({"request_days": 0}, 4_000, True),
        ({"request_days": 0, "retention_days": 30}, 31, False),
    ],
)
async def test_requests_are_forgotten_after_a_while_and_facts_are_not(
    make_sage: MakeSage, freezer: FrozenDateTimeFactory, user, options, days, stays
) -> None:
    sage: Sage = await make_sage(options=options)
    sage.model_says(*SCRIPT)
    await sage.hear(LIGHT, user_id=user.id)
    await kept(sage, user.id)
    fact = "I like it bright in the kitchen"
    if "retention_days" not in options:
        await plant(sage, user.id, fact)
    freezer.tick(timedelta(days=days))
    await sage.entry.runtime_data.memory.async_expire()
    left = await words(sage, user.id)
    assert (LIGHT in left) is stays
    assert (fact in left) is ("retention_days" not in options)
