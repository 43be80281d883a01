"""Questions about the past of entities: a measure of their values in a period.

Periods are in local time: a day in which the clocks change has 23 or 25 hours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from homeassistant.util import dt as dt_util

from .home_types import HomeError
from .values import STATE, plain


class Measure(StrEnum):
    """What is computed of the values in a period: first those of states, then those of numbers."""

    DURATION = "duration"
    COUNT = "count"  # how often it changed into the state
    FIRST = "first"
    LAST = "last"  # when it last changed into the state, and until when it stayed there
    CHANGES = "changes"
    MIN = "min"
    MAX = "max"
    MEAN = "mean"
    SUM = "sum"  # what a meter counted; after a reset, it counts from zero
    DIFFERENCE = "difference"  # the last value less the first one; of a meter the same as `SUM`


OF_NUMBERS: Final = frozenset([*Measure][-5:])  # the measures of numbers, not of states
PER: Final = ("hour", "day", "week", "month")  # parts of a period that may have a result each
_MOST_PARTS: Final = 62
_HOUR: Final = timedelta(hours=1)
_DAY: Final = len("2026-03-09")


@dataclass(frozen=True, slots=True, kw_only=True)
class PastQuestion:
    """A question about what entities were in a period."""

    measure: Measure
    start: datetime | None  # UTC; None for the oldest state that is recorded
    end: datetime | None  # UTC; None for now
    state: str = ""  # the value whose duration, number or times are asked; empty for all
    attribute: str = STATE
    per: str = ""  # one of `PER`, for a result of each; empty for one of the whole period

    @classmethod
    def of(cls, measure: str, start: str, end: str, **more: str) -> PastQuestion:
        """Return a question with times as ISO texts in local time; raises HomeError."""
        begin, last, now = _moment("start", start), _moment("end", end), dt_util.utcnow()
        if last is not None and len(end.strip()) <= _DAY:
            # Only the same day twice cannot be misunderstood.
            if begin != last:
                raise HomeError("`end` needs a time: the midnight after the last day, with T00:00.")
            last = _next(last, "day")
        last = None if last is None or last >= now else last
        if begin is not None and begin >= (last or now):
            raise HomeError(f"`start` has to be before `end` and before now, {plain(now)}.")
        return cls(measure=Measure(measure), start=begin, end=last, **more)


def _moment(name: str, text: str) -> datetime | None:
    try:
        return dt_util.as_utc(datetime.fromisoformat(text.strip())) if text.strip() else None
    except ValueError, OverflowError:
        error = f"`{name}` is no ISO time in local time, such as 2026-03-09T18:30."
        raise HomeError(error) from None


class Period(NamedTuple):
    """A period, as timestamps; the end is not part of it."""

    start: float
    end: float
    name: str  # in local time: `2026-03-09`, `2026-03-02..2026-03-08`, `2026-03-09T18:00..now`


def periods_of(
    start: datetime, end: datetime, question: PastQuestion, per: str = ""
) -> Sequence[Period]:
    """Return the whole period, or its parts by `per`. Raises HomeError if they are too many."""
    parts: list[Period] = []
    since = start
    while since < end:
        until = min(_next(since, per), end) if per else end
        first = "" if question.start is None and since == start else _short(since)
        if until == end and question.end is None:
            name = f"{first}..now"
        elif "T" in _short(since) + _short(until):
            name = f"{first}..{_short(until, whole=False)}"
        else:
            # The last day is part of the period.
            last = _short(until - timedelta(hours=12))[:10]
            name = first if first == last else f"{first}..{last}"
        parts.append(Period(since.timestamp(), until.timestamp(), name))
        if len(parts) > _MOST_PARTS:
            raise HomeError(f"At most {_MOST_PARTS} parts: shorten the period, or leave out `per`.")
        since = until
    return parts


def _short(moment: datetime, *, whole: bool = True) -> str:
    text = dt_util.as_local(moment).strftime("%Y-%m-%dT%H:%M")
    return text.removesuffix("T00:00") if whole else text


def _next(moment: datetime, per: str) -> datetime:
    """Return the start (UTC) of the hour, day, week or month after a time, in the home's zone."""
    local = dt_util.as_local(moment)
    if per == "hour":
        return moment + _HOUR - (local - local.replace(minute=0, second=0, microsecond=0))
    days = {"day": 1, "week": 7 - local.weekday(), "month": 32 - local.day}[per]
    day = local.date() + timedelta(days=days)
    return dt_util.as_utc(dt_util.start_of_local_day(day.replace(day=1) if per == "month" else day))
