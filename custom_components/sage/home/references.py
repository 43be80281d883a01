"""What scripts, scenes, groups and automations set off, and how risky that is.

Exposing a script, a scene or a group consents to what it does: its members need
not be exposed. But what it reaches raises its risk class, and what cannot be found
out counts as risky (DESIGN 5, the gate).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.entity_platform import async_get_platforms

from .action_sequence import Call, DeviceAction, SceneStep, calls_of
from .file_paths import leaves_media_folders
from .model import RiskClass
from .risk import risk_of, risk_of_state, worst_of, worst_risk
from .targets import is_all, targeted_entities

_MAX_DEPTH: Final = 12
"""Scripts in scripts; what lies deeper counts as not found out."""

_BUTTONS: Final = frozenset({"button", "input_button"})
_RUNNING: Final = frozenset({"turn_on", "toggle", "trigger", "activate"})
_STATES_ONLY: Final = frozenset({"turn_on", "turn_off", "toggle", "update_entity"})


def _listed(names: str) -> frozenset[str]:
    return frozenset(names.split(","))


_KNOWN_DOMAINS: Final = _listed(
    "light,switch,fan,cover,valve,lock,alarm_control_panel,climate,humidifier,water_heater,"
    "vacuum,lawn_mower,media_player,remote,siren,camera,select,number,text,date,time,"
    "datetime,button,update,input_boolean,input_button,input_number,input_select,input_text,"
    "input_datetime,counter,timer,todo,calendar,automation,script,scene,group,homeassistant,"
    "weather,event,schedule"
)
"""Domains whose services act on the entities they name, and on nothing else."""

_HARMLESS_DOMAINS: Final = _listed(
    "notify,persistent_notification,tts,logbook,shopping_list,assist_satellite,counter,timer,"
    "todo,input_text,input_datetime,system_log,weather,chime,light"
)
"""Domains that do nothing risky whatever they are aimed at."""

_SILENT: Final = frozenset({("scene", "create"), ("scene", "delete"), ("group", "remove")})

_DEVICE_SERVICES: Final[Mapping[str, Mapping[str, str]]] = {
    "cover": {
        "open": "open_cover",
        "close": "close_cover",
        "stop": "stop_cover",
        "open_tilt": "open_cover_tilt",
        "close_tilt": "close_cover_tilt",
        "set_position": "set_cover_position",
        "set_tilt_position": "set_cover_tilt_position",
    },
    "alarm_control_panel": {
        "arm_away": "alarm_arm_away",
        "arm_home": "alarm_arm_home",
        "arm_night": "alarm_arm_night",
        "arm_vacation": "alarm_arm_vacation",
        "disarm": "alarm_disarm",
        "trigger": "alarm_trigger",
    },
    "valve": {"open": "open_valve", "close": "close_valve", "set_position": "set_valve_position"},
}


@dataclass(slots=True)
class Effects:
    """What an action reaches, directly and through what it sets off."""

    entities: set[str] = field(default_factory=set)
    """Ids of the entities it acts on, members of groups and scenes included."""

    risks: dict[RiskClass, set[str]] = field(default_factory=dict)
    """Risk class -> ids of the entities for which it holds."""

    unresolved: list[str] = field(default_factory=list)
    """What could not be found out, in words."""

    @property
    def risk(self) -> RiskClass | None:
        """The worst risk class; None when nothing risky is reached."""
        return worst_of((*self.risks, RiskClass.UNRESOLVED if self.unresolved else None))

    @property
    def at_risk(self) -> frozenset[str]:
        """The entities for which the worst risk class holds."""
        return frozenset(self.risks.get(self.risk, ())) if self.risk else frozenset()

    def is_covered_by(self, agreed: Effects | None) -> bool:
        """Tell whether all that is risky here was agreed to."""
        if self.risk is None:
            return True
        if agreed is None or not set(self.unresolved) <= set(agreed.unresolved):
            return False
        return all(
            risk in agreed.risks and entities <= agreed.risks[risk]
            for risk, entities in self.risks.items()
        )

    def add(self, entity_id: str, risk: RiskClass | None) -> None:
        """Note that an entity is acted on."""
        self.entities.add(entity_id)
        if risk is not None:
            self.risks.setdefault(risk, set()).add(entity_id)


def effects_of(
    hass: HomeAssistant,
    entity_id: str,
    domain: str,
    service: str,
    arguments: Mapping[str, Any],
) -> Effects:
    """Return all that calling a service on one entity sets off."""
    walk = _Walk(hass)
    walk.act(entity_id, domain, service, arguments)
    return walk.effects


def effects_of_state(
    hass: HomeAssistant, entity_id: str, state: str, attributes: Mapping[str, Any]
) -> Effects:
    """Return all that bringing an entity to a state sets off; for undo."""
    walk = _Walk(hass)
    walk.reach(State(entity_id, state, dict(attributes), validate_entity_id=False))
    return walk.effects


class _Walk:
    """One walk through everything that is set off; each thing is entered once."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self.effects = Effects()
        self._seen: set[tuple[str, str, str]] = set()
        self._depth = 0

    def act(self, entity_id: str, domain: str, service: str, arguments: Mapping[str, Any]) -> None:
        """Follow a service call on one entity."""
        once = (entity_id, f"{domain}.{service}", repr(sorted(arguments.items(), key=str)))
        if once in self._seen:
            return
        self._seen.add(once)
        if self._depth >= _MAX_DEPTH:
            self.effects.unresolved.append(f"{entity_id} lies too deep")
            return
        risk = risk_of(self._hass, entity_id, domain, service, arguments)
        self.effects.add(entity_id, risk)
        if leaves_media_folders(self._hass, domain, arguments):
            self.effects.add(entity_id, RiskClass.FILE)
        self._depth += 1
        try:
            self._follow(entity_id, service, arguments)
        finally:
            self._depth -= 1

    def reach(self, state: State) -> None:
        """Follow the reproduction of a state, as scenes do."""
        once = (state.entity_id, "=", f"{state.state} {sorted(state.attributes, key=str)}")
        if once in self._seen:
            return
        self._seen.add(once)
        self.effects.add(
            state.entity_id,
            risk_of_state(self._hass, state.entity_id, state.state, state.attributes),
        )
        for member in self._members(state.entity_id):
            self.reach(State(member, state.state, state.attributes, validate_entity_id=False))
        domain = split_entity_id(state.entity_id)[0]
        if domain in {"script", "automation"} and state.state == "on":
            self.act(state.entity_id, domain, "turn_on", {})
        else:
            self._template(state.entity_id, None)

    def _follow(self, entity_id: str, service: str, arguments: Mapping[str, Any]) -> None:
        domain, object_id = split_entity_id(entity_id)
        if domain == "script" and (service in _RUNNING or service == object_id):
            self._script(entity_id)
        elif domain == "automation" and service in _RUNNING:
            self._automation(entity_id)
        elif domain == "scene" and service in _RUNNING:
            self._scene(entity_id)
        elif domain in _BUTTONS:
            self._button(entity_id)
        else:
            for member in self._members(entity_id):
                self.act(member, split_entity_id(member)[0], service, arguments)
        if domain not in {"script", "automation", "scene"}:
            self._template(entity_id, service)
            self._switched_as_something_else(entity_id, service)

    # -------------------------------------------------- what an entity contains

    def _script(self, entity_id: str) -> None:
        entity = self._entity("script", entity_id)
        script = getattr(entity, "script", None)
        self._sequence(entity_id, getattr(script, "sequence", None))

    def _automation(self, entity_id: str) -> None:
        entity = self._entity("automation", entity_id)
        script = getattr(entity, "action_script", None)
        self._sequence(entity_id, getattr(script, "sequence", None))

    def _scene(self, entity_id: str) -> None:
        config = getattr(self._entity("scene", entity_id), "scene_config", None)
        states: Mapping[str, State] | None = getattr(config, "states", None)
        if isinstance(states, Mapping):
            for state in states.values():
                self.reach(state)
            return
        self._own_entry(entity_id)

    def _button(self, entity_id: str) -> None:
        """Follow a button: it works its own device, or if that is a hub, all behind it."""
        if self._is_template(entity_id) or entity_id.startswith("input_button."):
            return
        entry = er.async_get(self._hass).async_get(entity_id)
        device = dr.async_get(self._hass).async_get(entry.device_id or "") if entry else None
        if device is None or _is_hub(device):
            self._own_entry(entity_id)
            return
        for other in er.async_entries_for_device(er.async_get(self._hass), device.id):
            self._worst(entity_id, other.entity_id)

    def _own_entry(self, entity_id: str) -> None:
        """Follow a scene of another integration: it only acts on its own entities."""
        entry = er.async_get(self._hass).async_get(entity_id)
        if entry is None or entry.config_entry_id is None:
            self.effects.unresolved.append(f"what {entity_id} does is not known")
            return
        registry = er.async_get(self._hass)
        for other in er.async_entries_for_config_entry(registry, entry.config_entry_id):
            self._worst(entity_id, other.entity_id)

    def _worst(self, entity_id: str, other_id: str) -> None:
        if other_id == entity_id or split_entity_id(other_id)[0] in {"update", *_BUTTONS, "scene"}:
            return
        self.effects.add(other_id, worst_risk(self._hass, other_id))

    def _members(self, entity_id: str) -> list[str]:
        state = self._hass.states.get(entity_id)
        if state is None or split_entity_id(entity_id)[0] == "scene":
            return []
        members: set[str] = set()
        for attribute in (ATTR_ENTITY_ID, "group_entities"):
            value = state.attributes.get(attribute)
            if isinstance(value, list | tuple | set | frozenset):
                members |= {each for each in value if isinstance(each, str) and "." in each}
        return sorted(members - {entity_id})

    def _template(self, entity_id: str, service: str | None) -> None:
        """Follow the actions that a template entity is made of; all of them, in doubt."""
        if (entity := self._template_entity(entity_id)) is None:
            return
        scripts = getattr(entity, "_action_scripts", None)
        if not isinstance(scripts, Mapping):
            self.effects.unresolved.append(f"what {entity_id} does is not known")
            return
        chosen = {service: scripts[service]} if service in scripts else scripts
        for script in chosen.values():
            self._sequence(entity_id, getattr(script, "sequence", None))

    def _is_template(self, entity_id: str) -> bool:
        return self._template_entity(entity_id) is not None

    def _template_entity(self, entity_id: str) -> Entity | None:
        platforms = async_get_platforms(self._hass, "template")
        return next((p.entities[entity_id] for p in platforms if entity_id in p.entities), None)

    def _switched_as_something_else(self, entity_id: str, service: str) -> None:
        """Follow a plug that the household shows as a lock, a valve or a gate."""
        entry = er.async_get(self._hass).async_get(entity_id)
        for other in self._hass.config_entries.async_entries("switch_as_x"):
            wrapped = other.options.get(ATTR_ENTITY_ID)
            if wrapped != entity_id and (entry is None or wrapped != entry.id):
                continue
            for twin in er.async_entries_for_config_entry(er.async_get(self._hass), other.entry_id):
                self.effects.add(twin.entity_id, worst_risk(self._hass, twin.entity_id))

    def _entity(self, domain: str, entity_id: str) -> Entity | None:
        component = self._hass.data.get(domain)
        if not isinstance(component, EntityComponent):
            return None
        entity: Entity | None = component.get_entity(entity_id)
        return entity

    # -------------------------------------------------- sequences of actions

    def _sequence(self, entity_id: str, sequence: Any) -> None:
        if not isinstance(sequence, list | tuple):
            self.effects.unresolved.append(f"what {entity_id} does is not known")
            return
        for step in calls_of(sequence):
            match step:
                case Call():
                    self._call(step)
                case DeviceAction():
                    self._device_action(step)
                case SceneStep():
                    self.act(step.entity_id, "scene", "turn_on", {})
                case str():
                    self.effects.unresolved.append(step)

    def _call(self, call: Call) -> None:
        domain, service = call.domain, call.service
        if (domain, service) == ("scene", "apply"):
            self._apply(call.data.get("entities"))
            return
        if (domain, service) in _SILENT:
            return
        if domain == "script" and service not in {"turn_on", "turn_off", "toggle", "reload"}:
            self.act(f"script.{service}", "script", service, {})
            return
        targets = targeted_entities(self._hass, call.target, domain)
        if targets is None:
            if domain not in _HARMLESS_DOMAINS:
                self.effects.unresolved.append(f"{domain}.{service} has a target made at run time")
            return
        if domain not in _KNOWN_DOMAINS | _HARMLESS_DOMAINS or (
            not targets and domain not in _HARMLESS_DOMAINS
        ):
            self._unknown_call(call, targets)
        for entity_id in targets:
            self._aim(entity_id, call)

    def _aim(self, entity_id: str, call: Call) -> None:
        if self._hass.states.get(entity_id) is None and call.domain in {"scene", "script"}:
            self.effects.unresolved.append(f"{entity_id} does not exist yet")
        # homeassistant.turn_on means the service of the entity's own domain.
        own = call.domain == "homeassistant" and call.service in _STATES_ONLY
        domain = split_entity_id(entity_id)[0] if own else call.domain
        self.act(entity_id, domain, call.service, call.data)

    def _unknown_call(self, call: Call, targets: Iterable[str]) -> None:
        risk = risk_of(self._hass, f"{call.domain}.{call.service}", call.domain, call.service, {})
        if risk is RiskClass.MAINTENANCE and not tuple(targets):
            self.effects.risks.setdefault(RiskClass.MAINTENANCE, set())
            return
        if call.has_target and not is_all(call.target) and call.domain in _KNOWN_DOMAINS:
            # A place or a label that holds nothing now: nothing is acted on.
            return
        self.effects.unresolved.append(f"{call.domain}.{call.service} is not known")

    def _apply(self, states: Any) -> None:
        if not isinstance(states, Mapping):
            self.effects.unresolved.append("scene.apply has states made at run time")
            return
        for entity_id, wanted in states.items():
            match wanted:
                case State():
                    self.reach(wanted)
                case Mapping():
                    state, rest = str(wanted.get("state")), dict(wanted)
                    self.reach(State(entity_id, state, rest, validate_entity_id=False))
                case bool():
                    self.reach(State(entity_id, "on" if wanted else "off"))
                case _:
                    self.reach(State(entity_id, str(wanted), validate_entity_id=False))

    def _device_action(self, action: DeviceAction) -> None:
        registry = er.async_get(self._hass)
        entity_id = action.entity_id and er.async_resolve_entity_id(registry, action.entity_id)
        if not entity_id or action.domain not in _KNOWN_DOMAINS:
            if action.domain not in _HARMLESS_DOMAINS:
                self.effects.unresolved.append(f"a device action of {action.domain} is not known")
            return
        services = _DEVICE_SERVICES.get(action.domain, {})
        service = services.get(action.type, action.type)
        self.act(entity_id, action.domain, service, action.data)


def _is_hub(device: dr.AnyDeviceEntry) -> bool:
    return isinstance(device, dr.DeviceEntry) and device.entry_type is dr.DeviceEntryType.SERVICE
