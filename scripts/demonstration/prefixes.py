"""Wait until the model has read the beginnings of SAGE's prompts, so that no command has to."""

import asyncio
import sys
import time

from .client import Client
from .model_front import ModelFront, Reading

PATIENCE = 60.0
"""Seconds until it has to begin: while a routine asks something, it does not."""

ASK_AGAIN = 0.5
"""Seconds."""


async def prefixes_read(owner: Client, start: float, front: ModelFront | None = None) -> None:
    """Return when they are read, or cannot be; show the progress meanwhile.

    `start` is when the demo began, `time.monotonic` seconds. `front` counts the tokens; without it,
    the share of the prompts is shown. A model on the internet reads nothing ahead.
    """
    progress = _Progress(start)
    patient_until = time.monotonic() + PATIENCE
    while True:
        agents = (await owner.call("sage/prefixes"))["prefixes"]
        states = {each["state"] for each in agents}
        if "evaluating" in states:
            if front is None:
                progress.show(min(each["done"] for each in agents))
            else:
                progress.show_reading(front.reading())
        elif "waiting" not in states or time.monotonic() > patient_until:
            progress.end()
            if front is not None and states == {"ready"}:
                front.end_reading()
            return
        await asyncio.sleep(ASK_AGAIN)


class _Progress:
    """One line that changes on a terminal, a line for each step elsewhere."""

    def __init__(self, start: float) -> None:
        self._start = start
        self._begun = time.monotonic()
        self._step = (self._begun, 0.0)
        """Time of the last progress, and the share that was evaluated then."""
        self._shown = -1.0

    def show(self, done: float) -> None:
        """Show the share that is done, and how long the rest may take."""
        now = time.monotonic()
        if done > self._step[1]:
            self._step = now, done
        self._print(done, f"{done:4.0%}", self._left(now))

    def show_reading(self, reading: Reading) -> None:
        """Show the tokens that are read, and how long the rest may take."""
        step = 10 * reading.tokens // reading.total
        text = f"{reading.tokens:,} of about {reading.total:,} tokens"
        self._print(step, text, reading.seconds_left)

    def _print(self, step: float, done: str, left: float | None) -> None:
        text = f"[{time.monotonic() - self._start:5.1f} s] The model reads SAGE's prompts: {done}"
        if left is not None:
            text += f", about {left:.0f} s left"
        if sys.stdout.isatty():
            print(f"\r{text:<99}", end="", flush=True)
        elif step != self._shown:
            print(text, flush=True)
        self._shown = step

    def _left(self, now: float) -> float | None:
        """Return the seconds that are left at the speed up to now; None before it is known."""
        at, done = self._step
        if not done:
            return None
        return max((at - self._begun) * (1 - done) / done - (now - at), 1.0)

    def end(self) -> None:
        """Leave the line that changes."""
        if self._shown >= 0 and sys.stdout.isatty():
            print()
