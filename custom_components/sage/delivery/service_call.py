"""Calls an action of Home Assistant that delivers something to a person."""

import asyncio
import logging
from typing import Any

from homeassistant.core import Context, HomeAssistant, ServiceResponse

from .errors import WayClosedError

_LOGGER = logging.getLogger(__name__)


async def async_call(
    hass: HomeAssistant,
    domain: str,
    service: str,
    data: dict[str, Any],
    *,
    seconds: float,
    answers: bool = False,
) -> ServiceResponse:
    """Call the action and wait at most `seconds`. Raises WayClosedError if it fails.

    The household has set up the way, so the call has no user.
    """
    try:
        async with asyncio.timeout(seconds):
            return await hass.services.async_call(
                domain, service, data, blocking=True, context=Context(), return_response=answers
            )
    except Exception as err:
        _LOGGER.debug("%s.%s failed", domain, service, exc_info=True)
        raise WayClosedError(f"{domain}.{service}: {type(err).__name__}") from err
