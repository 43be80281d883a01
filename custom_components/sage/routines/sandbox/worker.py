"""Starts the worker processes of Monty, which run condition code, with as few rights as possible.

The worker process is the second barrier against harmful code, after the interpreter: it has reduced
rights, cannot write files and has a memory limit.
"""

import asyncio
import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .sandbox_types import (
    CheckOutcome,
    FunctionCall,
    FunctionResult,
    SandboxCause,
    SandboxError,
    Value,
)
from .session import LIMITS, MOST_WORKERS, Session

if TYPE_CHECKING:
    from pydantic_monty import Monty

GRACE: Final = 0.12
"""Seconds that a worker may exceed its time limit before it is killed."""

_LONGEST_QUEUE: Final = 60.0
"""Maximum seconds that an evaluation waits for a free worker."""

PROBE: Final = '''\
import collections, datetime as dt, itertools, json, math, re

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
        and math.floor(1.5) == 1
    )
'''
"""Condition code that tests the interpreter Monty at its start."""

NOBODY: Final = 65534
"""User and group id of `nobody`, which has no rights; the same on Debian and Alpine."""

# Higher than Monty's own memory limit.
MEMORY: Final = 393_216
"""Maximum address space of a worker process in kilobytes (`ulimit -v`)."""

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


async def _async_answer_nothing(call: FunctionCall) -> FunctionResult:
    return FunctionResult(is_unknown=True)


class Workers:
    """The worker processes of Monty."""

    def __init__(self) -> None:
        self._pool: Monty | None = None
        self._launcher: Launcher | None = None
        self._starting: asyncio.Future[None] | None = None
        self._free = asyncio.Semaphore(MOST_WORKERS)

    async def async_run(
        self, session: Session, source: str, function: str, state: Mapping[str, Value]
    ) -> CheckOutcome:
        """Evaluate condition code (see `Session.run`) in a thread, as soon as a worker is free.

        Raises SandboxError before the start and after the end.
        """
        async with self._free:
            if self._pool is None:
                raise SandboxError("The sandbox is closed.", SandboxCause.STARTING)
            return await asyncio.to_thread(session.run, self._pool, source, function, state)

    async def async_start(self) -> None:
        """Start a worker process with as few rights as possible, and test it.

        Raises SandboxError if no worker process works.
        """
        from pydantic_monty import MontyError  # noqa: PLC0415  (only there once it is installed)

        binary = await asyncio.to_thread(find_binary)
        trouble = ""
        for drop in await asyncio.to_thread(lambda: tuple(drops(binary))):
            try:
                starting = asyncio.to_thread(self._start, binary, drop)
                self._starting = asyncio.ensure_future(starting)
                await asyncio.shield(self._starting)
                session = Session({}, _async_answer_nothing, datetime.now(UTC))
                outcome = await self.async_run(session, PROBE, "probe", {})
            except (SandboxError, MontyError, OSError, RuntimeError) as err:
                trouble = str(err)
            else:
                if outcome.value:
                    return
                trouble = str(outcome.error)
            await self.async_close()
        raise SandboxError(f"The worker of Monty does not work: {trouble}")

    def _start(self, binary: Path, drop: tuple[str, ...]) -> None:
        from pydantic_monty import Monty  # noqa: PLC0415  (only there once it is installed)

        self._launcher = Launcher(binary, drop)
        self._pool = Monty(
            binary_path=self._launcher.path,
            min_processes=1,
            max_processes=MOST_WORKERS,
            checkout_timeout=_LONGEST_QUEUE,
            request_timeout=LIMITS.seconds + 2 * GRACE,
            feed_duration_limit_grace=GRACE,
            turn_duration_limit_grace=GRACE,
        ).__enter__()

    async def async_close(self) -> None:
        """Stop the workers and remove the start script; may be called more than once."""
        if self._starting is not None:
            await asyncio.wait((self._starting,))
        pool, self._pool = self._pool, None
        launcher, self._launcher = self._launcher, None
        if pool is not None:
            await asyncio.to_thread(pool.__exit__, None, None, None)
        if launcher is not None:
            await asyncio.to_thread(launcher.remove)
