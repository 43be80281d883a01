"""Long computations: in short slices on the event loop, or in a thread up to their end."""

import asyncio
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

SLICE_SECONDS: Final = 0.003  # seconds of computation after which the event loop gets a turn

type Work[T] = Generator[None, None, T]
"""An interruptible computation: a generator that yields between steps and returns the result."""


async def async_in_slices[T](work: Work[T]) -> T:
    """Run the computation `work` and return its result; yield to the event loop every few ms."""
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


async def async_to_its_end[T](job: asyncio.Future[T], stop: Callable[[], None] = lambda: None) -> T:
    """Return the result of a job in a thread; on cancellation, stop it and wait for its end."""
    try:
        # `asyncio.shield` would report an error of the job as unhandled after a cancellation.
        await asyncio.wait([job])
    except asyncio.CancelledError:
        stop()
        await asyncio.wait([job])
        job.exception()  # so that it is not reported as never retrieved
        raise
    return job.result()


def is_cancelled() -> bool:
    """Return whether the current task itself is cancelled, not only what it awaits."""
    # In the frame of the task's own code, the task would be part of a reference cycle.
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def in_one_go[T](work: Work[T]) -> T:
    """Run the computation `work` without yielding to the event loop, and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result


@dataclass(slots=True)
class Breaks:
    """Yields to the event loop every few milliseconds, at `async_take` between two steps."""

    _began: float = field(default_factory=perf_counter)

    async def async_take(self) -> None:
        """Yield to the event loop if a few milliseconds have passed since the last yield."""
        if perf_counter() - self._began > SLICE_SECONDS:
            await asyncio.sleep(0)
            self._began = perf_counter()
