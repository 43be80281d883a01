"""Decides when routines are evaluated: regularly, after changes, and at due times.

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

from ..helpers.weakly import weakly
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

        self._intervals: dict[str, float] = {}
        self._wakes: dict[str, datetime] = {}
        self._ticks: dict[float, Callable[[], None]] = {}
        self._ticked: dict[float, datetime] = {}
        self._pending: set[str] = set()
        self._cancel_soon: Callable[[], None] | None = None
        self._cancel_wake: Callable[[], None] | None = None
        self._cancel_sleep_check: Callable[[], None] | None = None
        self._wake: datetime | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_started = False

    @callback
    def start(self) -> None:
        """Set the timers. Before this call, no routine is evaluated."""
        self._is_started = True
        for interval in set(self._intervals.values()):
            self._tick(interval)
        self._set_wake()
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
        for cancel in self._ticks.values():
            cancel()
        self._ticks.clear()
        for cancel_timer in (self._cancel_soon, self._cancel_wake, self._cancel_sleep_check):
            if cancel_timer is not None:
                cancel_timer()
        self._cancel_soon = self._cancel_wake = self._cancel_sleep_check = self._wake = None
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
    def set(self, routine_id: str, *, interval: float | None, wake_at: datetime | None) -> None:
        """Evaluate a routine every `interval` seconds and at `wake_at` (UTC).

        None removes the earlier value.
        """
        if self._intervals.get(routine_id) == interval and self._wakes.get(routine_id) == wake_at:
            return
        if interval is None:
            self._intervals.pop(routine_id, None)
        else:
            self._intervals[routine_id] = interval
        if wake_at is None:
            self._wakes.pop(routine_id, None)
        else:
            self._wakes[routine_id] = wake_at
        self._keep_ticks()
        if self._is_started:
            self._set_wake()

    @callback
    def drop(self, routine_id: str) -> None:
        """Stop evaluating a routine, both regularly and at its due time."""
        self._pending.discard(routine_id)
        self.set(routine_id, interval=None, wake_at=None)

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

    def next_tick(self, routine_id: str) -> datetime | None:
        """Return the time (UTC) of the next regular evaluation of a routine.

        None if the routine has no interval or its timer is not set yet.
        """
        interval = self._intervals.get(routine_id)
        ticked = None if interval is None else self._ticked.get(interval)
        if interval is None or ticked is None:
            return None
        return ticked + timedelta(seconds=interval)

    def _set_soon(self) -> None:
        if self._is_started and self._cancel_soon is None and self._task is None:
            job = HassJob(self._soon, "sage routines: changes", cancel_on_shutdown=True)
            self._cancel_soon = async_call_later(self._hass, DEBOUNCE, job)

    @callback
    def _soon(self, _: datetime) -> None:
        self._cancel_soon = None
        self._begin()

    def _keep_ticks(self) -> None:
        """Set a timer for each interval that a routine uses, and remove the other timers."""
        wanted = set(self._intervals.values())
        for interval in self._ticks.keys() - wanted:
            self._ticks.pop(interval)()
            self._ticked.pop(interval, None)
        if self._is_started:
            for interval in wanted - self._ticks.keys():
                self._tick(interval)

    def _tick(self, interval: float) -> None:
        self._ticked[interval] = self._now()
        self._ticks[interval] = async_track_time_interval(
            self._hass,
            partial(weakly(self._interval_over), interval),
            timedelta(seconds=interval),
            name=f"sage routines: every {interval} s",
            cancel_on_shutdown=True,
        )

    @callback
    def _interval_over(self, interval: float, _: datetime) -> None:
        self._ticked[interval] = self._now()
        self._pending.update(each for each, wanted in self._intervals.items() if wanted == interval)
        self._begin()

    def _set_wake(self) -> None:
        """Set the timer for the earliest point in time at which any routine is evaluated."""
        earliest = min(self._wakes.values(), default=None)
        if earliest == self._wake and self._cancel_wake is not None:
            return
        if self._cancel_wake is not None:
            self._cancel_wake()
        self._wake, self._cancel_wake = earliest, None
        if earliest is not None:
            job = HassJob(self._woken, "sage routines: point in time", cancel_on_shutdown=True)
            self._cancel_wake = async_track_point_in_utc_time(self._hass, job, earliest)

    @callback
    def _woken(self, _: datetime) -> None:
        self._cancel_wake = self._wake = None
        self._begin_due()

    @callback
    def _check_sleep(self, _: datetime) -> None:
        self._begin_due()

    def _begin_due(self) -> None:
        """Evaluate the routines whose point in time has come."""
        now = self._now()
        due = [each for each, at in self._wakes.items() if at <= now]
        for routine_id in due:
            del self._wakes[routine_id]
        self._pending.update(due)
        self._set_wake()
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
            self._retry(due)
        finally:
            self._task = None
            if self._pending:
                self._set_soon()

    def _retry(self, due: Collection[str]) -> None:
        """Evaluate the routines `due` again after RETRY, because their evaluation failed."""
        again = self._now() + RETRY
        for routine_id in due:
            self._wakes.setdefault(routine_id, again)
        if self._is_started:
            self._set_wake()


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
    day = after.astimezone(zone).date()
    for offset in range(_DAYS + 1):
        due = _on_day(day + timedelta(days=offset), trigger, zone)
        if due is not None and due > after:
            return due
    return None


def _on_day(day: date, trigger: Daily, zone: tzinfo) -> datetime | None:
    if day.weekday() not in trigger.weekdays:
        return None
    return instant(day, trigger.at, zone)


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
