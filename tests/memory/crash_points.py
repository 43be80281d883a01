"""The ways to kill a process that writes to a memory, from within it.

The product does not know them: SQLite reports each statement and counts its steps,
and the kernel ends a write that passes a limit.
"""

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .bare import ROOT

STATEMENTS: Final = {
    "memory inserted": "INSERT INTO memories",
    "saying inserted": "INSERT INTO sayings",
    "sayings marked": "UPDATE sayings",
    "memory rewritten": "UPDATE memories SET key",
    "memory counted again": "UPDATE memories SET (place",
    "memory deleted": "DELETE FROM memories",
    "vector stored": "INSERT OR IGNORE INTO vectors",
    "vectors deleted": "DELETE FROM vectors",
    "days looked at": "SELECT starts, ends",
    "debt noted": "INSERT OR IGNORE INTO settings",
    "transaction begun": "BEGIN IMMEDIATE",
    "transaction ended": "COMMIT",
    "file rewritten": "VACUUM",
    "log emptied": "PRAGMA wal_checkpoint",
    "debt paid": "DELETE FROM settings",
}
"""Named points in an existing file: before the statement with this beginning."""

FIRST_STATEMENTS: Final = {
    "version looked at": "PRAGMA user_version",
    "log chosen": "PRAGMA journal_mode",
    "table made": "CREATE TABLE days",
    "version set": "PRAGMA user_version = ",
    "model noted": "INSERT OR REPLACE INTO settings",
}
"""Named points in the life of a new file."""

REWRITING: Final = "amid rewriting"
"""The named point, this number of steps into the rewriting of the file."""

RETURNED: Final = "call returned"
"""The named point between the return of a call and its acknowledgement."""


class JudgementError(Exception):
    """Something that has to be so is not so."""


def driven(module: str, folder: Path, seeds: Sequence[int] = (1, 2)) -> list[dict[str, Any]]:
    """Run a driver for each seed, all at once; return what they print at their end."""
    drivers = [
        subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.memory.bare", module),
                *(str(folder / str(seed)), str(seed)),
            ],
            cwd=ROOT,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in seeds
    ]
    results = []
    for driver in drivers:
        told, errors = driver.communicate()
        assert driver.returncode == 0, errors
        results.append(json.loads(told))
    return results


@dataclass(frozen=True, slots=True, kw_only=True)
class Death:
    """How a process dies."""

    way: str
    """`point`, `step`, `torn` or `outside`."""

    point: str = ""
    number: int = 1
    """At which time the point is passed; after how many steps; how many bytes are written."""

    @property
    def is_named(self) -> bool:
        """Whether it is at a named point."""
        return self.way == "point"


def die() -> None:
    """End this process as `kill -9` does."""
    os.kill(os.getpid(), signal.SIGKILL)


class Countdown:
    """Dies at the call with this number."""

    def __init__(self, number: int) -> None:
        self._left = number

    def __call__(self) -> None:
        self._left -= 1
        if self._left <= 0:
            die()


def prepare(death: Death, path: Path) -> Callable[[], None]:
    """Make this process die so; return what is to be called between return and acknowledgement."""
    countdown = Countdown(death.number)
    if death.point == RETURNED:
        return countdown
    if death.point == REWRITING:
        on_connect(lambda connection: _count_steps_of_rewriting(connection, countdown))
    elif death.way == "point":
        start = {**STATEMENTS, **FIRST_STATEMENTS}[death.point]
        on_connect(lambda connection: count_statements(connection, start, countdown))
    elif death.way == "step":
        on_connect(lambda connection: connection.set_progress_handler(countdown, 1))
    elif death.way == "torn":
        limit_writing(path, death.number)
    return lambda: None


def count_statements(
    connection: sqlite3.Connection, start: str, countdown: Callable[[], None]
) -> None:
    def begun(statement: str) -> None:
        if statement.lstrip().startswith(start):
            countdown()

    connection.set_trace_callback(begun)


def _count_steps_of_rewriting(
    connection: sqlite3.Connection, countdown: Callable[[], None]
) -> None:
    is_rewriting = False

    def begun(statement: str) -> None:
        nonlocal is_rewriting
        is_rewriting = statement == "VACUUM"

    connection.set_trace_callback(begun)
    connection.set_progress_handler(lambda: countdown() if is_rewriting else None, 1)


def on_connect(prepare_connection: Callable[[sqlite3.Connection], None]) -> None:
    connect = sqlite3.connect

    def connect_and_prepare(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **named)
        prepare_connection(connection)
        return connection

    vars(sqlite3)["connect"] = connect_and_prepare


def limit_writing(path: Path, more: int) -> None:
    """Let the kernel cut off the write that makes a file so much longer than the longest is."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    longest = max((file.stat().st_size for file in path.parent.iterdir()), default=0)
    resource.setrlimit(resource.RLIMIT_FSIZE, (longest + more, longest + more))


def run(live: Callable[[int], None], seconds: float | None) -> tuple[list[dict[str, Any]], int]:
    """Return the lines of a process and the signal that ended it; kills it after `seconds`."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.close(reading)
        try:
            live(writing)
            os._exit(0)
        except BaseException:  # noqa: BLE001 - it ends here, whatever it was
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = b""
        if seconds is not None:
            told = pipe.readline()
            time.sleep(seconds)
            os.kill(process, signal.SIGKILL)
        told += pipe.read()
    _, status = os.waitpid(process, 0)
    # A cut-off line does not count: its step was not done, or not acknowledged.
    whole = (line for line in told.splitlines(keepends=True) if line.endswith(b"\n"))
    lines = [json.loads(line) for line in whole]
    return lines, os.WTERMSIG(status) if os.WIFSIGNALED(status) else -os.WEXITSTATUS(status)


def deaths(rng: random.Random) -> list[Death]:
    """Return how the processes of one driver die, one after the other."""
    named = [
        Death(way="point", point=point, number=rng.choice((1, 2, 5)))
        for point in (*STATEMENTS, *STATEMENTS, *STATEMENTS)
    ]
    first = [Death(way="point", point=point) for point in FIRST_STATEMENTS]
    named += [Death(way="point", point=RETURNED, number=rng.randint(1, 9)) for _ in range(6)]
    named += [Death(way="point", point=REWRITING, number=rng.randint(1, 400)) for _ in range(6)]
    steps = [Death(way="step", number=rng.randint(1, 9000)) for _ in range(14)]
    torn = [Death(way="torn", number=rng.randint(1, 90_000)) for _ in range(14)]
    outside = [Death(way="outside") for _ in range(26)]
    every = [*named, *first, *steps, *torn, *outside]
    rng.shuffle(every)
    return every
