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
from .session import MOST_WORKERS, SECONDS, Session

if TYPE_CHECKING:
    from pydantic_monty import Monty

GRACE: Final = 0.12
"""Seconds that a worker may exceed its time limit before it is killed."""

_LONGEST_QUEUE: Final = 60.0
"""Maximum seconds that an evaluation waits for a free worker."""

_PROBE: Final = """\
import json, re

def probe():
    state["ran"] = json.loads(re.sub("[a-z]+", "1", "a2"))
    return state == {"ran": 12}
"""
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


def write_launcher(folder: Path, binary: Path, drop: tuple[str, ...]) -> Path:
    """Write a shell script that starts a Monty worker process with limits. Raises OSError.

    `binary`: the worker program. `drop`: a command prefix that reduces its rights; may be empty.
    """
    path = folder / "worker"
    command = shlex.join((*drop, str(binary)))
    lines = ("#!/bin/sh", "set -e", *_PREPARATIONS, f'exec {command} "$@"', "")
    path.write_text("\n".join(lines), encoding="utf-8")
    path.chmod(0o700)
    return path


async def _async_answer_nothing(call: FunctionCall) -> FunctionResult:
    return FunctionResult(is_unknown=True)


class Workers:
    """The worker processes of Monty."""

    def __init__(self) -> None:
        self._pool: Monty | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
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
                outcome = await self.async_run(session, _PROBE, "probe", {})
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

        self._folder = tempfile.TemporaryDirectory(
            prefix="sage-sandbox-", ignore_cleanup_errors=True
        )
        self._pool = Monty(
            binary_path=write_launcher(Path(self._folder.name), binary, drop),
            min_processes=1,
            max_processes=MOST_WORKERS,
            checkout_timeout=_LONGEST_QUEUE,
            request_timeout=SECONDS + 2 * GRACE,
            feed_duration_limit_grace=GRACE,
            turn_duration_limit_grace=GRACE,
        ).__enter__()

    async def async_close(self) -> None:
        """Stop the workers and remove the start script; may be called more than once."""
        if self._starting is not None:
            await asyncio.wait((self._starting,))
        pool, self._pool = self._pool, None
        folder, self._folder = self._folder, None
        if pool is not None:
            await asyncio.to_thread(pool.__exit__, None, None, None)
        if folder is not None:
            await asyncio.to_thread(folder.cleanup)
