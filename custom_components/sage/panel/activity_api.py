"""The websocket command of the view *Activity*: a person's own commands."""

from typing import Any

import probatio
from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.components.websocket_api.decorators import async_response, websocket_command
from homeassistant.core import HomeAssistant

from ..const import DOMAIN


@websocket_command({probatio.Required("type"): "sage/traces"})
@async_response
async def async_traces(
    hass: HomeAssistant, connection: ActiveConnection, msg: dict[str, Any]
) -> None:
    """Send the caller's own traces, newest last."""
    traces: list[dict[str, Any]] = []
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        traces += entry.runtime_data.runs.traces(connection.user.id)
    connection.send_result(msg["id"], {"traces": traces})
