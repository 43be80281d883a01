"""Holding objects and lists against the JSON Schema of an argument.

Plain values are checked against the narrowed documentation; what is inside objects
and lists only the definition tells. The cloud checks it badly, and late.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from ..home_types import HomeError

_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "object": (Mapping,),
    "array": (list, tuple),
}


def parsed(value: object) -> object:
    """Return an object or list that was written as JSON text; everything else as it is."""
    if not isinstance(value, str) or not value.strip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def check_shape(name: str, schema: Mapping[str, Any], value: object) -> None:
    """Raise HomeError where an object or list does not fit; `name` is what errors call it.

    Plain values on the outside were checked before, more closely.
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
