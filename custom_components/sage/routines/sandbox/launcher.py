"""The start script of a worker process of Monty, which runs condition code with few rights.

The worker process is the second barrier against harmful code, after the interpreter: it has reduced
rights, cannot write files and has a memory limit.
"""

import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from .contract import SandboxError

NOBODY: Final = 65534
"""User and group id of `nobody`, which has no rights; the same on Debian and Alpine."""

# Higher than Monty's own memory limit.
MEMORY: Final = 393_216  # maximum address space of a worker process in kilobytes (`ulimit -v`)
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
_PATIENCE: Final = 10.0  # timeout in seconds for the test of a command prefix


def find_binary() -> Path:
    """Return the path of `monty`, the worker's program. Raises SandboxError if missing."""
    import pydantic_monty  # noqa: PLC0415  (only there once it is installed)

    # Do not search PATH: environment variables are not trusted.
    package = Path(pydantic_monty.__file__).parent
    folders = (Path(sysconfig.get_path("scripts")), package.parent / "bin")
    for folder in folders:
        if (folder / "monty").is_file():
            return folder / "monty"
    raise SandboxError("The program `monty` of the package pydantic-monty-runtime was not found.")


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
