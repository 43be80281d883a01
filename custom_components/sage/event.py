"""One event entity that reports the events of all routines (stored commands) to automations."""

from typing import Final

from homeassistant.components.event import EventEntity
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .routines.api.public_routines import (
    PublicEventReader,
    PublicEventType,
    async_switch_of,
    device_info,
    event_unique_id,
)
from .routines.registry import RoutineEvent
from .run.runtime import SageConfigEntry

PARALLEL_UPDATES: Final = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: SageConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the event entity of the routines."""
    async_add_entities([RoutineEventEntity(entry)])


class RoutineEventEntity(EventEntity):
    """Event entity that shows the latest event of any routine (stored command).

    The event data contains the routine's number and switch, but never the person's words.
    """

    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_translation_key = "routines"
    _attr_event_types: list[str] = [each.value for each in PublicEventType]  # noqa: RUF012

    def __init__(self, entry: SageConfigEntry) -> None:
        self._entry = entry
        self._routines = entry.runtime_data.routines
        self._reader = PublicEventReader(self._routines.list_all())
        self._attr_unique_id = event_unique_id(entry)
        self._attr_device_info = device_info(entry)
        self.entity_id = "event.sage_routines"

    async def async_added_to_hass(self) -> None:
        """Listen to the events of routines."""
        self.async_on_remove(self._routines.listen(self._handle_event))

    @callback
    def _handle_event(self, event: RoutineEvent) -> None:
        if (event_type := self._reader.read(event)) is None:
            return
        routine = event.routine
        entity_id = async_switch_of(self.hass, self._entry, routine)
        self._trigger_event(event_type, {"routine": entity_id, "number": routine.number})
        self.async_write_ha_state()
