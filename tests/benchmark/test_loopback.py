"""A server of the tests stops cleanly, even if clients connect meanwhile."""

import asyncio
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest
from aiohttp import ClientSession, web

from benchmark import loopback
from benchmark.loopback import Loopback, free_port


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
