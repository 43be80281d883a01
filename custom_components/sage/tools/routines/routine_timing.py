"""Compute the due and end times of routines from tool arguments (ISO 8601).

A routine is a stored command for a time or a condition.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from homeassistant.util import dt as dt_util

from ...routines import WEEKDAYS, Condition, Daily, Moment, Repeat, Trigger, instant, next_due

WAYS: Final = ("function", "in_minutes", "at", "daily")
"""The arguments that define when a routine runs; a call has exactly one of them."""

EVERY_DAY: Final = frozenset(range(7))

_NO_TIME: Final = (
    "Nothing says when. If something has to happen first, and no function was written for that "
    "yet: call `condition_code_writing` with it now, this comes after. Else call it again with "
    "exactly one of `in_minutes` (20), `at` (21:00), `daily` (07:00) and `function`."
)
_ONE_WAY: Final = (
    "Call it again with exactly one of `in_minutes` (20), `at` (21:00), `daily` (07:00) and "
    "`function` (a name from `condition_code_writing`). What is to be found out at that time "
    "stands in `action`."
)
_NOT_EACH_TIME: Final = (
    "`{way}` is for one time, it cannot repeat. For one time leave `repeat` out. Repetition "
    "needs `daily` (07:00, with `weekdays`) or `function`. To repeat after a number of minutes is "
    "not possible: tell the person."
)
_DAYS_IN_CODE: Final = (
    "`weekdays` goes with `daily` or `at`. With a function, have it test the day itself "
    "(`now().weekday()`, 0 is Monday), then leave `weekdays` out."
)
_FURTHEST: Final = timedelta(days=366 * 5)
_DAY: Final = timedelta(days=1)
_MIDNIGHT: Final = time(0)
_END_OF_DAY: Final = "24:00"


def timing(given: Mapping[str, Any], now: datetime) -> Moment | Daily | None:
    """Return when a routine runs, from the arguments of the tool `condition_polling`.

    `now` is local time. The result is one point in time (`Moment`), a clock time on some weekdays
    (`Daily`), or None for a condition. Raises ValueError; its text says how to fix the arguments.
    """
    if (ways := sum(way in given for way in WAYS)) != 1:
        raise ValueError(_ONE_WAY if ways else _NO_TIME)
    days = frozenset(map(WEEKDAYS.index, given.get("weekdays", ()))) or EVERY_DAY
    repeat = given.get("repeat")
    if "in_minutes" in given:
        return _wait(given["in_minutes"], days, repeat, now)
    if "at" in given:
        if days != EVERY_DAY and repeat == Repeat.ALWAYS:
            raise ValueError(_NOT_EACH_TIME.format(way="at"))
        return Moment(at=_ahead(moment(given["at"], now, days), now))
    if "daily" in given:
        daily = _daily(given["daily"].strip(), days)
        if daily is None:
            raise ValueError(f'"{given["daily"]}" is no time. Write `daily` as HH:MM, like 07:00.')
        return Moment(at=_next(daily, now)) if repeat == Repeat.ONCE else daily
    if days != EVERY_DAY:
        raise ValueError(_DAYS_IN_CODE)
    return None


def expiry(until: str | None, trigger: Trigger, now: datetime) -> datetime | None:
    """Return the end time of a routine in UTC; None if `until` is None.

    `now` is local time. A date without a time means the end of that day. Raises ValueError if
    `until` is invalid or the routine would end before it is first due; the text says how to fix
    this.
    """
    if until is None:
        return None
    expires = _ahead(_day_or_moment(until, now, _DAY), now)
    start = dt_util.as_utc(now)
    if isinstance(trigger, Condition):
        first: datetime | None = start + trigger.hold
    else:
        first = next_due(trigger, start, dt_util.get_default_time_zone())
    if first is not None and expires <= first:
        raise ValueError(
            f"It would end ({_written(expires)}) before it is due for the first time "
            f"({_written(first)}). Give a later `until`, or leave it out."
        )
    return expires


def resumption(until: str, now: datetime) -> datetime:
    """Return the end time of a pause in UTC.

    `now` is local time. A date without a time means the start of that day. Raises ValueError for an
    invalid `until`; its text says how to fix it.
    """
    return _ahead(_day_or_moment(until, now, timedelta(0)), now)


def moment(text: str, now: datetime, days: frozenset[int] = EVERY_DAY) -> datetime:
    """Parse the text of a time, such as "21:30", and return the time in UTC.

    - "HH:MM" is the next such time on one of the weekdays `days` (0 is Monday); "24:00" is the end
      of a day.
    - A date-time without an offset is local time, like `now`.

    Raises ValueError for other forms, a date without a time, or a date-time not on one of `days`.
    """
    text = text.strip()
    if (daily := _daily(text, days)) is not None:
        return _next(daily, now)
    if _date(text) is not None:
        raise ValueError(
            f'"{text}" is a day without a time. Write it as {text}T09:00. Ask the person for the '
            "time if they said none."
        )
    at = _date_time(text)
    if dt_util.as_local(at).weekday() not in days:
        raise ValueError(
            f'"{text}" is on none of the `weekdays`. Give `at` as HH:MM, or leave `weekdays` out.'
        )
    return at


def written_time(trigger: Moment | Daily) -> str:
    """Return the local time of a routine as text: "2026-03-02 21:30", or "07:00" if daily."""
    return _written(trigger.at) if isinstance(trigger, Moment) else f"{trigger.at:%H:%M}"


def _day_or_moment(text: str, now: datetime, into: timedelta) -> datetime:
    """Parse a time as `moment` does; also accept a date without a time.

    For a date, return the start of the day `date + into`.
    """
    if (day := _date(text.strip())) is None:
        return moment(text, now)
    _check_year(day, text)
    return _instant(day + into, _MIDNIGHT, text)


def _daily(text: str, days: frozenset[int]) -> Daily | None:
    """Return the trigger for "HH:MM" or "24:00" on these weekdays; None for any other `text`."""
    if text == _END_OF_DAY:
        return Daily(at=_MIDNIGHT, weekdays=frozenset((day + 1) % len(EVERY_DAY) for day in days))
    clock = dt_util.parse_time(text)
    return None if clock is None else Daily(at=clock.replace(second=0), weekdays=days)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _date_time(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f'"{text}" is no time. Write HH:MM or YYYY-MM-DDTHH:MM, such as 21:30.'
        ) from None
    if at.tzinfo is None:
        return _instant(at.date(), at.time(), text)
    _check_year(at.date(), text)
    return at.astimezone(UTC)


def _instant(day: date, clock: time, text: str) -> datetime:
    """Return the UTC time of a local time; the first one if clocks show it twice.

    Raises ValueError for a year that is too far away.
    """
    _check_year(day, text)
    return instant(day, clock, dt_util.get_default_time_zone())


def _check_year(day: date, text: str) -> None:
    """Raise ValueError for the years 1 and 9999, in which time zone conversions may fail."""
    if not date.min.year < day.year < date.max.year:
        raise ValueError(f"{text} is too far ahead or past. Leave it out for no end.")


def _next(daily: Daily, now: datetime) -> datetime:
    due = next_due(daily, dt_util.as_utc(now), dt_util.get_default_time_zone())
    assert due is not None
    return due


def _wait(minutes: float, days: frozenset[int], repeat: str | None, now: datetime) -> Moment:
    if repeat == Repeat.ALWAYS:
        raise ValueError(_NOT_EACH_TIME.format(way="in_minutes"))
    if days != EVERY_DAY:
        raise ValueError("`weekdays` goes with `daily` or `at`. Leave it out with `in_minutes`.")
    if not 0 < minutes <= _FURTHEST / timedelta(minutes=1):
        raise ValueError("`in_minutes` must be more than 0, and not years ahead.")
    return Moment(at=_ahead(dt_util.as_utc(now) + timedelta(minutes=minutes), now))


def _ahead(at: datetime, now: datetime) -> datetime:
    if at <= now:
        raise ValueError(f"{_written(at)} is past: it is {_written(now)} now. Give a time to come.")
    return at


def _written(at: datetime) -> str:
    return f"{dt_util.as_local(at):%Y-%m-%d %H:%M}"
