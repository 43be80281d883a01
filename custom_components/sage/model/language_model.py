"""The language-model interface that SAGE uses, independent of the server."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Literal, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call in a reply."""

    id: str
    name: str
    arguments: str
    """JSON text as the model wrote it; not checked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a prompt."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    images: tuple[bytes, ...] = ()
    """JPEGs that follow the text; only in messages of the user, for models that take images."""

    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as the model sees it."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON schema of the arguments."""


COMPLETION_TOKENS: Final = 1024
"""Default upper bound of a completion in tokens."""


def object_schema(
    properties: Mapping[str, Any], *, optional: Collection[str] = ()
) -> dict[str, Any]:
    """Return the JSON schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request for a completion."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    response_schema: Mapping[str, Any] | None = None
    """JSON schema that the reply must follow; None for free text."""

    stop: tuple[str, ...] = ()
    max_tokens: int = COMPLETION_TOKENS
    """Upper bound of the completion in tokens."""

    def after(self, reply: ModelReply, objection: str) -> ModelRequest:
        """Return the request that asks the model to correct its reply to this one."""
        turns = (
            ChatMessage(role="assistant", content=reply.text),
            ChatMessage(role="user", content=objection),
        )
        return replace(self, messages=(*self.messages, *turns))


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one completion."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that the server took from its cache."""

    completion_tokens: int = 0
    is_estimated: bool = False
    """Whether SAGE estimated the tokens, since the server did not report them."""

    def __add__(self, other: Usage) -> Usage:
        """Return the sum of both."""
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            is_estimated=self.is_estimated or other.is_estimated,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """A complete reply of the model."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    truncated: bool = False
    """Whether the reply ended at `max_tokens`."""


class ModelErrorKind(StrEnum):
    """Why there is no reply. Each has a sentence for the person (`model_error_<kind>`)."""

    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    BROKEN_REPLY = "broken_reply"
    """The connection ended in the middle of a reply."""
    KEY_REFUSED = "key_refused"
    NO_SUCH_MODEL = "no_such_model"
    NOT_A_CHAT_MODEL = "not_a_chat_model"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    PROMPT_TOO_LONG = "prompt_too_long"
    REFUSED = "refused"
    """The server refused the request for another reason (400)."""
    AI_TASK_GONE = "ai_task_gone"
    """The AI Task entity of the model was removed."""
    AI_TASK_KEY = "ai_task_key"
    """The provider refused the key of the integration that the AI Task entity belongs to."""


class ModelError(Exception):
    """There was no reply after all retries."""

    def __init__(self, kind: ModelErrorKind, detail: str = "") -> None:
        """Keep the kind for the person and the detail for the log."""
        super().__init__(f"{kind}: {detail}" if detail else str(kind))
        self.kind = kind
        self.detail = detail


MOST_CALLS: Final = 24
"""Maximum number of tool calls in one reply."""

type DeltaSink = Callable[[str], None]
"""Receives pieces of the reply as they arrive: text, or arguments of the first tool call."""


class LanguageModel(Protocol):
    """A model that completes a prompt."""

    @property
    def name(self) -> str:
        """The name of the model on its server."""

    async def async_complete(
        self, request: ModelRequest, *, on_delta: DeltaSink | None = None
    ) -> ModelReply:
        """Return the reply to `request`.

        With `on_delta` the reply is streamed. Raises `ModelError` if there is no complete reply
        within the time and retries that the model allows.
        """
