"""Run long work on the event loop in slices, so that nothing else waits."""

import asyncio
from collections.abc import Generator
from time import perf_counter
from typing import Final

SLICE_SECONDS: Final = 0.003
"""Maximum time in seconds that a slice of work blocks the event loop."""

type Work[T] = Generator[None, None, T]
"""A generator that yields at each point where it may be interrupted, and returns the result."""


async def async_in_slices[T](work: Work[T]) -> T:
    """Return the result of the work; yield to the event loop every few milliseconds."""
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
    """Return the result of the work without interruption."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result


class Breaks:
    """Yields to the event loop every few milliseconds, between steps that do not yield."""

    def __init__(self) -> None:
        self._began = perf_counter()

    async def async_take(self) -> None:
        """Yield to the event loop if the slice is used up."""
        if perf_counter() - self._began > SLICE_SECONDS:
            await asyncio.sleep(0)
            self._began = perf_counter()
