"""Finds when a routine would have fired in the last 24 hours, with states from the recorder."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from homeassistant.core import HomeAssistant, State
from homeassistant.util import dt as dt_util

from ...home import HomeError, Recorded, is_known
from ..edge import advance
from ..evaluation import Evaluator, NotRecordedError, Snapshot
from ..routine_types import Condition, EdgeKind, Memo, Routine
from ..sandbox.contract import CheckOutcome, Fault, SandboxError

LENGTH: Final = timedelta(hours=24)
MOST_CHANGES: Final = 1_200  # maximum number of recorded changes of one entity on the day
_MOST_STATES: Final = 5_000

_FINEST: Final = timedelta(minutes=1)  # between evaluations of a condition on the time
_MOST_EVALUATIONS: Final = 3_000


class ReplayProblem(StrEnum):
    """The reason why past values of a condition are unknown."""

    NO_CONDITION = "no_condition"  # the routine has no condition; it fires at a set time
    HAS_END = "has_end"  # a second condition (`Routine.end`), which a dry run does not support
    NO_RECORDER = "no_recorder"
    NOT_RECORDED = "not_recorded"  # the recorder excludes an entity or attribute of the code
    READS_MORE = "reads_more"  # the code reads data that the recorder lacks, such as calendars
    TOO_MANY_CHANGES = "too_many_changes"
    WITHHELD = "withheld"  # a device of the code was removed, or may not be read by the owner
    FAILS = "fails"  # the condition code fails
    NO_SANDBOX = "no_sandbox"


class RecordedSnapshot(Snapshot):
    """The home at the time `at` of a day, with states that are read when they are first needed."""

    is_past = True

    def __init__(self, hass: HomeAssistant, end: datetime) -> None:
        """`end`: end of the day, UTC. `at` is its start at first."""
        super().__init__()
        self._hass = hass
        self._recorded = Recorded(hass)
        self.at = self.start = end - LENGTH
        self.end = end
        self._states: dict[str, Sequence[State]] = {}

    async def async_state(self, hass: HomeAssistant, entity_id: str) -> State | None:
        """Return an entity's state; None before the first one. Raises NotRecordedError."""
        states = await self._async_until_now(entity_id)
        return states[-1] if states else None

    async def async_check_attribute(self, now: State, attribute: str) -> None:
        """Raise NotRecordedError if the recorder leaves out an attribute that the entity has."""
        states = await self._async_states(now.entity_id)
        if attribute in now.attributes and not any(attribute in each.attributes for each in states):
            raise NotRecordedError(ReplayProblem.NOT_RECORDED)

    async def async_held_since(self, state: State) -> datetime:
        """Return the time since when an entity has had its `state`; interruptions are ignored."""
        since = state.last_updated
        for each in reversed(await self._async_until_now(state.entity_id)):
            if each.state == state.state:
                since = each.last_updated
            elif is_known(each):
                break
        return since

    def changes(self, keys: frozenset[str]) -> Iterator[datetime]:
        """Yield for each of the entities the time of its first recorded change after `at`."""
        for key in keys & self._states.keys():
            times = [each.last_updated for each in self._states[key]]
            yield from times[bisect_right(times, self.at) :][:1]

    async def _async_until_now(self, entity_id: str) -> Sequence[State]:
        states = await self._async_states(entity_id)
        return states[: bisect_right(states, self.at, key=lambda each: each.last_updated)]

    async def _async_states(self, entity_id: str) -> Sequence[State]:
        """Return the states of an entity on this day and the day before, the oldest first."""
        if (known := self._states.get(entity_id)) is not None:
            return known
        if not self._recorded.is_there:
            raise NotRecordedError(ReplayProblem.NO_RECORDER)
        try:
            self._recorded.check(entity_id)
        except HomeError:
            raise NotRecordedError(ReplayProblem.NOT_RECORDED) from None
        if (like := self._hass.states.get(entity_id)) is None:
            raise NotRecordedError(ReplayProblem.WITHHELD)
        if not self._states:
            await self._recorded.async_commit()
        states = await self._recorded.async_newest(
            like, self.start - LENGTH, self.end, _MOST_STATES
        )
        if sum(each.last_updated > self.start for each in states) > MOST_CHANGES:
            raise NotRecordedError(ReplayProblem.TOO_MANY_CHANGES)
        self._states[entity_id] = states
        return states


@dataclass(frozen=True, slots=True, kw_only=True)
class LastDay:
    """When a routine would have fired in the last 24 hours."""

    since: datetime  # start of the examined period, UTC
    times: tuple[datetime, ...] = ()
    """The times at which the routine would have fired, UTC, oldest first."""

    true: tuple[tuple[datetime, datetime], ...] = ()
    """Start and end of each period in which the condition was true, UTC, oldest first."""

    problem: ReplayProblem | None = None
    """The reason why `times` are unknown; None if they are known."""


async def async_would_have_fired(
    hass: HomeAssistant, evaluator: Evaluator, routine: Routine
) -> LastDay:
    """Return when the routine would have fired in the last 24 hours, or why that is unknown."""
    end = dt_util.utcnow()
    problem: ReplayProblem
    if not isinstance(routine.trigger, Condition):
        problem = ReplayProblem.NO_CONDITION
    elif routine.end is not None:
        problem = ReplayProblem.HAS_END
    else:
        lasting = replace(routine, expires=None, undo_after=False)
        day = RecordedSnapshot(hass, end)
        try:
            return await _async_replay(evaluator, lasting, routine.trigger, day)
        except NotRecordedError as err:
            problem = ReplayProblem(err.reason)
        except SandboxError:
            problem = ReplayProblem.NO_SANDBOX
    return LastDay(since=end - LENGTH, problem=problem)


async def _async_replay(
    evaluator: Evaluator, routine: Routine, condition: Condition, day: RecordedSnapshot
) -> LastDay:
    """Evaluate a condition over a day. Raises NotRecordedError, SandboxError."""
    person, bindings = routine.person, routine.bindings
    memo, has_worked = Memo(), False
    fired: list[datetime] = []
    true: list[tuple[datetime, datetime]] = []
    for _ in range(_MOST_EVALUATIONS):
        outcome = await evaluator.async_evaluate(condition, person, bindings, day, memo.state)
        if outcome.error is None:
            has_worked = True
        elif outcome.error.fault is Fault.WITHHELD:
            raise NotRecordedError(ReplayProblem.WITHHELD)
        if outcome.state is not None:
            memo = replace(memo, state=outcome.state)
        step = advance(routine, memo, outcome.value, day.at)
        memo = step.memo
        if step.edge is EdgeKind.ON:
            fired.append(day.at)
        following = min(_next_times(day, condition, outcome, step.look_again_at))
        if outcome.value:
            start = true.pop()[0] if true and true[-1][1] == day.at else day.at
            true.append((start, min(following, day.end)))
        if step.is_over or following > day.end:
            break
        day.at = following
    if not has_worked:
        raise NotRecordedError(ReplayProblem.FAILS)
    return LastDay(since=day.start, times=tuple(fired), true=tuple(true))


def _next_times(
    day: RecordedSnapshot,
    condition: Condition,
    outcome: CheckOutcome,
    look_again_at: datetime | None,
) -> Iterator[datetime]:
    """Yield later times when the value of the condition may have changed."""
    yield day.end + timedelta(seconds=1)
    if look_again_at is not None and look_again_at > day.at:
        yield look_again_at
    yield from day.changes(outcome.keys)
    if outcome.fresh_until is not None:
        step = max(_FINEST, timedelta(seconds=condition.interval))
        # Full minutes, since most conditions about the time name one.
        yield max(outcome.fresh_until, day.at.replace(second=0, microsecond=0) + step)
