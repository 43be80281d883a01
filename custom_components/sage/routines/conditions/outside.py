"""Functions for condition code about calendars, the TV guide and mail.

They are `get_calendar`, `is_on_tv` and `count_unread_mail`. Of a mail or a TV guide, condition code
gets no text.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from homeassistant.const import ATTR_FRIENDLY_NAME
from homeassistant.util import dt as dt_util

from ...external import ExternalError, GuideQuery, async_search_guides
from ...home.entities.list_entries import async_entries, moment_of
from ...home.home_types import HomeError
from ...home.values import plain
from ..sandbox.sandbox_types import FunctionResult, Value
from .calls import ConditionCall, NotNowError, condition_function, number
from .names import async_only

DOMAIN: Final = "calendar"

_EVENTS_LIFETIME: Final = timedelta(minutes=5)
_MOST_HOURS: Final = 31 * 24
_MOST_EVENTS: Final = 200

type _Event = tuple[datetime, datetime, dict[str, Value]]
"""Start, end, and the event as condition code gets it."""


@condition_function(
    returns="list[dict]",
    description=(
        "The events that are under way or begin within the next hours, oldest first: a list "
        "of {'summary': str, 'start': datetime, 'end': datetime, 'all_day': bool, 'calendar': "
        "str}, of all calendars, or of the one given as device."
    ),
)
async def get_calendar(call: ConditionCall, hours: float, device: str = "") -> FunctionResult:
    """Return the calendar events of the next `hours`."""
    hours = number("hours", hours, 1, _MOST_HOURS)
    if device:
        entity_ids = [await async_only(call, DOMAIN, device)]
        await call.async_state(entity_ids[0])
    else:
        entity_ids = call.readable(DOMAIN)
    if not entity_ids:
        raise HomeError("This person may read no calendar. Somebody has to expose one to Assist.")
    call.keys.update(entity_ids)
    now = dt_util.utcnow()
    events: list[_Event] = []
    until = now + _EVENTS_LIFETIME
    for entity_id in entity_ids:
        read = partial(_async_events, call, entity_id, hours)
        key = (DOMAIN, entity_id, hours)
        its_events, expiry = await call.sources.async_kept(key, _EVENTS_LIFETIME, read)
        events += its_events
        until = min(until, expiry)
    shown = [event for _, end, event in sorted(events, key=lambda event: event[0]) if end > now]
    return FunctionResult(value=shown[:_MOST_EVENTS], is_free_text=bool(shown), fresh_until=until)


async def _async_events(call: ConditionCall, entity_id: str, hours: float) -> list[_Event]:
    """Return the events of one calendar. Raises NotNowError if it cannot be read."""
    now = dt_util.utcnow()
    entries = await async_entries(call.hass, entity_id, (now, now + timedelta(hours=hours)))
    if entries is None:
        raise NotNowError
    state = call.hass.states.get(entity_id)
    name = str(state.attributes.get(ATTR_FRIENDLY_NAME) or entity_id) if state else entity_id
    events = (_event(entry, name) for entry in entries)
    return [event for event in events if event is not None]


def _event(entry: Mapping[str, Any], calendar: str) -> _Event | None:
    start, end = moment_of(entry.get("start")), moment_of(entry.get("end"))
    if start is None or end is None:
        return None
    return (
        start,
        end,
        {
            "summary": str(plain(str(entry.get("summary") or ""))),
            "start": start,
            "end": end,
            "all_day": "T" not in str(entry.get("start")),
            "calendar": calendar,
        },
    )


_GUIDE_LIFETIME: Final = timedelta(minutes=15)
"""Maximum validity of a result, since the TV guide may be updated."""

_GUIDE_MINUTES: Final = 24 * 60
_MOST_SHOWINGS: Final = 100


@condition_function(
    returns="bool",
    description=(
        "Whether the TV guide has a programme on now, or starting within these minutes. title: "
        "words that are all in its title or subtitle. channel: name or number; leave out for "
        "all channels."
    ),
)
async def is_on_tv(
    call: ConditionCall, title: str, within_minutes: float = 0, channel: str = ""
) -> FunctionResult:
    """Return whether a programme with all given words in its title is on, or starts soon."""
    ahead = timedelta(minutes=number("within_minutes", within_minutes, 0, _GUIDE_MINUTES))
    if not title:
        raise HomeError("is_on_tv needs words of the title.")
    now = dt_util.utcnow()
    query = GuideQuery(
        start=now,
        end=now + ahead + _GUIDE_LIFETIME,
        words=title,
        channel=channel,
        title_only=True,
        most=_MOST_SHOWINGS,
    )
    try:
        shown = await async_search_guides(call.sources.external.guides, query)
    except ExternalError as err:
        raise NotNowError from err
    if shown is None:
        raise HomeError(f'The TV guide has no channel "{channel}". Use its usual name or number.')
    showings = shown.showings
    changes = [each.start - ahead for each in showings] + [each.stop for each in showings]
    # Return only a bool, so that no untrusted text of the guide reaches the model.
    return FunctionResult(
        value=any(each.start <= now + ahead and now < each.stop for each in showings),
        fresh_until=min((*(each for each in changes if each > now), now + _GUIDE_LIFETIME)),
    )


_COUNT_LIFETIME: Final = timedelta(minutes=2)
"""How long a count of messages is valid; this limits the requests to the mail server."""


@condition_function(
    returns="int", description="How many unread messages are in the person's own inboxes."
)
async def count_unread_mail(call: ConditionCall) -> FunctionResult:
    """Return the number of unread messages in the inboxes of the condition's owner."""
    mail = call.sources.external.mail_of(call.person)
    if mail is None:
        raise HomeError("This person has no mail account in SAGE.")
    try:
        number = await mail.async_count_unread()
    except ExternalError as err:
        raise NotNowError from err
    # Return only a number, so that no untrusted text of a message reaches the model.
    return FunctionResult(value=number, fresh_until=dt_util.utcnow() + _COUNT_LIFETIME)
