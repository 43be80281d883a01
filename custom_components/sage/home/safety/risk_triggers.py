"""Find the automations that a change of an entity triggers.

This includes triggers for an entity that is computed from it, such as a group or a template sensor,
trigger-based templates with actions, and scripts that run and wait for the change.

A trigger waits for the ids in its configuration: of entities, devices, areas, floors and labels.
Templates are rendered, as Home Assistant does to find out what they listen to.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final

from homeassistant.components.media_player.const import DOMAIN as MEDIA_PLAYER_DOMAIN
from homeassistant.core import HomeAssistant, split_entity_id, valid_entity_id
from homeassistant.exceptions import TemplateError
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.entity_platform import DATA_ENTITY_PLATFORM
from homeassistant.helpers.event import TrackTemplateResultInfo
from homeassistant.helpers.template import Template, render_complex
from homeassistant.loader import IntegrationNotLoaded, async_get_loaded_integration
from homeassistant.util.hass_dict import HassKey

from ..values import leaves
from .action_sequence import mappings_in

_ANY: Final = "*"  # key of triggers for any change
_TARGETS: Final = frozenset({"device_id", "area_id", "floor_id", "label_id"})
_REGISTRY_ID: Final = 32  # length of a registry id in characters
_EVENTS: Final[Mapping[str, str]] = {
    "state_changed": _ANY,
    "call_service": _ANY,
    "automation_triggered": "integration automation",
    "script_started": "integration script",
    "shopping_list_updated": "integration shopping_list",
    "logbook_entry": "integration logbook",
    "knx_event": "integration knx",
    "zwave_js_value_updated": "integration zwave_js",
}
"""Events that commands cause -> key of the entities. Timers have events of their own."""

_PRESSED: Final = frozenset(
    {"button", "input_button", "event", "remote", "scene", MEDIA_PLAYER_DOMAIN}
)
"""Domains of entities whose use may also fire a device trigger without an entity."""

_DEEPEST: Final = 3  # nesting of an integration's own objects that are searched for entity ids


@dataclass(frozen=True, slots=True)
class Cause:
    """A change of an entity, or a fired event, which may trigger automations."""

    entity_id: str
    """Id of the entity; for a call without a target, its name; for an event, `event.<type>`."""

    state: str | None = None  # the new state; None if unknown
    is_of_any_change: bool = False  # whether any change of the home causes this one


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listener:
    """A trigger, or an entity that is computed from other entities."""

    entity_id: str
    sequence: Any = None  # the actions that it runs; None if it runs none
    is_computed: bool = False  # whether its own state changes with what it listens to
    keys: AbstractSet[str] = frozenset()  # what it waits for, as in `_keys_of_entity`
    states: frozenset[str] | None = None  # the states that fire a trigger; None means any state
    template: Template | None = None  # decides what it waits for, instead of `keys`
    variables: Mapping[str, Any] | None = None
    """Variables of the template; None if they are unknown, so that it must not use any."""

    is_automation: bool = False  # whether it belongs to an automation, which may be switched off


_INDEX: Final[HassKey[tuple[tuple[object, ...], list[_Listener]]]] = HassKey("sage_risk_triggers")
"""The trigger configurations, compared by identity, and their triggers."""


class TriggerSearch:
    """Finds the automations that changes of entities trigger, at one moment."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._automations = _entities(hass, "automation")

    def triggered_by(self, cause: Cause) -> dict[str, tuple[Any, bool]]:
        """Return the enabled automations that this change may trigger.

        The dict contains for each entity id the sequence of actions, and whether the change
        triggers it only as any change of the home does. Trigger-based templates with actions, and
        scripts that wait for the change, are included.
        """
        automations: dict[str, tuple[Any, bool]] = {}
        causes, seen = [cause], {cause.entity_id}
        for change in causes if self._listeners else ():
            keys = _keys_of_entity(self._hass, change.entity_id)
            for listener in self._listeners:
                if not (heard := listener.keys & keys) or not self._reacts(listener, change):
                    continue
                is_of_any = change.is_of_any_change or heard == {_ANY}
                _, is_rare = automations.get(listener.entity_id, (None, True))
                if listener.sequence and is_rare:
                    automations[listener.entity_id] = listener.sequence, is_of_any
                if listener.is_computed and listener.entity_id not in seen:
                    seen.add(listener.entity_id)
                    causes.append(Cause(listener.entity_id, None, is_of_any))
        return automations

    def _reacts(self, listener: _Listener, cause: Cause) -> bool:
        if listener.is_automation and not self._hass.states.is_state(listener.entity_id, "on"):
            return False
        return listener.states is None or cause.state is None or cause.state in listener.states

    @cached_property
    def _listeners(self) -> list[_Listener]:
        """All triggers and computed entities, with what their templates listen to now (slow)."""
        triggers = [*self._triggers(), *self._waits()]
        if not triggers and not self._hass.data.get("template"):
            return []
        return [
            replace(each, keys=_keys_of_template(each.template, each.variables))
            if each.template
            else each
            for each in (*triggers, *self._computed())
        ]

    # -------------------------------------------------- triggers

    def _triggers(self) -> list[_Listener]:
        configs = tuple(getattr(each, "_trigger_config", None) for each in self._automations)
        known, triggers = self._hass.data.get(_INDEX, ((), []))
        if list(map(id, known)) != list(map(id, configs)):
            triggers = [
                trigger
                for automation, config in zip(self._automations, configs, strict=True)
                for trigger in _made(
                    config,
                    self._variables(automation),
                    entity_id=automation.entity_id,
                    sequence=_sequence_of(automation, "action_script"),
                    is_automation=True,
                )
            ]
            self._hass.data[_INDEX] = configs, triggers
        return triggers

    def _waits(self) -> Iterator[_Listener]:
        owners = [(each, "action_script") for each in self._automations]
        owners += [(each, "script") for each in _entities(self._hass, "script")]
        for owner, name in owners:
            if not getattr(getattr(owner, name, None), "is_running", False):
                continue
            sequence = _sequence_of(owner, name)
            for step in mappings_in(sequence):
                waits = [*step.get("wait_for_trigger", ())]
                if "wait_template" in step:
                    waits.append({"platform": "template", "value_template": step["wait_template"]})
                yield from _made(waits, None, entity_id=owner.entity_id, sequence=sequence)

    def _variables(self, owner: Any) -> Mapping[str, Any]:
        """Return the variables of an owner's triggers, as Home Assistant makes them."""
        state = self._hass.states.get(getattr(owner, "entity_id", None) or "")
        variables: dict[str, Any] = {"this": state.as_dict() if state else None}
        own = getattr(owner, "_trigger_variables", None)
        try:
            return dict(own.async_render(self._hass, variables, limited=True)) if own else variables
        except TemplateError:
            return variables

    # -------------------------------------------------- computed entities

    def _computed(self) -> Iterator[_Listener]:
        """Yield the entities of helper integrations and of others that only calculate."""
        for name, platforms in self._hass.data.get(DATA_ENTITY_PLATFORM, {}).items():
            try:
                integration = async_get_loaded_integration(self._hass, name)
            except IntegrationNotLoaded:
                continue
            if integration.integration_type == "helper" or integration.iot_class == "calculated":
                for platform in platforms:
                    for entity in platform.entities.values():
                        yield from _sources_of(entity, name)


def _made(configs: object, variables: Mapping[str, Any] | None, **more: Any) -> Iterator[_Listener]:
    for config in configs if isinstance(configs, list | tuple) else ():
        if not isinstance(config, Mapping) or config.get("enabled", True) is False:
            continue
        if config["platform"] == "template":
            template = config["value_template"]
            if not template.is_static:
                yield _Listener(template=template, variables=variables, **more)
            continue
        keys = frozenset(_keys_of_trigger(config, variables or {}))
        yield _Listener(keys=keys, states=_states_of_trigger(config), **more)


def _sources_of(entity: Entity, integration: str) -> Iterator[_Listener]:
    values = vars(entity)
    make = partial(_Listener, entity_id=entity.entity_id, is_computed=True)
    for value in values.values():
        if isinstance(value, TrackTemplateResultInfo):
            heard = value.listeners
            yield make(keys=_keys(heard["entities"], heard["domains"], heard["all"]))  # type: ignore[arg-type]
    if integration == "template":
        # Its configuration contains its actions, too. With triggers, it has a coordinator.
        config = getattr(values.get("coordinator"), "config", {})
        yield from _made(
            config.get("triggers"), {}, sequence=config.get("actions"), **make.keywords
        )
        return
    parts = list(_parts(values, type(entity).__module__.rpartition(".")[0]))
    yield make(keys={each for each in parts if isinstance(each, str)} - {entity.entity_id})
    for part in parts:
        if isinstance(part, Template) and not part.is_static:
            yield make(template=part, variables={})


def _parts(value: Any, package: str, depth: int = 0) -> Iterator[str | Template]:
    """Yield the entity ids and templates in a value, and in objects of the integration itself."""
    match value:
        case str():
            if "." in value and valid_entity_id(value):
                yield value
        case Template():
            yield value
        case Mapping():
            yield from _parts([*value.keys(), *value.values()], package, depth)
        case list() | tuple() | set() | frozenset():
            for item in value:
                yield from _parts(item, package, depth)
        case _ if depth < _DEEPEST and type(value).__module__.startswith(package):
            slots = {name: getattr(value, name, None) for name in getattr(value, "__slots__", ())}
            yield from _parts({**getattr(value, "__dict__", {}), **slots}, package, depth + 1)


def _keys_of_template(template: Template, variables: Mapping[str, Any] | None) -> AbstractSet[str]:
    """Return the keys of what a template listens to: everything if it fails."""
    if variables is None:
        # A rendering that is strict needs a template of its own.
        template = Template(template.template, template.hass)
    info = template.async_render_to_info(variables, strict=variables is None)
    is_of_any = info.all_states or info.exception is not None
    return _keys(info.entities, info.domains | info.domains_lifecycle, is_of_any)


def _keys(
    entities: AbstractSet[str], domains: AbstractSet[str], is_of_any: bool
) -> AbstractSet[str]:
    return {*entities, *(f"domain {each}" for each in domains), *([_ANY] if is_of_any else ())}


def _keys_of_entity(hass: HomeAssistant, entity_id: str) -> AbstractSet[str]:
    """Return the keys of all listeners that a change of this entity may reach.

    Those are the ids of the entity, its device, area, floor and labels, `domain <domain>`,
    `integration <name>`, `pressed <device id>`, and `*` for any change.
    """
    domain = split_entity_id(entity_id)[0]
    entry = er.async_get(hass).async_get(entity_id)
    platform = entry.platform if entry else domain
    keys = {entity_id, _ANY, f"domain {domain}", f"integration {platform}"}
    if entry is None:
        return keys
    device = dr.async_get(hass).async_get(entry.device_id) if entry.device_id else None
    area_id = entry.area_id or (device.area_id if device else None)
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    keys |= {entry.id, *entry.labels}
    if device is not None:
        keys |= {device.id, *device.labels}
        keys |= {f"pressed {device.id}"} if domain in _PRESSED else set()
    if area is not None:
        keys |= {area.id, area.floor_id or "", *area.labels}
    return keys


def _keys_of_trigger(trigger: Mapping[str, Any], variables: Mapping[str, Any]) -> Iterable[str]:
    """Return the keys of all entities whose changes may fire a trigger."""
    platform = str(trigger.get("platform"))
    match platform:
        case "device":
            entity_id, device_id = trigger.get("entity_id"), trigger.get("device_id")
            is_of_values = str(trigger.get("type")).startswith("zwave_js.value_updated")
            return [str(entity_id or (device_id if is_of_values else f"pressed {device_id}"))]
        case "event":
            return _keys_of_event(trigger, variables)
    ids = set(_ids({name: trigger[name] for name in trigger if name != "platform"}))
    # Messages of an integration, such as `knx.telegram`, come from all its entities.
    return ids or {f"integration {platform.partition('.')[0]}"}


def _keys_of_event(trigger: Mapping[str, Any], variables: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of an event trigger.

    An event that only devices and other systems fire has those entities whose ids are in its data.
    """
    try:
        types = render_complex(trigger.get("event_type"), dict(variables), limited=True)
        data = render_complex(trigger.get("event_data") or {}, dict(variables), limited=True)
    except TemplateError:
        yield _ANY
        return
    source = data.get("service_data", data)
    ids = set(_ids({name: source.get(name) for name in ("entity_id", "device_id")}))
    for event in [types] if isinstance(types, str) else types:
        if event.startswith("timer."):
            yield from ids or {"integration timer"}
        elif event in _EVENTS:
            yield from ids or {_EVENTS[event]}
        else:
            yield f"event.{event}"
            yield from _ids(data)


def _states_of_trigger(trigger: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the new states that fire a trigger; None for any state."""
    platform, state = str(trigger.get("platform")), trigger.get("to")
    if platform.endswith((".turned_on", ".turned_off")):
        return frozenset({platform.rpartition("_")[2]})
    if platform != "state" or trigger.get("attribute") or not state:
        return None
    return frozenset(state if isinstance(state, list | tuple) else [state])


def _ids(value: object) -> Iterator[str]:
    for name, leaf in leaves(value):
        text = leaf.template if isinstance(leaf, Template) and leaf.is_static else leaf
        if isinstance(text, str) and (
            name in _TARGETS or len(text) == _REGISTRY_ID or valid_entity_id(text)
        ):
            yield text


def _entities(hass: HomeAssistant, domain: str) -> list[Entity]:
    component = hass.data.get(domain)
    return list(component.entities) if isinstance(component, EntityComponent) else []


def _sequence_of(owner: object, script: str) -> Any:
    return getattr(getattr(owner, script, None), "sequence", None)
