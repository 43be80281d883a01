"""Validates values that enter or leave the sandbox, and builds the results of evaluations.

Each value is copied to built-in types, such as `str` and `list`. A report is the raw result of one
evaluation of condition code.
"""

import math
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from .sandbox_types import (
    Check,
    CheckError,
    CheckOutcome,
    ConditionFunction,
    Fault,
    FunctionCall,
    FunctionResult,
    Scalar,
    Value,
)

LARGEST_INTEGER: Final = 2**63 - 1
NODE_WEIGHT: Final = 8
"""Assumed size in bytes of a number, bool, None or time, and of an empty list or dict."""


class PlainError(Exception):
    """A value has a type or size that the sandbox does not allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeBudget:
    """The size limit for one value that enters or leaves the sandbox."""

    depth: int
    """Maximum number of levels of nested lists and dicts."""

    weight: int
    """Maximum size in bytes: texts in UTF-8, plus NODE_WEIGHT for each other value."""


ANSWER: Final = SizeBudget(depth=12, weight=512_000)
STATE: Final = SizeBudget(depth=8, weight=16_000)


class PlainGate:
    """Validates and copies one value that enters or leaves the sandbox, up to a maximum size."""

    def __init__(self, budget: SizeBudget) -> None:
        self._budget = budget
        self._left = budget.weight

    def take(self, value: object, where: str, depth: int = 0) -> Value:
        """Return a deep copy of `value` that has only built-in types; tuples become lists.

        Raises PlainError for unsupported types, and for values larger than the size budget. `where`
        is the name of the value in the error text.
        """
        kind = type(value)
        if isinstance(value, str):
            return self._text(value, where)
        if value is None or kind is bool:
            self._pay(NODE_WEIGHT, where)
            return value  # type: ignore[return-value]
        if isinstance(value, (int, float)):
            self._pay(NODE_WEIGHT, where)
            return _number(value, where)
        if isinstance(value, datetime):
            self._pay(NODE_WEIGHT, where)
            return _moment(value, where)
        if depth >= self._budget.depth:
            raise PlainError(f"{where} is nested deeper than {self._budget.depth} levels.")
        if isinstance(value, (list, tuple)):
            self._pay(NODE_WEIGHT, where)
            return [self.take(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
        if isinstance(value, Mapping):
            self._pay(NODE_WEIGHT, where)
            return {
                self._key(key, where): self.take(item, f"{where}[{key!r:.40}]", depth + 1)
                for key, item in value.items()
            }
        raise PlainError(f"{where} is a {kind.__name__}. {_instead(kind.__name__)}")

    def _text(self, value: str, where: str) -> str:
        text = str.__str__(value)
        try:
            self._pay(len(text) if text.isascii() else len(text.encode()), where)
        except UnicodeEncodeError:
            raise PlainError(f"{where} holds half a character, which no file can keep.") from None
        return text

    def _key(self, key: object, where: str) -> str:
        if not isinstance(key, str):
            raise PlainError(f"A key of {where} is a {type(key).__name__}; write str({key!r:.40}).")
        return self._text(key, f"a key of {where}")

    def _pay(self, weight: int, where: str) -> None:
        self._left -= weight
        if self._left < 0:
            raise PlainError(
                f"There is more in it than {self._budget.weight // 1000} kB, at {where:.80}."
            )


def to_plain(value: object, budget: SizeBudget, where: str = "the value") -> Value:
    """Return a deep copy of `value` that has only built-in types.

    Raises PlainError for unsupported types, and for values larger than `budget`. `where` is the
    name of the value in the error text.
    """
    return PlainGate(budget).take(value, where)


def to_state(value: object) -> dict[str, Value]:
    """Return a copy of `value`, the dict `state` that condition code keeps between evaluations.

    Raises PlainError if `value` is not a dict, is too large, or contains an unsupported type.
    """
    state = to_plain(value, STATE, "state")
    if not isinstance(state, dict):
        raise PlainError("state has to stay a dict.")
    return state


def to_scalar(value: object) -> Scalar:
    """Return a copy of `value`, an argument of a function call in condition code.

    Raises PlainError unless `value` is a bool, number, text or None within the size limit.
    """
    scalar = to_plain(value, SizeBudget(depth=0, weight=2000), "An argument")
    if isinstance(scalar, datetime):
        raise PlainError("An argument is a time.")
    return scalar  # type: ignore[return-value]


def _number(value: float, where: str) -> int | float:
    if isinstance(value, int):
        whole = int(value)
        if abs(whole) > LARGEST_INTEGER:
            raise PlainError(f"{where} is a number of more than 63 bits.")
        return whole
    number = float(value)
    if not math.isfinite(number):
        raise PlainError(f"{where} is no finite number.")
    return number


def _moment(value: datetime, where: str) -> datetime:
    if value.tzinfo is None or value.utcoffset() is None:
        raise PlainError(f"{where} is a time without a time zone. Keep now() instead.")
    return value if type(value) is datetime else datetime.fromisoformat(value.isoformat())


def _instead(kind: str) -> str:
    return {
        "set": "Keep sorted(...) of it, a list.",
        "date": "Keep its isoformat(), a text.",
        "time": "Keep its isoformat(), a text.",
        "timedelta": "Keep its total_seconds(), a number.",
    }.get(kind, "Texts, numbers, bools, None, aware datetimes, lists and dicts can be kept.")


type PreparedAnswers = dict[tuple[str, tuple[object, ...]], tuple[int, Value, bool, str]]
"""Results for prelude.py: (function, arguments) -> (index, value, is unknown, error text)."""

type FunctionSignature = tuple[str, list[tuple[str, str, bool]], bool]
"""The signature of a condition function, for prelude.py.

It has the name, the parameters, and `ConditionFunction.marks_unknown`. A parameter is a tuple:
name, type, and whether None is allowed.
"""

_TOO_MUCH: Final = "It needs too much memory."
_BUILD_LESS: Final = "Build no large texts, lists or numbers."

MAX_CACHED: Final = 500
"""Maximum number of cached results of condition functions."""

# All evaluations share one thread, so a slow one delays those of other people. An evaluation
# usually takes some tenths of a millisecond, on a small computer ten times as long.
SLOWEST: Final = 0.1
"""Maximum seconds for one evaluation of a condition; a longer evaluation counts as failed."""

LONGEST_PRINTED: Final = 2000
LONGEST_MESSAGE: Final = 600
_FIELDS: Final = 8

_FAULTS: Final = {
    "RecursionError": Fault.RECURSION,
    "MemoryError": Fault.MEMORY,
}


class AnswerPreparation:
    """Converts results of condition functions to the form that prelude.py expects."""

    def __init__(self) -> None:
        # Many evaluations get the same results.
        # Sharing is safe: `_ask` in prelude.py gives each evaluation its own copy.
        self._cached: OrderedDict[int, tuple[FunctionResult, Value]] = OrderedDict()

    def prepare(self, answers: Mapping[FunctionCall, FunctionResult]) -> PreparedAnswers:
        """Return the results in the form that prelude.py expects.

        `answers`: function call -> its result. A result with an invalid value becomes an error.
        """
        return {
            (question.function, question.arguments): (number, *self._one(answer))
            for number, (question, answer) in enumerate(answers.items())
        }

    def _one(self, answer: FunctionResult) -> tuple[Value, bool, str]:
        try:
            return self._value(answer), answer.is_unknown, answer.error
        except PlainError as error:
            return None, answer.is_unknown, f"the answer cannot be handed over: {error}"

    def _value(self, answer: FunctionResult) -> Value:
        if answer.value is None or type(answer.value) in {bool, str}:
            return answer.value
        known = self._cached.get(id(answer))
        if known is None:
            # Also keep the answer object, so that no new object can get the same id().
            known = answer, to_plain(answer.value, ANSWER, "the answer")
            self._cached[id(answer)] = known
            if len(self._cached) > MAX_CACHED:
                self._cached.popitem(last=False)
        return known[1]


def describe(functions: Sequence[ConditionFunction]) -> list[FunctionSignature]:
    """Return the signatures of condition functions in the form that prelude.py expects."""
    return [
        (
            function.name,
            [
                (each.name, each.type, not each.required and each.default is None)
                for each in function.parameters
            ],
            function.marks_unknown,
        )
        for function in functions
    ]


class ReportError(Exception):
    """The worker process returned an invalid result for an evaluation of condition code."""


def to_outcome(check: Check, report: object) -> CheckOutcome:
    """Return the outcome of one evaluation of condition code.

    `report` is the raw result of the worker (`_result` in prelude.py). An invalid report gives an
    outcome with the fault CRASH.
    """
    try:
        return _read(check, report)
    except ReportError as error:
        crash = CheckError(fault=Fault.CRASH, message=f"It gave no result. {error}")
        return failed(check, crash)


def _read(check: Check, report: object) -> CheckOutcome:
    if not isinstance(report, (list, tuple)) or len(report) != _FIELDS:
        raise ReportError("It has other fields.")
    kind, detail, is_unknown, asked, missing, state, printed, milliseconds = report
    questions, unanswered = _questions(check, asked, missing)
    took = milliseconds if type(milliseconds) is float else 0.0
    if took > SLOWEST * 1000:
        return failed(check, too_slow(took), took)
    error, new_state = _verdict(kind, detail, state)
    settled = error is None and not unanswered and is_unknown is False
    return CheckOutcome(
        id=check.id,
        value=detail is True if settled else None,
        error=None if unanswered or is_unknown else error,
        is_unknown=bool(is_unknown),
        questions=questions | unanswered,
        missing=unanswered,
        state=new_state if settled else None,
        printed=str(printed)[:LONGEST_PRINTED],
        milliseconds=took,
    )


def _questions(
    check: Check, asked: object, missing: object
) -> tuple[frozenset[FunctionCall], frozenset[FunctionCall]]:
    known = list(check.answers)
    try:
        questions = frozenset(known[number] for number in _sequence(asked))
        unanswered = frozenset(
            FunctionCall(str(function), tuple(to_scalar(argument) for argument in arguments))
            for function, arguments in _sequence(missing)
        )
    except (TypeError, ValueError, IndexError, PlainError) as error:
        raise ReportError(str(error)) from error
    return questions, unanswered


def _sequence(value: Any) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)):
        raise ReportError("It has other fields.")
    return value


def _verdict(
    kind: object, detail: object, state: object
) -> tuple[CheckError | None, Mapping[str, Value] | None]:
    """Return the error of the condition code, and the new `state` dict to store.

    Each of the two may be None. `kind`, `detail`, `state`: fields of the worker's report. Raises
    ReportError if they are invalid.
    """
    if kind == "raised" and isinstance(detail, (list, tuple)):
        return raised(str(detail[0]), str(detail[1])), None
    if kind == "no_bool":
        return no_bool(str(detail)), None
    if kind == "state":
        return _state_error(str(detail)), None
    if kind != "value" or type(detail) is not bool:
        raise ReportError("It names no result.")
    if state is None:
        return None, None
    try:
        return None, to_state(state)
    except PlainError as error:
        return _state_error(str(error)), None


def raised(name: str, text: str, line: int | None = None) -> CheckError:
    """Return the error for an exception that condition code did not catch.

    `name`, `text`: type and message of the exception.
    """
    fault = _FAULTS.get(name, Fault.EXCEPTION)
    if fault is Fault.MEMORY:
        return CheckError(fault=fault, message=_TOO_MUCH, line=line, hint=_BUILD_LESS)
    message = f"{name}: {text}"[:LONGEST_MESSAGE] if text else f"{name}."
    detail = message if fault is Fault.EXCEPTION else ""
    return CheckError(fault=fault, message=message, line=line, detail=detail)


def refused(text: str, line: int | None = None) -> CheckError:
    """Return the error for condition code that Monty, the interpreter, rejects."""
    message = text[:LONGEST_MESSAGE]
    return CheckError(fault=Fault.SYNTAX, message=message, line=line, detail=message)


def no_bool(kind: str) -> CheckError:
    """Return the error for condition code that did not return a bool.

    `kind`: type name of the returned value.
    """
    what = "nothing" if kind == "NoneType" else f"a value of type {kind}"
    return CheckError(
        fault=Fault.NO_BOOL,
        message=f"The function returned {what[:80]}.",
        hint="Return True or False on every way through it.",
    )


def _state_error(text: str) -> CheckError:
    message = text[:LONGEST_MESSAGE]
    return CheckError(fault=Fault.STATE, message=message, detail=message)


def failed(check: Check, error: CheckError, milliseconds: float = 0.0) -> CheckOutcome:
    """Return the outcome of `check`, an evaluation of condition code that failed.

    `error`: the reason. `milliseconds`: the duration of the evaluation.
    """
    return CheckOutcome(id=check.id, error=error, milliseconds=milliseconds)


def out_of_time(seconds: float) -> CheckError:
    """Return the error for condition code that did not end within `seconds`."""
    return CheckError(
        fault=Fault.TIME,
        message=f"It did not end within {seconds:g} seconds.",
        hint="Do not wait or loop for a change: return False, the check runs again.",
    )


def too_slow(milliseconds: float) -> CheckError:
    """Return the error for condition code that took too long, but ended."""
    return CheckError(
        fault=Fault.TIME,
        message=f"It took {milliseconds:.0f} ms; a check may take {SLOWEST * 1000:.0f}.",
        hint="Compute less: ask for a shorter history, and go through it once.",
    )


def out_of_memory(limit: int) -> CheckError:
    """Return the error for condition code that needs more than `limit` bytes."""
    return CheckError(
        fault=Fault.MEMORY,
        message=f"It needs more than {limit // 1_000_000} MB.",
        hint=_BUILD_LESS,
    )


def broken_off() -> CheckError:
    """Return the error for a crash of the worker process while condition code ran."""
    return CheckError(fault=Fault.CRASH, message="The sandbox broke off while it ran.")
