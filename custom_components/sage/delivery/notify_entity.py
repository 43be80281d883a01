"""Sends a text to a notify entity."""

from typing import Final

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant

from .errors import WayClosedError
from .service_call import async_call

NOTIFY: Final = "notify"
NOTIFY_SECONDS: Final = 30.0
"""How long to wait until a notification is sent."""


async def async_notify_entity(
    hass: HomeAssistant, entity_id: str, message: str, title: str
) -> None:
    """Send the text to a notify entity. Raises WayClosedError."""
    state = hass.states.get(entity_id)
    if state is None or state.state == STATE_UNAVAILABLE:
        raise WayClosedError(f"{entity_id} is not available")
    data = {"entity_id": entity_id, "message": message, "title": title}
    await async_call(hass, NOTIFY, "send_message", data, seconds=NOTIFY_SECONDS)
