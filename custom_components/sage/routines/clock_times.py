"""Computes the due times of routines, in the time zone of the home.

- A clock time that is skipped when the clocks go forward is due at the moment of the change.
- A clock time that occurs twice when the clocks go back is due only the first time.
"""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final

from .routine_types import Daily, Moment

LATEST: Final = timedelta(hours=12)
"""An action that is overdue by more than this is not executed; the person is informed."""

_DAYS: Final = 8
_SECOND: Final = timedelta(seconds=1)


def next_due(trigger: Moment | Daily, after: datetime, zone: tzinfo) -> datetime | None:
    """Return the first due time of a trigger that is later than `after` (both UTC), or None.

    `zone`: the time zone of a `Daily` trigger.
    """
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


def _on_day(day: date, trigger: Daily, zone: tzinfo) -> datetime | None:
    if day.weekday() not in trigger.weekdays:
        return None
    return instant(day, trigger.at, zone)


def instant(day: date, clock: time, zone: tzinfo) -> datetime:
    """Return the first time (UTC) on `day` at which the clocks in `zone` show `clock`.

    If daylight saving time skips `clock`, returns the time of the change.
    """
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
