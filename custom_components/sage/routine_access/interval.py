"""How often routines are looked at that go by the time: as the options say."""

from homeassistant.core import HomeAssistant

from ..const import CONF_ROUTINE_INTERVAL, DOMAIN
from ..routines.model import DEFAULT_INTERVAL


def usual_interval(hass: HomeAssistant) -> float:
    """Return the seconds between two checks where nobody says how many."""
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        return float(entry.options.get(CONF_ROUTINE_INTERVAL, DEFAULT_INTERVAL))
    return DEFAULT_INTERVAL
