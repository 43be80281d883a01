"""The devices that a prompt shows: their commands, arguments and current values."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from custom_components.sage.home.listing import Listing

from .case import Do, Members, Read, entities

_ENTITY: Final = r"[a-z_]+\.[a-z0-9_]+"
_KIND: Final = re.compile(r"^([a-z_]+)(?: \(.+\))?:$")
_COMMANDS: Final = "commands:"
_READING: Final = re.compile(rf"^\S.* ({_ENTITY}): (.*)$")
_TEXT: Final = re.compile(rf"^\S+ ({_ENTITY}) (\w+): (.*)$")
_ASIDE: Final = re.compile(r' \([^()]*\)| "[^"]*"')
_COMMAND: Final = re.compile(r"^(\w+)\((.*?)\)(?: - .*)?$")
_ASSIGNED: Final = re.compile(r"(?:^|, )(\w+) (.+?)(?=, [a-z_]+ |$)")
_ARGUMENT: Final = re.compile(r"(?:^|, )(\w+)\??: ")

type Names = Mapping[tuple[str, str], str]
"""Device id and capability, as a prompt shows them -> the entity that they stand for."""


def names_of(listing: Listing) -> Names:
    """Return the names of all entities that are the only ones of their device and capability."""
    found: dict[tuple[str, str], list[str]] = {}
    for device in listing.devices:
        for part in device.components:
            for capability in part.capabilities:
                found.setdefault((device.id, capability), []).append(part.id)
    return {name: ids[0] for name, ids in found.items() if len(ids) == 1}


@dataclass(slots=True)
class Shown:
    """One entity in a prompt."""

    values: dict[str, str] = field(default_factory=dict)
    """Attribute -> value with its unit or meaning, as it stands there."""

    commands: dict[str, frozenset[str]] = field(default_factory=dict)
    """Command -> its arguments."""


type ShownEntities = Mapping[str, Shown]
"""Entity id -> its shown state and attributes."""


def entities_shown(text: str, names: Names) -> ShownEntities:
    """Return the entities whose documentation or values stand in a text."""
    found: dict[str, Shown] = {}
    members: list[Shown] = []
    capability, is_command = "", False
    for line in text.splitlines():
        if not line.strip():
            members, capability, is_command = [], "", False
        elif line == _COMMANDS:
            is_command = True
        elif kind := _KIND.match(line):
            members, capability, is_command = [], kind[1], False
        elif is_command:
            _note_command(members, line)
        elif capability:
            named, _, values = line.partition(": ")
            for entity_id in _named(named, capability, names):
                members.append(found.setdefault(entity_id, Shown()))
                members[-1].values.update(_ASSIGNED.findall(values))
        elif reading := _READING.match(line):
            found.setdefault(reading[1], Shown()).values.update(_ASSIGNED.findall(reading[2]))
        elif free := _TEXT.match(line):
            found.setdefault(free[1], Shown()).values[free[2]] = free[3]
    return found


def _named(text: str, capability: str, names: Names) -> Iterator[str]:
    """Yield the entities of "Outlet iron (Bedroom), home_alarm component siren.siren"."""
    for each in _ASIDE.sub("", text).split(", "):
        *_, last = each.split(" ")
        if " component " in each:
            yield last
        elif (known := names.get((last, capability))) is not None:
            yield known


def _note_command(members: list[Shown], line: str) -> None:
    if command := _COMMAND.match(line):
        for each in members:
            each.commands[command[1]] = frozenset(_ARGUMENT.findall(command[2]))


def can_do(do: Do, shown: ShownEntities, members: Members) -> bool:
    """Return whether all that a command needs is shown."""
    return all(
        (seen := shown.get(each)) is not None
        and do.arguments.keys() <= seen.commands.get(do.command, _MISSING)
        and do.command in seen.commands
        for each in entities(do.devices, members)
    )


def values_of(read: Read, shown: ShownEntities, members: Members) -> dict[str, str] | None:
    """Return entity id -> value; None unless all are shown."""
    values = {
        each: seen.values[read.attribute]
        for each in entities((read.of,), members)
        if (seen := shown.get(each)) is not None and read.attribute in seen.values
    }
    return values if len(values) == len(entities((read.of,), members)) else None


_MISSING: Final[frozenset[str]] = frozenset()
