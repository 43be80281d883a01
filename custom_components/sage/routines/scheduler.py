"""Decides when routines are evaluated: after changes, and at set times.

An evaluation checks whether a routine's condition is true or its due time has come. Due times are
clock times in the time zone of the home:

- A clock time that is skipped when the clocks go forward is due at the moment of the change.
- A clock time that occurs twice when the clocks go back is due only the first time.
"""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Collection
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import partial
from typing import Final

from homeassistant.core import HassJob, HomeAssistant, callback
from homeassistant.helpers.event import (
    async_call_later,
    async_track_point_in_utc_time,
    async_track_time_interval,
)

from ..helpers import weakly
from .routine_types import Daily, Moment

_LOGGER = logging.getLogger(__name__)

DEBOUNCE: Final = 0.1
"""Seconds from a change of a value to the evaluation, to collect a burst of changes."""

# Timers are late after a standby of the computer.
SLEEP_CHECK: Final = timedelta(minutes=1)
"""How often SAGE looks for due times of routines that passed while the computer slept."""

RETRY: Final = timedelta(seconds=10)
"""Time until routines are evaluated again after an error."""


class Scheduler:
    """Calls `async_batch` with the ids of the routines to evaluate, one call at a time.

    An evaluation checks whether a routine's condition is true or its due time has come.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        async_batch: Callable[[Collection[str]], Awaitable[None]],
        now: Callable[[], datetime],
    ) -> None:
        """Store the inputs; no timer is set. `now` returns the time (UTC)."""
        self._hass = hass
        self._async_batch = async_batch
        self._now = now
        self.turn = asyncio.Lock()
        """Lock that is held while routines are evaluated, and while somebody changes a routine."""

        self._wakes: dict[str, datetime] = {}
        self._timers: dict[str, Callable[[], None]] = {}
        self._pending: set[str] = set()
        self._cancel_soon: Callable[[], None] | None = None
        self._cancel_sleep_check: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_started = False

    @callback
    def start(self) -> None:
        """Set the timers. Before this call, no routine is evaluated."""
        self._is_started = True
        for routine_id, wake_at in self._wakes.items():
            self._set_timer(routine_id, wake_at)
        self._cancel_sleep_check = async_track_time_interval(
            self._hass,
            weakly(self._check_sleep),
            SLEEP_CHECK,
            name="sage routines: after a sleep",
            cancel_on_shutdown=True,
        )
        self._begin()

    async def async_stop(self) -> None:
        """Remove the timers, and wait for the end of a running evaluation."""
        self._is_started = False
        for cancel in (*self._timers.values(), self._cancel_soon, self._cancel_sleep_check):
            if cancel is not None:
                cancel()
        self._timers.clear()
        self._cancel_soon = self._cancel_sleep_check = None
        if self._task is not None:
            await asyncio.wait((self._task,))

    @property
    def is_busy(self) -> bool:
        """Whether any routine is being evaluated or is due."""
        return bool(self._pending or self._task is not None or self._cancel_soon is not None)

    async def async_idle(self) -> None:
        """Wait until no routine is being evaluated."""
        while self._task is not None:
            await asyncio.wait((self._task,))

    @callback
    def set(self, routine_id: str, wake_at: datetime | None) -> None:
        """Evaluate a routine at `wake_at` (UTC) instead of the earlier time; None: at no time."""
        if self._wakes.get(routine_id) == wake_at:
            return
        self._wakes.pop(routine_id, None)
        if (cancel := self._timers.pop(routine_id, None)) is not None:
            cancel()
        if wake_at is not None:
            self._wakes[routine_id] = wake_at
            if self._is_started:
                self._set_timer(routine_id, wake_at)

    def _set_timer(self, routine_id: str, wake_at: datetime) -> None:
        woken = partial(weakly(self._woken), routine_id)
        job = HassJob(woken, "sage routines: point in time", cancel_on_shutdown=True)
        self._timers[routine_id] = async_track_point_in_utc_time(self._hass, job, wake_at)

    @callback
    def _woken(self, routine_id: str, _: datetime) -> None:
        self.set(routine_id, None)
        self.look_now(routine_id)

    @callback
    def _check_sleep(self, _: datetime) -> None:
        now = self._now()
        for routine_id in [each for each, at in self._wakes.items() if at <= now]:
            self._woken(routine_id, now)

    @callback
    def drop(self, routine_id: str) -> None:
        """Stop evaluating a routine."""
        self._pending.discard(routine_id)
        self.set(routine_id, None)

    @callback
    def look_soon(self, routine_id: str) -> None:
        """Evaluate a routine after DEBOUNCE seconds, for example because a value changed."""
        self._pending.add(routine_id)
        self._set_soon()

    @callback
    def look_now(self, routine_id: str) -> None:
        """Evaluate a routine at once, or soon after the evaluation that is running."""
        self._pending.add(routine_id)
        self._begin()

    def _set_soon(self) -> None:
        if self._is_started and self._cancel_soon is None and self._task is None:
            job = HassJob(self._soon, "sage routines: changes", cancel_on_shutdown=True)
            self._cancel_soon = async_call_later(self._hass, DEBOUNCE, job)

    @callback
    def _soon(self, _: datetime) -> None:
        self._cancel_soon = None
        self._begin()

    def _begin(self) -> None:
        """Start to evaluate the routines that are due, unless an evaluation is running."""
        if not self._is_started or self._task is not None or not self._pending:
            return
        # Use an empty context, so that the batch does not inherit the context of the change.
        self._task = contextvars.Context().run(
            self._hass.async_create_background_task,
            self._async_run(),
            "sage routines: checks",
            eager_start=False,
        )

    async def _async_run(self) -> None:
        due: frozenset[str] = frozenset()
        try:
            async with self.turn:
                due = frozenset(self._pending)
                self._pending.clear()
                await self._async_batch(due)
        except Exception:
            # An error of SAGE in one batch must not stop all checks.
            _LOGGER.exception("Routines could not be checked")
            again = self._now() + RETRY
            for routine_id in due - self._wakes.keys():
                self.set(routine_id, again)
        finally:
            self._task = None
            if self._pending:
                self._set_soon()


def next_tick(now: datetime, interval: float) -> datetime:
    """Return the next time (UTC) for a regular evaluation every `interval` seconds.

    It is the same for all routines with this interval, so that they are evaluated together.
    """
    return datetime.fromtimestamp((now.timestamp() // interval + 1) * interval, UTC)


_DAYS: Final = 8
_SECOND: Final = timedelta(seconds=1)


def next_due(trigger: Moment | Daily, after: datetime, zone: tzinfo) -> datetime | None:
    """Return the first due time of a trigger that is later than `after` (both UTC), or None.

    `zone`: the time zone of a `Daily` trigger.
    """
    if isinstance(trigger, Moment):
        return trigger.at if trigger.at > after else None
    if not trigger.weekdays:
        return None
    first = after.astimezone(zone).date()
    for offset in range(_DAYS + 1):
        day = first + timedelta(days=offset)
        if day.weekday() in trigger.weekdays and (due := instant(day, trigger.at, zone)) > after:
            return due
    return None


def instant(day: date, clock: time, zone: tzinfo) -> datetime:
    """Return the first time (UTC) on `day` at which the clocks in `zone` show `clock`.

    If daylight saving time skips `clock`, returns the time of the change.
    """
    local = datetime.combine(day, clock.replace(fold=0), zone)
    found = local.astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return found
    # The time is skipped: find the start of the gap by bisection.
    early = local.replace(fold=1).astimezone(UTC)
    offset = early.astimezone(zone).utcoffset()
    while found - early > _SECOND:
        middle = early + (found - early) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            early = middle
        else:
            found = middle
    return found.replace(microsecond=0)
