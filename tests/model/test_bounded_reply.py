"""However large a reply is once it is decompressed, little of it is read."""

import gzip
import json
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.core import HomeAssistant

from custom_components.sage.embeddings.server import ServerEmbedder
from custom_components.sage.embeddings.server_failure import FailureKind, ServerFailureError
from custom_components.sage.helpers.server_requests import RetryPolicy
from custom_components.sage.model.language_model import (
    ChatMessage,
    ModelError,
    ModelErrorKind,
    ModelRequest,
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
    """Return what the model says."""
    policy = RetryPolicy(first_wait=0.0, request_seconds=20.0, total_seconds=20.0)
    model = OpenAIModel(await async_create_client(hass, url, None), "test-model", policy=policy)
    pieces: list[str] = []
    return (await model.async_complete(HELLO, on_delta=pieces.append if stream else None)).text


def bomb(begin: bytes, megabytes: int = 100) -> bytes:
    """Return gzip data with this number of megabytes of spaces after its beginning."""
    packer = zlib.compressobj(wbits=31)
    space = b" " * 1_000_000
    packed = [packer.compress(begin), *(packer.compress(space) for _ in range(megabytes))]
    return b"".join([*packed, packer.flush()])


@pytest.mark.parametrize("stream", [False, True])
async def test_a_compressed_reply_is_read(hass: HomeAssistant, stream: bool):
    body, kind = (STREAMED, "text/event-stream") if stream else (REPLY, "application/json")

    async def handler(_: web.Request) -> web.Response:
        headers = {"Content-Encoding": "gzip"}
        return web.Response(body=gzip.compress(body), headers=headers, content_type=kind)

    async with served(handler) as (url, asked):
        assert await say(hass, url, stream=stream) == "Hello!"
    assert asked == ["gzip"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("status", [200, 400, 500])
async def test_a_bomb_is_given_up_early_and_once(hass: HomeAssistant, status: int, stream: bool):
    packed = bomb(STREAMED if stream else b"{")

    async def handler(_: web.Request) -> web.Response:
        kind = "text/event-stream" if stream and status == 200 else "application/json"
        headers = {"Content-Encoding": "gzip"}
        return web.Response(body=packed, status=status, headers=headers, content_type=kind)

    async with served(handler) as (url, asked):
        tracemalloc.start()
        try:
            with pytest.raises(ModelError) as caught:
                await say(hass, url, stream=stream)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

    assert caught.value.kind is ModelErrorKind.BROKEN_REPLY
    assert "the reply has more than 8 MB" in str(caught.value)
    assert peak < 40_000_000
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


@pytest.mark.parametrize(
    ("encoding", "body"), [("br", b"\x1b"), ("gzip, gzip", b""), ("gzip", b"no gzip")]
)
async def test_what_was_not_asked_for_is_not_decompressed(
    hass: HomeAssistant, encoding: str, body: bytes
):
    async def handler(_: web.Request) -> web.Response:
        return web.Response(body=body, headers={"Content-Encoding": encoding})

    async with served(handler) as (url, asked):
        with pytest.raises(ModelError) as caught:
            await say(hass, url)
    assert caught.value.kind is ModelErrorKind.BROKEN_REPLY
    assert len(asked) == 1


async def test_an_embedding_server_is_bounded_as_well(hass: HomeAssistant):
    packed = bomb(b"{")

    async def handler(_: web.Request) -> web.Response:
        headers = {"Content-Encoding": "gzip"}
        return web.Response(body=packed, headers=headers, content_type="application/json")

    async with served(handler) as (url, asked):
        client = await async_create_client(hass, url, None)
        embedder = ServerEmbedder(hass, client, "m", policy=RetryPolicy(first_wait=0.0))
        with pytest.raises(ServerFailureError) as caught:
            await embedder.async_embed(["tea"])

    assert caught.value.kind is FailureKind.BROKEN_REPLY
    assert "ReplyTooLargeError" in str(caught.value)
    assert len(asked) == 1
