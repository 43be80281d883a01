"""The ways to kill a process that watches routines, from within it.

The product does not know them: the points are in its surroundings, in the next statements of SQLite
and in the calls of its store.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.memory.crash_points import Countdown, Death, count_statements, limit_writing, on_connect

CALLS: Final = (
    "routine: about to be stored",
    "routine: stored",
    "routine: confirmed",
    "routine: acknowledged",
    "check: about to run",
    "check: has run",
    "check: about to be stored",
    "check: stored",
    "edge: about to be journaled",
    "edge: journaled",
    "started: about to be noted",
    "started: noted",
    "fired told",
    "run: begun",
    "run: first command sent",
    "run: second command sent",
    "undo: begun",
    "undo: sent",
    "done: about to be noted",
    "done: noted",
    "done told",
    "interrupted: asked for a sentence",
    "delivery: begun",
    "delivery: made",
    "delivered: about to be noted",
    "delivered: noted",
    "routine: about to be removed",
    "routine: removed",
    "removed told",
)
"""Named points between two steps."""

STATEMENTS: Final = {
    "file: looked through": "PRAGMA quick_check",
    "transaction: begun": "BEGIN IMMEDIATE",
    "transaction: ended": "COMMIT",
    "routine: written": "INSERT INTO routines",
    "routine: rewritten": "UPDATE routines SET data",
    "memo: written": "INSERT INTO memos",
    "firing: written": "INSERT INTO firings",
    "firing: rewritten": "UPDATE firings",
    "firing: deleted": "DELETE FROM firings WHERE id",
    "firings: deleted": "DELETE FROM firings WHERE routine",
    "routine: deleted": "DELETE FROM routines",
    "file: rewritten": "VACUUM",
    "log: emptied": "PRAGMA wal_checkpoint",
    "debt: paid": "DELETE FROM settings",
}
"""Named points within a step: when the statement that begins so is about to be run."""

POINTS: Final = (*CALLS, *STATEMENTS)


class Points:
    """Decides when this process dies."""

    def __init__(self) -> None:
        self._name = ""
        self._countdown: Callable[[], None] = lambda: None

    def prepare(self, death: Death, folder: Path) -> None:
        """Make this process die so."""
        countdown = Countdown(death.number)
        if death.way == "step":
            on_connect(lambda connection: connection.set_progress_handler(countdown, 1))
        elif death.way == "torn":
            limit_writing(folder / "any", death.number)
        elif death.point in STATEMENTS:
            start = STATEMENTS[death.point]
            on_connect(lambda connection: count_statements(connection, start, countdown))
        else:
            self._name, self._countdown = death.point, countdown

    def passed(self, name: str) -> None:
        """Die here if that is to be so."""
        if name == self._name:
            self._countdown()


def deaths(rng: random.Random) -> list[Death]:
    """Return how the processes of one driver die, one after the other."""
    named = [
        Death(way="point", point=point, number=number)
        for point in POINTS
        for number in (1, rng.choice((2, 3, 5)))
    ]
    steps = [Death(way="step", number=rng.randint(1, 9000)) for _ in range(8)]
    torn = [Death(way="torn", number=rng.randint(1, 60_000)) for _ in range(8)]
    outside = [Death(way="outside") for _ in range(20)]
    every = [*named, *steps, *torn, *outside]
    rng.shuffle(every)
    return every
