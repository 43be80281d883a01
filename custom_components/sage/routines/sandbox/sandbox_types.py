"""Input and output of the sandbox: plain data.

A check is one Python function without arguments that returns a bool. It calls condition
functions; each call is a question. The sandbox gets answers to the expected questions. It
reports a question without an answer as missing, whatever the code returns: the question is then
answered outside, and the check runs again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

type Scalar = bool | int | float | str | None
type Value = Scalar | datetime | Sequence[Value] | Mapping[str, Value]
"""All values that go in or come out: plain values, aware datetimes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a condition function; arguments are scalars."""

    name: str
    type: str
    """The type as the model reads it: `str`, `int`, `float`, `bool`."""

    required: bool = True
    default: Scalar = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionFunction:
    """A function that condition code may call; it is answered outside the sandbox."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    returns: str = "object"
    """The type, as the model reads it."""

    description: str = ""
    """A description of the function for the model, on one line."""

    marks_unknown: bool = True
    """An unknown answer makes the whole check unknown (not so for `is_available`)."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """One call of a condition function: its arguments in parameter order, with defaults."""

    function: str
    arguments: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionResult:
    """The answer to a call of a condition function."""

    value: Value = None
    is_unknown: bool = False
    """The value is unknown now, as for an unavailable device; the code still gets `value`."""

    error: str = ""
    """Raised in the code at the line of the call; says how to fix it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The input of one check: its code, its state dict, and the answers to its calls."""

    id: str
    source: str
    """The code that the model wrote: one function, and optional helper functions."""

    function: str
    """The name of the function that is called."""

    state: Mapping[str, Value] = field(default_factory=dict)
    """The dict `state`, which is kept between runs."""

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
    """Why a check gave no bool."""

    SYNTAX = "syntax"
    """Not Python, or Python that the sandbox does not have."""
    EXCEPTION = "exception"
    NO_BOOL = "no_bool"
    """The function returned a value of another type."""
    TIME = "time"
    MEMORY = "memory"
    RECURSION = "recursion"
    STATE = "state"
    """The dict `state` cannot be stored; the old one stays."""
    CRASH = "crash"
    """The sandbox ended while the check ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """The result of one run of one check."""

    id: str
    value: bool | None = None
    """The returned bool; None: unknown, missing answers, or an error."""

    error: CheckError | None = None
    """The error of the code; None if an answer was missing or unknown, which may have caused it."""

    is_unknown: bool = False
    """A value that the code reads is unknown now."""

    questions: frozenset[FunctionCall] = frozenset()
    """All calls of condition functions that the code made, with or without an answer."""

    missing: frozenset[FunctionCall] = frozenset()
    """The calls without an answer; the check has to run again with their answers."""

    state: Mapping[str, Value] | None = None
    """The dict `state` after the run; None: keep the old one."""

    printed: str = ""
    milliseconds: float = 0.0


class SandboxCause(StrEnum):
    """Why condition code cannot run on this machine."""

    NOT_INSTALLED = "not_installed"
    NOT_LOADABLE = "not_loadable"
    """The package is installed, but this processor or operating system cannot load it."""
    NOT_WORKING = "not_working"
    """The worker process of Monty does not start, or gives wrong results."""
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
        """`detail` is a technical sentence."""
        super().__init__(f"{detail} {_FIXES[cause]}")
        self.detail = detail
        self.cause = cause
