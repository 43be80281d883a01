"""Kills writers of one memory, one after the other, and judges what each left behind.

    python -m tests.memory.bare tests.memory.crash_driver FOLDER SEED

Prints one line of JSON: how many processes died in which way.
"""

import json
import random
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from .crash_judge import Judge
from .crash_points import FIRST_STATEMENTS, Death, JudgementError, deaths, prepare, run
from .crash_writer import Writer


def drive(folder: Path, seed: int) -> dict[str, Any]:
    """Return how many processes died in which way, and how many calls were acknowledged."""
    rng = random.Random(seed)
    judge = Judge(folder / "old" / "anna.db")
    died: Counter[str] = Counter()
    named: Counter[str] = Counter()
    acknowledged = 0
    for number, death in enumerate(deaths(rng)):
        is_first = death.point in FIRST_STATEMENTS
        path = folder / (f"new{number}" if is_first else "old") / "anna.db"
        judged = Judge(path) if is_first else judge
        lines, outcome = kill_one(path, rng.getrandbits(32), death, rng.random() * 0.15)
        if outcome not in {signal.SIGKILL, signal.SIGXFSZ}:
            raise JudgementError(f"{death} was not reached: {outcome}, {lines[-2:]}")
        before = judged.acknowledged
        judged.follow(lines)
        acknowledged += judged.acknowledged - before
        died[death.way] += 1
        if death.is_named:
            named[death.point] += 1
    return {"kills": died.total(), "ways": died, "named": named, "acknowledged": acknowledged}


def kill_one(
    path: Path, seed: int, death: Death, seconds: float
) -> tuple[list[dict[str, Any]], int]:
    """Return the lines of a writer before it died, and the signal that ended it."""
    path.parent.mkdir(exist_ok=True, parents=True)

    def live(pipe: int) -> None:
        Writer(path, pipe, seed, prepare(death, path)).run()

    return run(live, seconds if death.way == "outside" else None)


if __name__ == "__main__":
    print(json.dumps(drive(Path(sys.argv[1]), int(sys.argv[2]))))
