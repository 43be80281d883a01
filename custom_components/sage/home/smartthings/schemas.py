"""JSON Schema as what a model needs of it: type, values, range, structure."""

import math
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
"""A range that begins there is that of any temperature: it says nothing."""

_LONGEST_PATTERN: Final = 40
_DEEPEST: Final = 3


def shape_of(schema: Mapping[str, Any], value: object = None) -> Shape:
    """Return what a schema allows; where it tells no type, that of the value is taken."""
    if isinstance(schema.get("oneOf"), list):
        return Shape(type="object", note=text_of(schema))
    kind = _type(schema) or ("object" if value is None else type_of(value))
    match kind:
        case "number" | "integer":
            return _number(kind, schema)
        case "list":
            return _list(schema)
        case "object":
            return Shape(type="object", note=text_of(schema))
        case "string":
            return Shape(values=_enum(schema), note=_pattern(schema))
        case _:
            return Shape(type=kind)


def text_of(schema: Mapping[str, Any], depth: int = 0) -> str:
    """Return a schema in a few words: `{hue: number, level: integer 0..100}`."""
    if depth >= _DEEPEST:
        return "object"
    if isinstance(choices := schema.get("oneOf"), list):
        texts = [text_of(each, depth + 1) for each in choices if isinstance(each, Mapping)]
        return " or ".join(dict.fromkeys(texts))
    kind = _type(schema)
    if not kind:
        return "any"
    if kind == "object":
        return structure({}, schema, depth)
    if kind == "list":
        items = schema.get("items")
        inner = text_of(items, depth + 1) if isinstance(items, Mapping) else ""
        return f"list of {inner}" if inner else "list"
    return shape_of(schema).said


def structure(known: Mapping[str, Shape | None], schema: Mapping[str, Any], depth: int = 0) -> str:
    """Return the properties of an object; empty when the schema names none.

    `known` has better shapes for some; None for those that are not to be told.
    """
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        return "object" if depth else ""
    needed = schema.get("required")
    required = needed if isinstance(needed, list) and needed else list(properties)
    told = [
        f"{name}{'' if name in required else '?'}: "
        f"{better.said if (better := known.get(name)) else text_of(each, depth + 1)}"
        for name, each in properties.items()
        if isinstance(each, Mapping) and known.get(name, Shape()) is not None
    ]
    return "{" + ", ".join(told) + "}"


def _type(schema: Mapping[str, Any]) -> str:
    told = schema.get("type")
    if isinstance(told, list):
        told = next((each for each in told if each != "null"), None)
    if isinstance(told, str) and told in _TYPES:
        return _TYPES[told]
    if isinstance(schema.get("properties"), Mapping):
        return "object"
    listed = schema.get("enum")
    if isinstance(listed, list) and listed:
        return type_of(listed[0])
    return ""


def _number(kind: str, schema: Mapping[str, Any]) -> Shape:
    low, high = figure(schema.get("minimum")), figure(schema.get("maximum"))
    if low is not None and low <= _ABSOLUTE_ZERO:
        low = high = None
    step = figure(schema.get("multipleOf"))
    return Shape(type=kind, minimum=low, maximum=high, step=step, values=_enum(schema))


def _list(schema: Mapping[str, Any]) -> Shape:
    items = schema.get("items")
    if not isinstance(items, Mapping) or not items:
        return Shape(type="list")
    if (values := _enum(items)) and _type(items) == "string":
        return Shape(type="list", values=values)
    return Shape(type="list", note=text_of(schema))


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


def figure(value: object) -> float | None:
    """Return the value if it is a number that says something, None otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None
