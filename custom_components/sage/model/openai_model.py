"""A language model on an OpenAI-compatible server.

Requests and responses are plain JSON: the typed models of `openai` hide deviations of local servers
from the format, and block the event loop. A response is one JSON body or a stream of server-sent
events, whose lines follow the WHATWG HTML standard, section "Server-sent events".
"""

import asyncio
import base64
import contextlib
import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, cast
from urllib.parse import urlsplit

import anyio
import anyio.lowlevel
import httpx
import openai
from homeassistant.core import HomeAssistant
from homeassistant.helpers.httpx_client import get_async_client

from ..const import COMPLETION_TOKENS
from .language_model import (
    ChatMessage,
    DeltaSink,
    ModelError,
    ModelErrorKind,
    ModelReply,
    ModelRequest,
    RetryPolicy,
    Usage,
    async_try,
    estimated_usage,
)
from .model_errors import client_failure, error_body, refused_parameter
from .reply_parts import ReplyParts, refused_reply

_LOGGER = logging.getLogger(__name__)

_NO_KEY: Final = "no-key-needed"
_PATH: Final = "/chat/completions"
_NEVER_DROPPED: Final = frozenset({"model", "messages", "tools", "stream"})

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_END_MARK: Final = b"[DONE]"
LAST: Final = b"\n\n"  # line ends that complete the last event of a stream
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_FIELDS: Final = (b"data:", b"event:", b"error:", b"id:", b"retry:", b":")

_GRACE_SECONDS: Final = 1.0  # wait for the end of the response body after the last event


async def async_create_client(
    hass: HomeAssistant, base_url: str, api_key: str | None
) -> openai.AsyncOpenAI:
    """Return a new OpenAI client whose first request does not block the event loop."""
    http_client = get_async_client(hass)

    def create() -> openai.AsyncOpenAI:
        client = openai.AsyncOpenAI(
            api_key=api_key or _NO_KEY,
            base_url=base_url,
            max_retries=0,
            # The type hints of `openai` refuse a client of this httpx version, but it works.
            http_client=cast("Any", http_client),
        )
        client.platform_headers()
        # Imports anyio's asyncio back-end, which would block the event loop later.
        asyncio.run(anyio.lowlevel.checkpoint())
        return client

    # The executor loads what the first request would load in the event loop.
    return await hass.async_add_executor_job(create)


class OpenAIModel:
    """One model on an OpenAI-compatible server; remembers the parameters that it rejects."""

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        model: str,
        *,
        policy: RetryPolicy | None = None,
        reasoning_effort: str | None = None,
        reply_tokens: int = COMPLETION_TOKENS,
    ) -> None:
        """Set the client and the model's name on the server.

        `reasoning_effort` is omitted after the server rejects it. `reply_tokens`: the lowest
        `max_tokens` that is sent, except for requests that set less than the default
        (`COMPLETION_TOKENS`), which keep their own value.
        """
        self.name = model
        self._client = client
        self._policy = policy or RetryPolicy()
        self._timeout = openai.Timeout(
            self._policy.request_seconds, connect=self._policy.connect_seconds
        )
        self._reasoning_effort = reasoning_effort
        self._reply_tokens = reply_tokens
        self._refused: set[str] = set()
        if urlsplit(str(client.base_url)).hostname == "api.openai.com":
            # The newer models of OpenAI accept only `max_completion_tokens`.
            self._refused.add("max_tokens")

    @property
    def refused_parameters(self) -> frozenset[str]:
        """Names of request parameters that the server has rejected; they are no longer sent."""
        return frozenset(self._refused)

    async def async_complete(
        self, request: ModelRequest, *, on_delta: DeltaSink | None = None
    ) -> ModelReply:
        """Send a request and return the model's complete reply.

        `on_delta` receives the pieces of the reply as they arrive. Raises ModelError if all
        attempts fail.
        """
        return await async_try(self._policy, partial(self._async_attempt, request, on_delta))

    async def _async_attempt(self, request: ModelRequest, on_delta: DeltaSink | None) -> ModelReply:
        while True:
            body = self._body(request, stream=on_delta is not None)
            parts = ReplyParts(request.stop, on_delta)
            try:
                refused = await self._async_send(body, parts)
                if refused is None:
                    reply = parts.reply()
                    if parts.stopped and reply.usage == Usage():
                        # SAGE has ended the stream before the token counts came.
                        return replace(reply, usage=estimated_usage(request, reply))
                    return reply
            except ModelError as err:
                # Do not retry after the user may have heard the beginning of the reply.
                err.again = err.again and not parts.passed_on
                raise
            _LOGGER.info("The model %s does not accept %s, left out now", self.name, refused)
            self._refused.add(refused)

    async def _async_send(self, body: Mapping[str, Any], parts: ReplyParts) -> str | None:
        """Read the reply into `parts`; return the parameter that the server rejects, if any."""
        try:
            response = cast(
                "httpx.Response",
                await self._client.post(
                    _PATH,
                    cast_to=httpx.Response,
                    body=body,
                    options={"timeout": self._timeout},
                    stream=True,
                    stream_cls=openai.AsyncStream[object],
                ),
            )
            try:
                await _async_read_reply(response, parts, is_streamed=bool(body.get("stream")))
            finally:
                await response.aclose()
        except openai.APIStatusError as err:
            if reply := refused_reply(error_body(err)):
                parts.add_whole(reply)
                return None
            if name := refused_parameter(err, frozenset(body) - _NEVER_DROPPED):
                return name
            raise self._status_failure(err, body) from None
        except (openai.OpenAIError, httpx.HTTPError, ValueError, ModelError) as err:
            raise client_failure(err, self._client) from None
        return None

    # A failure in a local variable of `_async_send` would refer to itself by its traceback.
    def _status_failure(self, err: openai.APIStatusError, body: Mapping[str, Any]) -> ModelError:
        failure = client_failure(err, self._client)
        is_about_tools = refused_parameter(err, frozenset({"tools"} & body.keys()))
        if is_about_tools and failure.kind == ModelErrorKind.REFUSED:
            failure.kind = ModelErrorKind.NO_TOOLS
        return failure

    def _body(self, request: ModelRequest, *, stream: bool) -> dict[str, Any]:
        """Return the JSON body; the order of its keys is fixed, for the server's prompt cache."""
        body: dict[str, Any] = {"model": self.name}
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": dict(tool.parameters),
                    },
                }
                for tool in request.tools
            ]
        body["messages"] = [_wire_message(message) for message in request.messages]
        if request.response_schema is not None:
            reply = {"name": "reply", "schema": dict(request.response_schema), "strict": False}
            body["response_format"] = {"type": "json_schema", "json_schema": reply}
        if request.stop:
            body["stop"] = list(request.stop)
        body["temperature"] = 0
        if self._reasoning_effort is not None:
            body["reasoning_effort"] = self._reasoning_effort
        most = request.max_tokens
        if most >= COMPLETION_TOKENS:
            most = max(most, self._reply_tokens)
        body["max_tokens"] = most
        if "max_tokens" in self._refused:
            body["max_completion_tokens"] = most
        if stream:
            body["stream"] = True
            body["stream_options"] = {"include_usage": True}
        return {key: value for key, value in body.items() if key not in self._refused}


def _wire_message(message: ChatMessage) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.tool_calls
        ]
    elif message.images:
        wire["content"] = [
            {"type": "text", "text": message.content or ""},
            *(
                {"type": "image_url", "image_url": {"url": jpeg_uri(image)}}
                for image in message.images
            ),
        ]
    elif message.content is None:
        wire["content"] = ""
    if message.tool_call_id is not None:
        wire["tool_call_id"] = message.tool_call_id
    return wire


def jpeg_uri(jpeg: bytes) -> str:
    """Return a JPEG image as a data URI."""
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode('ascii')}"


@dataclass(slots=True)
class EventStream:
    """Splits the bytes of a stream into its events, and adds them to the parts of a reply.

    Feed `LAST` after the last piece: the last event may have no line end.
    """

    _parts: ReplyParts
    _rest: bytes = b""
    _data: bytes = b""
    _is_error: bool = False
    _is_after_cr: bool = False
    _is_begun: bool = False

    def feed(self, piece: bytes) -> None:
        """Add the events that end in `piece`; raises ValueError if an event is not JSON."""
        if self._is_after_cr:
            # The line feed of a line end that was split.
            piece = piece.removeprefix(b"\n")
        # No event has to wait for the byte after a carriage return.
        self._is_after_cr = piece.endswith(b"\r")
        *lines, self._rest = _LINE_END.split(self._rest + piece)
        for line in lines:
            self._add_line(line)

    def _add_line(self, line: bytes) -> None:
        if not self._is_begun:
            self._is_begun = True
            line = line.removeprefix(_BYTE_ORDER_MARK)
        field, _, value = line.partition(b":")
        value = value.strip()
        if line.lstrip().startswith(b"{"):
            # Some servers leave out the field name.
            field, value = b"data", line
        if not line.strip():
            data, self._data, self._is_error = self._data, b"", False
            if data:
                json.loads(data)
        elif _END_MARK in (line.strip(), value.strip(b'"')):
            self._parts.has_end_mark = True
        elif field == b"event":
            self._is_error = value == b"error"
        elif field == b"error":
            # llama.cpp reports an error in the middle of a stream in this way.
            self._parts.add_chunk({"error": json.loads(value)})
        elif field == b"data" and value:
            self._data = b"\n".join(filter(None, (self._data, value)))
            try:
                event = json.loads(self._data)
            except ValueError:
                # The event may consist of several lines.
                return
            self._data = b""
            has_error = isinstance(event, Mapping) and "error" in event
            # Some servers send no blank line after an event, so do not wait for it.
            self._parts.add_chunk({"error": event} if self._is_error and not has_error else event)


async def _async_read_reply(
    response: httpx.Response, parts: ReplyParts, *, is_streamed: bool
) -> None:
    """Read a response into `parts`; `is_streamed`: whether the request asked for a stream.

    Raises ModelError if the response comes from no model server.
    """
    content_type = response.headers.get("content-type", "")
    is_whole = "json" in content_type or "html" in content_type or not is_streamed
    is_whole = is_whole and "event-stream" not in content_type
    clock = asyncio.get_running_loop().time
    body, events = bytearray(), EventStream(parts)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(None) as scope:
            async for piece in response.aiter_bytes():
                if is_whole:
                    body += piece
                    continue
                events.feed(piece)
                if parts.stopped or parts.has_end_mark:
                    # A deadline in the past cancels the read at once and closes the stream.
                    scope.reschedule(clock() + (0.0 if parts.stopped else _GRACE_SECONDS))
                # Yield to the event loop between pieces of a burst.
                await asyncio.sleep(0)
    if is_whole:
        _read_body(bytes(body), parts)
    elif not parts.stopped:
        # After a stop, the last line may be incomplete.
        events.feed(LAST)


def _read_body(body: bytes, parts: ReplyParts) -> None:
    body = body.removeprefix(_BYTE_ORDER_MARK).strip()
    if body.startswith(b"{"):
        parts.add_whole(json.loads(body))
    elif body.startswith(_FIELDS):
        events = EventStream(parts)
        events.feed(body + LAST)
    else:
        detail = "a web page" if body.startswith(b"<") else "no JSON" if body else "an empty reply"
        raise ModelError(
            ModelErrorKind.WRONG_ADDRESS, f"{detail} instead of a chat completion", again=True
        )
