"""Decides whether the name of a routine's switch entity contains its trigger and action.

Such a name is a sentence: "Whenever the fridge is opened: turn on the hall light". All users can
read the names, and Home Assistant records them. The default is therefore such a name only if
exactly one person can sign in.
"""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from ..const import CONF_SENTENCES_AS_NAMES
from ..people.identity import async_all_users


async def async_shows_sentences(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Return whether switches of routines are named after the routine's trigger and action.

    The option of SAGE decides. If the option is not set, return True if exactly one person can sign
    in.
    """
    chosen: bool | None = entry.options.get(CONF_SENTENCES_AS_NAMES)
    if chosen is not None:
        return chosen
    return len(await async_all_users(hass)) == 1
