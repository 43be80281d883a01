"""Decides whether the name of a routine's switch entity is its sentence: trigger and action.

Everybody can read the names of switches, and Home Assistant records them. So by default, a switch
shows the sentence only if exactly one person can sign in.
"""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from ..const import CONF_SENTENCES_AS_NAMES
from ..people.identity import async_all_users


async def async_shows_sentences(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Return whether switches show sentences as names: the option if set, else the default."""
    chosen: bool | None = entry.options.get(CONF_SENTENCES_AS_NAMES)
    if chosen is not None:
        return chosen
    return len(await async_all_users(hass)) == 1
