"""An application on loopback that may stop while others connect to it."""

import asyncio
import socket

from aiohttp import web

_END = 0.1
"""Seconds that requests under way have to end in."""


class Loopback:
    """Serves in the running loop, on a port that it keeps when it is started again."""

    def __init__(self, port: int = 0) -> None:
        """Serve nothing yet; port 0 takes a free one."""
        self._port = port
        self._listening: socket.socket | None = None
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """Where it is served, once it was started."""
        return f"http://127.0.0.1:{self._port}"

    async def async_start(self, app: web.Application) -> None:
        """Serve an application."""
        self._listening = socket.create_server(("127.0.0.1", self._port))
        self._port = int(self._listening.getsockname()[1])
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=_END)
        await self._runner.setup()
        await web.SockSite(self._runner, self._listening).start()

    async def async_stop(self) -> None:
        """Let nobody in any more, and end what is under way."""
        if self._runner is None or self._listening is None:
            return
        # Who was let in a moment ago has to be at the server before that closes: asyncio
        # fails otherwise.
        asyncio.get_running_loop().remove_reader(self._listening)
        await asyncio.sleep(0)
        await self._runner.cleanup()
        self._runner = self._listening = None
