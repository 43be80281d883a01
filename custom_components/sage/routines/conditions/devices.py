"""The functions about devices, now and in the past, for condition code."""

from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Final, cast

from homeassistant.core import State
from homeassistant.util import dt as dt_util

from ...home import STATE, HomeError, is_known
from ..evaluation import NotRecordedError, WithheldError
from ..sandbox.sandbox_types import EVERY_CHECK, FunctionResult, Value
from .calls import ConditionCall, NotNowError, condition_function, number
from .last_day import RecordedSnapshot, ReplayProblem
from .names import async_attribute, async_entities, async_main

_LOOK_AGAIN: Final = timedelta(seconds=30)
"""Time after which a value of an extension is read again even if no change was reported.

No changes are reported while the connection of the extension is interrupted.
"""

_RUNNING: Final = timedelta(seconds=5)
"""Time after which a value that runs on without a report is outdated, such as a timer's."""

_LIST_LIFETIME: Final = timedelta(minutes=1)
_MOST_LISTED: Final = 500


@condition_function(
    returns="str | float | datetime",
    description=(
        "The main value of a device or entity, as its documentation shows it after `state` "
        "(not what stands in brackets behind it: a door is 'on' when it is open). A number "
        "for what is measured, a datetime for a point in time."
    ),
    is_recorded=True,
)
async def get_state(call: ConditionCall, device: str) -> FunctionResult:
    """Return the state of the device's main entity."""
    entity_id = await async_main(call, device)
    return _result(call, await call.async_state(entity_id), STATE)


@condition_function(
    returns="object",
    description=(
        "A value of a device by its name in the documentation, such as machineState. component "
        "(an entity id, or such as 'freezer') only where several have it. None while there is "
        "none, such as the brightness of a light that is off: write (get_attribute(...) or 0) > 50."
    ),
    is_recorded=True,
)
async def get_attribute(
    call: ConditionCall, device: str, attribute: str, component: str = ""
) -> FunctionResult:
    """Return the value of an attribute."""
    place = await async_attribute(call, device, attribute, component)
    if isinstance(place, str):
        return await _async_of_extension(call, place)
    entity_id, attribute = place
    state = await call.async_state(entity_id)
    now = call.hass.states.get(entity_id)
    if now is not None and isinstance(call.snapshot, RecordedSnapshot):
        await call.snapshot.async_check_attribute(now, attribute)
    return _result(call, state, attribute)


async def _async_of_extension(call: ConditionCall, key: str) -> FunctionResult:
    """Return the last reported value of an attribute that no entity offers."""
    if call.snapshot.is_past:
        raise NotRecordedError(ReplayProblem.READS_MORE)
    extension = call.sources.home.extension_of(key)
    attribute = await extension.async_attribute(call.person, key) if extension else None
    if attribute is None:
        raise WithheldError
    call.keys.add(key)
    if not attribute.is_certain:
        raise NotNowError
    value = call.snapshot.value(key, attribute.value)
    return FunctionResult(
        value=cast("Value", value),
        fresh_until=dt_util.utcnow() + _LOOK_AGAIN,
        is_free_text=attribute.is_free_text(value),
    )


def _result(call: ConditionCall, state: State | None, attribute: str) -> FunctionResult:
    """Return the value of an attribute in a state. Raises NotNowError if it is unknown."""
    shown = call.sources.values.value(state, attribute) if state is not None else None
    if shown is None:
        raise NotNowError
    return FunctionResult(
        value=shown.value,
        fresh_until=dt_util.utcnow() + _RUNNING if shown.runs_on else None,
        is_free_text=shown.is_free_text,
    )


@condition_function(
    returns="bool",
    description=(
        "Whether the device can be reached. Needed only to tell that it cannot: a check that "
        "reads a device which is away is left out by itself."
    ),
    is_recorded=True,
)
async def is_available(call: ConditionCall, device: str) -> FunctionResult:
    """Return whether any entity of the device is neither unavailable nor unknown."""
    states: list[State | None] = []
    for entity_id in await async_entities(call, device):
        with suppress(WithheldError):
            states.append(await call.async_state(entity_id))
    if not states:
        raise WithheldError
    return FunctionResult(value=any(map(is_known, states)))


@condition_function(
    returns="list[dict]",
    description=(
        "The devices there are: a list of {'id': str, 'name': str, 'area': str, "
        "'capabilities': list[str]}. With capability, such as 'light' or 'binary_sensor.door': "
        "one entry for each part that has it. The id is for get_state and the others."
    ),
    is_recorded=True,
)
async def list_devices(call: ConditionCall, area: str = "", capability: str = "") -> FunctionResult:
    """Return the devices that the person may see, optionally of one area or capability."""
    listing = await call.sources.home.of(call.person).async_listing()
    devices = call.sources.values.devices(listing, area, capability)
    return FunctionResult(
        value=devices[:_MOST_LISTED], fresh_until=dt_util.utcnow() + _LIST_LIFETIME
    )


MOST_POINTS: Final = 500
MOST_MINUTES: Final = 7 * 24 * 60
_MOST_MINUTES_OF_ATTRIBUTES: Final = 24 * 60

_SHORTEST: Final = timedelta(seconds=10)
_LONGEST: Final = timedelta(minutes=5)
"""Maximum validity of a `get_history` result: its oldest values become too old over time."""

_FURTHEST: Final = timedelta(days=7)


@condition_function(
    returns="list[dict]",
    description=(
        "What a device was in the last minutes: a list of {'at': datetime, 'value': ...}, "
        "oldest first, beginning with the value that it had then; one entry a change, the "
        f"newest {MOST_POINTS}. Up to seven days, attributes up to one. Of entities only."
    ),
)
async def get_history(
    call: ConditionCall, device: str, minutes: float, attribute: str = ""
) -> FunctionResult:
    """Return the device's values in the last `minutes`, with times."""
    attribute = attribute or STATE
    most = MOST_MINUTES if attribute == STATE else _MOST_MINUTES_OF_ATTRIBUTES
    minutes = number("minutes", minutes, 1, most)
    place = await async_attribute(call, device, attribute)
    if isinstance(place, str):
        raise HomeError(
            f"Of {attribute} no history is kept, as no entity has it. Read it with get_attribute, "
            "and keep what is needed in the dict `state`."
        )
    entity_id, attribute = place
    state = await call.async_known_state(entity_id)
    span = timedelta(minutes=minutes)
    start = call.snapshot.at - span
    try:
        history = await call.sources.values.async_history(state, attribute, start, MOST_POINTS)
    except HomeError as err:
        raise HomeError(f"{err} Keep what is needed in the dict `state` instead.") from err
    return FunctionResult(
        value=history.value,
        fresh_until=call.snapshot.at + min(max(span / 100, _SHORTEST), _LONGEST),
        is_free_text=history.is_free_text,
    )


@condition_function(
    returns="float",
    description=(
        "For how many minutes the main value has been what it is now, such as: "
        "get_state(d) == 'on' and held_minutes(d) >= 10. Up to seven days."
    ),
    is_recorded=True,
)
async def held_minutes(call: ConditionCall, device: str) -> FunctionResult:
    """Return for how many minutes the device's main entity has had its current state.

    Restarts of Home Assistant do not count as changes.
    """
    state = await call.async_known_state(await async_main(call, device))
    if isinstance(call.snapshot, RecordedSnapshot):
        since = await call.snapshot.async_held_since(state)
    else:
        key = (held_minutes.name, state.entity_id, state.last_changed)
        oldest = dt_util.utcnow() - _FURTHEST
        read = partial(call.sources.values.async_held_since, state, oldest)
        since, _ = await call.sources.async_kept(key, _FURTHEST, read)
    minutes = max(0.0, (call.snapshot.at - since).total_seconds() / 60)
    return FunctionResult(value=round(minutes, 2), fresh_until=EVERY_CHECK)
