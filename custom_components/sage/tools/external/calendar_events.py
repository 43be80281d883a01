"""The tools that list and create calendar events; sub-tools of `email_and_calendar`."""

from datetime import date, datetime, timedelta
from typing import Final, override

import probatio
from homeassistant.helpers import llm

from ...agent import error_result, text_result
from ...external import NewEvent, for_new_event
from ...home import OutcomeKind, RunEventKind
from ...text import Sentences, Verbatim
from ..sage_tool import Arguments
from .external_tool import ExternalText, ExternalTool, PersonalTool

_RESULTS: Final = {
    OutcomeKind.VERIFIED: RunEventKind.DONE,
    OutcomeKind.ALREADY: RunEventKind.DONE,
    OutcomeKind.NOT_CONFIRMED: RunEventKind.UNKNOWN,
    OutcomeKind.SENT: RunEventKind.UNKNOWN,
}
"""Outcome of creating an event -> recorded result; NOT_DONE for other outcomes."""

_KINDS: Final = (RunEventKind.DONE, RunEventKind.NOT_DONE, RunEventKind.UNKNOWN)
_ISO: Final = "ISO, of the home's clocks: 2026-11-30 or 2026-11-30T14:30"


_EVENT: Final = {
    probatio.Required("title"): str,
    probatio.Required("start", description=f"{_ISO}; a date for a whole day"): str,
    probatio.Optional(
        "end", description="like start; a last day is included. Left out: one hour or one day"
    ): str,
    probatio.Optional("location"): str,
    probatio.Optional("description"): str,
    probatio.Optional(
        "rrule", description="only if it recurs, such as FREQ=WEEKLY;BYDAY=MO,WE"
    ): str,
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
    async def async_look(self, given: Arguments) -> ExternalText:
        situation = self.situation
        first, last, words = given["first"], given.get("last") or "", given.get("words") or ""
        text, note = await situation.external.async_events(
            situation.hass, situation.run.person, first, last, words
        )
        return ExternalText(text=text, note=note)


class CalendarEventCreation(PersonalTool):
    """Creates a calendar event, then checks that the calendar contains it."""

    name = "sage__create_calendar_event"
    title = "New event"
    description = "Create an event in a calendar of the person or the household."
    parameters = probatio.Schema(_EVENT)

    @override
    async def async_use(self, given: Arguments) -> llm.ToolResult:
        situation, say = self.situation, self.situation.sentences.say
        calendars = await situation.external.async_calendars(situation.run.person)
        calendar = for_new_event(calendars, given.get("calendar") or "")
        event = NewEvent.read(given)
        more = (
            say(f"event_{name}", text=text)
            for name, text in event.texts.items()
            if name != "summary"
        )
        shown = {
            "title": event.texts["summary"],
            "when": event_time(situation.sentences, event.start, event.end),
            "calendar": calendar.name,
            "more": Verbatim("".join(more)),
        }
        question = say("event_tainted", **shown)
        if no := await self.async_unwanted(given, question, "No event was created"):
            return no
        texts = {kind: say(f"event_{kind.value}", **shown) for kind in _KINDS}
        outcome = await situation.home.async_create_event(calendar.entity_id, event.arguments)
        kind = _RESULTS.get(outcome.kind, RunEventKind.NOT_DONE)
        self.done(kind, texts[kind])
        match kind:
            case RunEventKind.DONE:
                return text_result(
                    "Created and read back from the calendar. Finish with kind `acted`."
                )
            case RunEventKind.UNKNOWN:
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
