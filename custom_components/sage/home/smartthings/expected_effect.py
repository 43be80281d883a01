"""Derive the expected effect of a SmartThings command from the definition of its capability.

A definition may declare the command that sets an attribute (`setter`), and the value of an
attribute after a command without arguments (`enumCommands`).
"""

from collections.abc import Iterator, Mapping
from typing import Final

from ..commands.expectation import UNOBSERVABLE, Expectation
from ..commands.goals import Goal
from .raw import AttributeDefinition, Definition

_NUMBERS: Final = frozenset({"integer", "number"})


def expectation_of(
    definition: Definition, command: str, arguments: Mapping[str, object]
) -> Expectation:
    """Return the expected effect of a command with these named arguments.

    It has goals (attribute values) if the definition declares them, else signs (changes that
    suggest success). `UNOBSERVABLE` if it has neither.
    """
    goals = _goals(definition, command, arguments)
    if goals:
        return Expectation(goals=goals, approaches=True)
    signs = tuple(_signs(definition, command, arguments))
    return Expectation(signs=signs) if signs else UNOBSERVABLE


def names_given(arguments: Mapping[str, object]) -> frozenset[str]:
    """Return the names of the arguments, and the keys of arguments that are objects.

    Example: `{"mode": "eco", "start": {"hour": 7}}` -> mode, start, hour.
    """
    return frozenset(name for name, _ in _given(arguments))


def _goals(
    definition: Definition, command: str, arguments: Mapping[str, object]
) -> tuple[Goal, ...]:
    defined = definition.command(command)
    first = defined.arguments[0].name if defined is not None and defined.arguments else ""
    found: list[Goal] = []
    for each in definition.attributes:
        if command in each.enum_commands:
            found.append(Goal(name=each.name, values=(each.enum_commands[command],)))
        elif each.setter == command and first in arguments and _may_be(each, arguments[first]):
            found.append(Goal(name=each.name, values=(arguments[first],)))
    return tuple(found)


def _signs(definition: Definition, command: str, arguments: Mapping[str, object]) -> Iterator[Goal]:
    values = tuple(value for _, value in _given(arguments))
    for each in definition.attributes:
        if each.setter == command or (not values and _is_state(each)):
            # Any change counts, because the new value is not declared; a stopped oven is `ready`.
            yield Goal(name=each.name, differs=True)
        elif values:
            yield Goal(name=each.name, values=values)


def _may_be(attribute: AttributeDefinition, value: object) -> bool:
    options = attribute.schema.get("enum")
    return not isinstance(options, list | tuple) or value in options


def _is_state(attribute: AttributeDefinition) -> bool:
    """Return whether an attribute is a state that a command may change, not a measurement.

    True for an attribute with a setter or enumCommands, for a boolean and for an enumeration. A
    number without a setter may be a measurement.
    """
    if attribute.setter is not None or attribute.enum_commands:
        return True
    return attribute.schema.get("type") == "boolean" or (
        "enum" in attribute.schema and attribute.schema.get("type") not in _NUMBERS
    )


def _given(arguments: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in arguments.items():
        yield name, value
        if isinstance(value, Mapping):
            yield from ((str(part), inner) for part, inner in value.items())
