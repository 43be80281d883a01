"""Parse the cloud's JSON definitions of SmartThings capabilities.

A definition lists the attributes and commands of a capability. Without the JSON, it is incomplete:
it contains only their names.
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from .raw import ArgumentDefinition, AttributeDefinition, CommandDefinition, Definition

_CLIENT: Final = "pysmartthings"
_NO_SCHEMA: Final[Mapping[str, object]] = {}
_LONGEST_TEXT: Final = 160


def parse_definition(capability: str, data: object) -> Definition | None:
    """Return the definition in a JSON response of the cloud.

    None if the response does not define `capability`.
    """
    body = _mapping(data)
    attributes, commands = body.get("attributes"), body.get("commands")
    if body.get("id", capability) != capability or "error" in body:
        return None
    if not isinstance(attributes, Mapping | None) or not isinstance(commands, Mapping | None):
        return None
    if attributes is None and commands is None:
        return None
    version = body.get("version")
    return Definition(
        id=capability,
        version=version if isinstance(version, int) else 1,
        attributes=tuple(_attribute(name, each) for name, each in _named(attributes)),
        commands=tuple(_command(name, each) for name, each in _named(commands)),
    )


def with_texts(definition: Definition, texts: object) -> Definition:
    """Add the descriptions in `texts`, parsed JSON of the cloud, to a definition."""
    body = _mapping(texts)
    attributes, commands = _mapping(body.get("attributes")), _mapping(body.get("commands"))
    return replace(
        definition,
        attributes=tuple(
            replace(each, description=description_of(attributes.get(each.name)) or each.description)
            for each in definition.attributes
        ),
        commands=tuple(
            _command_with_texts(each, commands.get(each.name)) for each in definition.commands
        ),
    )


def named_definition(capability: str, attributes: Iterable[str] = ()) -> Definition:
    """Return an incomplete definition: names of attributes and commands, but no arguments.

    The names come from pysmartthings, if it is loaded, and from `attributes`.
    """
    names = dict.fromkeys([*_table("CAPABILITY_ATTRIBUTES", capability), *attributes])
    return Definition(
        id=capability,
        attributes=tuple(AttributeDefinition(name=name) for name in names),
        commands=tuple(
            CommandDefinition(name=name) for name in _table("CAPABILITY_COMMANDS", capability)
        ),
        is_complete=False,
    )


def description_of(data: object) -> str:
    """Return the `description` of a JSON object as one line of about 160 characters at most.

    Empty if there is none.
    """
    text = _mapping(data).get("description")
    if not isinstance(text, str):
        return ""
    line = " ".join(text.split())
    if len(line) <= _LONGEST_TEXT:
        return line
    first = line.split(". ", 1)[0]
    return first if len(first) <= _LONGEST_TEXT else f"{first[:_LONGEST_TEXT].rstrip()}…"


# ---------------------------------------------------------------- JSON


def _attribute(name: str, body: Mapping[str, Any]) -> AttributeDefinition:
    schema = _mapping(body.get("schema"))
    properties = _mapping(schema.get("properties"))
    value = properties.get("value") if properties else schema
    setter = body.get("setter")
    return AttributeDefinition(
        name=name,
        schema=_mapping(value),
        units=_units(_mapping(properties.get("unit"))),
        setter=setter if isinstance(setter, str) else None,
        enum_commands=_enum_commands(body.get("enumCommands")),
        description=description_of(body) or description_of(schema) or description_of(value),
    )


def _units(schema: Mapping[str, Any]) -> tuple[str, ...]:
    listed = schema.get("enum")
    found = listed if isinstance(listed, list) else [schema.get("default")]
    return tuple(each for each in found if isinstance(each, str) and each)


def _enum_commands(data: object) -> dict[str, object]:
    bodies = [_mapping(each) for each in data] if isinstance(data, list) else []
    return {
        body["command"]: body.get("value")
        for body in bodies
        if isinstance(body.get("command"), str)
    }


def _command(name: str, body: Mapping[str, Any]) -> CommandDefinition:
    listed = body.get("arguments")
    return CommandDefinition(
        name=name,
        arguments=tuple(
            _argument(number, _mapping(each))
            for number, each in enumerate(listed if isinstance(listed, list) else (), 1)
        ),
        description=description_of(body),
    )


def _argument(number: int, body: Mapping[str, Any]) -> ArgumentDefinition:
    # Keep an argument without a name, because the cloud expects arguments by position.
    name = body.get("name")
    schema = _mapping(body.get("schema"))
    return ArgumentDefinition(
        name=name if isinstance(name, str) and name else f"argument{number}",
        optional=body.get("optional") is True,
        schema=schema,
        description=description_of(body) or description_of(schema),
    )


def _command_with_texts(command: CommandDefinition, texts: object) -> CommandDefinition:
    arguments = _mapping(_mapping(texts).get("arguments"))
    return replace(
        command,
        description=description_of(texts) or command.description,
        arguments=tuple(
            replace(each, description=description_of(arguments.get(each.name)) or each.description)
            for each in command.arguments
        ),
    )


def _named(data: Mapping[Any, Any] | None) -> list[tuple[str, Mapping[str, Any]]]:
    return [(str(name), _mapping(each)) for name, each in (data or {}).items() if name]


def _mapping(data: object) -> Mapping[str, Any]:
    return data if isinstance(data, Mapping) else _NO_SCHEMA


# ------------------------------------------------------------------ names


def _table(table: str, capability: str) -> tuple[str, ...]:
    # An import here would block the event loop. Once there is a SmartThings device, the library is
    # loaded anyway.
    names = getattr(sys.modules.get(_CLIENT), table, None)
    found = names.get(capability) if isinstance(names, Mapping) else None
    return tuple(str(each) for each in found) if isinstance(found, Iterable) else ()
