"""A list of the risk levels that a language model decided, as text for the options flow."""

from typing import Final

from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant

from ..home.safety.gate import ASSISTANT
from ..home.safety.risk import needs_verdict
from ..home.safety.risk_levels import Level, levels_of
from ..text.speech import Sentences, async_load_sentences
from .flow_forms import escaped

_MOST: Final = 200
"""Maximum number of entities in the overview."""

_ORDER: Final = (Level.ASK, None, Level.FREE)
"""Order of levels in the overview; None means not classified yet."""


def classifiable(hass: HomeAssistant) -> list[str]:
    """Return exposed entities whose risk level a language model must classify, sorted.

    For other entities, the domain decides.
    """
    return [
        entity_id
        for entity_id in sorted(hass.states.async_entity_ids())
        if needs_verdict(hass, entity_id) and async_should_expose(hass, ASSISTANT, entity_id)
    ]


async def async_risk_overview(hass: HomeAssistant) -> str:
    """Return a Markdown list of the entities whose risk level a language model decides.

    Each line has the level and the reason, in the language of the home. Entities with a level
    chosen by the household are left out. Entities that need confirmation come first.
    """
    sentences = await async_load_sentences(hass, hass.config.language)
    levels = levels_of(hass)
    lines: list[tuple[int, str]] = []
    for entity_id in classifiable(hass):
        if levels.choice(entity_id) is None:
            verdict = levels.verdict(entity_id)
            level = verdict.level if verdict is not None else None
            line = _line(hass, sentences, entity_id, level, verdict.reason if verdict else "")
            lines.append((_ORDER.index(level), line))
    if not lines:
        return sentences.say("risk_nothing")
    listed = [line for _, line in sorted(lines)]
    if len(listed) > _MOST:
        more = sentences.say("risk_more", count=str(len(listed) - _MOST))
        listed = [*listed[:_MOST], f"- {more}"]
    return "\n".join(listed)


def _line(
    hass: HomeAssistant, sentences: Sentences, entity_id: str, level: Level | None, reason: str
) -> str:
    state = hass.states.get(entity_id)
    name = escaped(state.name) if state is not None else entity_id
    level_text = sentences.say(f"risk_{level.value if level else 'unclassified'}")
    return f"- {name} (`{entity_id}`): {level_text}" + (f" – {escaped(reason)}" if reason else "")
