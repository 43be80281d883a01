"""Access to SmartThings capabilities that no entity covers, while an entry is loaded."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr

from ...people import Person
from ...text import id_key
from ..commands.pipeline import CommandWaits, ValidatedCommand
from ..extension import MAIN, ChangeListener, Extension, MoreAttribute, Subject
from ..home_types import Command, Component, Device, Documentation, Reading
from ..safety.gate import Gate
from .coverage import Capabilities, Coverage, RawExposure
from .definitions import DefinitionStore
from .documents import RawReader
from .execution import CommandFinder, SmartThingsBackend, capabilities_named
from .mirror import Mirror
from .raw import SMARTTHINGS, AttributePlace, ReportListener

_PICK: Final = "name those that you need to get their documentation"


class SmartThings(Extension):
    """Access to the devices of all loaded `smartthings` config entries."""

    source, title = SMARTTHINGS, "SmartThings"

    def __init__(self, hass: HomeAssistant, gate: Gate, waits: CommandWaits) -> None:
        """Create all parts of the backend; call `setup` before use."""
        self._hass = hass
        self._gate = gate
        self.mirror = Mirror(hass)
        self.definitions = DefinitionStore(self.mirror.client)
        self.coverage = Coverage(hass, self.mirror)
        self.exposure = RawExposure(gate, self.mirror, self.coverage, self.definitions)
        self.reader = RawReader(self.mirror, self.definitions, self.exposure)
        self.finder = CommandFinder(self.definitions, self.reader)
        self.commands = SmartThingsBackend(
            hass, self.mirror, self.definitions, self.exposure, self.coverage, waits
        )

    @callback
    def setup(self) -> None:
        """Follow all `smartthings` config entries."""
        self.coverage.setup()
        self.mirror.async_setup()

    def close(self) -> None:
        """Stop following the `smartthings` entries."""
        self.coverage.close()
        self.mirror.close()

    # ------------------------------------------------------------- listing

    @property
    def version(self) -> object:
        """A value that changes whenever `components` may return a new result."""
        return self.coverage.version

    def components(
        self, device: dr.AnyDeviceEntry, visible: frozenset[str]
    ) -> tuple[Component, ...]:
        """Return the components of a device, for the device list of one person."""
        for domain, raw_id, *_ in device.identifiers:
            if domain == SMARTTHINGS and self.mirror.device(raw_id) is not None:
                return self._parts(raw_id, self.exposure.usable(raw_id, visible, only_more=True))
        return ()

    def _parts(self, raw_id: str, capabilities: Capabilities) -> tuple[Component, ...]:
        device = self.mirror.device(raw_id)
        return tuple(
            replace(
                part,
                capabilities=tuple(capabilities[part.id]),
                kind=part.kind if part.id == MAIN else None,
            )
            for part in (device.components if device else ())
            if part.id in capabilities
        )

    def _own(self, device: Device) -> list[Component]:
        return [part for part in device.more_components if part.source == SMARTTHINGS]

    def _allowed(self, person: Person, device: Device) -> tuple[Component, ...]:
        """Return the SmartThings components with the capabilities that the person may use."""
        own = self._own(device)
        if not own:
            return ()
        raw_id = own[0].source_id
        assert raw_id is not None
        visible = self._gate.visible(person)
        return self._parts(raw_id, self.exposure.usable(raw_id, visible))

    # ------------------------------------------------------------- documentation

    def named(
        self, person: Person, device: Device, capabilities: Collection[str]
    ) -> tuple[Subject, ...]:
        """Return the named capabilities; the namespace is optional, e.g. `samsungce.ovenMode`."""
        served = {each for part in device.components for each in part.capabilities}
        parts = self._allowed(person, device)
        found = {
            place
            for name in capabilities
            if name not in served
            for place in capabilities_named(parts, name)
        }
        return tuple(each for each in _subjects(device, parts) if each[1:] in found)

    def overview(self, device: Device) -> tuple[Documentation, ...]:
        """Return one documentation for each SmartThings component, with only its capability ids."""
        return tuple(
            Documentation(
                device_id=device.id,
                device_name=device.name,
                component_id=part.id,
                capability="",
                area=device.area,
                source=SMARTTHINGS,
                notes=(f"{_PICK}: {', '.join(part.capabilities)}",),
            )
            for part in self._own(device)
        )

    async def async_document(
        self, person: Person, subjects: Sequence[Subject]
    ) -> tuple[Documentation, ...]:
        """Return one documentation for each of `subjects`, in the same order."""
        return await self.reader.async_document(subjects, person=person)

    # ------------------------------------------------------------- reading

    async def async_read(
        self,
        person: Person,
        device: Device,
        capabilities: Collection[str] | None,
        attributes: Sequence[str] | None,
    ) -> tuple[Reading, ...]:
        """Return the values of the named capabilities and attributes.

        Of a capability: all attributes, except those that list the possible values, such as
        `supportedOvenModes`. A capability may also be named among the attributes.
        """
        named = self.named(person, device, [*(capabilities or ()), *(attributes or ())])
        parts = self._allowed(person, device) if attributes else ()
        others = [each for each in _subjects(device, parts) if each not in named]
        await self.reader.async_make_fresh([*named, *others])
        return (*self.reader.read(person, named), *self.reader.read(person, others, attributes))

    # ------------------------------------------------------------- commands

    def names_part(self, person: Person, device: Device, request: Command) -> bool:
        """Return whether a request names a SmartThings component or capability of the device."""
        if request.component_id is not None and any(
            id_key(request.component_id) == id_key(part.id)
            for part in self._allowed(person, device)
        ):
            return True
        capability = request.capability or request.name.strip().rpartition(".")[0]
        return bool(self.named(person, device, [capability]))

    async def async_prepare(
        self, person: Person, device: Device, request: Command
    ) -> ValidatedCommand:
        """Return the validated command that a request asks for."""
        return await self.finder.async_find(device, self._allowed(person, device), request)

    # ------------------------------------------------------------- condition code

    async def async_attributes(self, person: Person, device: Device) -> tuple[MoreAttribute, ...]:
        """Return the device's attributes that the person may read, also those of entities."""
        subjects = _subjects(device, self._allowed(person, device))
        await self.reader.async_make_fresh(subjects)
        return tuple(
            self.reader.attribute(place)
            for _, part, capability in subjects
            for place in self.reader.places(person, part, capability)
        )

    async def async_attribute(self, person: Person, key: str) -> MoreAttribute | None:
        """Return the attribute with this key; outdated values are fetched first."""
        place = AttributePlace.of(key)
        devices = dr.async_get(self._hass)
        if devices.async_get_device({(SMARTTHINGS, place.device_id)}) is None:
            return None
        is_there = self.mirror.device(place.device_id) is not None
        if is_there and not self.exposure.may_read(person, *place):
            return None
        await self.mirror.async_make_fresh([place.device_id])
        return self.reader.attribute(place)

    def is_current(self, device: Device) -> bool:
        """Return whether the values of the device are up to date."""
        return all(self.mirror.is_fresh(part.source_id or "") for part in self._own(device))

    def watch(self, keys: Collection[str], listener: ChangeListener) -> Callable[[], None]:
        """Call `listener` at each report of another value; return the unsubscribe function."""
        by_device: dict[str, dict[AttributePlace, object]] = {}
        for place in map(AttributePlace.of, keys):
            by_device.setdefault(place.device_id, {})[place] = self.reader.peek(place)

        def of_device(last: dict[AttributePlace, object]) -> ReportListener:
            @callback
            def reported(place: AttributePlace, value: object) -> None:
                if place in last and last[place] != value:
                    before, last[place] = last[place], value
                    listener(place.key, before, value)

            return reported

        stops = [self.mirror.listen(each, of_device(last)) for each, last in by_device.items()]

        @callback
        def stop() -> None:
            for end in stops:
                end()

        return stop


def _subjects(device: Device, parts: Iterable[Component]) -> list[Subject]:
    return [(device, part, capability) for part in parts for capability in part.capabilities]
