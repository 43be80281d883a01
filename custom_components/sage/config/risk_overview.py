"""Lists of the entities whose risk a language model classifies, for a form of the options flow."""

from collections.abc import Mapping, Sequence
from typing import Final

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant, callback

from ..home.safety.gate import ASSISTANT
from ..home.safety.risk import needs_verdict
from ..home.safety.risk_levels import Level
from ..home.safety.risk_reason import DecidedBy, LevelReason, level_reason
from .flow_forms import escaped

_MOST: Final = 100
"""Maximum number of entities in each list."""

_UNCLASSIFIED: Final = "unclassified"
_NAMED: Final = "named"
_LISTS: Final = (Level.ASK.value, _NAMED, _UNCLASSIFIED, Level.FREE.value)


def classifiable(hass: HomeAssistant) -> list[str]:
    """Return the sorted ids of the exposed entities whose risk only a model can classify.

    For all other entities, domain and device class determine the risk.
    """
    return [
        entity_id
        for entity_id in sorted(hass.states.async_entity_ids())
        if needs_verdict(hass, entity_id) and async_should_expose(hass, ASSISTANT, entity_id)
    ]


@callback
def risk_overview(hass: HomeAssistant) -> Mapping[str, str]:
    """Return a dict of Markdown lists: risk -> the entities with this risk.

    - `ask`: entities that the model classified as risky
    - `named`: entities that the model classified as harmless, although their name or kind is a risk
    - `unclassified`: entities that the model has not classified
    - `free`: entities for which SAGE does not ask for confirmation

    Each line has the name, the entity id and the model's reason if the model decides. Entities
    whose risk level the household has chosen are left out.
    """
    lines: dict[str, list[str]] = {each: [] for each in _LISTS}
    for entity_id in classifiable(hass):
        reason = level_reason(hass, entity_id)
        if reason.by is not DecidedBy.HOUSEHOLD:
            lines[_list_of(reason)].append(_line(hass, entity_id, reason.reason))
    return {key: _listed(sorted(each)) for key, each in lines.items()}


@callback
def risk_counts(hass: HomeAssistant) -> Mapping[str, int]:
    """Return how many entities have each level, as a dict: level or `unclassified` -> number."""
    counted = dict.fromkeys((*Level, _UNCLASSIFIED), 0)
    for entity_id in classifiable(hass):
        reason = level_reason(hass, entity_id)
        counted[_UNCLASSIFIED if reason.by is DecidedBy.NOTHING else reason.level] += 1
    return {str(level): count for level, count in counted.items()}


def _list_of(reason: LevelReason) -> str:
    match reason.by:
        case DecidedBy.NOTHING:
            return _UNCLASSIFIED
        case DecidedBy.MODEL:
            return reason.level.value
    return _NAMED


def _listed(lines: Sequence[str]) -> str:
    if not lines:
        return "- –"
    more = len(lines) - _MOST
    return "\n".join([*lines[:_MOST], *([f"- … (+{more})"] if more > 0 else [])])


def _line(hass: HomeAssistant, entity_id: str, reason: str) -> str:
    state = hass.states.get(entity_id)
    name = escaped(state.name) if state is not None else entity_id
    return f"- {name} (`{entity_id}`)" + (f": {escaped(reason)}" if reason else "")
