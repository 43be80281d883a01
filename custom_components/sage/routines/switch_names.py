"""Decides whether a routine's switch is named after the routine's trigger and action.

Example: "Whenever the fridge is opened: turn on the hall light". An option of SAGE decides this;
without a choice, such names are used only if exactly one person can sign in.
"""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from ..const import CONF_SENTENCES_AS_NAMES
from ..people.identity import async_all_users


async def async_shows_sentences(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Return whether switches of routines are named after the routine's trigger and action.

    SAGE's option decides; without a choice, True only if exactly one person can sign in.
    """
    chosen: bool | None = entry.options.get(CONF_SENTENCES_AS_NAMES)
    if chosen is not None:
        return chosen
    # All users can read the names, and Home Assistant records them.
    return len(await async_all_users(hass)) == 1
