"""The risk level of an entity, and what decides it, for administrators."""

from dataclasses import dataclass
from enum import StrEnum

from homeassistant.core import HomeAssistant, split_entity_id

from ..home_types import RiskClass
from .consequences import effects_of
from .risk import RESOLVED_DOMAINS, needs_verdict, worst_risk
from .risk_levels import Level, integration_of, levels_of


class DecidedBy(StrEnum):
    """The source of an entity's risk level."""

    HOUSEHOLD = "household"  # the choice of an administrator
    KIND = "kind"  # domain or device class
    EFFECTS = "effects"  # the entities that the script, scene, automation or group affects
    MODEL = "model"  # a classification by the model
    NOTHING = "nothing"  # no source: the entity is not classified yet and needs confirmation


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityLevel:
    """The risk level of an entity and its reason."""

    level: Level
    """The level; `ASK` if at least one action needs confirmation, such as unlocking a lock."""

    by: DecidedBy
    choice: Level | None  # the household's choice
    automatic: Level  # the level without the household's choice
    risk: RiskClass | None
    """The worst risk of the entity's actions, without the household's choice; None: no risk."""

    reason: str  # the model's reason in the language of the home; empty unless `by` is `MODEL`


def level_of(hass: HomeAssistant, entity_id: str) -> EntityLevel:
    """Return the risk level of an entity and its reason."""
    levels = levels_of(hass)
    domain, by, reason = split_entity_id(entity_id)[0], DecidedBy.KIND, ""
    if domain in RESOLVED_DOMAINS or integration_of(hass, entity_id) == "group":
        service = "trigger" if domain == "automation" else "turn_on"
        by = DecidedBy.EFFECTS

        def choice_of(other_id: str) -> Level | None:
            return None if other_id == entity_id else levels.choice(other_id)

        risk = effects_of(hass, entity_id, domain, service, {}, choice_of).risk
    else:
        risk = worst_risk(hass, entity_id, choice=None)
        verdict = levels.verdict(entity_id)
        if not needs_verdict(hass, entity_id):
            pass
        elif verdict is None:
            by, risk = DecidedBy.NOTHING, risk or RiskClass.UNCLEAR
        elif verdict.risk is not None or risk is None:
            # Switching off a siren is risky even if the model classified the siren as harmless.
            by, risk, reason = DecidedBy.MODEL, verdict.risk, verdict.reason
    automatic = Level.FREE if risk is None else Level.ASK
    if risk is RiskClass.NEVER:
        automatic = Level.NEVER
    if (choice := levels.choice(entity_id)) is not None:
        by, reason = DecidedBy.HOUSEHOLD, ""
    return EntityLevel(
        level=choice or automatic,
        by=by,
        choice=choice,
        automatic=automatic,
        risk=risk,
        reason=reason,
    )
