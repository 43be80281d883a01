"""Describe JSON schemas of SmartThings capabilities as text for the model."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..shape import Shape, type_of

_TYPES: Final = {
    "array": "list",
    "boolean": "boolean",
    "integer": "integer",
    "number": "number",
    "object": "object",
    "string": "string",
}
_ABSOLUTE_ZERO: Final = -459
"""A range with this minimum (°F) allows any temperature, so it is not shown."""

_UNITS: Final = {"C": "°C", "F": "°F"}
_LONGEST_PATTERN: Final = 40
_DEEPEST: Final = 3


def readable_unit(unit: str | None) -> str | None:
    """Return a unit of the cloud in the usual spelling, such as `°C` for `C`; None if empty."""
    return _UNITS.get(unit, unit) if unit else None


def shape_of(schema: Mapping[str, Any], value: object = None) -> Shape:
    """Return the type, values and range that a schema allows.

    `value`: the current value of the attribute; its type is used if the schema has none.
    """
    if "oneOf" in schema:
        return Shape(type="object")
    kind = _type(schema) or ("object" if value is None else type_of(value))
    match kind:
        case "number" | "integer":
            return _number(kind, schema)
        case "list":
            return _list(schema)
        case "object":
            return Shape(type="object", note=schema_text(schema))
        case "string":
            return Shape(values=_enum(schema), note=_pattern(schema))
        case _:
            return Shape(type=kind)


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
        return kind if kind == "any" else shape_of(schema).said
    if depth >= _DEEPEST or not isinstance(properties, Mapping) or not properties:
        return "object" if depth else ""
    required = schema.get("required") or list(properties)
    fields = [
        f"{name}{'' if name in required else '?'}: {schema_text(each, depth + 1)}"
        for name, each in properties.items()
        if isinstance(each, Mapping)
    ]
    return "{" + ", ".join(fields) + "}"


def _type(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), None)
    if isinstance(kind, str) and kind in _TYPES:
        return _TYPES[kind]
    if isinstance(schema.get("properties"), Mapping):
        return "object"
    listed = schema.get("enum")
    if isinstance(listed, list) and listed:
        return type_of(listed[0])
    return ""


def _number(kind: str, schema: Mapping[str, Any]) -> Shape:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and low <= _ABSOLUTE_ZERO:
        low = high = None
    return Shape(
        type=kind, minimum=low, maximum=high, step=schema.get("multipleOf"), values=_enum(schema)
    )


def _list(schema: Mapping[str, Any]) -> Shape:
    items = schema.get("items")
    if not isinstance(items, Mapping) or not items:
        return Shape(type="list")
    if (values := _enum(items)) and _type(items) == "string":
        return Shape(type="list", values=values)
    return Shape(type="list", note=schema_text(schema))


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
