"""However large a reply is, little of it is read."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.core import HomeAssistant

from custom_components.sage.model.language_model import (
    ChatMessage,
    ModelError,
    ModelErrorKind,
    ModelRequest,
    RetryPolicy,
)
from custom_components.sage.model.openai_model import OpenAIModel, async_create_client

pytestmark = pytest.mark.usefixtures("socket_enabled")

HELLO = ModelRequest(messages=(ChatMessage(role="user", content="Hello"),))
REPLY = json.dumps(
    {"choices": [{"message": {"content": "Hello!"}, "finish_reason": "stop"}]}
).encode()
STREAMED = b'data: {"choices": [{"delta": {"content": "Hello!"}, "finish_reason": "stop"}]}\n\n'

type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def served(handler: Handler) -> AsyncIterator[tuple[str, list[str]]]:
    """Yield the address of a server, and the encodings that its requests ask for."""
    asked: list[str] = []

    async def noted(request: web.Request) -> web.StreamResponse:
        asked.append(request.headers["Accept-Encoding"])
        return await handler(request)

    app = web.Application()
    app.router.add_post("/v1/{path:.*}", noted)
    async with TestServer(app) as server:
        yield str(server.make_url("/v1")), asked


async def say(hass: HomeAssistant, url: str, *, stream: bool = False) -> str:
    policy = RetryPolicy(first_wait=0.0, request_seconds=20.0, total_seconds=20.0)
    model = OpenAIModel(await async_create_client(hass, url, None), "test-model", policy=policy)
    pieces: list[str] = []
    return (await model.async_complete(HELLO, on_delta=pieces.append if stream else None)).text


@pytest.mark.parametrize("stream", [False, True])
async def test_no_compressed_reply_is_asked_for(hass: HomeAssistant, stream: bool):
    body, kind = (STREAMED, "text/event-stream") if stream else (REPLY, "application/json")

    async def handler(_: web.Request) -> web.Response:
        return web.Response(body=body, content_type=kind)

    async with served(handler) as (url, asked):
        assert await say(hass, url, stream=stream) == "Hello!"
    assert asked == ["identity"]


async def test_a_reply_that_is_too_large_is_given_up(hass: HomeAssistant):
    async def handler(_: web.Request) -> web.Response:
        return web.Response(body=b" " * 9_000_000 + REPLY, content_type="application/json")

    async with served(handler) as (url, asked):
        with pytest.raises(ModelError, match="more than 8 MB") as caught:
            await say(hass, url)
    assert caught.value.kind is ModelErrorKind.BROKEN_REPLY
    assert len(asked) == 1


async def test_a_stream_that_never_ends_is_given_up(hass: HomeAssistant):
    async def handler(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        while True:
            await response.write(b": still thinking" + b"." * 100_000 + b"\n\n")

    async with served(handler) as (url, asked):
        with pytest.raises(ModelError, match="more than 8 MB"):
            await say(hass, url, stream=True)
    assert len(asked) == 1
