"""When a routine that goes by the clock is due, also when the clocks change (DESIGN 8).

Clock times are those of the home, in its time zone:

- A time that does not exist on a day, since the clocks are put forward over it, is due at
  the moment when they are.
- A time that exists twice, since they are put back, is due the first time only.

What was due while Home Assistant was down: a point in time is made up for at once, a clock
time only within `DAILY_GRACE`: "close the blinds at nine" is not meant for noon. What is done
very late altogether, after `LATEST`, is told rather than done (see `punctual_runner.py`).
"""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from .edge import Step, has_expired
from .model import Daily, EdgeKind, Memo, Moment, Repeat, Routine

DAILY_GRACE: Final = timedelta(hours=1)
"""A clock time that was missed by more is skipped."""

LATEST: Final = timedelta(hours=12)
"""A command is not carried out that was due longer ago; its person is told."""

_DAYS: Final = 8
_SECOND: Final = timedelta(seconds=1)


def next_due(trigger: Moment | Daily, after: datetime, zone: tzinfo) -> datetime | None:
    """Return when it is due next, strictly after a point in time; both UTC. None: never."""
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


def advance_clock(routine: Routine, memo: Memo, now: datetime, zone: tzinfo) -> Step:
    """Return what this moment (UTC) makes of a routine that goes by the clock.

    `memo.next_due` is when it is due; it is set to the next time.
    """
    trigger = routine.trigger
    assert isinstance(trigger, (Moment, Daily))
    due = memo.next_due
    if has_expired(routine, memo, now) or due is None:
        return Step(memo=memo, is_over=True)
    if now < due:
        return Step(memo=memo, look_again_at=due)
    following = next_due(trigger, now, zone)
    after = replace(memo, next_due=following)
    if isinstance(trigger, Daily) and now - due > DAILY_GRACE:
        return Step(memo=after, look_again_at=following, is_over=following is None)
    return Step(
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
    """Return the first moment at which a clock shows this time, or is put forward over it."""
    local = datetime.combine(day, clock.replace(fold=0), zone)
    found = local.astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return found
    # In the gap: it began between what the new offset and what the old one make of the time.
    early = local.replace(fold=1).astimezone(UTC)
    offset = early.astimezone(zone).utcoffset()
    while found - early > _SECOND:
        middle = early + (found - early) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            early = middle
        else:
            found = middle
    return found.replace(microsecond=0)
