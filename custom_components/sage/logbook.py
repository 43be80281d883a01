"""Logbook entries for events of routines."""

from collections.abc import Callable
from typing import Any

from homeassistant.components.logbook.const import (
    LOGBOOK_ENTRY_ENTITY_ID,
    LOGBOOK_ENTRY_MESSAGE,
    LOGBOOK_ENTRY_NAME,
)
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Event, HomeAssistant, callback

from .const import DOMAIN
from .routines.api.routine_events import Happening, event_name, happening_words


@callback
def async_describe_events(
    hass: HomeAssistant,
    async_describe_event: Callable[[str, str, Callable[[Event], dict[str, Any]]], None],
) -> None:
    """Describe all events of routines."""
    for happening in Happening:
        async_describe_event(DOMAIN, event_name(happening), _describe(hass, happening))


def _describe(hass: HomeAssistant, happening: Happening) -> Callable[[Event], dict[str, Any]]:
    @callback
    def describe(event: Event) -> dict[str, Any]:
        entity_id = str(event.data.get(ATTR_ENTITY_ID, ""))
        # The name of the switch, or the number of a routine that no longer exists.
        state = hass.states.get(entity_id)
        return {
            LOGBOOK_ENTRY_NAME: state.name if state else f"Routine {event.data.get('number', '')}",
            LOGBOOK_ENTRY_MESSAGE: happening_words(hass, happening),
            LOGBOOK_ENTRY_ENTITY_ID: entity_id,
        }

    return describe
