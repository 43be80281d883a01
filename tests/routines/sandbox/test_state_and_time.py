"""State of checks between runs, and the time in a check."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from custom_components.sage.routines.sandbox.monty import MontyEngine
from custom_components.sage.routines.sandbox.sandbox_types import (
    Fault,
    FunctionCall,
    FunctionResult,
)

from .workshop import ANSWERS, FUNCTIONS, NOON, run


def body(text: str) -> str:
    return "def check():\n" + "".join(f"    {line}\n" for line in text.split("\n"))


# State


def test_a_state_comes_back_as_it_was(engine: MontyEngine):
    moment = datetime(2026, 10, 25, 2, 30, tzinfo=timezone(timedelta(hours=2)))
    state = {
        "since": moment,
        "texts": ["a", "ü", ""],
        "nested": {"n": 1, "f": 0.5, "b": True, "none": None, "=": 1, "@": "x"},
    }

    outcome = run(engine, body("return True"), state=state)

    assert outcome.state == state
    assert outcome.state is not state


def test_a_time_in_the_state_can_be_counted_with(engine: MontyEngine):
    begun = run(engine, body('state["since"] = now()\nreturn False'))
    assert begun.state == {"since": NOON}

    later = {**ANSWERS, FunctionCall("now", ()): FunctionResult(value=NOON + timedelta(minutes=11))}
    text = 'return now() - state["since"] > timedelta(minutes=10)'
    assert run(engine, body(text), state=begun.state, answers=later).value is True


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('state["x"] = check', "state['x'] is a function"),
        ('state["x"] = {1, 2}', "sorted(...)"),
        ('state["x"] = datetime.now()', "without a time zone"),
        ('state["x"] = timedelta(1)', "total_seconds()"),
        ('state["x"] = date(2026, 1, 1)', "isoformat()"),
        ('state["x"] = [b"x"]', "state['x'][0] is a bytes"),
        ("state[5] = 1", "A key of state is a int; write str(key)."),
        ('state["x"] = float("nan")', "no finite number"),
        ('state["x"] = 10**30', "more than 63 bits"),
        ('state["x"] = "x" * 17000', "more in it than 16 kB"),
        ('state["x"] = ["x" * 100 for n in range(170)]', "more in it than 16 kB"),
        ('state["x"] = list(range(3000))', "more than 2000 values"),
        ('state["x"] = [[[[[[[[[1]]]]]]]]]', "nested deeper than 8"),
        ('state["x"] = state', "nested deeper than 8"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_the_old_state_stays(
    engine: MontyEngine, change: str, words: str
):
    outcome = run(engine, body(f"{change}\nreturn True"), state={"old": 1})

    assert outcome.value is None
    assert outcome.state is None
    assert outcome.error
    assert outcome.error.fault is Fault.STATE
    assert words in outcome.error.message


def test_a_tuple_is_kept_as_a_list(engine: MontyEngine):
    assert run(engine, body('state["x"] = (1, 2)\nreturn True')).state == {"x": [1, 2]}


def test_after_an_exception_the_old_state_stays(engine: MontyEngine):
    outcome = run(engine, body('state["x"] = 1\nreturn 1 / 0 > 1'))

    assert outcome.error
    assert outcome.state is None


# Time


@pytest.mark.parametrize(
    "text",
    [
        "return datetime.now() == datetime(2026, 7, 1, 12, 0)",
        "return datetime.now().hour == 12",
        "return datetime.today().hour == 12",
        "return datetime.utcnow() == datetime(2026, 7, 1, 10, 0)",
        "return date.today() == date(2026, 7, 1)",
        "return datetime.now(timezone.utc).hour == 10",
        "return datetime.now(tz=timezone.utc) == now()",
        "return now().astimezone().hour == 12",
        "import datetime as dt\nreturn dt.datetime.now() == dt.datetime(2026, 7, 1, 12)",
        "from datetime import datetime as when\nreturn when.now() == when(2026, 7, 1, 12)",
    ],
)
def test_the_clock_is_the_one_that_is_asked_about_at_home(engine: MontyEngine, text: str):
    outcome = run(engine, body(text))

    assert outcome.value is True
    assert outcome.questions == {FunctionCall("now", ())}


def test_a_clock_that_is_not_known_is_asked_for(engine: MontyEngine):
    outcome = run(engine, body("return datetime.now().hour > 5"), answers={})

    assert outcome.missing == {FunctionCall("now", ())}


@pytest.mark.parametrize(
    ("zone", "summer", "winter"),
    [
        ("Europe/Berlin", 12, 11),
        ("America/New_York", 6, 5),
        ("Asia/Kolkata", 15, 15),
        ("UTC", 10, 10),
    ],
)
def test_the_home_is_where_the_time_zone_says(zone: str, summer: int, winter: int):
    other = MontyEngine(FUNCTIONS, lambda: zone)
    source = body(f"return datetime.now().hour == {summer}")
    in_winter = {
        FunctionCall("now", ()): FunctionResult(value=datetime(2026, 12, 1, 10, tzinfo=UTC))
    }
    try:
        other.start()
        assert run(other, source).value is True
        source = body(f"return now().astimezone().hour == datetime.now().hour == {winter}")
        assert run(other, source, answers=in_winter).value is True
    finally:
        other.close()


def test_a_home_that_moves_takes_the_clock_with_it():
    zones = ["Europe/Berlin"]
    other = MontyEngine(FUNCTIONS, lambda: zones[0])
    try:
        other.start()
        assert run(other, body("return datetime.now().hour == 12")).value is True
        zones[0] = "America/New_York"
        assert run(other, body("return datetime.now().hour == 6")).value is True
    finally:
        other.close()


def test_without_a_clock_function_the_time_is_that_of_the_machine():
    engine = MontyEngine((), lambda: "UTC")
    try:
        engine.start()
        outcome = run(engine, body("state['t'] = datetime.now(timezone.utc)\nreturn True"))
    finally:
        engine.close()
    assert outcome.state
    since = datetime.now(UTC) - outcome.state["t"]  # type: ignore[operator]
    assert abs(since) < timedelta(minutes=1)
