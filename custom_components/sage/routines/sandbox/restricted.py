"""The fallback: RestrictedPython in a process of its own, for machines without Monty.

One check at a time. A check that does not end is ended by the process itself or, where
it hangs in C, with the process; the next check finds a new one.
"""

import importlib.resources
import time
import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from .model import Check, CheckError, CheckOutcome, LentFunction, SandboxError
from .outcomes import (
    Handing,
    broken_off,
    describe,
    failed,
    out_of_memory,
    out_of_time,
    refused,
    to_outcome,
)
from .probe import PROBE
from .restricted_process import WorkerError, WorkerProcess
from .wire import decode, encode
from .wrapping import wrap

SECONDS: Final = 0.25
"""For one check, of its own time."""

GRACE: Final = 0.2
"""Seconds on the clock beyond that until the process is killed."""

MEMORY: Final = 192_000_000
"""Bytes of address space of the process."""

START: Final = 15.0
"""Seconds a process may take until it is ready."""


class RestrictedEngine:
    """Runs checks in the process; belongs to one thread."""

    def __init__(self, functions: Sequence[LentFunction], time_zone: Callable[[], str]) -> None:
        """Hold what the process needs; nothing is started."""
        self._functions = tuple(functions)
        self._time_zone = time_zone
        self._process: WorkerProcess | None = None
        self._process_zone = ""
        self._handing = Handing()

    def start(self) -> None:
        """Start the process and see it work. Raises SandboxError."""
        outcome = self.run([PROBE])[PROBE.id]
        if not outcome.value:
            self.close()
            raise SandboxError(f"RestrictedPython does not work on this machine: {outcome.error}")

    def run(self, checks: Sequence[Check]) -> dict[str, CheckOutcome]:
        """Return an outcome for each check. Raises SandboxError."""
        return {check.id: self._run(check) for check in checks}

    def _run(self, check: Check) -> CheckOutcome:
        wrapped = wrap(check.source, check.function, self._functions)
        if isinstance(wrapped, CheckError):
            return failed(check, wrapped)
        request = {
            "text": wrapped.text,
            "head": wrapped.head,
            "function": check.function,
            "seconds": SECONDS,
            "state": encode(dict(check.state)),
            "answers": encode(
                [[*key, value] for key, value in self._handing.over(check.answers).items()]
            ),
        }
        started = time.monotonic()
        reply = self._ask(request)
        milliseconds = (time.monotonic() - started) * 1000
        if "broken" in reply:
            self.close()
        return _outcome(check, reply, milliseconds)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply of the process; what it broke off at is tried once more.

        It may have been killed in between, by the system.
        """
        for _ in range(2):
            try:
                return self._current_process().ask(request, SECONDS + GRACE)
            except WorkerError as gone:
                self._process = None
                if gone.is_late:
                    return {"broken": "time"}
        return {"broken": "off"}

    def _current_process(self) -> WorkerProcess:
        """Return the process, a new one where there is none. Raises SandboxError."""
        if self._process and (self._process_zone != self._time_zone() or self._process.is_gone):
            self.close()
        if self._process is None:
            self._process = self._new_process()
        return self._process

    def _new_process(self) -> WorkerProcess:
        self._process_zone = self._time_zone()
        process = WorkerProcess()
        begin = {
            "lent": describe(self._functions),
            "zone": self._process_zone,
            "clock_rule": clock_rule(self._process_zone),
        }
        try:
            process.ask(begin, START)
        except WorkerError as error:
            raise SandboxError("The process of the sandbox does not start.") from error
        return process

    def close(self) -> None:
        """End the process; may be called more than once."""
        if self._process:
            self._process.kill()
            self._process = None


def _outcome(check: Check, reply: Mapping[str, Any], milliseconds: float) -> CheckOutcome:
    """Read the reply of the process; it is not believed any more than code is."""
    line = reply.get("line")
    line = line if type(line) is int and 1 <= line <= check.source.count("\n") + 1 else None
    if reply.get("broken") == "memory":
        return failed(check, out_of_memory(MEMORY), milliseconds)
    if reply.get("broken") == "time":
        return failed(check, out_of_time(SECONDS), milliseconds)
    if "broken" in reply:
        return failed(check, broken_off(), milliseconds)
    if "refused" in reply:
        return failed(check, refused(f"{reply['refused']}.", line), milliseconds)
    try:
        outcome = to_outcome(check, decode(reply.get("report")))
    except ValueError, KeyError, TypeError:
        return failed(check, broken_off(), milliseconds)
    if outcome.error and line:
        return replace(outcome, error=replace(outcome.error, line=line))
    return outcome


def clock_rule(zone: str) -> str:
    """Return the rule of a time zone as POSIX has it, for processes without a zone database.

    It holds for the present, not for the history of the zone; UTC where nothing is known.
    """
    for folder in zoneinfo.TZPATH:
        path = Path(folder) / zone
        if path.is_file():
            return _rule(path.read_bytes())
    try:
        return _rule((importlib.resources.files("tzdata") / "zoneinfo" / zone).read_bytes())
    except ModuleNotFoundError, OSError:
        return "UTC0"


def _rule(database: bytes) -> str:
    """Return the last line of a zone's file (RFC 9636, section 3.3)."""
    return database.rstrip(b"\n").rsplit(b"\n", 1)[-1].decode()
