"""`get_calendar`: what is in the calendars that the person may read."""

import asyncio
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final, cast

from homeassistant.const import ATTR_ENTITY_ID, ATTR_FRIENDLY_NAME
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..home.home import Home
from ..home.values import plain
from ..routines.answers import Answered
from ..routines.sandbox.model import Answer, LentFunction, Parameter, Value
from .lender import Asked, LentError
from .names import Names
from .places import async_only, visible
from .states import Sight

DOMAIN: Final = "calendar"
_GET_EVENTS: Final = "get_events"

_LIFETIME: Final = timedelta(minutes=5)
_AFTER_FAILURE: Final = timedelta(minutes=1)
_TIMEOUT: Final = 15.0
_MOST_HOURS: Final = 31 * 24
_MOST_EVENTS: Final = 200
_KEPT: Final = 100

type _Events = list[dict[str, Value]]


class GetCalendar:
    """The events of the next hours."""

    function = LentFunction(
        name="get_calendar",
        parameters=(
            Parameter(name="hours", type="float"),
            Parameter(name="device", type="str", required=False, default=""),
        ),
        returns="list[dict]",
        description=(
            "The events that are under way or begin within the next hours, oldest first: a list "
            "of {'summary': str, 'start': datetime, 'end': datetime, 'all_day': bool, 'calendar': "
            "str}, of all calendars, or of the one given as device."
        ),
    )

    def __init__(self, hass: HomeAssistant, home: Home, names: Names, sight: Sight) -> None:
        """Find the entities, look with the eyes of the person."""
        self._hass = hass
        self._home = home
        self._names = names
        self._sight = sight
        self._known: dict[tuple[str, float], tuple[datetime, _Events]] = {}

    async def async_answer(self, asked: Asked) -> Answered:
        """Return the events; unknown while those of a calendar cannot be had."""
        hours = asked.number("hours", 1, _MOST_HOURS)
        bindings: dict[str, str] = {}
        if asked.text("device"):
            bound = await async_only(self._hass, self._home, self._names, asked, DOMAIN)
            bindings = bound.bindings
            self._sight.state(asked.person, bound.place)
            entity_ids = [bound.place.entity_id]
        else:
            entity_ids = visible(self._home, asked, DOMAIN)
        if not entity_ids:
            raise LentError(
                "This person may read no calendar. Somebody has to expose one to Assist."
            )
        now = dt_util.utcnow()
        events: _Events = []
        until = now + _LIFETIME
        try:
            for entity_id in entity_ids:
                fresh_until, found = await self._async_events(entity_id, hours, now)
                until = min(until, fresh_until)
                events += found
        except HomeAssistantError, TimeoutError:
            return Answered(
                answer=Answer(is_unknown=True),
                keys=frozenset(entity_ids),
                fresh_until=now + _AFTER_FAILURE,
                bindings=bindings,
            )
        shown = sorted((each for each in events if _time(each, "end") > now), key=_begins)
        return Answered(
            answer=Answer(value=shown[:_MOST_EVENTS]),
            is_free_text=bool(shown),
            keys=frozenset(entity_ids),
            fresh_until=until,
            bindings=bindings,
        )

    async def _async_events(
        self, entity_id: str, hours: float, now: datetime
    ) -> tuple[datetime, _Events]:
        """Return the events of one calendar, and how long they are relied upon."""
        key = (entity_id, hours)
        if (known := self._known.get(key)) is not None and now < known[0]:
            return known
        # The gate has allowed to read: the action has no user, since Home Assistant would ask
        # for the right to control.
        async with asyncio.timeout(_TIMEOUT):
            response = await self._hass.services.async_call(
                DOMAIN,
                _GET_EVENTS,
                {
                    ATTR_ENTITY_ID: entity_id,
                    "start_date_time": now.isoformat(),
                    "end_date_time": (now + timedelta(hours=hours)).isoformat(),
                },
                blocking=True,
                context=Context(),
                return_response=True,
            )
        told = cast("Mapping[str, Any]", response or {}).get(entity_id) or {}
        state = self._hass.states.get(entity_id)
        name = str(state.attributes.get(ATTR_FRIENDLY_NAME) or entity_id) if state else entity_id
        found = (_event(each, name) for each in told.get("events") or ())
        while len(self._known) >= _KEPT:
            del self._known[next(iter(self._known))]
        answer = (now + _LIFETIME, [each for each in found if each is not None])
        self._known[key] = answer
        return answer


def _event(told: Mapping[str, Any], calendar: str) -> dict[str, Value] | None:
    start, end = _moment(told.get("start")), _moment(told.get("end"))
    if start is None or end is None:
        return None
    return {
        "summary": str(plain(str(told.get("summary") or ""))),
        "start": start,
        "end": end,
        "all_day": "T" not in str(told.get("start")),
        "calendar": calendar,
    }


def _moment(text: object) -> datetime | None:
    """Return a moment in local time; a day begins at midnight on the clock of the home."""
    if not isinstance(text, str):
        return None
    if (moment := dt_util.parse_datetime(text)) is not None:
        return dt_util.as_local(moment)
    day: date | None = dt_util.parse_date(text)
    return dt_util.start_of_local_day(day) if day is not None else None


def _time(event: Mapping[str, Value], which: str) -> datetime:
    at = event[which]
    assert isinstance(at, datetime)
    return at


def _begins(event: Mapping[str, Value]) -> datetime:
    return _time(event, "start")
