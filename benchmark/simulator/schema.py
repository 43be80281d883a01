"""Validation of values against a JSON Schema (draft 4)."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

type Schema = Mapping[str, Any]

_TYPES: Mapping[str, Callable[[object], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: (
        (isinstance(value, int) and not isinstance(value, bool))
        or (isinstance(value, float) and value.is_integer())
    ),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "null": lambda value: value is None,
}


def faults(value: object, schema: Schema, path: str) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a value: where, and a sentence without the place."""
    wanted = schema.get("type")
    if wanted is not None and not _is_one_of(value, wanted):
        yield path, f"{_type_name(value)} found, {_names(wanted)} expected"
        return
    if "enum" in schema and value not in schema["enum"]:
        options = ", ".join(str(option) for option in schema["enum"])
        yield path, f"does not have a value in the enumeration [{options}]"
    if isinstance(value, str):
        yield from _text_faults(value, schema, path)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _number_faults(value, schema, path)
    elif isinstance(value, dict):
        yield from _object_faults(value, schema, path)
    elif isinstance(value, list):
        yield from _list_faults(value, schema, path)


def _is_one_of(value: object, wanted: str | Sequence[str]) -> bool:
    names = [wanted] if isinstance(wanted, str) else wanted
    return any(_TYPES[name](value) for name in names if name in _TYPES)


def _names(wanted: str | Sequence[str]) -> str:
    return wanted if isinstance(wanted, str) else "[" + ", ".join(wanted) + "]"


def _type_name(value: object) -> str:
    return next(name for name, fits in _TYPES.items() if fits(value))


def _text_faults(value: str, schema: Schema, path: str) -> Iterator[tuple[str, str]]:
    if len(value) < schema.get("minLength", 0):
        yield path, f"must be at least {schema['minLength']} characters long"
    if "maxLength" in schema and len(value) > schema["maxLength"]:
        yield path, f"may only be {schema['maxLength']} characters long"
    pattern = schema.get("pattern")
    if pattern is not None and not re.search(pattern, value):
        yield path, f"does not match the regex pattern {pattern}"


def _number_faults(value: float, schema: Schema, path: str) -> Iterator[tuple[str, str]]:
    if "minimum" in schema and value < schema["minimum"]:
        yield path, f"must have a minimum value of {schema['minimum']}"
    if "maximum" in schema and value > schema["maximum"]:
        yield path, f"must have a maximum value of {schema['maximum']}"


def _object_faults(
    value: Mapping[str, object], schema: Schema, path: str
) -> Iterator[tuple[str, str]]:
    properties: Mapping[str, Schema] = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path}.{name}", "is missing but it is required"
    for name, inner in value.items():
        if name in properties:
            yield from faults(inner, properties[name], f"{path}.{name}")
        elif schema.get("additionalProperties") is False:
            text = "is not defined in the schema and the schema does not allow it"
            yield f"{path}.{name}", text


def _list_faults(value: list[object], schema: Schema, path: str) -> Iterator[tuple[str, str]]:
    if len(value) < schema.get("minItems", 0):
        yield path, f"there must be a minimum of {schema['minItems']} items in the array"
    if "maxItems" in schema and len(value) > schema["maxItems"]:
        yield path, f"there must be a maximum of {schema['maxItems']} items in the array"
    inner = schema.get("items")
    if isinstance(inner, Mapping):
        for index, item in enumerate(value):
            yield from faults(item, inner, f"{path}[{index}]")
