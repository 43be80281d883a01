"""Only what the person said is remembered, whatever the model writes."""

from typing import Any

import pytest

from benchmark.commands.cases import CASES
from custom_components.sage.memory.memories import Origin
from tests.decisions import NATIVE
from tests.end_to_end.conftest import Sage

from .said import NOTED
from .story import kept, observed, words

NONSENSE = (
    "I get cold easily",
    "Ben is allergic to nuts",
    "hall_lamp: state off",
    "my mother lives in Quebec",
    "kitchen_light: state on, floor_lamp: state off, cinema: state playing",
    "Die Person mag Eishockey",
    "我喜欢爵士乐",
)
"""Examples of the prompt, facts of others and the list of devices."""


def remembers(*texts: str) -> list[Any]:
    return [NATIVE.call("memory", action="remember", text=text) for text in texts]


async def told(sage: Sage, user_id: str) -> list[tuple[str, str | None]]:
    """Return what is kept because it was to be remembered, with the questions it answers."""
    found = await kept(sage, user_id)
    return [(each.text, each.question) for each in found if each.origin is Origin.TOLD]


async def test_everyday_sentences_leave_no_memory_of_something_else(sage: Sage, user) -> None:
    sentences = [turn.said for case in CASES for turn in case.turns]
    assert len(sentences) >= 60
    for number, said in enumerate(sentences):
        text, again = (NONSENSE[(number + at) % len(NONSENSE)] for at in (0, 3))
        sage.model_says(*remembers(text, again))
        heard = await sage.hear(said, user_id=user.id)
        assert heard == "I only remember what you tell me yourself, so I have stored nothing."
        assert f'but "{said}"' in observed(sage), "the model sees the words that count"
    assert await told(sage, user.id) == []


@pytest.mark.parametrize(
    ("said", "text", "stored"),
    [
        ("remember that I get cold easily", "I get cold easily", "I get cold easily"),
        (
            "merk dir, dass meine Mutter in Quebec wohnt",
            "meine Mutter wohnt in Quebec",
            "meine Mutter wohnt in Quebec",
        ),
        ("请记住我喜欢爵士乐", "我喜欢爵士乐", "我喜欢爵士乐"),
        # Other words, more words and the opposite: the person's own sentence is kept.
        ("Hello. Keep in mind: I love jazz.", "The user loves jazz", "Keep in mind: I love jazz."),
        ("retiens que ma mère vit à Québec", "Ma mère habite à Québec", None),
        ("recuerda que me gusta el jazz", "me gusta el jazz y el fútbol", None),
        ("remember that I do not like jazz", "I like jazz", None),
        ("remember that Tom owes Anna money", "Anna owes Tom money", None),
    ],
)
async def test_the_words_of_the_person_count(sage: Sage, user, said, text, stored) -> None:
    sage.model_says(*remembers(text), NATIVE.finish("acted", NOTED["en"]))
    assert await sage.hear(said, user_id=user.id) == NOTED["en"]
    assert await told(sage, user.id) == [(stored or said, None)]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("do I like jazz?", "I like jazz"),
        ("¿me gusta mucho el jazz?", "me gusta el jazz"),
        ("我喜欢爵士乐吗？", "我喜欢爵士乐"),
    ],
)
async def test_a_question_leaves_no_memory_without_a_yes(sage: Sage, user, said, text) -> None:
    for reply, stored in (("no", []), ("yes", [(text, None)])):
        sage.model_says(*remembers(text), NATIVE.finish("could_not", "I did not keep it."))
        if reply == "yes":
            sage.model_says(*remembers(text), NATIVE.finish("acted", NOTED["en"]))
        asked = await sage.hear(said, user_id=user.id, conversation_id=None)
        assert asked == f"Shall I remember this: “{text}”?"
        await sage.hear(reply, user_id=user.id)
        assert await told(sage, user.id) == stored


async def test_a_yes_makes_the_asked_sentence_the_persons(sage: Sage, user) -> None:
    question = "Shall I remember that you like jazz?"
    sage.model_says(
        NATIVE.call("human_interaction", question=question),
        *remembers("I like jazz"),
        NATIVE.finish("acted", NOTED["en"]),
    )
    assert await sage.hear("play some Miles Davis", user_id=user.id) == question
    assert await sage.hear("yes", user_id=user.id) == NOTED["en"]
    assert await told(sage, user.id) == [("I like jazz", None)]


async def test_what_was_said_before_or_replied_counts_too(sage: Sage, user) -> None:
    more = {"user_id": user.id}
    question = "Which team do you follow?"
    sage.model_says(NATIVE.finish("answered", "It is collected on Tuesdays.", about="other"))
    await sage.hear("I am allergic to nuts, by the way", **more)
    sage.model_says(*remembers("I am allergic to nuts"), NATIVE.finish("acted", NOTED["en"]))
    assert await sage.hear("remember that", **more) == NOTED["en"]
    # What only SAGE said needs a yes.
    sage.model_says(*remembers("Waste is collected on Tuesdays"))
    heard = await sage.hear("and remember the other thing", **more)
    assert heard == "Shall I remember this: “Waste is collected on Tuesdays”?"
    await sage.hear("no", **more)
    sage.model_says(
        NATIVE.call("human_interaction", question=question),
        *remembers("The person follows the Canadiens"),
        NATIVE.finish("acted", NOTED["en"]),
    )
    await sage.hear("put the game on", **more)
    assert await sage.hear("the Canadiens", **more) == NOTED["en"]
    assert await told(sage, user.id) == [
        ("I am allergic to nuts", None),
        ("the Canadiens", question),
    ]
    assert "Waste" not in " ".join(await words(sage, user.id))
