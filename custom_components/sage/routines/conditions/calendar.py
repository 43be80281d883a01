"""The function `get_calendar`, which the Python code of a routine's condition may call."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.const import ATTR_FRIENDLY_NAME
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ...home.entities.list_entries import async_entries, moment_of
from ...home.values import plain
from ..interfaces import CallArguments, FunctionCallError
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter, Value
from .name_resolution import Names
from .states import StateReader

DOMAIN: Final = "calendar"

_LIFETIME: Final = timedelta(minutes=5)
_AFTER_FAILURE: Final = timedelta(minutes=1)
_MOST_HOURS: Final = 31 * 24
_MOST_EVENTS: Final = 200
_MAX_CACHED: Final = 100

type _Events = list[dict[str, Value]]


class GetCalendar:
    """Implements `get_calendar` for the Python code of conditions: events of the next hours."""

    function = ConditionFunction(
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

    def __init__(self, hass: HomeAssistant, names: Names, reader: StateReader) -> None:
        """`names` resolves a calendar's name to its entity; `reader` checks the read permission."""
        self._hass = hass
        self._names = names
        self._reader = reader
        self._known: dict[tuple[str, float], tuple[datetime, _Events]] = {}

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the calendar events of the next `hours` (an argument of the call).

        The result is marked as unknown while a calendar cannot be read.
        """
        hours = call.number("hours", 1, _MOST_HOURS)
        bindings: dict[str, str] = {}
        if call.text("device"):
            bound = await self._names.async_only(call, DOMAIN)
            bindings = bound.bindings
            await self._reader.async_state(call, bound.place)
            entity_ids = [bound.place.entity_id]
        else:
            entity_ids = self._names.visible(call, DOMAIN)
        if not entity_ids:
            raise FunctionCallError(
                "This person may read no calendar. Somebody has to expose one to Assist."
            )
        now = dt_util.utcnow()
        events: _Events = []
        until = now + _LIFETIME
        for entity_id in entity_ids:
            if (known := await self._async_events(entity_id, hours, now)) is None:
                return FunctionResult(
                    is_unknown=True,
                    keys=frozenset(entity_ids),
                    fresh_until=now + _AFTER_FAILURE,
                    bindings=bindings,
                )
            until = min(until, known[0])
            events += known[1]
        shown = sorted((each for each in events if _time(each, "end") > now), key=_begins)
        return FunctionResult(
            value=shown[:_MOST_EVENTS],
            is_free_text=bool(shown),
            keys=frozenset(entity_ids),
            fresh_until=until,
            bindings=bindings,
        )

    async def _async_events(
        self, entity_id: str, hours: float, now: datetime
    ) -> tuple[datetime, _Events] | None:
        """Return (time of expiry, events) of one calendar; None if the calendar cannot be read."""
        key = (entity_id, hours)
        if (known := self._known.get(key)) is not None and now < known[0]:
            return known
        entries = await async_entries(self._hass, entity_id, (now, now + timedelta(hours=hours)))
        if entries is None:
            return None
        state = self._hass.states.get(entity_id)
        name = str(state.attributes.get(ATTR_FRIENDLY_NAME) or entity_id) if state else entity_id
        found = (_event(each, name) for each in entries)
        while len(self._known) >= _MAX_CACHED:
            del self._known[next(iter(self._known))]
        answer = (now + _LIFETIME, [each for each in found if each is not None])
        self._known[key] = answer
        return answer


def _event(event: Mapping[str, Any], calendar: str) -> dict[str, Value] | None:
    start, end = moment_of(event.get("start")), moment_of(event.get("end"))
    if start is None or end is None:
        return None
    return {
        "summary": str(plain(str(event.get("summary") or ""))),
        "start": start,
        "end": end,
        "all_day": "T" not in str(event.get("start")),
        "calendar": calendar,
    }


def _time(event: Mapping[str, Value], which: str) -> datetime:
    at = event[which]
    assert isinstance(at, datetime)
    return at


def _begins(event: Mapping[str, Value]) -> datetime:
    return _time(event, "start")
