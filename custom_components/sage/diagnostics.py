"""What a bug report may hold: no key, no PIN, no words of anybody."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

from homeassistant.components.diagnostics import async_redact_data
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_API_KEY
from homeassistant.core import HomeAssistant

from .connection import agent_connection, decision_format
from .const import CONF_BASE_URL, CONF_INSTRUCTIONS, CONF_PIN_HASH

_REDACTED: Final = {CONF_API_KEY, CONF_PIN_HASH, CONF_INSTRUCTIONS}


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant,
    entry: ConfigEntry,
) -> dict[str, Any]:
    """Return the settings of the household and its agents, redacted."""
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
            }
            for agent in entry.subentries.values()
        ],
    }


def _shown(data: Mapping[str, Any]) -> dict[str, Any]:
    shown = async_redact_data(dict(data), _REDACTED)
    if CONF_BASE_URL in shown:
        shown[CONF_BASE_URL] = without_credentials(shown[CONF_BASE_URL])
    return shown


def without_credentials(url: str) -> str:
    """Return a URL without user, password and query, any of which may be secret."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))
