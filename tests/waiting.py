"""Waiting for what other tasks, threads and timers do."""

import asyncio
from collections.abc import Callable


async def until(is_so: Callable[[], object], *, seconds: float = 120) -> None:
    """Return as soon as it is so. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not is_so():  # noqa: ASYNC110 - there is nothing to wait on
            await asyncio.sleep(0.005)
