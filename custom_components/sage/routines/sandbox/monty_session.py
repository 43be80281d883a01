"""A session of the interpreter Monty, which evaluates condition code in a worker process.

A session keeps its variables: it executes `prelude.py` once, and then calls functions that are
defined in `prelude.py`. Monty calls an execution a *feed*. A check is one evaluation of condition
code.
"""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from .outcomes import (
    AnswerPreparation,
    broken_off,
    describe,
    out_of_memory,
    out_of_time,
    raised,
    refused,
)
from .sandbox_types import Check, CheckError, ConditionFunction, SandboxError
from .wrapping import Wrapped, wrap

if TYPE_CHECKING:
    from pydantic_monty import Monty, MontyError

# Each execution enlarges the used memory.
MOST_FEEDS: Final = 400
"""Number of executions of code after which a session of the interpreter is replaced."""

LONGEST_LIFE: Final = 3600.0
"""Age in seconds at which a session of the interpreter is replaced."""

MOST_CHECKS: Final = 1000
"""Number of different condition codes after which a session of the interpreter is replaced."""

type _Key = tuple[str, str]
"""The source of condition code, and the name of its entry function."""

_UNSUPPORTED: Final = "The monty syntax parser does not yet support "

_FACTORY_FILE: Final = "<string>"
"""File name in traceback frames of condition code; frames of prelude.py have another name."""

_PLACE: Final = re.compile(r" \(<string>, line (\d+)\)$")
"""Matches the line number in the text of a syntax error, which has no traceback frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerLimits:
    """The limits for one execution of code in a worker process."""

    seconds: float
    """Maximum duration of one execution."""

    memory: int
    """Maximum memory in bytes."""

    suspensions: int
    """Maximum number of times in one session that the interpreter stops to ask SAGE for a value.

    It does so if the code uses an undefined name.
    """

    recursion: int = 120
    """Maximum depth of nested calls, including a few calls in prelude.py."""


class SessionBrokenError(Exception):
    """Condition code ended the session: it exceeded a limit or crashed the worker process."""

    def __init__(self, error: CheckError, culprits: range, seconds: float) -> None:
        """`error`: the error of the condition code that ended the session.

        `culprits`: indexes of the checks that may be the cause; empty if unknown. `seconds`: time
        since the first of these checks began, or if unknown, since the execution began.
        """
        super().__init__(str(error))
        self.error = error
        self.culprits = culprits
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class _Defined:
    """Condition code that is loaded in the session."""

    number: int
    """The number that identifies the code in the worker process (`_define` in prelude.py)."""

    lines_above: int
    """Number of lines above the code in its factory, the function that contains the code."""


@cache
def prelude() -> str:
    """Return the text of prelude.py, the Python code that each session executes first."""
    return Path(__file__).with_name("prelude.py").read_text(encoding="utf-8")


class MontySession:
    """A session of the interpreter Monty, which evaluates condition code in a worker process.

    Not thread-safe. The session cannot be used after a SessionBrokenError.
    """

    def __init__(
        self,
        pool: Monty,
        limits: WorkerLimits,
        functions: tuple[ConditionFunction, ...],
        answers: AnswerPreparation,
        time_zone: str,
    ) -> None:
        """Begin a session in a worker process of `pool`. Raises SandboxError.

        `functions`: the functions that condition code may call. `answers` converts their results
        for prelude.py. `time_zone`: name of the home's time zone.
        """
        import pydantic_monty  # noqa: PLC0415  (only there once it is installed)

        self._monty = pydantic_monty
        self._limits = limits
        self._functions = functions
        self._answers = answers
        self._defined: dict[_Key, _Defined | CheckError] = {}
        self._feeds = 0
        self._began = time.monotonic()
        self._mark: int | None = None
        self._marked_at = 0.0
        self._session = pool.checkout(
            limits={
                "max_feed_duration_secs": limits.seconds,
                "max_memory": limits.memory,
                "max_recursion_depth": limits.recursion,
                "max_suspensions": limits.suspensions,
            },
            print_flush_interval=0,
            os_policy={"timezone": time_zone, "sleep": "zero"},
        )
        try:
            self._session.__enter__()
        except (pydantic_monty.MontyError, OSError, TimeoutError) as error:
            raise SandboxError(f"The worker of the sandbox does not start: {error}") from error
        self._begin()

    def _begin(self) -> None:
        try:
            self._feed(prelude())
            self._feed(
                "_known_functions.extend(_functions)", {"_functions": describe(self._functions)}
            )
        except (SessionBrokenError, self._monty.MontyError) as error:
            self.close()
            raise SandboxError(f"The sandbox does not take its own code: {error}") from error

    @property
    def is_worn(self) -> bool:
        """Whether to replace the session because of its age or use."""
        is_old = time.monotonic() - self._began > LONGEST_LIFE
        return is_old or self._feeds > MOST_FEEDS or len(self._defined) > MOST_CHECKS

    def define(self, checks: Sequence[Check], *, singly: bool) -> dict[str, CheckError]:
        """Load the condition code of the checks; return check id -> error, only for rejected code.

        Raises SessionBrokenError. `singly`: load the code of each check separately, so that
        `SessionBrokenError.culprits` identifies the check whose code ended the session.
        """
        new: dict[_Key, Wrapped] = {}
        for check in checks:
            key = (check.source, check.function)
            if key not in self._defined and key not in new:
                wrapped = wrap(*key, self._functions)
                if isinstance(wrapped, CheckError):
                    self._defined[key] = wrapped
                else:
                    new[key] = wrapped
        if singly or not self._define(new):
            for place, check in enumerate(checks):
                key = (check.source, check.function)
                if key not in self._defined:
                    self._define_one(key, new[key], range(place, place + 1))
        found = [(each.id, self._defined[each.source, each.function]) for each in checks]
        return {identity: error for identity, error in found if isinstance(error, CheckError)}

    def _define(self, new: Mapping[_Key, Wrapped]) -> bool:
        """Load sources of condition code together; return False if Monty rejects one of them."""
        texts = [(n, each.factory) for n, each in enumerate(new.values(), len(self._defined))]
        if texts:
            try:
                self._feed_texts(texts)
            except self._monty.MontyError:
                return False
        for (number, _), (key, wrapped) in zip(texts, new.items(), strict=True):
            self._defined[key] = _Defined(number, wrapped.lines_above)
        return True

    def _define_one(self, key: _Key, wrapped: Wrapped, place: range) -> None:
        number = len(self._defined)
        try:
            self._feed_texts([(number, wrapped.factory)])
        except SessionBrokenError as broken:
            raise SessionBrokenError(broken.error, place, broken.seconds) from broken
        except self._monty.MontyError as error:
            line = self._line(error, wrapped.lines_above, key[0])
            text = str(error.exception()).replace(_UNSUPPORTED, "Checks have no ")
            self._defined[key] = refused(_PLACE.sub("", text), line)
        else:
            self._defined[key] = _Defined(number, wrapped.lines_above)

    def _feed_texts(self, texts: list[tuple[int, str]]) -> None:
        """Load factories in the worker: functions around condition code (wrapping.py).

        `texts`: pairs of a number and the Python code of the factory. Raises MontyError,
        SessionBrokenError.
        """
        self._feed("_define(_texts)", {"_texts": texts})

    def run(self, checks: Sequence[Check], group: int) -> list[Any]:
        """Evaluate checks that `define` has loaded; return a raw report for each of them.

        - `outcomes.to_outcome` converts a report.
        - The checks run in groups of `group` checks.
        - If a check ends the session, raises SessionBrokenError. Its `culprits` are the indexes in
          `checks` of the group that was running; empty if unknown.
        """
        due = [
            (self._number(check), dict(check.state), self._answers.prepare(check.answers))
            for check in checks
        ]
        try:
            reports: list[Any] = self._feed("_tick(_due, _group)", {"_due": due, "_group": group})
        except (SessionBrokenError, self._monty.MontyError) as error:
            # Here, MontyError is a BaseException of the code, which prelude.py does not catch.
            broken = error if isinstance(error, SessionBrokenError) else self._broken(error)
            mark = self._mark
            culprits = range(0) if mark is None else range(mark, min(mark + group, len(checks)))
            raise SessionBrokenError(broken.error, culprits, broken.seconds) from error
        return reports

    def explain(self, check: Check) -> CheckError | None:
        """Evaluate failed condition code again; return its error with the line number.

        None if the code succeeds now. Raises SessionBrokenError.
        """
        defined = self._defined[check.source, check.function]
        if isinstance(defined, CheckError):
            return defined
        inputs = {"_state": dict(check.state), "_answers": self._answers.prepare(check.answers)}
        try:
            self._feed(f"_explain({defined.number}, _state, _answers)", inputs)
        except self._monty.MontyError as error:
            inner = error.exception()
            line = self._line(error, defined.lines_above, check.source)
            self._feed(f"_forget({defined.number})")
            return raised(type(inner).__name__, str(inner), line)
        return None

    def _number(self, check: Check) -> int:
        defined = self._defined[check.source, check.function]
        if isinstance(defined, CheckError):
            raise TypeError("A check that is not defined cannot run.")
        return defined.number

    def _feed(self, code: str, inputs: Mapping[str, Any] | None = None) -> Any:
        """Run code in the worker. Raises MontyError, or SessionBrokenError if the session ended."""
        self._feeds += 1
        self._mark = None
        self._marked_at = time.monotonic()
        try:
            return self._session.feed_run(
                code, inputs=dict(inputs or {}), print_callback=self._marked
            )
        except self._monty.MontyRuntimeError as error:
            if isinstance(error.exception(), (TimeoutError, MemoryError)) or not error.traceback():
                raise self._broken(error) from error
            raise
        except self._monty.MontyCrashedError as error:
            raise self._broken(error) from error

    def _marked(self, stream: str, text: str) -> None:
        marks = text.split()
        if marks and marks[-1].isdecimal():
            self._mark = int(marks[-1])
            self._marked_at = time.monotonic()

    def _broken(self, error: MontyError) -> SessionBrokenError:
        """Return the exception for an error that ended the session."""
        seconds = time.monotonic() - self._marked_at
        return SessionBrokenError(self._read(error), range(0), seconds)

    def _read(self, error: MontyError) -> CheckError:
        if isinstance(error, self._monty.MontyCrashedError):
            if error.timed_out:
                return out_of_time(self._limits.seconds)
            return broken_off()
        inner = error.exception()
        if isinstance(inner, TimeoutError):
            return out_of_time(self._limits.seconds)
        if isinstance(inner, MemoryError):
            return out_of_memory(self._limits.memory)
        return raised(type(inner).__name__, str(inner))

    def _line(self, error: MontyError, lines_above: int, source: str) -> int | None:
        """Return the number of the last line of `source` in the error's traceback, or None.

        `lines_above`: number of lines that precede the source in the executed code.
        """
        line = None
        if isinstance(error, (self._monty.MontyRuntimeError, self._monty.MontySyntaxError)):
            passed = [each.line for each in error.traceback() if each.filename == _FACTORY_FILE]
            if place := _PLACE.search(str(error.exception())):
                passed.append(int(place[1]))
            for at in (each - lines_above for each in passed):
                if 1 <= at <= source.count("\n") + 1:
                    line = at
        return line

    def close(self) -> None:
        """Return the worker to the pool."""
        try:
            self._session.__exit__(None, None, None)
        except self._monty.MontyError, OSError:
            return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
