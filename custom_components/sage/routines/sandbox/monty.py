"""Runs condition code in worker processes of Monty, an interpreter for a subset of Python.

A check is one evaluation of condition code. Checks run in batches, in one thread; all checks of a
batch share a session of the interpreter. If a check ends the session, for example by using too much
memory, SAGE finds this check and runs it alone.
"""

import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .monty_session import MontySession, SessionBrokenError, WorkerLimits
from .outcomes import AnswerPreparation, failed, to_outcome
from .sandbox_types import Check, CheckOutcome, ConditionFunction, Fault, SandboxCause, SandboxError

NOBODY: Final = 65534
"""User and group id of `nobody`, which has no rights; the same on Debian and Alpine."""

# Higher than Monty's own memory limits (`BATCH`, `ALONE`).
MEMORY: Final = 393_216
"""Maximum address space of a worker process in kilobytes (`ulimit -v`)."""

# The worker process is the second barrier against harmful code, after the interpreter: it has
# reduced rights (`_DROPS`), cannot write files and has a memory limit.
_PREPARATIONS: Final = (
    "cd /",
    "unset PWD OLDPWD SHLVL",
    "ulimit -c 0",
    "ulimit -f 0",
    "ulimit -n 16",
    f"ulimit -v {MEMORY}",
)
_DROPS: Final = (
    (
        "setpriv",
        f"--reuid={NOBODY}",
        f"--regid={NOBODY}",
        "--clear-groups",
        "--no-new-privs",
        "--inh-caps=-all",
        "--bounding-set=-all",
    ),
    ("s6-setuidgid", f"{NOBODY}:{NOBODY}"),
    ("setpriv", "--no-new-privs"),
)
"""Command prefixes that start a program with fewer rights, the most restrictive first.

The last one is for a Home Assistant that does not run as root.
"""

_FOLDERS: Final = os.pathsep.join(("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/command"))
_PATIENCE: Final = 10.0
"""Timeout in seconds for the test of a command prefix."""


def find_binary() -> Path:
    """Return the path of `monty`, the program of the worker process.

    Raises SandboxError if the program is missing.
    """
    import pydantic_monty  # noqa: PLC0415  (only there once it is installed)

    # Do not search PATH: environment variables are not trusted.
    package = Path(pydantic_monty.__file__).parent
    folders = (Path(sysconfig.get_path("scripts")), package.parent / "bin")
    for folder in folders:
        if (folder / "monty").is_file():
            return folder / "monty"
    raise SandboxError(
        "The program `monty` of the package pydantic-monty-runtime was not found.",
        SandboxCause.NOT_INSTALLED,
    )


def drops(binary: Path) -> Iterator[tuple[str, ...]]:
    """Yield command prefixes, such as `setpriv ...`, that start `binary` with fewer rights.

    Yields only prefixes that work on this machine: the most restrictive first, an empty one last.
    """
    for name, *arguments in _DROPS:
        program = shutil.which(name, path=_FOLDERS)
        if program and _works((program, *arguments, str(binary), "--version")):
            yield (program, *arguments)
    yield ()


def _works(command: tuple[str, ...]) -> bool:
    try:
        done = subprocess.run(  # noqa: S603
            command, env={}, capture_output=True, timeout=_PATIENCE, check=False
        )
    except OSError, subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


class Launcher:
    """A shell script in a temporary folder that starts a Monty worker process with limits."""

    def __init__(self, binary: Path, drop: tuple[str, ...]) -> None:
        """Write the shell script. Raises OSError.

        `binary`: the worker program. `drop`: a command prefix that reduces the rights of the
        worker; may be empty.
        """
        self.drop = drop
        self._folder = tempfile.mkdtemp(prefix="sage-sandbox-")
        self.path = Path(self._folder) / "worker"
        command = shlex.join((*drop, str(binary)))
        self.path.write_text(
            "\n".join(("#!/bin/sh", "set -e", *_PREPARATIONS, f'exec {command} "$@"', "")),
            encoding="utf-8",
        )
        self.path.chmod(0o700)

    def remove(self) -> None:
        """Delete the shell script and its folder; running workers continue."""
        shutil.rmtree(self._folder, ignore_errors=True)


if TYPE_CHECKING:
    from pydantic_monty import Monty

BATCH: Final = WorkerLimits(seconds=0.3, memory=48_000_000, suspensions=400)
"""The limits of an interpreter session that evaluates many conditions."""

ALONE: Final = WorkerLimits(seconds=0.2, memory=16_000_000, suspensions=100)
"""The limits of an extra session for suspected condition code.

Suspected code has possibly ended a shared session, e.g. by using too much memory.
"""

GRACE: Final = 0.12
"""Seconds that a worker may exceed its time limit before it is killed."""

LARGEST_BATCH: Final = 250
MOST_SUSPECTS: Final = 500
"""Maximum number of source texts of condition code to remember as suspects.

A suspect has ended a shared session, e.g. by using too much memory; it then runs alone.
"""

MOST_BROKEN: Final = 3
"""Maximum number of attempts to run a batch of evaluations in one session of the interpreter.

An attempt fails if the session ends by an error. After the last failure, each remaining evaluation
runs in a session of its own.
"""

# Printing a mark for each evaluation would take longer than the evaluation.
GROUP: Final = 16
"""Number of evaluations of condition code after which the worker process reports its progress.

If the session ends by an error, one of the evaluations since the last report is the cause.
"""

PROBE: Final = Check(
    id="probe",
    function="probe",
    source='''\
import collections, datetime as dt, itertools, json, math, re, statistics

def probe():
    """Return True if everything works."""
    rest = [x for x in itertools.chain([1], [2, 3]) if x > 1]
    counted = collections.Counter("aab").most_common(1)[0][1]
    day = dt.datetime(2026, 2, 28) + dt.timedelta(days=1)
    text = json.dumps({"found": re.sub("[0-9]+", "#", "a12")})
    state["ran"] = state.get("ran", 0) + 1
    return (
        rest == [2, 3]
        and counted == 2
        and day.month == 3
        and text == '{"found": "a#"}'
        and math.floor(statistics.mean([1, 2])) == 1
    )
''',
)
"""Condition code that tests the interpreter Monty at its start."""


class MontyEngine:
    """Evaluates condition code in worker processes of Monty, an interpreter for a subset of Python.

    Not thread-safe.
    """

    def __init__(
        self, functions: Sequence[ConditionFunction], time_zone: Callable[[], str]
    ) -> None:
        """Store the settings; `start` starts the workers.

        `functions`: the functions that condition code may call. `time_zone` returns the time zone
        of the home.
        """
        self._functions = tuple(functions)
        self._answers = AnswerPreparation()
        self._time_zone = time_zone
        self._launcher: Launcher | None = None
        self._pool: Monty | None = None
        self._session: MontySession | None = None
        self._session_zone = ""
        self._suspects: set[str] = set()
        self._batch_size = LARGEST_BATCH

    def start(self) -> None:
        """Start a worker process with as few rights as possible, and test it.

        Raises SandboxError if no worker process works.
        """
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
        raise SandboxError(f"The worker of Monty does not work: {trouble}")

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
        """Run checks (evaluations of condition code); return a dict: check id -> outcome.

        Raises SandboxError if no worker process can run.
        """
        outcomes: dict[str, CheckOutcome] = {}
        together = [check for check in checks if check.source not in self._suspects]
        while together:
            size = self._batch_size
            self._run_together(together[:size], outcomes)
            together = together[size:]
        for check in checks:
            if check.id not in outcomes:
                outcomes[check.id] = self._run_alone(check)
        return outcomes

    def _run_together(self, checks: Iterable[Check], outcomes: dict[str, CheckOutcome]) -> None:
        """Run checks (evaluations of condition code) and store their results in `outcomes`.

        All checks run in the shared session. A check that ends the session, for example by using
        too much memory, usually gets no outcome here. `run` then runs it in its own session.
        """
        # Before each group of checks, the worker prints the index of the first check in the group.
        # If the session ends, the cause (culprit) is in the last printed group. This group runs
        # again with an index before each check, which identifies the culprit.
        waiting = list(checks)
        broken = 0
        group = GROUP
        while waiting and broken < MOST_BROKEN:
            try:
                self._run_batch(self._current_session(), waiting, outcomes, group)
            except SessionBrokenError as error:
                self._drop_session()
                broken += 1
                group = GROUP if error.culprits else 1
                suspected = [waiting[place] for place in error.culprits]
                if not self._find_culprits(suspected, outcomes):
                    # No single check broke the session: the batch was too large for this machine.
                    self._batch_size = max(GROUP, len(waiting) // 2)
                waiting = [check for check in waiting if check not in suspected]
            else:
                return

    def _find_culprits(self, checks: Iterable[Check], outcomes: dict[str, CheckOutcome]) -> bool:
        """Find the checks (evaluations of condition code) that ended the session of a batch.

        Runs `checks`, the part of the batch that was running, in new sessions, each time without
        the culprits found so far. Adds the sources of the culprits to `_suspects`. A culprit gets
        an outcome only if it used more than half of the time limit by itself. Returns whether a
        session ended again.
        """
        waiting = list(checks)
        found = False
        while waiting:
            try:
                with self._new_session(ALONE) as session:
                    self._run_batch(session, waiting, outcomes, 1)
                    break
            except SessionBrokenError as error:
                found = True
                if not error.culprits:
                    break
                culprit = waiting.pop(error.culprits[0])
                if len(self._suspects) >= MOST_SUSPECTS:
                    self._suspects.clear()
                self._suspects.add(culprit.source)
                if error.error.fault is Fault.TIME and error.seconds > ALONE.seconds / 2:
                    outcomes[culprit.id] = failed(culprit, error.error, error.seconds * 1000)
        return found

    def _run_batch(
        self,
        session: MontySession,
        checks: Sequence[Check],
        outcomes: dict[str, CheckOutcome],
        group: int,
    ) -> None:
        """Run checks (evaluations of condition code) in `session`; store results in `outcomes`.

        `group`: number of checks after which the worker reports its progress. If a check ends the
        session, raises SessionBrokenError with the indexes of all checks in the same group.
        """
        errors = session.define(checks, singly=group == 1)
        ready = [place for place, check in enumerate(checks) if check.id not in errors]
        due = [checks[place] for place in ready]
        try:
            reports = session.run(due, group) if due else []
        except SessionBrokenError as error:
            culprits = error.culprits
            if culprits:
                culprits = range(ready[culprits[0]], ready[culprits[-1]] + 1)
            raise SessionBrokenError(error.error, culprits, error.seconds) from error
        outcomes |= {
            check.id: failed(check, errors[check.id]) for check in checks if check.id in errors
        }
        for check, report in zip(due, reports, strict=True):
            outcomes[check.id] = to_outcome(check, report)
        self._add_lines(session, due, outcomes)

    def _add_lines(
        self, session: MontySession, checks: Sequence[Check], outcomes: dict[str, CheckOutcome]
    ) -> None:
        """Add line numbers to the errors in `outcomes`, by running the failed code again."""
        for check in checks:
            outcome = outcomes[check.id]
            if outcome.error and outcome.error.fault in {Fault.EXCEPTION, Fault.RECURSION}:
                try:
                    error = session.explain(check) or outcome.error
                except SessionBrokenError:
                    # The first run gave an error; return it without a line.
                    self._drop_session()
                    return
                outcomes[check.id] = replace(outcome, error=error)

    def _run_alone(self, check: Check) -> CheckOutcome:
        """Evaluate condition code in its own new session, since it may have ended a shared one.

        If the code does not end this session, it may run in the shared session again.
        """
        outcomes: dict[str, CheckOutcome] = {}
        try:
            with self._new_session(ALONE) as session:
                self._run_batch(session, [check], outcomes, 1)
        except SessionBrokenError as broken:
            return failed(check, broken.error, broken.seconds * 1000)
        self._suspects.discard(check.source)
        return outcomes[check.id]

    def _current_session(self) -> MontySession:
        """Return the shared session.

        Replaces a session that is old, was used very often or has another time zone than the home.
        Raises SandboxError.
        """
        if self._session and (self._session.is_worn or self._session_zone != self._time_zone()):
            self._drop_session()
        if self._session is None:
            self._session_zone = self._time_zone()
            self._session = self._new_session(BATCH)
        return self._session

    def _new_session(self, limits: WorkerLimits) -> MontySession:
        if self._pool is None:
            raise SandboxError("The sandbox is closed.", SandboxCause.STARTING)
        zone = self._time_zone()
        return MontySession(self._pool, limits, self._functions, self._answers, zone)

    def _drop_session(self) -> None:
        if self._session:
            self._session.close()
            self._session = None

    def close(self) -> None:
        """Stop the workers and remove the start script; may be called more than once."""
        self._drop_session()
        if self._pool:
            self._pool.__exit__(None, None, None)
            self._pool = None
        if self._launcher:
            self._launcher.remove()
            self._launcher = None
