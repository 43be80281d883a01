"""Decide in code whether an action on one entity needs confirmation.

The level that the household chose for the entity decides first. Without one, the worst risk counts,
from domain and device class, names (`risk_words`) and the model's classification (`risk_levels`).
An unclassified entity needs confirmation, except that a plain switch may be switched off.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from homeassistant.const import ATTR_DEVICE_CLASS, UnitOfTemperature
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.util.unit_conversion import TemperatureConverter

from ..home_types import RiskClass
from .domain_risk import (
    DECISIVE_CLASSES,
    DOMAIN_RISKS,
    ENTRANCE_COVER_CLASSES,
    OUTLET,
    PLAIN_SERVICES,
    ServiceCall,
    Thing,
    action_to,
    closes,
    domain_risk,
    is_housekeeping,
    is_plain_switch_off,
    maintenance_risk,
    worst_of,
)
from .risk_levels import Level, integration_of, levels_of

INERT_DOMAINS: Final = frozenset(
    {
        "light",
        "sensor",
        "binary_sensor",
        "weather",
        "sun",
        "zone",
        "person",
        "device_tracker",
        "media_player",
        "todo",
        "calendar",
        "tts",
        "stt",
        "conversation",
        "assist_satellite",
        "notify",
        "event",
        "image",
        "timer",
        "counter",
        "air_quality",
        "wake_word",
        "ai_task",
        "vacuum",
        "lawn_mower",
        "fan",
        "humidifier",
        "water_heater",
        "schedule",
    }
)
"""Domains of harmless entities, whatever their name: an "oven light" is only a light."""

RESOLVED_DOMAINS: Final = frozenset({"script", "scene", "group", "automation"})
"""Domains whose risk comes from the entities that they affect, such as members of a group."""

_GUARDS: Final = frozenset({"lock", "alarm_control_panel", "camera", "siren", "valve"})
_GUARD_CLASSES: Final = frozenset(
    {
        *ENTRANCE_COVER_CLASSES,
        "carbon_monoxide",
        "garage_door",
        "gas",
        "lock",
        "motion",
        "occupancy",
        "opening",
        "safety",
        "smoke",
        "tamper",
    }
)
"""Device classes of entities whose device protects or opens the home."""

UNKNOWN: Final = frozenset({RiskClass.UNRESOLVED, RiskClass.UNCLEAR, RiskClass.CHOSEN})
"""Risk classes of actions whose risk is not known exactly."""

__all__ = ["needs_verdict", "risk_of", "risk_of_state", "verdict_risk", "worst_of", "worst_risk"]


def risk_of(
    hass: HomeAssistant,
    entity_id: str,
    domain: str,
    service: str,
    arguments: Mapping[str, Any],
    choice: Level | None,
) -> RiskClass | None:
    """Return the risk of an action on an entity; None if it needs no confirmation.

    `domain` is the domain of the service. `choice` is the level that the household chose for the
    entity, if any.
    """
    if choice is Level.NEVER:
        return RiskClass.NEVER
    thing = thing_of(hass, entity_id)
    if choice is Level.FREE:
        return RiskClass.MAINTENANCE if is_housekeeping(domain, service) else None
    own = _judged(hass, thing, ServiceCall(service, arguments), choice)
    return worst_of((maintenance_risk(thing, domain, service), own))


def risk_of_any(domain: str, service: str, arguments: Mapping[str, Any]) -> RiskClass | None:
    """Return the risk of a service for an entity of its domain that is not known.

    None if it depends on the entity. A cover may be the door of a garage.
    """
    if domain not in DOMAIN_RISKS:
        return None
    unknown = Thing(
        entity_id="",
        domain=domain,
        device_class=next(iter(ENTRANCE_COVER_CLASSES)),
        hottest=None,
        state=None,
        own_names=(),
        names=(),
    )
    return domain_risk(unknown, ServiceCall(service, arguments))


def risk_of_state(
    hass: HomeAssistant,
    entity_id: str,
    state: str,
    attributes: Mapping[str, Any],
    choice: Level | None,
) -> RiskClass | None:
    """Return the risk of setting an entity to a state; None if it needs no confirmation.

    `choice` is the level that the household chose for the entity, if any.
    """
    if choice is Level.NEVER:
        return RiskClass.NEVER
    if choice is Level.FREE:
        return None
    thing = thing_of(hass, entity_id)
    return _judged(hass, thing, action_to(thing, state, attributes), choice)


def worst_risk(hass: HomeAssistant, entity_id: str, choice: Level | None) -> RiskClass | None:
    """Return the worst known risk of all actions on an entity; None if no action has a risk.

    `choice` is the level that the household chose for the entity, if any.
    """
    if choice is Level.NEVER:
        return RiskClass.NEVER
    if choice is Level.FREE:
        return None
    thing = thing_of(hass, entity_id)
    if thing.domain == "update":
        return RiskClass.MAINTENANCE
    found = worst_of(
        (
            *(
                _domain_risk(thing, ServiceCall(service, {}))
                for service in ("turn_on", "turn_off", "unlock", "open_cover")
            ),
            maintenance_risk(thing, thing.domain, "press"),
        )
    )
    if needs_verdict(hass, entity_id) and (verdict := levels_of(hass).verdict(entity_id)):
        found = worst_of((found, verdict.risk))
    return RiskClass.CHOSEN if found is None and choice is Level.ASK else found


def verdict_risk(hass: HomeAssistant, entity_id: str) -> RiskClass | None:
    """Return the risk according to the model's classification; UNCLEAR if there is none yet.

    None if the model classified the entity as harmless.
    """
    verdict = levels_of(hass).verdict(entity_id)
    return RiskClass.UNCLEAR if verdict is None else verdict.risk


def needs_verdict(hass: HomeAssistant, entity_id: str) -> bool:
    """Return whether the language model must classify the risk of an entity, such as a switch.

    False if its domain, its device class or its group members determine the risk.
    """
    domain = split_entity_id(entity_id)[0]
    if domain in INERT_DOMAINS or domain in RESOLVED_DOMAINS:
        return False
    if domain in DECISIVE_CLASSES:
        return device_class_of(hass, entity_id) not in DECISIVE_CLASSES[domain]
    if domain in DOMAIN_RISKS and domain != "siren":
        return False
    # The risk of a group comes from its members.
    return integration_of(hass, entity_id) != "group"


def _judged(
    hass: HomeAssistant, thing: Thing, action: ServiceCall, choice: Level | None
) -> RiskClass | None:
    found = worst_of((_domain_risk(thing, action), _classified_risk(hass, thing, action)))
    if choice is Level.ASK and found in {None, RiskClass.UNCLEAR}:
        return worst_risk(hass, thing.entity_id, choice)
    return found


def _domain_risk(thing: Thing, action: ServiceCall) -> RiskClass | None:
    return None if thing.domain in INERT_DOMAINS else domain_risk(thing, action)


def _classified_risk(hass: HomeAssistant, thing: Thing, action: ServiceCall) -> RiskClass | None:
    if not needs_verdict(hass, thing.entity_id):
        return None
    risk = verdict_risk(hass, thing.entity_id)
    if thing.domain == "remote" and (action.service not in PLAIN_SERVICES or action.arguments):
        # The command is in the arguments: one remote may dim a lamp and open a garage.
        return worst_of((risk, RiskClass.UNRESOLVED))
    return None if _is_safe_use(hass, thing, action, risk) else risk


def _is_safe_use(
    hass: HomeAssistant, thing: Thing, action: ServiceCall, risk: RiskClass | None
) -> bool:
    """Return whether an action has no risk, although another action on the entity has `risk`."""
    match risk:
        case RiskClass.HEAT:
            return not action.starts
        case RiskClass.OPEN:
            # Switching off a relay may open a door.
            return closes(thing, action)
        case RiskClass.FOOD:
            return not action.stops
        case RiskClass.NETWORK:
            # Other switches may pause the network when they are on.
            return thing.device_class == OUTLET and not action.stops
        case RiskClass.UNCLEAR:
            plain = is_plain_switch_off(thing, action) and not _is_marked(hass, thing.entity_id)
            return plain or closes(thing, action)
    return False


def _is_marked(hass: HomeAssistant, entity_id: str) -> bool:
    """Return whether a switch may protect or open the home, judged without its names.

    That is a switch of a lock, camera, alarm, door contact or detector, and a switch that the model
    classified as risky before one of its facts changed.
    """
    if levels_of(hass).may_be_vital(entity_id):
        return True
    entry = er.async_get(hass).async_get(entity_id)
    if entry is None or entry.device_id is None:
        return False
    return any(
        other.domain in _GUARDS
        or (other.device_class or other.original_device_class) in _GUARD_CLASSES
        for other in er.async_entries_for_device(er.async_get(hass), entry.device_id)
    )


def device_class_of(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return the device class of an entity; None if it has none."""
    state, entry = hass.states.get(entity_id), er.async_get(hass).async_get(entity_id)
    device_class: str | None = (
        state.attributes.get(ATTR_DEVICE_CLASS) if state is not None else None
    )
    if device_class is None and entry is not None:
        return entry.device_class or entry.original_device_class
    return device_class


def _hottest(hass: HomeAssistant, state: State | None) -> float | None:
    most = state.attributes.get("max_temp") if state is not None else None
    if not isinstance(most, int | float):
        return None
    unit = hass.config.units.temperature_unit
    return TemperatureConverter.convert(most, unit, UnitOfTemperature.CELSIUS)


def thing_of(hass: HomeAssistant, entity_id: str) -> Thing:
    """Return the properties of an entity that decide its risk."""
    domain, object_id = split_entity_id(entity_id)
    state = hass.states.get(entity_id)
    entry = er.async_get(hass).async_get(entity_id)
    own = [object_id]
    device: list[str] = []
    if domain in INERT_DOMAINS:
        # No name is a risk in these domains, and looking up all names is slow.
        entry = None
    elif state is not None:
        own.append(state.name)
    if entry is not None:
        own += [name for name in (entry.name, entry.original_name) if name]
        own += er.async_get_entity_aliases(hass, entry)
        device = _device_names(hass, entry.device_id)
    return Thing(
        entity_id=entity_id,
        domain=domain,
        device_class=device_class_of(hass, entity_id),
        hottest=_hottest(hass, state),
        state=state.state if state else None,
        own_names=tuple(own),
        names=(*own, *device),
        part_names=None if entry is None else _part_names(hass, entry),
    )


def _part_names(hass: HomeAssistant, entry: er.RegistryEntry) -> tuple[str, ...] | None:
    """Return `Thing.part_names`: the own names of one of several switches of a device."""
    name = entry.name or entry.original_name
    outlet = OUTLET in {entry.device_class, entry.original_device_class}
    if entry.domain != "switch" or entry.device_id is None or not name or outlet:
        return None
    registry = er.async_get(hass)
    switches = (
        each
        for each in er.async_entries_for_device(registry, entry.device_id)
        if each.domain == "switch"
    )
    if not any(each.entity_id != entry.entity_id for each in switches):
        return None
    # The computed alias contains the name of the device.
    return (name, *(alias for alias in entry.aliases if isinstance(alias, str)))


def _device_names(hass: HomeAssistant, device_id: str | None) -> list[str]:
    device = dr.async_get(hass).async_get(device_id) if device_id else None
    if device is None:
        return []
    names = [device.name_by_user, device.name]
    if isinstance(device, dr.DeviceEntry):
        names.append(device.model)
        return [name for name in names if name]
    return [*(name for name in names if name), *_device_names(hass, device.parent_device_id)]


@dataclass(slots=True)
class Effects:
    """All entities that an action affects, and their risks."""

    entities: set[str] = field(default_factory=set)
    """Ids of the affected entities, including members of groups and scenes."""

    risks: dict[RiskClass, set[str]] = field(default_factory=dict)
    """Risk class -> ids of the entities with this risk."""

    unresolved: list[str] = field(default_factory=list)
    """Descriptions of steps that cannot be analysed, such as one with a template."""

    unclassified: set[str] = field(default_factory=set)
    """Ids of the entities whose risk a classification can raise, and that have none."""

    @property
    def risk(self) -> RiskClass | None:
        """The worst risk class of these effects; None if there is no risk."""
        return worst_of((*self.risks, RiskClass.UNRESOLVED if self.unresolved else None))

    @property
    def undecided(self) -> frozenset[str]:
        """Ids of the entities whose missing classification decides about a question."""
        return frozenset(self.unclassified if self.risk in {None, RiskClass.UNCLEAR} else ())

    @property
    def at_risk(self) -> frozenset[str]:
        """Ids of the affected entities with the worst risk class of these effects (`risk`)."""
        return frozenset(self.risks.get(self.risk, ())) if self.risk else frozenset()

    def is_covered_by(self, agreed: Effects | None) -> bool:
        """Return whether the person has confirmed every risk of these effects.

        `agreed` are the effects that the person has confirmed; None if nothing was confirmed.
        """
        if self.risk is None:
            return True
        if agreed is None or not set(self.unresolved) <= set(agreed.unresolved):
            return False
        if RiskClass.NEVER in self.risks:
            return False
        # A confirmation of an unknown risk covers every risk of the same entity.
        unknown = set().union(*(agreed.risks.get(risk, ()) for risk in UNKNOWN))
        return all(
            (risk in agreed.risks or bool(entities))
            and entities <= agreed.risks.get(risk, set()) | unknown
            for risk, entities in self.risks.items()
        )

    def add(self, entity_id: str, risk: RiskClass | None) -> None:
        """Add an affected entity and its risk."""
        self.entities.add(entity_id)
        if risk is not None:
            self.risks.setdefault(risk, set()).add(entity_id)
