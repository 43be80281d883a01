"""The functions about time, sun, weather, calendars, the TV guide and mail, for condition code.

Of a mail or a TV guide, condition code gets no text.
"""

from datetime import timedelta
from functools import partial
from operator import itemgetter
from typing import Any, Final

from homeassistant.components.weather.const import DOMAIN
from homeassistant.const import SUN_EVENT_SUNRISE, SUN_EVENT_SUNSET
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util

from ...external import ExternalError, GuideQuery
from ...home import HomeError
from ..sandbox.contract import EVERY_CHECK, FunctionResult, Value
from .calls import ConditionCall, NotNowError, condition_function, number

_LIFETIME: Final = timedelta(minutes=15)
_MOST_FORECAST_HOURS: Final = 10 * 24


@condition_function(
    returns="datetime", description="The local date and time, with its time zone.", is_recorded=True
)
async def now(call: ConditionCall) -> FunctionResult:
    """Return the local time; the result is valid for one evaluation of the condition only."""
    return FunctionResult(value=dt_util.as_local(call.snapshot.at), fresh_until=EVERY_CHECK)


@condition_function(
    returns="bool", description="Whether the sun is below the horizon.", is_recorded=True
)
async def is_dark(call: ConditionCall) -> FunctionResult:
    """Return whether the sun is down; the result is valid until the next sunrise or sunset."""
    at = call.snapshot.at
    try:
        rising = get_astral_event_next(call.hass, SUN_EVENT_SUNRISE, at)
        setting = get_astral_event_next(call.hass, SUN_EVENT_SUNSET, at)
    except ValueError:
        raise HomeError("The sun does not rise and set where this home is. Use now().") from None
    return FunctionResult(value=rising < setting, fresh_until=min(rising, setting))


@condition_function(
    returns="dict",
    description=(
        "The weather now: {'condition': 'rainy', 'temperature': 12.5, 'humidity': 80, "
        "'wind_speed': ...}; unknown values are left out, so use .get(). device only where "
        "there are several weather entities."
    ),
)
async def get_weather(call: ConditionCall, device: str = "") -> FunctionResult:
    """Return the current values of the weather entity, e.g. temperature and humidity."""
    state = await call.async_known_state(await call.async_only(DOMAIN, device))
    weather = call.sources.values.weather(state)
    return FunctionResult(value=weather.value, is_free_text=weather.is_free_text)


@condition_function(
    returns="list[dict]",
    description=(
        "The forecast for the next hours, oldest first: a list of {'at': datetime, "
        "'condition': 'rainy', 'temperature': ..., 'precipitation_probability': ...}; unknown "
        "values are left out, so use .get(). By the hour where that is known, else by the "
        "day (with 'templow')."
    ),
)
async def get_forecast(call: ConditionCall, hours: float, device: str = "") -> FunctionResult:
    """Return the forecast entries for the next `hours`."""
    hours = number("hours", hours, 1, _MOST_FORECAST_HOURS)
    state = await call.async_known_state(await call.async_only(DOMAIN, device))
    read = partial(call.sources.values.async_forecast, state)
    try:
        forecast, until = await call.sources.async_kept((DOMAIN, state.entity_id), _LIFETIME, read)
    except (HomeAssistantError, TimeoutError) as err:
        raise NotNowError from err
    start = dt_util.utcnow()
    shown = forecast.between(start, start + timedelta(hours=hours))
    return FunctionResult(value=shown.value, fresh_until=until, is_free_text=shown.is_free_text)


_CALENDAR: Final = "calendar"

_EVENTS_LIFETIME: Final = timedelta(minutes=5)
_MOST_CALENDAR_HOURS: Final = 31 * 24
_MOST_EVENTS: Final = 200


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
    hours = number("hours", hours, 1, _MOST_CALENDAR_HOURS)
    if device:
        entity_ids = [await call.async_only(_CALENDAR, device)]
        await call.async_state(entity_ids[0])
    else:
        entity_ids = call.readable(_CALENDAR)
    if not entity_ids:
        raise HomeError("This person may read no calendar. Somebody has to expose one to Assist.")
    call.keys.update(entity_ids)
    at = dt_util.utcnow()
    events: list[dict[str, Any]] = []
    until = at + _EVENTS_LIFETIME
    for entity_id in entity_ids:
        read = partial(_async_events, call, entity_id, hours)
        key = (_CALENDAR, entity_id, hours)
        its_events, expiry = await call.sources.async_kept(key, _EVENTS_LIFETIME, read)
        events += its_events
        until = min(until, expiry)
    shown: list[Value] = [
        event for event in sorted(events, key=itemgetter("start")) if event["end"] > at
    ]
    return FunctionResult(value=shown[:_MOST_EVENTS], is_free_text=bool(shown), fresh_until=until)


async def _async_events(call: ConditionCall, entity_id: str, hours: float) -> list[dict[str, Any]]:
    events = await call.sources.values.async_events(entity_id, timedelta(hours=hours))
    if events is None:
        raise NotNowError
    return events


_GUIDE_LIFETIME: Final = timedelta(minutes=15)  # since the guide may be updated
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
    at = dt_util.utcnow()
    query = GuideQuery(
        start=at,
        end=at + ahead + _GUIDE_LIFETIME,
        words=title,
        channel=channel,
        title_only=True,
        most=_MOST_SHOWINGS,
    )
    try:
        shown = await call.sources.external.async_search_guides(query)
    except ExternalError as err:
        raise NotNowError from err
    if shown is None:
        raise HomeError(f'The TV guide has no channel "{channel}". Use its usual name or number.')
    showings, _ = shown
    changes = [each.start - ahead for each in showings] + [each.stop for each in showings]
    # Return only a bool, so that no untrusted text of the guide reaches the model.
    return FunctionResult(
        value=any(each.start <= at + ahead and at < each.stop for each in showings),
        fresh_until=min((*(each for each in changes if each > at), at + _GUIDE_LIFETIME)),
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
        _, number, not_searched = await mail.async_search(1, unread=True)
    except ExternalError as err:
        raise NotNowError from err
    if not_searched:
        raise NotNowError
    # Return only a number, so that no untrusted text of a message reaches the model.
    return FunctionResult(value=number, fresh_until=dt_util.utcnow() + _COUNT_LIFETIME)
