"""Writes iCalendar text."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from homeassistant.util import slugify


def event_text(
    title: str, start: date | datetime, end: date | datetime | None = None, **more: str
) -> str:
    """Return an event; lasts an hour, or a day if `start` is a date, unless `end` is given.

    `more`: further properties, such as `rrule`.
    """
    long = timedelta(hours=1) if isinstance(start, datetime) else timedelta(days=1)
    lines = [
        "BEGIN:VEVENT",
        f"UID:{slugify(title)}-{start.isoformat()}",
        "DTSTAMP:20260101T000000Z",
        f"DTSTART{_time(start)}",
        f"DTEND{_time(end or start + long)}",
        f"SUMMARY:{title}",
        *(f"{name.upper()}:{value}" for name, value in more.items()),
        "END:VEVENT",
    ]
    return "\r\n".join(lines)


def calendar_text(events: Iterable[str]) -> str:
    """Return a calendar file."""
    return "\r\n".join(
        ["BEGIN:VCALENDAR", "PRODID:-//test//EN", "VERSION:2.0", *events, "END:VCALENDAR", ""]
    )


def _time(at: date | datetime) -> str:
    if not isinstance(at, datetime):
        return f";VALUE=DATE:{at:%Y%m%d}"
    zone = getattr(at.tzinfo, "key", None)
    if zone is None or zone == "UTC":
        return f":{at:%Y%m%dT%H%M%S}{'Z' if zone else ''}"
    return f";TZID={zone}:{at:%Y%m%dT%H%M%S}"
