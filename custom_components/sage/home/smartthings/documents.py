"""Document a SmartThings capability from its definition and the values of the device.

Example: if the device lists its modes, only these are documented.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ...people.person import Person
from ..home_types import (
    Argument,
    Attribute,
    Command,
    Component,
    Device,
    Documentation,
    HomeError,
    Source,
)
from ..safety.free_text import is_free_text
from ..shape import Shape
from .definitions import DefinitionStore, named_definition
from .exposure import RawExposure
from .mirror import Mirror
from .raw import Attributes, CommandDefinition, Definition, RawDevice
from .readings import OUT_OF_DATE, listed_texts
from .schemas import readable_unit, shape_of
from .withheld import is_secret, lists_options, own_value, shown_options, shown_value

type Subject = tuple[Device, Component, str]
"""A device, one of its SmartThings components, and the id of a capability of this component."""

_NUMBERS = frozenset({"integer", "number"})

_KNOWLEDGE: Mapping[str, str] = {
    "colorControl": "hue and saturation are percentages: red 0, green 33, blue 67",
}
"""Capability -> fact that its definition lacks and that models often get wrong."""

REMOTE_CONTROL_OFF = (
    "remote control is off: commands may be refused until someone switches on "
    "Smart Control at the device itself"
)
NAMES_ONLY = "the definition is not known yet: names are right, arguments are not known"


class RawDocumenter:
    """Creates the documentation of SmartThings capabilities."""

    def __init__(self, mirror: Mirror, definitions: DefinitionStore, exposure: RawExposure) -> None:
        self._mirror = mirror
        self._definitions = definitions
        self._exposure = exposure

    async def async_document(
        self, subjects: Sequence[Subject], *, person: Person | None = None
    ) -> tuple[Documentation, ...]:
        """Return the documentation of several capabilities, in the order of `subjects`.

        It contains only what `person` may use; without `person`, the caller must check permissions.
        Raises HomeError if a device does not have the component or capability.
        """
        by_entry: dict[str, dict[str, None]] = {}
        for _, component, capability in subjects:
            raw = self._raw_device(component, capability)
            by_entry.setdefault(raw.entry_id, {})[capability] = None
        definitions: dict[str, Definition] = {}
        for entry_id, capabilities in by_entry.items():
            definitions |= await self._definitions.async_get(entry_id, capabilities)
        return tuple(
            self._document(device, component, definitions[capability], person)
            for device, component, capability in subjects
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
        self, device: Device, component: Component, definition: Definition, person: Person | None
    ) -> Documentation:
        address = (component.raw_device_id or "", component.id, definition.id)
        values = self._mirror.attributes(*address)
        if not definition.is_complete:
            names = named_definition(definition.id, values)
            definition = replace(definition, attributes=names.attributes, commands=names.commands)
        written = _Written(definition, values)
        may_command = person is None or self._exposure.may_command(person, *address)
        commands = written.commands() if may_command else ()
        return Documentation(
            device_id=device.id,
            device_name=device.name,
            component_id=component.id,
            capability=definition.id,
            attributes=tuple(
                each
                for each in written.attributes()
                if not is_secret(definition.id, each.name)
                and (person is None or self._exposure.may_read(person, *address, each.name))
            ),
            commands=commands,
            available=self._mirror.is_online(address[0]),
            area=device.area,
            source=Source.SMARTTHINGS,
            notes=tuple(self._notes(address, definition, has_commands=bool(commands))),
        )

    def _notes(
        self, address: tuple[str, str, str], definition: Definition, *, has_commands: bool
    ) -> Iterable[str]:
        if not self._mirror.is_fresh(address[0]):
            yield f"values {OUT_OF_DATE}"
        if not definition.is_complete:
            yield NAMES_ONLY
        if has_commands and self._mirror.is_remote_control_off(*address[:2]):
            yield REMOTE_CONTROL_OFF
        if has_commands and (knowledge := _KNOWLEDGE.get(definition.id)):
            yield knowledge


class _Written:
    """The documentation of one capability of one component, from its definition and values."""

    def __init__(self, definition: Definition, values: Attributes) -> None:
        self._definition = definition
        self._values = values
        self._offered = _offered(definition, values)
        self._options = listed_texts(values)

    def attributes(self) -> Iterable[Attribute]:
        """Yield the documentation of the attributes that have a value or a setter."""
        shown_elsewhere = self._shown_elsewhere()
        for each in self._definition.attributes:
            current = self._values.get(each.name)
            has_value = current is not None and current.value not in (None, [], {})
            if each.name in shown_elsewhere or not (has_value or each.setter):
                continue
            value = current.value if current is not None else None
            is_list = isinstance(value, list) and lists_options(each.name)
            shape = Shape(type="list") if is_list else self._shape(each.name)
            if not has_value and shape.type in {"list", "object"}:
                continue
            shown = shown_options(value) if is_list else shown_value(value)
            yield Attribute(
                name=each.name,
                type=shape.type,
                unit=shape.unit,
                minimum=shape.minimum,
                maximum=shape.maximum,
                values=shape.values,
                value=shown,
                is_free_text=is_free_text(
                    self._definition.id, each.name, shown, {*shape.values, *self._options}
                ),
            )

    def commands(self) -> tuple[Command, ...]:
        """Return the documentation of all commands."""
        return tuple(
            Command(
                name=each.name,
                arguments=tuple(self._arguments(each)),
            )
            for each in self._definition.commands
        )

    def _arguments(self, command: CommandDefinition) -> Iterable[Argument]:
        for place, each in enumerate(command.arguments):
            shape = self._listed(shape_of(each.schema))
            if not place:
                shape = self._as_set(command, shape)
            yield shape.argument(each.name, shape.note, required=not each.optional)

    def _as_set(self, command: CommandDefinition, shape: Shape) -> Shape:
        """Return the shape of a command's first argument.

        If the command sets a number attribute, the argument gets the unit of this attribute.
        """
        for each in self._definition.attributes:
            if each.setter == command.name:
                own = self._shape(each.name)
                if shape.type in _NUMBERS and own.type in _NUMBERS:
                    return replace(shape, unit=shape.unit or own.unit)
        return shape

    def _shape(self, name: str) -> Shape:
        """Return type and limits of an attribute from the schema, and the unit from the device."""
        attribute = self._definition.attribute(name)
        current = self._values.get(name)
        assert attribute is not None
        value = own_value(current.value) if current is not None else None
        shape = self._listed(shape_of(attribute.schema, value), value)
        if shape.type not in _NUMBERS:
            return shape
        unit = current.unit if current is not None else ""
        if not unit and len(attribute.units) == 1:
            unit = attribute.units[0]
        return replace(shape, unit=readable_unit(unit))

    def _listed(self, shape: Shape, value: object = None) -> Shape:
        """Return the shape with only the supported values of an enumeration.

        The current `value` is added if the device does not list it.
        """
        listed = self._offered.get(frozenset(shape.values))
        if not listed or shape.type == "list":
            return shape
        also = () if value in (None, "") or str(value) in listed else (str(value),)
        return replace(shape, values=(*listed, *also))

    def _shown_elsewhere(self) -> frozenset[str]:
        """Return the attributes whose lists only repeat the possible values of other attributes."""
        lists = _lists_of_choices(self._definition)
        used = {
            frozenset(shape_of(each.schema).values)
            for each in self._definition.attributes
            if each.name not in lists
        }
        return frozenset(
            name for name, choices in lists.items() if choices in used and choices in self._offered
        )


def _offered(definition: Definition, values: Attributes) -> dict[frozenset[str], tuple[str, ...]]:
    """Return enumeration of the definition -> the values that the device supports.

    The device reports the supported values in list attributes, such as `supportedCourses`, whose
    items have the same enumeration by the definition.
    """
    offered = {}
    for name, choices in _lists_of_choices(definition).items():
        value = values[name].value if name in values else None
        listed = [str(each) for each in value] if isinstance(value, list) else []
        if options := tuple(dict.fromkeys(each for each in listed if each in choices)):
            offered[choices] = options
    return offered


def _lists_of_choices(definition: Definition) -> dict[str, frozenset[str]]:
    """Return the name of an attribute with a list of options -> the enumeration of its items."""
    shapes = {each.name: shape_of(each.schema) for each in definition.attributes}
    return {
        name: frozenset(shape.values)
        for name, shape in shapes.items()
        if shape.type == "list" and shape.values and lists_options(name)
    }
