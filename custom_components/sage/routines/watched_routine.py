"""A watched routine with the results of its last check (DESIGN 8)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from .condition_interface import ConditionOwner, WatchedResult
from .edge import has_expired
from .firing_limits import Cause
from .mending import repair_pause
from .routine_types import Condition, Memo, Routine, Status
from .sandbox.sandbox_types import FunctionCall
from .scheduler import RETRY

HEARTBEAT: Final = timedelta(minutes=1)
"""Interval after which unchanged answers are asked again, since permissions may have changed."""


MOST_TORN: Final = 3
"""Checks in a row that changes may invalidate; the next one is accepted."""


@dataclass(slots=True, kw_only=True)
class Watching:
    """One routine in the memory of the process."""

    routine: Routine
    memo: Memo

    answered: Mapping[FunctionCall, WatchedResult] = field(default_factory=dict)
    """Questions and answers of its last check."""

    value: bool | None = None
    """The value of its last check."""

    is_settled: bool = False
    """With the same answers, the next check has the same result."""

    is_stale: bool = True
    """It has to be checked as soon as possible."""

    causes: list[Cause] = field(default_factory=list)
    """What has changed since the last check began."""

    kept_causes: list[Cause] = field(default_factory=list)
    """Causes of an invalidated check, which the next check takes over."""

    glimpsed: Mapping[FunctionCall, WatchedResult] = field(default_factory=dict)
    """The answers after the first change since the last check began."""

    pulse: Mapping[FunctionCall, WatchedResult] = field(default_factory=dict)
    """Answers that were true only briefly. Evaluate these first, then the current state."""

    torn: int = 0
    """Checks in a row that were invalid because an input changed meanwhile."""

    chain: tuple[str, ...] = ()
    """The routines that made the condition True."""

    keys: frozenset[str] = frozenset()
    """The watched keys."""

    unwatch: Callable[[], None] | None = None
    checked_at: datetime | None = None
    not_before: datetime | None = None
    """No check before this time, after a failure (UTC)."""

    look_again_at: datetime | None = None
    """When it has to be checked even without a change (UTC)."""

    is_asking: bool = False
    """Its answers are late; it is checked when they have arrived."""

    early: dict[FunctionCall, WatchedResult] = field(default_factory=dict)
    """Answers that came too late for the last batch, for the next one."""

    overtaken: set[FunctionCall] = field(default_factory=set)
    """Questions in `early` whose answers may already be outdated."""

    is_lost: bool = False
    """Its value has been unknown for long, and listeners have been told."""

    is_being_repaired: bool = False
    repairs_put_off: int = 0
    """Repair attempts that failed because the model was unavailable."""

    no_repair_before: datetime | None = None
    is_unsaved: bool = False
    """Its memo is newer than the stored one."""

    @property
    def condition(self) -> Condition | None:
        """The condition that is checked now, None for a routine with a time."""
        return self.routine.condition(self.memo)

    @property
    def owner(self) -> ConditionOwner:
        """The person on whose behalf its condition reads."""
        return ConditionOwner(person=self.routine.person, bindings=self.routine.bindings)

    @property
    def goes_by_time(self) -> bool:
        """Whether an answer changes without an event."""
        return any(each.fresh_until is not None for each in self.answered.values())

    def is_due(self, now: datetime) -> bool:
        """Return whether its condition has to be checked now."""
        if self.is_asking or self.is_being_repaired:
            return False
        if self.not_before is not None and now < self.not_before:
            return False
        return (
            self.is_stale
            or not self.is_settled
            or has_expired(self.routine, self.memo, now)
            or (self.look_again_at is not None and now >= self.look_again_at)
            or (self.checked_at is None or now - self.checked_at >= HEARTBEAT)
            or self.has_expired_answers(now)
        )

    def has_expired_answers(self, now: datetime) -> bool:
        """Return whether an answer is no longer fresh."""
        return any(
            each.fresh_until is not None and each.fresh_until <= now
            for each in self.answered.values()
        )

    def wake_at(self, now: datetime) -> datetime | None:
        """Return the next point in time (UTC) at which it has to be checked."""
        routine = self.routine
        if routine.status is Status.ENDED:
            return None
        times = [routine.expires]
        if routine.status is not Status.WATCHING:
            times = [_to_come(routine.expires, now)]
        if routine.status is Status.PAUSED:
            times.append(_to_come(routine.paused_until, now))
        elif routine.status is Status.WATCHING and self.condition is None:
            times.append(_to_come(self.memo.next_due, now) or now + RETRY)
        elif routine.status is Status.WATCHING:
            times.append(self.look_again_at)
        return min((each for each in times if each is not None and each > now), default=None)

    def begin_check(self) -> list[Cause]:
        """Start a check; return the causes since the last valid check."""
        self._find_pulse()
        causes = [*self.kept_causes, *self.causes]
        self.kept_causes, self.causes = [], []
        self.is_stale, self.is_asking = False, True
        return causes

    def _find_pulse(self) -> None:
        """Store a pulse if only one key has changed, and more than once."""
        keys = {key for key, _ in self.causes}
        if len(keys) > 1:
            self.pulse = {}
        elif len(self.causes) > 1 and not self.pulse and self._is_new(self.glimpsed):
            self.pulse = self.glimpsed
        self.glimpsed = {}

    def _is_new(self, answers: Mapping[FunctionCall, WatchedResult]) -> bool:
        """Return whether a check with these answers could have another result."""
        if any(each.is_withheld for each in answers.values()):
            # Something that was withheld only briefly does not count.
            return False
        return any(
            question not in self.answered or self.answered[question].answer != answered.answer
            for question, answered in answers.items()
        )

    def give_up_check(self, causes: Sequence[Cause]) -> None:
        """Discard an invalid check; the next one takes over its causes."""
        self.is_stale = True
        self.kept_causes = [*causes, *self.kept_causes]

    def is_torn(self) -> bool:
        """Whether an input changed while the answers were collected.

        After MOST_TORN such checks in a row the answers are accepted, since the input may
        change all the time.
        """
        self.torn = self.torn + 1 if self.causes else 0
        return 0 < self.torn <= MOST_TORN

    def take_late(self, answers: Mapping[FunctionCall, WatchedResult]) -> None:
        """Keep answers that came too late for a batch, if they are up to date.

        If something may have changed meanwhile, it is asked again, since the answer should be
        fast by now. If it is late again, it is accepted.
        """
        changed = {key for key, _ in self.causes}
        for question, answered in answers.items():
            is_watched = answered.keys <= self.keys and not answered.keys & changed
            if is_watched or question in self.overtaken:
                self.early[question] = answered
            else:
                self.overtaken.add(question)
        self.is_asking = False

    def pulsing(self, key: str) -> list[FunctionCall]:
        """Return the questions of its last check that depend on `key` and may have a pulse.

        Without numbers, which change all the time and would be expensive to ask.
        """
        return [
            question
            for question, answered in self.answered.items()
            if key in answered.keys
            and answered.fresh_until is None
            and isinstance(answered.answer.value, bool | str | None)
        ]

    def note_change(self, key: str, context_id: str | None) -> None:
        """Record a change of something that it read."""
        self.causes.append((key, context_id))
        self.is_stale = True
        for question in [each for each, its in self.early.items() if key in its.keys]:
            del self.early[question]

    def can_be_repaired(self, now: datetime) -> bool:
        """Return whether a repair may be tried now."""
        is_put_off = self.no_repair_before is not None and now < self.no_repair_before
        return not self.is_being_repaired and not is_put_off

    def put_off_repair(self, now: datetime) -> None:
        """Postpone the repair; meanwhile the present code may work again."""
        self.repairs_put_off += 1
        self.no_repair_before = now + repair_pause(self.repairs_put_off)

    def begin_anew(self) -> None:
        """Forget all results; the next value is the first "before"."""
        self.memo = replace(self.memo, before=None, true_since=None, failures=0, unknown_since=None)
        self.forget_check()

    def renew(self) -> None:
        """Start with new code and an empty state dict; keep the value from before."""
        self.memo = replace(self.memo, state={}, failures=0, unknown_since=None)
        self.forget_check()

    def forget_check(self) -> None:
        """Forget the last check, because the code is new or the routine was paused."""
        self.is_stale, self.is_settled = True, False
        self.answered, self.value, self.chain = {}, None, ()
        self.causes, self.kept_causes, self.torn = [], [], 0
        self.early.clear()
        self.overtaken.clear()
        self.glimpsed, self.pulse = {}, {}
        self.not_before = self.look_again_at = self.checked_at = None
        self.repairs_put_off, self.no_repair_before = 0, None
        self.is_lost = False
        self.stop_watching()

    def stop_watching(self) -> None:
        """Unsubscribe from what it read."""
        if self.unwatch is not None:
            self.unwatch()
        self.unwatch, self.keys = None, frozenset()


def _to_come(at: datetime | None, now: datetime) -> datetime | None:
    return at if at is None or at > now else now + RETRY
