"""The tools that list and create calendar events; sub-tools of `email_and_calendar`."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, Final, override

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from ...agent import error_result, text_result
from ...external import (
    Agenda,
    Calendar,
    CalendarEntry,
    ExternalError,
    end_of,
    event_fields,
    start_of,
)
from ...home import ExternalAction, ExternalActionKind, HomeError, OutcomeKind
from ...text import Sentences, Verbatim, content_words, nearest, with_most_words
from ..sage_tool import WRITES, SageTool
from .external_tool import (
    MAIL_AGENT,
    ExternalText,
    ExternalTool,
    day_or_moment,
)

_RESULTS: Final = {
    OutcomeKind.VERIFIED: ExternalActionKind.DONE,
    OutcomeKind.ALREADY: ExternalActionKind.DONE,
    OutcomeKind.NOT_CONFIRMED: ExternalActionKind.UNKNOWN,
    OutcomeKind.SENT: ExternalActionKind.UNKNOWN,
}
"""Outcome of creating an event -> recorded result; NOT_DONE for other outcomes."""

_MOST_EVENTS: Final = 60
_MOST_DESCRIBED: Final = 8
"""Maximum number of events in a result that includes their descriptions."""

_LONGEST_TEXT: Final = 400
_MOST_DAYS: Final = 400


_LIKENESS: Final = 0.8
"""Minimum `difflib` ratio, 0 to 1, at which a misspelt calendar name is accepted."""

_ISO: Final = "ISO, of the home's clocks: 2026-11-30 or 2026-11-30T14:30"


_EVENT: Final = {
    probatio.Required("title"): str,
    probatio.Required("start", description=f"{_ISO}; a date for a whole day"): str,
    probatio.Optional(
        "end",
        description="like start; a last day is included. Left out: one hour or one day",
    ): str,
    probatio.Optional("location"): str,
    probatio.Optional("description"): str,
    probatio.Optional(
        "calendar", description="entity id or name; leave out for the person's own"
    ): str,
}


class CalendarEventList(ExternalTool):
    """Lists the events in the calendars that the person may read."""

    name = "sage__list_calendar_events"
    title = "Events"
    description = (
        "List the events in the calendars of the person and the household. For `free`, the times "
        "between them."
    )
    details = "details_calendars"
    parameters = probatio.Schema(
        {
            probatio.Required("first", description=f"first day or time; {_ISO}"): str,
            probatio.Optional(
                "last", description="last day, included, or time; leave out for one day"
            ): str,
            probatio.Optional("words", description="words in the events that are meant"): str,
        }
    )

    @override
    async def async_look(self, given: Mapping[str, Any]) -> ExternalText:
        first = day_or_moment("first", given["first"])
        if given.get("last"):
            last = day_or_moment("last", given["last"])
        else:
            last = first.date() if isinstance(first, datetime) else first
        span = end_of(last) - start_of(first)
        if span <= timedelta(0) or span > timedelta(days=_MOST_DAYS):
            raise ExternalError(f"`last` must be after `first`, by at most {_MOST_DAYS} days.")
        situation = self.situation
        agenda = await situation.external.async_agenda(
            situation.hass, situation.run.person, first, last
        )
        # In a thread, because there may be tens of thousands of events.
        return await asyncio.to_thread(_listed, agenda, given.get("words") or "")


def _listed(agenda: Agenda, words: str) -> ExternalText:
    """Return the events of the agenda that match the words, for the model."""
    shown = _matching(agenda.entries, words)
    notes = [f"Events: {len(shown)}. Times are those of the home's clocks."]
    if len(shown) > _MOST_EVENTS:
        notes.append(f"Only the first {_MOST_EVENTS} are shown; ask for a shorter time.")
    if agenda.unread:
        failed = ", ".join(each.entity_id for each in agenda.unread)
        notes.append(
            f"These calendars cannot be read now, so events may be missing; say so: {failed}."
        )
    if agenda.unreadable:
        notes.append(f"{agenda.unreadable} more events have no readable time; say so.")
    return ExternalText(text="\n".join(_lines(shown)), note="\n".join(notes))


class CalendarEventCreation(SageTool):
    """Creates a calendar event, then checks that the calendar contains it."""

    name = "sage__create_calendar_event"
    title = "New event"
    description = "Create an event in a calendar of the person or the household."
    annotations = WRITES
    parameters = probatio.Schema(_EVENT)

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        given = self.arguments(tool_input)
        calendars = await self.situation.external.async_calendars(self.situation.run.person)
        calendar = _chosen(calendars, given.get("calendar") or "")
        start, end = _times(given)
        fields = event_fields(given)
        if "summary" not in fields:
            return error_result("`title` must not be empty.")
        say = self.situation.sentences.say
        more = "".join(
            say(f"event_{name}", text=text) for name, text in fields.items() if name != "summary"
        )
        named = {
            "title": fields["summary"],
            "when": event_time(self.situation.sentences, start, end),
            "calendar": calendar.name,
            "more": Verbatim(more),
        }
        is_own = partial(self.is_same_call, given)
        if not await self.situation.run.async_asked_for(is_own, MAIL_AGENT) and (
            no := await self.async_declined(say("event_tainted", **named), "No event was created")
        ):
            return no
        return await self._async_created(calendar, {**fields, **_service_times(start, end)}, named)

    async def _async_created(
        self, calendar: Calendar, arguments: Mapping[str, object], named: Mapping[str, str]
    ) -> llm.ToolResult:
        say = self.situation.sentences.say
        texts = {kind: say(f"event_{kind.value}", **named) for kind in ExternalActionKind}
        try:
            outcome = await self.situation.home.async_create_event(calendar.entity_id, arguments)
        except HomeError as err:
            return error_result(str(err))
        kind = _RESULTS.get(outcome.kind, ExternalActionKind.NOT_DONE)
        self.situation.run.record.add(ExternalAction(kind=kind, text=texts[kind]))
        match kind:
            case ExternalActionKind.DONE:
                return text_result(
                    "Created and read back from the calendar. Finish with kind `acted`."
                )
            case ExternalActionKind.UNKNOWN:
                return error_result(
                    "Sent, but the calendar does not show the event. Do not send it again; your "
                    f"answer must contain this sentence: {texts[kind]}"
                )
        return error_result(f"No event was created. {outcome.detail}")


def event_time(sentences: Sentences, start: date | datetime, end: date | datetime) -> str:
    """Return the time of an event in words; `end` is exclusive if it is a date."""
    say = sentences.say
    if not isinstance(start, datetime):
        last = end - timedelta(days=1)
        if last <= start:
            return say("event_day", day=_day(sentences, start))
        return say("event_days", first=_day(sentences, start), last=_day(sentences, last))
    finish = end if isinstance(end, datetime) else start
    first, last_day = _day(sentences, start), _day(sentences, finish)
    if start.date() == finish.date():
        return say("event_times", day=first, start=f"{start:%H:%M}", end=f"{finish:%H:%M}")
    return say("event_days", first=f"{first} {start:%H:%M}", last=f"{last_day} {finish:%H:%M}")


def _day(sentences: Sentences, day: date) -> str:
    say = sentences.say
    return say(
        "event_date",
        weekday=say("weekday_names").split(",")[day.weekday()],
        month=say("month_names").split(",")[day.month - 1],
        day=say("first_day_of_month") if day.day == 1 else str(day.day),
        year=str(day.year),
    )


def _chosen(calendars: Sequence[Calendar], wanted: str) -> Calendar:
    """Return the calendar for a new event.

    `wanted` is an entity id or a name. If it is empty, return the person's own calendar, or the
    household's if the person has none. Raises ExternalError if no calendar or more than one
    matches; its text lists the ids.
    """
    writable = [each for each in calendars if each.is_writable]
    if not writable:
        raise ExternalError(
            "No calendar of this person accepts new events. Tell the person; they can add one "
            "in Home Assistant and choose it in the options of SAGE."
        )
    ids = ", ".join(each.entity_id for each in writable)
    if wanted:
        for each in writable:
            if wanted == each.entity_id:
                return each
        names = {each.name: each for each in writable}
        if len(names) == len(writable) and (near := nearest(wanted, names, 1, _LIKENESS)):
            return names[near[0]]
        raise ExternalError(f"`calendar` must be one of: {ids}.")
    own = [each for each in writable if each.is_own] or writable
    if len(own) > 1:
        raise ExternalError(f"There are several; give `calendar`, one of: {ids}.")
    return own[0]


def _times(given: Mapping[str, Any]) -> tuple[date | datetime, date | datetime]:
    """Return start and exclusive end of the event in the arguments. Raises ExternalError."""
    start = day_or_moment("start", given["start"])
    if not (text := (given.get("end") or "").strip()):
        long = timedelta(hours=1) if isinstance(start, datetime) else timedelta(days=1)
        if isinstance(start, datetime):
            return start, dt_util.as_local(start_of(start) + long)
        return start, start + long
    end = day_or_moment("end", text)
    if isinstance(start, datetime) != isinstance(end, datetime):
        raise ExternalError("`start` and `end` must both be dates or both be times.")
    if start_of(end) < start_of(start):
        raise ExternalError("`end` must not be before `start`.")
    if not isinstance(end, datetime):
        return start, end + timedelta(days=1)
    if start_of(end) == start_of(start):
        raise ExternalError("`end` must be after `start`.")
    return start, end


def _service_times(start: date | datetime, end: date | datetime) -> dict[str, str]:
    kind = "date_time" if isinstance(start, datetime) else "date"
    return {f"start_{kind}": start.isoformat(), f"end_{kind}": end.isoformat()}


def _matching(entries: Sequence[CalendarEntry], wanted: str) -> Sequence[CalendarEntry]:
    """Return the entries that contain the most words of `wanted`, all if it has none."""
    if not content_words(wanted):
        return entries
    return with_most_words(
        wanted,
        entries,
        lambda entry: f"{entry.title} {entry.location} {entry.description} {entry.calendar}",
    )


def _lines(entries: Sequence[CalendarEntry]) -> Iterator[str]:
    is_described = len(entries) <= _MOST_DESCRIBED
    for each in entries[:_MOST_EVENTS]:
        parts = [_when(each.start, each.end), _short(each.title) or "(no title)"]
        if each.location:
            parts.append(f"at: {_short(each.location)}")
        if each.is_tentative:
            parts.append("tentative")
        parts.append(f"calendar: {_short(each.calendar)}")
        if each.description and is_described:
            parts.append(f"description: {_short(each.description)}")
        yield " | ".join(parts)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}…"


def _when(start: date | datetime, end: date | datetime) -> str:
    """Return the time of an event for the model; `end` is exclusive if it is a date."""
    if isinstance(start, datetime):
        same = isinstance(end, datetime) and end.date() == start.date()
        closing = f"{end:%H:%M}" if same else f"{end:%a %Y-%m-%d %H:%M}"
        return f"{start:%a %Y-%m-%d %H:%M} to {closing}"
    last = end - timedelta(days=1)
    until = f" to {last:%a %Y-%m-%d}" if last > start else ""
    return f"{start:%a %Y-%m-%d}{until}, all day"
