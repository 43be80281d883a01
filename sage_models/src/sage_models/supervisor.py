"""Supervisor discovery: as an app, the server announces itself to Home Assistant.

Home Assistant then offers to connect the integration SAGE. See the Supervisor's API, `/discovery`.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

import aiohttp
from aiohttp import web

from .server_settings import ServerSettings

_LOGGER = logging.getLogger(__name__)

SERVICE: Final = "sage"
"""The domain of the integration."""

_ADDRESS: Final = "http://supervisor"
WAITS: Final = (1.0, 5.0, 30.0)
"""Seconds before a further attempt: the Supervisor may still be starting."""

_TIMEOUT: Final = aiohttp.ClientTimeout(total=10)


def announce(
    application: web.Application,
    settings: ServerSettings,
    environment: Mapping[str, str],
    waits: Sequence[float] = WAITS,
) -> None:
    """Announce the server when it starts, if it runs as an app."""
    if token := environment.get("SUPERVISOR_TOKEN"):
        address = environment.get("SUPERVISOR_ADDRESS", _ADDRESS)
        announcing = _Announcing(settings, address, token, waits)
        application.cleanup_ctx.append(announcing.async_run)


class _Announcing:
    """One announcement, repeated until the Supervisor has accepted it."""

    def __init__(
        self, settings: ServerSettings, address: str, token: str, waits: Sequence[float]
    ) -> None:
        self._settings = settings
        self._address = address
        self._token = token
        self._waits = waits

    async def async_run(self, application: web.Application) -> AsyncIterator[None]:
        """Announce in the background while the server runs."""
        task = asyncio.create_task(self._async_announce())
        yield
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def _async_announce(self) -> None:
        for wait in (*self._waits, None):
            try:
                await self._async_post()
            except (aiohttp.ClientError, TimeoutError) as err:
                _LOGGER.warning("The server could not be announced to Home Assistant: %s", err)
            else:
                _LOGGER.info("Announced to Home Assistant")
                return
            if wait is not None:
                await asyncio.sleep(wait)

    async def _async_post(self) -> None:
        config = {"host": socket.gethostname(), "port": self._settings.port}
        if self._settings.key:
            config["key"] = self._settings.key
        async with (
            aiohttp.ClientSession(timeout=_TIMEOUT) as session,
            session.post(
                f"{self._address}/discovery",
                json={"service": SERVICE, "config": config},
                headers={"Authorization": f"Bearer {self._token}"},
                raise_for_status=True,
            ),
        ):
            pass
