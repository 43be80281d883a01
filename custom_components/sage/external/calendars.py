"""The events in calendar entities of Home Assistant."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final

from homeassistant.components.calendar.const import DATA_COMPONENT
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from .message import cleaned, one_line

if TYPE_CHECKING:
    from homeassistant.components.calendar import CalendarEvent

_LOGGER = logging.getLogger(__name__)

_SECONDS: Final = 20.0
"""Timeout in seconds for reading one calendar; a CalDAV server may be slow."""

_LONGEST_TEXT: Final = 1_000
"""Maximum length of a text of an event in characters; longer ones are cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """A calendar that a person may read."""

    entity_id: str
    name: str
    """Name of the entity; untrusted, because it may come from a server."""

    is_own: bool
    """Whether the calendar belongs only to this person, not to the household."""

    is_writable: bool
    """Whether the person may create events in the calendar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEntry:
    """One event, or one occurrence of a recurring event; all texts are untrusted."""

    calendar: str
    """Name of the calendar."""

    start: date | datetime
    """A date for an all-day event, otherwise a time in the home's time zone."""

    end: date | datetime
    """The exclusive end, of the same type as `start`."""

    span: tuple[datetime, datetime]
    """The start and the end in UTC."""

    title: str
    location: str = ""
    description: str = ""
    is_tentative: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """The events of a period."""

    entries: Sequence[CalendarEntry]
    """The events of all calendars, sorted by start."""

    unread: Sequence[Calendar]
    """The calendars that could not be read."""

    unreadable: int = 0
    """The number of events whose times could not be read."""


async def async_agenda(
    hass: HomeAssistant,
    calendars: Sequence[Calendar],
    first: date | datetime,
    last: date | datetime,
) -> Agenda:
    """Return the events from `first` to `last`; if `last` is a date, the whole day counts."""
    start, end = start_of(first), end_of(last)
    lists = await asyncio.gather(*(_async_events(hass, each, start, end) for each in calendars))
    # In a thread, because a calendar may have tens of thousands of events.
    return await asyncio.to_thread(agenda_of, list(zip(calendars, lists, strict=True)), start, end)


async def _async_events(
    hass: HomeAssistant, calendar: Calendar, start: datetime, end: datetime
) -> Sequence[CalendarEvent] | None:
    """Return the events of one calendar; None if it cannot be read.

    The action `calendar.get_events` is not used: it converts all events in the event loop.
    """
    component = hass.data.get(DATA_COMPONENT)
    entity = None if component is None else component.get_entity(calendar.entity_id)
    if entity is None or not entity.available:
        return None
    try:
        async with asyncio.timeout(_SECONDS):
            return await entity.async_get_events(
                hass, dt_util.as_local(start), dt_util.as_local(end)
            )
    except Exception as err:
        # Integrations raise various errors of their libraries when a server is unreachable.
        _LOGGER.debug("%s cannot be read", calendar.entity_id, exc_info=err)
        return None


def agenda_of(
    lists: Iterable[tuple[Calendar, Sequence[CalendarEvent] | None]], start: datetime, end: datetime
) -> Agenda:
    """Return the agenda of a period; `lists`: the events of each calendar, None if unread."""
    entries: list[CalendarEntry] = []
    unread: list[Calendar] = []
    unreadable = 0
    for calendar, events in lists:
        if events is None:
            unread.append(calendar)
        for event in events or ():
            if (entry := _entry(event, calendar)) is None:
                unreadable += 1
            elif _overlaps(*entry.span, start, end):
                entries.append(entry)
    entries.sort(key=lambda entry: entry.span)
    return Agenda(entries=entries, unread=unread, unreadable=unreadable)


def _entry(event: CalendarEvent, calendar: Calendar) -> CalendarEntry | None:
    """Return an event; None if its times cannot be read, or overflow when they are compared."""
    try:
        start, end = _local(event.start), _local(event.end)
        span = start_of(start), start_of(end)
    except AttributeError, TypeError, ValueError, OverflowError:
        return None
    if isinstance(start, datetime) != isinstance(end, datetime):
        return None
    return CalendarEntry(
        calendar=calendar.name,
        start=start,
        end=end,
        span=span,
        title=_flat(event.summary),
        location=_flat(event.location),
        description=_flat(event.description),
        is_tentative=event.status == "tentative",
    )


def event_fields(given: Mapping[str, Any]) -> dict[str, str]:
    """Return the texts of a new event, without invisible characters and empty texts.

    `given`: its `title`, and possibly `location` and `description`. The title becomes `summary`, as
    in the action that creates the event.
    """
    texts = {name: cleaned(given.get(name) or "").strip() for name in ("location", "description")}
    fields = {"summary": one_line(given["title"]), **texts}
    return {name: text for name, text in fields.items() if text}


def _local(at: date | datetime) -> date | datetime:
    return dt_util.as_local(at) if isinstance(at, datetime) else at


def _overlaps(begins: datetime, ends: datetime, start: datetime, end: datetime) -> bool:
    """Return whether an event overlaps the period from `start` to `end`.

    The check is necessary because some servers also return events outside the requested period.
    """
    is_moment = begins == ends and start <= begins < end
    return is_moment or (begins < end and ends > start)


def _flat(text: object) -> str:
    return " ".join(str(text or "")[:_LONGEST_TEXT].split())


def start_of(at: date | datetime) -> datetime:
    """Return `at` in UTC; a date means the start of that day in the home's time zone."""
    if not isinstance(at, datetime):
        at = datetime.combine(at, time.min, dt_util.get_default_time_zone())
    # Compare times in UTC: Python compares local times wrongly when clocks go back.
    return dt_util.as_utc(at)


def end_of(at: date | datetime) -> datetime:
    """Return `at` in UTC; a date means the end of that day in the home's time zone."""
    return start_of(at if isinstance(at, datetime) else at + timedelta(days=1))
