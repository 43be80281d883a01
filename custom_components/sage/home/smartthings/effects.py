"""Derive from the definition of a capability what a SmartThings command does, and what undoes it.

A definition may declare the command that sets an attribute (`setter`), and the value of an
attribute after a command without arguments (`enumCommands`). Nothing else can be undone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from ..commands.changed_since import cannot_go_back
from ..commands.expectation import UNOBSERVABLE, Expectation
from ..commands.goals import Goal
from ..home_types import Outcome
from .commands import RawCommand
from .raw import AttributeDefinition, CommandDefinition, Definition

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
    values = tuple(arguments.values())
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


# ------------------------------------------------------------------ undo


def steps_back(
    outcomes: Sequence[Outcome], known: Callable[[str], Definition]
) -> tuple[RawCommand | Outcome, ...]:
    """Return the commands that undo the commands of `outcomes`.

    The capability that was changed first is undone last. The result contains an outcome `FAILED`
    for each capability that cannot be restored completely. `known`: capability -> definition.
    """
    steps: list[RawCommand | Outcome] = []
    for changed in reversed(by_capability(outcomes)):
        restore = restore_of(changed)
        definition = known(changed[0].capability)
        ways = {name: _way_back(definition, name, value) for name, value in restore.items()}
        for name, way in ways.items():
            if way is not None:
                steps.append(_command_back(changed[0], *way, {name: restore[name]}))
        if not ways or None in ways.values():
            last = changed[-1]
            steps.append(
                cannot_go_back(
                    last, f"What {last.command} did cannot be put back: no command sets it."
                )
            )
    return tuple(steps)


def by_capability(outcomes: Sequence[Outcome]) -> list[list[Outcome]]:
    """Return one list of outcomes for each capability of each component, in the original order."""
    found: dict[tuple[str | None, str, str], list[Outcome]] = {}
    for each in outcomes:
        found.setdefault((each.raw_device_id, each.component_id, each.capability), []).append(each)
    return list(found.values())


def restore_of(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the values to restore: attribute name -> value before the first change.

    `outcomes`: results of commands of one capability, oldest first.
    """
    restore: dict[str, object] = {}
    for each in outcomes:
        for name, value in each.restore.items():
            restore.setdefault(name, value)
    return restore


def _way_back(
    definition: Definition, name: str, value: object
) -> tuple[CommandDefinition, dict[str, object]] | None:
    """Return the declared command that sets an attribute to a value, and its arguments.

    None if there is no such command or if the value is an empty text.
    """
    attribute = definition.attribute(name)
    if attribute is None or value == "":
        return None
    setter = definition.command(attribute.setter or "")
    if setter is not None and (arguments := _only_argument(setter, value)):
        return setter, arguments
    for command_name, led_to in attribute.enum_commands.items():
        command = definition.command(command_name)
        if command is not None and led_to == value:
            return command, {}
    return None


def _only_argument(command: CommandDefinition, value: object) -> dict[str, object] | None:
    """Return the value as the only argument of a command.

    None if the command does not allow the value or requires other arguments.
    """
    if not command.arguments or any(not each.optional for each in command.arguments[1:]):
        return None
    first = command.arguments[0]
    options = first.schema.get("enum")
    if isinstance(options, list | tuple) and value not in options:
        return None
    return {first.name: str(value) if first.schema.get("type") == "string" else value}


def _command_back(
    changed: Outcome,
    command: CommandDefinition,
    arguments: dict[str, object],
    puts_back: Mapping[str, object],
) -> RawCommand:
    assert changed.raw_device_id is not None
    return RawCommand(
        device_id=changed.device_id,
        device_name=changed.device_name,
        raw_device_id=changed.raw_device_id,
        component_id=changed.component_id,
        capability=changed.capability,
        command=command.name,
        arguments=arguments,
        positional=tuple(arguments.values()),
        area=changed.area,
        puts_back=puts_back,
    )
