"""Functions for condition code about calendars, the TV guide and mail.

They are `get_calendar`, `is_on_tv` and `count_unread_mail`. Of a mail or a TV guide, condition code
gets no text.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.const import ATTR_FRIENDLY_NAME
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ...external import External
from ...external.external_error import ExternalError
from ...external.tv_guide.guide_file import GuideQuery, Showing
from ...external.tv_guide.tv_guide import TvGuide
from ...home.entities.list_entries import async_entries, moment_of
from ...home.values import plain
from ..interfaces import CallArguments, FunctionCallError, NotNowError
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter, Value
from .name_resolution import Names
from .states import StateReader

DOMAIN: Final = "calendar"

_EVENTS_LIFETIME: Final = timedelta(minutes=5)
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
        until = now + _EVENTS_LIFETIME
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
        answer = (now + _EVENTS_LIFETIME, [each for each in found if each is not None])
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


_GUIDE_LIFETIME: Final = timedelta(minutes=15)
"""Maximum validity of a result, since the TV guide may be updated."""

_GUIDE_MINUTES: Final = 24 * 60
_MOST_SHOWINGS: Final = 100


class IsOnTv:
    """Implements `is_on_tv` for condition code: whether a programme is on, or starts soon."""

    function = ConditionFunction(
        name="is_on_tv",
        parameters=(
            Parameter(name="title", type="str"),
            Parameter(name="within_minutes", type="float", required=False, default=0),
            Parameter(name="channel", type="str", required=False, default=""),
        ),
        returns="bool",
        description=(
            "Whether the TV guide has a programme on now, or starting within these minutes. title: "
            "words that are all in its title or subtitle. channel: name or number; leave out for "
            "all channels."
        ),
    )

    def __init__(self, guides: Sequence[TvGuide]) -> None:
        self._guides = guides

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return whether a programme with all given words in its title is on, or starts soon.

        Raises FunctionCallError for an unknown channel or an empty title, NotNowError if a TV guide
        cannot be read.
        """
        title, channel = call.text("title"), call.text("channel")
        ahead = timedelta(minutes=call.number("within_minutes", 0, _GUIDE_MINUTES))
        if not title:
            raise FunctionCallError("is_on_tv needs words of the title.")
        now = dt_util.utcnow()
        found: list[Showing] = []
        try:
            for guide in self._guides:
                found += await _async_of_title(
                    guide, title, channel, now, now + ahead + _GUIDE_LIFETIME
                )
        except ExternalError as err:
            raise NotNowError from err
        changes = [each.start - ahead for each in found] + [each.stop for each in found]
        # Return only a bool, so that no untrusted text of the guide reaches the model.
        return FunctionResult(
            value=any(each.start <= now + ahead and now < each.stop for each in found),
            fresh_until=min((*(each for each in changes if each > now), now + _GUIDE_LIFETIME)),
        )


async def _async_of_title(
    guide: TvGuide, title: str, channel: str, start: datetime, end: datetime
) -> Sequence[Showing]:
    """Return the programmes from `start` to `end` whose title contains all words of `title`.

    `channel`: name or number; empty: all channels. Raises FunctionCallError for an unknown channel,
    ExternalError if the guide cannot be read.
    """
    channels: tuple[str, ...] | None = None
    if channel:
        channels = tuple(each.id for each in await guide.async_channels(channel))
        if not channels:
            raise FunctionCallError(
                f'The TV guide has no channel "{channel}". Use its usual name or number.'
            )
    wanted = GuideQuery(
        start=start, end=end, words=title, channels=channels, title_only=True, most=_MOST_SHOWINGS
    )
    return (await guide.async_search(wanted)).showings


_COUNT_LIFETIME: Final = timedelta(minutes=2)
"""How long a count of messages is valid; this limits the requests to the mail server."""


class CountUnreadMail:
    """Implements `count_unread_mail` for condition code: how many unread messages a person has."""

    function = ConditionFunction(
        name="count_unread_mail",
        returns="int",
        description="How many unread messages are in the person's own inboxes.",
    )

    def __init__(self, external: External) -> None:
        """`external` provides the mail account of the owner of a condition."""
        self._external = external

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the number of unread messages in the inboxes of the condition's owner.

        Raises NotNowError if the mail server cannot be reached, FunctionCallError if the owner has
        no mail account.
        """
        mail = self._external.mail_of(call.person)
        if mail is None:
            raise FunctionCallError("This person has no mail account in SAGE.")
        try:
            number = await mail.async_count_unread()
        except ExternalError as err:
            raise NotNowError from err
        # Return only a number, so that no untrusted text of a message reaches the model.
        return FunctionResult(value=number, fresh_until=dt_util.utcnow() + _COUNT_LIFETIME)
