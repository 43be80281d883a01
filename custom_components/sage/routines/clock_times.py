"""When a routine with a time is due, also across daylight-saving changes (DESIGN 8).

Clock times are those of the home, in its time zone:

- A time that is skipped when the clocks go forward is due at that moment.
- A time that occurs twice when the clocks go back is due only the first time.

If Home Assistant was down at the due time, a point in time fires at once, a clock time only within
`DAILY_GRACE`: "close the blinds at nine" is not meant for noon. After `LATEST`, the person is
told instead (see `firing_limits.Lateness`).
"""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from .edge import CheckStep, has_expired
from .routine_types import Daily, EdgeKind, Memo, Moment, Repeat, Routine

DAILY_GRACE: Final = timedelta(hours=1)
"""A clock time that was missed by more than this is skipped."""

LATEST: Final = timedelta(hours=12)
"""A command that was due longer ago is not executed; its person is told."""

_DAYS: Final = 8
_SECOND: Final = timedelta(seconds=1)


def next_due(trigger: Moment | Daily, after: datetime, zone: tzinfo) -> datetime | None:
    """Return the next due time after `after`; both UTC. None: never."""
    if isinstance(trigger, Moment):
        return trigger.at if trigger.at > after else None
    if not trigger.weekdays:
        return None
    day = after.astimezone(zone).date()
    for offset in range(_DAYS + 1):
        due = _on_day(day + timedelta(days=offset), trigger, zone)
        if due is not None and due > after:
            return due
    return None


def advance_clock(routine: Routine, memo: Memo, now: datetime, zone: tzinfo) -> CheckStep:
    """Return the step of a routine with a time at this moment (UTC).

    `memo.next_due` is when it is due; it is set to the next time.
    """
    trigger = routine.trigger
    assert isinstance(trigger, (Moment, Daily))
    due = memo.next_due
    if has_expired(routine, memo, now) or due is None:
        return CheckStep(memo=memo, is_over=True)
    if now < due:
        return CheckStep(memo=memo, look_again_at=due)
    following = next_due(trigger, now, zone)
    after = replace(memo, next_due=following)
    if isinstance(trigger, Daily) and now - due > DAILY_GRACE:
        return CheckStep(memo=after, look_again_at=following, is_over=following is None)
    return CheckStep(
        memo=replace(after, last_fired=now, fired=memo.fired + 1),
        edge=EdgeKind.ON,
        at=due,
        look_again_at=following,
        is_over=following is None or routine.repeat is Repeat.ONCE,
    )


def _on_day(day: date, trigger: Daily, zone: tzinfo) -> datetime | None:
    if day.weekday() not in trigger.weekdays:
        return None
    return instant(day, trigger.at, zone)


def instant(day: date, clock: time, zone: tzinfo) -> datetime:
    """Return the first moment at which clocks show this time, or skip it."""
    local = datetime.combine(day, clock.replace(fold=0), zone)
    found = local.astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return found
    # The time is skipped: find the start of the gap by bisection.
    early = local.replace(fold=1).astimezone(UTC)
    offset = early.astimezone(zone).utcoffset()
    while found - early > _SECOND:
        middle = early + (found - early) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            early = middle
        else:
            found = middle
    return found.replace(microsecond=0)
