"""Lists of the entities whose risk a language model classifies, for a form of the options flow."""

from collections.abc import Mapping, Sequence
from typing import Final

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant, callback

from ..home.safety.gate import ASSISTANT
from ..home.safety.risk import needs_verdict
from ..home.safety.risk_levels import Level, levels_of
from .flow_forms import escaped

_MOST: Final = 100
"""Maximum number of entities in each list."""

_UNCLASSIFIED: Final = "unclassified"
_LISTS: Final = (Level.ASK.value, _UNCLASSIFIED, Level.FREE.value)


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

    - `ask`: entities for which SAGE asks for confirmation
    - `free`: entities for which SAGE does not ask
    - `unclassified`: entities that the model has not classified

    Each line has the name, the entity id and the model's reason. Entities whose risk level the
    household has chosen are left out.
    """
    levels = levels_of(hass)
    lines: dict[str, list[str]] = {each: [] for each in _LISTS}
    for entity_id in classifiable(hass):
        if levels.choice(entity_id) is None:
            verdict = levels.verdict(entity_id)
            key = verdict.level.value if verdict is not None else _UNCLASSIFIED
            lines[key].append(_line(hass, entity_id, verdict.reason if verdict else ""))
    return {key: _listed(sorted(each)) for key, each in lines.items()}


def _listed(lines: Sequence[str]) -> str:
    if not lines:
        return "- –"
    more = len(lines) - _MOST
    return "\n".join([*lines[:_MOST], *([f"- … (+{more})"] if more > 0 else [])])


def _line(hass: HomeAssistant, entity_id: str, reason: str) -> str:
    state = hass.states.get(entity_id)
    name = escaped(state.name) if state is not None else entity_id
    return f"- {name} (`{entity_id}`)" + (f": {escaped(reason)}" if reason else "")
