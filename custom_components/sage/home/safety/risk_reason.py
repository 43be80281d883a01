"""The risk level of an entity and its reason, for the administrators who may change it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from homeassistant.core import HomeAssistant, split_entity_id

from ..home_types import RiskClass
from .consequences import effects_of
from .risk import RESOLVED_DOMAINS, needs_verdict, worst_risk
from .risk_levels import Level, integration_of, levels_of

_GROUP: Final = "group"


class DecidedBy(StrEnum):
    """The source of an entity's risk level."""

    HOUSEHOLD = "household"
    """The choice of an administrator."""
    KIND = "kind"
    """Domain or device class."""
    EFFECTS = "effects"
    """The entities that the script, scene, automation or group affects."""
    MODEL = "model"
    """A classification by the model."""
    NOTHING = "nothing"
    """No source: the entity is not classified yet and needs confirmation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelReason:
    """The risk level of an entity and its reason."""

    level: Level
    """The level; `ASK` if at least one action needs confirmation, such as unlocking a lock."""

    by: DecidedBy
    risk: RiskClass | None = None
    """The worst risk of the entity's actions; None without a risk."""

    reason: str = ""
    """The model's reason in the language of the home; empty unless `by` is `MODEL`."""


def level_reason(hass: HomeAssistant, entity_id: str) -> LevelReason:
    """Return the risk level of an entity and its reason."""
    if (choice := levels_of(hass).choice(entity_id)) is not None:
        return LevelReason(level=choice, by=DecidedBy.HOUSEHOLD)
    return automatic_reason(hass, entity_id)


def automatic_reason(hass: HomeAssistant, entity_id: str) -> LevelReason:
    """Return the risk level of an entity and its reason, ignoring the household's choice."""
    levels = levels_of(hass)

    def choice_of(other_id: str) -> Level | None:
        return None if other_id == entity_id else levels.choice(other_id)

    domain = split_entity_id(entity_id)[0]
    if domain in RESOLVED_DOMAINS or integration_of(hass, entity_id) == _GROUP:
        service = "trigger" if domain == "automation" else "turn_on"
        risk = effects_of(hass, entity_id, domain, service, {}, choice_of).risk
        return LevelReason(level=_level(risk), by=DecidedBy.EFFECTS, risk=risk)
    risk = worst_risk(hass, entity_id, choice=None)
    if not needs_verdict(hass, entity_id):
        return LevelReason(level=_level(risk), by=DecidedBy.KIND, risk=risk)
    if (verdict := levels.verdict(entity_id)) is None:
        risk = risk or RiskClass.UNCLEAR
        return LevelReason(level=_level(risk), by=DecidedBy.NOTHING, risk=risk)
    if verdict.risk is None and risk is not None:
        # Switching off a siren is risky even if the model classified the siren as harmless.
        return LevelReason(level=_level(risk), by=DecidedBy.KIND, risk=risk)
    return LevelReason(
        level=verdict.level, by=DecidedBy.MODEL, risk=verdict.risk, reason=verdict.reason
    )


def _level(risk: RiskClass | None) -> Level:
    if risk is RiskClass.NEVER:
        return Level.NEVER
    return Level.FREE if risk is None else Level.ASK
