"""Describe JSON schemas of SmartThings capabilities as text for the model, and check values.

It checks only objects and lists; `commands.validation.validated` checks all other values.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..home_types import HomeError
from ..shape import Shape, type_of

_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (Mapping,),
    "array": (list, tuple),
}

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
    if isinstance(schema.get("oneOf"), list):
        return Shape(type="object", note=schema_text(schema))
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
    """Return a schema as a short text, such as `{hue: number, level: integer 0..100}`.

    `depth`: the number of surrounding schemas; from 3 on, the text is only `object`.
    """
    if depth >= _DEEPEST:
        return "object"
    if isinstance(choices := schema.get("oneOf"), list):
        texts = [schema_text(each, depth + 1) for each in choices if isinstance(each, Mapping)]
        return " or ".join(dict.fromkeys(texts))
    kind = _type(schema)
    if not kind:
        return "any"
    if kind == "object":
        return structure(schema, depth)
    if kind == "list":
        items = schema.get("items")
        inner = schema_text(items, depth + 1) if isinstance(items, Mapping) else ""
        return f"list of {inner}" if inner else "list"
    return shape_of(schema).said


def structure(schema: Mapping[str, Any], depth: int = 0) -> str:
    """Return the properties of an object schema as text, such as `{hue: number, level?: integer}`.

    `?` marks optional properties. Without properties, the text is "object", or empty at `depth` 0.
    """
    properties = schema.get("properties")
    if not isinstance(properties, Mapping) or not properties:
        return "object" if depth else ""
    needed = schema.get("required")
    required = needed if isinstance(needed, list) and needed else list(properties)
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
    low, high = _figure(schema.get("minimum")), _figure(schema.get("maximum"))
    if low is not None and low <= _ABSOLUTE_ZERO:
        low = high = None
    step = _figure(schema.get("multipleOf"))
    return Shape(type=kind, minimum=low, maximum=high, step=step, values=_enum(schema))


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


def _figure(value: object) -> float | None:
    """Return a finite number, or None for any other value."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None


def parsed(value: object) -> object:
    """Return the parsed object or list if the value is JSON text, else the value unchanged."""
    if not isinstance(value, str) or not value.strip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def check_shape(name: str, schema: Mapping[str, Any], value: object) -> None:
    """Raise HomeError if `value` does not fit an object or list schema; ignore other schemas.

    `name`: the name of the argument, for the text of the error.
    """
    if schema.get("type") == "object":
        _check_object(name, schema, value)
    elif schema.get("type") == "array":
        _check_list(name, schema, value)


def _check(name: str, schema: Mapping[str, Any], value: object) -> None:
    kind = schema.get("type")
    wanted = _KINDS.get(kind, ()) if isinstance(kind, str) else ()
    if wanted and (
        not isinstance(value, wanted) or (kind != "boolean" and isinstance(value, bool))
    ):
        raise HomeError(f"{name} must be of type {kind}, not {value!r}.")
    options = schema.get("enum")
    if isinstance(options, list) and value not in options:
        raise HomeError(f"{name} cannot be {value!r}. It must be one of: {_listed(options)}.")
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = schema.get("minimum"), schema.get("maximum")
        if (low is not None and value < low) or (high is not None and value > high):
            raise HomeError(f"{name} must be {_range(low, high)}, not {value}.")
    check_shape(name, schema, value)


def _check_object(name: str, schema: Mapping[str, Any], value: object) -> None:
    parts: Mapping[str, Any] = schema.get("properties") or {}
    if not isinstance(value, Mapping):
        raise HomeError(
            f"{name} must be an object{f' with {_listed(parts)}' if parts else ''}, not {value!r}."
        )
    missing = [each for each in schema.get("required") or () if each not in value]
    if missing:
        raise HomeError(f"{name} needs {_listed(missing)}, too.")
    for part, inner in value.items():
        if part in parts:
            _check(f"{name}.{part}", parts[part], inner)
        elif parts and schema.get("additionalProperties") is False:
            raise HomeError(f"{name} has no part {part}. It takes: {_listed(parts)}.")


def _check_list(name: str, schema: Mapping[str, Any], value: object) -> None:
    if not isinstance(value, list | tuple):
        raise HomeError(f"{name} must be a list, not {value!r}.")
    items = schema.get("items")
    if isinstance(items, Mapping):
        for place, each in enumerate(value):
            _check(f"{name}[{place}]", items, each)


def _range(low: object, high: object) -> str:
    if low is None:
        return f"at most {high}"
    return f"at least {low}" if high is None else f"{low}..{high}"


def _listed(values: object) -> str:
    return ", ".join(str(each) for each in values)  # type: ignore[attr-defined]
