"""Definitions of SmartThings capabilities, parsed from the JSON of the cloud.

A definition lists the attributes and commands of a capability. Without the JSON, it is incomplete:
it contains only their names.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from ..home_types import Argument, CommandDescription
from ..values import type_of
from .client import RawClient
from .raw import AttributeDefinition, CloudError, Definition

_LOGGER: Final = logging.getLogger(__name__)

LONGEST_WAIT: Final = 10.0  # maximum seconds that `async_fetch` waits for missing definitions
_PAUSE: Final = 60.0  # seconds without a request for a definition after an error, by default

_CLIENT: Final = "pysmartthings"

_TYPES: Final = frozenset({"boolean", "integer", "number", "object", "string"})
_ABSOLUTE_ZERO: Final = -459  # a range with this minimum (°F) allows any value, so it is not shown
_UNITS: Final = {"C": "°C", "F": "°F"}
_LONGEST_PATTERN: Final = 40
_LONGEST_CHOICE: Final = 12
_DEEPEST: Final = 3


def parse_definition(capability: str, data: object) -> Definition | None:
    """Return the definition in a response; None if it does not define `capability`."""
    body = _mapping(data)
    attributes, commands = body.get("attributes"), body.get("commands")
    if body.get("id", capability) != capability or "error" in body:
        return None
    if not isinstance(attributes, Mapping | None) or not isinstance(commands, Mapping | None):
        return None
    if attributes is None and commands is None:
        return None
    return Definition(
        id=capability,
        attributes=tuple(_attribute(name, each) for name, each in _named(attributes)),
        commands=tuple(_command(name, each) for name, each in _named(commands)),
    )


def named_definition(capability: str, attributes: Iterable[str] = ()) -> Definition:
    """Return names of attributes and commands only, from pysmartthings and `attributes`."""
    names = dict.fromkeys([*_table("CAPABILITY_ATTRIBUTES", capability), *attributes])
    return Definition(
        id=capability,
        attributes=tuple(AttributeDefinition(name=name) for name in names),
        commands=tuple(
            CommandDescription(name=name) for name in _table("CAPABILITY_COMMANDS", capability)
        ),
        is_complete=False,
    )


def _attribute(name: str, body: Mapping[str, Any]) -> AttributeDefinition:
    schema = _mapping(body.get("schema"))
    properties = _mapping(schema.get("properties"))
    shape = shape_of(_mapping(properties.get("value")) if properties else schema)
    setter, enum_commands = body.get("setter"), body.get("enumCommands")
    return AttributeDefinition(
        name=name,
        shape=replace(shape, unit=_unit(_mapping(properties.get("unit")))),
        setter=setter if isinstance(setter, str) else None,
        enum_commands={
            each["command"]: each.get("value")
            for each in (enum_commands if isinstance(enum_commands, list) else ())
            if isinstance(each, Mapping) and isinstance(each.get("command"), str)
        },
    )


def _unit(schema: Mapping[str, Any]) -> str | None:
    listed = schema.get("enum")
    units = listed if isinstance(listed, list) else [schema.get("default")]
    units = [each for each in units if isinstance(each, str) and each]
    return units[0] if len(units) == 1 else None


def _command(name: str, body: Mapping[str, Any]) -> CommandDescription:
    listed = body.get("arguments")
    arguments = listed if isinstance(listed, list) else ()
    return CommandDescription(
        name=name, arguments=tuple(_argument(*each) for each in enumerate(arguments, start=1))
    )


def _argument(number: int, data: object) -> Argument:
    # Keep an argument without a name, because the cloud expects arguments by position.
    body = _mapping(data)
    name, shape = body.get("name"), shape_of(_mapping(body.get("schema")))
    return replace(
        shape,
        name=name if isinstance(name, str) and name else f"argument{number}",
        type=shape.type or "object",
        required=body.get("optional") is not True,
    )


def _named(data: Mapping[Any, Any] | None) -> list[tuple[str, Mapping[str, Any]]]:
    return [(str(name), _mapping(each)) for name, each in (data or {}).items() if name]


def _mapping(data: object) -> Mapping[str, Any]:
    return data if isinstance(data, Mapping) else {}


def _table(table: str, capability: str) -> tuple[str, ...]:
    # An import here would block the event loop. Once there is a SmartThings device, the library is
    # loaded anyway.
    names = getattr(sys.modules.get(_CLIENT), table, None)
    found = names.get(capability) if isinstance(names, Mapping) else None
    return tuple(str(each) for each in found) if isinstance(found, Iterable) else ()


# ------------------------------------------------------------------ JSON schemas


def readable_unit(unit: str | None) -> str | None:
    """Return a unit of the cloud in the usual spelling, such as `°C` for `C`; None if empty."""
    return _UNITS.get(unit, unit) if unit else None


def shape_of(schema: Mapping[str, Any]) -> Argument:
    """Return the type, values and range that a schema allows; its type is empty if unknown."""
    if "oneOf" in schema:
        return Argument(type="object")
    kind = _type(schema)
    match kind:
        case "number" | "integer":
            return _number(kind, schema)
        case "list":
            return _list(schema)
        case "object":
            return Argument(type="object", description=schema_text(schema))
        case "string":
            return Argument(values=_enum(schema), description=_pattern(schema))
        case _:
            return Argument(type=kind)


def schema_text(schema: Mapping[str, Any], depth: int = 0) -> str:
    """Return a schema as a short text, such as `{hue: number, level?: integer 0..100}`.

    `?` marks optional properties. `depth`: the number of surrounding schemas; from 3 on, the text
    is only `object`. Empty for an object without declared properties at `depth` 0.
    """
    kind = _type(schema) or "any"
    properties, items = schema.get("properties"), schema.get("items")
    if kind == "list":
        return f"list of {schema_text(items, depth + 1)}" if isinstance(items, Mapping) else "list"
    if kind != "object":
        return kind if kind == "any" else _values_text(shape_of(schema))
    if depth >= _DEEPEST or not isinstance(properties, Mapping) or not properties:
        return "object" if depth else ""
    required = schema.get("required") or list(properties)
    fields = [
        f"{name}{'' if name in required else '?'}: {schema_text(each, depth + 1)}"
        for name, each in properties.items()
        if isinstance(each, Mapping)
    ]
    return "{" + ", ".join(fields) + "}"


def _values_text(shape: Argument) -> str:
    """Return the possible values as a short text: `0..100 %`, `on|off`."""
    unit = f" {shape.unit}" if shape.unit else ""
    if shape.values:
        shown = "|".join(shape.values[:_LONGEST_CHOICE])
        more = len(shape.values) - _LONGEST_CHOICE
        return shown + (f"|… {more} more" if more > 0 else "")
    if shape.minimum is not None and shape.maximum is not None:
        return f"{shape.minimum:g}..{shape.maximum:g}{unit}"
    if shape.type == "boolean":
        return "true|false"
    return shape.description or ("text" if shape.type == "string" else f"{shape.type}{unit}")


def _type(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), None)
    if kind == "array":
        return "list"
    if isinstance(kind, str) and kind in _TYPES:
        return kind
    if isinstance(schema.get("properties"), Mapping):
        return "object"
    listed = schema.get("enum")
    if isinstance(listed, list) and listed:
        return type_of(listed[0])
    return ""


def _number(kind: str, schema: Mapping[str, Any]) -> Argument:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and low <= _ABSOLUTE_ZERO:
        low = high = None
    return Argument(
        type=kind, minimum=low, maximum=high, step=schema.get("multipleOf"), values=_enum(schema)
    )


def _list(schema: Mapping[str, Any]) -> Argument:
    items = schema.get("items")
    if not isinstance(items, Mapping) or not items:
        return Argument(type="list")
    if (values := _enum(items)) and _type(items) == "string":
        return Argument(type="list", values=values)
    return Argument(type="list", description=schema_text(schema))


def _enum(schema: Mapping[str, Any]) -> tuple[str, ...]:
    listed = schema.get("enum")
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        return ()
    return tuple(dict.fromkeys(str(each) for each in listed if not isinstance(each, bool)))


def _pattern(schema: Mapping[str, Any]) -> str:
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and 0 < len(pattern) <= _LONGEST_PATTERN:
        return f"text matching {pattern}"
    return "date and time, ISO 8601" if "8601" in str(schema.get("title")) else ""


# ------------------------------------------------------------------ cache


class DefinitionStore:
    """Cache of SmartThings capability definitions, which are fetched at first use."""

    def __init__(self, cloud: RawClient) -> None:
        """Start with an empty cache."""
        self._cloud = cloud
        self._fetched: dict[str, Definition] = {}
        self._fetching = asyncio.Lock()
        self._not_before: dict[str, float] = {}
        """Capability -> time from which it may be requested again."""

    def known(self, capability: str) -> Definition:
        """Return the cached definition of a capability, without a request.

        If there is none, return an incomplete definition: only the names of the attributes and
        commands, as far as the library pysmartthings knows them.
        """
        return self._fetched.get(capability) or named_definition(capability)

    async def async_fetch(self, entry_id: str, capabilities: Iterable[str]) -> None:
        """Fetch the definitions that are missing, for up to ten seconds. Never raises."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_WAIT), self._fetching:
                now = time.monotonic()
                await asyncio.gather(
                    *(
                        self._async_request(entry_id, each)
                        for each in dict.fromkeys(capabilities)
                        if each not in self._fetched and self._not_before.get(each, 0.0) <= now
                    )
                )

    async def _async_request(self, entry_id: str, capability: str) -> None:
        pause = _PAUSE
        try:
            data = await self._cloud.async_definition(entry_id, capability)
        except CloudError as error:
            _LOGGER.debug("No definition of %s: %s", capability, error)
            data, pause = None, error.retry_after or _PAUSE
        if (definition := parse_definition(capability, data)) is not None:
            self._fetched[capability] = definition
        else:
            self._not_before[capability] = time.monotonic() + pause
