"""An OpenAI-compatible server on loopback whose answers come from a script.

It also has the API of Ollama, on the same port and with the same script.

Tests, the benchmark and the demo of failures use it. It speaks real HTTP, so that the
real client, its connections and its faults are part of what is tested. Use it in the
running loop (`async with`) or, so that its time is not counted in that loop, in a thread
of its own (`with`). `python -m benchmark.fake_model_server` serves until it is stopped.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from aiohttp import web

from .completion_wire import (
    chunk,
    common_beginning,
    deltas,
    error,
    error_response,
    event,
    pieces,
    raw,
    whole,
)
from .honest_claims import with_honest_claims
from .loopback import Loopback, ServerThread
from .model_script import (
    Answer,
    Call,
    Completion,
    Fault,
    FaultKind,
    Json,
    Raw,
    Script,
    answer_in_text_only,
    answer_obediently,
    is_verification,
    smallest_value,
    verification,
    verifies,
)
from .ollama_wire import as_completion_body, as_ollama_error, lines, tags
from .risk_script import classify_by_name

__all__ = [
    "Answer",
    "Call",
    "Completion",
    "FakeModelServer",
    "Fault",
    "FaultKind",
    "Json",
    "Raw",
    "RecordedRequest",
    "Script",
    "answer_in_text_only",
    "answer_obediently",
    "is_for_cache",
    "smallest_value",
]

_CHARACTERS_PER_TOKEN = 4


def is_for_cache(body: Json) -> bool:
    """Return whether a request only has a prompt evaluated (`warm_prefix`)."""
    return 1 in (body.get("max_tokens"), body.get("max_completion_tokens"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRequest:
    """A request as it came in."""

    path: str
    body: Json
    headers: Mapping[str, str]
    at: float
    """Time of arrival, `time.perf_counter` seconds."""

    @property
    def messages(self) -> list[Json]:
        """The messages of the prompt."""
        return list(self.body.get("messages", []))

    @property
    def prompt(self) -> str:
        """All text of the prompt."""
        return "\n".join(str(message.get("content") or "") for message in self.messages)


class FakeModelServer:
    """The server; `url` is its base URL while it runs."""

    def __init__(
        self,
        script: Script = answer_obediently,
        *,
        models: Sequence[str] = ("test-model",),
        embedding_models: Sequence[str] = (),
        api_key: str | None = None,
        refuses: Iterable[str] = (),
        background: Callable[[Json], Answer | None] = classify_by_name,
        port: int = 0,
    ) -> None:
        """Prepare a server.

        `script` is asked for each completion: a callable that gets the body, or answers
        that are given in turn (one more request is then an error of the test, status 418).
        `refuses` names parameters of the request that are answered with 400. What `background`
        answers is neither recorded nor taken from the script: it is no step of a command. So are
        requests that only fill the prompt cache.
        """
        self.background = background
        self.abandoned = 0
        """Requests for completions whose client hung up before the reply."""
        self.requests: list[RecordedRequest] = []
        self.models = tuple(models)
        self.embedding_models = tuple(embedding_models)
        self.api_key = api_key
        self.refuses = frozenset(refuses)
        self.url = ""
        self._loopback = Loopback(port)
        self._next = _as_callable(script)
        self._stopping = asyncio.Event()
        self._prompts: list[str] = []
        self._thread: ServerThread | None = None

    def say(self, script: Script) -> None:
        """Replace the script."""
        self._next = _as_callable(script)

    def forget(self) -> None:
        """Drop the requests up to now: as records, and as what prompts may be cached from."""
        self.requests.clear()
        self._prompts.clear()

    @property
    def completions(self) -> list[RecordedRequest]:
        """The requests for completions, in order."""
        return [r for r in self.requests if r.path.endswith(("/chat/completions", "/api/chat"))]

    @property
    def ollama_url(self) -> str:
        """The address that is entered for Ollama."""
        return self._loopback.url

    async def async_start(self) -> None:
        """Start to serve in the running loop."""
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_get("/v1/models", self._async_models)
        app.router.add_post("/v1/chat/completions", self._async_chat)
        app.router.add_get("/api/tags", self._async_tags)
        app.router.add_post("/api/chat", self._async_ollama_chat)
        self._stopping = asyncio.Event()
        await self._loopback.async_start(app)
        self.url = f"{self._loopback.url}/v1"

    async def async_stop(self) -> None:
        """Stop, ending what hangs. The port is kept, so that it can start again."""
        self._stopping.set()
        await self._loopback.async_stop()

    async def __aenter__(self) -> Self:
        await self.async_start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.async_stop()

    def __enter__(self) -> Self:
        """Start in a thread of its own."""
        self._thread = ServerThread(self)
        self._thread.begin()
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            self._thread.end()
            self._thread = None

    async def _async_models(self, request: web.Request) -> web.StreamResponse:
        self._record(request, {})
        if refusal := self._key_refusal(request):
            return refusal
        names = (*self.models, *self.embedding_models)
        entries = [{"id": name, "object": "model", "owned_by": "sage"} for name in names]
        return web.json_response({"object": "list", "data": entries})

    async def _async_chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        try:
            return await self._async_complete(request, body)
        except asyncio.CancelledError:
            self.abandoned += 1
            raise

    async def _async_complete(self, request: web.Request, body: Json) -> web.StreamResponse:
        answer = self._answer(request, body)
        if isinstance(answer, web.Response):
            return answer
        return await self._async_reply(request, body, answer)

    async def _async_tags(self, request: web.Request) -> web.StreamResponse:
        self._record(request, {})
        return self._key_refusal(request) or tags(self.models)

    async def _async_ollama_chat(self, request: web.Request) -> web.StreamResponse:
        body = as_completion_body(await request.json())
        answer = self._answer(request, body)
        if isinstance(answer, web.Response):
            return as_ollama_error(answer)
        if isinstance(answer, Raw):
            return raw(answer)
        if isinstance(answer, Fault) and answer.kind is FaultKind.EMPTY:
            answer = Completion()
        if isinstance(answer, Fault):
            failed = await self._async_fail(request, body, answer)
            return as_ollama_error(failed) if isinstance(failed, web.Response) else failed
        if answer.delay:
            await asyncio.sleep(answer.delay)
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        for line in lines(body, answer):
            await response.write(line)
        await response.write_eof()
        return response

    def _answer(self, request: web.Request, body: Json) -> Answer | web.Response:
        """Return what the script says, or the response that refuses the request."""
        beside = self.background(body)
        if beside is None and is_for_cache(body):
            beside = Completion(text="{", finish_reason="length")
        if beside is not None:
            return beside
        self._record(request, body)
        if refusal := self._key_refusal(request) or self._refusal(body):
            return refusal
        answer = self._next(body)
        if isinstance(answer, Completion):
            answer = with_honest_claims(body, answer)
        return answer

    async def _async_reply(
        self, request: web.Request, body: Json, answer: Answer
    ) -> web.StreamResponse:
        if isinstance(answer, Raw):
            return raw(answer)
        if isinstance(answer, Fault):
            return await self._async_fail(request, body, answer)
        return await self._async_answer(request, body, answer)

    def _record(self, request: web.Request, body: Json) -> None:
        self.requests.append(
            RecordedRequest(
                path=request.path,
                body=body,
                headers=dict(request.headers),
                at=time.perf_counter(),
            )
        )

    def _key_refusal(self, request: web.Request) -> web.Response | None:
        if self.api_key is None:
            return None
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if given == self.api_key:
            return None
        # As careless as some servers are.
        text = f"Incorrect API key provided: {given}"
        return error_response(401, text, "invalid_api_key")

    def _refusal(self, body: Json) -> web.Response | None:
        if body.get("model") in self.embedding_models:
            return error(FaultKind.NOT_A_CHAT_MODEL)
        if body.get("model") not in self.models:
            return error(FaultKind.NO_SUCH_MODEL)
        for name in sorted(self.refuses & body.keys()):
            text = f"Unsupported parameter: '{name}' is not supported with this model."
            if name == "max_tokens":
                text += " Use 'max_completion_tokens' instead."
            return error_response(400, text, "unsupported_parameter", name)
        return None

    def _usage(self, body: Json, answer: Completion) -> Json:
        prompt = json.dumps([body.get("tools"), body.get("messages")], ensure_ascii=False)
        said = answer.text + "".join(call.text() for call in answer.calls)
        alike = max((common_beginning(prompt, earlier) for earlier in self._prompts), default=0)
        self._prompts.append(prompt)
        counted = {
            "prompt_tokens": answer.prompt_tokens,
            "completion_tokens": answer.completion_tokens,
            "cached_tokens": answer.cached_tokens,
        }
        texts = {
            "prompt_tokens": len(prompt),
            "completion_tokens": len(said),
            "cached_tokens": alike,
        }
        tokens = {
            key: texts[key] // _CHARACTERS_PER_TOKEN if given is None else given
            for key, given in counted.items()
        }
        return {
            "prompt_tokens": tokens["prompt_tokens"],
            "completion_tokens": tokens["completion_tokens"],
            "total_tokens": tokens["prompt_tokens"] + tokens["completion_tokens"],
            "prompt_tokens_details": {"cached_tokens": tokens["cached_tokens"]},
        }

    async def _async_answer(
        self, request: web.Request, body: Json, answer: Completion
    ) -> web.StreamResponse:
        if answer.delay:
            await asyncio.sleep(answer.delay)
        usage = self._usage(body, answer)
        if not body.get("stream"):
            return web.json_response(whole(body, answer, usage))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for piece in pieces(body, answer, usage):
            if answer.pause:
                await asyncio.sleep(answer.pause)
            await response.write(event(piece))
        await response.write(b"data: [DONE]\n\n")
        await response.write_eof()
        return response

    async def _async_fail(
        self, request: web.Request, body: Json, fault: Fault
    ) -> web.StreamResponse:
        if fault.delay:
            await asyncio.sleep(fault.delay)
        match fault.kind:
            case FaultKind.HANG:
                await self._stopping.wait()
                return _hang_up(request)
            case FaultKind.DROPPED:
                return _hang_up(request)
            case (
                FaultKind.CUT
                | FaultKind.ENDED_EARLY
                | FaultKind.HANG_MIDWAY
                | FaultKind.ERROR_IN_STREAM
            ):
                return await self._async_break_off(request, body, fault)
            case FaultKind.EMPTY:
                return await self._async_answer(request, body, Completion())
        return error(fault.kind, retry_after=fault.retry_after)

    async def _async_break_off(
        self, request: web.Request, body: Json, fault: Fault
    ) -> web.StreamResponse:
        """Begin a good reply and do not end it."""
        if not body.get("stream"):
            text = json.dumps(whole(body, Completion(text=fault.said), {})).encode()
            response = web.StreamResponse(headers={"Content-Type": "application/json"})
            response.content_length = len(text)
            await response.prepare(request)
            await response.write(text[: len(text) // 2])
        else:
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            for piece in deltas(Completion(text=fault.said)):
                await response.write(event(chunk(body, piece)))
        if fault.kind is FaultKind.ENDED_EARLY and body.get("stream"):
            await response.write(event(chunk(body, {"content": "."})).rstrip())
            await response.write_eof()
            return response
        if fault.kind is FaultKind.HANG_MIDWAY:
            await self._stopping.wait()
        elif fault.kind is FaultKind.ERROR_IN_STREAM:
            await response.write(event({"error": {"message": "The server had an error"}}))
        _hang_up(request)
        return response


class _NoFurtherAnswer(web.HTTPClientError):
    """One request more than the script has answers."""

    status_code = 418


def _as_callable(script: Script) -> Callable[[Json], Answer]:
    if callable(script):
        return script
    answers = iter(script)
    kept: list[Answer] = []

    def next_answer(body: Json) -> Answer:
        answer = kept.pop() if kept else next(answers, None)
        if verifies(body) and not (answer is not None and is_verification(answer)):
            # A model that has lied does not find it.
            kept.extend(() if answer is None else (answer,))
            return verification()
        if answer is None:
            raise _NoFurtherAnswer(text="the script has no further answer")
        return answer

    return next_answer


def _hang_up(request: web.Request) -> web.Response:
    """End the connection with no further word."""
    if request.transport is not None:
        request.transport.close()
    return web.Response()


async def _async_serve(server: FakeModelServer) -> None:
    async with server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serve an obedient model until the process is stopped; prints the base URL."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--model", action="append", default=[])
    arguments = parser.parse_args()
    server = FakeModelServer(models=arguments.model or ["test-model"], port=arguments.port)
    asyncio.run(_async_serve(server))


if __name__ == "__main__":
    main()
