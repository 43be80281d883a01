"""The state of routines that SAGE keeps in memory between two evaluations of their conditions.

Data that must survive a restart is in the routine's `Memo`.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.core import HomeAssistant

from .edge import CheckVerdict, is_other
from .evaluation import ConditionOwner, Evaluator, Report, Snapshot
from .registry import RoutineEntry
from .routine_types import Memo, Status
from .sandbox.sandbox_types import CheckOutcome, SandboxError
from .scheduler import RETRY, next_tick

_LOGGER = logging.getLogger(__name__)

# This limits how long SAGE uses a value after the person has lost the permission to read it.
HEARTBEAT: Final = timedelta(minutes=1)
"""Maximum time between two evaluations of a condition, even if no value changes."""

MOST_REPORTS: Final = 200
"""Maximum number of reports that wait for an evaluation; further ones are not kept."""

MOST_MOMENTS: Final = 50
"""Maximum number of moments that one evaluation covers; the others are evaluated later."""

REPAIR_PAUSE: Final = timedelta(minutes=15)
"""Pause before the next attempt to repair code, if the model or the sandbox was unavailable."""


type Cause = tuple[str, str | None]
"""A change: the key of the changed value, and the id of the Home Assistant context of the change.

The key is one of `FunctionResult.keys`. The context id is None if unknown.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The evaluation of a routine's condition for the latest reports."""

    entry: RoutineEntry
    """The routine when the evaluation began."""

    memo: Memo
    """The memo of the routine before the last of the evaluated moments."""

    outcome: CheckOutcome
    number: int
    """Number of reports that have been evaluated."""


@dataclass(slots=True, kw_only=True)
class CheckState:
    """The last evaluation of a routine's condition, and the reports of values since then."""

    last: CheckVerdict | None = None
    """The verdict of the last evaluation, or the test run of a new routine."""

    keys: frozenset[str] = frozenset()
    """The values that are watched, from `FunctionResult.keys`."""

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

    repair: asyncio.Task[None] | None = None
    """The repair of the condition code by the model that is running."""

    no_repair_before: datetime | None = None
    """When the model may next try to repair the condition code (UTC); None: at any time."""

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
            or (last.at is None or now - last.at >= HEARTBEAT)
            or any(at is not None and at <= now for at in times)
        )

    def can_be_repaired(self, now: datetime) -> bool:
        """Return whether the model may start to repair the condition code at `now` (UTC)."""
        is_put_off = self.no_repair_before is not None and now < self.no_repair_before
        return self.repair is None and not is_put_off

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

    def take(self, verdict: CheckVerdict, *, is_lost: bool) -> None:
        """Store the result of an evaluation, and drop the reports that it covers.

        `is_lost`: whether the condition has been unknown for LONG_UNKNOWN (one day).
        """
        self.last = verdict
        self.is_lost = is_lost
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
        """Evaluate the condition after each report in turn, until its value differs.

        The last moment is now. Raises SandboxError.
        """
        condition = entry.routine.condition(entry.memo)
        assert condition is not None
        owner, memo, number = ConditionOwner.of(entry.routine), entry.memo, 0
        for _ in range(MOST_MOMENTS):
            number = self.next_moment(number)
            snapshot = Snapshot(self.reports, number)
            outcome = await evaluator.async_evaluate(condition, owner, snapshot, memo.state)
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
        condition = entry.routine.condition(entry.memo)
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
        elif routine.status is Status.WATCHING and routine.condition(entry.memo) is None:
            times.append(entry.memo.next_due or now)
        elif routine.status is Status.WATCHING:
            at = self.last.at if self.last is not None else None
            times += [*self._times(entry, now), (at or now) + HEARTBEAT]
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
        if entry.routine.condition(entry.memo) is None:
            return entry.memo.next_due
        return min((at for at in self._times(entry, now) if at is not None), default=None)


PER_MINUTE: Final = 10
PER_HOUR: Final = 60
"""A routine that fires more often than PER_MINUTE or PER_HOUR is stopped."""

_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)


class RateLimits:
    """Counts how often routines fired in the last hour, and finds those that fire too often."""

    def __init__(self) -> None:
        self._fired: deque[tuple[datetime, str]] = deque()

    def note(self, routine_id: str, at: datetime) -> bool:
        """Count one firing of a routine; return whether the routine fires too often."""
        # Drop times in the future: the clock was set back since.
        self._fired = deque(each for each in self._fired if timedelta(0) <= at - each[0] < _HOUR)
        self._fired.append((at, routine_id))
        own = [when for when, fired in self._fired if fired == routine_id]
        return len(own) > PER_HOUR or sum(at - when < _MINUTE for when in own) > PER_MINUTE

    def forget(self, routine_id: str) -> None:
        """Reset the count of a routine, for example after a person resumed it."""
        self._fired = deque(each for each in self._fired if each[1] != routine_id)


ROUNDS: Final = 3
"""A routine that has fired this often in one chain of triggers is stopped.

In a chain, each firing triggers the next one: in ("a", "b", "a"), routine "a" has fired 2 times. A
stopped routine has the status LOOPING and does not fire until a person resumes it.

One occurrence is not enough: for some seconds after a command, Home Assistant assigns the context
of the command to all changes of the entity, including manual ones.
"""


def chain_of_causes(
    chain_of: Callable[[str], tuple[str, ...]], causes: Iterable[Cause], routine_id: str
) -> tuple[str, ...]:
    """Return the ids of the routines that led to the changes `causes`, the earliest first.

    `chain_of`: Home Assistant context id -> ids of the routines that led to this context.

    Example: ("a", "b", "a") if "a" triggered "b", "b" triggered "a" again, and then "a" made the
    change. If the changes have different chains, returns the chain in which `routine_id` occurs
    most often; empty if no routine led to the changes.
    """
    contexts = {context for _, context in causes if context is not None}
    chains = map(chain_of, contexts)
    return max(chains, key=lambda chain: (chain.count(routine_id), len(chain)), default=())
