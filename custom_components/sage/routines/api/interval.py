"""The configured interval between checks of conditions."""

from homeassistant.core import HomeAssistant

from ...const import CONF_ROUTINE_INTERVAL, DOMAIN
from ..routine_types import DEFAULT_INTERVAL


def usual_interval(hass: HomeAssistant) -> float:
    """Return the default number of seconds between two checks."""
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        return float(entry.options.get(CONF_ROUTINE_INTERVAL, DEFAULT_INTERVAL))
    return DEFAULT_INTERVAL
