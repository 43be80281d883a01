"""Stands between SAGE and the llama-server of the demo, so that a second start is fast.

Forwards every request, with two additions:

- A request that only has a prompt evaluated (`max_tokens` is 1): the evaluated prompt is saved to a
  file after it, and restored from the file before it. The front counts the tokens meanwhile.
- In the set-up of SAGE, a reply at temperature 0 is saved, and repeated at the next start: the same
  model and server would reply the same.

See "POST /slots/{id_slot}?action=save" and `return_progress` in the documentation of llama-server.
"""

import asyncio
import json
import secrets
import sys
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
from aiohttp import web

from benchmark.fake_model_server import is_for_cache
from benchmark.loopback import Loopback

from .kept_files import KeptFiles

USUAL_TOKENS: Final = 11_300
"""Tokens of all prompts of the demo home, before a start has counted them."""

_TOTAL: Final = "total"
"""Key of the file with the number of tokens of the last start."""

_SOME_TOKENS: Final = 100
"""Fewer are evaluated faster than a file is written, and show no speed."""

_NO_LIMIT: Final = aiohttp.ClientTimeout(total=None)
_OTHER_PROMPT: Final = {"prompt": "-", "n_predict": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How much of SAGE's prompts the model has read."""

    tokens: int
    """Evaluated or restored up to now."""

    total: int
    """Of all prompts, as far as that is known."""

    seconds_left: float | None
    """At the speed up to now; None before it is known."""


class ModelFront:
    """Serves the API of a llama-server while it is started."""

    def __init__(self, server: str, kept: KeptFiles) -> None:
        """Prepare to forward to `server`, the address without `/v1`; `kept` is its slot folder."""
        self._server = server
        self._kept = kept
        self._loopback = Loopback()
        self._path = f"/{secrets.token_hex(8)}"
        self._http: aiohttp.ClientSession | None = None
        self._in_memory: set[str] = set()
        """Keys of the prompts that the server has in its memory."""

        self._tokens = self._now = 0
        """Tokens of the prompts that are read, and of the one that is being read."""

        self._evaluated, self._seconds = 0, 0.0
        self._total_key = kept.key(_TOTAL)
        self._total = self._kept_total()
        self.is_set_up = False
        """Whether the set-up of SAGE is over: later replies are not kept."""

    @property
    def base_url(self) -> str:
        """The address for SAGE."""
        return f"{self._loopback.url}{self._path}/v1"

    def reading(self) -> Reading:
        """Return how far the model is."""
        tokens = self._tokens + self._now
        total = max(self._total, tokens)
        left = None
        if self._evaluated >= _SOME_TOKENS:
            left = self._seconds / self._evaluated * (total - tokens)
        return Reading(tokens=tokens, total=total, seconds_left=left)

    def end_reading(self) -> None:
        """Remember how many tokens there are, for the next start."""
        if self._tokens not in {0, self._total}:
            unfinished = self._kept.unfinished(self._total_key)
            unfinished.write_text(str(self._tokens), encoding="ascii")
            self._kept.keep(self._total_key, unfinished)

    def _kept_total(self) -> int:
        path = self._kept.find(self._total_key)
        return int(path.read_text(encoding="ascii")) if path else USUAL_TOKENS

    async def async_start(self) -> None:
        """Start to forward."""
        # llama-server closes idle connections at any moment, also when a request just begins.
        connector = aiohttp.TCPConnector(force_close=True)
        self._http = aiohttp.ClientSession(connector=connector, timeout=_NO_LIMIT)
        app = web.Application(client_max_size=1 << 30)
        app.router.add_post(f"{self._path}/v1/chat/completions", self._complete)
        app.router.add_route("*", f"{self._path}/{{tail:.*}}", self._forward)
        await self._loopback.async_start(app)

    async def async_stop(self) -> None:
        """Stop to forward; running requests end."""
        await self._loopback.async_stop()
        if self._http is not None:
            await self._http.close()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if is_for_cache(body) and not body.get("stream"):
            return await self._read_prompt(body)
        if not self.is_set_up and body.get("temperature") == 0:
            return await self._set_up_reply(request, body)
        return await self._forward(request)

    async def _forward(
        self, request: web.Request, content: bytearray | None = None
    ) -> web.StreamResponse:
        """Forward a request, and add the content of a complete, successful reply to `content`."""
        path = request.path.removeprefix(self._path)
        async with self._send(request.method, path, data=await request.read()) as reply:
            response = web.StreamResponse(
                status=reply.status, headers={"Content-Type": reply.headers["Content-Type"]}
            )
            await response.prepare(request)
            async for piece in reply.content.iter_any():
                await response.write(piece)
                if content is not None and reply.ok:
                    content += piece
            await response.write_eof()
            return response

    async def _set_up_reply(
        self, request: web.Request, body: Mapping[str, Any]
    ) -> web.StreamResponse:
        key = self._kept.key(json.dumps(body, sort_keys=True))
        if path := self._kept.find(key):
            kind = "text/event-stream" if body.get("stream") else "application/json"
            return web.Response(body=path.read_bytes(), content_type=kind)
        content = bytearray()
        response = await self._forward(request, content)
        if content:
            unfinished = self._kept.unfinished(key)
            unfinished.write_bytes(content)
            self._kept.keep(key, unfinished)
        return response

    async def _read_prompt(self, body: dict[str, Any]) -> web.Response:
        """Have the prompt evaluated as far as it is not known; return the server's reply."""
        key = self._kept.key(json.dumps(body, sort_keys=True))
        path = await asyncio.to_thread(self._kept.find, key)
        try:
            if path is not None and key not in self._in_memory:
                await self._restore(path.name)
            reply = await self._evaluate(body)
            if reply.status == web.HTTPOk.status_code:
                self._in_memory.add(key)
                if path is None and self._now >= _SOME_TOKENS:
                    await self._save(key)
                self._tokens += self._now
            return reply
        finally:
            self._now = 0

    async def _evaluate(self, body: dict[str, Any]) -> web.Response:
        """Send the request as a stream, count the tokens, and return the reply as a whole."""
        streamed = body | {
            "stream": True,
            "return_progress": True,
            "stream_options": {"include_usage": True},
        }
        restored, begun, text = self._now, time.monotonic(), ""
        last: dict[str, Any] = {}
        evaluated, spent = self._evaluated, self._seconds
        async with self._send("POST", "/v1/chat/completions", json=streamed) as reply:
            if not reply.ok:
                content, kind = await reply.read(), reply.content_type
                return web.Response(body=content, status=reply.status, content_type=kind)
            async for line in reply.content:
                if not line.startswith(b"data: {"):
                    continue
                chunk = json.loads(line.removeprefix(b"data: "))
                if progress := chunk.get("prompt_progress"):
                    new = progress["processed"] - progress["cache"]
                    self._now = restored + new
                    self._evaluated = evaluated + new
                    self._seconds = spent + time.monotonic() - begun
                for choice in chunk.get("choices") or ():
                    text += choice["delta"].get("content") or ""
                last |= {name: chunk[name] for name in ("id", "model", "usage") if name in chunk}
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "length"}
        return web.json_response(last | {"object": "chat.completion", "choices": [choice]})

    async def _restore(self, name: str) -> None:
        """Load an evaluated prompt into the slot; if the server cannot, it is evaluated again."""
        # A restored prompt replaces the one in the slot, another request stores that in memory.
        async with self._send("POST", "/completion", json=_OTHER_PROMPT) as reply:
            await reply.read()
        async with self._send("POST", "/slots/0?action=restore", json={"filename": name}) as reply:
            if reply.ok:
                self._now = int((await reply.json())["n_restored"])
            else:
                (self._kept.folder / name).unlink(missing_ok=True)

    async def _save(self, key: str) -> None:
        """Save the prompt in the slot; if that fails, the next start evaluates it again."""
        unfinished = self._kept.unfinished(key)
        try:
            name = {"filename": unfinished.name}
            async with self._send("POST", "/slots/0?action=save", json=name) as reply:
                if reply.ok:
                    await asyncio.to_thread(self._kept.keep, key, unfinished)
        except (OSError, web.HTTPBadGateway) as err:
            print(f"The evaluated prompt is not kept: {err}", file=sys.stderr)
        finally:
            unfinished.unlink(missing_ok=True)

    @asynccontextmanager
    async def _send(
        self, method: str, path: str, **content: Any
    ) -> AsyncGenerator[aiohttp.ClientResponse]:
        assert self._http is not None
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        try:
            async with self._http.request(
                method, self._server + path, headers=headers, **content
            ) as reply:
                yield reply
        except aiohttp.ClientError as err:
            raise web.HTTPBadGateway(text=str(err)) from None
