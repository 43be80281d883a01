"""Let the language model write the caption of a device photo."""

import asyncio
from typing import Final

from ..agent.run import AgentSettings
from ..home.home_types import Device
from ..home.labels import quiet
from ..model.language_model import (
    ModelError,
    ModelErrorKind,
    object_schema,
)
from ..model.partial_json import first_object
from ..photos.photo import clean_caption

_PROMPT: Final = "photo_caption"
_TOKENS: Final = 1024
"""Maximum length of the reply in tokens, including a model's reasoning."""

_PATIENCE: Final = 90.0
"""Timeout in seconds, because a user waits in a dialog."""

MODEL_FAILURES: Final = frozenset(
    {
        ModelErrorKind.UNREACHABLE,
        ModelErrorKind.WRONG_ADDRESS,
        ModelErrorKind.CERTIFICATE,
        ModelErrorKind.TIMEOUT,
        ModelErrorKind.KEY_REFUSED,
        ModelErrorKind.NO_CREDIT,
        ModelErrorKind.RATE_LIMITED,
        ModelErrorKind.AI_TASK_GONE,
        ModelErrorKind.AI_TASK_KEY,
    }
)
"""Failures with their own error text, e.g. a timeout; the others share one text."""

_SCHEMA: Final = object_schema({"caption": {"type": "string"}})


async def async_write_caption(settings: AgentSettings, device: Device, jpeg: bytes) -> str:
    """Let the agent's model write an English caption for a photo of a device.

    Returns "" if the reply has no caption. Raises ModelError, e.g. if the model accepts no images.
    """
    place = f", room: {quiet(device.area)}" if device.area else ""
    request = settings.json_request(
        settings.prompts[_PROMPT],
        f"Device: {quiet(device.name)}{place}",
        schema=_SCHEMA,
        images=(jpeg,),
        max_tokens=_TOKENS,
    )
    try:
        async with asyncio.timeout(_PATIENCE):
            reply = await settings.model.async_complete(request)
    except TimeoutError as err:
        raise ModelError(ModelErrorKind.TIMEOUT) from err
    caption = (first_object(reply.text) or {}).get("caption")
    return clean_caption(caption) if isinstance(caption, str) else ""
