"""A language model on an OpenAI-compatible server.

Requests and responses are plain JSON, not the typed models of the package `openai`.
"""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast
from urllib.parse import urlsplit

import anyio
import anyio.lowlevel
import httpx
import openai
from homeassistant.core import HomeAssistant
from homeassistant.helpers.httpx_client import get_async_client

from ..helpers.server_requests import (
    FailedAttemptError,
    RetryPolicy,
    async_try,
    error_body,
    jpeg_uri,
)
from .event_stream import async_read_reply
from .language_model import (
    COMPLETION_TOKENS,
    ChatMessage,
    DeltaSink,
    ModelError,
    ModelErrorKind,
    ModelReply,
    ModelRequest,
    ToolSpec,
    Usage,
    estimated_usage,
)
from .model_errors import async_failure_of, refused_parameter
from .reply_parts import ReplyParts, refused_reply

_LOGGER = logging.getLogger(__name__)

# The typed models of `openai` hide deviations of local servers from the format, and block the event
# loop. So use plain JSON.

_NO_KEY = "no-key-needed"
_PATH = "/chat/completions"
_NEVER_DROPPED = frozenset({"model", "messages", "tools", "stream"})


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
            # The size of a reply is limited while it arrives: a compressed one could be any size.
            default_headers={"Accept-Encoding": "identity"},
        )
        client.platform_headers()
        # Imports anyio's asyncio back-end, which would block the event loop later.
        asyncio.run(anyio.lowlevel.checkpoint())
        return client

    # The executor loads what the first request would load in the event loop.
    return await hass.async_add_executor_job(create)


class OpenAIModel:
    """One model on an OpenAI-compatible server.

    Reuse the instance: it remembers the parameters that the server rejects.
    """

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
        self._client = client
        self._model = model
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
    def name(self) -> str:
        """Name of the model on its server."""
        return self._model

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
        try:
            return await async_try(self._policy, partial(self._async_attempt, request, on_delta))
        except FailedAttemptError as err:
            raise ModelError(ModelErrorKind(err.kind), err.detail) from err

    async def _async_attempt(self, request: ModelRequest, on_delta: DeltaSink | None) -> ModelReply:
        """Send a request; if the server rejects a parameter, retry without this parameter."""
        while True:
            body = self._body(request, stream=on_delta is not None)
            parts = ReplyParts(request.stop, on_delta)
            try:
                refused = await self._async_send(body, parts)
                if refused is None:
                    return _with_usage(request, parts.reply(), is_complete=not parts.stopped)
            except FailedAttemptError as err:
                # Do not retry after the user may have heard the beginning of the reply.
                err.again = err.again and not parts.passed_on
                raise
            _LOGGER.info("The model %s does not accept %s, left out now", self._model, refused)
            self._refused.add(refused)

    async def _async_send(self, body: Mapping[str, Any], parts: ReplyParts) -> str | None:
        """Read the reply into `parts`; return the parameter that the server rejects, if any."""
        try:
            response = await self._async_post(body)
            try:
                await async_read_reply(response, parts, is_streamed=bool(body.get("stream")))
            finally:
                await response.aclose()
        except openai.APIStatusError as err:
            if reply := refused_reply(error_body(err)):
                parts.add_whole(reply)
                return None
            if name := refused_parameter(err, frozenset(body) - _NEVER_DROPPED):
                return name
            raise await self._async_status_failure(err, body) from None
        except (openai.OpenAIError, httpx.HTTPError, ValueError, FailedAttemptError) as err:
            raise await async_failure_of(err, self._client) from None
        return None

    # A failure in a local variable of `_async_send` would refer to itself by its traceback.
    async def _async_status_failure(
        self, err: openai.APIStatusError, body: Mapping[str, Any]
    ) -> FailedAttemptError:
        failure = await async_failure_of(err, self._client)
        is_about_tools = refused_parameter(err, frozenset({"tools"} & body.keys()))
        if is_about_tools and failure.kind == ModelErrorKind.REFUSED:
            failure.kind = ModelErrorKind.NO_TOOLS
        return failure

    async def _async_post(self, body: Mapping[str, Any]) -> httpx.Response:
        """Return the response, whose body is still to be read."""
        return cast(
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

    def _body(self, request: ModelRequest, *, stream: bool) -> dict[str, Any]:
        """Return the JSON body; the order of its keys is fixed, for the server's prompt cache."""
        body: dict[str, Any] = {"model": self._model}
        if request.tools:
            body["tools"] = [_wire_tool(tool) for tool in request.tools]
        body["messages"] = [_wire_message(message) for message in request.messages]
        if request.response_schema is not None:
            body["response_format"] = _wire_schema(request.response_schema)
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


def _with_usage(request: ModelRequest, reply: ModelReply, *, is_complete: bool) -> ModelReply:
    """Return the reply, with estimated token counts if SAGE ended the stream before they came."""
    if is_complete or reply.usage != Usage():
        return reply
    return replace(reply, usage=estimated_usage(request, reply))


def _wire_tool(tool: ToolSpec) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.parameters),
        },
    }


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


def _wire_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": {"name": "reply", "schema": dict(schema), "strict": False},
    }
