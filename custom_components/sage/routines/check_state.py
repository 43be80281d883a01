"""The state that SAGE keeps between two evaluations of a routine's condition.

It is in memory only; data that must survive a restart is in the routine's `Memo`.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from .evaluation import Finding
from .firing_limits import Cause
from .interfaces import Answers
from .registry import RoutineEntry
from .repairing import repair_pause
from .routine_types import Memo, Status
from .scheduler import RETRY
from .snapshot import Report

# This limits how long SAGE uses a value after the person has lost the permission to read it.
HEARTBEAT: Final = timedelta(minutes=1)
"""Maximum time between two evaluations of a condition, even if no value changes."""

MOST_REPORTS: Final = 200
"""Maximum number of reports that wait for an evaluation; further ones are not kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of evaluating a routine's condition."""

    at: datetime | None = None
    """When the evaluation ended (UTC); None before the first regular evaluation."""

    answers: Answers = field(default_factory=dict)

    is_settled: bool = False
    """Whether the result stays valid while all values that the code reads stay the same.

    True if the code's last run left its stored data (`Memo.state`) unchanged.
    """

    chain: tuple[str, ...] = ()
    """Ids of the routines whose commands led to this evaluation, the earliest first."""

    not_before: datetime | None = None
    """When the code may run again after an error (UTC); None: at any time."""

    look_again_at: datetime | None = None
    """When to check the routine again even if no value changes (UTC); None: never.

    This is the end of a hold time (`Condition.hold`), or the due time of a time trigger.
    """

    @property
    def fresh_until(self) -> datetime | None:
        """When the first value that the code read expires, such as the current time; or None."""
        times = (each.fresh_until for each in self.answers.values())
        return min((each for each in times if each is not None), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The evaluation of a routine's condition for the latest reports."""

    entry: RoutineEntry
    """The routine when the evaluation began."""

    memo: Memo
    """The memo of the routine before the last of the evaluated moments."""

    finding: Finding
    number: int
    """Number of reports that have been evaluated."""


@dataclass(slots=True, kw_only=True)
class CheckState:
    """The last evaluation of a routine's condition, and the reports of values since then."""

    last: CheckResult = field(default_factory=CheckResult)
    keys: frozenset[str] = frozenset()
    """The values that are watched: entity ids, or names of SmartThings attributes."""

    unwatch: Callable[[], None] | None = None
    """Stops the reports of `keys`."""

    is_stale: bool = True
    """Whether the condition has to be evaluated as soon as possible."""

    reports: list[Report] = field(default_factory=list)
    """The reports of watched values that have not been evaluated, the oldest first."""

    looked: int = 0
    """Number of `reports` that led to the current evaluation."""

    look: asyncio.Task[Look] | None = None
    """The evaluation that is running, or whose result has not been used yet."""

    is_lost: bool = False
    """Whether the condition has been unknown for LONG_UNKNOWN (one day)."""

    is_being_repaired: bool = False
    repairs_put_off: int = 0
    """How often a repair of the condition code was postponed, e.g. without a reachable model."""

    no_repair_before: datetime | None = None
    """When the model may next try to repair the condition code (UTC); None: at any time."""

    def is_due(self, now: datetime) -> bool:
        """Return whether the condition has to be evaluated at `now` (UTC)."""
        last = self.last
        if self.look is not None or self.is_being_repaired:
            return self.look is not None and self.look.done()
        if last.not_before is not None and now < last.not_before:
            return False
        times = (last.look_again_at, last.fresh_until)
        return (
            self.is_stale
            or not last.is_settled
            or (last.at is None or now - last.at >= HEARTBEAT)
            or any(at is not None and at <= now for at in times)
        )

    def can_be_repaired(self, now: datetime) -> bool:
        """Return whether the model may start to repair the condition code at `now` (UTC)."""
        is_put_off = self.no_repair_before is not None and now < self.no_repair_before
        return not self.is_being_repaired and not is_put_off

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
        for place, report in enumerate(self.reports[number:], number):
            if report.is_value and report.key in seen:
                return place
            seen.add(report.key)
        return len(self.reports)

    @property
    def causes(self) -> list[Cause]:
        """The changes of values that led to the current evaluation."""
        return [(each.key, each.context_id) for each in self.reports[: self.looked]]

    def take(self, result: CheckResult, *, is_lost: bool) -> None:
        """Store the result of an evaluation, and drop the reports that it covers.

        `is_lost`: whether the condition has been unknown for LONG_UNKNOWN (one day).
        """
        self.last = result
        self.is_lost = is_lost
        # After an error, only the value at the next evaluation counts.
        looked = self.looked if result.not_before is None else len(self.reports)
        self.reports = self.reports[looked:]
        self.looked = 0
        self.is_stale = self.is_stale or bool(self.reports)

    def put_off_repair(self, now: datetime) -> None:
        """Postpone the repair of the condition code."""
        self.repairs_put_off += 1
        self.no_repair_before = now + repair_pause(self.repairs_put_off)

    def stop_watching(self) -> None:
        """Stop the reports of values."""
        if self.unwatch is not None:
            self.unwatch()
        self.unwatch, self.keys = None, frozenset()

    def stop(self) -> None:
        """Cancel a running evaluation, and stop the reports of values."""
        self.stop_watching()
        if self.look is not None:
            self.look.cancel()


def wake_at(entry: RoutineEntry, last: CheckResult, now: datetime) -> datetime | None:
    """Return when to check the routine next (UTC), besides regular evaluations; None: never.

    This is the earliest future time of: due time, `Routine.expires`, end of a pause,
    `last.look_again_at`.
    """
    routine, memo = entry.routine, entry.memo
    if routine.status is Status.ENDED:
        return None
    times = [routine.expires]
    if routine.status is not Status.WATCHING:
        times = [_to_come(routine.expires, now)]
    if routine.status is Status.PAUSED:
        times.append(_to_come(routine.paused_until, now))
    elif routine.status is Status.WATCHING and routine.condition(memo) is None:
        times.append(_to_come(memo.next_due, now) or now + RETRY)
    elif routine.status is Status.WATCHING:
        times.append(last.look_again_at)
    return min((each for each in times if each is not None and each > now), default=None)


def next_check(entry: RoutineEntry, last: CheckResult, tick: datetime | None) -> datetime | None:
    """Return when SAGE will next check a routine (UTC); None if no time is planned.

    `last`: the result of the last evaluation. `tick`: time of the next regular evaluation, or None.
    The result is

    - with a time trigger: the next due time;
    - with a condition: `last.look_again_at` (the end of a hold time) or `tick`, whichever is
      earlier; `tick` counts only if the condition can change without a change of a watched value;
    - with a status other than WATCHING: None.
    """
    if entry.routine.status is not Status.WATCHING:
        return None
    if entry.routine.condition(entry.memo) is None:
        return entry.memo.next_due
    has_tick = last.fresh_until is not None or not last.is_settled
    times = (last.look_again_at, tick if has_tick else None)
    return min((each for each in times if each is not None), default=None)


def _to_come(at: datetime | None, now: datetime) -> datetime | None:
    return at if at is None or at > now else now + RETRY
