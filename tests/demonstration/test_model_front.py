"""The front of the demo's model: what it read and said once, it need not read and say again."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from benchmark.loopback import Loopback
from scripts.demonstration.kept_files import KeptFiles
from scripts.demonstration.model_front import USUAL_TOKENS, ModelFront, Reading

SLOT, WORDS = 256, 1000  # tokens of a batch, and of a prompt


class LlamaServer:
    """The parts of llama-server that the front uses: one slot, prompts as words, one a token."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.slot: list[str] = []
        self.memory: list[list[str]] = []
        self.evaluated: list[int] = []
        self.asked: list[dict[str, Any]] = []
        self.status = 200
        self._loopback = Loopback()

    @property
    def url(self) -> str:
        return self._loopback.url

    async def async_start(self) -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/completion", self._completion)
        app.router.add_post("/slots/0", self._slot)
        app.router.add_get("/v1/models", lambda _: _answer({"data": [{"id": "small"}]}))
        await self._loopback.async_start(app)

    async def async_stop(self) -> None:
        await self._loopback.async_stop()

    def _take(self, prompt: list[str]) -> int:
        """Put a prompt into the slot; return how many of its words were there already."""
        self.memory.append(self.slot)
        shared = max(_shared(known, prompt) for known in self.memory)
        self.slot = prompt
        return shared

    async def _completion(self, request: web.Request) -> web.Response:
        self._take([(await request.json())["prompt"]])
        return await _answer({})

    async def _slot(self, request: web.Request) -> web.Response:
        path = self.folder / (await request.json())["filename"]
        if request.query["action"] == "save":
            path.write_text(json.dumps(self.slot))
            return await _answer({"n_saved": len(self.slot)})
        self.slot = json.loads(path.read_text())
        return await _answer({"n_restored": len(self.slot)})

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.asked.append(body)
        prompt = body["messages"][0]["content"].split()
        if self.status != web.HTTPOk.status_code:
            return web.json_response({"error": "no"}, status=self.status)
        shared = min(self._take(prompt), len(prompt) - 1)
        self.evaluated.append(len(prompt) - shared)
        if not body.get("stream"):
            return await _answer({"choices": [{"message": {"content": "Hello."}}]})
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for done in [*range(shared, len(prompt), SLOT), len(prompt)]:
            progress = {"total": len(prompt), "cache": shared, "processed": done}
            if body.get("return_progress"):
                await _send(response, {"id": "1", "prompt_progress": progress})
        await _send(response, {"id": "1", "choices": [{"delta": {"content": "Hello"}}]})
        await _send(response, {"id": "1", "choices": [], "usage": {"prompt_tokens": len(prompt)}})
        await response.write(b"data: [DONE]\n\n")
        return response


def _shared(one: list[str], other: list[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


async def _send(response: web.StreamResponse, chunk: dict[str, Any]) -> None:
    await response.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")


async def _answer(content: dict[str, Any]) -> web.Response:
    return web.json_response(content)


def prompt(name: str) -> dict[str, Any]:
    """Return a request that only has a prompt of `WORDS` words evaluated."""
    text = " ".join([name] * WORDS)
    return {"messages": [{"role": "system", "content": text}], "max_tokens": 1, "temperature": 0}


QUESTION = {"messages": [{"role": "user", "content": "Hi there"}], "temperature": 0.0}


@asynccontextmanager
async def started(
    folder: Path, identity: str = "model"
) -> AsyncGenerator[tuple[LlamaServer, ModelFront]]:
    """Start the demo's model anew: the server remembers nothing, the folder is kept."""
    server = LlamaServer(folder)
    await server.async_start()
    front = ModelFront(server.url, KeptFiles(folder, identity))
    await front.async_start()
    try:
        yield server, front
    finally:
        await front.async_stop()
        await server.async_stop()


async def post(front: ModelFront, body: dict[str, Any]) -> tuple[int, str]:
    async with (
        aiohttp.ClientSession() as http,
        http.post(f"{front.base_url}/chat/completions", json=body) as reply,
    ):
        return reply.status, await reply.text()


def files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


pytestmark = pytest.mark.usefixtures("socket_enabled")


async def test_a_second_start_reads_no_prompt_again(tmp_path: Path) -> None:
    async with started(tmp_path) as (server, front):
        for name in ("a", "b", "c"):
            await post(front, prompt(name))
        assert server.evaluated == [WORDS] * 3
        assert front.reading().tokens == 3 * WORDS
        front.end_reading()
    async with started(tmp_path) as (server, front):
        assert front.reading() == Reading(tokens=0, total=3 * WORDS, seconds_left=None)
        for name in ("c", "a", "b"):
            status, text = await post(front, prompt(name))
            assert status == 200
            assert json.loads(text)["choices"][0]["message"]["content"] == "Hello"
            assert json.loads(text)["usage"] == {"prompt_tokens": WORDS}
        assert server.evaluated == [1, 1, 1]
        # All of them are in the server's memory, not only the last.
        for name in ("a", "b", "c"):
            await post(front, prompt(name))
        assert server.evaluated == [1] * 6


async def test_tokens_are_counted_up_to_the_usual_total_at_first(tmp_path: Path) -> None:
    async with started(tmp_path) as (_, front):
        assert front.reading() == Reading(tokens=0, total=USUAL_TOKENS, seconds_left=None)
        await post(front, prompt("a"))
        reading = front.reading()
        assert (reading.tokens, reading.total) == (WORDS, USUAL_TOKENS)
        assert reading.seconds_left is not None


async def test_another_model_or_prompt_uses_no_file(tmp_path: Path) -> None:
    async with started(tmp_path) as (_, front):
        await post(front, prompt("a"))
    async with started(tmp_path, "newer model") as (server, front):
        await post(front, prompt("a"))
        assert server.evaluated == [WORDS]
    async with started(tmp_path) as (server, front):
        await post(front, prompt("b"))
        assert server.evaluated == [WORDS]


async def test_the_replies_of_the_set_up_are_repeated(tmp_path: Path) -> None:
    streamed = QUESTION | {"stream": True}
    async with started(tmp_path) as (server, front):
        first = [await post(front, QUESTION), await post(front, streamed)]
        assert len(server.asked) == 2
    async with started(tmp_path) as (server, front):
        assert [await post(front, QUESTION), await post(front, streamed)] == first
        assert server.asked == []
        front.is_set_up = True
        await post(front, QUESTION)
        assert server.asked == [QUESTION]


async def test_a_refusal_is_passed_on_and_not_kept(tmp_path: Path) -> None:
    async with started(tmp_path) as (server, front):
        server.status = 400
        for body in (QUESTION, prompt("a")):
            assert (await post(front, body))[0] == 400
        assert not any(files(tmp_path))


async def test_other_requests_are_forwarded(tmp_path: Path) -> None:
    async with started(tmp_path) as (_, front), aiohttp.ClientSession() as http:
        async with http.get(f"{front.base_url}/models") as reply:
            assert await reply.json() == {"data": [{"id": "small"}]}
        async with http.get(f"{front.base_url}/nothing") as reply:
            assert reply.status == 404


async def test_without_a_server_the_model_is_away(tmp_path: Path) -> None:
    async with started(tmp_path) as (server, front):
        await server.async_stop()
        assert (await post(front, QUESTION))[0] == 502
        assert (await post(front, prompt("a")))[0] == 502
