"""Times as a model writes them, and as the home's clock means them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from homeassistant.util import dt as dt_util

from ..routines.clock_times import next_due
from ..routines.model import Daily
from .weekday_names import EVERY_DAY, weekday

_CLOCK: Final = re.compile(
    r"(\d{1,2})(?:(?:[:.]|\s*h\s*|\s*uhr\s*)(\d{2}))?(?::\d{2}(?:\.\d+)?)?"
    r"\s*(?:([ap])\.?m\.?|uhr|h|heures?|o['’]?clock)?"
)
_NAMED: Final = {"noon": 12 * 60, "midday": 12 * 60, "mittag": 12 * 60, "midi": 12 * 60}
_MIDNIGHT: Final = frozenset({"midnight", "mitternacht", "minuit"})
_DAY_MINUTES: Final = 24 * 60
_AT: Final = re.compile(r"^(?:at|on|um|am|à|le|@)\s+|\s+(?:at|on|à|le|@)$")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_RELATIVE: Final = {
    "today": 0,
    "heute": 0,
    "aujourd'hui": 0,
    "tomorrow": 1,
    "morgen": 1,
    "demain": 1,
}
_WEEK: Final = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A day, a time of the clock, or both."""

    dates: tuple[date, ...]
    """The days that may be meant, the nearest first; none where no day was said."""

    clock: int | None
    """Minutes since the day began; 24:00 is its end. None where no time was said."""


def clock_time(text: str) -> time:
    """Return the time of "21:30", "9", "9:30 pm" or "noon". Raises ValueError with the mend."""
    minutes = 0 if _plain(text) in _MIDNIGHT else _clock(text)
    if minutes is None:
        raise ValueError(f'"{text}" is no time of the clock. Write it as HH:MM, such as 21:30.')
    hour, minute = divmod(minutes % _DAY_MINUTES, 60)
    return time(hour, minute)


def moment(text: str, now: datetime, days: frozenset[int] = EVERY_DAY) -> datetime:
    """Return the moment that is meant, in UTC, on one of the weekdays (0 is Monday).

    "HH:MM" is the next time the clock shows it, "YYYY-MM-DD HH:MM" that one, "friday 9:00" the
    next one to come; what has an offset is converted. `now` is local. Raises ValueError with
    the mend, also for a day without a time.
    """
    if (exact := _with_offset(text)) is not None:
        found = [exact] if dt_util.as_local(exact).weekday() in days else []
    else:
        said = _said(text, now)
        if said.clock is None:
            raise ValueError(
                f'"{text}" is a day without a time. Write it as YYYY-MM-DD HH:MM. Ask the person '
                "for the time if they said none."
            )
        dates = said.dates or _dates(now, range(_WEEK + 2))
        found = [_at(day, said.clock) for day in dates if day.weekday() in days]
    if not found:
        raise ValueError(
            f'"{text}" is on none of the `weekdays`. Give `at` as HH:MM, or leave `weekdays` out.'
        )
    return _next(found, now)


def beginning(text: str, now: datetime) -> datetime:
    """Return the moment as `moment` does; a day alone is its beginning, 00:00."""
    if not (dates := _days_alone(text, now)):
        return moment(text, now)
    return _next([_at(day, 0) for day in dates], now)


def end(text: str, now: datetime) -> datetime:
    """Return the moment as `moment` does; a day alone is its end, 00:00 of the next.

    A weekday is not today: "until Friday", said on a Friday, is in a week.
    """
    if not (dates := _days_alone(text, now)):
        return moment(text, now)
    return _at(dates[-1], _DAY_MINUTES)


def next_daily(at: time, days: frozenset[int], now: datetime) -> datetime:
    """Return when the clock next shows `at` on one of these days (0 is Monday), in UTC."""
    due = next_due(
        Daily(at=at, weekdays=days), dt_util.as_utc(now), dt_util.get_default_time_zone()
    )
    assert due is not None
    return due


def _with_offset(text: str) -> datetime | None:
    """Return "2026-11-23T06:00Z" in UTC; None for what has no offset."""
    try:
        exact = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if exact.tzinfo is None:
        return None
    _check_year(exact)
    return exact.astimezone(UTC)


def _days_alone(text: str, now: datetime) -> tuple[date, ...]:
    """Return the days that a text without a time may mean."""
    if _with_offset(text) is not None:
        return ()
    said = _said(text, now)
    return said.dates if said.clock is None else ()


def _said(text: str, now: datetime) -> _Said:
    """Return what "friday, 9:00", "9:00 tomorrow" or "9:00" says. Raises ValueError."""
    parts = re.sub(r"(?<=^\d{4}-\d\d-\d\d)t", " ", _plain(text)).replace(",", " ").split()
    for day, clock in ((parts[:1], parts[1:]), (parts[-1:], parts[:-1])):
        dates = _days(" ".join(day), now)
        if dates:
            rest = _plain(" ".join(clock))
            return _Said(dates=dates, clock=_minutes(rest) if rest else None)
    # Midnight has no day of its own: it ends one and begins another.
    minutes = _DAY_MINUTES if _plain(text) in _MIDNIGHT else _minutes(_plain(text))
    return _Said(dates=(), clock=minutes % _DAY_MINUTES)


def _days(word: str, now: datetime) -> tuple[date, ...]:
    """Return the days that a word may mean, none where it names no day."""
    if _DATE.fullmatch(word):
        if (day := dt_util.parse_date(word)) is None:
            raise ValueError(f'"{word}" is no day of the calendar.')
        _check_year(day)
        return (day,)
    if (ahead := _RELATIVE.get(word.replace("’", "'"))) is not None:
        return _dates(now, [ahead])
    if (named := weekday(word)) is None:
        return ()
    ahead = (named - now.weekday()) % _WEEK
    return _dates(now, [ahead] if ahead else [0, _WEEK])


def _check_year(day: date) -> None:
    """Raise ValueError for a day that has none before or after it."""
    if not date.min.year < day.year < date.max.year:
        raise ValueError(f"{day:%Y-%m-%d} is too far ahead or past. Leave it out for no end.")


def _dates(now: datetime, ahead: Iterable[int]) -> tuple[date, ...]:
    return tuple(now.date() + timedelta(days=each) for each in ahead)


def _minutes(text: str) -> int:
    """Return the minutes since midnight of a time. Raises ValueError with the mend."""
    if (minutes := _clock(text)) is None:
        raise ValueError(
            f'"{text}" is no time of the clock. Write HH:MM or YYYY-MM-DD HH:MM, such as 21:30.'
        )
    return minutes


def _clock(text: str) -> int | None:
    """Return the minutes since midnight of "9:30 pm", 0 to 1440; None for what is no time."""
    plain = _plain(text)
    if plain in _NAMED:
        return _NAMED[plain]
    found = _CLOCK.fullmatch(plain)
    if found is None:
        return None
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    minutes = hour * 60 + minute
    return minutes if minute < 60 and minutes <= _DAY_MINUTES else None


def _plain(text: str) -> str:
    """Return the text in small letters, without "at" before or after it."""
    return _AT.sub("", text.strip().lower())


def _at(day: date, minutes: int) -> datetime:
    """Return when the clock shows this on that day, in UTC, by the rule for daily times."""
    more, minutes = divmod(minutes, _DAY_MINUTES)
    day += timedelta(days=more)
    start = datetime.combine(day, time.min, dt_util.get_default_time_zone())
    days = frozenset({day.weekday()})
    return next_daily(time(*divmod(minutes, 60)), days, start - timedelta(seconds=1))


def _next(moments: list[datetime], now: datetime) -> datetime:
    """Return the first that is to come, else the last."""
    return next((each for each in moments if each > now), moments[-1])
