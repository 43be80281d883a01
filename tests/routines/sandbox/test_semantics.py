"""Calls of checks, their answers and their results."""

import pytest

from custom_components.sage.routines.sandbox import outcomes as outcomes_of
from custom_components.sage.routines.sandbox.monty import MontyEngine
from custom_components.sage.routines.sandbox.sandbox_types import (
    ConditionFunction,
    Fault,
    FunctionCall,
    FunctionResult,
    Parameter,
)

from .workshop import ANSWERS, FUNCTIONS, check, run


def body(text: str) -> str:
    return "def check():\n" + "".join(f"    {line}\n" for line in text.split("\n"))


# Answers


def test_a_condition_function_returns_its_answer(engine: MontyEngine):
    outcome = run(engine, body('return get_state("light.hall") == "on"'))

    assert outcome.value is True
    assert outcome.questions == {FunctionCall("get_state", ("light.hall",))}
    assert not outcome.missing


@pytest.mark.parametrize(
    "call",
    [
        'get_history("light.hall")',
        'get_history("light.hall", 60)',
        'get_history("light.hall", 60.0)',
        'get_history("light.hall", minutes=60)',
        'get_history(minutes=60, name="light.hall")',
        'get_history(*["light.hall"], **{"minutes": 60})',
    ],
)
def test_arguments_are_put_in_order_with_their_defaults(engine: MontyEngine, call: str):
    outcome = run(engine, body(f"return {call}[0]['value'] == 'on'"))

    assert outcome.value is True
    assert outcome.questions == {FunctionCall("get_history", ("light.hall", 60.0))}


def test_what_has_no_answer_is_missing_and_more_may_be_asked(engine: MontyEngine):
    outcome = run(
        engine,
        body('a = get_state("light.a")\nb = get_state("light.b")\nreturn a == b or a > 5'),
    )

    assert outcome.value is None
    assert outcome.error is None
    assert outcome.state is None
    assert outcome.missing == {
        FunctionCall("get_state", ("light.a",)),
        FunctionCall("get_state", ("light.b",)),
    }
    assert outcome.missing <= outcome.questions


def test_an_error_that_may_come_of_a_missing_answer_is_none(engine: MontyEngine):
    outcome = run(engine, body('return float(get_state("sensor.x")) > 5'))

    assert outcome.error is None
    assert outcome.missing == {FunctionCall("get_state", ("sensor.x",))}


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
def test_an_unknown_answer_makes_the_check_unknown_whatever_it_does(engine: MontyEngine, text: str):
    outcome = run(engine, body(text), state={"kept": 1})

    assert outcome.is_unknown
    assert outcome.value is None
    assert outcome.error is None
    assert outcome.state is None


def test_some_functions_may_be_asked_about_the_unknown(engine: MontyEngine):
    outcome = run(engine, body('return is_available("sensor.away")'))

    assert outcome.value is False
    assert not outcome.is_unknown


def test_an_error_is_raised_at_the_line_of_the_call(engine: MontyEngine):
    outcome = run(engine, body('x = 1\n\nreturn get_state("light.hal") == "on"'))

    assert outcome.error
    assert outcome.error.fault is Fault.EXCEPTION
    assert outcome.error.line == 4
    assert "did you mean light.hall?" in str(outcome.error)


def test_an_error_can_be_caught(engine: MontyEngine):
    text = 'try:\n    return get_state("light.hal") == "on"\nexcept ValueError:\n    return True'

    assert run(engine, body(text)).value is True


def test_an_answer_that_is_changed_is_as_before_at_the_next_call(engine: MontyEngine):
    text = 'get_list().append("mine")\nget_history("light.hall")[0]["value"] = "mine"\n'
    text += (
        'return get_list() == ["from the host"] and get_history("light.hall")[0]["value"] == "on"'
    )

    assert run(engine, body(text)).value is True
    assert ANSWERS[FunctionCall("get_list", ())].value == ["from the host"]


def test_an_answer_that_cannot_be_handed_over_is_an_error(engine: MontyEngine):
    answers = {FunctionCall("get_list", ()): FunctionResult(value=object())}  # type: ignore[arg-type]

    outcome = run(engine, body("return get_list() == 1"), answers=answers)

    assert outcome.error
    assert "cannot be handed over" in outcome.error.message


# Arguments


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("get_state(5)", "name has to be str"),
        ("get_state(None)", "name has to be str"),
        ("get_state(True)", "name has to be"),
        ('get_state(["light.hall"])', "name has to be str"),
        ("get_state({})", "name has to be str"),
        ("get_state(check)", "name has to be str"),
        ("get_state(b'light.hall')", "name has to be str"),
        ("get_state(now())", "name has to be str"),
        ("get_state('x' * 300)", "longer than 256"),
        ("get_state()", "missing 1 required positional argument"),
        ("get_state('a', 'b')", "takes 1 positional argument"),
        ("get_state('a', room='b')", "unexpected keyword argument"),
        ("get_history('a', '5')", "minutes has to be float"),
        ("get_history('a', True)", "minutes has to be float"),
        ("get_history('a', None)", "minutes has to be float"),
        ("get_history('a', 10**30)", "too large"),
        ("get_history('a', float('inf'))", "too large"),
        ("get_history('a', float('nan'))", "too large"),
        ("get_history('a', timedelta(minutes=5))", "minutes has to be float"),
    ],
)
def test_an_argument_of_another_kind_is_an_error_with_its_line(
    engine: MontyEngine, call: str, words: str
):
    outcome = run(engine, body(f"x = 1\nreturn {call} == 1"))

    assert not outcome.missing
    assert outcome.error
    assert words in outcome.error.message
    assert outcome.error.line in {3, None}


def test_more_questions_than_a_check_may_ask_are_an_error(engine: MontyEngine):
    outcome = run(engine, body('for n in range(1000):\n    get_state(f"light.{n}")\nreturn True'))
    caught = run(
        engine,
        body(
            'for n in range(1000):\n    try:\n        get_state(f"light.{n}")\n'
            "    except ValueError:\n        pass\nreturn True"
        ),
    )

    assert outcome.error
    assert "200 questions" in outcome.error.message
    assert outcome.error.line == 3
    assert not outcome.missing
    assert caught.error
    assert caught.value is None


def test_a_function_that_is_added_later_needs_no_change():
    invented = ConditionFunction(
        name="count_of_eggs",
        parameters=(
            Parameter(name="basket", type="str"),
            Parameter(name="fresh", type="bool", required=False, default=True),
            Parameter(name="least", type="int", required=False, default=0),
            Parameter(name="farm", type="str", required=False, default=None),
        ),
    )
    other = MontyEngine((*FUNCTIONS, invented), lambda: "UTC")
    question = FunctionCall("count_of_eggs", ("red", True, 6, None))
    try:
        other.start()
        asked = run(other, body('return count_of_eggs("red", least=6.0) > 5'))
        told = run(
            other,
            body('return count_of_eggs("red", least=6) > 5'),
            answers={question: FunctionResult(value=7)},
        )
    finally:
        other.close()

    assert asked.missing == {question}
    assert told.value is True


# Results


@pytest.mark.parametrize(
    "value", ["1", "0", "None", '"True"', "[]", "check", "1.0", "now()", "(True,)", "lambda: True"]
)
def test_only_a_bool_is_a_result(engine: MontyEngine, value: str):
    outcome = run(engine, body(f"return {value}"))

    assert outcome.value is None
    assert outcome.error
    assert outcome.error.fault is Fault.NO_BOOL
    assert "True or False" in outcome.error.hint


def test_a_way_without_return_is_named(engine: MontyEngine):
    outcome = run(engine, body('if get_state("light.hall") == "off":\n    return True'))

    assert outcome.error
    assert "returned nothing" in outcome.error.message


def test_an_exception_has_its_line_also_in_a_helper(engine: MontyEngine):
    source = "def half(x):\n    return x / 0\n\ndef check():\n    return half(4) > 1\n"

    outcome = run(engine, source)

    assert outcome.error
    assert outcome.error.fault is Fault.EXCEPTION
    assert outcome.error.line == 2
    assert "division by zero" in outcome.error.message


def test_what_is_printed_is_kept_up_to_a_length(engine: MontyEngine):
    outcome = run(engine, body('print("a", 5, sep="-")\nprint("x" * 9000)\nreturn True'))

    assert outcome.printed.startswith("a-5\nxxx")
    assert len(outcome.printed) == 2000


def test_what_one_prints_is_not_told_of_another(engine: MontyEngine):
    loud = check(body('print("mine")\nreturn True'), "loud")
    outcomes = engine.run([loud, check(body("return True"), "quiet")])

    assert outcomes["loud"].printed == "mine\n"
    assert outcomes["quiet"].printed == ""


def test_the_same_source_may_be_due_twice(engine: MontyEngine):
    source = body('state["n"] = state.get("n", 0) + 1\nreturn state["n"] > 1')
    outcomes = engine.run(
        [check(source, "first", state={"n": 0}), check(source, "second", state={"n": 5})]
    )

    assert outcomes["first"].value is False
    assert outcomes["second"].value is True
    assert outcomes["second"].state == {"n": 6}


def test_nothing_but_the_state_lasts_from_run_to_run(engine: MontyEngine):
    source = "seen = []\n\ndef check():\n    seen.append(1)\n    return len(seen) == 1\n"

    assert [run(engine, source).value for _ in range(3)] == [True, True, True]


def test_a_slow_check_is_told_so(engine: MontyEngine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(outcomes_of, "SLOWEST", 0.0)

    error = run(engine, "def check():\n    return True\n").error

    assert error
    assert error.fault is Fault.TIME
    assert "Compute less" in str(error)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("statistics.mean([])", "at least one"),
        ("statistics.stdev([1])", "at least 2"),
        ("statistics.median([])", "no median"),
        ("statistics.mode([])", "no mode"),
        ("next(iter([]))", "StopIteration"),
        ("next(x for x in [])", "StopIteration"),
        ("json.nope", "nope"),
        ("check()", "RecursionError"),
    ],
)
def test_what_stands_in_for_python_fails_as_python_does(engine: MontyEngine, text: str, words: str):
    outcome = run(engine, body(f"return {text} == 1"))

    assert outcome.value is None
    assert words in str(outcome.error)


@pytest.mark.parametrize(
    "text",
    [
        "statistics.pstdev([1, 1]) + statistics.variance([1, 1]) == 0.0",
        "statistics.mode([1, 2, 2]) == 2 and statistics.pvariance([1]) == 0",
        "datetime.strptime('24.12.', '%d.%m.').month == 12",
        "datetime.strptime('2026-03-01', '%Y-%m-%d').year == 2026",
        "datetime.fromtimestamp(86400).year == 1970",
        "[next(iter([7, 8])), next((x for x in []), 5)] == [7, 5]",
        "callable(len) and not callable(5)",
    ],
)
def test_what_stands_in_for_python_gives_what_python_gives(engine: MontyEngine, text: str):
    assert run(engine, body(f"return {text}")).value is True
