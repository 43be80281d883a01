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
from .routines.api import PublicEventType


@callback
def async_describe_events(
    hass: HomeAssistant,
    async_describe_event: Callable[[str, str, Callable[[Event], dict[str, Any]]], None],
) -> None:
    """Register a logbook description for each event type of routines."""
    for event_type in PublicEventType:
        async_describe_event(DOMAIN, event_type.event_name, _describe(hass, event_type))


def _describe(
    hass: HomeAssistant, event_type: PublicEventType
) -> Callable[[Event], dict[str, Any]]:
    @callback
    def describe(event: Event) -> dict[str, Any]:
        entity_id = str(event.data.get(ATTR_ENTITY_ID, ""))
        # If the switch no longer exists, name the routine by its number.
        state = hass.states.get(entity_id)
        return {
            LOGBOOK_ENTRY_NAME: state.name if state else f"Routine {event.data.get('number', '')}",
            LOGBOOK_ENTRY_MESSAGE: event_type.text(hass),
            LOGBOOK_ENTRY_ENTITY_ID: entity_id,
        }

    return describe
