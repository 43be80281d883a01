"""The events in calendar entities of Home Assistant; their texts are untrusted."""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Self

from homeassistant.components.calendar.const import DATA_COMPONENT
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..text import content_words, nearest, visible, with_most_words
from .bounded import ExternalError
from .message import one_line
from .times import day_or_moment, end_of, start_of, when

if TYPE_CHECKING:
    from homeassistant.components.calendar import CalendarEvent

_LOGGER = logging.getLogger(__name__)

_SECONDS: Final = 20.0  # timeout in seconds for reading one calendar; a CalDAV server may be slow
_LONGEST_TEXT: Final = 1_000  # maximum length of a text of an event in characters; the rest is cut
_LONGEST_SHOWN: Final = 400
_MOST_SHOWN: Final = 60
_MOST_DESCRIBED: Final = 8  # maximum number of events in a result that includes their descriptions
_LIKENESS: Final = 0.8  # minimum `difflib` ratio, 0 to 1, of a misspelt calendar name


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """A calendar that a person may read."""

    entity_id: str
    name: str  # name of the entity; untrusted, because it may come from a server
    is_own: bool  # whether the calendar belongs only to this person, not to the household
    is_writable: bool  # whether the person may create events in the calendar


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEntry:
    """One event, or one occurrence of a recurring event; all texts are untrusted."""

    calendar: str  # name of the calendar
    start: date | datetime  # a date for an all-day event, otherwise a time in the home's time zone
    end: date | datetime  # the exclusive end, of the same type as `start`
    span: tuple[datetime, datetime]  # the start and the end in UTC
    title: str
    location: str = ""
    description: str = ""
    is_tentative: bool = False

    def line(self, *, is_described: bool) -> str:
        """Return the event on one line for the model."""
        parts = [when(self.start, self.end), _short(self.title) or "(no title)"]
        if self.location:
            parts.append(f"at: {_short(self.location)}")
        if self.is_tentative:
            parts.append("tentative")
        parts.append(f"calendar: {_short(self.calendar)}")
        if self.description and is_described:
            parts.append(f"description: {_short(self.description)}")
        return " | ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """The events of a period."""

    entries: Sequence[CalendarEntry]  # the events of all calendars, sorted by start
    unread: Sequence[Calendar]  # the calendars that could not be read

    def about(self, words: str) -> tuple[str, str]:
        """Return the events with most of these words, or all, and a note on them. Slow."""
        shown = self.entries
        if content_words(words):
            shown = with_most_words(
                words,
                shown,
                lambda entry: (
                    f"{entry.title} {entry.location} {entry.description} {entry.calendar}"
                ),
            )
        notes = [f"Events: {len(shown)}. Times are those of the home's clocks."]
        if len(shown) > _MOST_SHOWN:
            notes.append(f"Only the first {_MOST_SHOWN} are shown; ask for a shorter time.")
        if self.unread:
            failed = ", ".join(calendar.entity_id for calendar in self.unread)
            notes.append(
                f"These calendars cannot be read now, so events may be missing; say so: {failed}."
            )
        is_described = len(shown) <= _MOST_DESCRIBED
        lines = (entry.line(is_described=is_described) for entry in shown[:_MOST_SHOWN])
        return "\n".join(lines), "\n".join(notes)


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
    """Return a calendar's events, or None; `calendar.get_events` converts all in the event loop."""
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
    for calendar, events in lists:
        if events is None:
            unread.append(calendar)
        for event in events or ():
            entry = _entry(event, calendar)
            if entry is not None and _overlaps(*entry.span, start, end):
                entries.append(entry)
    entries.sort(key=lambda entry: entry.span)
    return Agenda(entries=entries, unread=unread)


def _entry(event: CalendarEvent, calendar: Calendar) -> CalendarEntry | None:
    """Return an entry; None if its times cannot be read, as in the year 9999."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event that a model wants to create."""

    texts: Mapping[str, str]  # the `summary`, and possibly `location`, `description` and `rrule`
    start: date | datetime
    end: date | datetime  # the exclusive end, of the same type as `start`

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Return the event in the arguments of a tool, without invisible characters.

        Without an end, it takes one hour or one day. Raises ExternalError.
        """
        texts = {
            "summary": one_line(given["title"]),
            **{
                name: visible(given.get(name) or "").strip()
                for name in ("location", "description", "rrule")
            },
        }
        texts["rrule"] = texts["rrule"].removeprefix("RRULE:")
        if not texts["summary"]:
            raise ExternalError("`title` must not be empty.")
        start, end = day_or_moment("start", given["start"]), (given.get("end") or "").strip()
        return cls(
            texts={name: text for name, text in texts.items() if text},
            start=start,
            end=_end(start, day_or_moment("end", end) if end else None),
        )

    @property
    def arguments(self) -> dict[str, str]:
        """The arguments of `calendar.create_event`."""
        kind = "date_time" if isinstance(self.start, datetime) else "date"
        times = {f"start_{kind}": self.start.isoformat(), f"end_{kind}": self.end.isoformat()}
        return {**self.texts, **times}


def _end(start: date | datetime, end: date | datetime | None) -> date | datetime:
    """Return the exclusive end of an event that the model ends at `end`. Raises ExternalError."""
    if end is None:
        if isinstance(start, datetime):
            return dt_util.as_local(start_of(start) + timedelta(hours=1))
        return start + timedelta(days=1)
    if isinstance(start, datetime) != isinstance(end, datetime):
        raise ExternalError("`start` and `end` must both be dates or both be times.")
    if start_of(end) < start_of(start):
        raise ExternalError("`end` must not be before `start`.")
    if not isinstance(end, datetime):
        return end + timedelta(days=1)
    if start_of(end) == start_of(start):
        raise ExternalError("`end` must be after `start`.")
    return end


def for_new_event(calendars: Sequence[Calendar], named: str) -> Calendar:
    """Return the calendar for a new event.

    `named` is an entity id or a name. If it is empty, return the person's own calendar, or the
    household's if the person has none. Raises ExternalError if no calendar or more than one
    matches; its text lists the ids.
    """
    writable = {calendar.entity_id: calendar for calendar in calendars if calendar.is_writable}
    if not writable:
        raise ExternalError(
            "No calendar of this person accepts new events. Tell the person; they can add one "
            "in Home Assistant and choose it in the options of SAGE."
        )
    ids = ", ".join(writable)
    if named in writable:
        return writable[named]
    if named:
        names = {calendar.name: calendar for calendar in writable.values()}
        if len(names) == len(writable) and (near := nearest(named, names, 1, _LIKENESS)):
            return names[near[0]]
        raise ExternalError(f"`calendar` must be one of: {ids}.")
    own = [calendar for calendar in writable.values() if calendar.is_own] or [*writable.values()]
    if len(own) > 1:
        raise ExternalError(f"There are several; give `calendar`, one of: {ids}.")
    return own[0]


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _local(at: date | datetime) -> date | datetime:
    return dt_util.as_local(at) if isinstance(at, datetime) else at


def _overlaps(begins: datetime, ends: datetime, start: datetime, end: datetime) -> bool:
    """Return whether an event overlaps the period: some servers return others, too."""
    is_moment = begins == ends and start <= begins < end
    return is_moment or (begins < end and ends > start)


def _flat(text: object) -> str:
    return " ".join(str(text or "")[:_LONGEST_TEXT].split())
