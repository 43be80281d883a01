"""Wait for other tasks, threads and timers."""

import asyncio
from collections.abc import Callable

import pytest

from custom_components.sage.routines.sandbox import session


async def until(is_so: Callable[[], object], *, seconds: float = 120) -> None:
    """Return as soon as `is_so` returns true. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not is_so():  # noqa: ASYNC110 - there is nothing to wait on
            await asyncio.sleep(0.005)


def stretch_sandbox(patch: pytest.MonkeyPatch, times: float) -> None:
    """Multiply the timeouts of the sandbox by `times`."""
    seconds = session.SECONDS * times
    patch.setattr(session, "SECONDS", seconds)
    patch.setattr(session, "GRACE", session.GRACE * times)
