"""A server of the tests stops cleanly, even if clients connect meanwhile."""

import asyncio
import imaplib
import smtplib
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession, web

from benchmark import loopback, radicale_server
from benchmark.loopback import Loopback, free_port
from benchmark.mail_servers import PASSWORD, Dovecot, SmtpServer
from benchmark.radicale_server import RadicaleServer


async def hello(request: web.Request) -> web.Response:
    return web.Response(text="hello")


def application() -> web.Application:
    app = web.Application()
    app.router.add_get("/", hello)
    return app


@pytest.mark.usefixtures("socket_enabled")
@pytest.mark.parametrize("turns", range(5))
async def test_who_is_being_let_in_does_not_break_the_stop(turns: int) -> None:
    """The turns of the loop since somebody connected decide how far they got."""
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
    server = Loopback()
    await server.async_start(application())
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port)):
        for _ in range(turns):
            await asyncio.sleep(0)
        await server.async_stop()
    await asyncio.sleep(0.01)
    assert faults == []


@pytest.mark.usefixtures("socket_enabled")
async def test_it_keeps_its_port() -> None:
    server = Loopback()
    await server.async_stop()
    for _ in range(2):
        await server.async_start(application())
        async with ClientSession() as session, session.get(server.url) as response:
            assert await response.text() == "hello"
        url = server.url
        await server.async_stop()
    assert server.url == url


@pytest.mark.usefixtures("socket_enabled")
def test_no_port_is_given_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback, "_PORTS", range(31_000, 31_100))
    ports = [free_port() for _ in range(50)]
    assert len(set(ports)) == len(ports)


@pytest.mark.usefixtures("socket_enabled")
def test_no_port_is_given_to_two_processes() -> None:
    other = subprocess.Popen(
        [sys.executable, "-c", _PROMISES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    port = int(other.stdout.readline())
    assert not loopback.promise(port)
    other.communicate()
    assert loopback.promise(port)
    loopback.release(port)


_PROMISES = "from benchmark.loopback import free_port; print(free_port(), flush=True); input()"


class Imitator:
    """A server of somebody else on a port; it answers everything with success."""

    def __enter__(self) -> int:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return int(self._listener.getsockname()[1])

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection = self._listener.accept()[0]
                connection.sendall(b"* OK ready\r\n")
                connection.close()

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()


def taken_first(taken: int) -> Callable[[], int]:
    """Return a replacement of `free_port` whose first port another program has taken."""
    ports = iter([taken, *(free_port() for _ in range(8))])
    return lambda: next(ports)


@pytest.mark.usefixtures("socket_enabled")
def test_radicale_is_not_taken_for_another_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Imitator() as taken:
        monkeypatch.setattr(radicale_server, "free_port", taken_first(taken))
        server = RadicaleServer(tmp_path, {"anna": "secret"})
        server.start()
        server.add_calendar("anna", "home", {})
        server.stop()
    assert not server.url.endswith(f":{taken}/")


@pytest.mark.usefixtures("socket_enabled")
def test_radicale_says_that_its_given_port_is_taken(tmp_path: Path) -> None:
    with Imitator() as taken, pytest.raises(RuntimeError, match="did not start"):
        RadicaleServer(tmp_path, {"anna": "secret"}, taken).start()


@pytest.mark.usefixtures("socket_enabled")
@pytest.mark.parametrize("listener", ["port", "tls_port"])
def test_dovecot_is_not_taken_for_another_server(tmp_path: Path, listener: str) -> None:
    server = Dovecot(tmp_path, ["anna"])
    with Imitator() as taken:
        setattr(server, listener, taken)
        with server, imaplib.IMAP4("127.0.0.1", server.port) as client:
            assert taken not in (server.port, server.tls_port)
            client.login("anna", PASSWORD.format(name="anna"))


@pytest.mark.usefixtures("socket_enabled")
def test_smtp_takes_its_port_when_it_starts() -> None:
    with SmtpServer(["anna"]) as first, SmtpServer(["anna"]) as second:
        assert first.port != second.port
        with smtplib.SMTP("127.0.0.1", second.port, "localhost") as client:
            assert client.noop()[0] == 250
