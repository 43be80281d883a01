"""Decide in code whether an action on one entity needs confirmation.

The level that the household chose for the entity decides first. Without one, the worst risk counts,
from domain and device class, and from the model's classification (`risk_levels`). An unclassified
entity needs confirmation.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from homeassistant.const import ATTR_DEVICE_CLASS, UnitOfTemperature
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import entity_registry as er
from homeassistant.util.unit_conversion import TemperatureConverter

from ..home_types import RiskClass
from .domain_risk import (
    DECISIVE_CLASSES,
    DECISIVE_DOMAINS,
    ENTRANCE_COVER_CLASSES,
    OUTLET,
    PLAIN_SERVICES,
    ServiceCall,
    Thing,
    action_to,
    closes,
    domain_risk,
    is_housekeeping,
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
"""Domains of harmless entities: an "oven light" is only a light."""

RESOLVED_DOMAINS: Final = frozenset({"script", "scene", "group", "automation"})
"""Domains whose risk comes from the entities that they affect, such as members of a group."""

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
    unknown = Thing(
        entity_id="",
        domain=domain,
        device_class=next(iter(ENTRANCE_COVER_CLASSES)),
        hottest=None,
        state=None,
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
    if domain in DECISIVE_DOMAINS and domain != "siren":
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
    return None if _is_safe_use(thing, action, risk) else risk


def _is_safe_use(thing: Thing, action: ServiceCall, risk: RiskClass | None) -> bool:
    """Return whether an action has no risk, although another action on the entity has `risk`."""
    match risk:
        case RiskClass.HEAT:
            return not action.starts
        case RiskClass.OPEN | RiskClass.UNCLEAR:
            # Switching off a relay may open a door.
            return closes(thing, action)
        case RiskClass.FOOD:
            return not action.stops
        case RiskClass.NETWORK:
            # Other switches may pause the network when they are on.
            return thing.device_class == OUTLET and not action.stops
    return False


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
    state = hass.states.get(entity_id)
    return Thing(
        entity_id=entity_id,
        domain=split_entity_id(entity_id)[0],
        device_class=device_class_of(hass, entity_id),
        hottest=_hottest(hass, state),
        state=state.state if state else None,
    )


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
