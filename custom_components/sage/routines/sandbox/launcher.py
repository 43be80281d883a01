"""Starting Monty's worker with less than Home Assistant may do: limits, another user.

The interpreter is the first fence. Should it break, what is behind it runs as nobody,
cannot write files and cannot use up the machine's memory.
"""

import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .sandbox_types import SandboxCause, SandboxError

NOBODY: Final = 65534
"""User and group id without rights of their own, on Debian as on Alpine."""

MEMORY: Final = 393_216
"""Kilobytes of address space; Monty's own limit on what a check may use is far below."""

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
"""Ways to give up rights, the best first; the last one is for those who are nobody already."""

_FOLDERS: Final = os.pathsep.join(("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/command"))
_PATIENCE: Final = 10.0
"""Seconds that a try of a drop may take."""


def find_binary() -> Path:
    """Return the worker program that was installed with the client. Raises SandboxError.

    PATH and environment variables are not asked: they are no part of what is trusted.
    """
    import pydantic_monty  # noqa: PLC0415  (only there once it is installed)

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
    """Yield the ways to give up rights that work here with this program; at last: none."""
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
    """A small program in a folder of its own that starts the worker with limits."""

    def __init__(self, binary: Path, drop: tuple[str, ...]) -> None:
        """Write the program. Raises OSError."""
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
        """Remove the program; workers that run are not touched."""
        shutil.rmtree(self._folder, ignore_errors=True)
