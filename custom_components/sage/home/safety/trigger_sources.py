"""Find out what triggers and computed entities, such as template sensors, listen to.

What a trigger waits for is a key: an entity id, a registry id, `area_id <id>`, `integration
<name>`. Templates are rendered, as Home Assistant does to find out what they listen to.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final, Self

from homeassistant.components.media_player.const import DOMAIN as MEDIA_PLAYER_DOMAIN
from homeassistant.core import HomeAssistant, split_entity_id, valid_entity_id
from homeassistant.exceptions import TemplateError
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import DATA_ENTITY_PLATFORM
from homeassistant.helpers.event import TrackTemplateResultInfo
from homeassistant.helpers.template import Template, render_complex
from homeassistant.loader import (
    DATA_COMPONENTS,
    IntegrationNotLoaded,
    async_get_loaded_integration,
)

ANY: Final = "*"
"""Key of triggers for any change."""

EVENT: Final = "event."
"""Begin of the key of an event that automations may fire."""

_PLACES: Final = ("device_id", "area_id", "floor_id", "label_id")
_REGISTRY_ID: Final = 32
"""Length of a registry id in characters."""

_EVENTS: Final[Mapping[str, str]] = {
    "state_changed": ANY,
    "call_service": ANY,
    "automation_triggered": "integration automation",
    "script_started": "integration script",
    "shopping_list_updated": "integration shopping_list",
    "logbook_entry": "integration logbook",
    "knx_event": "integration knx",
    "zwave_js_value_updated": "integration zwave_js",
}
"""Events that commands cause -> key of the entities. Timers have events of their own."""

_STATES: Final = {"turned_on": "on", "turned_off": "off"}
_PRESSED: Final = frozenset(
    {"button", "input_button", "event", "remote", "scene", MEDIA_PLAYER_DOMAIN}
)
"""Domains of entities whose use may also fire a device trigger without an entity."""


def keys_of_entity(hass: HomeAssistant, entity_id: str) -> Iterator[str]:
    """Yield the keys of all triggers that a change of this entity may fire, `ANY` last.

    For a call without a target, `entity_id` is the name of the action.
    """
    domain = split_entity_id(entity_id)[0]
    entry = er.async_get(hass).async_get(entity_id)
    yield from (entity_id, f"integration {entry.platform if entry else domain}")
    if entry is not None:
        yield from _keys_of_entry(hass, entry)
    yield ANY


def _keys_of_entry(hass: HomeAssistant, entry: er.RegistryEntry) -> Iterator[str]:
    device = dr.async_get(hass).async_get(entry.device_id) if entry.device_id else None
    area_id = entry.area_id or (device.area_id if device else None)
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    yield entry.id
    labels = entry.labels | (device.labels if device else set()) | (area.labels if area else set())
    yield from (f"label_id {label}" for label in labels)
    if device is not None:
        yield f"device_id {device.id}"
        if entry.domain in _PRESSED:
            yield f"pressed {device.id}"
    if area is not None:
        yield f"area_id {area.id}"
        yield f"floor_id {area.floor_id}"


def keys_of_trigger(trigger: Mapping[str, Any], variables: Mapping[str, Any]) -> set[str]:
    """Return the keys of all entities whose changes may fire a trigger."""
    platform = str(trigger.get("platform"))
    match platform:
        case "device":
            return {_device_key(trigger)}
        case "event":
            return set(_event_keys(trigger, variables))
        case "template":
            return set()
    parts = (trigger, trigger.get("options"), trigger.get("target"))
    keys = {
        f"{name} {value}"
        for part in parts
        if isinstance(part, Mapping)
        for name in _PLACES
        for value in _listed(part.get(name))
    }
    keys |= set(_ids(trigger))
    # Messages of an integration, such as `knx.telegram`, come from all its entities.
    return keys or {f"integration {platform.partition('.')[0]}"}


def states_of_trigger(trigger: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the new states that fire a trigger; None for any state."""
    platform, wanted = str(trigger.get("platform")), trigger.get("to")
    if (state := _STATES.get(platform.partition(".")[2])) is not None:
        return frozenset({state})
    if platform != "state" or trigger.get("attribute") or not wanted:
        return None
    return frozenset(wanted if isinstance(wanted, list | tuple) else [wanted])


def domains_of_trigger(hass: HomeAssistant, trigger: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the domains of the entities that a trigger with a target can wait for.

    None if they are not known: then it may wait for entities of all domains.
    """
    domain, _, name = str(trigger.get("platform")).partition(".")
    module = hass.data.get(DATA_COMPONENTS, {}).get(f"{domain}.trigger")
    specifications = getattr(getattr(module, "TRIGGERS", {}).get(name), "_domain_specs", None)
    return frozenset(specifications) if isinstance(specifications, Mapping) else None


def _device_key(trigger: Mapping[str, Any]) -> str:
    entity_id, device_id = trigger.get("entity_id"), trigger.get("device_id")
    if isinstance(entity_id, str):
        return entity_id
    is_of_values = str(trigger.get("type")).startswith("zwave_js.value_updated")
    return f"device_id {device_id}" if is_of_values else f"pressed {device_id}"


def _event_keys(trigger: Mapping[str, Any], variables: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of an event trigger.

    An event that only devices and other systems fire has those entities whose ids are in its data.
    """
    try:
        types = render_complex(trigger.get("event_type"), dict(variables), limited=True)
        data = render_complex(trigger.get("event_data"), dict(variables), limited=True)
    except TemplateError:
        yield ANY
        return
    data = data if isinstance(data, Mapping) else {}
    called = data.get("service_data")
    source = called if isinstance(called, Mapping) else data
    named = set(_ids({name: source.get(name) for name in ("entity_id", "device_id")}))
    for event in _listed(types):
        if event.startswith("timer."):
            yield from named or {"integration timer"}
        elif event in _EVENTS:
            yield from named or {_EVENTS[event]}
        else:
            yield f"{EVENT}{event}"
            yield from _ids(data)


def _listed(value: object) -> list[str]:
    listed = value if isinstance(value, list | tuple | set | frozenset) else [value]
    return [each for each in listed if isinstance(each, str)]


def _ids(value: object) -> Iterator[str]:
    """Yield all texts in a value that are an entity id or the id of a registry."""
    match value:
        case str():
            if len(value) == _REGISTRY_ID or valid_entity_id(value):
                yield value
        case Template():
            if value.is_static:
                yield from _ids(value.template)
        case Mapping():
            for item in value.values():
                yield from _ids(item)
        case list() | tuple() | set() | frozenset():
            for item in value:
                yield from _ids(item)


_DEEPEST: Final = 3
"""Nesting of an integration's own objects that are searched for entity ids."""


@dataclass(frozen=True, slots=True)
class Listening:
    """The changes that something listens to."""

    entities: AbstractSet[str] = frozenset()
    domains: AbstractSet[str] = frozenset()
    is_of_any: bool = False
    """Whether it listens to all entities."""

    @classmethod
    def of_template(
        cls, template: Template, variables: Mapping[str, Any], *, strict: bool = False
    ) -> Self:
        """Return what a template listens to; a template that fails listens to all entities.

        With `strict`, a template with an unknown variable fails.
        """
        if strict:
            template = Template(template.template, template.hass)
        info = template.async_render_to_info(dict(variables), strict=strict)
        is_of_any = info.all_states or info.exception is not None
        return cls(info.entities, info.domains | info.domains_lifecycle, is_of_any)

    def names(self, entity_id: str) -> bool:
        """Return whether it listens to this entity in particular, or to its domain."""
        return entity_id in self.entities or split_entity_id(entity_id)[0] in self.domains


def followers(hass: HomeAssistant) -> list[tuple[str, Listening]]:
    """Return the ids of all entities that are computed from others, with what they listen to.

    These are the entities of helper integrations and of other integrations that only calculate.
    """
    found: list[tuple[str, Listening]] = []
    for name, platforms in hass.data.get(DATA_ENTITY_PLATFORM, {}).items():
        if not _calculates(hass, name):
            continue
        for platform in platforms:
            found += [
                (entity_id, listening)
                for entity_id, entity in platform.entities.items()
                for listening in _listening_of(entity, name)
            ]
    return found


def _calculates(hass: HomeAssistant, name: str) -> bool:
    try:
        integration = async_get_loaded_integration(hass, name)
    except IntegrationNotLoaded:
        return False
    return integration.integration_type == "helper" or integration.iot_class == "calculated"


def _listening_of(entity: Entity, integration: str) -> Iterator[Listening]:
    attributes = vars(entity)
    for value in attributes.values():
        if isinstance(value, TrackTemplateResultInfo):
            listeners = value.listeners
            yield Listening(listeners["entities"], listeners["domains"], listeners["all"])  # type: ignore[arg-type]
    if integration == "template":
        # Its configuration contains its actions, too.
        return
    parts = list(_parts(attributes, type(entity).__module__.rpartition(".")[0]))
    ids = {each for each in parts if isinstance(each, str)} - {entity.entity_id}
    if ids:
        yield Listening(ids)
    for part in parts:
        if isinstance(part, Template) and not part.is_static:
            yield Listening.of_template(part, {})


def _parts(value: Any, package: str, depth: int = 0) -> Iterator[str | Template]:
    """Yield the entity ids and templates in a value, and in objects of the integration itself."""
    match value:
        case str():
            if "." in value and valid_entity_id(value):
                yield value
        case Template():
            yield value
        case Mapping():
            for name, item in value.items():
                yield from _parts(name, package, depth)
                yield from _parts(item, package, depth)
        case list() | tuple() | set() | frozenset():
            for item in value:
                yield from _parts(item, package, depth)
        case _ if depth < _DEEPEST and type(value).__module__.startswith(package):
            yield from _parts(getattr(value, "__dict__", {}), package, depth + 1)
            slots = getattr(type(value), "__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                yield from _parts(getattr(value, name, None), package, depth + 1)
