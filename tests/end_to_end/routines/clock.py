"""Time in the stories about routines: it goes on by itself, and jumps where a story says so."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Final

import freezegun
from freezegun.api import TickingDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import async_fire_time_changed

START: Final = datetime(2026, 1, 14, 17, 0, tzinfo=UTC)
"""A Wednesday, at six in the evening in Berlin: it is dark."""

ZONE: Final = "Europe/Berlin"
SPRING: Final = datetime(2026, 3, 29, 1, 0, tzinfo=UTC)  # the clock goes from 02:00 to 03:00
AUTUMN: Final = datetime(2026, 10, 25, 1, 0, tzinfo=UTC)  # the clock goes from 03:00 back to 02:00
_STEP: Final = timedelta(seconds=30)
"""Maximum step of passing time, so that timers fire in their order."""


@contextmanager
def time_from(start: datetime) -> Iterator[TickingDateTimeFactory]:
    """Let it be this moment; from there on time goes on."""
    with freezegun.freeze_time(start, tick=True, ignore=["aiohttp.web_log"]) as factory:
        assert isinstance(factory, TickingDateTimeFactory)
        yield factory


class Clock:
    """The time of a home."""

    def __init__(
        self,
        hass: HomeAssistant,
        factory: TickingDateTimeFactory,
        rest: Callable[[], Awaitable[None]],
        keep_alive: Callable[[], None] | None = None,
    ) -> None:
        """`rest` waits for what SAGE does; `keep_alive` is what a cloud needs at each step."""
        self._hass = hass
        self._factory = factory
        self._rest = rest
        self._keep_alive = keep_alive

    @property
    def local(self) -> datetime:
        return dt_util.now()

    async def pass_by(self, **span: float) -> None:
        await self.go_on_until(dt_util.utcnow() + timedelta(**span))

    async def go_on_until(self, moment: datetime) -> None:
        """Let time go by in steps until a moment (UTC)."""
        while (now := dt_util.utcnow()) < moment:
            self._factory.move_to(min(now + _STEP, moment))
            if self._keep_alive is not None:
                self._keep_alive()
                await self._rest()
            async_fire_time_changed(self._hass)
            await self._rest()

    def leap(self, **span: float) -> None:
        self._factory.move_to(dt_util.utcnow() + timedelta(**span))

    async def jump_to(self, moment: datetime) -> None:
        """Let it be a later moment (UTC) at once, as after a night in which nothing was due."""
        self._factory.move_to(moment)
        async_fire_time_changed(self._hass)
        await self._rest()
