"""The sandbox on Monty: one batch of checks at a time, in a thread of its own.

When a batch breaks, the last check that announced itself is the culprit. It is set aside
and run alone, where its own limits hold; the others run again, in the same call.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from .launcher import Launcher, drops, find_binary
from .model import Check, CheckOutcome, Fault, LentFunction, SandboxError
from .monty_session import Limits, MontySession, SessionBrokenError
from .outcomes import failed, out_of_time, to_outcome
from .probe import PROBE

if TYPE_CHECKING:
    from pydantic_monty import Monty

BATCH: Final = Limits(seconds=0.4, memory=48_000_000, suspensions=1500)
"""For all checks of a batch together."""

ALONE: Final = Limits(seconds=0.25, memory=16_000_000, suspensions=400)
"""For one check."""

GRACE: Final = 0.25
"""Seconds beyond a limit until a worker that does not see it itself is killed."""

LARGEST_BATCH: Final = 250
MOST_CULPRITS: Final = 3
"""Broken batches after which the rest is run one by one."""


class MontyEngine:
    """The pool of workers and the session for batches; belongs to one thread."""

    def __init__(self, functions: Sequence[LentFunction], time_zone: Callable[[], str]) -> None:
        """Hold what sessions need; nothing is started."""
        self._functions = functions
        self._time_zone = time_zone
        self._launcher: Launcher | None = None
        self._pool: Monty | None = None
        self._session: MontySession | None = None
        self._session_zone = ""
        self._suspects: set[str] = set()

    def start(self) -> None:
        """Start a worker and see it work, with as few rights as can be. Raises SandboxError."""
        binary = find_binary()
        trouble = ""
        for drop in drops(binary):
            try:
                self._start(Launcher(binary, drop))
                outcome = self.run([PROBE])[PROBE.id]
            except (SandboxError, OSError) as error:
                trouble = str(error)
            else:
                if outcome.value:
                    return
                trouble = str(outcome.error)
            self.close()
        raise SandboxError(f"Monty does not work on this machine: {trouble}")

    def _start(self, launcher: Launcher) -> None:
        import pydantic_monty  # noqa: PLC0415  (only there once it is installed)

        self._launcher = launcher
        pool = pydantic_monty.Monty(
            binary_path=launcher.path,
            min_processes=1,
            max_processes=2,
            checkout_timeout=5.0,
            request_timeout=BATCH.seconds + 2 * GRACE,
            feed_duration_limit_grace=GRACE,
            turn_duration_limit_grace=GRACE,
        )
        try:
            pool.__enter__()
        except (pydantic_monty.MontyError, OSError, RuntimeError) as error:
            raise SandboxError(f"The worker of the sandbox does not start: {error}") from error
        self._pool = pool

    def run(self, checks: Sequence[Check]) -> dict[str, CheckOutcome]:
        """Return an outcome for each check. Raises SandboxError."""
        outcomes: dict[str, CheckOutcome] = {}
        together = [check for check in checks if check.source not in self._suspects]
        for start in range(0, len(together), LARGEST_BATCH):
            self._run_together(together[start : start + LARGEST_BATCH], outcomes)
        for check in checks:
            if check.id not in outcomes:
                outcomes[check.id] = self._run_alone(check)
        return outcomes

    def _run_together(self, checks: Iterable[Check], outcomes: dict[str, CheckOutcome]) -> None:
        waiting = list(checks)
        broken = 0
        while waiting and broken < MOST_CULPRITS:
            try:
                waiting = self._define(waiting, outcomes)
                self._run_batch(waiting, outcomes)
            except SessionBrokenError as error:
                self._drop_session()
                broken += 1
                if error.culprit is not None:
                    culprit = waiting.pop(error.culprit)
                    self._suspects.add(culprit.source)
                    if error.error.fault is Fault.TIME and error.seconds >= ALONE.seconds:
                        outcomes[culprit.id] = failed(
                            culprit, out_of_time(ALONE.seconds), error.seconds * 1000
                        )
            else:
                return

    def _define(self, checks: Sequence[Check], outcomes: dict[str, CheckOutcome]) -> list[Check]:
        session = self._current_session()
        ready = []
        for number, check in enumerate(checks):
            try:
                error = session.define(check)
            except SessionBrokenError as broken:
                raise SessionBrokenError(broken.error, number, broken.seconds) from broken
            if error:
                outcomes[check.id] = failed(check, error)
            else:
                ready.append(check)
        return ready

    def _run_batch(self, checks: Sequence[Check], outcomes: dict[str, CheckOutcome]) -> None:
        if not checks:
            return
        session = self._current_session()
        for check, report in zip(checks, session.run(checks), strict=True):
            outcomes[check.id] = to_outcome(check, report)
        for check in checks:
            try:
                outcomes[check.id] = _with_line(session, check, outcomes[check.id])
            except SessionBrokenError:
                # It ended well before; without a line it has to do.
                self._drop_session()
                return

    def _run_alone(self, check: Check) -> CheckOutcome:
        """Run a check that broke a batch, where it can harm no other."""
        try:
            with self._new_session(ALONE) as session:
                error = session.define(check)
                if error:
                    return failed(check, error)
                outcome = to_outcome(check, session.run([check])[0])
                self._suspects.discard(check.source)
                return _with_line(session, check, outcome)
        except SessionBrokenError as broken:
            return failed(check, broken.error, broken.seconds * 1000)

    def _current_session(self) -> MontySession:
        """Return the session for batches, a new one when it is time. Raises SandboxError."""
        if self._session and (self._session.is_worn or self._session_zone != self._time_zone()):
            self._drop_session()
        if self._session is None:
            self._session_zone = self._time_zone()
            self._session = self._new_session(BATCH)
        return self._session

    def _new_session(self, limits: Limits) -> MontySession:
        if self._pool is None:
            raise SandboxError("The sandbox is closed; reload SAGE.")
        return MontySession(self._pool, limits, self._functions, self._time_zone())

    def _drop_session(self) -> None:
        if self._session:
            self._session.close()
            self._session = None

    def close(self) -> None:
        """End the workers; may be called more than once."""
        self._drop_session()
        if self._pool:
            self._pool.__exit__(None, None, None)
            self._pool = None
        if self._launcher:
            self._launcher.remove()
            self._launcher = None


def _with_line(session: MontySession, check: Check, outcome: CheckOutcome) -> CheckOutcome:
    """Add the line to an error. Raises SessionBrokenError."""
    if outcome.error and outcome.error.fault in {Fault.EXCEPTION, Fault.RECURSION}:
        return replace(outcome, error=session.explain(check) or outcome.error)
    return outcome
