"""The meter counts what is computed, and not what is waited for."""

import asyncio
import time
from typing import Any

import httpx
import pytest

from benchmark.fake_model_server import FakeModelServer
from benchmark.model_script import Completion
from benchmark.overhead_meter import Meter, Span

_BODY = {"model": "test-model", "messages": [{"role": "user", "content": "hello"}]}
_DECISION = {**_BODY, "tools": [{"type": "function", "function": {"name": "say"}}]}


def compute(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


class _Client:
    """A client as SAGE's model uses one: a `post` that computes and asks a server."""

    def __init__(self, http: httpx.AsyncClient, url: str) -> None:
        self.http = http
        self.url = url

    async def post(self, path: str, body: dict[str, Any] = _DECISION) -> httpx.Response:
        compute(0.01)
        return await self.http.post(f"{self.url}{path}", json=body)


async def measured_request(*, delay: float) -> Span:
    """Return the span of one request to a model that takes `delay` seconds."""
    meter = Meter()
    with (
        FakeModelServer(
            lambda body: Completion(text="hello", delay=delay if "tools" in body else 0)
        ) as server,
        meter.installed(),
    ):
        async with httpx.AsyncClient() as http:
            client = _Client(http, server.url)
            # The connection is there; what is measured is a request.
            await http.get(f"{server.url}/models")
            meter.watch_http(http)
            meter.watch_client(client)

            async def ask() -> httpx.Response:
                # No decisions: the risk of an entity, and a prompt for the cache.
                for body in (_BODY, {**_DECISION, "max_tokens": 1}):
                    await client.post("/chat/completions", body)
                return await client.post("/chat/completions")

            response, span = await meter.async_span(ask())
            # What follows in the background is not of this span.
            await client.post("/chat/completions")
    assert response.json()["choices"][0]["message"]["content"] == "hello"
    return span


@pytest.mark.usefixtures("socket_enabled")
async def test_time_of_the_model_is_not_ours() -> None:
    span = await measured_request(delay=2)
    assert span.requests == 1
    # The time that the loop computes while the model does is not waited for.
    assert span.waited >= 1
    assert span.own < span.waited
    assert 0.01 <= span.client <= span.cpu


async def test_what_is_waited_for_elsewhere_is_ours() -> None:
    meter = Meter()
    with meter.installed():
        _, span = await meter.async_span(asyncio.to_thread(time.sleep, 0.3))
    assert span.idle >= 0.1
    assert span.own >= 0.1
    assert span.cpu < span.idle


async def test_what_is_waited_for_afterwards_is_not_of_the_command() -> None:
    meter = Meter()
    with meter.installed():
        _, span = await meter.async_span(asyncio.sleep(0))
        await asyncio.to_thread(time.sleep, 0.05)
    assert span.idle == 0
    assert span.own <= span.wall


async def test_long_callback_is_found_with_its_name() -> None:
    async def hold() -> None:
        await asyncio.sleep(0)
        compute(0.06)
        await asyncio.sleep(0)

    async def other() -> None:
        compute(0.04)

    async def work() -> None:
        await asyncio.gather(hold(), other())

    meter = Meter()
    with meter.installed():
        _, span = await meter.async_span(work())
    longest = span.longest(ours=False)
    assert longest is not None
    assert longest.cpu + longest.collection >= 0.06
    assert longest.cpu < 0.1
    assert "hold" in longest.name
    assert span.longest(ours=True) is None


async def test_what_the_command_itself_computes_is_ours() -> None:
    async def work() -> None:
        await asyncio.sleep(0)
        compute(0.03)

    meter = Meter()
    with meter.installed():
        _, span = await meter.async_span(work())
    longest = span.longest(ours=True)
    assert longest is not None
    assert longest.cpu + longest.collection >= 0.03
