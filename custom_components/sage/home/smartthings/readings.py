"""Read the values of SmartThings devices that a person may see."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ...people.person import Person
from ...text.words import id_key
from ..home_types import Component, Device, Reading
from ..safety.free_text import is_free_text
from ..values import point_in_time
from .definitions import DefinitionStore
from .exposure import RawExposure
from .mirror import Mirror
from .raw import Attributes, EventListener
from .schemas import readable_unit, shape_of
from .withheld import lists_options, own_value, shown_value

_NOTHING: Final[tuple[object, ...]] = (None, "", [], {})

_LONGEST_OPTION: Final = 40

OUT_OF_DATE: Final = "may be out of date"


def listed_texts(values: Attributes) -> frozenset[str]:
    """Return the options that a device lists, e.g. `1C` in `supportedCourses`.

    Also contains current values that end with an option, e.g. `Table_00_Course_1C`. Pass these
    texts to `is_free_text` as options: unlike a media title, they do not count as untrusted.
    """
    listed = {
        text
        for name, current in values.items()
        if lists_options(name)
        for text in _texts(current.value)
    }
    ends = tuple(f"_{each}" for each in listed)
    own = {each.value for each in values.values() if isinstance(each.value, str)}
    return frozenset(listed | {each for each in own if each.endswith(ends)})


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        # A longer text may be a sentence written by somebody.
        if len(value) <= _LONGEST_OPTION:
            yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))


class AttributePlace(NamedTuple):
    """The address of a SmartThings attribute: device, component, capability, name."""

    device_id: str
    """SmartThings device id."""

    component: str
    capability: str
    attribute: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleValue:
    """The current value of one SmartThings attribute."""

    value: object
    """The value in JSON types or as an aware datetime; None if it is unknown or hidden."""

    is_certain: bool
    """Whether the device is online and its values are up to date."""


class RawReader:
    """Reads the last reported values of SmartThings attributes, and checks permissions."""

    def __init__(self, mirror: Mirror, definitions: DefinitionStore, exposure: RawExposure) -> None:
        self._mirror = mirror
        self._definitions = definitions
        self._exposure = exposure

    def read(
        self,
        person: Person,
        device: Device,
        component: Component,
        capabilities: Iterable[str],
        attributes: Sequence[str] | None = None,
    ) -> tuple[Reading, ...]:
        """Return one reading for each capability with a value that the person may read.

        `attributes`: names in any spelling, e.g. `ovenMode` or `oven mode`. None reads all
        attributes except lists of supported options.
        """
        found = (
            self._reading(person, device, component, capability, attributes)
            for capability in dict.fromkeys(capabilities)
        )
        return tuple(each for each in found if each is not None)

    def readable(self, person: Person, component: Component, capability: str) -> tuple[str, ...]:
        """Return the attributes of a capability that have a value and that the person may read."""
        return tuple(
            each.attribute
            for each in self.places(person, component, capability)
            if self.peek(each) is not None
        )

    def _reading(
        self,
        person: Person,
        device: Device,
        component: Component,
        capability: str,
        attributes: Sequence[str] | None,
    ) -> Reading | None:
        raw_id = component.raw_device_id or ""
        names = self.readable(person, component, capability)
        if attributes is None:
            names = tuple(name for name in names if not lists_options(name))
        else:
            wanted = {id_key(each).rpartition(".")[2] for each in attributes}
            names = tuple(name for name in names if id_key(name) in wanted)
        current = self._mirror.attributes(raw_id, component.id, capability)
        values = {
            name: value
            for name in names
            if (value := shown_value(current[name].value, everything=attributes is not None))
            not in (_NOTHING if attributes is None else (None,))
        }
        if not values:
            return None
        options, listed = self._options(capability), listed_texts(current)
        is_fresh = self._mirror.is_fresh(raw_id)
        return Reading(
            device_id=device.id,
            device_name=device.name,
            component_id=component.id,
            values=values,
            available=self._mirror.is_online(raw_id),
            area=device.area,
            units={name: unit for name in values if (unit := readable_unit(current[name].unit))},
            meanings={} if is_fresh else dict.fromkeys(values, OUT_OF_DATE),
            capability=capability,
            free_text=frozenset(
                name
                for name, value in values.items()
                if is_free_text(capability, name, value, {*options.get(name, ()), *listed})
            ),
        )

    def _options(self, capability: str) -> dict[str, tuple[str, ...]]:
        """Return attribute name -> the values that the definition allows."""
        attributes = self._definitions.known(capability).attributes
        return {each.name: shape_of(each.schema).values for each in attributes}

    def places(
        self, person: Person, part: Component, capability: str
    ) -> tuple[AttributePlace, ...]:
        """Return the addresses of all attributes of a capability that the person may read.

        They include attributes that have no value yet.
        """
        if (device_id := part.raw_device_id) is None:
            return ()
        reported = self._mirror.attributes(device_id, part.id, capability)
        defined = (each.name for each in self._definitions.known(capability).attributes)
        return tuple(
            AttributePlace(device_id, part.id, capability, name)
            for name in dict.fromkeys((*reported, *defined))
            if self._exposure.may_read(person, device_id, part.id, capability, name)
        )

    def is_certain(self, device: Device) -> bool:
        """Return whether the values of all SmartThings components of the device are up to date."""
        return all(
            self._mirror.is_fresh(part.raw_device_id)
            for part in device.raw_components
            if part.raw_device_id is not None
        )

    async def async_read(self, person: Person, place: AttributePlace) -> SingleValue | None:
        """Return the current value of an attribute; None if the person may not read it.

        Fetches an outdated value first. For an unknown device, the result has `value=None`.
        """
        device_id, component, capability, attribute = place
        if self._mirror.device(device_id) is None:
            return SingleValue(value=None, is_certain=False)
        if not self._exposure.may_read(person, *place):
            return None
        await self._mirror.async_make_fresh([device_id])
        current = self._mirror.attributes(device_id, component, capability).get(attribute)
        value = current.value if current is not None else None
        return SingleValue(
            value=point_in_time(own_value(value)) or shown_value(value, everything=True),
            is_certain=self._mirror.is_online(device_id) and self._mirror.is_fresh(device_id),
        )

    def peek(self, place: AttributePlace) -> object:
        """Return the last reported value without a permission check.

        Use it only for comparison; never show it.
        """
        current = self._mirror.attributes(*place[:3]).get(place.attribute)
        return current.value if current is not None else None

    def listen(self, device_id: str, listener: EventListener) -> Callable[[], None]:
        """Call the listener for each report of the device; return a function that removes it."""
        return self._mirror.listen(device_id, listener)
