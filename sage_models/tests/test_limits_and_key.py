"""Who may ask, how much, and what the refusal says."""

import asyncio
import gzip
import json

import pytest

from .conftest import Served
from .pictures import data_uri, encoded, picture
from .tiny_clip import NAME as TINY

MINILM = "all-MiniLM-L6-v2"


async def until_in_progress(server: Served, requests: int) -> None:
    while (await server.get("/health")).body["requests"] != requests:
        pass


@pytest.mark.parametrize(
    "header", [None, "Bearer wrong", "Bearer ", "the key", "Basic dGhlIGtleQ==", "Bearer the keys"]
)
async def test_without_the_key_nothing_is_served(make_server, header):
    server = await make_server(key="the key")
    headers = {} if header is None else {"Authorization": header}

    models = await server.get("/v1/models", headers=headers)
    vectors = await server.post({"model": MINILM, "input": "x"}, headers=headers)

    assert (models.status, vectors.status) == (401, 401)
    assert "key" in vectors.error
    assert vectors.headers["WWW-Authenticate"] == "Bearer"


async def test_with_the_key_everything_is_served(make_server):
    server = await make_server(key="schlüssel")
    headers = {"Authorization": "Bearer schlüssel"}

    assert (await server.get("/v1/models", headers=headers)).status == 200
    assert (await server.post({"model": MINILM, "input": "x"}, headers=headers)).status == 200


async def test_the_health_needs_no_key(make_server):
    server = await make_server(key="the key")

    health = await server.get("/health")

    assert health.status == 200
    assert health.body["status"] == "ok"


@pytest.mark.parametrize(
    ("body", "param", "words"),
    [
        (b"no json", None, "not JSON"),
        (b"\xff\xfe", None, "not JSON"),
        (b"[" * 100_000, None, "not JSON"),
        ([1], None, "not a JSON object"),
        ({"input": "x"}, "model", "GET /v1/models"),
        ({"model": MINILM}, "input", "a text or a list of texts"),
        ({"model": MINILM, "input": []}, "input", "a text or a list of texts"),
        ({"model": MINILM, "input": [[1, 2]]}, "input", "tokens are not accepted"),
        ({"model": MINILM, "input": ["x", None]}, "input", "input[1] is not a text"),
        ({"model": MINILM, "input": "x", "modality": "audio"}, "modality", "text or image"),
        ({"model": MINILM, "input": "x", "modality": ["image"]}, "modality", "text or image"),
        (
            {"model": MINILM, "input": "data:,", "modality": "image"},
            "modality",
            "takes text at /v1/embeddings",
        ),
        (
            {"model": MINILM, "input": "x", "encoding_format": "hex"},
            "encoding_format",
            "float or base64",
        ),
        ({"model": MINILM, "input": "x", "dimensions": 99}, "dimensions", "384 dimensions"),
        ({"model": MINILM, "input": "x", "dimensions": "many"}, "dimensions", "whole number"),
    ],
)
async def test_a_wrong_request_is_refused_with_its_reason(server: Served, body, param, words):
    reply = await server.post(body)

    assert reply.status == 400
    assert words in reply.error
    assert reply.body["error"]["param"] == param


async def test_an_unknown_model_is_refused_with_those_there_are(server: Served):
    reply = await server.embed("text-embedding-3-small", "x")

    assert reply.status == 404
    assert reply.body["error"]["code"] == "model_not_found"
    assert MINILM in reply.error
    assert TINY in reply.error


async def test_another_path_is_refused_in_the_same_form(server: Served):
    assert (await server.get("/v1/chat/completions")).status == 404
    assert (await server.get("/v1/embeddings")).status == 405


async def test_too_many_inputs_and_too_long_texts_are_refused(make_server):
    server = await make_server(limits={"inputs": 3, "text_characters": 10})

    many = await server.embed(MINILM, ["x"] * 4)
    long = await server.embed(MINILM, ["x", "y" * 11])

    assert many.status == 400
    assert "too many inputs: 4; at most 3" in many.error
    assert long.status == 400
    assert "input[1] is too long: 11 characters; at most 10" in long.error
    assert (await server.embed(MINILM, ["y" * 10] * 3)).status == 200


async def chunks(size: int):
    for _ in range(size >> 16):
        yield b" " * (1 << 16)


@pytest.mark.parametrize("way", ["plain", "chunked", "compressed"])
async def test_a_large_body_is_refused(make_server, way):
    server = await make_server(limits={"body_bytes": 1 << 20})
    small = json.dumps({"model": MINILM, "input": "x"}).encode()
    body = {
        "plain": b" " * (2 << 20),
        "chunked": chunks(2 << 20),
        "compressed": gzip.compress(b" " * (2 << 20)),
    }[way]

    reply = await server.post(
        body, headers={"Content-Encoding": "gzip"} if way == "compressed" else {}
    )

    assert reply.status == 413
    assert "larger than 1 MB" in reply.error
    assert (await server.post(small)).status == 200


async def test_a_body_that_does_not_arrive_is_given_up(make_server):
    server = await make_server(limits={"body_seconds": 1.0, "requests": 1})
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")

    answer = await reader.readline()

    assert b"408" in answer
    writer.close()
    # Its place is free again.
    assert (await server.embed(MINILM, "x")).status == 200


async def test_a_busy_server_refuses_with_retry_after_and_then_serves(make_server):
    server = await make_server(limits={"requests": 2})
    held = asyncio.Event()

    async def slow():
        yield b'{"model": "all-MiniLM-L6-v2", '
        await held.wait()
        yield b'"input": "x"}'

    slow_ones = [asyncio.create_task(server.post(slow())) for _ in range(2)]
    await until_in_progress(server, 2)
    busy = await server.embed(MINILM, "x")
    held.set()

    assert busy.status == 429
    assert busy.headers["Retry-After"] == "1"
    assert [reply.status for reply in await asyncio.gather(*slow_ones)] == [200, 200]
    assert (await server.embed(MINILM, "x")).status == 200


async def test_waiting_bodies_are_bounded(make_server):
    server = await make_server(limits={"body_bytes": 1 << 20, "waiting_bytes": 1 << 20})
    held = asyncio.Event()

    async def slow():
        yield b" "
        await held.wait()
        yield json.dumps({"model": MINILM, "input": "x"}).encode()

    # Its size is not known, so that it counts as the largest.
    slow_one = asyncio.create_task(server.post(slow()))
    await until_in_progress(server, 1)
    busy = await server.embed(MINILM, "x")
    held.set()

    assert busy.status == 429
    assert (await slow_one).status == 200


async def test_clients_that_leave_cost_nothing(make_server):
    server = await make_server(limits={"requests": 4})
    uri = data_uri(encoded(picture(1, 1000, 1000)))
    body = json.dumps({"model": TINY, "input": [uri] * 4, "modality": "image"}).encode()
    head = f"POST /v1/embeddings HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    for _ in range(8):
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()

    await until_in_progress(server, 0)
    assert (await server.embed(TINY, "x")).status == 200
