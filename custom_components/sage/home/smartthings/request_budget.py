"""How often the cloud may be asked: so many requests a minute, and pauses that it demands."""

import asyncio
import time
from collections import deque
from typing import Final

MINUTE: Final = 60.0


class RequestBudget:
    """At most so many requests in any minute; who comes too late waits in turn."""

    def __init__(self, a_minute: int) -> None:
        """Allow so many requests a minute."""
        self._a_minute = a_minute
        self._taken: deque[float] = deque(maxlen=a_minute)
        self._paused_until = 0.0
        self._turn = asyncio.Lock()
        self._waiting = 0

    @property
    def wait(self) -> float:
        """Seconds until the next request may be sent."""
        now = time.monotonic()
        full = len(self._taken) == self._a_minute
        free = self._taken[0] + MINUTE if full else now
        return max(free, self._paused_until, now) - now

    @property
    def is_paused(self) -> bool:
        """Whether the cloud asked not to be asked for now."""
        return self._paused_until > time.monotonic()

    def free_within(self, seconds: float) -> int:
        """Return how many more requests may be sent within so many seconds."""
        now = time.monotonic()
        if self._paused_until > now + seconds:
            return 0
        recent = sum(taken + MINUTE > now + seconds for taken in self._taken)
        return max(0, self._a_minute - recent - self._waiting)

    def pause(self, seconds: float) -> None:
        """Send nothing for so long."""
        self._paused_until = max(self._paused_until, time.monotonic() + seconds)

    async def async_take(self) -> None:
        """Wait until a request may be sent, and count it."""
        self._waiting += 1
        try:
            async with self._turn:
                # A pause may have been asked for meanwhile, so it is looked at again.
                while (seconds := self.wait) > 0:  # noqa: ASYNC110
                    await asyncio.sleep(seconds)
                self._taken.append(time.monotonic())
        finally:
            self._waiting -= 1
