"""A home of 1,000 entities for measurements; never shipped.

Real entities of real platforms, with devices and areas, whose state changes at once: what a
command then takes is the time of the code, not of a device.
"""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from .layout import PLATFORMS


async def async_setup_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Bring the devices in."""
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    return True


async def async_unload_entry(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Remove the devices."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
