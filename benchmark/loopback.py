"""Ports and processes on loopback, and an application that may stop while others connect to it."""

import asyncio
import errno
import shutil
import socket
import threading
from collections.abc import Sequence
from random import SystemRandom
from typing import Final, Protocol

from aiohttp import web

_END = 0.1
"""Seconds that requests under way have to end in."""

_HOST: Final = "127.0.0.1"
_PORTS: Final = range(20_000, 32_000)
"""Below the ports that systems give to outgoing connections."""

_promised: Final[set[int]] = set()
"""Ports on which a program that this process starts will listen."""


def free_port() -> int:
    """Return a port on which nobody listens.

    Neither a connection nor a server of this process takes it by chance.
    """
    with _listening() as free:
        port = int(free.getsockname()[1])
    _promised.add(port)
    return port


def tied(command: Sequence[str]) -> list[str]:
    """Return a command whose process ends with the thread that starts it, even if that is killed.

    Only on Linux; elsewhere the command itself.
    """
    if shutil.which("setpriv") is None:
        return list(command)
    return ["setpriv", "--pdeathsig", "TERM", *command]


def _listening() -> socket.socket:
    """Return a socket that listens on a free port. Raises OSError where there is none."""
    for port in SystemRandom().sample(_PORTS, 100):
        if port in _promised:
            continue
        try:
            return socket.create_server((_HOST, port))
        except OSError as err:
            if err.errno != errno.EADDRINUSE:
                raise
    raise OSError(errno.EADDRINUSE, "no free port")


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
        return f"http://{_HOST}:{self._port}"

    async def async_start(self, app: web.Application) -> None:
        """Serve an application."""
        if self._port:
            self._listening = socket.create_server((_HOST, self._port))
        else:
            self._listening = _listening()
        self._port = int(self._listening.getsockname()[1])
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=_END)
        await self._runner.setup()
        await web.SockSite(self._runner, self._listening).start()

    async def async_stop(self) -> None:
        """Accept no new connections, and end the current ones."""
        if self._runner is None or self._listening is None:
            return
        # Who was let in a moment ago has to be at the server before that closes: asyncio
        # fails otherwise.
        asyncio.get_running_loop().remove_reader(self._listening)
        await asyncio.sleep(0)
        await self._runner.cleanup()
        self._runner = self._listening = None


class Server(Protocol):
    """A server that starts and stops in the running loop."""

    async def async_start(self) -> None:
        """Start to serve."""

    async def async_stop(self) -> None:
        """Stop to serve."""


class ServerThread(threading.Thread):
    """A thread with a loop in which a server runs."""

    def __init__(self, server: Server) -> None:
        super().__init__(name=type(server).__name__, daemon=True)
        self._server = server
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._failure: BaseException | None = None

    def begin(self) -> None:
        """Return when the server listens; raises what its start raised."""
        self.start()
        self._ready.wait()
        if self._failure is not None:
            raise self._failure

    def end(self) -> None:
        """Return when the server has stopped."""
        asyncio.run_coroutine_threadsafe(self._server.async_stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self.join()

    def run(self) -> None:
        """Serve until the loop is stopped."""
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._server.async_start())
        except BaseException as err:  # noqa: BLE001 - it is raised in the other thread
            self._failure = err
            return
        finally:
            self._ready.set()
        self._loop.run_forever()
        self._loop.close()
