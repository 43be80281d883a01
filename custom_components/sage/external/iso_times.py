"""Parse the ISO dates and times in tool arguments, and compute periods from them.

A time without an offset is in the home's time zone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from homeassistant.util import dt as dt_util

from .external_error import ExternalError


@dataclass(frozen=True, slots=True)
class Period:
    """A period in UTC with an exclusive end."""

    start: datetime
    end: datetime


def day_or_moment(name: str, text: str) -> date | datetime:
    """Parse an ISO date such as 2026-11-30, or a date with a time such as 2026-11-30T14:30.

    A time is returned in the home's time zone. `name`: name of the tool argument, for the error
    text. Raises ExternalError for other texts.
    """
    text = text.strip()
    try:
        if (day := dt_util.parse_date(text)) is not None and len(text) == 10:
            return day
        at = dt_util.parse_datetime(text)
    except ValueError:
        at = None
    if at is None:
        raise ExternalError(
            f"{name} must be an ISO date such as 2026-11-30, or a date with a time such as "
            f'2026-11-30T14:30, not "{text[:40]}".'
        )
    zone = dt_util.get_default_time_zone()
    return at.astimezone(zone) if at.tzinfo is not None else _in_zone(name, at, zone)


def start_of(at: date | datetime) -> datetime:
    """Return `at` in UTC; a date means the start of that day in the home's time zone."""
    if not isinstance(at, datetime):
        at = datetime.combine(at, time.min, dt_util.get_default_time_zone())
    # Compare times in UTC: Python compares local times wrongly when clocks go back.
    return dt_util.as_utc(at)


def end_of(at: date | datetime) -> datetime:
    """Return `at` in UTC; a date means the end of that day in the home's time zone."""
    return start_of(at if isinstance(at, datetime) else at + timedelta(days=1))


def time_span(given_start: str, given_end: str) -> tuple[datetime, datetime] | None:
    """Return start and end of a period in the home's time zone; None if both texts are empty.

    Each text is an ISO date, with or without a time:
    - start: without a time, the beginning of the day; empty: now
    - end: without a time, the end of the day; empty: the text of `given_start` is the end, too,
      e.g. "2026-11-26" is that whole day

    Raises ExternalError if a text is invalid or the end is before the start.
    """
    if not given_start and not given_end:
        return None
    start = start_of(day_or_moment("start", given_start) if given_start else dt_util.now())
    end = end_of(day_or_moment("end", given_end or given_start))
    if end < start:
        raise ExternalError("`end` is before `start`. Give both as local times of the home.")
    return dt_util.as_local(start), dt_util.as_local(end)


def _in_zone(name: str, at: datetime, zone: tzinfo) -> datetime:
    """Return a naive time with the home's time zone.

    Raises ExternalError if the clock change makes the time impossible or ambiguous.
    """
    first, second = at.replace(tzinfo=zone, fold=0), at.replace(tzinfo=zone, fold=1)
    if first.utcoffset() == second.utcoffset():
        return first
    # RFC 5545 and PEP 495: in a gap, fold 0 uses the offset before the change.
    if (moved := first.astimezone(UTC).astimezone(zone)).replace(tzinfo=None) != at:
        raise ExternalError(
            f"{name}: {at:%Y-%m-%d %H:%M} does not exist at this home, because the clocks are put "
            f"forward then. The time after the change is {moved:%Y-%m-%dT%H:%M}; ask the person if "
            "it is not clear."
        )
    raise ExternalError(
        f"{name}: {at:%Y-%m-%d %H:%M} comes twice at this home, because the clocks are put back "
        f"then. Give it with its offset: {first.isoformat()} is the first, {second.isoformat()} "
        "the second; ask the person if it is not clear."
    )


def free_periods(within: Period, busy: Iterable[Period]) -> Iterator[Period]:
    """Yield the parts of `within` that no busy period covers, in order."""
    at = within.start
    for each in sorted(busy, key=lambda period: period.start):
        if each.start > at:
            yield Period(at, min(each.start, within.end))
        at = max(at, each.end)
        if at >= within.end:
            return
    yield Period(at, within.end)
