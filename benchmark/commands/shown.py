"""The devices that a prompt shows: their commands, arguments and current values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .case import Do, Members, Read, entities

_ENTITY: Final = r"[a-z_]+\.[a-z0-9_]+"
_SINGLE: Final = re.compile(rf" component ({_ENTITY}), capability ")
_MEMBER: Final = re.compile(rf"^\S.* ({_ENTITY}): (.*)$")
_TEXT: Final = re.compile(rf"^\S+ ({_ENTITY}) (\w+): (.*)$")
_ATTRIBUTE: Final = re.compile(r"^(\w+): .*?\bnow (.+)$")
_COMMAND: Final = re.compile(r"^(\w+)\((.*?)\)(?: - .*)?$")
_ASSIGNED: Final = re.compile(r"(?:^|, )(\w+) (.+?)(?=, [a-z_]+ |$)")
_ARGUMENT: Final = re.compile(r"(?:^|, )(\w+)\??: ")


@dataclass(slots=True)
class Shown:
    """One entity in a prompt."""

    values: dict[str, str] = field(default_factory=dict)
    """Attribute -> value with its unit or meaning, as it stands there."""

    commands: dict[str, frozenset[str]] = field(default_factory=dict)
    """Command -> its arguments."""


type Sight = Mapping[str, Shown]
"""Entity id -> what is shown of it."""


def sight(text: str) -> Sight:
    """Return the entities whose documentation or values stand in a text."""
    found: dict[str, Shown] = {}
    members: list[Shown] = []
    is_group = False
    for line in text.splitlines():
        if not line.strip():
            members, is_group = [], False
        elif single := _SINGLE.search(line):
            members, is_group = [found.setdefault(single[1], Shown())], False
        elif member := _MEMBER.match(line):
            members = [*members, found.setdefault(member[1], Shown())] if is_group else []
            found.setdefault(member[1], Shown()).values.update(_ASSIGNED.findall(member[2]))
        elif free := _TEXT.match(line):
            found.setdefault(free[1], Shown()).values[free[2]] = free[3]
        elif "(id, component, values):" in line:
            members, is_group = [], True
        else:
            _describe(members, line)
    return found


def _describe(members: list[Shown], line: str) -> None:
    """Note a line on commands or attributes for the entities above it."""
    if command := _COMMAND.match(line):
        for each in members:
            each.commands[command[1]] = frozenset(_ARGUMENT.findall(command[2]))
    elif attribute := _ATTRIBUTE.match(line):
        for each in members:
            each.values[attribute[1]] = attribute[2]


def can_do(do: Do, shown: Sight, members: Members) -> bool:
    """Return whether all that a command needs is shown."""
    return all(
        (seen := shown.get(each)) is not None
        and do.arguments.keys() <= seen.commands.get(do.command, _MISSING)
        and do.command in seen.commands
        for each in entities(do.devices, members)
    )


def values_of(read: Read, shown: Sight, members: Members) -> dict[str, str] | None:
    """Return entity id -> value; None unless all are shown."""
    values = {
        each: seen.values[read.attribute]
        for each in entities((read.of,), members)
        if (seen := shown.get(each)) is not None and read.attribute in seen.values
    }
    return values if len(values) == len(entities((read.of,), members)) else None


_MISSING: Final[frozenset[str]] = frozenset()
