"""Kills homes that watch routines, one after the other, and judges what each left behind.

    python -m tests.memory.bare tests.routines.crash.driver FOLDER SEED

Prints one line of JSON: how many processes died in which way, and what was done meanwhile.
"""

import asyncio
import json
import os
import random
import signal
import sys
from collections import Counter, deque
from pathlib import Path
from typing import Any, Final

from tests.memory.crash_points import Death, JudgementError, run

from .judge import Judge
from .points import Points, deaths
from .worker import Worker
from .world import Row, steps

TRIES: Final = 10  # processes that may live on because they never come to a point
OPTIONAL: Final = -1


class Driver:
    """Has one home, and one process at a time in it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._random = random.Random(seed)
        self._script: list[Row] = steps(seed)
        self._folder = folder / "home"
        self._ledgers = folder / "ledgers"
        for each in (self._folder, self._ledgers):
            each.mkdir(parents=True)
        self._judge = Judge(self._folder, self._script)
        self._step = 0
        self._processes = 0
        self._longest = 0.4
        """Longest wait in seconds before a kill from outside; less on a fast machine."""

    def warm_up(self) -> None:
        """Live once in this process: what is imported here is not imported in each other one."""
        folder = self._folder.with_name("warm") / "home"
        for each in (folder, folder.with_name("ledgers")):
            each.mkdir(parents=True)
        with Path(os.devnull).open("wb") as pipe:
            worker = Worker(
                folder, pipe.fileno(), name="warm", seed=1, script=self._script, points=Points()
            )
            asyncio.run(worker.async_live(0))

    def drive(self) -> dict[str, Any]:
        """Return how many processes died in which way, and what was done meanwhile."""
        self.warm_up()
        ways: Counter[str] = Counter()
        named: Counter[str] = Counter()
        left = deque((death, TRIES) for death in deaths(self._random))
        while left:
            death, tries = left.popleft()
            if self._kill_one(death):
                ways[death.way] += 1
                if death.is_named:
                    named[death.point] += 1
            elif tries > 0:
                # A run that is broken off leaves more to do to the process after it.
                left.append((Death(way="point", point="run: begun"), OPTIONAL))
                left.append((Death(way=death.way, point=death.point), tries - 1))
            elif tries != OPTIONAL:
                raise JudgementError(f"{death} was not reached")
        if self._live(Death(way="none"), finish=True) != 0:
            raise JudgementError("The last process did not end well.")
        self._judge.finish()
        return {
            "ways": ways,
            "named": named,
            "processes": self._processes,
            "acknowledged": self._judge.acknowledged,
            "edges": self._judge.edges,
            "interrupted": self._judge.interrupted,
        }

    def _kill_one(self, death: Death) -> bool:
        """Return whether a process died as it was to; it may have lived to its end."""
        outcome = self._live(death, finish=False)
        if outcome not in {0, signal.SIGKILL, signal.SIGXFSZ}:
            raise JudgementError(f"{death}: the process ended with {outcome}")
        return outcome != 0

    def _live(self, death: Death, *, finish: bool) -> int:
        """Return the signal that ended a process, or its negative exit status."""
        name = f"p{self._processes:03}"
        self._processes += 1
        points = Points()

        def live(pipe: int) -> None:
            points.prepare(death, self._folder)
            worker = Worker(
                self._folder,
                pipe,
                name=name,
                seed=hash_of(name, self._step),
                script=self._script,
                points=points,
            )
            asyncio.run((worker.async_finish if finish else worker.async_live)(self._step))

        seconds = self._random.random() * self._longest if death.way == "outside" else None
        lines, outcome = run(live, seconds)
        if seconds is not None and outcome == 0:
            self._longest = max(seconds, 0.05)  # The process ended by itself before that.
        ledger = self._ledgers / f"{name}.jsonl"
        try:
            self._judge.follow(lines, ledger)
        except JudgementError as error:
            raise JudgementError(f"{name}, {death}, {lines[-3:]}: {error}") from error
        done = [line["step"] for line in lines if "step" in line]
        # Sometimes the world goes on while nobody looks.
        self._step = max([self._step, *done]) + self._random.choice((0, 0, 1, 2))
        return outcome


def hash_of(name: str, step: int) -> int:
    return random.Random(f"{name} {step}").getrandbits(32)


if __name__ == "__main__":
    print(json.dumps(Driver(Path(sys.argv[1]), int(sys.argv[2])).drive()))
