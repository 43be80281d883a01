"""The area in which an Assist satellite (voice device) or another device is."""

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from .labels import flat_name


@callback
def room_of(
    hass: HomeAssistant, satellite_id: str | None = None, device_id: str | None = None
) -> str | None:
    """Return the name of the area of an Assist satellite entity; None if unknown.

    Without a satellite, or if its area is unknown, the area of the device counts.
    """
    satellite = er.async_get(hass).async_get(satellite_id) if satellite_id else None
    area_id = satellite.area_id if satellite else None
    if area_id is None and satellite is not None:
        device_id = satellite.device_id or device_id
    if area_id is None and device_id and (device := dr.async_get(hass).async_get(device_id)):
        area_id = dr.async_get_effective_area_id(hass, device)
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    return flat_name(area.name) if area else None
