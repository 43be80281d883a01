"""Data types for the input and output of the sandbox.

Condition code is a Python function without arguments that returns a bool. A check is one evaluation
of it. The code calls condition functions such as `get_state`; variables named `question` hold such
a call. The sandbox receives a check together with the answers to the expected calls. It reports a
call without an answer as missing, whatever the code returned. The caller then gets that answer from
Home Assistant and runs the check again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

type Scalar = bool | int | float | str | None
type Value = Scalar | datetime | Sequence[Value] | Mapping[str, Value]
"""Every value that enters or leaves the sandbox: JSON types and aware datetimes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a condition function; its arguments are scalars."""

    name: str
    type: str
    """The type in the signature that the model sees: `str`, `int`, `float` or `bool`."""

    required: bool = True
    default: Scalar = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionFunction:
    """A function that condition code may call; the answer is computed outside the sandbox."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = "object"
    """The return type in the signature that the model sees."""

    description: str = ""
    """A description of the function for the model, on one line."""

    marks_unknown: bool = True
    """Whether an unknown answer makes the whole check unknown; False for `is_available`."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """One call of a condition function; `arguments` are in parameter order, defaults included."""

    function: str
    arguments: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionResult:
    """The answer to a call of a condition function."""

    value: Value = None
    is_unknown: bool = False
    """Whether the value is unknown now (unavailable device); the code still gets `value`."""

    error: str = ""
    """Text of the exception raised at the call; says how to fix it. Empty: no error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The input of one evaluation of condition code: source, state dict, answers to its calls."""

    id: str
    source: str
    """The code that the model wrote: one function, and optional helper functions."""

    function: str
    """Name of the entry function in `source`."""

    state: Mapping[str, Value] = field(default_factory=dict)
    """The dict that the code sees as `state`; its content persists between runs."""

    answers: Mapping[FunctionCall, FunctionResult] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckError:
    """An error of condition code, worded for the model."""

    fault: Fault
    message: str
    line: int | None = None
    """Line of the source, from 1; None if unknown."""

    hint: str = ""
    """How to fix it."""

    def __str__(self) -> str:
        """Return line, message and hint as one text."""
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.message}" + (f" {self.hint}" if self.hint else "")


class Fault(StrEnum):
    """The reason why a check returned no bool."""

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
    """The worker process ended while the check ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """The result of one run of one check."""

    id: str
    value: bool | None = None
    """The returned bool. None if a value was unknown, an answer was missing, or the code failed."""

    error: CheckError | None = None
    """The error of the code. None if a missing or unknown answer may have caused it."""

    is_unknown: bool = False
    """Whether a value that the code reads is unknown now."""

    questions: frozenset[FunctionCall] = frozenset()
    """All calls of condition functions that the code made, with or without an answer."""

    missing: frozenset[FunctionCall] = frozenset()
    """The calls without an answer; the check has to run again with their answers."""

    state: Mapping[str, Value] | None = None
    """The `state` dict after the run. None: keep the previous one."""

    printed: str = ""
    milliseconds: float = 0.0


class SandboxCause(StrEnum):
    """The reason why condition code cannot run on this machine."""

    NOT_INSTALLED = "not_installed"
    NOT_LOADABLE = "not_loadable"
    """The package is installed, but this processor or operating system cannot load it."""
    NOT_WORKING = "not_working"
    """The worker process of Monty does not start, or returns wrong results."""
    STARTING = "starting"
    """Monty is still starting, or was closed."""


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
    """Condition code cannot run on this machine; the text says why and how to fix it."""

    def __init__(self, detail: str, cause: SandboxCause = SandboxCause.NOT_WORKING) -> None:
        """`detail`: a technical sentence; the text of the exception adds the fix for `cause`."""
        super().__init__(f"{detail} {_FIXES[cause]}")
        self.detail = detail
        self.cause = cause
