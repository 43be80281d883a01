"""Calls of condition code, their results, its state and its clock."""

from datetime import datetime, timedelta, timezone

import pytest

from custom_components.sage.routines.sandbox.contract import Fault, FunctionCall, FunctionResult

from .workshop import ANSWERS, NOON, Engine, run


def body(text: str) -> str:
    return "def check():\n" + "".join(f"    {line}\n" for line in text.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        'return get_state("light.hall") == "on"',
        'return [get_state(name) for name in ("light.hall", "lock.door")] == ["on", "locked"]',
        "reads = get_state\nreturn reads(name='light.hall') == 'on'",
        'try:\n    return get_state("light.hal") == "on"\nexcept ValueError:\n    return True',
        'get_list().append("mine")\nreturn get_list() == ["from the host"]',
        "return [next(iter([7, 8])), next((x for x in []), 5)] == [7, 5]",
        "return datetime.now() == datetime(2026, 7, 1, 12, 0)",
        "return date.today() == date(2026, 7, 1)",
        "return datetime.now(tz=timezone.utc) == now()",
        "return now().astimezone().hour == 12",
        "import datetime as dt\nreturn dt.datetime.now() == dt.datetime(2026, 7, 1, 12)",
    ],
)
def test_true(engine: Engine, text: str):
    assert run(engine, body(text)).value is True


@pytest.mark.parametrize(
    "text",
    [
        'return get_state("sensor.away") == "on"',
        'return get_state("sensor.away") is None',
        'return float(get_state("sensor.away")) > 5',
        'try:\n    return get_state("sensor.away") + 1 > 0\nexcept Exception:\n    return True',
        'get_state("sensor.away")\nreturn True',
    ],
)
def test_an_unknown_answer_makes_the_check_unknown_whatever_it_does(engine: Engine, text: str):
    outcome = run(engine, body(text), state={"kept": 1})

    assert outcome.is_unknown
    assert (outcome.value, outcome.error, outcome.state) == (None, None, None)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('x = 1\n\nreturn get_state("light.hal") == "on"', 4, "did you mean light.hall?"),
        ("return get_state() == 1", 2, "needs the argument name"),
        ("return nope()", 2, "'nope' is not defined"),
        ("return get_state(now()) == 1", 2, "not datetime"),
        ("return next(x for x in []) == 1", 2, "StopIteration"),
        ("return timedelta(minutes=1.5) > now()", 2, "whole numbers"),
        ("return datetime.strptime('07:30', '%H:%M')", 2, "time(7, 30)"),
        ("return datetime.today()", 2, "Use now()"),
        ("return 'a'.upper == 'A'", 2, "call it"),
        ("return max({}, key={}.get)", 2, "call it"),
        ("yield True", 2, "Return a list"),
        ("return 1 / 0 > 1", 2, "division by zero"),
        ("return check()", 2, "RecursionError"),
        ("for n in range(1000):\n    get_state('light.hall')\nreturn True", 3, "200 times"),
    ],
)
def test_an_error_has_its_line_and_says_how_to_fix_the_code(
    engine: Engine, text: str, line: int | None, words: str
):
    outcome = run(engine, body(text), state={"old": 1})

    assert (outcome.value, outcome.state) == (None, None)
    assert words in str(outcome.error)
    assert outcome.error
    assert outcome.error.line == line


def test_an_answer_that_cannot_be_handed_over_is_an_error(engine: Engine):
    answers = {FunctionCall("get_list", ()): FunctionResult(value=object())}  # type: ignore[arg-type]

    assert "a object" in str(run(engine, body("return get_list() == 1"), answers=answers).error)


@pytest.mark.parametrize(
    "value", ["1", "0", "None", '"True"', "[]", "check", "1.0", "now()", "(True,)", "lambda: True"]
)
def test_only_a_bool_is_a_result(engine: Engine, value: str):
    outcome = run(engine, body(f"return {value}"))

    assert outcome.value is None
    assert outcome.error
    assert outcome.error.fault is Fault.NO_BOOL
    assert "True or False" in outcome.error.hint


def test_nothing_but_the_state_lasts_from_run_to_run(engine: Engine):
    source = "seen = []\n\ndef check():\n    seen.append(1)\n    return len(seen) == 1\n"

    assert [run(engine, source).value for _ in range(3)] == [True, True, True]


def test_a_state_comes_back_as_it_was(engine: Engine):
    when = datetime(2026, 10, 25, 2, 30, tzinfo=timezone(timedelta(hours=2)))
    state = {
        "since": when,
        "texts": ["a", "ü", ""],
        "nested": {"n": 1, "f": 0.5, "b": True, "none": None, "=": 1, "@": "x"},
    }

    outcome = run(engine, body("return True"), state=state)

    assert outcome.state == state
    assert outcome.state is not state


def test_a_time_in_the_state_can_be_counted_with(engine: Engine):
    begun = run(engine, body('state["since"] = now()\nreturn False'))
    assert begun.state == {"since": NOON}

    later = {**ANSWERS, FunctionCall("now", ()): FunctionResult(value=NOON + timedelta(minutes=11))}
    text = 'return now() - state["since"] > timedelta(minutes=10)'
    assert run(engine, body(text), state=begun.state, answers=later).value is True


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ('state["x"] = {1, 2}', "sorted(...)"),
        ('state["x"] = datetime.now()', "without a time zone"),
        ('state["x"] = timedelta(1)', "total_seconds()"),
        ('state["x"] = [b"x"]', "state['x'][0] is a bytes"),
        ("state[5] = 1", "A key of state is a int; write str(5)."),
        ('state["x"] = float("nan")', "no finite number"),
        ('state["x"] = "x" * 17000', "more in it than 16 kB"),
        ('state["x"] = list(range(3000))', "more in it than 16 kB"),
    ],
)
def test_what_cannot_be_kept_is_refused_and_the_old_state_stays(
    engine: Engine, change: str, words: str
):
    outcome = run(engine, body(f"{change}\nreturn True"), state={"old": 1})

    assert (outcome.value, outcome.state) == (None, None)
    assert outcome.error
    assert outcome.error.fault is Fault.STATE
    assert words in outcome.error.message
