"""When routines are evaluated: after changes and at set times, and their state in between.

An evaluation checks whether a routine's condition is true or its due time has come. Due times are
clock times in the time zone of the home:

- A clock time that is skipped when the clocks go forward is due as much later: 02:30 at 03:30.
- A clock time that occurs twice when the clocks go back is due only the first time.

`CheckState` is lost at a restart; data that must survive is in the routine's `Memo`.
"""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from homeassistant.core import HassJob, HomeAssistant, callback
from homeassistant.helpers.event import (
    async_call_later,
    async_track_point_in_utc_time,
    async_track_time_interval,
)
from homeassistant.util import dt as dt_util

from ..helpers import weakly
from .edge import CheckVerdict, is_other
from .evaluation import Evaluator, Report, Snapshot
from .routine_types import CHECKED, Memo, RoutineEntry, Status
from .sandbox.contract import CheckOutcome, SandboxError

_LOGGER = logging.getLogger(__name__)

DEBOUNCE: Final = 0.1
"""Seconds from a change of a value to the evaluation, to collect a burst of changes."""

# Timers are late after a standby of the computer.
SLEEP_CHECK: Final = timedelta(minutes=1)
"""How often SAGE looks for due times of routines that passed while the computer slept."""

RETRY: Final = timedelta(seconds=10)  # time until routines are evaluated again after an error


class Scheduler:
    """Calls `async_batch` with the ids of the routines to evaluate, one call at a time."""

    def __init__(
        self, hass: HomeAssistant, async_batch: Callable[[Collection[str]], Awaitable[None]]
    ) -> None:
        """Store the inputs; no timer is set."""
        self._hass = hass
        self._async_batch = async_batch
        self.turn = asyncio.Lock()
        """Lock that is held while routines are evaluated, and while somebody changes a routine."""

        self._wakes: dict[str, datetime] = {}  # routine id -> when to evaluate the routine, UTC
        self._timer: tuple[datetime, Callable[[], None]] | None = None
        """The earliest of `_wakes`, and the function that cancels its timer."""

        self._pending: set[str] = set()
        self._cancel_soon: Callable[[], None] | None = None
        self._cancel_sleep_check: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_started = False

    @callback
    def start(self) -> None:
        """Set the timers. Before this call, no routine is evaluated."""
        self._is_started = True
        self._cancel_sleep_check = async_track_time_interval(
            self._hass,
            weakly(self._wake),
            SLEEP_CHECK,
            name="sage routines: after a sleep",
            cancel_on_shutdown=True,
        )
        self._set_timer()
        self._begin()

    async def async_stop(self) -> None:
        """Remove the timers, and wait for the end of a running evaluation."""
        self._is_started = False
        self._set_timer()
        for cancel in (self._cancel_soon, self._cancel_sleep_check):
            if cancel is not None:
                cancel()
        self._cancel_soon = self._cancel_sleep_check = None
        await self.async_idle()

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
        before = self._wakes.pop(routine_id, None)
        if wake_at is not None:
            self._wakes[routine_id] = wake_at
        first = None if self._timer is None else self._timer[0]
        is_earlier = wake_at is not None and first is not None and wake_at < first
        if first is None or before == first or is_earlier:
            self._set_timer()

    def _set_timer(self) -> None:
        """Set the timer to the earliest time of `_wakes`; remove it before the start."""
        first = min(self._wakes.values(), default=None) if self._is_started else None
        if self._timer is not None:
            if self._timer[0] == first:
                return
            self._timer[1]()
            self._timer = None
        if first is not None:
            job = HassJob(
                weakly(self._wake), "sage routines: point in time", cancel_on_shutdown=True
            )
            self._timer = (first, async_track_point_in_utc_time(self._hass, job, first))

    @callback
    def _wake(self, at: datetime) -> None:
        now = max(at, dt_util.utcnow())
        due = {each for each, wake_at in self._wakes.items() if wake_at <= now}
        for routine_id in due:
            del self._wakes[routine_id]
        self._pending |= due
        self._set_timer()
        self._begin()

    @callback
    def drop(self, routine_id: str) -> None:
        """Stop evaluating a routine."""
        self._pending.discard(routine_id)
        self.set(routine_id, None)

    @callback
    def look_soon(self, routine_id: str) -> None:
        """Evaluate a routine after DEBOUNCE seconds, for example because a value changed."""
        self._pending.add(routine_id)
        if self._is_started and self._cancel_soon is None and self._task is None:
            job = HassJob(self._begin, "sage routines: changes", cancel_on_shutdown=True)
            self._cancel_soon = async_call_later(self._hass, DEBOUNCE, job)

    @callback
    def look_now(self, routine_id: str, _: object = None) -> None:
        """Evaluate a routine at once, or soon after the evaluation that is running."""
        self._pending.add(routine_id)
        self._begin()

    @callback
    def _begin(self, _: datetime | None = None) -> None:
        if self._cancel_soon is not None:
            self._cancel_soon()
            self._cancel_soon = None
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
            again = dt_util.utcnow() + RETRY
            for routine_id in due - self._wakes.keys():
                self.set(routine_id, again)
        finally:
            self._task = None
            if self._pending:
                self.look_soon(next(iter(self._pending)))


# This limits how long SAGE uses a value after the person has lost the permission to read it.
HEARTBEAT: Final = timedelta(minutes=1)
"""Maximum time between two evaluations of a condition, even if no value changes."""

MOST_REPORTS: Final = 200
"""Maximum number of reports that wait for an evaluation; further ones are not kept."""

MOST_MOMENTS: Final = 50
"""Maximum number of moments that one evaluation covers; the others are evaluated later."""

LOOP: Final = timedelta(minutes=3)
PER_LOOP: Final = 10
PER_HOUR: Final = 60
"""A routine that fires more often than PER_LOOP times within LOOP, or PER_HOUR, is stopped.

Each round of two routines that trigger each other takes seconds, since SAGE reads the devices back.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The evaluation of a routine's condition for the latest reports."""

    entry: RoutineEntry  # the routine when the evaluation began
    memo: Memo  # the memo of the routine before the last of the evaluated moments
    outcome: CheckOutcome
    number: int  # number of reports that have been evaluated


@dataclass(slots=True, kw_only=True)
class CheckState:
    """The last evaluation of a routine's condition, and the reports of values since then."""

    last: CheckVerdict | None = None  # the verdict of the last evaluation; None: not evaluated yet
    keys: frozenset[str] = frozenset()  # the values that are watched, from `FunctionResult.keys`
    unwatch: Callable[[], None] | None = None  # stops the reports of `keys`
    is_stale: bool = True  # whether the condition has to be evaluated as soon as possible
    reports: list[Report] = field(default_factory=list)
    """The reports of watched values that have not been evaluated, the oldest first."""

    looked: int = 0  # number of `reports` that led to the current evaluation
    look: asyncio.Task[Look] | None = None
    """The evaluation that is running, or whose result has not been used yet."""

    repair: asyncio.Task[None] | None = None
    """The repair of the condition code by the model that is running."""

    fired: tuple[datetime, ...] = ()  # when the routine fired in the last hour, UTC

    def is_due(self, now: datetime) -> bool:
        """Return whether the condition has to be evaluated at `now` (UTC)."""
        last = self.last
        if self.look is not None or self.repair is not None:
            return self.look is not None and self.look.done()
        if last is None:
            return True
        if last.not_before is not None and now < last.not_before:
            return False
        times = (last.look_again_at, last.fresh_until)
        return (
            self.is_stale
            or not last.is_settled
            or now - last.at >= HEARTBEAT
            or any(at is not None and at <= now for at in times)
        )

    def note(self, report: Report) -> None:
        """Keep a report for the next evaluation."""
        self.is_stale = True
        if len(self.reports) < MOST_REPORTS:
            self.reports.append(report)

    def next_moment(self, number: int) -> int:
        """Return how many reports to evaluate next, after `number` of them.

        The reports of a burst count as one moment, as long as they are about different values: when
        a scene switches several lights, only the end counts. But each value that one light passes
        through is evaluated.
        """
        seen: set[str] = set()
        for index, report in enumerate(self.reports[number:], number):
            if report.key in seen:
                return index
            seen.add(report.key)
        return len(self.reports)

    def fires_too_often(self, at: datetime) -> bool:
        """Count one firing of the routine; return whether it fires too often."""
        # Drop times in the future: the clock was set back since.
        hour = timedelta(hours=1)
        self.fired = (*(when for when in self.fired if timedelta(0) <= at - when < hour), at)
        latest = sum(at - when < LOOP for when in self.fired)
        return len(self.fired) > PER_HOUR or latest > PER_LOOP

    def take(self, verdict: CheckVerdict) -> None:
        """Store the result of an evaluation, and drop the reports that it covers."""
        self.last = verdict
        # After an error, only the value at the next evaluation counts.
        looked = self.looked if verdict.not_before is None else len(self.reports)
        self.reports = self.reports[looked:]
        self.looked = 0
        self.is_stale = self.is_stale or bool(self.reports)

    def stop_watching(self) -> None:
        """Stop the reports of values."""
        if self.unwatch is not None:
            self.unwatch()
        self.unwatch, self.keys = None, frozenset()

    def stop(self) -> None:
        """Cancel a running evaluation and repair, and stop the reports of values."""
        self.stop_watching()
        for task in self.tasks:
            task.cancel()

    @property
    def tasks(self) -> list[asyncio.Task[Any]]:
        """The evaluation and the repair that are running."""
        return [task for task in (self.look, self.repair) if task is not None and not task.done()]

    def begin_look(
        self, hass: HomeAssistant, evaluator: Evaluator, entry: RoutineEntry
    ) -> asyncio.Task[Look]:
        """Return the evaluation of the routine's condition; begin it unless it is under way."""
        if self.look is None:
            self.is_stale = False
            self.look = hass.async_create_background_task(
                self._async_look(evaluator, entry), "sage routines: evaluation"
            )
        return self.look

    async def _async_look(self, evaluator: Evaluator, entry: RoutineEntry) -> Look:
        """Evaluate after each report until the value differs, at last now. Raises SandboxError."""
        condition = entry.condition
        assert condition is not None
        routine, memo, number = entry.routine, entry.memo, 0
        for _ in range(MOST_MOMENTS):
            number = self.next_moment(number)
            snapshot = Snapshot(self.reports, number)
            outcome = await evaluator.async_evaluate(
                condition, routine.person, routine.bindings, snapshot, memo.state
            )
            is_last = number == len(self.reports)
            if is_last or outcome.error or is_other(memo, outcome.value):
                break
            if outcome.state is not None:
                memo = replace(memo, state=outcome.state)
        return Look(entry=entry, memo=memo, outcome=outcome, number=number)

    def take_look(self) -> Look | None:
        """Return the finished evaluation; None if it failed, or the sandbox did."""
        task, self.look = self.look, None
        if task is None or task.cancelled():
            return None
        if (error := task.exception()) is None:
            return task.result()
        if not isinstance(error, SandboxError):
            # An error of SAGE in one evaluation must not stop the others.
            _LOGGER.error("A condition could not be evaluated", exc_info=error)
        return None

    def _times(self, entry: RoutineEntry, now: datetime) -> tuple[datetime | None, ...]:
        """Return when to evaluate the condition of a routine next, besides changes of values.

        The first time is that of a regular evaluation; None if its result cannot change.
        """
        condition = entry.condition
        assert condition is not None
        tick, last = next_tick(now, condition.interval), self.last
        if last is None:
            return (tick,)
        is_quiet = last.is_settled and last.fresh_until is None and not self.is_stale
        return None if is_quiet else tick, last.look_again_at

    def wake_at(self, entry: RoutineEntry, now: datetime) -> datetime | None:
        """Return when to check the routine next (UTC), besides changes of values; None: never."""
        routine = entry.routine
        if routine.status is Status.ENDED:
            return None
        times = [routine.expires]
        if routine.status is Status.PAUSED:
            times.append(routine.paused_until)
        elif routine.status is Status.WATCHING and entry.condition is None:
            times.append(entry.memo.next_due or now)
        elif routine.status in CHECKED and entry.condition is not None:
            at = now if self.last is None else self.last.at
            times += [*self._times(entry, now), at + HEARTBEAT]
        # Something that is overdue could not be stored.
        late = (None if at is None else at if at > now else now + RETRY for at in times)
        return min((at for at in late if at is not None), default=None)

    def next_check(self, entry: RoutineEntry, now: datetime) -> datetime | None:
        """Return when SAGE will next check a routine (UTC); None if no time is planned.

        With a time trigger, this is the next due time. With a condition, it is the end of a hold
        time, or the next regular evaluation, if the value can change without a report.
        """
        if entry.routine.status is not Status.WATCHING:
            return None
        if entry.condition is None:
            return entry.memo.next_due
        return min((at for at in self._times(entry, now) if at is not None), default=None)


def next_tick(now: datetime, interval: float) -> datetime:
    """Return the next tick (UTC) of all evaluations every `interval` seconds, done together."""
    return datetime.fromtimestamp((now.timestamp() // interval + 1) * interval, UTC)
