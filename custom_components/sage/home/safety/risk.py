"""Which actions need the person's yes, decided in code (DESIGN 5, the gate).

The household's choice for an entity decides first, then its domain and device class.
Where these say nothing, its classification decides (`risk_levels`), and names that sound
risky raise it (`risk_words`); what is not classified yet asks.
Only what the action does to its own entity is judged here; what a script, a scene
or a group sets off is found out in `consequences`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from homeassistant.core import HomeAssistant, split_entity_id

from ..home_types import RiskClass
from .domain_risk import (
    DECISIVE_CLASSES,
    DOMAIN_RISKS,
    INERT_DOMAINS,
    PLAIN_SERVICES,
    RESOLVED_DOMAINS,
    ServiceCall,
    Thing,
    action_to,
    closes,
    device_class_of,
    domain_risk,
    is_housekeeping,
    maintenance_risk,
    thing_of,
    worst_of,
)
from .risk_levels import Level, integration_of, levels_of

__all__ = ["needs_verdict", "risk_of", "risk_of_state", "verdict_risk", "worst_of", "worst_risk"]


def risk_of(
    hass: HomeAssistant,
    entity_id: str,
    domain: str,
    service: str,
    arguments: Mapping[str, Any],
) -> RiskClass | None:
    """Return why this action on this entity needs a yes; None when it needs none.

    `domain` is the one of the service; it may be another than the entity's.
    """
    choice = levels_of(hass).choice(entity_id)
    if choice is Level.NEVER:
        return RiskClass.NEVER
    thing = thing_of(hass, entity_id)
    if choice is Level.FREE:
        return RiskClass.MAINTENANCE if is_housekeeping(domain, service) else None
    own = _judged(hass, thing, ServiceCall(service, arguments), choice)
    return worst_of((maintenance_risk(thing, domain, service), own))


def risk_of_state(
    hass: HomeAssistant, entity_id: str, state: str, attributes: Mapping[str, Any]
) -> RiskClass | None:
    """Return why bringing an entity to this state needs a yes; for scenes and undo."""
    choice = levels_of(hass).choice(entity_id)
    if choice is Level.NEVER:
        return RiskClass.NEVER
    if choice is Level.FREE:
        return None
    thing = thing_of(hass, entity_id)
    return _judged(hass, thing, action_to(thing, state, attributes), choice)


def worst_risk(hass: HomeAssistant, entity_id: str) -> RiskClass | None:
    """Return the worst that any action on this entity could do, as far as that is known.

    For what a scene or a button of another integration may reach.
    """
    choice = levels_of(hass).choice(entity_id)
    if choice is Level.NEVER:
        return RiskClass.NEVER
    if choice is Level.FREE:
        return None
    thing = thing_of(hass, entity_id)
    if thing.domain == "update":
        return RiskClass.MAINTENANCE
    found = worst_of(
        domain_risk(thing, ServiceCall(service, {}))
        for service in ("turn_on", "turn_off", "unlock", "open_cover")
    )
    if needs_verdict(hass, entity_id) and (verdict := levels_of(hass).verdict(entity_id)):
        found = worst_of((found, verdict.risk))
    return RiskClass.UNRESOLVED if found is None and choice is Level.ASK else found


def verdict_risk(hass: HomeAssistant, entity_id: str) -> RiskClass | None:
    """Return what the classification says of an entity; UNRESOLVED without one."""
    verdict = levels_of(hass).verdict(entity_id)
    return RiskClass.UNRESOLVED if verdict is None else verdict.risk


def needs_verdict(hass: HomeAssistant, entity_id: str) -> bool:
    """Return whether domain and device class say nothing, so that a classification decides."""
    domain = split_entity_id(entity_id)[0]
    if domain in INERT_DOMAINS or domain in RESOLVED_DOMAINS:
        return False
    if domain in DECISIVE_CLASSES:
        return device_class_of(hass, entity_id) not in DECISIVE_CLASSES[domain]
    if domain in DOMAIN_RISKS and domain != "siren":
        return False
    # A group is what its members are.
    return integration_of(hass, entity_id) != "group"


def _judged(
    hass: HomeAssistant, thing: Thing, action: ServiceCall, choice: Level | None
) -> RiskClass | None:
    found = worst_of((domain_risk(thing, action), _classified_risk(hass, thing, action)))
    if found is None and choice is Level.ASK:
        return worst_risk(hass, thing.entity_id) or RiskClass.UNRESOLVED
    return found


def _classified_risk(hass: HomeAssistant, thing: Thing, action: ServiceCall) -> RiskClass | None:
    if not needs_verdict(hass, thing.entity_id):
        return None
    risk = verdict_risk(hass, thing.entity_id)
    if thing.domain == "remote" and (action.service not in PLAIN_SERVICES or action.arguments):
        # What it sends is in the arguments: one remote may dim a lamp and open a garage.
        return worst_of((risk, RiskClass.UNRESOLVED))
    # What a switch at a door does when it goes off is not known: only heat and covers have an end.
    if risk is RiskClass.HEAT and not action.starts:
        return None
    return None if risk is RiskClass.OPEN and closes(thing, action) else risk


@dataclass(slots=True)
class Effects:
    """What an action reaches, directly and through what it sets off."""

    entities: set[str] = field(default_factory=set)
    """Ids of the entities it acts on, members of groups and scenes included."""

    risks: dict[RiskClass, set[str]] = field(default_factory=dict)
    """Risk class -> ids of the entities for which it holds."""

    unresolved: list[str] = field(default_factory=list)
    """What could not be found out, in words."""

    unclassified: set[str] = field(default_factory=set)
    """Ids of the entities that only a classification could tell apart, and that have none."""

    @property
    def risk(self) -> RiskClass | None:
        """The worst risk class; None when nothing risky is reached."""
        return worst_of((*self.risks, RiskClass.UNRESOLVED if self.unresolved else None))

    @property
    def at_risk(self) -> frozenset[str]:
        """The entities for which the worst risk class holds."""
        return frozenset(self.risks.get(self.risk, ())) if self.risk else frozenset()

    def is_covered_by(self, agreed: Effects | None) -> bool:
        """Return whether the person agreed to every risk here."""
        if self.risk is None:
            return True
        if agreed is None or not set(self.unresolved) <= set(agreed.unresolved):
            return False
        if RiskClass.NEVER in self.risks:
            return False
        # Who agreed to a thing that nobody could tell apart agreed to whatever it is.
        unknown = agreed.risks.get(RiskClass.UNRESOLVED, set())
        return all(
            (risk in agreed.risks or bool(entities))
            and entities <= agreed.risks.get(risk, set()) | unknown
            for risk, entities in self.risks.items()
        )

    def add(self, entity_id: str, risk: RiskClass | None) -> None:
        """Note that an entity is acted on."""
        self.entities.add(entity_id)
        if risk is not None:
            self.risks.setdefault(risk, set()).add(entity_id)
