"""Data types for the input and output of the sandbox, which evaluates condition code.

Condition code is a Python function without arguments that returns a bool. It calls condition
functions such as `get_state("lamp")`, which SAGE answers outside the sandbox.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

type Scalar = bool | int | float | str | None
type Value = Scalar | datetime | Sequence[Value] | Mapping[str, Value]
"""The type of all values that enter or leave the sandbox: JSON types and aware datetimes."""


EVERY_CHECK: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""Expiry time of results that are valid for one evaluation only, such as `now()`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a condition function."""

    name: str
    type: str
    """The type in the signature that the model sees: `str`, `int`, `float` or `bool`."""

    required: bool = True
    default: Scalar = None

    def __str__(self) -> str:
        """Return the parameter as in a Python signature."""
        return f"{self.name}: {self.type}" + ("" if self.required else f" = {self.default!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionFunction:
    """A function, such as `get_state`, that condition code may call."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = "object"
    """The return type in the signature that the model sees."""

    description: str = ""
    """A description of the function for the model, on one line."""

    def __str__(self) -> str:
        """Return the signature and the description, for the model."""
        says = f": {self.description}" if self.description else ""
        return f"{self.name}({', '.join(map(str, self.parameters))}) -> {self.returns}{says}"


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call of a condition function, such as `get_state("lamp")`.

    `arguments` are in the order of the parameters and include default values.
    """

    function: str
    arguments: tuple[Scalar, ...] = ()

    def __str__(self) -> str:
        """Return the call as Python code."""
        return f"{self.function}({', '.join(map(repr, self.arguments))})"


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionResult:
    """The result of a call of a condition function."""

    value: Value = None
    is_unknown: bool = False
    """Whether the value of the condition is unknown, e.g. because a device is unavailable.

    `value` is None then, and the call returns None.
    """

    error: str = ""
    """Text of the exception that the call raises in the code; empty if it succeeds."""

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
    line: int | None = None
    """Line of the condition code, from 1; None if unknown."""

    hint: str = ""
    """A sentence that says how to fix the error; may be empty."""

    detail: str = ""
    """Technical details in English, shown after a translated sentence; may be empty."""

    def __str__(self) -> str:
        """Return line, message and hint as one text."""
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.message}" + (f" {self.hint}" if self.hint else "")


class Fault(StrEnum):
    """The reason why an evaluation of condition code gave no bool."""

    SYNTAX = "syntax"
    """The source is not valid Python, or uses syntax that the sandbox lacks."""
    EXCEPTION = "exception"
    NO_BOOL = "no_bool"
    """The function returned a value of another type."""
    TIME = "time"
    MEMORY = "memory"
    RECURSION = "recursion"
    STATE = "state"
    """The new `state` dict cannot be stored; the previous one is kept."""
    CRASH = "crash"
    """The worker process ended while the code ran, or returned no valid result."""
    WITHHELD = "withheld"
    """The code reads something that does not exist, or that the person may not read."""


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

    printed: str = ""
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


class SandboxCause(StrEnum):
    """The reason why condition code cannot run on this machine."""

    NOT_INSTALLED = "not_installed"
    NOT_LOADABLE = "not_loadable"
    """The interpreter Monty is installed, but the processor or operating system cannot load it."""
    NOT_WORKING = "not_working"
    """The worker process of the interpreter Monty does not start, or returns wrong results."""
    STARTING = "starting"
    """The interpreter Monty is still starting, or was closed."""


_FIXES: Final = {
    SandboxCause.NOT_INSTALLED: (
        "Make sure that Home Assistant has internet access and free disk space, then restart it."
    ),
    SandboxCause.NOT_LOADABLE: (
        "It needs 64-bit Linux on an x86 or ARM processor, as Home Assistant OS has it."
    ),
    SandboxCause.NOT_WORKING: (
        "Make sure that the machine has free memory and disk space, then restart Home Assistant."
    ),
    SandboxCause.STARTING: "Try again in a moment.",
}


class SandboxError(Exception):
    """Condition code cannot run on this machine; the text says how to fix it."""

    def __init__(self, detail: str, cause: SandboxCause = SandboxCause.NOT_WORKING) -> None:
        """`detail`: a technical sentence about the reason."""
        super().__init__(f"{detail} {_FIXES[cause]}")
        self.detail = detail
        self.cause = cause
