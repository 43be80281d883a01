"""The functions about devices: `get_state`, `get_attribute`, `is_available`, `list_devices`."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Final, cast

from homeassistant.const import STATE_UNKNOWN
from homeassistant.core import State
from homeassistant.util import dt as dt_util

from ...home.home_types import Component, Device, HomeError
from ...home.listing import Listing
from ...home.safety.free_text import is_free_text, options_of
from ...home.values import STATE, current, is_known, value_of
from ...text.words import key
from ..evaluation import NotRecordedError, WithheldError
from ..sandbox.sandbox_types import FunctionResult, Value
from .calls import ConditionCall, NotNowError, condition_function
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
    return _result(await call.async_state(entity_id), STATE)


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
    return _result(state, attribute)


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
        is_free_text=is_free_text(attribute.capability, attribute.name, value),
    )


def _result(state: State | None, attribute: str) -> FunctionResult:
    """Return the value of an attribute in a state. Raises NotNowError if it is unknown."""
    if state is None:
        raise NotNowError
    # A button that was never pressed is "unknown", but has attributes.
    has_attribute = attribute != STATE and attribute in state.attributes
    if not is_known(state) and not (state.state == STATE_UNKNOWN and has_attribute):
        raise NotNowError
    now = current(state)
    value = value_of(now, attribute)
    runs_on = now.attributes.get(attribute) != state.attributes.get(attribute)
    options = options_of(state.domain, state.attributes)
    return FunctionResult(
        value=value,
        fresh_until=dt_util.utcnow() + _RUNNING if runs_on else None,
        is_free_text=is_free_text(state.domain, attribute, value, options),
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
    only = _area(listing, area)
    entries = [
        _entry(device, part)
        for device in listing.devices
        if only is None or device.area == only
        for part in (_parts(device, capability.casefold()) if capability else (None,))
    ]
    return FunctionResult(
        value=entries[:_MOST_LISTED], fresh_until=dt_util.utcnow() + _LIST_LIFETIME
    )


def _area(listing: Listing, text: str) -> str | None:
    """Return the name of the area that has the name or alias `text`; None if `text` is empty.

    Raises HomeError with the names of all areas if there is no such area.
    """
    if not text:
        return None
    for name, area in listing.areas.items():
        if key(text) in {key(name), *map(key, area.aliases)}:
            return name
    raise HomeError(f'There is no area "{text}". There are: {", ".join(listing.areas) or "none"}.')


def _parts(device: Device, wanted: str) -> Iterator[Component | None]:
    """Yield the components with the capability or kind `wanted`; None is the whole device.

    `wanted` may also be `capability.kind`.
    """
    for part in device.components:
        kinds = {f"{capability}.{part.kind}" for capability in part.capabilities}
        if wanted in {*part.capabilities, part.kind} or (part.kind and wanted in kinds):
            yield part if len(device.components) > 1 else None


def _entry(device: Device, part: Component | None) -> Value:
    parts = (part,) if part else device.components
    title = f"{device.name} {part.name}" if part and part.name != device.name else device.name
    return {
        "id": part.id if part else device.id,
        "name": title,
        "area": device.area or "",
        "capabilities": list(dict.fromkeys(name for part in parts for name in part.capabilities)),
    }
