"""The commands that bring raw attributes back to what they were (DESIGN 5, undo).

What no command sets cannot be put back, and that is said.
"""

from collections.abc import Iterator, Mapping, Sequence

from ..commands.changed_since import cannot_go_back
from ..commands.goals import Values, is_same
from ..home_types import Outcome
from .commands import RawCommand
from .expectation import expectation_of
from .parts import Definitions
from .raw import CommandDefinition, Definition


def steps_of(
    outcomes: Sequence[Outcome], definitions: Definitions
) -> tuple[RawCommand | Outcome, ...]:
    """Return the commands that put changes back, the last change first.

    In place of what cannot be put back there is its outcome.
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
    """Yield the outcomes of each capability of each component together, the first one first."""
    found: dict[tuple[str | None, str, str], list[Outcome]] = {}
    for each in outcomes:
        found.setdefault((each.raw_device_id, each.component_id, each.capability), []).append(each)
    yield from found.values()


def restore_of(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the values before the first of several changes."""
    restore: dict[str, object] = {}
    for each in outcomes:
        for name, value in each.restore.items():
            restore.setdefault(name, value)
    return restore


def _commands(changed: Outcome, definition: Definition, restore: Values) -> Iterator[RawCommand]:
    left = dict(restore)
    for each in definition.commands:
        if len(left) > 1 and (arguments := _all_at_once(definition, each, left)):
            reached = {name: left.pop(name) for name in _reached(definition, each, arguments, left)}
            yield _command(changed, each, arguments, reached)
    for name, value in left.items():
        if (found := _setting(definition, name, value)) is not None:
            yield _command(changed, *found, {name: value})


def _all_at_once(
    definition: Definition, command: CommandDefinition, wanted: Values
) -> dict[str, object]:
    """Return arguments that set several attributes together, as a colour; else nothing."""
    arguments: dict[str, object] = {}
    for argument in command.arguments:
        parts = argument.schema.get("properties")
        if isinstance(parts, Mapping) and argument.schema.get("type") == "object":
            given = {name: value for name, value in wanted.items() if name in parts}
            if given:
                arguments[argument.name] = given
        elif argument.name in wanted:
            arguments[argument.name] = wanted[argument.name]
        elif not argument.optional:
            return {}
    in_order = [each.name for each in command.arguments][: len(arguments)]
    if list(arguments) != in_order or len(_reached(definition, command, arguments, wanted)) < 2:
        return {}
    return arguments


def _reached(
    definition: Definition,
    command: CommandDefinition,
    arguments: Mapping[str, object],
    wanted: Values,
) -> list[str]:
    """Return the attributes that a command is known to bring to the wanted values."""
    goals = expectation_of(definition, command.name, arguments, {}).goals
    return [
        goal.name
        for goal in goals
        if goal.name in wanted
        # With a choice of values it is not known which one comes.
        and len(goal.values) == 1
        and is_same(goal.name, goal.values[0], wanted[goal.name])
    ]


def _setting(
    definition: Definition, name: str, value: object
) -> tuple[CommandDefinition, dict[str, object]] | None:
    """Return the command and its arguments that set one attribute; one with arguments first.

    None for an empty text: a television that showed no channel is not put on channel "".
    """
    if value == "":
        return None
    for command in sorted(definition.commands, key=lambda each: not each.arguments):
        arguments = _arguments(command, value)
        if arguments is not None and name in _reached(
            definition, command, arguments, {name: value}
        ):
            return command, arguments
    return None


def _arguments(command: CommandDefinition, value: object) -> dict[str, object] | None:
    """Return the value as the only argument; None when it does not fit."""
    required = [each for each in command.arguments if not each.optional]
    if not required:
        first = command.arguments[:1]
        # `start` has an option that is no value of the attribute.
        return {} if not first or first[0].schema.get("type") == "object" else None
    if len(required) > 1 or required[0] is not command.arguments[0]:
        return None
    schema = required[0].schema
    options = schema.get("enum")
    if isinstance(options, list | tuple) and value not in options:
        return None
    return {required[0].name: str(value) if schema.get("type") == "string" else value}


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
