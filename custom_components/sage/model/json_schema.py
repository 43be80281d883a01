"""JSON schemas: their form for an AI Task entity, and replies in the form that they describe."""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

import probatio

from .partial_json import read_json

_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


def fitted(schema: Mapping[str, Any], value: object) -> Any:
    """Return `value` in the form that the JSON schema describes.

    Changes the form only, never the meaning:
    - JSON, numbers and booleans that came as text are parsed
    - a single value becomes a list, or a list with one item a single value
    - optional fields that are null, or empty and not allowed, are removed
    - names of fields may differ in case and separators, or lack the plural's "s"
    - allowed texts (`enum`) may differ in case and separators

    A value that does not fit the schema stays unchanged.
    """
    if choices := schema.get("anyOf"):
        return _chosen(choices, value)
    if "enum" in schema:
        return _allowed(schema["enum"], _single(value))
    kinds = _kinds(schema)
    if not kinds or "string" in kinds:
        # Text may look like JSON.
        return _single(value) if "string" in kinds and "array" not in kinds else value
    if "array" not in kinds:
        value = _parsed(kinds, _single(value))
        return _fields(schema, value) if isinstance(value, dict) else _number(kinds, value)
    value = _parsed(kinds, value)
    if value in (None, "", {}):
        return value
    items = value if isinstance(value, list) else [value]
    return [fitted(schema.get("items", {}), item) for item in items]


def fitted_arguments(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a tool in the form that its JSON schema describes.

    Also removes a superfluous object around all arguments, such as `{"arguments": {...}}`.
    """
    if len(arguments) == 1:
        ((name, inner),) = arguments.items()
        inner = _parsed(("object",), inner)
        if isinstance(inner, dict) and name in ARGUMENT_NAMES and _is_wrapped(schema, name, inner):
            arguments = inner
    return _fields(schema, arguments)


ARGUMENT_NAMES: Final = frozenset(
    {
        "arguments",
        "parameters",
        "input",
        "args",
        "params",
        "kwargs",
        "action_input",
        "tool_input",
        "tool_args",
        "tool_arguments",
        "tool_parameters",
        "function_args",
        "function_arguments",
        "properties",
    }
)
"""Names under which models write the arguments of a tool call."""


def _is_wrapped(schema: Mapping[str, Any], name: str, inner: Mapping[str, Any]) -> bool:
    properties = set(schema.get("properties", ()))
    if name not in properties:
        return inner.keys() <= properties
    others = {each for each in schema.get("required", ()) if each != name}
    return bool(others) and properties >= inner.keys() >= others


def _kinds(schema: Mapping[str, Any]) -> tuple[str, ...]:
    kind = schema.get("type", "object" if "properties" in schema else ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _single(value: object) -> object:
    """Return the item of a list with one item, else `value`."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _parsed(kinds: Sequence[str], value: object) -> object:
    """Return the value of a JSON text, if it has one of these types; else `value`."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    try:
        parsed, end = read_json(text)
    except ValueError:
        return value
    if end == len(text) and (parsed is None or _is_any(kinds, parsed)):
        return parsed
    return value


def _is_any(kinds: Sequence[str], value: object) -> bool:
    if isinstance(value, bool):
        return "boolean" in kinds
    return any(isinstance(value, _TYPES[kind]) for kind in kinds if kind in _TYPES)


def _number(kinds: Sequence[str], value: object) -> object:
    if "integer" in kinds and "number" not in kinds:
        number = _parsed(("number",), value)
        return int(number) if isinstance(number, float) and number.is_integer() else value
    return value


def _allowed(allowed: Sequence[Any], value: object) -> object:
    """Return the one allowed text that differs from `value` in case and separators at most."""
    if value in allowed or not isinstance(value, str):
        return value
    same = [each for each in allowed if isinstance(each, str) and squashed(each) == squashed(value)]
    return same[0] if len(same) == 1 else value


def squashed(text: str) -> str:
    """Return `text` in lower case and without spaces, `_`, `-` and punctuation."""
    return re.sub(r"[\W_]", "", text.casefold())


def _fields(schema: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    properties, required = schema.get("properties", {}), schema.get("required", ())
    is_closed = schema.get("additionalProperties") is False
    named = {_meant(name, properties, value): each for name, each in value.items()}
    fields = {name: fitted(properties.get(name, {}), each) for name, each in named.items()}
    return {
        name: each
        for name, each in fields.items()
        if not _is_nothing(properties.get(name, {}), each)
        or name in required
        or not (name in properties or is_closed)
    }


def _meant(name: str, properties: Mapping[str, Any], value: Mapping[str, Any]) -> str:
    """Return the one missing property that `name` may mean, such as `devices` for `Device`."""
    if name in properties:
        return name
    wanted = (squashed(name), f"{squashed(name)}s")
    meant = [each for each in properties if squashed(each) in wanted and each not in value]
    return meant[0] if len(meant) == 1 else name


def _is_nothing(schema: Mapping[str, Any], value: object) -> bool:
    """Return whether a value means that a field is left out: null, or empty and not allowed."""
    return value is None or (value in ("", [], {}) and not _accepts(schema, value))


def _chosen(choices: Sequence[Mapping[str, Any]], value: object) -> Any:
    """Return `value` in the form of the first alternative that it fits."""
    if isinstance(value, str) and not any(_accepts(each, value) for each in choices):
        kinds = [kind for each in choices for kind in _kinds(each)]
        value = _parsed(kinds, value)
    if isinstance(value, dict):
        chosen = next((each for each in choices if _fits(each, value)), None)
        return value if chosen is None else fitted(chosen, value)
    if any(_accepts(each, value) for each in choices):
        return value
    forms = [form for each in choices if _accepts(each, form := fitted(each, value))]
    return forms[0] if forms and all(form == forms[0] for form in forms) else value


def _accepts(schema: Mapping[str, Any], value: object) -> bool:
    if "enum" in schema:
        return value in schema["enum"]
    return not (kinds := _kinds(schema)) or _is_any(kinds, value)


def _fits(schema: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Return whether the schema is of an object, and the enum fields of `value` match it."""
    if "object" not in _kinds(schema):
        return False
    return all(
        value.get(name) in each["enum"]
        for name, each in schema.get("properties", {}).items()
        if "enum" in each and (name in value or name in schema.get("required", ()))
    )


# ------------------------------------------------------------ structures of AI tasks

_AS_TEXT: Final = {"type": "string", "description": "a JSON object, written as text"}
_SCALARS: Final[Mapping[str, Any]] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": None,
}


class Structure(StrEnum):
    """How much of JSON Schema a provider supports, from most to least."""

    OPEN = "open"
    """The provider supports all JSON schemas."""

    # OpenAI's strict mode needs all field names, and returns null for missing optional fields.
    CLOSED = "closed"
    """The provider supports no objects with arbitrary field names.

    SAGE requests such an object as a string that contains JSON.
    """

    # Gemini in Home Assistant does not support `anyOf`.
    FLAT = "flat"
    """Like CLOSED, but the provider does not support `anyOf`, either.

    SAGE merges the alternatives of `anyOf` into one object. Fields that differ between the
    alternatives become strings that contain JSON.
    """


def structure_of(schema: Mapping[str, Any], kind: Structure) -> probatio.Schema:
    """Return the AI Task structure for a JSON schema whose root is an object.

    `kind`: how much of JSON Schema the provider supports.
    """
    return probatio.Schema(_validator(schema, kind))


def _validator(schema: Mapping[str, Any], kind: Structure) -> Any:
    unknown = object if kind is Structure.OPEN else str
    if choices := schema.get("anyOf"):
        if kind is Structure.FLAT:
            return _validator(_merged(choices), kind)
        return probatio.Any(*(_validator(each, kind) for each in choices))
    if "enum" in schema:
        return probatio.In(list(schema["enum"]))
    match schema.get("type"):
        case "object":
            if "properties" in schema:
                return _object(schema, kind)
            return dict if kind is Structure.OPEN else str
        case "array":
            items = [_validator(schema.get("items", {}), kind)]
            return _bounded(items, probatio.Length, schema.get("minItems"), schema.get("maxItems"))
        case list() as types:
            return probatio.Any(*(_validator({**schema, "type": each}, kind) for each in types))
        case other:
            validator = _SCALARS.get(str(other), unknown)
            least, most = schema.get("minimum"), schema.get("maximum")
            return _bounded(validator, probatio.Range, least, most)


def _bounded(validator: Any, bounds: Any, least: float | None, most: float | None) -> Any:
    if least is None and most is None:
        return validator
    return probatio.All(validator, bounds(min=least, max=most))


def _object(schema: Mapping[str, Any], kind: Structure) -> dict[Any, Any]:
    required = schema.get("required", ())
    fields: dict[Any, Any] = {}
    for name, each in schema["properties"].items():
        marker = probatio.Required if name in required else probatio.Optional
        described = each
        if kind is not Structure.OPEN and each.get("type") == "object" and "properties" not in each:
            # An object with arbitrary field names.
            described = _AS_TEXT
        fields[marker(name, description=described.get("description"))] = _validator(each, kind)
    return fields


def _merged(choices: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return one schema that covers all alternatives of an `anyOf`.

    If the alternatives have different field names, the schema is a string that contains JSON.
    """
    names = {tuple(each.get("properties", ())) for each in choices}
    if len(names) != 1 or names == {()}:
        return _AS_TEXT
    fields = {name: _either([each["properties"][name] for each in choices]) for name in names.pop()}
    required = [name for name in fields if all(name in each["required"] for each in choices)]
    return {"type": "object", "properties": fields, "required": required}


def _either(fields: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    if all("enum" in each for each in fields):
        values = [value for each in fields for value in each["enum"]]
        return {"type": "string", "enum": list(dict.fromkeys(values))}
    return fields[0] if all(each == fields[0] for each in fields) else _AS_TEXT
