"""Which entities tests expose to Assist."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

ASSISTANT = "conversation"


def expose(hass: HomeAssistant, *entity_ids: str) -> None:
    """Expose exactly these entities to Assist, and no others."""
    hide_all(hass)
    for entity_id in entity_ids:
        async_expose_entity(hass, ASSISTANT, entity_id, True)


def expose_all(hass: HomeAssistant) -> None:
    for entity_id in _all(hass):
        async_expose_entity(hass, ASSISTANT, entity_id, True)


def hide_all(hass: HomeAssistant) -> None:
    for entity_id in _all(hass):
        async_expose_entity(hass, ASSISTANT, entity_id, False)


def _all(hass: HomeAssistant) -> set[str]:
    return {*er.async_get(hass).entities, *hass.states.async_entity_ids()}
