"""When a command of the demo counts as done."""

from typing import Any

import pytest

from scripts.demonstration.verdict import complaints

DONE = {"kind": "verified", "command": "turn_on"}


@pytest.mark.parametrize(
    ("trace", "expect", "complaint"),
    [
        ({"outcomes": [DONE]}, (), None),
        ({"outcomes": [DONE, DONE]}, (), None),
        (None, (), "no trace"),
        ({"outcomes": []}, (), "no command was executed"),
        ({}, (), "no command was executed"),
        ({"outcomes": [DONE, DONE | {"kind": "failed"}]}, (), "turn_on is not verified: failed"),
        ({"outcomes": [DONE | {"kind": "not_confirmed"}]}, (), "not_confirmed"),
        ({"reads": 1}, ("FLOOR lamp",), None),
        ({"reads": 1}, ("kitchen",), "does not hold 'kitchen'"),
        ({"reads": 1}, ("floor", "kitchen"), "does not hold 'kitchen'"),
        ({"reads": 0}, ("floor",), "nothing was read"),
        ({"outcomes": [DONE]}, ("floor",), "nothing was read"),
        (None, ("floor",), "no trace"),
    ],
)
def test_verdict(
    trace: dict[str, Any] | None, expect: tuple[str, ...], complaint: str | None
) -> None:
    found = complaints("The Floor Lamp is on.", trace, expect)
    if complaint is None:
        assert found == ()
    else:
        assert complaint in " ".join(found)


def test_a_question_back_is_not_done() -> None:
    assert complaints("Which lamp?", None, (), asks=True) == (
        "it asks back, and waits for the answer",
    )
