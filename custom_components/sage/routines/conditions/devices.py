"""The function `list_devices`, which the Python code of a routine's condition may call."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ...home.home import Home
from ...home.home_types import Device
from ...home.listing import Found, Listing
from ...text.words import key
from ..interfaces import CallArguments, FunctionCallError
from ..sandbox.sandbox_types import ConditionFunction, FunctionResult, Parameter, Value
from .stored_references import reference_of

_LIFETIME: Final = timedelta(minutes=1)
_MOST: Final = 500
_NONE: Final = ""


class ListDevices:
    """Implements `list_devices` for the Python code of conditions: the devices of the home.

    Optional arguments select devices of one area, or with one capability.
    """

    function = ConditionFunction(
        name="list_devices",
        parameters=(
            Parameter(name="area", type="str", required=False, default=_NONE),
            Parameter(name="capability", type="str", required=False, default=_NONE),
        ),
        returns="list[dict]",
        description=(
            "The devices there are: a list of {'id': str, 'name': str, 'area': str, "
            "'capabilities': list[str]}. With capability, such as 'light' or 'binary_sensor.door': "
            "one entry for each part that has it. The id is for get_state and the others."
        ),
    )

    def __init__(self, hass: HomeAssistant, home: Home) -> None:
        """`home` lists the devices that a person may see."""
        self._hass = hass
        self._home = home

    async def async_answer(self, call: CallArguments) -> FunctionResult:
        """Return the devices of the home that the condition's owner may see.

        The result is valid for a minute.
        """
        listing = await self._home.of(call.person).async_listing()
        area = _area(listing, call.text("area"))
        wanted = call.text("capability").casefold()
        bound = call.owner.bindings
        found: list[Value] = []
        for device in listing.devices:
            if area is not None and device.area != area:
                continue
            for each in _parts(device, wanted):
                reference = reference_of(self._hass, listing, each) if bound else ""
                found.append(_entry(_handle(bound, each, reference), each))
        return FunctionResult(
            value=found[:_MOST],
            fresh_until=dt_util.utcnow() + _LIFETIME,
        )


def _area(listing: Listing, text: str) -> str | None:
    """Return the name of the area that has the name or alias `text`; None if `text` is empty.

    Raises FunctionCallError with the names of all areas if there is no such area.
    """
    if not text:
        return None
    wanted = key(text)
    for name, area in listing.areas.items():
        if wanted in {key(name), *map(key, area.aliases)}:
            return name
    raise FunctionCallError(
        f'There is no area "{text}". There are: {", ".join(listing.areas) or "none"}.'
    )


def _parts(device: Device, wanted: str) -> Iterator[Found]:
    """Yield the components of the device that match `wanted`.

    A component matches if `wanted` is one of its capabilities, its kind (device class), or
    `capability.kind`. If `wanted` is empty, or if the device has only one component and this one
    matches, yield the whole device.
    """
    if not wanted:
        yield Found(device=device)
        return
    having = [
        part
        for part in device.components
        if wanted in {*part.capabilities, part.kind}
        or (part.kind and wanted in {f"{each}.{part.kind}" for each in part.capabilities})
    ]
    alone = len(device.components) == 1
    for part in having:
        yield Found(device=device, component=None if alone else part)


def _handle(bound: Mapping[str, str], found: Found, reference: str) -> str:
    """Return a name by which condition code can read `found`, for example with `get_state`.

    Normally, this is the id of `found`. If the routine uses that id as the name of another device,
    the result is another name that the routine uses for `found`, or else `reference`.

    `bound`: name in the code -> stored reference, for all names that the routine uses.
    `reference`: the stored reference to `found`.
    """
    name = found.component.id if found.component else found.device.id
    if bound.get(name, reference) == reference:
        return name
    return next((each for each, known in bound.items() if known == reference), reference)


def _entry(name: str, found: Found) -> Value:
    device, part = found.device, found.component
    parts = (part,) if part else device.components
    title = f"{device.name} {part.name}" if part and part.name != device.name else device.name
    return {
        "id": name,
        "name": title,
        "area": device.area or "",
        "capabilities": list(dict.fromkeys(each for part in parts for each in part.capabilities)),
    }
