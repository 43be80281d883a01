"""The calendar entities of Home Assistant that a person may read, and their events."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from homeassistant.components.calendar.const import (
    DATA_COMPONENT,
    DOMAIN,
    CalendarEntityFeature,
)
from homeassistant.const import ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..home.safety.gate import Gate
from ..people.person import Person

if TYPE_CHECKING:
    from homeassistant.components.calendar import CalendarEvent

_LOGGER = logging.getLogger(__name__)

_SECONDS: Final = 20.0
"""Timeout in seconds for reading one calendar; a CalDAV server may be slow."""

_LONGEST_TEXT: Final = 1_000
"""Maximum length of a text of an event in characters; longer ones are cut."""


@dataclass(frozen=True, slots=True)
class Period:
    """A period in UTC with an exclusive end."""

    start: datetime
    end: datetime


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

    period: Period
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


class Calendars:
    """The calendars of all people; a person may see own ones and those of the household."""

    def __init__(self, hass: HomeAssistant, rights: Gate) -> None:
        """Store the source of permissions; no calendar is read."""
        self._hass = hass
        self._rights = rights

    @property
    def are_used(self) -> bool:
        """Whether at least one person may see a calendar."""
        return self._rights.is_visible_to_anyone(DOMAIN)

    def are_used_by(self, person: Person) -> bool:
        """Return whether the person may see a calendar."""
        return any(each.startswith(f"{DOMAIN}.") for each in self._rights.visible(person))

    def listed(self, person: Person) -> tuple[Calendar, ...]:
        """Return the calendars that the person may read now, own calendars first, then by name."""
        found = [
            self._calendar(person, each)
            for each in self._rights.visible(person)
            if each.startswith(f"{DOMAIN}.") and self._rights.may_read(person, each)
        ]
        return tuple(sorted(found, key=lambda each: (not each.is_own, each.name, each.entity_id)))

    def _calendar(self, person: Person, entity_id: str) -> Calendar:
        state = self._hass.states.get(entity_id)
        features = 0 if state is None else int(state.attributes.get(ATTR_SUPPORTED_FEATURES) or 0)
        creates = bool(features & CalendarEntityFeature.CREATE_EVENT)
        return Calendar(
            entity_id=entity_id,
            name=entity_id if state is None else state.name,
            is_own=self._rights.owner(entity_id) is not None,
            is_writable=creates and self._rights.may_control(person, entity_id),
        )

    async def async_agenda(
        self, person: Person, first: date | datetime, last: date | datetime
    ) -> Agenda:
        """Return the events from `first` to `last` in the calendars that the person may read.

        If `last` is a date, the whole day counts.
        """
        await self._rights.async_load_rights(person)
        within = Period(start_of(first), end_of(last))
        asked = self.listed(person)
        answers = await asyncio.gather(*(self._async_events(each, within) for each in asked))
        read = list(zip(asked, answers, strict=True))
        # In a thread, because a calendar may have tens of thousands of events.
        return await asyncio.to_thread(agenda_of, read, within)

    async def _async_events(
        self, calendar: Calendar, within: Period
    ) -> Sequence[CalendarEvent] | None:
        """Return the events of one calendar; None if it cannot be read.

        The action `calendar.get_events` is not used: it converts all events in the event loop.
        """
        component = self._hass.data.get(DATA_COMPONENT)
        entity = None if component is None else component.get_entity(calendar.entity_id)
        if entity is None or not entity.available:
            return None
        try:
            async with asyncio.timeout(_SECONDS):
                return await entity.async_get_events(
                    self._hass, dt_util.as_local(within.start), dt_util.as_local(within.end)
                )
        except Exception as err:
            # Integrations raise various errors of their libraries when a server is unreachable.
            _LOGGER.debug("%s cannot be read", calendar.entity_id, exc_info=err)
            return None


def agenda_of(
    answers: Iterable[tuple[Calendar, Sequence[CalendarEvent] | None]], within: Period
) -> Agenda:
    """Return the agenda of a period; `answers`: the events of each calendar, None if unread."""
    entries: list[CalendarEntry] = []
    unread: list[Calendar] = []
    unreadable = 0
    for calendar, events in answers:
        if events is None:
            unread.append(calendar)
        for event in events or ():
            if (entry := _entry(event, calendar)) is None:
                unreadable += 1
            elif _is_within(entry, within):
                entries.append(entry)
    entries.sort(key=lambda each: (each.period.start, each.period.end))
    return Agenda(entries=entries, unread=unread, unreadable=unreadable)


def _entry(event: CalendarEvent, calendar: Calendar) -> CalendarEntry | None:
    """Return an event; None if its times cannot be read, or overflow when they are compared."""
    try:
        start, end = _local(event.start), _local(event.end)
        period = Period(start_of(start), start_of(end))
    except AttributeError, TypeError, ValueError, OverflowError:
        return None
    if isinstance(start, datetime) != isinstance(end, datetime):
        return None
    return CalendarEntry(
        calendar=calendar.name,
        start=start,
        end=end,
        period=period,
        title=_flat(event.summary),
        location=_flat(event.location),
        description=_flat(event.description),
        is_tentative=event.status == "tentative",
    )


def _local(at: date | datetime) -> date | datetime:
    return dt_util.as_local(at) if isinstance(at, datetime) else at


def _is_within(entry: CalendarEntry, within: Period) -> bool:
    """Return whether the event overlaps the period `within`.

    The check is necessary because some servers also return events outside the requested period.
    """
    period = entry.period
    is_moment = period.start == period.end and within.start <= period.start < within.end
    return is_moment or (period.start < within.end and period.end > within.start)


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
