"""Times as a model writes them, and as the home's clock means them."""

import re
from datetime import date, datetime, time, timedelta
from typing import Final

from homeassistant.util import dt as dt_util

_CLOCK: Final = re.compile(
    r"(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s*(?:([ap])\.?m\.?)?", re.IGNORECASE
)
_DATED: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]+(.+))?")
_DAY_NAMES: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_SETS: Final = {
    "weekdays": range(5),
    "weekday": range(5),
    "weekend": range(5, 7),
    "weekends": range(5, 7),
    "daily": range(7),
    "all": range(7),
}


def clock_time(text: str) -> time:
    """Return the time of "21:30", "9" or "9:30 pm". Raises ValueError with the mend."""
    found = _CLOCK.fullmatch(text.strip())
    if found is not None:
        hour, minute, half = int(found[1]), int(found[2] or 0), (found[3] or "").lower()
        if half and 1 <= hour <= 12:
            hour = hour % 12 + (12 if half == "p" else 0)
        if hour < 24 and minute < 60:
            return time(hour, minute)
    raise ValueError(f'"{text}" is no time of the clock. Write it as HH:MM, such as 21:30.')


def moment(text: str, now: datetime, *, ends_day: bool = False) -> datetime:
    """Return the moment that is meant, in UTC.

    "HH:MM" is the next time the clock shows it, "YYYY-MM-DD HH:MM" that one; a day alone
    (a date, "tomorrow", "monday") is its beginning, or its end where `ends_day` is set.
    `now` is local. Raises ValueError with the mend.
    """
    said = text.strip()
    dated = _DATED.fullmatch(said)
    if dated is not None:
        day = dt_util.parse_date(dated[1])
        if day is None:
            raise ValueError(f'"{text}" is no day of the calendar.')
        return _on(day, (dated[2] or "").strip(), ends_day)
    name, _, clock = said.lower().partition(" ")
    if (ahead := _days_ahead(name, now)) is not None:
        return _on(now.date() + timedelta(days=ahead), clock.removeprefix("at ").strip(), ends_day)
    at = clock_time(said)
    today = _local(now.date(), at)
    return today if today > now else _local(now.date() + timedelta(days=1), at)


def next_daily(at: time, days: frozenset[int], now: datetime) -> datetime:
    """Return when the clock next shows `at` on one of these days (0 is Monday), in UTC."""
    dates = (now.date() + timedelta(days=ahead) for ahead in range(8))
    moments = (_local(day, at) for day in dates if day.weekday() in days)
    return next(each for each in moments if each > now)


def weekdays(names: list[str]) -> frozenset[int]:
    """Return the days, 0 is Monday; all where none is named. Raises ValueError with the mend."""
    days: set[int] = set()
    for name in names:
        short = name.strip().lower()
        if short in _SETS:
            days.update(_SETS[short])
        elif short[:3] in _DAY_NAMES:
            days.add(_DAY_NAMES.index(short[:3]))
        else:
            raise ValueError(f'"{name}" is no day. `weekdays` takes: {", ".join(_DAY_NAMES)}.')
    return frozenset(days or range(7))


def _days_ahead(name: str, now: datetime) -> int | None:
    if name in ("today", "tomorrow"):
        return int(name == "tomorrow")
    if len(name) >= 3 and name.isalpha() and name[:3] in _DAY_NAMES:
        return (_DAY_NAMES.index(name[:3]) - now.weekday() - 1) % 7 + 1
    return None


def _on(day: date, clock: str, ends_day: bool) -> datetime:
    if clock:
        return _local(day, clock_time(re.sub(r"([+-]\d{2}:?\d{2}|Z)$", "", clock)))
    return _local(day + timedelta(days=1) if ends_day else day, time.min)


def _local(day: date, at: time) -> datetime:
    return dt_util.as_utc(datetime.combine(day, at, dt_util.get_default_time_zone()))
