"""Decides whether the switch entity of a routine is named after the person's request.

Everybody can read the names of switches, and Home Assistant records them. So by default, a switch
is named after the request only if exactly one person can sign in.
"""

from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant

from ..const import CONF_SENTENCES_AS_NAMES
from ..people.identity import async_all_users
from .routine_types import Routine

_LONGEST: Final = 100
"""Maximum length of a name in characters."""


async def async_shows_sentences(hass: HomeAssistant, entry: ConfigEntry) -> bool:
    """Return whether switches are named after requests: the option if set, else the default."""
    chosen: bool | None = entry.options.get(CONF_SENTENCES_AS_NAMES)
    if chosen is not None:
        return chosen
    return len(await async_all_users(hass)) == 1


def sentence_name(routine: Routine) -> str | None:
    """Return the person's request, shortened, as the name of the routine's switch.

    None if the request is empty.
    """
    words = " ".join(routine.request.split())
    return f"{words[: _LONGEST - 1]}…" if len(words) > _LONGEST else words or None
