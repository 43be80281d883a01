"""Streams of many servers give the same reply, however their bytes are cut."""

import json
from typing import Self

import pytest
from aiohttp import web
from homeassistant.core import HomeAssistant

from benchmark.loopback import Loopback
from custom_components.sage.model.language_model import (
    ChatMessage,
    ModelError,
    ModelErrorKind,
    ModelReply,
    ModelRequest,
    RetryPolicy,
)
from custom_components.sage.model.openai_model import (
    LAST,
    EventStream,
    OpenAIModel,
    async_create_client,
)
from custom_components.sage.model.reply_parts import ReplyParts

from .stream_dialects import DIALECTS, DONE, chunk, old_function_call, piece, sent

SWITCH = '{"devices": ["küche"], "command": "turn_on", "arguments": {"brightness_pct": 40}}'
SAME_TOOL = '{"devices": ["hall"], "command": "turn_off"}'
END = '{"kind": "acted", "answer": "Es ist an: {\\"nested\\"}."}'
CALLS = (("execute_command", SWITCH), ("execute_command", SAME_TOOL), ("finish", END))
HELLO = ModelRequest(messages=(ChatMessage(role="user", content="Hello"),))

ENDS = {"lf": b"\n", "crlf": b"\r\n", "cr": b"\r"}
MARKS = {"plain": b"", "byte_order_mark": b"\xef\xbb\xbf"}


def heard(pieces: list[bytes]) -> tuple[ModelReply, str]:
    """Return the reply of a stream that arrives in these pieces, and its deltas."""
    deltas: list[str] = []
    parts = ReplyParts((), deltas.append)
    events = EventStream(parts)
    for each in pieces:
        events.feed(each)
    events.feed(LAST)
    return parts.reply(), "".join(deltas)


def calls_of(reply: ModelReply) -> list[tuple[str, object]]:
    return [(call.name, json.loads(call.arguments)) for call in reply.tool_calls]


EXPECTED = [(name, json.loads(arguments)) for name, arguments in CALLS]


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_calls_of_each_server_byte_by_byte(dialect: str, end: str, mark: str):
    body = MARKS[mark] + DIALECTS[dialect](CALLS).replace(b"\n", ENDS[end])

    reply, deltas = heard([bytes([byte]) for byte in body])

    assert calls_of(reply) == EXPECTED
    assert len({call.id for call in reply.tool_calls}) == len(CALLS)
    assert json.loads(deltas.removeprefix("{}")) == json.loads(SWITCH)


@pytest.mark.parametrize("dialect", ["ollama", "llama_cpp_python", "snapshots", "litellm"])
@pytest.mark.parametrize("end", ENDS)
def test_a_stream_may_be_cut_anywhere(dialect: str, end: str):
    body = DIALECTS[dialect]((("one", '{"lamp": "é"}'), ("two", "{}"))).replace(b"\n", ENDS[end])

    for at in range(len(body)):
        reply, _ = heard([body[:at], body[at:]])
        assert calls_of(reply) == [("one", {"lamp": "é"}), ("two", {})]


def test_the_one_call_of_old_servers():
    reply, deltas = heard([old_function_call("finish", END)])

    assert calls_of(reply) == [("finish", json.loads(END))]
    assert deltas == END


def test_events_of_several_lines_and_events_without_blank_lines():
    body = (
        b"event: message\nid: 1\nretry: 10\ndata:\n"
        b'data: {"choices": [{"delta":\ndata: {"content": "It is"}}]}\n\n'
        b'data:{"choices":[{"delta":{"content":" on."}}]}\n'
        b'data:{"choices":[{"delta":{},"finish_reason":"stop"}]}\n'
    )

    assert heard([body])[0].text == "It is on."


def test_lines_of_json_alone_are_events():
    chunks = [chunk({"content": "It is "}), chunk({"content": "on."}, "stop")]
    body = "".join(json.dumps(each) + "\n" for each in chunks).encode()

    assert heard([body])[0].text == "It is on."


@pytest.mark.parametrize(
    "chunks",
    [
        [chunk({"content": "It is"})],
        [piece('{"lamp": "desk"}', "one", index=0, id="a")],
        [piece('{"lamp": "de', "one", index=0, id="a")],
    ],
)
def test_a_stream_without_any_end_is_not_taken(chunks):
    with pytest.raises(ModelError):
        heard([sent(chunks, end=b"")])


def test_half_a_call_before_the_mark_is_not_taken():
    half = piece('{"lamp": "de', "two", index=1, id="b")

    with pytest.raises(ModelError):
        heard([sent([piece("{}", "one", index=0, id="a"), half])])


@pytest.mark.parametrize("mark", [b"data:[DONE]", b'data: "[DONE]"\r\n', b"[DONE]\n"])
def test_text_before_the_mark_is_taken(mark: bytes):
    assert heard([sent([chunk({"content": "It is on."})], end=mark)])[0].text == "It is on."


@pytest.mark.parametrize(
    "error",
    [
        b'data: {"error": {"message": "overloaded"}}\n\n',
        b'error: {"code": 500, "message": "overloaded"}\n\n',
        b'event: error\ndata: {"message": "overloaded"}\n\n',
        b'data: {"choices": [{"delta": {}, "finish_reason": "error"}]}\n\n',
        b'data: {"choices": [{"delta": {}, "error": {"message": "overloaded"}}]}\n\n',
    ],
)
def test_an_error_in_the_middle_of_a_stream(error: bytes):
    with pytest.raises(ModelError) as caught:
        heard([sent([chunk({"content": "It"})], end=error) + DONE])

    assert caught.value.kind == ModelErrorKind.SERVER_ERROR


async def test_events_and_bodies_are_told_apart_by_their_content(
    hass: HomeAssistant, socket_enabled: None
):
    """Servers that stream unasked, that do not stream, and that name another content type."""
    message = {"choices": [{"message": {"content": "It is on."}, "finish_reason": "stop"}]}
    whole = b"\xef\xbb\xbf " + json.dumps(message).encode()
    events = sent([chunk({"content": "It is on."}, "stop")])
    for body in (whole, events):
        for content_type in ("application/json", "text/event-stream", "text/plain"):
            async with Replay(body, content_type=content_type) as server:
                for is_streamed in (True, False):
                    reply = await server.async_hear(hass, is_streamed=is_streamed)
                    assert reply.text == "It is on."


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", ModelErrorKind.WRONG_ADDRESS),
        (b" \n", ModelErrorKind.WRONG_ADDRESS),
        (b"<!doctype html><p>Please log in.</p>", ModelErrorKind.WRONG_ADDRESS),
        (b"OK", ModelErrorKind.WRONG_ADDRESS),
        (b'{"status": "ok"}', ModelErrorKind.WRONG_ADDRESS),
        (b'{"choices": [', ModelErrorKind.BROKEN_REPLY),
        (b'{"choices": []}', ModelErrorKind.BROKEN_REPLY),
    ],
)
@pytest.mark.parametrize("is_streamed", [True, False])
async def test_what_is_no_reply_of_a_model(
    hass: HomeAssistant, socket_enabled: None, body: bytes, kind: ModelErrorKind, is_streamed: bool
):
    async with Replay(body, content_type="application/json") as server:
        with pytest.raises(ModelError) as caught:
            await server.async_hear(hass, is_streamed=is_streamed)

    assert caught.value.kind is kind


class Replay:
    """A server that gives the same bytes to every request."""

    def __init__(self, body: bytes, content_type: str = "text/event-stream") -> None:
        self._body, self._content_type = body, content_type
        self._loopback = Loopback(0)

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._async_reply)
        await self._loopback.async_start(app)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._loopback.async_stop()

    async def async_hear(self, hass: HomeAssistant, *, is_streamed: bool = True) -> ModelReply:
        client = await async_create_client(hass, f"{self._loopback.url}/v1", None)
        model = OpenAIModel(client, "m", policy=RetryPolicy(attempts=1))
        return await model.async_complete(HELLO, on_delta=(lambda _: None) if is_streamed else None)

    async def _async_reply(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": self._content_type})
        await response.prepare(request)
        for start in range(0, len(self._body), 100):
            await response.write(self._body[start : start + 100])
        await response.write_eof()
        return response
