"""Finds when a routine would have fired in the last 24 hours, with states from the recorder."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..edge import advance
from ..evaluation import Evaluator, Finding
from ..interfaces import ConditionOwner, NotRecordedError
from ..routine_types import Condition, EdgeKind, Memo, Routine
from ..sandbox.sandbox_types import Fault, SandboxError
from .recorded_day import LENGTH, RecordedDay, RecordedSnapshot, ReplayProblem

_FINEST: Final = timedelta(minutes=1)
"""Shortest time between evaluations of a condition that depends on the time."""

_MOST_EVALUATIONS: Final = 3_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LastDay:
    """When a routine would have fired in the last 24 hours."""

    since: datetime
    """Start of the examined period, UTC."""

    times: tuple[datetime, ...] = ()
    """The times at which the routine would have fired, UTC, oldest first."""

    true: tuple[tuple[datetime, datetime], ...] = ()
    """Start and end of each period in which the condition was true, UTC, oldest first."""

    problem: ReplayProblem | None = None
    """The reason why `times` are unknown; None if they are known."""


async def async_would_have_fired(
    hass: HomeAssistant, evaluator: Evaluator, routine: Routine
) -> LastDay:
    """Return when the routine would have fired (executed its action) in the last 24 hours.

    If the times cannot be found, `LastDay.problem` has the reason.
    """
    end = dt_util.utcnow()
    problem: ReplayProblem
    if not isinstance(routine.trigger, Condition):
        problem = ReplayProblem.NO_CONDITION
    elif routine.end is not None:
        problem = ReplayProblem.HAS_END
    else:
        run = _Run(hass, evaluator, replace(routine, expires=None, undo_after=False), end)
        try:
            await run.async_run(routine.trigger)
        except NotRecordedError as err:
            problem = ReplayProblem(err.reason)
        except SandboxError:
            problem = ReplayProblem.NO_SANDBOX
        else:
            return LastDay(since=end - LENGTH, times=tuple(run.fired), true=tuple(run.true))
    return LastDay(since=end - LENGTH, problem=problem)


class _Run:
    """Evaluates a condition at all times of a day when its value may have changed."""

    def __init__(
        self, hass: HomeAssistant, evaluator: Evaluator, routine: Routine, end: datetime
    ) -> None:
        self._evaluator = evaluator
        self._routine = routine
        self._owner = ConditionOwner.of(routine)
        self._day = RecordedDay(hass, end)
        self.fired: list[datetime] = []
        self.true: list[tuple[datetime, datetime]] = []

    async def async_run(self, condition: Condition) -> None:
        """Evaluate the whole day. Raises NotRecordedError, SandboxError."""
        at, memo, has_worked = self._day.start, Memo(), False
        for _ in range(_MOST_EVALUATIONS):
            snapshot = RecordedSnapshot(self._day, at)
            finding = await self._evaluator.async_evaluate(
                condition, self._owner, snapshot, memo.state
            )
            outcome = finding.outcome
            if outcome.error is None:
                has_worked = True
            elif outcome.error.fault is Fault.WITHHELD:
                raise NotRecordedError(ReplayProblem.WITHHELD)
            if outcome.state is not None:
                memo = replace(memo, state=outcome.state)
            step = advance(self._routine, memo, outcome.value, at)
            memo = step.memo
            if step.edge is EdgeKind.ON:
                self.fired.append(at)
            following = min(self._next_times(condition, finding, step.look_again_at, at))
            until = min(following, self._day.end)
            if outcome.value:
                start = self.true.pop()[0] if self.true and self.true[-1][1] == at else at
                self.true.append((start, until))
            if step.is_over or following > self._day.end:
                break
            at = following
        if not has_worked:
            raise NotRecordedError(ReplayProblem.FAILS)

    def _next_times(
        self, condition: Condition, finding: Finding, look_again_at: datetime | None, at: datetime
    ) -> Iterator[datetime]:
        """Yield times after `at` when the value of the condition may have changed."""
        yield self._day.end + timedelta(seconds=1)
        if look_again_at is not None and look_again_at > at:
            yield look_again_at
        answers = finding.answers.values()
        yield from self._day.changes(frozenset[str]().union(*(a.keys for a in answers)), at)
        expiries = [each.fresh_until for each in answers if each.fresh_until is not None]
        if expiries:
            step = max(_FINEST, timedelta(seconds=condition.interval))
            # Full minutes, since most conditions about the time name one.
            yield max(min(expiries), at.replace(second=0, microsecond=0) + step)
