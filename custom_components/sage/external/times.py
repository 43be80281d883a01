"""Dates and times that a model writes, in the time zone of the home."""

from datetime import UTC, date, datetime, time, timedelta

from homeassistant.util import dt as dt_util

from .bounded import ExternalError


def start_of(at: date | datetime) -> datetime:
    """Return `at` in UTC; a date means the start of that day in the home's time zone."""
    if not isinstance(at, datetime):
        at = datetime.combine(at, time.min, dt_util.get_default_time_zone())
    # Compare times in UTC: Python compares local times wrongly when clocks go back.
    return dt_util.as_utc(at)


def end_of(at: date | datetime) -> datetime:
    """Return `at` in UTC; a date means the end of that day in the home's time zone."""
    return start_of(at if isinstance(at, datetime) else at + timedelta(days=1))


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
    if at.tzinfo is not None:
        return at.astimezone(zone)
    # Through UTC, so that a time that the change of the clocks leaves out becomes the next one.
    return at.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


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


def when(start: date | datetime, end: date | datetime) -> str:
    """Return the time of an event for the model; `end` is exclusive if it is a date."""
    if isinstance(start, datetime):
        same = isinstance(end, datetime) and end.date() == start.date()
        closing = f"{end:%H:%M}" if same else f"{end:%a %Y-%m-%d %H:%M}"
        return f"{start:%a %Y-%m-%d %H:%M} to {closing}"
    last = end - timedelta(days=1)
    until = f" to {last:%a %Y-%m-%d}" if last > start else ""
    return f"{start:%a %Y-%m-%d}{until}, all day"
