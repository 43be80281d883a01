"""The state of the checks of one routine, and its changes.

All values are frozen, and the checker replaces them as a whole, so that a check in progress sees a
consistent state. A restart loses this state. The data of a routine that must survive a restart is
in its `Memo` (routine_types.py), which is stored on disk.

A pulse is a value that changes and changes back before the next check: a button that is pressed, a
door that is open for a moment. A check evaluates the pulse first, then the current state.
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

HEARTBEAT: Final = timedelta(minutes=1)
"""Longest time between two checks, even without a change: permissions may have changed."""

MOST_TORN: Final = 3
"""Maximum number of checks in a row that are discarded as torn (`CheckState.is_torn`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The result of a check of a routine's condition."""

    at: datetime | None = None
    """When the check ended, UTC; None: not checked yet."""

    value: bool | None = None
    answered: WatchedResults = field(default_factory=dict)
    """The calls that the code made to condition functions -> their answers."""

    is_settled: bool = False
    """Whether the code left its dict `state` unchanged.

    If so, the code need not run again while its answers stay the same.
    """

    chain: tuple[str, ...] = ()
    """Ids of the routines whose commands made the condition True, in order."""

    not_before: datetime | None = None
    """After a failure: no check before this time (UTC)."""

    look_again_at: datetime | None = None
    """When the routine has to be checked again even without a change (UTC); None for never."""

    @property
    def depends_on_time(self) -> bool:
        """Whether an answer expires as time passes, without a change of a value."""
        return any(each.fresh_until is not None for each in self.answered.values())

    def has_expired_answers(self, now: datetime) -> bool:
        """Return whether an answer has expired at `now` (UTC)."""
        return any(
            each.fresh_until is not None and each.fresh_until <= now
            for each in self.answered.values()
        )

    def pulsing(self, key: str) -> list[FunctionCall]:
        """Return the calls whose answers depend on `key` and may change back before the next check.

        Leaves out calls with numeric answers: numbers change often, and an additional answer after
        each change would be expensive.
        """
        return [
            question
            for question, answered in self.answered.items()
            if key in answered.keys
            and answered.fresh_until is None
            and isinstance(answered.answer.value, bool | str | None)
        ]

    def is_other(self, answers: WatchedResults) -> bool:
        """Return whether a check with these answers could have a different result."""
        if any(each.is_withheld for each in answers.values()):
            # Ignore answers that were withheld only briefly.
            return False
        return any(
            question not in self.answered or self.answered[question].answer != answered.answer
            for question, answered in answers.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckState:
    """The last check of a routine, and the changes since then."""

    last: CheckResult = field(default_factory=CheckResult)
    """The last check that was not discarded."""

    keys: frozenset[str] = frozenset()
    """The keys that are watched for changes (see `WatchedResult.keys`)."""

    is_stale: bool = True
    """Whether the routine has to be checked as soon as possible."""

    causes: tuple[Cause, ...] = ()
    """The changes of watched values since the last check began."""

    kept_causes: tuple[Cause, ...] = ()
    """The changes from before the last check began; kept until a check is accepted."""

    glimpsed: WatchedResults = field(default_factory=dict)
    """The answers read right after the first change since the last check began."""

    pulse: WatchedResults = field(default_factory=dict)
    """The answers from the moment of a pulse; evaluated before the current state."""

    torn: int = 0
    """Number of checks in a row during which an input changed."""

    is_asking: bool = False
    """Whether a check is in progress, or waits for late answers."""

    early: WatchedResults = field(default_factory=dict)
    """Answers that arrived too late for the last batch; the next one uses them."""

    overtaken: frozenset[FunctionCall] = frozenset()
    """Calls whose late answers were rejected once, since they may have been outdated."""

    is_lost: bool = False
    """Whether the condition has been unknown for LONG_UNKNOWN, and listeners were informed."""

    is_being_repaired: bool = False
    repairs_put_off: int = 0
    """Number of repair attempts that failed because the model was unavailable."""

    no_repair_before: datetime | None = None

    def is_due(self, now: datetime) -> bool:
        """Return whether the condition has to be checked at `now` (UTC)."""
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
        """Return whether a repair may be started at `now` (UTC)."""
        is_put_off = self.no_repair_before is not None and now < self.no_repair_before
        return not self.is_being_repaired and not is_put_off

    def request(self, entry: RoutineEntry) -> CheckRequest:
        """Return the request to check the routine's current condition: the trigger or the end."""
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
        """Return the state at the start of a check."""
        return replace(
            self,
            is_asking=True,
            is_stale=False,
            causes=(),
            kept_causes=(*self.kept_causes, *self.causes),
            glimpsed={},
            pulse=self._next_pulse(),
        )

    def _next_pulse(self) -> WatchedResults:
        """Return the answers of the pulse to evaluate next; empty if there is no pulse.

        A pulse requires several changes of the same value.
        """
        if len({key for key, _ in self.causes}) > 1:
            return {}
        if len(self.causes) > 1 and not self.pulse and self.last.is_other(self.glimpsed):
            return self.glimpsed
        return self.pulse

    def given_up(self) -> CheckState:
        """Return the state after a check without a result, which is repeated."""
        return replace(self, is_asking=False, is_stale=True)

    def waiting(self) -> CheckState:
        """Return the state while answers are late; the check is repeated when they arrive."""
        return replace(self, is_stale=True)

    def judged(self) -> CheckState:
        """Return the state after all answers of a check arrived; updates `torn`."""
        return replace(self, is_asking=False, torn=self.torn + 1 if self.causes else 0)

    @property
    def is_torn(self) -> bool:
        """Whether to discard the last check, because an input changed while answers were collected.

        After MOST_TORN discarded checks in a row, the next one is accepted, since the input may
        change all the time.
        """
        return 0 < self.torn <= MOST_TORN

    def with_result(self, result: CheckResult, *, is_lost: bool) -> CheckState:
        """Return the state after an accepted check.

        After the check of a pulse, the current state is checked next, with the same causes.
        """
        return replace(
            self,
            last=result,
            is_lost=is_lost,
            is_stale=self.is_stale or bool(self.pulse),
            kept_causes=self.kept_causes if self.pulse else (),
            pulse={},
            early={},
            overtaken=frozenset(),
        )

    def with_late(self, answers: WatchedResults) -> CheckState:
        """Return the state with answers that arrived too late for their batch.

        Rejects an answer whose value may have changed meanwhile; the next check gets a new one. If
        the new answer is late as well, it is accepted.
        """
        changed = {key for key, _ in self.causes}
        accepted = {
            question: answered
            for question, answered in answers.items()
            if (answered.keys <= self.keys and not answered.keys & changed)
            or question in self.overtaken
        }
        return replace(
            self,
            is_asking=False,
            early={**self.early, **accepted},
            overtaken=self.overtaken | (answers.keys() - accepted.keys()),
        )

    def with_change(self, key: str, context_id: str | None) -> CheckState:
        """Return the state after a change of a value that the last check read."""
        early = {each: its for each, its in self.early.items() if key not in its.keys}
        return replace(self, is_stale=True, causes=(*self.causes, (key, context_id)), early=early)

    def with_repair_put_off(self, now: datetime) -> CheckState:
        """Return the state with the next repair postponed, since the model is unavailable."""
        attempts = self.repairs_put_off + 1
        return replace(
            self, repairs_put_off=attempts, no_repair_before=now + repair_pause(attempts)
        )

    def anew(self) -> CheckState:
        """Return the state without a last check, for new code or after a pause."""
        return CheckState(is_asking=self.is_asking, is_being_repaired=self.is_being_repaired)


def wake_at(entry: RoutineEntry, last: CheckResult, now: datetime) -> datetime | None:
    """Return the next time (UTC) at which a routine has to be checked; None if there is none."""
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
    """Return when a routine is checked next even without a change (UTC); None for never.

    `tick`: the time of the next check by interval.
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
