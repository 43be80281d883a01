"""When a command of the demo counts as done."""

from typing import Any

import pytest

from scripts.demonstration.verdict import complaints, complaints_of_event

DONE = {"kind": "verified", "command": "turn_on"}


def polling(*, error: bool) -> dict[str, Any]:
    """Return the trace of a run that stored a routine, or tried to."""
    tool = {"kind": "tool", "name": "condition_polling", "error": error}
    return {"root": {"name": "sage", "children": [{"name": "writing", "children": [tool]}]}}


STORED, REFUSED = polling(error=False), polling(error=True)


@pytest.mark.parametrize(
    ("trace", "expect", "complaint"),
    [
        ({"outcomes": [DONE]}, (), None),
        ({"outcomes": [DONE, DONE]}, (), None),
        ({"external_actions": ["done"]}, (), None),
        ({"external_actions": ["unknown"]}, (), "outside the home: unknown"),
        ({"reads": 1}, (), "needs --expect"),
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
        (STORED, (), None),
        (STORED, ("floor",), None),
        (STORED, ("kitchen",), "does not hold 'kitchen'"),
        (STORED | {"outcomes": [DONE | {"kind": "failed"}]}, (), "turn_on is not verified"),
        (REFUSED, (), "no command was executed"),
        (REFUSED, ("floor",), "nothing was read"),
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


MILK = "Throw out the milk."


@pytest.mark.parametrize(
    ("fired", "traces", "delivered", "expect", "complaint"),
    [
        (1, [{"outcomes": [DONE]}], [], (), None),
        (1, [{"outcomes": []}], [MILK], (), "no command was executed"),
        (1, [{"outcomes": []}], [MILK], ("MILK",), None),
        (2, [{"outcomes": [DONE]}, {"outcomes": []}], [MILK], ("milk",), None),
        (0, [], [], (), "no routine fired"),
        (0, [], [MILK], ("milk",), "no routine fired"),
        (1, [], [], (), "did not come to an end"),
        (1, [{"outcomes": []}], [], (), "no command was executed"),
        (1, [{"outcomes": []}], [], ("milk",), "does not hold 'milk'"),
        (1, [{"outcomes": [DONE]}], [], ("milk",), "does not hold 'milk'"),
        (1, [{"outcomes": []}], [MILK], ("eggs",), "does not hold 'eggs'"),
        (1, [{"outcomes": [DONE | {"kind": "failed"}]}], [MILK], (), "not verified: failed"),
    ],
)
def test_verdict_of_an_event(
    fired: int,
    traces: list[dict[str, Any]],
    delivered: list[str],
    expect: tuple[str, ...],
    complaint: str | None,
) -> None:
    found = complaints_of_event(
        fired=fired, traces=traces, delivered=delivered, expect=expect, expect_nothing=False
    )
    if complaint is None:
        assert found == ()
    else:
        assert complaint in " ".join(found)


@pytest.mark.parametrize(("fired", "traces"), [(1, []), (0, []), (2, [{"outcomes": [DONE]}])])
def test_where_somebody_is_asked_it_is_not_over(fired: int, traces: list[dict[str, Any]]) -> None:
    found = complaints_of_event(
        fired=fired,
        traces=traces,
        delivered=["Which light?"],
        asks=True,
        expect=(),
        expect_nothing=False,
    )
    assert found == ("it asks back, and waits for the answer",)


@pytest.mark.parametrize(
    ("fired", "traces", "delivered"),
    [(1, [], []), (0, [{"outcomes": [DONE]}], []), (0, [], [MILK])],
)
def test_where_nothing_is_expected_anything_is_too_much(
    fired: int, traces: list[dict[str, Any]], delivered: list[str]
) -> None:
    def judge(fired: int, traces: list[dict[str, Any]], delivered: list[str]) -> tuple[str, ...]:
        return complaints_of_event(
            fired=fired, traces=traces, delivered=delivered, expect=(), expect_nothing=True
        )

    assert judge(fired, traces, delivered) == ("something came of it",)
    assert judge(0, [], []) == ()
