"""What the personalization tool makes of a reply, and what it asks."""

import json
from datetime import UTC, datetime

import pytest

from custom_components.sage.memory.memories import Memory, Origin, Recollection
from custom_components.sage.tools.personalization import model_input, parse_reply, recollection_text

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def recollection(*texts: str, profile: str = "") -> Recollection:
    return Recollection(
        profile=profile,
        memories=tuple(
            Memory(id=number, text=text, at=NOON, count=number, score=1 / number)
            for number, text in enumerate(texts, 1)
        ),
    )


TWO = recollection("I like tea", "no sugar")
PROFILE = recollection(profile="- Likes tea (2026-11-20)")


def reply(**values: object) -> str:
    return json.dumps({"known": True, "answer": "Tea.", "rests_on": [1], **values})


@pytest.mark.parametrize(
    ("text", "found", "parsed"),
    [
        (reply(), TWO, ("Tea.", (1,))),
        (reply(rests_on=[2, 1, 2]), TWO, ("Tea.", (2, 1))),
        (reply(rests_on=[0, -1, 3, 2]), TWO, ("Tea.", (2,))),
        (reply(answer="  Tea,\n no sugar. "), TWO, ("Tea, no sugar.", (1,))),
        (f"Here it is: {reply()} I hope it helps.", TWO, ("Tea.", (1,))),
        (f"```json\n{reply()}\n```", TWO, ("Tea.", (1,))),
        # The profile may be what it rests on.
        (reply(rests_on=[]), PROFILE, ("Tea.", ())),
        (reply(rests_on=[1]), PROFILE, ("Tea.", ())),
        (reply(rests_on=None), PROFILE, ("Tea.", ())),
        # Nothing is known, whatever else it says.
        (reply(known=False), TWO, ("", ())),
        (reply(known=False, answer=None), TWO, ("", ())),
        ('{"known": false}', PROFILE, ("", ())),
        (reply(answer=" \n"), TWO, ("", (1,))),
        # Made up, or not to be read.
        (reply(rests_on=[]), TWO, None),
        (reply(rests_on=[3]), TWO, None),
        (reply(rests_on=[True, 1.0, "1"]), TWO, None),
        (reply(rests_on={"1": 1}), TWO, None),
        (reply(rests_on=[[1], {}]), TWO, None),
        (reply(answer=["Tea."]), TWO, None),
        (reply(known="true"), TWO, None),
        (reply(known=None), TWO, None),
        ('{"answer": "Tea.", "rests_on": [1]}', TWO, None),
        ("Tea.", TWO, None),
        ("", TWO, None),
        ('[{"known"', TWO, None),
    ],
)
def test_reply_is_read_or_left(text, found, parsed) -> None:
    assert parse_reply(text, found) == parsed


def test_what_is_given_to_the_model() -> None:
    found = recollection('I like "tea"\nand more', "no sugar", profile="- Likes tea (2026-11-20)")
    assert model_input(found, "What do they drink?") == (
        "Profile:\n"
        "- Likes tea (2026-11-20)\n"
        "\n"
        "What the person said:\n"
        "1. 2026-11-22: \"I like 'tea' and more\"\n"
        '2. 2026-11-22, said 2 times: "no sugar"\n'
        "\n"
        "Question: What do they drink?"
    )


def test_there_is_no_profile_yet() -> None:
    assert model_input(TWO, "?").startswith("Profile:\nnone yet\n\n")


def test_everything_that_is_known() -> None:
    assert recollection_text(PROFILE) == "This is known:\n- Likes tea (2026-11-20)"
    assert recollection_text(TWO) == (
        'This is known:\n2026-11-22: "I like tea"\n2026-11-22, said 2 times: "no sugar"'
    )


def test_what_was_set_right_is_told_so() -> None:
    memory = Memory(id=1, text="no tea", at=NOON, origin=Origin.CORRECTED)
    found = Recollection(memories=(memory,))
    assert '1. 2026-11-22 (corrected): "no tea"' in model_input(found, "?")
