"""When a condition fires: the step from one check to the next (DESIGN 8)."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from .routine_types import Condition, EdgeKind, Memo, Repeat, Routine, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckStep:
    """The result of a check or of a clock time for a routine."""

    memo: Memo
    edge: EdgeKind | None = None
    at: datetime | None = None
    """When it was due or observed, UTC; only with an edge."""

    look_again_at: datetime | None = None
    """When it has to be checked even without a change (UTC)."""

    is_over: bool = False
    """It will never fire again."""


def advance(routine: Routine, memo: Memo, value: bool | None, now: datetime) -> CheckStep:
    """Return the step of a routine for the value of its condition at this moment (UTC).

    It fires if the condition was False before and is True now; with `hold`, if it has been True
    for this time without interruption. The first known value is only a "before"; if it is True
    but has to hold, it counts as False, so that the routine fires once it has held. Unknown
    (None) changes nothing. There is an OFF edge only if something has to be put back; a routine
    that fires once, or that expires, waits for it. A routine that has fired once never fires
    again, even if a pause made the next value a "before".

    Between a firing and its end, `value` is that of `Routine.end`. True is then the OFF edge,
    even at the first check, because the end may have come during the command. If the trigger
    is still True after that, it does not fire; it has to be False first.
    """
    if has_expired(routine, memo, now):
        return CheckStep(memo=memo, is_over=True)
    if value is None:
        return CheckStep(memo=memo)
    if memo.is_acting:
        return _ended(routine, memo, now) if value else CheckStep(memo=memo)
    if not value:
        return _became_false(routine, memo, now)
    hold = _hold(routine)
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


def has_expired(routine: Routine, memo: Memo, now: datetime) -> bool:
    """Return whether a routine has expired; not while it still has to put something back.

    A routine that is not watched would never notice when to do so, so it does expire.
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
    # The value before the pause or the firing was True.
    return CheckStep(memo=replace(after, before=True), edge=EdgeKind.OFF, at=now, is_over=over)


def _switched(memo: Memo, *, is_acting: bool) -> Memo:
    """Return the memo for the other condition, whose code has its own state dict."""
    return replace(memo, is_acting=is_acting, true_since=None, state={})


def _puts_back(routine: Routine, memo: Memo) -> bool:
    if routine.end is not None:
        return memo.is_acting
    is_on = memo.before or _has_fired_once(routine, memo)
    return routine.undo_after and bool(is_on) and memo.last_fired is not None


def _has_fired_once(routine: Routine, memo: Memo) -> bool:
    return routine.repeat is Repeat.ONCE and memo.last_fired is not None


def _hold(routine: Routine) -> timedelta:
    return routine.trigger.hold if isinstance(routine.trigger, Condition) else timedelta(0)
