"""The tools that list and create calendar events; sub-tools of `email_and_calendar`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any, Final, override

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from ...agent.decision import Call
from ...agent.tool import error_result, text_result
from ...external.calendars import Calendar, CalendarEntry, PersonCalendars
from ...external.external_error import ExternalError
from ...external.iso_times import Period, day_or_moment, end_of, free_periods, start_of
from ...external.mail.letter import Letter, write_letter
from ...external.mail.message import cleaned as cleaned_text
from ...external.mail.message import one_line
from ...home.commands.evidence import ExternalActionKind
from ...home.home_types import HomeError, OutcomeKind
from ...home.safety.authority import Confirmation
from ...text.speech import Sentences, Verbatim
from ...text.words import content_words, nearest, related, words
from ..sage_tool import WRITES, SageTool, Situation
from .external_tool import MAIL_AGENT, ExternalText, ExternalTool
from .write_email import async_send_confirmed

_MOST_EVENTS: Final = 60
_MOST_DESCRIBED: Final = 8
"""Maximum number of events in a result that includes their descriptions."""

_LONGEST_TEXT: Final = 400
_MOST_DAYS: Final = 400
_MOST_FREE: Final = 40

_DAY_BEGINS: Final = time(8)
_DAY_ENDS: Final = time(20)
"""A search for free times by date covers only the hours from `_DAY_BEGINS` to `_DAY_ENDS`."""

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
_INVITE: Final = probatio.Optional(
    "invite",
    description=(
        "mail addresses of people who get an invitation by mail, only if the person wants that; "
        "the tool asks for confirmation itself"
    ),
)


def calendar_tools(situation: Situation) -> tuple[SageTool, ...]:
    """Return the calendar tools; empty if the person may read no calendar."""
    calendars = situation.external.calendars
    if calendars is None:
        return ()
    return (CalendarEventList(situation, calendars), CalendarEventCreation(situation, calendars))


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
            probatio.Optional("free", description="true: also the free times"): bool,
        }
    )

    def __init__(self, situation: Situation, calendars: PersonCalendars) -> None:
        """Store the calendars to read."""
        super().__init__(situation)
        self._calendars = calendars

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
        agenda = await self._calendars.async_agenda(first, last, self._calendars.listed())
        wanted = given.get("words") or ""
        shown = _matching(agenda.entries, wanted)
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
        if given.get("free"):
            notes += _free_lines(first, last, agenda.entries)
        return ExternalText(text="\n".join(_lines(shown)), note="\n".join(notes))


class CalendarEventCreation(SageTool):
    """Creates a calendar event, then checks that the calendar contains it."""

    name = "sage__create_calendar_event"
    title = "New event"
    description = "Create an event in a calendar of the person or the household."
    annotations = WRITES
    parameters = probatio.Schema(_EVENT)

    def __init__(self, situation: Situation, calendars: PersonCalendars) -> None:
        """Store the calendars to write to; offer invitations if the person has a mail account."""
        super().__init__(situation)
        self._calendars = calendars
        self._mail = situation.external.mail
        if self._mail is not None:
            self.parameters = probatio.Schema({**_EVENT, _INVITE: [str]})

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        given = self.arguments(tool_input)
        calendar = _chosen(self._calendars.listed(), given.get("calendar") or "")
        start, end = _times(given)
        texts = {
            name: text
            for name in ("location", "description")
            if (text := cleaned_text(given.get(name) or "").strip())
        }
        title = one_line(given["title"])
        if not title:
            return error_result("`title` must not be empty.")
        words = EventWords(self.situation.sentences)
        named = words.placeholders(title, start, end, calendar.name, texts)
        # A mail is no Markdown.
        unchanged = {name: Verbatim(text) for name, text in texts.items()}
        written = words.placeholders(Verbatim(title), start, end, calendar.name, unchanged)
        letter = self._invitation(title, given.get("invite") or (), written)
        is_own = partial(self.is_same_call, given)
        if (no := await self._async_declined(named, letter, is_own)) is not None:
            return no
        created = await self._async_created(
            calendar, {"summary": title, **texts, **_service_times(start, end)}, named
        )
        if created.error or letter is None or self._mail is None:
            return created
        return await async_send_confirmed(self.situation, self._mail, letter)

    def _invitation(
        self, title: str, invited: Sequence[str], named: Mapping[str, str]
    ) -> Letter | None:
        """Return the mail to the invited people; None without invited people or mail account.

        Raises ExternalError for an invalid address.
        """
        if self._mail is None or not invited:
            return None
        return write_letter(
            sender=self._mail.addresses[0],
            to=invited,
            cc=(),
            subject=title,
            text=self.situation.sentences.say("event_invitation", **named),
            references=(),
            needs_recipient=True,
        )

    async def _async_declined(
        self, named: Mapping[str, str], letter: Letter | None, is_own: Callable[[Call], bool]
    ) -> llm.ToolResult | None:
        """Ask for confirmation if the event has invitations or untrusted text may have caused it.

        `is_own` returns whether a tool call creates this event. The result is None if the event may
        be created, else an error for the model.
        """
        say = self.situation.sentences.say
        if letter is not None:
            question = say(
                "event_invite",
                **named,
                sender=letter.sender,
                recipients=", ".join(letter.recipients),
                subject=letter.subject,
                text=letter.text.strip(),
            )
        elif not await self.situation.run.async_asked_for(is_own, MAIL_AGENT):
            question = say("event_tainted", **named)
        else:
            return None
        match await self.situation.authority.async_agree(question):
            case Confirmation.GIVEN:
                return None
            case Confirmation.DECLINED:
                return error_result("The person said no. No event was created. Do not try again.")
        return error_result("No event was created: nobody can confirm it here.")

    async def _async_created(
        self, calendar: Calendar, arguments: Mapping[str, object], named: Mapping[str, str]
    ) -> llm.ToolResult:
        say = self.situation.sentences.say
        texts = {kind: say(f"event_{kind.value}", **named) for kind in ExternalActionKind}
        try:
            outcome = await self.situation.home.async_create_event(
                calendar.entity_id, arguments, texts
            )
        except HomeError as err:
            return error_result(str(err))
        match outcome.kind:
            case OutcomeKind.VERIFIED | OutcomeKind.ALREADY:
                return text_result(
                    "Created and read back from the calendar. Finish with kind `acted`."
                )
            case OutcomeKind.NOT_CONFIRMED | OutcomeKind.SENT:
                return error_result(
                    "Sent, but the calendar does not show the event. Do not send it again; your "
                    f"answer must contain this sentence: {texts[ExternalActionKind.UNKNOWN]}"
                )
        return error_result(f"No event was created. {outcome.detail}")


class EventWords:
    """Describes a calendar event in the language of `sentences`."""

    def __init__(self, sentences: Sentences) -> None:
        """Store the translated sentences."""
        self._sentences = sentences

    def placeholders(
        self,
        title: str,
        start: date | datetime,
        end: date | datetime,
        calendar: str,
        texts: Mapping[str, str],
    ) -> dict[str, str]:
        """Return the values of the placeholders in sentences about an event.

        - `title`
        - `when`: the time in words
        - `calendar`: the name of the calendar
        - `more`: the `texts` in words, e.g. "; place: Office"; may be empty

        `texts`: texts of the event, with the keys `location` and `description`; both are optional.
        """
        more = "".join(
            self._sentences.say(f"event_{name}", text=text) for name, text in texts.items()
        )
        return {
            "title": title,
            "when": self.when(start, end),
            "calendar": calendar,
            "more": Verbatim(more),
        }

    def when(self, start: date | datetime, end: date | datetime) -> str:
        """Return the time of an event in words; `end` is exclusive if it is a date."""
        say = self._sentences.say
        if not isinstance(start, datetime):
            last = end - timedelta(days=1)
            if last <= start:
                return say("event_day", day=self._day(start))
            return say("event_days", first=self._day(start), last=self._day(last))
        finish = end if isinstance(end, datetime) else start
        if start.date() == finish.date():
            return say(
                "event_times", day=self._day(start), start=f"{start:%H:%M}", end=f"{finish:%H:%M}"
            )
        return say(
            "event_days",
            first=f"{self._day(start)} {start:%H:%M}",
            last=f"{self._day(finish)} {finish:%H:%M}",
        )

    def _day(self, day: date) -> str:
        say = self._sentences.say
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
    """Return the entries that contain the most words of `wanted`.

    Return all entries if `wanted` is empty, and none if no entry contains any of the words.
    """
    sought = [related(each) for each in content_words(wanted)]
    if not sought:
        return entries
    counts: list[tuple[int, CalendarEntry]] = []
    for entry in entries:
        said = set(words(f"{entry.title} {entry.location} {entry.description} {entry.calendar}"))
        counts.append((sum(not each.isdisjoint(said) for each in sought), entry))
    most = max((count for count, _ in counts), default=0)
    return [entry for count, entry in counts if count == most] if most else []


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


def _free_lines(
    first: date | datetime, last: date | datetime, entries: Iterable[CalendarEntry]
) -> list[str]:
    """Return the free times for the model, one a line, after a heading.

    If `first` and `last` are dates, only times between 08:00 and 20:00 count.
    """
    busy = [each.period for each in entries if not each.is_all_day]
    lines: list[str] = []
    for within in _waking(first, last):
        lines += [
            f"- {_when(dt_util.as_local(each.start), dt_util.as_local(each.end))}"
            for each in free_periods(within, busy)
            if each.start < each.end
        ]
    head = "Free times, all-day events ignored:" if lines else "There is no free time."
    return [head, *lines[:_MOST_FREE]]


def _waking(first: date | datetime, last: date | datetime) -> Iterator[Period]:
    if isinstance(first, datetime) or isinstance(last, datetime):
        yield Period(start_of(first), end_of(last))
        return
    zone, day = dt_util.get_default_time_zone(), first
    while day <= last:
        begin, end = (datetime.combine(day, at, zone) for at in (_DAY_BEGINS, _DAY_ENDS))
        yield Period(start_of(begin), start_of(end))
        day += timedelta(days=1)
