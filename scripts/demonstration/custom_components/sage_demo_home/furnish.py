"""Rooms, and what voice assistants may see: done once, then it belongs to the user."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr

from .furniture import APPLIANCES, AREA_OF, EXPOSED, ROOMS


def furnish(hass: HomeAssistant) -> None:
    """Build the rooms, put each appliance into its room, and set the exposure."""
    areas = _build_rooms(hass)
    entities = er.async_get(hass)
    devices = dr.async_get(hass)
    for appliance in APPLIANCES:
        for thing in appliance.things:
            row = entities.async_get(thing.entity_id)
            if row is not None and row.device_id is not None:
                devices.async_update_device(row.device_id, area_id=areas[appliance.area])
            if thing.exposed is not None:
                async_expose_entity(hass, "conversation", thing.entity_id, thing.exposed)
    for entity_id in EXPOSED:
        if hass.states.get(entity_id) is not None:
            async_expose_entity(hass, "conversation", entity_id, True)
    for entity_id, area in AREA_OF.items():
        if entities.async_get(entity_id) is not None:
            entities.async_update_entity(entity_id, area_id=areas[area])


def _build_rooms(hass: HomeAssistant) -> dict[str, str]:
    """Return the ids of the areas by their names."""
    floors, areas = fr.async_get(hass), ar.async_get(hass)
    ids: dict[str, str] = {}
    for level, (name, rooms) in enumerate(ROOMS.items()):
        floor = floors.async_get_floor_by_name(name) or floors.async_create(name, level=level)
        for room, icon in rooms.items():
            area = areas.async_get_or_create(room)
            areas.async_update(area.id, floor_id=floor.floor_id, icon=icon)
            ids[room] = area.id
    return ids
