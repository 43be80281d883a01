"""Definitions of capabilities: our compact notation, and the JSON of the API made from it.

The files in `capabilities/` map a capability id to its definition:

    {
      "types": {"course": "auto|eco|rinseOnly"},
      "capabilities": {
        "switchLevel": {
          "about": "Sets how strong something is.",
          "attributes": {
            "level": "integer 0..100 [%] <- setLevel",
            "levelRange": "{minimum: integer, maximum: integer, step?: integer}? [%]"
          },
          "commands": {"setLevel": "level: integer 0..100, rate?: integer 0.."}
        },
        "switch": {
          "attributes": {"switch": "on|off"},
          "commands": {"on": "-> switch=on", "off": "-> switch=off"}
        }
      }
    }

Every part of a capability may be left out. `about` tells readers what it
is for; `status` is `live` for an id without a dot and
`proposed` for one with a dot unless given; `name` is split from the id unless given.

A type is one of

    string          string(255)     a text, of at most so many characters
    integer         integer 0..100  with a range; either end may be left out: `0..`, `..5`
    number          number -5..9.5
    boolean   date   object   any   a date is a text such as 2026-01-31T10:00:00Z
    on|off                          one of these texts; one that has a space, a sign of this
                                    notation, or is a word of it, stands in single quotes:
                                    `'Movie Mode'|'string'`
    list of on|off                  an array of a type
    {x: number, unit?: string}      an object with these members and no others; `?`: optional
    $course                         a type of the same file's `types`

An attribute is a type, then if needed: `?` (the value may be missing), `[C|F]` (its units;
a single one is also the default), `<- setLevel` (the command that sets it to its first argument).
Whether or not there is a `?`, a device reports `null` for what it does not know yet.

A command is its arguments in order, `name: type`, with `?` after the name of an optional one; then
if needed `-> attribute=value` (a command without arguments leads to this value: `enumCommands`).

A capability stands in one file only.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .notation import Attribute, Command, NotationError, parse_attribute, parse_command

FOLDER = Path(__file__).parent / "capabilities"

type Json = dict[str, Any]


@cache
def definitions() -> Mapping[str, Json]:
    """Return capability id -> what `GET /v1/capabilities/{id}/1` answers."""
    return {
        capability: expand(capability, notes, types)
        for capability, notes, types in noted_capabilities()
    }


def expand(capability: str, notes: Json, types: Mapping[str, str]) -> Json:
    """Return the API's JSON of a capability from our notation. Raises NotationError."""
    if unknown := set(notes) - {"about", "status", "name", "attributes", "commands"}:
        raise NotationError(f"{capability}: no such part: {', '.join(sorted(unknown))}")
    attributes = {
        name: parse_attribute(line, types) for name, line in notes.get("attributes", {}).items()
    }
    commands = {
        name: parse_command(line, types) for name, line in notes.get("commands", {}).items()
    }
    _check_links(capability, attributes, commands)
    return {
        "id": capability,
        "version": 1,
        "status": notes.get("status", "proposed" if "." in capability else "live"),
        "name": _name(capability, notes),
        "ephemeral": False,
        "attributes": {name: _attribute(name, each, commands) for name, each in attributes.items()},
        "commands": {name: _command(name, each) for name, each in commands.items()},
    }


def noted_capabilities() -> Iterator[tuple[str, Json, Mapping[str, str]]]:
    """Read all files; no capability may stand in two of them."""
    seen: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        for capability, notes in content["capabilities"].items():
            if capability in seen:
                raise NotationError(f"{capability} is in {seen[capability]} and in {path.name}")
            seen[capability] = path.name
            yield capability, notes, content.get("types", {})


def _check_links(
    capability: str, attributes: Mapping[str, Attribute], commands: Mapping[str, Command]
) -> None:
    for name, attribute in attributes.items():
        if attribute.setter is not None and attribute.setter not in commands:
            raise NotationError(f"{capability}.{name}: there is no command {attribute.setter}")
    for name, command in commands.items():
        if command.leads_to is not None and command.leads_to[0] not in attributes:
            raise NotationError(f"{capability}.{name}: no attribute {command.leads_to[0]}")


def _name(capability: str, notes: Json) -> str:
    """Return "Dishwasher Washing Course" for `samsungce.dishwasherWashingCourse`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", capability.rpartition(".")[2])
    return str(notes.get("name", " ".join(word[:1].upper() + word[1:] for word in words.split())))


def _attribute(name: str, attribute: Attribute, commands: Mapping[str, Command]) -> Json:
    properties: Json = {"value": attribute.schema}
    required = [] if attribute.is_optional else ["value"]
    if attribute.units:
        properties["unit"] = {"type": "string", "enum": list(attribute.units)}
        if len(attribute.units) == 1:
            properties["unit"]["default"] = attribute.units[0]
        elif required:
            required.append("unit")
    schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "required": required,
    }
    setter = {} if attribute.setter is None else {"setter": attribute.setter}
    enum_commands = [
        {"command": command, "value": each.leads_to[1]}
        for command, each in commands.items()
        if each.leads_to is not None and each.leads_to[0] == name
    ]
    return {"schema": schema, **setter, "enumCommands": enum_commands}


def _command(name: str, command: Command) -> Json:
    return {
        "name": name,
        "arguments": [
            {"name": each.name, "optional": each.is_optional, "schema": each.schema}
            for each in command.arguments
        ],
        "sensitive": False,
    }
