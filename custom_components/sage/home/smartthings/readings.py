"""The values of raw devices, as far as a person may read them."""

from collections.abc import Iterable, Sequence
from typing import Final

from ...people.person import Person
from ...text.words import id_key
from ..home_types import Component, Device, Reading
from ..safety.free_text import is_free_text
from ..shape import Shape
from .limits import readable_unit
from .narrowing import narrowed
from .parts import Definitions, Exposure, Mirror
from .possibilities import is_possibility
from .raw import CloudError
from .shown_values import is_private, shown_value

_NOTHING: Final[tuple[object, ...]] = (None, "", [], {})

OUT_OF_DATE: Final = "may be out of date"


async def async_freshen(mirror: Mirror, raw_device_id: str) -> CloudError | None:
    """Fetch the values of a device anew where events may have been missed; an error is returned."""
    if mirror.is_fresh(raw_device_id):
        return None
    try:
        await mirror.async_refresh(raw_device_id)
    except CloudError as error:
        return error
    return None


class RawReader:
    """Reads attributes from the mirror, through the gate."""

    def __init__(self, mirror: Mirror, definitions: Definitions, exposure: Exposure) -> None:
        """Read what the mirror has; definitions tell what values are called."""
        self._mirror = mirror
        self._definitions = definitions
        self._exposure = exposure

    async def async_read(
        self,
        person: Person,
        device: Device,
        component: Component,
        capabilities: Iterable[str],
        attributes: Sequence[str] | None = None,
    ) -> tuple[Reading, ...]:
        """Return the readings, after making sure that no report was missed; see `read`."""
        if component.raw_device_id is not None:
            await async_freshen(self._mirror, component.raw_device_id)
        return self.read(person, device, component, capabilities, attributes)

    def read(
        self,
        person: Person,
        device: Device,
        component: Component,
        capabilities: Iterable[str],
        attributes: Sequence[str] | None = None,
    ) -> tuple[Reading, ...]:
        """Return one reading for each capability that has a value the person may read.

        Without `attributes` those are told that say how things are; with them those that
        are named, in any spelling. What may not be read is left out as if it were not there.
        """
        found = (
            self._reading(person, device, component, capability, attributes)
            for capability in dict.fromkeys(capabilities)
        )
        return tuple(each for each in found if each is not None)

    def readable(self, person: Person, component: Component, capability: str) -> tuple[str, ...]:
        """Return the attributes with a value that the person may read."""
        raw_id = component.raw_device_id
        if raw_id is None:
            return ()
        return tuple(
            name
            for name, told in self._mirror.attributes(raw_id, component.id, capability).items()
            if told.value is not None
            and not is_private(capability, name)
            and self._exposure.may_read(person, raw_id, component.id, capability, name)
        )

    def _reading(
        self,
        person: Person,
        device: Device,
        component: Component,
        capability: str,
        attributes: Sequence[str] | None,
    ) -> Reading | None:
        raw_id = component.raw_device_id
        names = self.readable(person, component, capability)
        if attributes is None:
            names = tuple(name for name in names if not is_possibility(name))
        else:
            wanted = {id_key(each).rpartition(".")[2] for each in attributes}
            names = tuple(name for name in names if id_key(name) in wanted)
        if raw_id is None or not names:
            return None
        told = self._mirror.attributes(raw_id, component.id, capability)
        values = {
            name: value
            for name in names
            if (value := shown_value(told[name].value, everything=attributes is not None))
            not in (_NOTHING if attributes is None else (None,))
        }
        if not values:
            return None
        shapes = narrowed(self._definitions.known(capability), told).attributes
        doubt = "" if self._mirror.is_fresh(raw_id) else OUT_OF_DATE
        return Reading(
            device_id=device.id,
            device_name=device.name,
            component_id=component.id,
            values=values,
            available=self._mirror.is_online(raw_id),
            area=device.area,
            units={name: unit for name in values if (unit := readable_unit(told[name].unit))},
            meanings={
                name: meaning
                for name, value in values.items()
                if (meaning := _meaning(shapes.get(name), value, doubt))
            },
            capability=capability,
            free_text=frozenset(
                name
                for name, value in values.items()
                if is_free_text(capability, name, value, _options(shapes.get(name)))
            ),
        )


def _options(shape: Shape | None) -> tuple[str, ...]:
    return shape.values if shape is not None else ()


def _meaning(shape: Shape | None, value: object, doubt: str) -> str:
    """Return what a value is called, and whether it may be relied upon."""
    called = shape.names.get(str(value), "") if shape is not None else ""
    return "; ".join(filter(None, (called, doubt)))
