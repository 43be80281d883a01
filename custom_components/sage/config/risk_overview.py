"""Lists of entities by risk, for the options flow.

They contain only entities whose risk the language model must classify, such as switches.
"""

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
    """Return the exposed entities whose risk only a model can classify: sorted entity ids.

    One example is a switch. The risk of a lock is clear from its domain.
    """
    return [
        entity_id
        for entity_id in sorted(hass.states.async_entity_ids())
        if needs_verdict(hass, entity_id) and async_should_expose(hass, ASSISTANT, entity_id)
    ]


@callback
def risk_overview(hass: HomeAssistant) -> Mapping[str, str]:
    """Return Markdown lists of the entities that a model classifies: name of the list -> list.

    - `ask`: risky according to the model, so SAGE asks for a confirmation
    - `named`: harmless according to the model, but SAGE asks for a confirmation, because the entity
      is a siren or its name indicates a risk
    - `unclassified`: not classified yet
    - `free`: harmless, so SAGE asks for no confirmation

    Entities whose risk level the household has chosen are left out.
    """
    lines: dict[str, list[str]] = {each: [] for each in _LISTS}
    for entity_id in classifiable(hass):
        reason = level_reason(hass, entity_id)
        if reason.by is not DecidedBy.HOUSEHOLD:
            lines[_list_of(reason)].append(_line(hass, entity_id, reason.reason))
    return {key: _listed(sorted(each)) for key, each in lines.items()}


@callback
def risk_counts(hass: HomeAssistant) -> Mapping[str, int]:
    """Return the number of entities for each risk level: level or `unclassified` -> number."""
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
