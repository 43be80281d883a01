"""From the options to the models that embed (`embeddings`)."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.const import CONF_API_KEY, CONF_MODEL
from homeassistant.core import HomeAssistant

from .agent.openai_model import async_create_client
from .const import CONF_BASE_URL
from .embeddings.server import Patience, ServerEmbedder

_PATIENCE: Final = Patience(attempts=2, request_seconds=10.0, total_seconds=15.0)
"""Somebody may be waiting for the answer, and the built-in model can stand in."""


async def async_server_embedder(hass: HomeAssistant, settings: Mapping[str, Any]) -> ServerEmbedder:
    """Return the embedder for a server; it is not asked anything yet."""
    client = await async_create_client(hass, settings[CONF_BASE_URL], settings.get(CONF_API_KEY))
    return ServerEmbedder(hass, client, settings[CONF_MODEL], patience=_PATIENCE)
