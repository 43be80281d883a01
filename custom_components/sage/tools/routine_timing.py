"""When a routine is due, and when it ends, as the arguments of `condition_polling` ask for it."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.util import dt as dt_util

from ..routines.clock_times import next_due
from ..routines.model import Condition, Daily, Moment, Repeat, Trigger
from .routine_times import clock_time, end, moment, next_daily
from .weekday_names import EVERY_DAY, weekdays

WAYS: Final = ("function", "in_minutes", "at", "daily")
"""The arguments of which exactly one tells when."""

_ONE_WAY: Final = (
    "Call it again with exactly one of `in_minutes` (20), `at` (21:00), `daily` (07:00) and "
    "`function` (a name from `condition_code_writing`). What is to be found out at that time "
    "stands in `action`."
)
_NOT_EACH_TIME: Final = (
    "`{way}` is for one time, it cannot repeat. For one time leave `repeat` out. What repeats "
    "goes by `daily` (07:00, with `weekdays`) or by `function`. To repeat after so many minutes is "
    "not possible: tell the person."
)
_DAYS_IN_CODE: Final = (
    "`weekdays` goes with `daily` or `at`. With a function, have it test the day itself "
    "(`now().weekday()`, 0 is Monday), then leave `weekdays` out."
)
_FURTHEST: Final = timedelta(days=366 * 5)


def timing(given: Mapping[str, Any], now: datetime) -> Moment | Daily | None:
    """Return the time that is asked for, None for a condition.

    `given` are the arguments of `condition_polling`, `now` is local. Raises ValueError with
    the mend.
    """
    if len([way for way in WAYS if way in given]) != 1:
        raise ValueError(_ONE_WAY)
    days, repeat = weekdays(given.get("weekdays", [])), given.get("repeat")
    if "in_minutes" in given:
        return _wait(given["in_minutes"], days, repeat, now)
    if "at" in given:
        if days != EVERY_DAY and repeat == Repeat.ALWAYS:
            raise ValueError(_NOT_EACH_TIME.format(way="at"))
        return Moment(at=_ahead(moment(given["at"], now, days), now))
    if "daily" in given:
        daily = Daily(at=clock_time(given["daily"]), weekdays=days)
        if repeat == Repeat.ONCE:
            return Moment(at=next_daily(daily.at, daily.weekdays, now))
        return daily
    if days != EVERY_DAY:
        raise ValueError(_DAYS_IN_CODE)
    return None


def _wait(minutes: float, days: frozenset[int], repeat: str | None, now: datetime) -> Moment:
    if repeat == Repeat.ALWAYS:
        raise ValueError(_NOT_EACH_TIME.format(way="in_minutes"))
    if days != EVERY_DAY:
        raise ValueError("`weekdays` goes with `daily` or `at`. Leave it out with `in_minutes`.")
    return Moment(at=_ahead(dt_util.as_utc(now) + _minutes(minutes), now))


def expiry(until: str | None, trigger: Trigger, now: datetime) -> datetime | None:
    """Return when the routine ends, in UTC; None for never. Raises ValueError with the mend."""
    if until is None:
        return None
    expires = _ahead(end(until, now), now)
    first = _first_due(trigger, dt_util.as_utc(now))
    if first is not None and expires <= first:
        raise ValueError(
            f"It would end ({_written(expires)}) before it is due for the first time "
            f"({_written(first)}). Give a later `until`, or leave it out."
        )
    return expires


def _first_due(trigger: Trigger, now: datetime) -> datetime | None:
    """Return the earliest time at which it can be due, all in UTC."""
    if isinstance(trigger, Condition):
        return now + trigger.hold
    return next_due(trigger, now, dt_util.get_default_time_zone())


def _minutes(minutes: float) -> timedelta:
    if not 0 < minutes <= _FURTHEST / timedelta(minutes=1):
        raise ValueError("`in_minutes` must be more than 0, and not years ahead.")
    return timedelta(minutes=minutes)


def _ahead(at: datetime, now: datetime) -> datetime:
    if at <= now:
        raise ValueError(f"{_written(at)} is past: it is {_written(now)} now. Give a time to come.")
    return at


def _written(at: datetime) -> str:
    return f"{dt_util.as_local(at):%Y-%m-%d %H:%M}"
