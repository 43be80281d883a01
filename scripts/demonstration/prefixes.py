"""Wait until the model has read the beginnings of SAGE's prompts, so that no command has to."""

import asyncio
import sys
import time

from .model_front import ModelFront, Reading

PATIENCE = 60.0
"""Seconds until it has to begin: while a routine asks something, it does not."""

QUIET = 12.0
"""Seconds without reading after which it is over: after a change of the home, SAGE waits for 10."""

ASK_AGAIN = 0.5
"""Seconds."""


async def prefixes_read(front: ModelFront, start: float) -> None:
    """Return when they are read; show the progress meanwhile.

    `start` is when the demo began, `time.monotonic` seconds. `front` counts the tokens.
    """
    progress = _Progress(start)
    since = time.monotonic()
    while time.monotonic() - since < (QUIET if front.reading().tokens else PATIENCE):
        if front.is_reading:
            progress.show(front.reading())
            since = time.monotonic()
        await asyncio.sleep(ASK_AGAIN)
    progress.end()
    front.end_reading()


class _Progress:
    """One line that changes on a terminal, a line for each step elsewhere."""

    def __init__(self, start: float) -> None:
        self._start = start
        self._shown = -1

    def show(self, reading: Reading) -> None:
        """Show the tokens that are read, and how long the rest may take."""
        step = 10 * reading.tokens // reading.total
        text = f"[{time.monotonic() - self._start:5.1f} s] The model reads SAGE's prompts: "
        text += f"{reading.tokens:,} of about {reading.total:,} tokens"
        if reading.seconds_left is not None:
            text += f", about {reading.seconds_left:.0f} s left"
        if sys.stdout.isatty():
            print(f"\r{text:<99}", end="", flush=True)
        elif step != self._shown:
            print(text, flush=True)
        self._shown = step

    def end(self) -> None:
        """Leave the line that changes."""
        if self._shown >= 0 and sys.stdout.isatty():
            print()
