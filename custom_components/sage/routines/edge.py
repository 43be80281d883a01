"""Rules that decide when a routine fires.

`advance` (for conditions) and `advance_clock` (for times) contain the rules. The `judge_` functions
apply them to a stored routine. Nothing here reads the clock, stores data or calls Home Assistant.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from .routine_types import (
    Condition,
    Daily,
    EdgeKind,
    Firing,
    Memo,
    Moment,
    Repeat,
    Routine,
    RoutineEntry,
    Status,
)
from .sandbox.contract import CheckError, CheckOutcome, Fault

FAILURES: Final = 3  # the model repairs condition code after this many errors in a row
LONGEST_BACKOFF: Final = timedelta(minutes=5)
WITHHELD_PAUSE: Final = timedelta(seconds=30)
"""Pause before the next attempt to read a device that the person may not see."""

_DAYS: Final = 8


def next_due(trigger: Moment | Daily, after: datetime, zone: tzinfo) -> datetime | None:
    """Return a trigger's first due time after `after` (UTC), or None; `zone`: for `Daily`."""
    if isinstance(trigger, Moment):
        return trigger.at if trigger.at > after else None
    if not trigger.weekdays:
        return None
    first = after.astimezone(zone).date()
    for offset in range(_DAYS + 1):
        day = first + timedelta(days=offset)
        due = datetime.combine(day, trigger.at, zone).astimezone(UTC)
        if day.weekday() in trigger.weekdays and due > after:
            return due
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckStep:
    """The updated data of a routine after one evaluation, and whether the routine fires."""

    memo: Memo
    edge: EdgeKind | None = None
    at: datetime | None = None
    """When the routine fires or undoes its changes (UTC); None if it does neither."""

    look_again_at: datetime | None = None
    """When to check the routine again even if no value changes (UTC); None: never."""

    is_over: bool = False  # whether the routine ends and is never evaluated again


def advance(routine: Routine, memo: Memo, value: bool | None, now: datetime) -> CheckStep:
    """Decide whether a routine fires after an evaluation of its condition.

    The result also contains the updated data of the routine (`CheckStep.memo`).

    - `value`: the current value of `RoutineEntry.condition`. This is `Routine.end` while the
      routine waits for it after ON; otherwise, it is the trigger.
    - `memo`: the data from earlier evaluations.
    - `now`: UTC.

    `CheckStep.edge` is

    - ON (execute the action): the trigger has changed from False to True. With a hold time
      (`Condition.hold`): the trigger has been True for that time, even if True was its first known
      value.
    - OFF (undo the changes of the action), with `Routine.undo_after` but no `Routine.end`: after
      ON, the trigger has become False.
    - OFF, with `Routine.end`: after ON, `end` is True. The trigger must then become False before
      the next ON.
    - None in all other cases, e.g. if `value` is None (unknown), or if the first known value of a
      trigger without a hold time is True.

    With `Repeat.ONCE`, ON happens at most once. The routine ends after ON or, if it has
    `Routine.undo_after`, after OFF.
    """
    if has_expired(routine, memo, now):
        return CheckStep(memo=memo, is_over=True)
    if value is None:
        return CheckStep(memo=memo)
    if memo.is_acting:
        return _ended(routine, memo, now) if value else CheckStep(memo=memo)
    if not value:
        return _became_false(routine, memo, now)
    hold = routine.trigger.hold if isinstance(routine.trigger, Condition) else timedelta(0)
    since = now if memo.true_since is None else min(memo.true_since, now)
    held = replace(memo, true_since=since)
    if memo.before or _has_fired_once(routine, memo):
        return CheckStep(memo=replace(held, before=True))
    if now - since < hold:
        return CheckStep(memo=replace(held, before=False), look_again_at=since + hold)
    if memo.before is None and not hold:
        return CheckStep(memo=replace(held, before=True))
    fired = replace(held, before=True, last_fired=now, fired=memo.fired + 1)
    return CheckStep(
        memo=fired if routine.end is None else _switched(fired, is_acting=True),
        edge=EdgeKind.ON,
        at=now,
        is_over=routine.repeat is Repeat.ONCE and not routine.undo_after,
    )


def advance_clock(routine: Routine, memo: Memo, now: datetime, zone: tzinfo) -> CheckStep:
    """Decide whether a routine with a time trigger fires at `now` (UTC).

    At the due time (`memo.next_due`), the routine fires and gets its next due time, in
    `CheckStep.memo`. If Home Assistant was down at the due time, it fires at the next start; the
    `FiringQueue` does not execute an action that is too late.
    """
    trigger = routine.trigger
    assert isinstance(trigger, (Moment, Daily))
    due = memo.next_due
    if has_expired(routine, memo, now) or due is None:
        return CheckStep(memo=memo, is_over=True)
    if now < due:
        return CheckStep(memo=memo, look_again_at=due)
    following = next_due(trigger, now, zone)
    return CheckStep(
        memo=replace(memo, next_due=following, last_fired=now, fired=memo.fired + 1),
        edge=EdgeKind.ON,
        at=due,
        look_again_at=following,
        is_over=following is None or routine.repeat is Repeat.ONCE,
    )


def is_other(memo: Memo, value: bool | None) -> bool:
    """Return whether `advance` may change something for this value of the condition."""
    is_true = memo.true_since is not None
    return value is not None and (memo.before is None or value != is_true)


def has_expired(routine: Routine, memo: Memo, now: datetime) -> bool:
    """Return whether a routine is past `Routine.expires` at `now` (UTC).

    False while a routine with the status WATCHING still has to undo the changes of its action; it
    expires after the undo.
    """
    if routine.expires is None or now < routine.expires:
        return False
    return routine.status is not Status.WATCHING or not _puts_back(routine, memo)


def _became_false(routine: Routine, memo: Memo, now: datetime) -> CheckStep:
    after = replace(memo, before=False, true_since=None)
    if not _puts_back(routine, memo):
        return CheckStep(memo=after)
    over = routine.repeat is Repeat.ONCE or has_expired(routine, after, now)
    return CheckStep(memo=after, edge=EdgeKind.OFF, at=now, is_over=over)


def _ended(routine: Routine, memo: Memo, now: datetime) -> CheckStep:
    after = _switched(memo, is_acting=False)
    over = routine.repeat is Repeat.ONCE or has_expired(routine, after, now)
    # The trigger was True before the action; it has to be False before the next one.
    return CheckStep(memo=replace(after, before=True), edge=EdgeKind.OFF, at=now, is_over=over)


def _switched(memo: Memo, *, is_acting: bool) -> Memo:
    """Return a copy of `memo` for switching between the trigger and `Routine.end`.

    `is_acting`: True to evaluate `end` from now on, False to evaluate the trigger. In the copy, the
    dict `state`, which condition code may write to, is empty.
    """
    return replace(memo, is_acting=is_acting, true_since=None, state={})


def _puts_back(routine: Routine, memo: Memo) -> bool:
    if routine.end is not None:
        return memo.is_acting
    is_on = memo.before or _has_fired_once(routine, memo)
    return routine.undo_after and bool(is_on) and memo.last_fired is not None


def _has_fired_once(routine: Routine, memo: Memo) -> bool:
    return routine.repeat is Repeat.ONCE and memo.last_fired is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckVerdict:
    """A routine before and after an evaluation, and its next due time; callers store `after`."""

    before: RoutineEntry
    after: RoutineEntry
    edge: Firing | None = None
    failure: CheckError | None = None
    """The error that the model has to repair in the condition code; None: no repair."""

    at: datetime  # when the evaluation ended, UTC
    fresh_until: datetime | None = None
    """When the first value that the code read expires, such as the current time; or None."""

    is_settled: bool = False
    """Whether the result stays valid while all values that the code reads stay the same.

    True if the code's last run left its stored data (`Memo.state`) unchanged.
    """

    not_before: datetime | None = None
    """When the code may run again after an error (UTC); None: at any time."""

    look_again_at: datetime | None = None
    """When to check the routine again even if no value changes (UTC); None: never.

    This is the end of a hold time (`Condition.hold`), or the due time of a time trigger.
    """

    @property
    def is_lost(self) -> bool:
        """Whether the condition has been unknown for a day."""
        return self.after.memo.is_long_unknown(self.at)

    def stopped(self, status: Status, trouble: CheckError | None = None) -> CheckVerdict:
        """Return a copy that stops with `status`; a planned undo still takes place."""
        routine, memo = self.after.routine, self.after.memo
        if self.edge is not None and self.edge.edge is EdgeKind.OFF:
            if routine.status is not Status.ENDED:
                routine = replace(routine, status=status, trouble=trouble)
            return replace(self, after=replace(self.after, routine=routine))
        before = self.before.memo
        return replace(
            self,
            edge=None,
            after=RoutineEntry(
                routine=replace(routine, status=status, trouble=trouble, paused_until=None),
                memo=replace(
                    memo,
                    last_fired=before.last_fired,
                    fired=before.fired,
                    is_acting=before.is_acting,
                ),
            ),
        )


def judge_outcome(entry: RoutineEntry, outcome: CheckOutcome, now: datetime) -> CheckVerdict:
    """Decide whether a stored routine fires after an evaluation of its condition.

    The result also contains the updated routine, which the caller must store.
    """
    routine, memo = entry.routine, entry.memo
    verdict = CheckVerdict(before=entry, after=entry, at=now, fresh_until=outcome.fresh_until)
    if outcome.error is not None and outcome.error.fault is Fault.WITHHELD:
        verdict = replace(verdict, not_before=now + WITHHELD_PAUSE)
        return verdict.stopped(Status.NOT_EXPOSED, outcome.error)
    if routine.status is Status.NOT_EXPOSED:
        again = restarted(entry, now, UTC)
        routine, memo = again.routine, again.memo
    if not outcome.bindings.keys() <= routine.bindings.keys():
        routine = replace(routine, bindings={**outcome.bindings, **routine.bindings})
    if outcome.error is not None:
        return _failed(verdict, routine, outcome.error, now)
    state = memo.state if outcome.state is None else outcome.state
    verdict = replace(verdict, is_settled=state == memo.state)
    unknown_since = None if outcome.value is not None else memo.unknown_since or now
    memo = replace(memo, state=state, failures=0, unknown_since=unknown_since)
    return _stepped(verdict, routine, advance(routine, memo, outcome.value, now))


def judge_time(entry: RoutineEntry, now: datetime, zone: tzinfo) -> CheckVerdict | None:
    """Decide what happens to a routine at `now` (UTC) without its condition code.

    The routine ends if it has expired, and fires if its time has come. Returns None if only the
    code of the condition can decide.
    """
    if has_expired(entry.routine, entry.memo, now):
        step = CheckStep(memo=entry.memo, is_over=True)
    elif entry.routine.status is Status.WATCHING and entry.condition is None:
        step = advance_clock(entry.routine, entry.memo, now, zone)
    else:
        return None
    return _stepped(CheckVerdict(before=entry, after=entry, at=now), entry.routine, step)


def _stepped(verdict: CheckVerdict, routine: Routine, step: CheckStep) -> CheckVerdict:
    edge = None
    if step.edge is not None:
        assert step.at is not None
        edge = Firing(routine_id=routine.id, edge=step.edge, at=step.at)
    if step.is_over:
        routine = replace(routine, status=Status.ENDED, paused_until=None)
    after = RoutineEntry(routine=routine, memo=step.memo)
    return replace(verdict, after=after, edge=edge, look_again_at=step.look_again_at)


def backoff(interval: float, failures: int) -> timedelta:
    """Return the pause before the condition code runs again after an error.

    `interval`: usual seconds between two evaluations. The pause doubles with each error in a row
    (`failures`), up to LONGEST_BACKOFF.
    """
    seconds = interval * 2.0 ** min(failures, 16)
    return min(timedelta(seconds=seconds), LONGEST_BACKOFF)


def _failed(
    verdict: CheckVerdict, routine: Routine, error: CheckError, now: datetime
) -> CheckVerdict:
    memo, condition = verdict.before.memo, verdict.before.condition
    assert condition is not None
    failures = memo.failures + 1
    memo = replace(memo, failures=failures, unknown_since=memo.unknown_since or now)
    verdict = replace(
        verdict,
        after=RoutineEntry(routine=routine, memo=memo),
        not_before=now + backoff(condition.interval, failures),
    )
    if failures < FAILURES:
        return verdict
    if routine.is_repaired:
        return verdict.stopped(Status.FAILING, error)
    return replace(verdict, failure=error)


def restarted(entry: RoutineEntry, after: datetime, zone: tzinfo) -> RoutineEntry:
    """Return a copy of a routine with status WATCHING, which waits for its trigger anew.

    - If the condition is already True and has a hold time (`Condition.hold`), the routine fires
      when the condition has stayed True for that time.
    - If the condition is already True without a hold time, the routine fires only after the
      condition has become False and then True again.
    - With a time trigger, due times up to `after` (UTC) are skipped. If none is left, the status is
      ENDED.
    """
    memo = replace(entry.memo, before=None, true_since=None, failures=0, unknown_since=None)
    trigger, status = entry.routine.trigger, Status.WATCHING
    if not isinstance(trigger, Condition):
        due = next_due(trigger, after, zone)
        memo = replace(memo, next_due=due)
        status = Status.WATCHING if due is not None else Status.ENDED
    routine = replace(entry.routine, status=status, paused_until=None, trouble=None)
    return RoutineEntry(routine=routine, memo=memo)
