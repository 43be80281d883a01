"""Read the items of to-do lists and the events of calendars, and compare them after commands.

What a media library returns is shortened here, too.

Their texts come from an untrusted source.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final, cast

from dateutil.rrule import rrulestr  # type: ignore[import-untyped]
from homeassistant.components.calendar.const import DATA_COMPONENT
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..commands.pipeline import ValidatedCommand
from ..commands.undo_history import cannot_go_back
from ..home_types import CommandDescription, CommandTarget, Outcome, OutcomeKind
from ..values import (
    COMPLETED_ITEMS,
    EVENT_DAYS,
    EVENTS,
    ITEMS,
    item_attributes,
    last_day,
    names_in,
    plain,
)

_LOGGER = logging.getLogger(__name__)

_TIMEOUT: Final = 10.0
_DATE: Final = len("2026-11-30")
_LOOKS: Final = 3  # minimum reads while waiting for a change, because a calendar may be slow
_MOST_OPEN: Final = 100
_MOST_COMPLETED: Final = 20
_MOST_MEDIA: Final = 40

_SHOWN_MEDIUM: Final = names_in(
    "title media_class media_content_type media_content_id can_play children"
)
"""The fields of an item of a media library that the model sees."""

_NEEDS_ACTION: Final = "needs_action"
_COMPLETED: Final = "completed"

CHANGES_ENTRIES: Final = names_in(
    "todo.add_item todo.update_item todo.remove_item todo.remove_completed_items "
    "calendar.create_event"
)
"""The actions that change the entries of a to-do list or calendar."""

RECURRENCE: Final = "rrule"
"""Argument of `calendar.create_event` with the rule of an event that recurs."""

type Entry = Mapping[str, Any]
"""An item or event in the response of Home Assistant."""


async def async_shown_entries(hass: HomeAssistant, entity_id: str) -> dict[str, object]:
    """Return the entries as a dict for the model, e.g. `{"items": ["Milk"]}`; empty if unreadable.

    For a calendar: the events of 14 days from today. The caller must check that the person may read
    the entity.
    """
    start = dt_util.start_of_local_day()
    span = (start, start + timedelta(days=EVENT_DAYS))
    entries = await async_entries(hass, entity_id, span)
    return {} if entries is None else _shown(entity_id.partition(".")[0], entries)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesChange:
    """A command that changes a to-do list or calendar, and the entries before the command."""

    hass: HomeAssistant
    command: ValidatedCommand
    span: tuple[datetime, datetime]
    """Start and end of the period whose calendar events are compared; unused for to-do lists."""

    again: datetime | None = None
    """Start of the second occurrence of a new event that recurs; else None."""

    before: Sequence[Entry]

    async def async_judge(
        self, wait_for_news: Callable[[float], Awaitable[None]], seconds: float
    ) -> tuple[OutcomeKind, dict[str, object], dict[str, object]]:
        """Wait up to `seconds` for the effect; return (outcome kind, old entries, new entries).

        - `wait_for_news`: waits for a change of the entity; the argument is the timeout in seconds
        - entries: dicts with attribute names as keys, e.g. `{"items": ["Milk"]}`
        """
        deadline = self.hass.loop.time() + seconds
        while True:
            now = await async_entries(self.hass, self.command.component_id, self.span) or ()
            kind = self._kind(now)
            left = deadline - self.hass.loop.time()
            if kind is not OutcomeKind.NOT_CONFIRMED or left <= 0:
                return kind, *self._changes(now)
            await wait_for_news(min(left, seconds / _LOOKS))

    def _changes(self, now: Sequence[Entry]) -> tuple[dict[str, object], dict[str, object]]:
        domain = self.command.capability
        main = item_attributes(domain)[0]
        old, new = _shown(domain, self.before), _shown(domain, now)
        names = [name for name in new if name == main or old[name] != new[name]]
        return {name: old[name] for name in names}, {name: new[name] for name in names}

    def _kind(self, now: Sequence[Entry]) -> OutcomeKind:
        """Return whether the entries `now` show the result, or had it before the command."""
        before, wanted = self.before, self._wanted()
        was_so = _count(before, wanted) > 0
        match self.command.action[1]:
            case "remove_completed_items":
                was_so = not _completed(before)
                is_done, is_so = not was_so and not _completed(now), not _completed(now)
            case "remove_item":
                is_done, is_so = all(_is_less(name, before, now) for name in self._named), False
            case service:
                if service == "update_item":
                    old = _find(before, self._named[0]) or {}
                    was_so = bool(old) and _has(old, wanted)
                    wanted = {"summary": old.get("summary"), **wanted}
                is_so = _count(now, wanted) > 0
                is_done = all(
                    _count(now, {**wanted, **at}) > _count(before, {**wanted, **at})
                    for at in ({}, {"start": self.again} if self.again else {})
                )
        if is_done:
            return OutcomeKind.VERIFIED
        return OutcomeKind.ALREADY if was_so and is_so else OutcomeKind.NOT_CONFIRMED

    @property
    def _named(self) -> list[str]:
        item = self.command.arguments.get("item")
        return [str(each) for each in item] if isinstance(item, list) else [str(item)]

    def _wanted(self) -> dict[str, object]:
        """Return the wanted fields of the new or changed entry: name -> value."""
        service, given = self.command.action[1], self.command.arguments
        wanted = {name: given[name] for name in ("description", "location") if name in given}
        if service == "create_event":
            return {**wanted, "summary": given.get("summary"), "start": self.span[0]}
        if dates := [given[name] for name in ("due_date", "due_datetime") if name in given]:
            wanted["due"] = dates[0]
        if service == "add_item":
            return {**wanted, "summary": given.get("item"), "status": _NEEDS_ACTION}
        fields = {"rename": "summary", "status": "status"}
        return wanted | {field: given[name] for name, field in fields.items() if given.get(name)}


async def async_entries_change(
    hass: HomeAssistant, command: ValidatedCommand
) -> EntriesChange | None:
    """Return the entries of a to-do list or calendar, to find later what a command has changed.

    Call this before the command, whose action is one of `CHANGES_ENTRIES`. None if its start time
    is invalid, or if the entries cannot be read.
    """
    if (span := _span(command.arguments)) is None:
        return None
    again = None
    if rule := command.arguments.get(RECURRENCE):
        try:
            again = _second(rule, span[0])
        except ValueError:
            return None
        if again is not None:
            span = (span[0], again + timedelta(days=1))
    before = await async_entries(hass, command.component_id, span)
    if before is None:
        return None
    return EntriesChange(hass=hass, command=command, span=span, again=again, before=before)


async def async_create_recurring(
    hass: HomeAssistant, command: ValidatedCommand, context: Context
) -> None:
    """Create an event that recurs, as the calendar of the frontend does.

    The action `calendar.create_event` takes no rule. The caller must check that the person may
    control the entity. Raises HomeAssistantError.
    """
    component = hass.data.get(DATA_COMPONENT)
    entity = None if component is None else component.get_entity(command.component_id)
    data = command.arguments
    fields = {name: each for name, each in data.items() if not name.startswith(("start_", "end_"))}
    for name in ("start", "end"):
        if (day := data.get(f"{name}_date")) is not None:
            fields[f"dt{name}"] = dt_util.parse_date(str(day))
        else:
            fields[f"dt{name}"] = moment_of(data.get(f"{name}_date_time"))
    if entity is None or None in (fields["dtstart"], fields["dtend"]):
        raise HomeAssistantError("An event that recurs needs a start and an end.")
    entity.async_set_context(context)
    await entity.async_create_event(**fields)


def _second(rule: object, start: datetime) -> datetime | None:
    """Return the start of a recurring event's second occurrence, or None. Raises ValueError."""
    # On the clocks of the home: rules with and without a time zone must not be mixed.
    again = rrulestr(str(rule).replace("Z", ""), dtstart=start.replace(tzinfo=None)).after(
        start.replace(tzinfo=None)
    )
    return None if again is None else again.replace(tzinfo=start.tzinfo)


async def async_entries(
    hass: HomeAssistant, entity_id: str, span: tuple[datetime, datetime]
) -> Sequence[Entry] | None:
    """Return a list's items or a calendar's events in `span`, or None; permissions unchecked."""
    if (domain := entity_id.partition(".")[0]) == "todo":
        action = "get_items"
        data: dict[str, Any] = {"status": [_NEEDS_ACTION, _COMPLETED]}
    else:
        times = {"start_date_time": span[0], "end_date_time": span[1]}
        action = "get_events"
        data = {name: at.isoformat() for name, at in times.items()}
    try:
        own = await async_response(hass, entity_id, action, data, _TIMEOUT)
    except Exception as err:
        _LOGGER.debug("The entries of %s cannot be read", entity_id, exc_info=err)
        return None
    listed = own.get("items" if domain == "todo" else "events")
    return [each for each in listed or () if isinstance(each, Mapping)]


async def async_response(
    hass: HomeAssistant, entity_id: str, action: str, data: dict[str, Any], seconds: float
) -> Mapping[str, Any]:
    """Return the response of an action that only reads an entity; permissions unchecked.

    Raises HomeAssistantError, or TimeoutError after `seconds`.
    """
    async with asyncio.timeout(seconds):
        response = await hass.services.async_call(
            entity_id.partition(".")[0],
            action,
            data,
            blocking=True,
            # Home Assistant requires control permission of a user, so there is none.
            context=Context(),
            target={"entity_id": entity_id},
            return_response=True,
        )
    return cast("Mapping[str, Any]", response or {}).get(entity_id) or {}


def _span(arguments: Mapping[str, Any]) -> tuple[datetime, datetime] | None:
    """Return the time range for `EntriesChange.span`: 24 hours from the start of the new event.

    Without an event, for example for a to-do list, the range starts now. Return None if the start
    time is invalid.
    """
    if (ahead := arguments.get("in")) is not None:
        if not isinstance(ahead, Mapping):
            return None
        number, weeks = ahead.get("days", 0), ahead.get("weeks", 0)
        if not isinstance(number, int) or not isinstance(weeks, int):
            return None
        start: datetime | None = dt_util.start_of_local_day() + timedelta(days=number, weeks=weeks)
    else:
        given = arguments.get("start_date_time") or arguments.get("start_date")
        start = moment_of(given) if given is not None else dt_util.now()
    return None if start is None else (start, start + timedelta(days=1))


def _shown(domain: str, entries: Sequence[Entry]) -> dict[str, object]:
    if domain == "calendar":
        return {EVENTS: _cut([_event(each) for each in entries], _MOST_OPEN)}
    done = _completed(entries)
    left = [_item(each) for each in entries if each not in done]
    return {
        ITEMS: _cut(left, _MOST_OPEN),
        COMPLETED_ITEMS: _cut([_item(each) for each in done], _MOST_COMPLETED),
    }


def _item(entry: Entry) -> object:
    """Return a to-do item for the model: only its text, or a dict if it has more fields."""
    fields = ("summary", "due", "description")
    shown = {name: plain(entry[name]) for name in fields if entry.get(name)}
    return shown.get("summary", "") if len(shown) < 2 else shown


def _event(entry: Entry) -> object:
    fields = ("start", "end", "last_day", "summary", "location", "description")
    shown = with_last_day(entry)
    return {name: plain(shown[name]) for name in fields if shown.get(name)}


def with_last_day(event: Entry) -> Entry:
    """Return the event; if it has several whole days, with its `last_day` instead of `end`."""
    start, end = (_day(event.get(name)) for name in ("start", "end"))
    if start is None or end is None:
        return event
    shown = {name: value for name, value in event.items() if name != "end"}
    last = last_day(start, end)
    return shown if last == start else {**shown, "last_day": last.isoformat()}


def _way_back(changed: Outcome) -> tuple[str, dict[str, Any]] | None:
    """Return name and arguments of the command that undoes a list's change; None if unknown."""
    given, name = changed.arguments, str(changed.arguments.get("item"))
    old = [
        {"status": status, **(each if isinstance(each, Mapping) else {"summary": each})}
        for attribute, status in ((ITEMS, _NEEDS_ACTION), (COMPLETED_ITEMS, _COMPLETED))
        for each in cast("Sequence[object]", changed.before.get(attribute) or ())
    ]
    alike = [each for each in old if each["summary"] == name]
    service = changed.command.rpartition(".")[2]
    if service == "add_item":
        return None if alike else ("remove_item", {"item": [name]})
    if len(alike) != 1 or any(str(text).endswith("…") for text in alike[0].values()):
        return None
    (item,) = alike
    due = item.get("due")
    due_name = "due_date" if due is None or len(str(due)) == _DATE else "due_datetime"
    fields = {due_name: due, "description": item.get("description")}
    match service:
        case "remove_item" if item["status"] == _NEEDS_ACTION:
            return "add_item", {"item": name, **{key: each for key, each in fields.items() if each}}
        case "update_item":
            back = {"item": given.get("rename") or name}
            if back["item"] != name:
                back["rename"] = name
            if "status" in given:
                back["status"] = item["status"]
            if dates := [key for key in given if key.startswith("due_")]:
                back[due_name if due else dates[0]] = due
            return service, back | {key: fields[key] for key in ("description",) if key in given}
    return None


def item_back(changed: Outcome, registry_id: str | None) -> ValidatedCommand | Outcome:
    """Return the command that undoes a change of a to-do list, else an outcome `FAILED`."""
    if changed.kind is OutcomeKind.SENT or (back := _way_back(changed)) is None:
        return cannot_go_back(changed, f"What {changed.command} did cannot be put back.")
    name, arguments = back
    return ValidatedCommand(
        **changed.fields_of(CommandTarget),
        description=CommandDescription(name=name),
        arguments=arguments,
        restores={"item": str(arguments.get("rename") or arguments["item"])},
        registry_id=registry_id,
    )


def shown_answer(answer: object) -> object:
    """Return the answer of an action for the model.

    All-day events have their last day. Media have only what finds and plays them, and a long list
    of them is cut.
    """
    if isinstance(answer, Mapping):
        if {"start", "end", "summary"} <= answer.keys():
            answer = with_last_day(answer)
        elif "media_content_id" in answer:
            answer = _medium(answer)
        return {name: shown_answer(each) for name, each in answer.items()}
    if not isinstance(answer, list):
        return answer
    shown = [shown_answer(each) for each in answer]
    is_media = bool(shown) and isinstance(shown[0], Mapping) and "media_content_id" in shown[0]
    return _cut(shown, _MOST_MEDIA) if is_media else shown


def _medium(medium: Entry) -> Entry:
    """Return an item of a media library with only what finds and plays it."""
    names = set(_SHOWN_MEDIUM)
    if medium.get("media_class") == medium.get("media_content_type"):
        names.remove("media_class")
    if medium.get("can_play"):
        names.remove("can_play")
    return {name: value for name, value in medium.items() if name in names and value != []}


def _day(value: object) -> date | None:
    try:
        return dt_util.parse_date(value) if isinstance(value, str) and len(value) == _DATE else None
    except ValueError:
        return None


def _cut(entries: list[object], most: int) -> list[object]:
    left_out = len(entries) - most
    return [*entries[:most], f"… {left_out} more"] if left_out > 0 else entries


def _completed(entries: Sequence[Entry]) -> list[Entry]:
    return [each for each in entries if each.get("status") == _COMPLETED]


def _count(entries: Iterable[Entry], wanted: Mapping[str, object]) -> int:
    return sum(_has(each, wanted) for each in entries)


def _has(entry: Entry, wanted: Mapping[str, object]) -> bool:
    return all(_value(name, entry.get(name)) == _value(name, it) for name, it in wanted.items())


def _value(name: str, value: object) -> object:
    """Return a comparable value: texts without case, times as datetime."""
    if value in (None, ""):
        return None
    if name in {"due", "start"}:
        return moment_of(value) or str(value)
    return " ".join(str(value).split()).casefold()


def moment_of(value: object) -> datetime | None:
    """Convert a datetime, date (midnight) or ISO 8601 text to local time; None for others."""
    if isinstance(value, datetime):
        return dt_util.as_local(value)
    if isinstance(value, date):
        return dt_util.start_of_local_day(value)
    try:
        moment = dt_util.parse_datetime(str(value))
    except ValueError:
        return None
    return None if moment is None else dt_util.as_local(moment)


def _find(entries: Iterable[Entry], name: str) -> Entry | None:
    return next((each for each in entries if name in (each.get("uid"), each.get("summary"))), None)


def _is_less(name: str, before: Sequence[Entry], now: Sequence[Entry]) -> bool:
    if (old := _find(before, name)) is None:
        return False
    same = {"uid" if old.get("uid") else "summary": old.get("uid") or old.get("summary")}
    return _count(now, same) < _count(before, same)
