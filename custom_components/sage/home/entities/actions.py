"""The Home Assistant actions that an entity supports, and the values of their fields.

The rules are those of Home Assistant's action editor. A selector describes a field; example:
`{"number": {"min": 0, "max": 100}}` is a selector of the kind `number`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ...helpers import Work
from ..home_types import Argument
from ..values import names_in

_NOT_OF_A_DEVICE: Final = frozenset({"homeassistant", "recorder", "logbook"})
"""Domains of generic actions that are not specific to an entity."""

_UNBOUNDED: Final = 1e15  # limits of this size mean "no limit", as Home Assistant's largest integer
REFERENCES: Final = names_in(
    "action area condition config_entry conversation_agent device entity floor label media "
    "numeric_threshold statistic target trigger"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The properties of an entity that SAGE needs to describe its actions and values."""

    entity_id: str
    domain: str
    integration: str
    device_class: str | None = None
    features: int = 0
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """State attributes, plus the entity's capabilities from the entity registry."""

    own_action: str = ""
    """For a script, `<name>` in its action `script.<name>`; unused for other entities."""

    translation_key: str | None = None
    unit: str | None = None
    temperature_unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field (parameter) of a Home Assistant action."""

    name: str
    selector: Mapping[str, Any] | None
    required: bool
    description: str
    example: Any
    default: Any
    condition: Mapping[str, Any]
    """The filter of the field, e.g. `{"attribute": {"supported_color_modes": ["hs", "xy"]}}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An action of Home Assistant that targets entities."""

    domain: str
    name: str
    description: str
    filters: tuple[Mapping[str, Any], ...]
    """The entity filters of the `target`; a filter without a key accepts any value."""

    fields: tuple[Field, ...]


type ActionTable = Mapping[str, tuple[Action, ...]]
"""Entity domain, such as "light", or integration -> the actions for its entities."""


def tabulate(descriptions: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> Work[ActionTable]:
    """Return a dict: entity domain, such as "light" -> actions for its entities.

    If the `target` of an action names an integration but no entity domain, the key is the
    integration. `descriptions`: the result of `async_get_all_descriptions`. Run the generator with
    `async_in_slices`.
    """
    table: dict[str, list[Action]] = {}
    for domain, actions in descriptions.items():
        if domain in _NOT_OF_A_DEVICE:
            continue
        for name, description in actions.items():
            listed = (description.get("target") or {}).get("entity") or ()
            # A filter without domain or integration accepts every entity, so it is ignored.
            filters = tuple(e for e in listed if e.get("integration") or e.get("domain"))
            if not filters:
                continue
            action = Action(
                domain=domain,
                name=name,
                description=str(description.get("description") or ""),
                filters=filters,
                fields=tuple(_fields(description.get("fields") or {})),
            )
            for key in _keys(filters):
                table.setdefault(key, []).append(action)
            yield
    return {key: tuple(actions) for key, actions in table.items()}


def applicable(table: ActionTable, subject: Subject) -> list[Action]:
    """Return the actions that apply to the entity, actions of its own domain first."""
    candidates = [*table.get(subject.domain, ()), *table.get(subject.integration, ())]
    applying = (each for each in candidates if any(accepts(e, subject) for e in each.filters))
    found = {(each.domain, each.name): each for each in applying}
    return sorted(found.values(), key=lambda each: each.domain != subject.domain)


def script_documentation(
    descriptions: Mapping[str, Mapping[str, Mapping[str, Any]]], script: str
) -> tuple[str, tuple[Field, ...]]:
    """Return the description and the fields of the action `script.<script>`."""
    known = descriptions.get("script", {}).get(script, {})
    return str(known.get("description") or ""), tuple(_fields(known.get("fields") or {}))


def accepts(entity_filter: Mapping[str, Any], subject: Subject) -> bool:
    """Return whether an entity fits the filter of a target or field; a missing key fits all."""
    integration = entity_filter.get("integration")
    domains = _listed(entity_filter.get("domain"))
    classes = _listed(entity_filter.get("device_class"))
    features = _listed(entity_filter.get("supported_features"))
    return (
        integration in (None, subject.integration)
        and (not domains or subject.domain in domains)
        and (not classes or subject.device_class in classes)
        and (not features or any(subject.features & mask == mask for mask in features))
        and all(_has_any(subject, *each) for each in (entity_filter.get("attribute") or {}).items())
    )


def _keys(filters: Iterable[Mapping[str, Any]]) -> set[str]:
    keys: set[str] = set()
    for each in filters:
        keys.update(_listed(each.get("domain")) or [each["integration"]])
    return keys


def _fields(fields: Mapping[str, Any]) -> Iterator[Field]:
    for name, config in fields.items():
        if not isinstance(config, Mapping):
            continue
        if "fields" in config:
            yield from _fields(config["fields"])
            continue
        yield Field(
            name=name,
            selector=config.get("selector"),
            required=bool(config.get("required")),
            description=str(config.get("description") or ""),
            example=config.get("example"),
            default=config.get("default"),
            condition=config.get("filter") or {},
        )


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple | set | frozenset) else [value]


def _has_any(subject: Subject, attribute: str, values: Any) -> bool:
    own = map(str, _listed(subject.attributes.get(attribute)))
    return not set(map(str, _listed(values))).isdisjoint(own)


def shape_of(name: str, selector: Mapping[str, Any] | None) -> Argument:
    """Return the argument for an action's field, with its type and possible values.

    `name`: name of the field. The description is the format of the value. Without a `selector`, the
    type is `object`.
    """
    kind, config = next(iter((selector or {"object": {}}).items()))
    config = config or {}
    if (maker := _MAKERS.get(kind)) is not None:
        argument = maker(config)
    else:
        value_type, note = _NOTES.get(kind, ("string", ""))
        argument = Argument(
            type="list" if config.get("multiple") else value_type,
            description=f"list of {note}" if note and config.get("multiple") else note,
            is_reference=kind in REFERENCES or _holds_reference(config),
        )
    is_reference = name in _REFERENCE_NAMES or name.endswith(
        ("_entity_id", "_entity_ids", "_device_id", "_area_id")
    )
    if is_reference and not argument.is_reference:
        kind, note = argument.type, argument.description
        return Argument(name=name, type=kind, description=note, is_reference=True)
    return replace(argument, name=name)


_REFERENCE_NAMES: Final = frozenset(
    {"entity_id", "device_id", "area_id", "floor_id", "label_id", "entities", "target"}
)


def _holds_reference(config: Mapping[str, Any]) -> bool:
    inner = [*config.get("fields", {}).items(), *config.get("choices", {}).items()]
    return any(shape_of(name, field.get("selector")).is_reference for name, field in inner)


_UNITS: Final = {"seconds": "s", "minutes": "min", "hours": "h"}


def _number(config: Mapping[str, Any]) -> Argument:
    step, unit = config.get("step"), config.get("unit_of_measurement") or ""
    return Argument(
        type="number",
        unit=_UNITS.get(unit, unit or None),
        minimum=_limit(config.get("min")),
        maximum=_limit(config.get("max")),
        step=float(step) if isinstance(step, int | float) else None,
    )


def _limit(limit: Any) -> float | None:
    if not isinstance(limit, int | float) or abs(limit) >= _UNBOUNDED:
        return None
    return limit


def _color_temperature(config: Mapping[str, Any]) -> Argument:
    is_kelvin = config.get("unit") == "kelvin"
    low, high = (config.get(end, config.get(f"{end}_mireds")) for end in ("min", "max"))
    return Argument(
        type="integer",
        unit="K" if is_kelvin else "mired",
        minimum=_limit(config.get("min") if is_kelvin else low),
        maximum=_limit(config.get("max") if is_kelvin else high),
    )


def _text_type(config: Mapping[str, Any]) -> str:
    return "list" if config.get("multiple") else "string"


def _select(config: Mapping[str, Any]) -> Argument:
    labels = {
        str(option["value"]): str(option.get("label") or option["value"])
        for option in config.get("options", ())
        if isinstance(option, Mapping)
    }
    options = tuple(labels) or tuple(map(str, config.get("options", ())))
    value_type = _text_type(config)
    if config.get("custom_value"):
        return Argument(
            type=value_type, description=f"such as {', '.join(options[:3])}" if options else ""
        )
    named = (
        f"{value} = {label}"
        for value, label in labels.items()
        if value.casefold().replace("_", " ") != label.casefold()
    )
    return Argument(type=value_type, values=options, description=", ".join(named))


def _constant(config: Mapping[str, Any]) -> Argument:
    value = config.get("value")
    if isinstance(value, bool):
        return Argument(type="boolean", description="true" if value else "false")
    if isinstance(value, int | float):
        return Argument(type="number", minimum=value, maximum=value)
    return Argument(values=(str(value),))


_MAKERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Argument]]] = {
    "boolean": lambda _config: Argument(type="boolean"),
    "color_temp": _color_temperature,
    "constant": _constant,
    "number": _number,
    "select": _select,
    "state": lambda config: Argument(
        type=_text_type(config), state_of=config.get("attribute") or ""
    ),
    "text": lambda config: Argument(type=_text_type(config)),
}
