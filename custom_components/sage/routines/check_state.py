"""The state that SAGE keeps between two evaluations of a routine's condition.

It is in memory only; data that must survive a restart is in the routine's `Memo`. A pulse is a
value that changes and changes back before the next evaluation, such as a short press of a button.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from .evaluation import CheckRequest
from .firing_limits import Cause
from .interfaces import ConditionOwner, WatchedResults
from .registry import RoutineEntry
from .repairing import repair_pause
from .routine_types import Status
from .sandbox.sandbox_types import FunctionCall
from .scheduler import RETRY

# This limits how long SAGE uses a value after the person has lost the permission to read it.
HEARTBEAT: Final = timedelta(minutes=1)
"""Maximum time between two evaluations of a condition, even if no value changes."""

MOST_TORN: Final = 3
"""Maximum number of evaluations in a row that are discarded because a value changed during them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of evaluating a routine's condition."""

    at: datetime | None = None
    """When the evaluation ended (UTC); None before the first regular evaluation."""

    value: bool | None = None
    answered: WatchedResults = field(default_factory=dict)
    """The function calls of the condition code, such as `get_state("lamp")`, with their results."""

    is_settled: bool = False
    """Whether `value` stays valid while all function calls of the code have the same results.

    SAGE then does not run the code. True if the code's last run left its stored data (`Memo.state`)
    unchanged.
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
    def depends_on_time(self) -> bool:
        """Whether the code read a value that expires, such as the current time."""
        return any(each.fresh_until is not None for each in self.answered.values())

    def has_expired_answers(self, now: datetime) -> bool:
        """Return whether a value that the condition code read has expired at `now` (UTC)."""
        return any(
            each.fresh_until is not None and each.fresh_until <= now
            for each in self.answered.values()
        )

    def pulsing(self, key: str) -> list[FunctionCall]:
        """Return the function calls that can show a short change (pulse) of one value.

        `key`: the value that has just changed: an entity id, or the name of a SmartThings
        attribute. Execute the calls at once, because the value may soon change back.
        """
        # Calls whose result expires are left out: their result can differ without a pulse.
        # Numbers and lists are left out: numbers change often, and each call takes time.
        return [
            question
            for question, answered in self.answered.items()
            if key in answered.keys
            and answered.fresh_until is None
            and isinstance(answered.answer.value, bool | str | None)
        ]

    def is_other(self, answers: WatchedResults) -> bool:
        """Return whether newer function results, `answers`, differ from those in `answered`.

        A call in `answers` that is missing in `answered` counts as a difference. False if a result
        in `answers` is withheld: the device was removed, or the person may not read it now.
        """
        if any(each.is_withheld for each in answers.values()):
            # The person may lack the permission only for a moment.
            return False
        return any(
            question not in self.answered or self.answered[question].answer != answered.answer
            for question, answered in answers.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckState:
    """The last evaluation of a routine's condition, and the changes since then."""

    last: CheckResult = field(default_factory=CheckResult)
    """The result of the last evaluation that was not discarded."""

    keys: frozenset[str] = frozenset()
    """The values that are watched for changes: entity ids, or names of SmartThings attributes."""

    is_stale: bool = True
    """Whether the condition has to be evaluated as soon as possible."""

    causes: tuple[Cause, ...] = ()
    """The changes of watched values since the latest evaluation began."""

    pending_causes: tuple[Cause, ...] = ()
    """The changes of values that led to the current evaluation.

    If its result is discarded, they are kept for the next evaluation.
    """

    glimpsed: WatchedResults = field(default_factory=dict)
    """Function results that may show a pulse: a value that changes and soon changes back.

    SAGE reads them at the first change of a watched value after the latest evaluation began. Empty
    before such a change.
    """

    pulse: WatchedResults = field(default_factory=dict)
    """Results of function calls during a pulse, such as a button press; empty if there was none.

    The next evaluation uses them instead of the current values.
    """

    torn: int = 0
    """Number of evaluations in a row during which a watched value changed."""

    is_asking: bool = False
    """Whether an evaluation is running or waits for slow function calls."""

    early: WatchedResults = field(default_factory=dict)
    """Function results that came too late for the last evaluation; the next one uses them."""

    overtaken: frozenset[FunctionCall] = frozenset()
    """Slow function calls whose result was rejected, because it may have been outdated.

    The next result of the same call is accepted in any case.
    """

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
        if self.is_asking or self.is_being_repaired:
            return False
        if last.not_before is not None and now < last.not_before:
            return False
        return (
            self.is_stale
            or not last.is_settled
            or (last.look_again_at is not None and now >= last.look_again_at)
            or (last.at is None or now - last.at >= HEARTBEAT)
            or last.has_expired_answers(now)
        )

    def can_be_repaired(self, now: datetime) -> bool:
        """Return whether the model may start to repair the condition code at `now` (UTC)."""
        is_put_off = self.no_repair_before is not None and now < self.no_repair_before
        return not self.is_being_repaired and not is_put_off

    def request(self, entry: RoutineEntry) -> CheckRequest:
        """Return the input of `Evaluator.async_evaluate` for the routine's condition.

        The routine must not have a time as trigger.
        """
        condition = entry.routine.condition(entry.memo)
        assert condition is not None
        return CheckRequest(
            id=entry.id,
            condition=condition,
            owner=ConditionOwner.of(entry.routine),
            state=entry.memo.state,
            asked=self.last.answered,
            early={**self.early, **self.pulse},
            is_settled=self.last.is_settled,
        )

    def begun(self) -> CheckState:
        """Return a copy of this state for the start of an evaluation."""
        return replace(
            self,
            is_asking=True,
            is_stale=False,
            causes=(),
            pending_causes=(*self.pending_causes, *self.causes),
            glimpsed={},
            pulse=self._next_pulse(),
        )

    def _next_pulse(self) -> WatchedResults:
        """Return the call results during a pulse (a short change), for the next evaluation.

        A pulse is assumed if one value has changed several times, that is, changed and changed
        back, and no other value has changed. Returns an empty mapping if there was no pulse.
        """
        if len({key for key, _ in self.causes}) > 1:
            return {}
        if len(self.causes) > 1 and not self.pulse and self.last.is_other(self.glimpsed):
            return self.glimpsed
        return self.pulse

    def given_up(self) -> CheckState:
        """Return a copy of this state after a failed or discarded evaluation.

        In the copy, the condition is due again immediately.
        """
        return replace(self, is_asking=False, is_stale=True)

    def waiting(self) -> CheckState:
        """Return a copy of this state in which the evaluation waits for slow function calls.

        In the copy, the condition has to be evaluated again when their results have arrived.
        """
        return replace(self, is_stale=True)

    def judged(self) -> CheckState:
        """Return a copy of this state after an evaluation, with `torn` updated.

        `torn` grows by 1 if a watched value changed meanwhile; otherwise, it becomes 0.
        """
        return replace(self, is_asking=False, torn=self.torn + 1 if self.causes else 0)

    @property
    def is_torn(self) -> bool:
        """Whether to discard the last evaluation, because a value changed during it.

        False after MOST_TORN discarded evaluations in a row.
        """
        # The next evaluation is accepted, because some values change all the time.
        return 0 < self.torn <= MOST_TORN

    def with_result(self, result: CheckResult, *, is_lost: bool) -> CheckState:
        """Return a copy of this state with the result of an evaluation; not for discarded results.

        If the evaluation used the values of a short change (`pulse`) instead of the current values,
        the condition is due again at once in the copy. `is_lost`: whether the condition has been
        unknown for LONG_UNKNOWN (one day).
        """
        return replace(
            self,
            last=result,
            is_lost=is_lost,
            is_stale=self.is_stale or bool(self.pulse),
            pending_causes=self.pending_causes if self.pulse else (),
            pulse={},
            early={},
            overtaken=frozenset(),
        )

    def with_late(self, answers: WatchedResults) -> CheckState:
        """Return a copy of this state with the late results of slow function calls.

        If a result may be outdated, it is rejected, and the function has to be called again. The
        next late result of the same function call is accepted in any case.
        """
        changed = {key for key, _ in self.causes}
        accepted = {
            question: answered
            for question, answered in answers.items()
            if (answered.keys <= self.keys and not answered.keys & changed)
            # Otherwise, a slow call might never get an accepted result.
            or question in self.overtaken
        }
        return replace(
            self,
            is_asking=False,
            early={**self.early, **accepted},
            overtaken=self.overtaken | (answers.keys() - accepted.keys()),
        )

    def with_change(self, key: str, context_id: str | None) -> CheckState:
        """Return a copy of this state after the value `key` changed.

        `key`: an entity id, or the name of a SmartThings attribute. `context_id`: id of the Home
        Assistant context of the change, if known.
        """
        early = {each: its for each, its in self.early.items() if key not in its.keys}
        return replace(self, is_stale=True, causes=(*self.causes, (key, context_id)), early=early)

    def with_repair_put_off(self, now: datetime) -> CheckState:
        """Return a copy of this state in which the repair of the condition code is postponed."""
        attempts = self.repairs_put_off + 1
        return replace(
            self, repairs_put_off=attempts, no_repair_before=now + repair_pause(attempts)
        )

    def anew(self) -> CheckState:
        """Return a new state, as if the condition had never been evaluated.

        Only `is_asking` and `is_being_repaired` are kept.
        """
        return CheckState(is_asking=self.is_asking, is_being_repaired=self.is_being_repaired)


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
    has_tick = last.depends_on_time or not last.is_settled
    times = (last.look_again_at, tick if has_tick else None)
    return min((each for each in times if each is not None), default=None)


def _to_come(at: datetime | None, now: datetime) -> datetime | None:
    return at if at is None or at > now else now + RETRY
