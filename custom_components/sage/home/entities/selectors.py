"""Convert Home Assistant selectors into argument shapes: type, range and options.

Example: `{"number": {"min": 0, "max": 100}}` is a selector of the kind `number`.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..shape import Shape

_UNBOUNDED: Final = 1e15
"""Limits of at least this size mean "no limit"; Home Assistant uses the largest integer."""

REFERENCES: Final = frozenset(
    {
        "action",
        "area",
        "condition",
        "config_entry",
        "conversation_agent",
        "device",
        "entity",
        "floor",
        "label",
        "media",
        "numeric_threshold",
        "statistic",
        "target",
        "trigger",
    }
)
"""Kinds of selectors whose values may contain ids or names from the home."""

_NOTES: Final[Mapping[str, tuple[str, str]]] = {
    "area": ("string", "area id"),
    "color_rgb": ("list", "[red, green, blue], each 0..255"),
    "country": ("string", "country code such as DE"),
    "date": ("string", "YYYY-MM-DD"),
    "datetime": ("string", "YYYY-MM-DD HH:MM:SS"),
    "device": ("string", "device id"),
    "duration": ("string", "HH:MM:SS"),
    "entity": ("string", "entity id"),
    "floor": ("string", "floor id"),
    "icon": ("string", "such as mdi:lamp"),
    "label": ("string", "label id"),
    "language": ("string", "language code such as en"),
    "location": ("object", "latitude and longitude"),
    "media": ("object", "media_content_id and media_content_type"),
    "object": ("object", ""),
    "statistic": ("string", "statistic id"),
    "target": ("object", "entity_id, device_id or area_id"),
    "template": ("string", "template"),
    "time": ("string", "HH:MM:SS"),
    "trigger": ("object", ""),
    "action": ("object", ""),
    "condition": ("object", ""),
    "choose": ("object", ""),
    "numeric_threshold": ("object", ""),
}
"""Kind of selector -> (type of the value, format of the value)."""


def shape_of(name: str, selector: Mapping[str, Any] | None) -> Shape:
    """Return the type and possible values of an action's field.

    `name`: name of the field. Without a `selector`, the type is `object`.
    """
    kind, config = next(iter((selector or {"object": {}}).items()))
    config = config or {}
    if (maker := _MAKERS.get(kind)) is not None:
        shape = maker(config)
    else:
        value_type, note = _NOTES.get(kind, ("string", ""))
        shape = Shape(
            type="list" if config.get("multiple") else value_type,
            note=f"list of {note}" if note and config.get("multiple") else note,
            is_reference=kind in REFERENCES or _holds_reference(config),
        )
    is_reference = name in _REFERENCE_NAMES or name.endswith(
        ("_entity_id", "_entity_ids", "_device_id", "_area_id")
    )
    if is_reference and not shape.is_reference:
        return Shape(type=shape.type, note=shape.note, is_reference=True)
    return shape


_REFERENCE_NAMES: Final = frozenset(
    {"entity_id", "device_id", "area_id", "floor_id", "label_id", "entities", "target"}
)


def _holds_reference(config: Mapping[str, Any]) -> bool:
    """Return whether a nested selector selects an entity, a device or an area."""
    inner = [*config.get("fields", {}).items(), *config.get("choices", {}).items()]
    return any(shape_of(name, field.get("selector")).is_reference for name, field in inner)


def _number(config: Mapping[str, Any]) -> Shape:
    step = config.get("step")
    return Shape(
        type="number",
        unit=_unit(config.get("unit_of_measurement")),
        minimum=_limit(config.get("min")),
        maximum=_limit(config.get("max")),
        step=float(step) if isinstance(step, int | float) else None,
    )


def _unit(unit: str | None) -> str | None:
    return {"seconds": "s", "minutes": "min", "hours": "h"}.get(unit or "", unit)


def _limit(limit: Any) -> float | None:
    if not isinstance(limit, int | float) or abs(limit) >= _UNBOUNDED:
        return None
    return limit


def _color_temperature(config: Mapping[str, Any]) -> Shape:
    if config.get("unit") == "kelvin":
        return Shape(
            type="integer",
            unit="K",
            minimum=_limit(config.get("min")),
            maximum=_limit(config.get("max")),
        )
    return Shape(
        type="integer",
        unit="mired",
        minimum=_limit(config.get("min", config.get("min_mireds"))),
        maximum=_limit(config.get("max", config.get("max_mireds"))),
    )


def _select(config: Mapping[str, Any]) -> Shape:
    labels = {
        str(option["value"]): str(option.get("label") or option["value"])
        for option in config.get("options", ())
        if isinstance(option, Mapping)
    }
    options = tuple(labels) or tuple(map(str, config.get("options", ())))
    value_type = "list" if config.get("multiple") else "string"
    if config.get("custom_value"):
        return Shape(type=value_type, note=f"such as {', '.join(options[:3])}" if options else "")
    named = (
        f"{value} = {label}"
        for value, label in labels.items()
        if value.casefold().replace("_", " ") != label.casefold()
    )
    return Shape(type=value_type, values=options, note=", ".join(named))


def _text(config: Mapping[str, Any]) -> Shape:
    return Shape(type="list" if config.get("multiple") else "string")


def _constant(config: Mapping[str, Any]) -> Shape:
    value = config.get("value")
    if isinstance(value, bool):
        return Shape(type="boolean", note="true" if value else "false")
    if isinstance(value, int | float):
        return Shape(type="number", minimum=value, maximum=value)
    return Shape(values=(str(value),))


def _state(config: Mapping[str, Any]) -> Shape:
    return Shape(
        type="list" if config.get("multiple") else "string",
        state_of=config.get("attribute") or "",
    )


_MAKERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Shape]]] = {
    "boolean": lambda _config: Shape(type="boolean"),
    "color_temp": _color_temperature,
    "constant": _constant,
    "number": _number,
    "select": _select,
    "state": _state,
    "text": _text,
}
