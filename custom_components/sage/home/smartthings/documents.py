"""The documentation of a capability of one component, as this very device has it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...people.person import Person
from ..home_types import Attribute, Command, Component, Device, Documentation, HomeError, Source
from ..safety.free_text import is_free_text
from ..shape import Shape
from . import remote_control
from .definitions import named_definition
from .narrowing import narrowed
from .parts import Attributes, Definitions, Exposure, Mirror
from .raw import CloudError, Definition, RawDevice
from .readings import async_freshen
from .shown_values import is_private, shown_value
from .texts import marked

_SETPOINT_LIMITS = "custom.thermostatSetpointControl"
_UNAVAILABLE = "samsungce.unavailableCapabilities"

_KNOWLEDGE: Mapping[str, str] = {
    "colorControl": "hue and saturation are percentages: red 0, green 33, blue 67",
}
"""What no definition tells and everybody gets wrong."""

REMOTE_CONTROL_OFF = (
    "remote control is off: its commands are refused until someone switches on "
    "Smart Control at the device itself"
)
NAMES_ONLY = "the definition is not known yet: names are right, arguments are a guess"


class RawDocumenter:
    """Writes documentation from definitions and the device's own values (`parts.Documents`)."""

    def __init__(self, mirror: Mirror, definitions: Definitions, exposure: Exposure) -> None:
        """Write about the devices of the mirror, for people the exposure decides about."""
        self._mirror = mirror
        self._definitions = definitions
        self._exposure = exposure

    def definition(self, capability: str) -> Definition:
        """Return what is known without asking the cloud; complete after `async_document`."""
        return self._definitions.known(capability)

    async def async_document(
        self,
        device: Device,
        component: Component,
        capability: str,
        *,
        person: Person | None = None,
    ) -> Documentation:
        """Return the documentation of one capability of a raw component.

        With a person, only what the person may read or command; the caller answers for
        the rest. Raises HomeError when the device or the capability is gone.
        """
        wanted = [(device, component, capability)]
        return (await self.async_document_all(wanted, person=person))[0]

    async def async_document_all(
        self,
        wanted: Iterable[tuple[Device, Component, str]],
        *,
        person: Person | None = None,
    ) -> tuple[Documentation, ...]:
        """Return the documentation of many at once: one wait for all that must be fetched."""
        wanted = list(wanted)
        by_entry: dict[str, dict[str, None]] = {}
        stale: dict[str, CloudError | None] = {}
        for _, component, capability in wanted:
            raw = self._raw_device(component, capability)
            by_entry.setdefault(raw.entry_id, {})[capability] = None
            if raw.id not in stale:
                stale[raw.id] = await async_freshen(self._mirror, raw.id)
        definitions: dict[str, Definition] = {}
        for entry_id, capabilities in by_entry.items():
            definitions |= await self._definitions.async_get(entry_id, capabilities)
        return tuple(
            self._document(device, component, definitions[capability], person, stale)
            for device, component, capability in wanted
        )

    def _raw_device(self, component: Component, capability: str) -> RawDevice:
        raw_id = component.raw_device_id
        raw = self._mirror.device(raw_id) if raw_id is not None else None
        if raw is None:
            raise HomeError(
                f"{component.id} is no longer a SmartThings component. Look the device up again."
            )
        usable = {each.id: each.capabilities for each in self._mirror.usable(raw.id)}
        if capability not in usable.get(component.id, ()):
            raise HomeError(
                f"Component {component.id} has no capability {capability}. "
                "Look up which capabilities the device has."
            )
        return raw

    def _document(
        self,
        device: Device,
        component: Component,
        definition: Definition,
        person: Person | None,
        stale: Mapping[str, CloudError | None],
    ) -> Documentation:
        raw_id = component.raw_device_id or ""
        values = self._mirror.attributes(raw_id, component.id, definition.id)
        beside = self._mirror.attributes(raw_id, component.id, _SETPOINT_LIMITS)
        result = narrowed(_with_reported(definition, values), values, beside)
        commands = self._commands(raw_id, component.id, definition.id, result.commands, person)
        return Documentation(
            device_id=device.id,
            device_name=device.name,
            component_id=component.id,
            capability=definition.id,
            summary=marked(definition),
            attributes=tuple(
                _attribute(name, shape, definition, values)
                for name, shape in result.attributes.items()
                if not is_private(definition.id, name)
                and (
                    person is None
                    or self._exposure.may_read(person, raw_id, component.id, definition.id, name)
                )
                and _is_worth_telling(name, shape, definition, values)
            ),
            commands=commands,
            available=self._mirror.is_online(raw_id),
            area=device.area,
            source=Source.SMARTTHINGS,
            notes=self._notes(raw_id, component.id, definition, commands, stale.get(raw_id)),
        )

    def _commands(
        self,
        raw_id: str,
        component_id: str,
        capability: str,
        commands: tuple[Command, ...],
        person: Person | None,
    ) -> tuple[Command, ...]:
        if person is not None and not self._exposure.may_command(
            person, raw_id, component_id, capability
        ):
            return ()
        told = self._mirror.attributes(raw_id, component_id, _UNAVAILABLE).get(
            "unavailableCommands"
        )
        missing = told.value if told and isinstance(told.value, list) else []
        return tuple(each for each in commands if f"{capability}.{each.name}" not in missing)

    def _notes(
        self,
        raw_id: str,
        component_id: str,
        definition: Definition,
        commands: tuple[Command, ...],
        error: CloudError | None,
    ) -> tuple[str, ...]:
        notes = []
        if error is not None:
            notes.append(f"values may be out of date: {error.message}")
        if not definition.is_complete:
            notes.append(NAMES_ONLY)
        if commands:
            off = remote_control.is_switched_off(self._mirror, raw_id, component_id)
            if off and remote_control.is_needed_for(definition.id):
                notes.append(REMOTE_CONTROL_OFF)
            if knowledge := _KNOWLEDGE.get(definition.id):
                notes.append(knowledge)
        return tuple(notes)


def _with_reported(definition: Definition, values: Attributes) -> Definition:
    """Return a definition of names with the attributes that the device reports."""
    if definition.is_complete:
        return definition
    named = named_definition(definition.id, values)
    return replace(definition, attributes=named.attributes, commands=named.commands)


def _is_worth_telling(name: str, shape: Shape, definition: Definition, values: Attributes) -> bool:
    """Tell whether an attribute says something: a value, or what a command would set."""
    told = values.get(name)
    if told is not None and told.value not in (None, [], {}):
        return True
    known = definition.attribute(name)
    return shape.type not in {"list", "object"} and known is not None and known.setter is not None


def _attribute(name: str, shape: Shape, definition: Definition, values: Attributes) -> Attribute:
    told = values.get(name)
    value = shown_value(told.value) if told else None
    known = definition.attribute(name)
    description = known.description if known else ""
    if shape.names:
        pairs = [f"{each}={said}" for each in shape.values if (said := shape.names.get(each))]
        description = ", ".join(pairs)
    return Attribute(
        name=name,
        type=shape.type,
        description=description,
        unit=shape.unit,
        minimum=shape.minimum,
        maximum=shape.maximum,
        values=shape.values,
        value=value,
        meaning=shape.names.get(str(value)),
        is_free_text=is_free_text(definition.id, name, value, shape.values),
    )
