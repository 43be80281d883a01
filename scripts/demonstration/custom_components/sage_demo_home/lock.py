"""Locks."""

from typing import Any

from homeassistant.components.lock import LockEntity

from .thing import DemoThing, platform_of

TURN = 1.0  # seconds that the bolt takes


class DemoLock(DemoThing, LockEntity):
    """A lock that takes a moment."""

    async def async_lock(self, **kwargs: Any) -> None:
        self.become(is_locking=True, is_unlocking=False)
        self.later(TURN, lambda: self.become(is_locking=False, is_locked=True))

    async def async_unlock(self, **kwargs: Any) -> None:
        self.become(is_unlocking=True, is_locking=False)
        self.later(TURN, lambda: self.become(is_unlocking=False, is_locked=False))


async_setup_entry = platform_of("lock", DemoLock)
