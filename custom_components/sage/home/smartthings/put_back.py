"""Undo SmartThings commands: find the commands that restore the earlier values of attributes.

A value can be restored only if the definition of its capability declares a command that sets it.
"""

from collections.abc import Iterator, Mapping, Sequence

from ..commands.changed_since import cannot_go_back
from ..commands.goals import Values
from ..home_types import Outcome
from .commands import RawCommand
from .protocols import Definitions
from .raw import CommandDefinition, Definition


def steps_of(
    outcomes: Sequence[Outcome], definitions: Definitions
) -> tuple[RawCommand | Outcome, ...]:
    """Return the commands that undo the commands of `outcomes`.

    The capability that was changed first is undone last. The result contains an outcome `FAILED`
    for each capability that cannot be restored completely.
    """
    steps: list[RawCommand | Outcome] = []
    for changed in reversed(list(by_capability(outcomes))):
        restore = restore_of(changed)
        commands = list(_commands(changed[0], definitions.known(changed[0].capability), restore))
        steps += commands
        reached = {name for each in commands for name in each.puts_back or {}}
        if not commands or restore.keys() - reached:
            last = changed[-1]
            steps.append(
                cannot_go_back(
                    last, f"What {last.command} did cannot be put back: no command sets it."
                )
            )
    return tuple(steps)


def by_capability(outcomes: Sequence[Outcome]) -> Iterator[list[Outcome]]:
    """Yield one list of outcomes for each capability of each component, in the original order."""
    found: dict[tuple[str | None, str, str], list[Outcome]] = {}
    for each in outcomes:
        found.setdefault((each.raw_device_id, each.component_id, each.capability), []).append(each)
    yield from found.values()


def restore_of(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the values to restore: attribute name -> value before the first change.

    `outcomes`: results of commands of one capability, oldest first.
    """
    restore: dict[str, object] = {}
    for each in outcomes:
        for name, value in each.restore.items():
            restore.setdefault(name, value)
    return restore


def _commands(changed: Outcome, definition: Definition, restore: Values) -> Iterator[RawCommand]:
    for name, value in restore.items():
        if (found := _way_back(definition, name, value)) is not None:
            yield _command(changed, *found, {name: value})


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


def _command(
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
