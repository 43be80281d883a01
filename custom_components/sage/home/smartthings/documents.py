"""Document and read SmartThings capabilities, with the permissions of a person.

The documentation comes from the definition of a capability and the values of the device. Example:
if the device lists its modes, only these are documented.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from ...people import Person
from ...text import id_key
from ..extension import MoreAttribute, Subject
from ..home_types import (
    Argument,
    Attribute,
    CommandDescription,
    Component,
    Device,
    Documentation,
    HomeError,
    Reading,
)
from ..prompt_text import is_free_text
from ..values import leaves, point_in_time, type_of
from .coverage import RawExposure
from .definitions import DefinitionStore, named_definition, readable_unit
from .mirror import Mirror
from .raw import SMARTTHINGS, AttributeDefinition, AttributePlace, Attributes, Definition
from .withheld import is_secret, lists_options, own_value, shown_options, shown_value

_NUMBERS: Final = frozenset({"integer", "number"})
_LONGEST_OPTION: Final = 40

OUT_OF_DATE: Final = "may be out of date"
REMOTE_CONTROL_OFF: Final = (
    "remote control is off: commands may be refused until someone switches on "
    "Smart Control at the device itself"
)
NAMES_ONLY: Final = "the definition is not known yet: names are right, arguments are not known"


class RawReader:
    """Creates the documentation of SmartThings capabilities, and reads their values."""

    def __init__(self, mirror: Mirror, definitions: DefinitionStore, exposure: RawExposure) -> None:
        self._mirror = mirror
        self._definitions = definitions
        self._exposure = exposure

    # ------------------------------------------------------------- documentation

    async def async_document(
        self, subjects: Sequence[Subject], *, person: Person | None = None
    ) -> tuple[Documentation, ...]:
        """Return the documentation of several capabilities, in the order of `subjects`.

        It contains only what `person` may use; without `person`, the caller must check permissions.
        Raises HomeError if a device does not have the component or capability.
        """
        await self.async_make_fresh(subjects)
        by_entry: dict[str, dict[str, None]] = {}
        for _, component, capability in subjects:
            raw = self._mirror.device(component.source_id)
            if raw is None or not self._mirror.has(raw.id, component.id, capability):
                raise HomeError(
                    f"Component {component.id} has no capability {capability} any more. "
                    "Look the device up again."
                )
            by_entry.setdefault(raw.entry_id, {})[capability] = None
        for entry_id, capabilities in by_entry.items():
            await self._definitions.async_fetch(entry_id, capabilities)
        return tuple(self._document(*subject, person) for subject in subjects)

    def _document(
        self,
        device: Device,
        component: Component,
        capability: str,
        person: Person | None,
        *,
        everything: bool = False,
    ) -> Documentation:
        """Return the documentation; with `everything`, also lists of options, and long values."""
        address = (component.source_id or "", component.id, capability)
        values = self._mirror.attributes(*address)
        definition = self._definitions.known(capability)
        if not definition.is_complete:
            definition = named_definition(capability, values)
        written = _Written(definition, values)
        may_command = person is None or self._exposure.may_command(person, *address)
        commands = written.commands() if may_command else ()
        return Documentation(
            device_id=device.id,
            device_name=device.name,
            component_id=component.id,
            capability=capability,
            attributes=tuple(
                each
                for each in written.attributes(everything=everything)
                if not is_secret(capability, each.name)
                and (person is None or self._exposure.may_read(person, *address, each.name))
            ),
            commands=commands,
            available=self._mirror.is_online(address[0]),
            area=device.area,
            source=SMARTTHINGS,
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

    # ------------------------------------------------------------- reading

    async def async_make_fresh(self, subjects: Iterable[Subject]) -> None:
        """Fetch the outdated values of the devices, if possible."""
        await self._mirror.async_make_fresh(
            dict.fromkeys(part.source_id for _, part, _ in subjects if part.source_id)
        )

    def read(
        self, person: Person, subjects: Iterable[Subject], attributes: Sequence[str] | None = None
    ) -> list[Reading]:
        """Return one reading for each capability with a value that the person may read.

        `attributes`: names in any spelling, e.g. `ovenMode` or `oven mode`. None reads all
        attributes except lists of supported options.
        """
        readings = (self._reading(person, subject, attributes) for subject in subjects)
        return [each for each in readings if each.attributes]

    def _reading(
        self, person: Person, subject: Subject, attributes: Sequence[str] | None
    ) -> Reading:
        everything = attributes is not None
        document = self._document(*subject, person, everything=everything)
        wanted = {id_key(each).rpartition(".")[2] for each in attributes or ()}
        chosen = [
            each
            for each in document.attributes
            if each.value is not None
            and (
                id_key(each.name) in wanted
                if everything
                else each.value not in ("", [], {}) and not lists_options(each.name)
            )
        ]
        is_fresh = self._mirror.is_fresh(subject[1].source_id or "")
        shown = (each if is_fresh else replace(each, meaning=OUT_OF_DATE) for each in chosen)
        return document.reading(shown, available=document.available)

    def places(
        self, person: Person, part: Component, capability: str
    ) -> tuple[AttributePlace, ...]:
        """Return all addresses of a capability that the person may read, also without value."""
        address = (part.source_id or "", part.id, capability)
        reported = self._mirror.attributes(*address)
        defined = (each.name for each in self._definitions.known(capability).attributes)
        return tuple(
            AttributePlace(*address, name)
            for name in dict.fromkeys((*reported, *defined))
            if self._exposure.may_read(person, *address, name)
        )

    def attribute(self, place: AttributePlace) -> MoreAttribute:
        """Return the current value of an attribute, without a permission check."""
        value = self.peek(place)
        return MoreAttribute(
            key=place.key,
            component=place.component,
            capability=place.capability,
            name=place.attribute,
            value=point_in_time(own_value(value)) or shown_value(value, everything=True),
            is_certain=self._mirror.is_online(place.device_id)
            and self._mirror.is_fresh(place.device_id),
        )

    def peek(self, place: AttributePlace) -> object:
        """Return the last value without a permission check: to compare, never to show."""
        current = self._mirror.attributes(*place[:3]).get(place.attribute)
        return current.value if current is not None else None


class _Written:
    """The documentation of one capability of one component, from its definition and values."""

    def __init__(self, definition: Definition, values: Attributes) -> None:
        self._definition = definition
        self._values = values
        self._offered = _offered(definition, values)
        self._options = listed_texts(values)

    def attributes(self, *, everything: bool = False) -> Iterable[Attribute]:
        """Yield attributes with a value or setter; lists of values only with `everything`."""
        used = {
            frozenset(each.shape.values)
            for each in self._definition.attributes
            if not each.lists_choices
        }
        for each in self._definition.attributes:
            choices = frozenset(each.shape.values)
            repeats = each.lists_choices and choices in used and choices in self._offered
            value = self._values[each.name].value if each.name in self._values else None
            has_value = value not in (None, [], {})
            if (repeats and not everything) or not (has_value or each.setter):
                continue
            is_list = isinstance(value, list) and lists_options(each.name)
            shape = Argument(type="list") if is_list else self._shape(each)
            if not has_value and shape.type in {"list", "object"}:
                continue
            shown = shown_options(value) if is_list else shown_value(value, everything=everything)
            options = {*each.shape.values, *self._options}
            yield Attribute(
                name=each.name,
                type=shape.type,
                unit=shape.unit,
                minimum=shape.minimum,
                maximum=shape.maximum,
                values=shape.values,
                value=shown,
                is_free_text=is_free_text(self._definition.id, each.name, shown, options),
            )

    def commands(self) -> tuple[CommandDescription, ...]:
        return tuple(
            replace(each, arguments=tuple(self._arguments(each)))
            for each in self._definition.commands
        )

    def _arguments(self, command: CommandDescription) -> Iterable[Argument]:
        """Yield the arguments; a first one that sets a number attribute gets its unit."""
        setting = [each for each in self._definition.attributes if each.setter == command.name]
        unit = self._shape(setting[0]).unit if setting else None
        for each in command.arguments:
            has_unit = each.type in _NUMBERS and each is command.arguments[0]
            yield replace(
                each, values=self._listed(each), unit=each.unit or (unit if has_unit else None)
            )

    def _shape(self, attribute: AttributeDefinition) -> Argument:
        """Return type and limits of an attribute from the schema, and the unit from the device."""
        current = self._values.get(attribute.name)
        value = own_value(current.value) if current is not None else None
        shape = attribute.shape
        if not shape.type:
            shape = Argument(type="object" if value is None else type_of(value))
        unit = (current.unit if current is not None else "") or shape.unit
        return replace(
            shape,
            unit=readable_unit(unit) if shape.type in _NUMBERS else None,
            values=self._listed(shape, value),
        )

    def _listed(self, shape: Argument, value: object = None) -> tuple[str, ...]:
        """Return the supported values of an enumeration, and the current `value`."""
        listed = self._offered.get(frozenset(shape.values))
        if not listed or shape.type == "list":
            return shape.values
        also = () if value in (None, "") or str(value) in listed else (str(value),)
        return (*listed, *also)


def _offered(definition: Definition, values: Attributes) -> dict[frozenset[str], tuple[str, ...]]:
    """Return enumeration of the definition -> the values that the device supports.

    The device reports the supported values in list attributes, such as `supportedCourses`, whose
    items have the same enumeration by the definition.
    """
    offered = {}
    for each in definition.attributes:
        value = values[each.name].value if each.lists_choices and each.name in values else None
        listed = [str(item) for item in value] if isinstance(value, list) else []
        choices = frozenset(each.shape.values)
        if options := tuple(dict.fromkeys(item for item in listed if item in choices)):
            offered[choices] = options
    return offered


def listed_texts(values: Attributes) -> frozenset[str]:
    """Return the options that a device lists, e.g. `1C` in `supportedCourses`.

    Also contains current values that end with an option, e.g. `Table_00_Course_1C`. Pass these
    texts to `is_free_text` as options: unlike a media title, they do not count as untrusted.
    """
    listed = {
        text
        for name, current in values.items()
        if lists_options(name)
        for _, text in leaves(current.value)
        # A longer text may be a sentence written by somebody.
        if isinstance(text, str) and len(text) <= _LONGEST_OPTION
    }
    ends = tuple(f"_{each}" for each in listed)
    own = {each.value for each in values.values() if isinstance(each.value, str)}
    return frozenset(listed | {each for each in own if each.endswith(ends)})
