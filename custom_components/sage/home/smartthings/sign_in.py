"""The token of Home Assistant's own SmartThings entry."""

import asyncio
import logging
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ConfigEntryAuthFailed

from .entry_shape import Client
from .raw import CloudError, CloudErrorKind

_LOGGER: Final = logging.getLogger(__name__)


async def async_token(hass: HomeAssistant, client: Client, seconds: float) -> str:
    """Return a token that is valid now. Raises CloudError; nothing was sent then.

    A refresh that has begun is never cancelled: the cloud may have spent the old
    refresh token already, and losing the new one would end the sign-in for good.
    """
    asked = hass.async_create_background_task(_async_ask(client), "SAGE SmartThings token")
    try:
        async with asyncio.timeout(seconds):
            token = await asyncio.shield(asked)
    except TimeoutError as error:
        raise CloudError(
            CloudErrorKind.CONNECTION, "signing in to SmartThings took too long"
        ) from error
    if isinstance(token, CloudError):
        raise token
    return token


async def _async_ask(client: Client) -> str | CloudError:
    """Return the token or why there is none; raises nothing, as nobody may be waiting."""
    try:
        token: object = await client.refresh_token_function()
    except ConfigEntryAuthFailed:
        return CloudError(CloudErrorKind.SIGN_IN, "SmartThings no longer accepts the sign-in")
    except Exception as error:  # noqa: BLE001 - another integration's code
        _LOGGER.debug("No SmartThings token: %s", type(error).__name__)
        return CloudError(CloudErrorKind.CONNECTION, "cannot sign in to SmartThings")
    if not isinstance(token, str) or not token:
        return CloudError(CloudErrorKind.SIGN_IN, "the SmartThings entry has no token")
    return token
