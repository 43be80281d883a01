"""The contract between SAGE and condition code: its functions, values, results and errors.

Condition code is a Python function without arguments that returns a bool. It calls condition
functions such as `get_state("lamp")`, which SAGE answers outside the sandbox.
"""

import ast
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from inspect import Parameter
from typing import Any, Final

type Scalar = bool | int | float | str | None
type Value = Scalar | datetime | Sequence[Value] | Mapping[str, Value]
"""The type of all values that enter or leave the sandbox: JSON types and aware datetimes."""


EVERY_CHECK: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Expiry time of results that are valid for one evaluation only, such as `now()`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionFunction:
    """A function, such as `get_state`, that condition code may call."""

    name: str
    parameters: tuple[Parameter, ...] = ()  # of the types `str`, `int`, `float` and `bool`
    returns: str = "object"  # the return type in the signature that the model sees
    description: str = ""  # a description of the function for the model, on one line

    def __str__(self) -> str:
        says = f": {self.description}" if self.description else ""
        return f"{self.name}({', '.join(map(str, self.parameters))}) -> {self.returns}{says}"


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call such as `get_state("lamp")`; `arguments` in order, with the default values."""

    function: str
    arguments: tuple[Scalar, ...] = ()

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(repr, self.arguments))})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionResult:
    """The result of a call of a condition function."""

    value: Value = None
    is_unknown: bool = False
    """Whether the value is unknown, e.g. of an unavailable device: the call returns None."""

    error: str = ""  # text of the exception that the call raises in the code; empty if it succeeds
    keys: frozenset[str] = frozenset()
    """Entity ids, or opaque keys of the home, of the values on which the result depends."""

    fresh_until: datetime | None = None
    """When the result expires even if no value changes (UTC); None: never."""

    bindings: Mapping[str, str] = field(default_factory=dict)
    """Device name in the call -> reference, e.g. `{"lamp": "entity:<registry id>"}`."""

    is_free_text: bool = False
    """Whether the result may contain untrusted text, which prompts have to mark as data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckError:
    """An error of condition code, with texts for the model that wrote the code."""

    fault: Fault
    message: str
    line: int | None = None  # line of the condition code, from 1; None if unknown
    hint: str = ""  # a sentence that says how to fix the error; may be empty
    detail: str = ""
    """Technical details in English, shown after a translated sentence; may be empty."""

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.message}" + (f" {self.hint}" if self.hint else "")


class Fault(StrEnum):
    """The reason why an evaluation of condition code gave no bool."""

    SYNTAX = "syntax"  # the source is not valid Python, or uses syntax that the sandbox lacks
    EXCEPTION = "exception"
    NO_BOOL = "no_bool"  # the function returned a value of another type
    TIME = "time"
    MEMORY = "memory"
    RECURSION = "recursion"
    STATE = "state"  # the new `state` dict cannot be stored; the previous one is kept
    CRASH = "crash"  # the worker process ended while the code ran, or returned no valid result
    WITHHELD = "withheld"  # the code reads what does not exist, or what the person may not read


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """The outcome of one evaluation of condition code."""

    value: bool | None = None
    """The returned bool; None if the code failed, or if a value that it read was unknown."""

    error: CheckError | None = None
    """The error of the code; None if it ran without an error.

    Also None if the code failed after it had read an unknown value, which may be the cause.
    """

    is_unknown: bool = False
    """Whether a value that the code read is unknown now, e.g. of an unavailable device."""

    state: Mapping[str, Value] | None = None
    """The dict `state` after the evaluation. None: keep the previous one."""

    answers: Mapping[FunctionCall, FunctionResult] = field(default_factory=dict)
    """The calls that the code made, such as `get_state("lamp")`, with their results."""

    foreseen: Mapping[str, str] = field(default_factory=dict)
    """The `bindings` of calls in branches that did not run; known only after a test run."""

    faults: tuple[str, ...] = ()
    """Errors of calls in any branch, each with its line and a fix; known only after a test run."""

    @property
    def keys(self) -> frozenset[str]:
        """The values that the code read, see `FunctionResult.keys`."""
        return frozenset(key for answer in self.answers.values() for key in answer.keys)

    @property
    def fresh_until(self) -> datetime | None:
        """When the first value that the code read expires; or None."""
        times = (answer.fresh_until for answer in self.answers.values())
        return min((at for at in times if at is not None), default=None)

    @property
    def bindings(self) -> dict[str, str]:
        """Device name in the code -> reference, e.g. `{"lamp": "entity:<registry id>"}`."""
        bindings = dict(self.foreseen)
        for answer in self.answers.values():
            bindings |= answer.bindings
        return bindings


class SandboxError(Exception):
    """Condition code cannot run on this machine; the text says how to fix it."""

    def __init__(
        self,
        detail: str,
        fix: str = (
            "Make sure that Home Assistant runs on 64-bit Linux (x86 or ARM) and has internet "
            "access, free memory and free disk space, then restart it."
        ),
    ) -> None:
        """`detail`: a technical sentence about the reason."""
        super().__init__(f"{detail} {fix}")
        self.detail = detail
        self.fix = fix


LATER: Final = "Try again in a moment."
"""The fix of a `SandboxError` while the interpreter Monty is starting, or is closed."""


# ------------------------------------------------------------ values

STATE_BYTES: Final = 16_000
"""Maximum size of the dict `state`: texts in UTF-8, and 8 bytes for each other value."""

RESULT_BYTES: Final = 512_000  # maximum size of a result of a condition function
LONGEST_ARGUMENT: Final = 256
_DEEPEST: Final = 12
_LARGEST_INTEGER: Final = 2**63 - 1
_KEPT: Final = "Texts, numbers, bools, None, aware datetimes, lists and dicts can be kept."
_INSTEAD: Final = {
    "set": "Keep sorted(...) of it, a list.",
    "date": "Keep its isoformat(), a text.",
    "time": "Keep its isoformat(), a text.",
    "timedelta": "Keep its total_seconds(), a number.",
}


class PlainError(Exception):
    """A value has a type or size that the sandbox does not allow."""


class _Gate:
    """Copies one value that enters or leaves the sandbox, up to a maximum size."""

    def __init__(self, most: int) -> None:
        self._most = self._left = most

    def copy(self, value: object, where: str, depth: int = 0) -> Value:
        if isinstance(value, str):
            return self._text(value, where)
        self._pay(8, where)
        if isinstance(value, list | tuple | Mapping) and depth >= _DEEPEST:
            raise PlainError(f"{where} is nested deeper than {_DEEPEST} levels.")
        if isinstance(value, list | tuple):
            return [self.copy(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
        if not isinstance(value, Mapping):
            return _scalar(value, where)
        copied: dict[str, Value] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                kind = type(key).__name__
                raise PlainError(f"A key of {where} is a {kind}; write str({key!r:.40}).")
            name = self._text(key, where)
            copied[name] = self.copy(item, f"{where}[{key!r:.40}]", depth + 1)
        return copied

    def _text(self, value: str, where: str) -> str:
        try:
            self._pay(len(value.encode()), where)
        except UnicodeEncodeError:
            raise PlainError(f"{where} holds half a character, which no file can keep.") from None
        return str.__str__(value)

    def _pay(self, size: int, where: str) -> None:
        self._left -= size
        if self._left < 0:
            raise PlainError(f"There is more in it than {self._most // 1000} kB, at {where:.80}.")


def _scalar(value: object, where: str) -> Value:
    match value:
        case None | bool():
            return value
        case int():
            if abs(value) > _LARGEST_INTEGER:
                raise PlainError(f"{where} is a number of more than 63 bits.")
            return int(value)
        case float():
            if not math.isfinite(value):
                raise PlainError(f"{where} is no finite number.")
            return float(value)
        case datetime():
            if value.utcoffset() is None:
                raise PlainError(f"{where} is a time without a time zone. Keep now() instead.")
            return value if type(value) is datetime else datetime.fromisoformat(value.isoformat())
    kind = type(value).__name__
    raise PlainError(f"{where} is a {kind}. {_INSTEAD.get(kind, _KEPT)}")


def to_plain(value: object, most: int, where: str) -> Value:
    """Return a deep copy of `value` that has only built-in types; tuples become lists.

    Raises PlainError for unsupported types, and for values of more than `most` bytes. `where` is
    the name of the value in the error text.
    """
    return _Gate(most).copy(value, where)


def to_state(value: object) -> dict[str, Value]:
    """Return a copy of `value`, the dict `state` that condition code keeps between evaluations.

    Raises PlainError if `value` is not a dict, is too large, or contains an unsupported type.
    """
    state = to_plain(value, STATE_BYTES, "state")
    if not isinstance(state, dict):
        raise PlainError("state has to stay a dict.")
    return state


def to_call(
    function: ConditionFunction, arguments: tuple[Any, ...], named: Mapping[str, Any]
) -> FunctionCall:
    """Return a call of a condition function with all its arguments.

    Raises PlainError for a wrong number of arguments, and for an argument that is no bool, number,
    text or None, or is too large.
    """
    parameters = function.parameters
    names = [each.name for each in parameters]
    if len(arguments) > len(names) or not named.keys() <= set(names[len(arguments) :]):
        raise PlainError(f"{function.name} takes these arguments: {', '.join(names) or 'none'}.")
    values = dict(zip(names, arguments, strict=False)) | dict(named)
    for each in parameters:
        if each.default is each.empty and each.name not in values:
            raise PlainError(f"{function.name} needs the argument {each.name}.")
    complete: list[Scalar] = []
    for each in parameters:
        value = values.get(each.name, each.default)
        if type(value) is str and len(value) > LONGEST_ARGUMENT:
            raise PlainError(f"{each.name} is longer than {LONGEST_ARGUMENT} characters.")
        if type(value) in (int, float):
            to_plain(value, RESULT_BYTES, each.name)
        elif value is not None and type(value) not in (bool, str):
            kind = type(value).__name__
            raise PlainError(f"{each.name} has to be a text, a number or a bool, not {kind}.")
        complete.append(value)
    return FunctionCall(function.name, tuple(complete))


# ------------------------------------------------------------ code

MODULES: Final = ("collections", "datetime", "functools", "itertools", "json", "math", "re")
"""Modules that condition code may import."""


_MOST_CALLS: Final = 60


def constant_calls(
    source: str, functions: Mapping[str, ConditionFunction]
) -> Mapping[FunctionCall, int]:
    """Return the calls of `functions` with literal arguments in any branch: call -> line."""
    calls: dict[FunctionCall, int] = {}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if (function := functions.get(node.func.id)) is None:
            continue
        try:
            values = tuple(map(ast.literal_eval, node.args))
            named = {each.arg or "": ast.literal_eval(each.value) for each in node.keywords}
            calls.setdefault(to_call(function, values, named), node.lineno)
        except ValueError, PlainError:
            # The arguments are unknown before the code runs, or the call is wrong.
            continue
        if len(calls) == _MOST_CALLS:
            break
    return calls


MISSING_FEATURES: Final = (
    """\
It is a small Python. These are not there: generators (`yield`), `del`, `with`, \
`async` and `await`, `global`, `isocalendar()`, `eval`, `exec`, `getattr`, `datetime.today()`, \
`fromtimestamp`, fractions in `timedelta`, `strptime` without a date; \
only these modules can be imported: """
    + ", ".join(MODULES)
    + """. \
A method is no value: write `key=lambda k: d[k]`, not `key=d.get`, and `[x.strip() for x in xs]`, \
not `map(str.strip, xs)`.
"""
)
"""Prompt text: the Python features that condition code lacks. A test verifies the list."""


def condition_task_info(prompt: str, functions: Iterable[ConditionFunction]) -> str:
    """Return the prompt with the list of functions that condition code may call."""
    # Equal arguments must give the same bytes: the model server caches prompts.
    listed = "\n".join(f"- {function}" for function in functions)
    return prompt.replace("{functions}", listed).replace("{missing}", MISSING_FEATURES.strip())
