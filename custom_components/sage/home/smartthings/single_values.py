"""One attribute at a time, read again and again: for what watches a device (DESIGN 8)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ...people.person import Person
from ..home_types import Component, Device
from ..values import point_in_time
from .narrowing import own_value
from .parts import Definitions, EventListener, Exposure, Mirror
from .readings import async_freshen
from .shown_values import is_private, shown_value


class AttributePlace(NamedTuple):
    """Where an attribute is."""

    device_id: str
    """Id of the device in the cloud."""

    component: str
    capability: str
    attribute: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleValue:
    """The value of an attribute at this moment."""

    value: object
    """Plain; points in time are aware datetimes. None when there is none that may be shown."""

    is_certain: bool
    """The device is reached, and no report of it was missed."""


class SingleValues:
    """Reads from the mirror, through the gate."""

    def __init__(self, mirror: Mirror, definitions: Definitions, exposure: Exposure) -> None:
        """Read what the mirror has; definitions tell what it may have at other times."""
        self._mirror = mirror
        self._definitions = definitions
        self._exposure = exposure

    def places(
        self, person: Person, part: Component, capability: str
    ) -> tuple[AttributePlace, ...]:
        """Return the attributes of a capability that the person may read, with a value or not."""
        if (device_id := part.raw_device_id) is None:
            return ()
        reported = self._mirror.attributes(device_id, part.id, capability)
        defined = (each.name for each in self._definitions.known(capability).attributes)
        return tuple(
            AttributePlace(device_id, part.id, capability, name)
            for name in dict.fromkeys((*reported, *defined))
            if not is_private(capability, name)
            and self._exposure.may_read(person, device_id, part.id, capability, name)
        )

    def is_certain(self, device: Device) -> bool:
        """Tell whether all that the cloud has of a device is known."""
        return all(
            self._mirror.is_fresh(part.raw_device_id)
            for part in device.raw_components
            if part.raw_device_id is not None
        )

    async def async_read(self, person: Person, place: AttributePlace) -> SingleValue | None:
        """Return the value, after making sure that no report was missed.

        None when this person may not read it, or when the device has it no more. While
        the entry of the device is not loaded, nothing is certain.
        """
        device_id, component, capability, attribute = place
        if self._mirror.device(device_id) is None:
            return SingleValue(value=None, is_certain=False)
        if is_private(capability, attribute) or not self._exposure.may_read(person, *place):
            return None
        await async_freshen(self._mirror, device_id)
        told = self._mirror.attributes(device_id, component, capability).get(attribute)
        value = told.value if told is not None else None
        return SingleValue(
            value=point_in_time(own_value(value)) or shown_value(value, everything=True),
            is_certain=self._mirror.is_online(device_id) and self._mirror.is_fresh(device_id),
        )

    def peek(self, place: AttributePlace) -> object:
        """Return what was reported last, for comparing; nothing that is shown to anybody."""
        told = self._mirror.attributes(*place[:3]).get(place.attribute)
        return told.value if told is not None else None

    def listen(self, device_id: str, listener: EventListener) -> Callable[[], None]:
        """Call the listener at each report of the device; returns what ends that."""
        return self._mirror.listen(device_id, listener)
