"""A routine that is being watched, with what its last check left (DESIGN 8)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from .answers import Answered, Asker
from .edge import has_expired
from .failures import repair_pause
from .limits import Cause
from .model import Condition, Memo, Routine, Status
from .sandbox.model import Question
from .scheduler import RETRY

HEARTBEAT: Final = timedelta(minutes=1)
"""Whatever has not changed is asked anew after so long: what may be seen may have changed."""


MOST_TORN: Final = 3
"""So many checks in a row come to nothing because of changes meanwhile; then one is believed."""


@dataclass(slots=True, kw_only=True)
class Watching:
    """One routine in the memory of the process."""

    routine: Routine
    memo: Memo

    answered: Mapping[Question, Answered] = field(default_factory=dict)
    """What its last check asked."""

    value: bool | None = None
    """What its last check gave."""

    is_settled: bool = False
    """With the same answers the next check gives the same as the last one."""

    is_stale: bool = True
    """It is to be checked at the next opportunity."""

    causes: list[Cause] = field(default_factory=list)
    """What has changed since the last check began."""

    kept_causes: list[Cause] = field(default_factory=list)
    """What led to a check that came to nothing: the next one is for it."""

    glimpsed: Mapping[Question, Answered] = field(default_factory=dict)
    """What the first change since the last check began made of the answers."""

    pulse: Mapping[Question, Answered] = field(default_factory=dict)
    """Answers that held for a moment only: a check is for them before one is for this moment."""

    torn: int = 0
    """Checks in a row that came to nothing, since what they read changed meanwhile."""

    chain: tuple[str, ...] = ()
    """The routines that led to the condition having become True."""

    keys: frozenset[str] = frozenset()
    """What is watched for it."""

    unwatch: Callable[[], None] | None = None
    checked_at: datetime | None = None
    not_before: datetime | None = None
    """After a failure."""

    look_again_at: datetime | None = None
    """When it has to be checked though nothing changed (UTC)."""

    is_asking: bool = False
    """Its answers take long; it is checked when they are there."""

    early: dict[Question, Answered] = field(default_factory=dict)
    """Answers that came too late for the last batch; the next one takes them."""

    overtaken: set[Question] = field(default_factory=set)
    """Such questions whose answers may have been out of date when they came."""

    is_lost: bool = False
    """Its last check was one of many in a row that told nothing: that is known outside."""

    is_being_repaired: bool = False
    repairs_put_off: int = 0
    """Attempts to have other code for nothing, as the model was away."""

    no_repair_before: datetime | None = None
    is_unsaved: bool = False
    """Its memo is newer than the one on the disk."""

    @property
    def condition(self) -> Condition | None:
        """The condition that is checked now, None for a routine that goes by the clock."""
        return self.routine.condition(self.memo)

    @property
    def asker(self) -> Asker:
        """On whose behalf its condition asks."""
        return Asker(person=self.routine.person, bindings=self.routine.bindings)

    @property
    def goes_by_time(self) -> bool:
        """Whether an answer changes without being told."""
        return any(each.fresh_until is not None for each in self.answered.values())

    def is_due(self, now: datetime) -> bool:
        """Return whether its condition is to be checked now."""
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
        """Return whether an answer has to be asked again by now."""
        return any(
            each.fresh_until is not None and each.fresh_until <= now
            for each in self.answered.values()
        )

    def wake_at(self, now: datetime) -> datetime | None:
        """Return the point in time (UTC, to come) at which it has to be looked at."""
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
        """Return what has changed since the last check that came to something."""
        self._find_pulse()
        causes = [*self.kept_causes, *self.causes]
        self.kept_causes, self.causes = [], []
        self.is_stale, self.is_asking = False, True
        return causes

    def _find_pulse(self) -> None:
        """Find whether all that changed has changed again; other answers are of this moment."""
        keys = {key for key, _ in self.causes}
        if len(keys) > 1:
            self.pulse = {}
        elif len(self.causes) > 1 and not self.pulse and self._is_new(self.glimpsed):
            self.pulse = self.glimpsed
        self.glimpsed = {}

    def _is_new(self, answers: Mapping[Question, Answered]) -> bool:
        """Return whether a check would find something else with answers that may be believed."""
        if any(each.is_withheld for each in answers.values()):
            # What is gone for a moment only is not gone.
            return False
        return any(
            question not in self.answered or self.answered[question].answer != answered.answer
            for question, answered in answers.items()
        )

    def give_up_check(self, causes: Sequence[Cause]) -> None:
        """Let a check have come to nothing: the next one is for the same causes."""
        self.is_stale = True
        self.kept_causes = [*causes, *self.kept_causes]

    def is_torn(self) -> bool:
        """Return whether the answers of the check are not of one moment.

        What it read has changed since it began. Something that changes all the time is not
        waited for.
        """
        self.torn = self.torn + 1 if self.causes else 0
        return 0 < self.torn <= MOST_TORN

    def take_late(self, answers: Mapping[Question, Answered]) -> None:
        """Keep answers that came too late for a batch, if they are up to date.

        What may have changed while it was asked is asked again: by now the answer is at hand.
        Where it is late again, it has to do.
        """
        changed = {key for key, _ in self.causes}
        for question, answered in answers.items():
            is_watched = answered.keys <= self.keys and not answered.keys & changed
            if is_watched or question in self.overtaken:
                self.early[question] = answered
            else:
                self.overtaken.add(question)
        self.is_asking = False

    def pulsing(self, key: str) -> list[Question]:
        """Return what its last check asked that this alone tells, and that may be a pulse.

        Numbers are left out: they change all the time, and to ask each time costs too much.
        """
        return [
            question
            for question, answered in self.answered.items()
            if key in answered.keys
            and answered.fresh_until is None
            and isinstance(answered.answer.value, bool | str | None)
        ]

    def note_change(self, key: str, context_id: str | None) -> None:
        """Note that something that it read has changed."""
        self.causes.append((key, context_id))
        self.is_stale = True
        for question in [each for each, its in self.early.items() if key in its.keys]:
            del self.early[question]

    def can_be_repaired(self, now: datetime) -> bool:
        """Return whether other code may be asked for now."""
        is_put_off = self.no_repair_before is not None and now < self.no_repair_before
        return not self.is_being_repaired and not is_put_off

    def put_off_repair(self, now: datetime) -> None:
        """Let other code not be had for now; meanwhile the code that there is may work again."""
        self.repairs_put_off += 1
        self.no_repair_before = now + repair_pause(self.repairs_put_off)

    def begin_anew(self) -> None:
        """Forget what the checks gave: what the condition is next is the first "before"."""
        self.memo = replace(self.memo, before=None, true_since=None, failures=0, unknown_since=None)
        self.forget_check()

    def renew(self) -> None:
        """Begin with other code, which has a dict of its own; what was before stays."""
        self.memo = replace(self.memo, state={}, failures=0, unknown_since=None)
        self.forget_check()

    def forget_check(self) -> None:
        """Forget what the last check left: the next one is of other code, or after a pause."""
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
        """End the watch of what it read."""
        if self.unwatch is not None:
            self.unwatch()
        self.unwatch, self.keys = None, frozenset()


def _to_come(at: datetime | None, now: datetime) -> datetime | None:
    return at if at is None or at > now else now + RETRY
