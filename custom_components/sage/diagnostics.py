"""Diagnostics for bug reports, without API keys, PINs and texts of conversations."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import CONF_API_KEY
from homeassistant.core import HomeAssistant

from .config import agent_connection, decision_format, second_connection
from .const import (
    CONF_BASE_URL,
    CONF_CALENDARS,
    CONF_EMBEDDINGS,
    CONF_INSTRUCTIONS,
    CONF_PHOTO_SERVER,
    CONF_PIN_ATTEMPTS,
    CONF_PIN_HASH,
    CONF_PROVIDER,
    CONF_RISK_LEVELS,
    CONF_SATELLITES,
    CONF_SPEAKERS,
    SUBENTRY_AGENT,
    SUBENTRY_MAIL,
)
from .routines.api import routine_figures
from .run import SageConfigEntry

_REDACTED: Final = {CONF_API_KEY, CONF_PIN_HASH, CONF_INSTRUCTIONS}


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: SageConfigEntry
) -> dict[str, Any]:
    """Return the redacted settings of the entry and its agents, with statistics of stored data."""
    is_loaded = entry.state is ConfigEntryState.LOADED
    photos = list(entry.runtime_data.photos) if is_loaded else []
    return {
        "state": entry.state.value,
        "connection": _shown(entry.data),
        "options": _shown(entry.options),
        "agents": [
            {
                "name": agent.title,
                "settings": _shown(agent.data),
                "model": (connection := agent_connection(entry, agent.data)).model,
                "decision_format": decision_format(connection, agent.data),
                "second_model": second.model
                if (second := second_connection(entry, agent.data))
                else None,
            }
            for agent in entry.subentries.values()
            if agent.subentry_type == SUBENTRY_AGENT
        ],
        "mail_accounts": [
            account.data[CONF_PROVIDER]
            for account in entry.subentries.values()
            if account.subentry_type == SUBENTRY_MAIL
        ],
        "memory": await entry.runtime_data.memory.async_figures() if is_loaded else None,
        "routines": routine_figures(entry.runtime_data.routines) if is_loaded else None,
        "photos": {
            "is_readable": entry.runtime_data.photos.trouble is None,
            "count": len(photos),
            "devices": len({photo.subject for photo in photos}),
            "with_caption": sum(bool(photo.caption) for photo in photos),
        }
        if is_loaded
        else None,
    }


def _shown(data: Mapping[str, Any]) -> dict[str, Any]:
    shown = async_redact_data(dict(data), _REDACTED)
    if CONF_BASE_URL in shown:
        shown[CONF_BASE_URL] = shown_url(shown[CONF_BASE_URL])
    for server in (CONF_EMBEDDINGS, CONF_PHOTO_SERVER, CONF_SPEAKERS):
        if server in shown:
            shown[server] = _shown(shown[server])
    for counted in (CONF_CALENDARS, CONF_PIN_ATTEMPTS, CONF_RISK_LEVELS, CONF_SATELLITES):
        if counted in shown:
            shown[counted] = len(shown[counted])
    return shown


def shown_url(url: str) -> str:
    """Return `url` without its parts that may be secret: user name, password, query, fragment."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
