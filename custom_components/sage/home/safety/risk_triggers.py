"""Find the automations that a change of an entity triggers.

This includes triggers for a group that contains the entity. It does not include triggers for an
entity that is computed from it, such as a template sensor.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from homeassistant.components.group import groups_with_entity
from homeassistant.core import HomeAssistant, callback, split_entity_id
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.template import Template
from homeassistant.util.hass_dict import HassKey

_ENTITY_ID: Final = re.compile(r"[a-z0-9_]+\.[a-z0-9_]+")
_PLACES: Final = ("device_id", "area_id", "floor_id", "label_id")
_ANY: Final = "*"
"""Index key of triggers for any entity."""

_EVENTS_OF_ANY: Final = frozenset({"state_changed", "state_reported", "call_service"})
_STATES: Final[Mapping[str, str]] = {"turn_on": "on", "turn_off": "off"}
_PRESSED: Final = frozenset({"button", "input_button", "event", "remote", "scene"})
"""Domains of entities whose use may also fire a device trigger."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A change of an entity, which may trigger automations."""

    entity_id: str
    state: str | None
    """The new state; None if unknown."""

    @classmethod
    def of(cls, entity_id: str, service: str) -> Self:
        """Return the change that a service call causes: `turn_on` -> state `on`.

        The state is None for services other than `turn_on` and `turn_off`.
        """
        return cls(entity_id, _STATES.get(service))


@dataclass(frozen=True, slots=True)
class Automation:
    """An enabled automation and its actions."""

    entity_id: str
    sequence: Any
    is_of_any_change: bool = False
    """Whether the change triggers it only as any change of the home does."""


@dataclass(frozen=True, slots=True)
class _Trigger:
    entity: Any
    """The entity of the automation."""

    states: frozenset[str] | None
    """The states that fire the trigger; None means any state."""

    def waits_for(self, cause: Cause) -> bool:
        return self.states is None or cause.state is None or cause.state in self.states


@dataclass(frozen=True, slots=True)
class _Index:
    """Automation triggers by entity id, registry id, area, floor, label or `*` (any entity)."""

    configs: tuple[object, ...]
    """The trigger configurations of all automations at build time, compared by identity."""

    triggers: Mapping[str, tuple[_Trigger, ...]]

    def is_of(self, configs: tuple[object, ...]) -> bool:
        return len(configs) == len(self.configs) and all(
            one is other for one, other in zip(configs, self.configs, strict=True)
        )


_INDEX: Final[HassKey[_Index]] = HassKey("sage_risk_triggers")


@callback
def triggered_by(hass: HomeAssistant, cause: Cause) -> list[Automation]:
    """Return the enabled automations that this change may trigger, without duplicates."""
    triggers = _index(hass).triggers
    if not triggers:
        return []
    found: dict[str, Automation] = {}
    groups = groups_with_entity(hass, cause.entity_id)
    for each in (cause, *(Cause(group, None) for group in groups)):
        for key in _keys_of(hass, each.entity_id):
            for trigger in triggers.get(key, ()):
                entity_id = trigger.entity.entity_id
                if trigger.waits_for(each) and hass.states.is_state(entity_id, "on"):
                    script = getattr(trigger.entity, "action_script", None)
                    sequence = getattr(script, "sequence", None)
                    is_known = entity_id in found and not found[entity_id].is_of_any_change
                    is_of_any = key == _ANY and not is_known
                    found[entity_id] = Automation(entity_id, sequence, is_of_any)
    return list(found.values())


def _keys_of(hass: HomeAssistant, entity_id: str) -> Iterator[str]:
    yield from (_ANY, entity_id)
    if (entry := er.async_get(hass).async_get(entity_id)) is None:
        return
    device = dr.async_get(hass).async_get(entry.device_id) if entry.device_id else None
    area_id = entry.area_id or (device.area_id if device else None)
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    yield entry.id
    labels = entry.labels | (device.labels if device else set()) | (area.labels if area else set())
    yield from (f"label_id {label}" for label in labels)
    if device is not None:
        yield f"device_id {device.id}"
        if split_entity_id(entity_id)[0] in _PRESSED:
            yield f"pressed {device.id}"
    if area is not None:
        yield f"area_id {area.id}"
        yield f"floor_id {area.floor_id}"


def _index(hass: HomeAssistant) -> _Index:
    component = hass.data.get("automation")
    entities = list(component.entities) if isinstance(component, EntityComponent) else []
    configs = tuple(getattr(entity, "_trigger_config", None) for entity in entities)
    index = hass.data.get(_INDEX)
    if index is None or not index.is_of(configs):
        index = hass.data[_INDEX] = _Index(configs, _triggers(entities, configs))
    return index


def _triggers(
    entities: Iterable[object], configs: Iterable[object]
) -> dict[str, tuple[_Trigger, ...]]:
    found: dict[str, list[_Trigger]] = {}
    for entity, config in zip(entities, configs, strict=True):
        for each in config if isinstance(config, list | tuple) else ():
            if isinstance(each, Mapping) and each.get("enabled", True) is not False:
                trigger = _Trigger(entity, _states(each))
                for key in set(_keys(each)):
                    found.setdefault(key, []).append(trigger)
    return {key: tuple(triggers) for key, triggers in found.items()}


def _states(trigger: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the states in `to` of a state trigger; None for any state."""
    wanted = trigger.get("to")
    if trigger.get("platform") != "state" or trigger.get("attribute") or not wanted:
        return None
    return frozenset(wanted if isinstance(wanted, list | tuple) else [wanted])


def _keys(trigger: Mapping[str, Any]) -> Iterator[str]:
    """Yield the index keys of a trigger: entity ids, registry ids, places."""
    platform = trigger.get("platform")
    if platform == "device":
        entity_id = trigger.get("entity_id")
        yield entity_id if isinstance(entity_id, str) else f"pressed {trigger.get('device_id')}"
        return
    texts = list(_texts(trigger))
    ids = {text for text in texts if len(text) == _REGISTRY_ID}
    ids |= {found for text in texts for found in _ENTITY_ID.findall(text)}
    yield from ids
    target = trigger.get("target")
    for name in _PLACES:
        values = target.get(name) if isinstance(target, Mapping) else None
        for value in [values] if isinstance(values, str) else values or ():
            yield f"{name} {value}"
    if platform == "event" and not ids:
        events = set(_texts(trigger.get("event_type")))
        if events & _EVENTS_OF_ANY:
            yield _ANY


_REGISTRY_ID: Final = 32
"""Length of a registry id in characters."""


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case Template():
            yield value.template
        case Mapping():
            for each in value.values():
                yield from _texts(each)
        case list() | tuple() | set() | frozenset():
            for each in value:
                yield from _texts(each)
