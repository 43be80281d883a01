"""What one device allows of what the definition of a capability allows.

Schema and the device's own values together: the courses that this dishwasher has,
the range of this freezer. Nothing here knows a capability or a device.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from ..home_types import Argument, Command
from ..shape import Shape
from .limits import (
    NUMBERS,
    as_reported,
    fitting,
    holds,
    kind_of,
    preferred,
    readable_unit,
    taken_over,
    within,
)
from .parts import Attributes
from .possibilities import (
    Offer,
    Span,
    is_possibility,
    listed_attributes,
    offers_of,
    overlap,
    spans_of,
    stems_of,
    unsupported_attributes,
    unsupported_commands,
)
from .raw import ArgumentDefinition, AttributeDefinition, CommandDefinition, Definition, RawValue
from .schemas import shape_of, structure

_VERBS: Final = ("set", "start", "select", "change", "choose", "update")


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """A capability as one component of one device has it."""

    attributes: Mapping[str, Shape]
    """Those that the device may report, without those told by the shapes of others."""

    commands: tuple[Command, ...]


def narrowed(
    definition: Definition, values: Attributes, beside: Attributes | None = None
) -> Narrowed:
    """Return what a device allows.

    `beside` has values of other capabilities of the component that limit this one.
    """
    return _Narrowing(definition, values, beside or {}).result()


def own_value(value: object) -> object:
    """Return the value itself, where the device tells with it what it can be set to."""
    if isinstance(value, Mapping) and "value" in value and "settable" in value:
        return value["value"]
    return value


class _Narrowing:
    """One capability of one component; used once."""

    def __init__(self, definition: Definition, values: Attributes, beside: Attributes) -> None:
        self._definition = definition
        self._values = values
        self._offers = offers_of(definition, values)
        self._spans = (*spans_of(values), *spans_of(beside))
        self._told: set[str] = set()
        """Attributes whose content is in the shape of another."""

        self._linked: set[str] = set()
        """Attributes that have a shape of their device's own."""

        listing = {offer.attribute for offer in self._offers}
        listing |= {name for span in self._spans for name in span.attributes}
        self._settable: dict[str, Span] = {}
        """Attribute -> what it can be set to, where it may be something else, too."""

        self._things = {
            each.name: each for each in definition.attributes if each.name not in listing
        }
        self._shapes = {name: self._shape(each) for name, each in self._things.items()}

    def result(self) -> Narrowed:
        """Return the attributes and commands that remain."""
        listing = listed_attributes(self._definition, self._offers)
        unsupported = unsupported_attributes(self._definition, self._values, listing)
        if listing is not None:
            self._told.add(listing.attribute)
        self._told.update(each.attribute for each in self._offers if each.is_of_commands)
        refused = unsupported_commands(self._definition, self._offers)
        commands = tuple(
            self._command(each, unsupported)
            for each in self._definition.commands
            if each.name not in refused
            and not (each.arguments and self._exact(each, each.arguments[0]) in unsupported)
            and not self._is_without_choice(each)
        )
        shapes = dict(self._shapes)
        for attribute in self._definition.attributes:
            # A list that belongs to nothing is told itself, when the device has it.
            if attribute.name not in shapes and attribute.name not in self._told:
                shapes[attribute.name] = self._plain_shape(attribute)
        names = [each.name for each in self._definition.attributes]
        return Narrowed(
            attributes={
                name: shapes[name] for name in names if name in shapes and name not in unsupported
            },
            commands=commands,
        )

    # ---------------------------------------------------------- attributes

    def _shape(self, attribute: AttributeDefinition) -> Shape:
        told = self._values.get(attribute.name)
        settable = _settable(attribute, told)
        if settable is not None:
            self._linked.add(attribute.name)
            return settable
        shape = self._plain_shape(attribute)
        if shape.type in NUMBERS:
            shape = self._in_span(attribute.name, shape)
        if shape.type in NUMBERS | {"string", "object"} and not isinstance(
            told.value if told else None, Mapping
        ):
            shape = self._offered(attribute.name, shape)
        return shape

    def _plain_shape(self, attribute: AttributeDefinition) -> Shape:
        """Return what the schema says, in the unit that the device reports."""
        told = self._values.get(attribute.name)
        unit = told.unit if told and told.unit else None
        if unit is None and len(attribute.units) == 1:
            unit = attribute.units[0]
        shape = shape_of(attribute.schema, self._value(attribute.name))
        return replace(shape, unit=readable_unit(unit)) if shape.type in NUMBERS else shape

    def _in_span(self, name: str, shape: Shape) -> Shape:
        target, value = stems_of(name), self._value(name)
        for span in self._spans:
            if not overlap(target, span.stems) or not span.stems <= set(target):
                continue
            if shape.unit and span.unit and readable_unit(span.unit) != shape.unit:
                continue
            is_within = holds(span, value)
            if not is_within and span.stems != set(target):
                continue
            self._told.update(span.attributes)
            if not is_within:
                # An oven that is off reports 0: that can be, but not be set.
                self._settable[name] = span
                return shape
            self._linked.add(name)
            return within(shape, span, shape.unit or readable_unit(span.unit))
        return shape

    def _offered(self, name: str, shape: Shape) -> Shape:
        """Return the shape with the values of the list that belongs to the attribute."""
        value = self._value(name)
        offer, is_exact = self._offer_of(name)
        if offer is None:
            return shape
        found = fitting(shape, as_reported(offer, value))
        if not found:
            return shape
        if value not in (None, "") and str(value) not in found:
            if not is_exact:
                return shape
            found[str(value)] = None
        self._told.update(each.attribute for each in self._offers if each.stems == offer.stems)
        self._linked.add(name)
        kind = shape.type if shape.type != "object" else kind_of(offer)
        return replace(shape, type=kind, values=tuple(found), names=offer.names, note="")

    def _offer_of(self, name: str) -> tuple[Offer | None, bool]:
        """Return the list that is about an attribute, and whether all of its words are."""
        target = stems_of(name)
        mine = {
            offer.attribute: score
            for offer in self._offers
            if (score := overlap(target, offer.stems)) > 0
            and score >= max(overlap(stems_of(each), offer.stems) for each in self._things)
        }
        best = [
            offer
            for offer in self._offers
            if mine.get(offer.attribute) == max(mine.values(), default=0)
        ]
        if best:
            chosen = preferred(best, self._value(name))
            return chosen, chosen.stems <= set(target)
        if len(self._offers) == 1 and self._is_only_one(name):
            return self._offers[0], False
        return None, False

    def _is_only_one(self, name: str) -> bool:
        """Tell whether the list can be about nothing else; its value must prove it."""
        plain = [each for each in self._things if not is_possibility(each)]
        value = self._value(name)
        return plain == [name] and value is not None and value in self._offers[0].values

    def _value(self, name: str) -> object:
        told = self._values.get(name)
        return own_value(told.value) if told else None

    # ------------------------------------------------------------ commands

    def _command(self, command: CommandDefinition, unsupported: frozenset[str]) -> Command:
        return Command(
            name=command.name,
            description=command.description,
            arguments=tuple(
                self._argument(command, each, unsupported) for each in command.arguments
            ),
        )

    def _argument(
        self, command: CommandDefinition, argument: ArgumentDefinition, unsupported: frozenset[str]
    ) -> Argument:
        exact = self._exact(command, argument)
        shape = shape_of(argument.schema, self._value(exact) if exact else None)
        if not argument.schema and exact:
            shape = self._shapes[exact]
        elif exact:
            shape = taken_over(shape, self._shapes[exact], is_narrowed=exact in self._linked)
            if (span := self._settable.get(exact)) and shape.type in NUMBERS:
                shape = within(shape, span, shape.unit)
        elif shape.type == "object" and "properties" in argument.schema:
            known = {name: self._shapes.get(name) for name in self._linked}
            known |= dict.fromkeys(unsupported)
            shape = replace(shape, note=structure(known, argument.schema))
        else:
            shape = self._alike(command, argument, shape)
        return shape.argument(
            argument.name, _described(argument, shape), required=not argument.optional
        )

    def _exact(self, command: CommandDefinition, argument: ArgumentDefinition) -> str | None:
        """Return the attribute that an argument sets, where that is beyond doubt."""
        if argument is command.arguments[0]:
            for attribute in self._things.values():
                if attribute.setter == command.name:
                    return attribute.name
            for verb in _VERBS:
                rest = command.name.removeprefix(verb)
                wanted = f"{rest[:1].lower()}{rest[1:]}"
                if rest != command.name and wanted in self._things:
                    return wanted
        return argument.name if argument.name in self._things else None

    def _is_without_choice(self, command: CommandDefinition) -> bool:
        """Tell whether a command chooses from a list of its own, and the device has none."""
        if len(command.arguments) != 1 or self._exact(command, command.arguments[0]):
            return False
        target = (*stems_of(command.name), *stems_of(command.arguments[0].name))
        best = max(self._offers, key=lambda each: overlap(target, each.stems), default=None)
        return (
            best is not None
            and best.attribute in self._values
            and not best.values
            and len(best.stems) > 1
            and best.stems <= set(target)
        )

    def _alike(
        self, command: CommandDefinition, argument: ArgumentDefinition, shape: Shape
    ) -> Shape:
        """Return the shape with what the attribute or list allows that is named most alike."""
        target = (*stems_of(command.name), *stems_of(argument.name))
        scored: list[tuple[float, Shape | None]] = [
            (overlap(target, frozenset(stems_of(name))), self._shapes[name])
            for name in sorted(self._linked)
        ]
        for offer in self._offers:
            score = overlap(target, offer.stems)
            values = tuple(map(str, offer.values))
            kind = kind_of(offer)
            scored.append((score, Shape(type=kind, values=values, names=offer.names)))
        best = max((score for score, _ in scored), default=0.0)
        alike = [each for score, each in scored if score == best and each is not None]
        if best <= 0 or not alike or (not alike[0].values and shape.type not in NUMBERS):
            return shape
        return taken_over(shape, alike[0], is_narrowed=True)


def _settable(attribute: AttributeDefinition, told: RawValue | None) -> Shape | None:
    """Return the shape of an attribute whose value tells what it can be set to."""
    value = told.value if told else None
    if not isinstance(value, Mapping) or "value" not in value:
        return None
    settable = value.get("settable")
    if not isinstance(settable, list):
        return None
    members = attribute.schema.get("properties")
    inner = members.get("value") if isinstance(members, Mapping) else None
    shape = shape_of(inner if isinstance(inner, Mapping) else {}, value["value"])
    if shape.type == "boolean" or not settable:
        return shape
    found = fitting(shape, settable)
    current = value["value"]
    if found and current is not None:
        found.setdefault(str(current))
    return replace(shape, values=tuple(found)) if found else shape


def _described(argument: ArgumentDefinition, shape: Shape) -> str:
    if shape.names and shape.values:
        said = [f"{each}={name}" for each in shape.values if (name := shape.names.get(each))]
        return ", ".join(said) or argument.description
    return shape.note or argument.description
