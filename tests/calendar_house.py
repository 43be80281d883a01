"""Calendars of Home Assistant's `local_calendar`, filled from iCalendar text."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from pathlib import Path

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util import slugify
from pytest_homeassistant_custom_component.common import MockConfigEntry


def event(
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


def calendar(events: Iterable[str]) -> str:
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


async def async_add_calendar(
    hass: HomeAssistant, name: str, events: Iterable[str] = (), *, is_exposed: bool = True
) -> str:
    """Add a calendar with these events; return its entity id."""
    path = Path(hass.config.path(f".storage/local_calendar.{slugify(name)}.ics"))

    def write() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(calendar(events), encoding="utf-8")

    await hass.async_add_executor_job(write)
    assert await async_setup_component(hass, "calendar", {})
    entry = MockConfigEntry(
        domain="local_calendar",
        title=name,
        data={"calendar_name": name, "storage_key": slugify(name)},
    )
    entry.add_to_hass(hass)
    await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    assert entry.state is ConfigEntryState.LOADED
    entity_id = f"calendar.{slugify(name)}"
    async_expose_entity(hass, "conversation", entity_id, is_exposed)
    return entity_id
