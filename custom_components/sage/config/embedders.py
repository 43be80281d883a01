"""Create and test clients for embedding servers, which convert texts or images to vectors."""

import io
from collections.abc import Mapping
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_API_KEY, CONF_MODEL
from homeassistant.core import HomeAssistant
from PIL import Image

from ..const import CONF_BASE_URL, CONF_SPEAKER_THRESHOLD, CONF_SPEAKERS
from ..memory import LongTermMemory
from ..model import ModelError, ModelErrorKind, RetryPolicy, ServerEmbedder, async_create_client
from ..people import THRESHOLD
from ..run import BUZZ, ENCODER, Speakers
from .connection import async_first_usable, base_urls

_POLICY: Final = RetryPolicy(attempts=2, request_seconds=60.0, total_seconds=90.0)
"""Timeouts for background work; a memory search uses its own, shorter timeout."""

_PROBE: Final = RetryPolicy(attempts=1, request_seconds=45.0, total_seconds=45.0)
"""Timeouts for testing in the options flow: a local server may load the model meanwhile."""

_PROBED: Final = "the light on the dresser"
_NO_PICTURE: Final = b"this is no picture"
_SAME_FOR_ANY_MODEL: Final = frozenset(
    {
        ModelErrorKind.UNREACHABLE,
        ModelErrorKind.WRONG_ADDRESS,
        ModelErrorKind.CERTIFICATE,
        ModelErrorKind.NO_CREDIT,
        ModelErrorKind.TIMEOUT,
        ModelErrorKind.KEY_REFUSED,
        ModelErrorKind.RATE_LIMITED,
    }
)


async def async_server_embedder(
    hass: HomeAssistant, settings: Mapping[str, Any], *, policy: RetryPolicy = _POLICY
) -> ServerEmbedder:
    """Return a client for an embedding server; sends no request."""
    address = settings[CONF_BASE_URL]
    client = await async_create_client(hass, address, settings.get(CONF_API_KEY))
    return ServerEmbedder(hass, client, settings[CONF_MODEL], address=address, policy=policy)


async def async_make_speakers(
    hass: HomeAssistant, entry: ConfigEntry[Any], memory: LongTermMemory
) -> Speakers:
    """Return what compares voices; without a server in the options, it knows only reports."""
    settings = entry.options.get(CONF_SPEAKERS, {})
    encoder = await async_server_embedder(hass, settings) if settings else None
    threshold = entry.options.get(CONF_SPEAKER_THRESHOLD, THRESHOLD)
    speakers = Speakers(hass, memory, encoder, settings.get(CONF_MODEL, ENCODER), threshold)
    entry.async_create_background_task(hass, speakers.async_warm(), "SAGE warms the encoder")
    return speakers


async def async_find_embeddings(
    hass: HomeAssistant,
    address: str,
    api_key: str | None,
    model: str,
    *,
    of_images: bool = False,
    of_speech: bool = False,
) -> dict[str, Any]:
    """Test an embedding server; return its settings with the complete base URL.

    `address` may lack its scheme or `/v1`, e.g. `box:8080`. `of_images`: whether the model must
    embed texts and images; `of_speech`: whether it must embed voices. Raises ModelError if no URL
    works, with the kind NOT_AN_IMAGE_MODEL if the model embeds only texts.
    """
    picture = await hass.async_add_executor_job(_picture) if of_images else b""

    async def async_try(base_url: str) -> dict[str, Any]:
        settings = {CONF_BASE_URL: base_url, CONF_MODEL: model}
        if api_key:
            settings[CONF_API_KEY] = api_key
        embedder = await async_server_embedder(hass, settings, policy=_PROBE)
        if of_speech:
            await embedder.async_embed_speech(BUZZ)
        else:
            await embedder.async_embed([_PROBED])
        if of_images:
            await _async_try_images(embedder, picture)
        return settings

    return await async_first_usable(address, async_try)


async def _async_try_images(embedder: ServerEmbedder, picture: bytes) -> None:
    """Raise ModelError unless the server embeds an image as an image.

    A server that ignores `modality` embeds the data URI of an image as text. To find such a server,
    invalid image data is sent: a server for images rejects it.
    """
    try:
        await embedder.async_embed_images([picture])
    except ModelError as err:
        if err.kind in _SAME_FOR_ANY_MODEL:
            raise
        raise ModelError(ModelErrorKind.NOT_AN_IMAGE_MODEL, err.kind.value) from err
    try:
        await embedder.async_embed_images([_NO_PICTURE])
    except ModelError:
        return
    raise ModelError(ModelErrorKind.NOT_AN_IMAGE_MODEL, "it reads pictures as texts")


def _picture() -> bytes:
    output = io.BytesIO()
    Image.new("RGB", (64, 64), "teal").save(output, "JPEG")
    return output.getvalue()


def is_same_server(address: str, base_url: str) -> bool:
    """Return whether `address` is certainly `base_url`; if not, never send it the API key."""
    return "://" in address and base_url in base_urls(address)
