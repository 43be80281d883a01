"""Long work on the event loop, done in slices so that nothing else waits."""

import asyncio
from collections.abc import Generator
from time import perf_counter
from typing import Final

SLICE_SECONDS: Final = 0.003
"""How long work may hold the event loop before others get their turn."""

type Work[T] = Generator[None, None, T]
"""Work that yields wherever it may be interrupted, and returns its result."""


async def async_in_slices[T](work: Work[T]) -> T:
    """Return the result of the work; the event loop turns every few milliseconds."""
    began = perf_counter()
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        if perf_counter() - began > SLICE_SECONDS:
            await asyncio.sleep(0)
            began = perf_counter()


def in_one_go[T](work: Work[T]) -> T:
    """Return the result of the work, done without a break."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result


class Breaks:
    """Breaks between awaited steps that never wait themselves."""

    def __init__(self) -> None:
        """Begin a slice."""
        self._began = perf_counter()

    async def async_take(self) -> None:
        """Let the event loop turn when the slice is used up."""
        if perf_counter() - self._began > SLICE_SECONDS:
            await asyncio.sleep(0)
            self._began = perf_counter()
