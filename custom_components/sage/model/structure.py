"""Convert JSON schemas to AI Task structures (probatio schemas)."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

import probatio

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
        described = _AS_TEXT if kind is not Structure.OPEN and _is_open(each) else each
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


def _is_open(schema: Mapping[str, Any]) -> bool:
    """Return whether the schema describes an object with arbitrary field names."""
    return schema.get("type") == "object" and "properties" not in schema
