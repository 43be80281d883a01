"""Ports and processes on loopback, and an application that may stop while others connect to it."""

import asyncio
import errno
import fcntl
import os
import shutil
import socket
import threading
import weakref
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import SystemRandom
from typing import Final, Protocol

from aiohttp import web

_END = 0.1
"""Seconds that requests under way have to end in."""

_HOST: Final = "127.0.0.1"
_PORTS: Final = range(20_000, 32_000)
"""Below the ports that systems give to outgoing connections."""

_promised: Final[set[int]] = set()
"""Ports that this process has promised to a server."""

ATTEMPTS: Final = 5
"""How often a server is started on another port, if a program that is not ours takes its port."""


def free_port() -> int:
    """Return a port on which nobody listens, for a program that binds it later.

    No connection and no server of this repository takes it, in any process, while this process
    lives. Another program may; so a server that is started on it has to prove its identity.
    """
    with listening() as free:
        return int(free.getsockname()[1])


def promise(port: int) -> bool:
    """Reserve a port for a server of this process; return False if it is reserved already."""
    if port in _promised:
        return False
    try:
        # The system releases the lock when the process ends, however it ends.
        fcntl.lockf(_lock_file(), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except OSError:
        return False
    _promised.add(port)
    return True


def release(port: int) -> None:
    """Undo `promise`."""
    _promised.discard(port)
    fcntl.lockf(_lock_file(), fcntl.LOCK_UN, 1, port)


@cache
def _lock_file() -> int:
    """Return the descriptor of a file of which each reserved port has one byte locked."""
    # The cache is the same for all checkouts, and no test looks for leftovers in it.
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(os.environ.get("SAGE_CACHE_DIR") or caches / "sage")
    folder.mkdir(parents=True, exist_ok=True)
    return os.open(folder / "ports", os.O_RDWR | os.O_CREAT, 0o600)


def tied(command: Sequence[str]) -> list[str]:
    """Return a command whose process ends with the thread that starts it, even if that is killed.

    Only on Linux; elsewhere the command itself.
    """
    if shutil.which("setpriv") is None:
        return list(command)
    return ["setpriv", "--pdeathsig", "TERM", *command]


def _candidates() -> Iterator[int]:
    """Yield ports that nobody else has reserved."""
    for port in SystemRandom().sample(_PORTS, 100):
        if promise(port):
            yield port


def listening(port: int = 0) -> socket.socket:
    """Return a socket that listens on `port`; 0 takes a free one and reserves it.

    Raises OSError if there is none, or if somebody listens on `port`.
    """
    if port:
        return socket.create_server((_HOST, port))
    for free in _candidates():
        try:
            return socket.create_server((_HOST, free))
        except OSError as err:
            release(free)
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
        self._listening = listening(self._port)
        if not self._port:
            self._port = int(self._listening.getsockname()[1])
            weakref.finalize(self, release, self._port)
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
