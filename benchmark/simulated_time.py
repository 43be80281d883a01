"""Time that a measurement moves on by itself: an hour passes as fast as the work in it.

Simulated time is the real one plus a skew, so that whatever takes time takes it in the
simulation, too. A jump is only made where all is done that was begun; timers of the event loop
are met one after the other.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from typing import Any, Final
from unittest.mock import patch

from homeassistant import util
from homeassistant.helpers import event as event_helper
from homeassistant.util import dt as dt_util

_REAL_TIME: Final = time.time
_REAL_MONOTONIC: Final = time.monotonic

_MARGIN: Final = 0.002
"""Seconds beyond a timer, whose clock is a coarse one."""


class SimulatedTime:
    """The clock of a running event loop and of Home Assistant in it."""

    def __init__(self, start: datetime) -> None:
        """Let it be `start` now."""
        self._skew = start.timestamp() - _REAL_TIME()
        self._monotonic_skew = 0.0

    def time(self) -> float:
        """Return the simulated seconds since 1970."""
        return _REAL_TIME() + self._skew

    def monotonic(self) -> float:
        return _REAL_MONOTONIC() + self._monotonic_skew

    def now(self, zone: tzinfo | None = None) -> datetime:
        return datetime.fromtimestamp(self.time(), zone or dt_util.get_default_time_zone())

    def utcnow(self) -> datetime:
        return datetime.fromtimestamp(self.time(), UTC)

    @contextmanager
    def installed(self, loop: asyncio.AbstractEventLoop) -> Generator[None]:
        """Have Home Assistant and the loop go by this clock."""
        with (
            patch.object(time, "time", self.time),
            patch.object(dt_util, "utcnow", self.utcnow),
            patch.object(dt_util, "now", self.now),
            patch.object(util, "utcnow", self.utcnow, create=True),
            patch.object(event_helper, "time_tracker_utcnow", self.utcnow),
            patch.object(event_helper, "time_tracker_timestamp", self.time),
            patch.object(loop, "time", self.monotonic),
        ):
            yield

    async def async_run_until(
        self, when: float, async_settle: Callable[[], Awaitable[None]]
    ) -> None:
        """Let time pass until `when` (simulated seconds since 1970).

        `async_settle` returns when all that was begun is done.
        """
        await async_settle()
        while (left := when - self.time()) > 0:
            self._jump(min(left, self._until_next_timer()))
            await asyncio.sleep(0)
            await async_settle()

    def _jump(self, seconds: float) -> None:
        if seconds > 0:
            self._skew += seconds
            self._monotonic_skew += seconds

    def _until_next_timer(self) -> float:
        loop: Any = asyncio.get_running_loop()
        # Timers that were cancelled leave the heap of the loop only later.
        waiting = [each.when() for each in loop._scheduled if not each.cancelled()]  # noqa: SLF001
        next_timer = min(waiting, default=float("inf"))
        return float(next_timer - self.monotonic() + _MARGIN)
