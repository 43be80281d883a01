"""The language-model interface that SAGE uses, independent of the provider, and its retries."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar, Final, Literal, Protocol

from ..const import COMPLETION_TOKENS

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call in the model's reply."""

    id: str
    name: str
    arguments: str  # arguments as JSON text, exactly as the model wrote them; may be invalid


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of a conversation with the model."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    images: tuple[bytes, ...] = ()
    """JPEG images that follow the text; only in user messages to models that accept images."""

    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """The description of a tool that is sent to the model."""

    name: str
    description: str
    parameters: Mapping[str, Any]  # JSON schema of the arguments


def object_schema(
    properties: Mapping[str, Any], *, optional: Collection[str] = ()
) -> dict[str, Any]:
    """Return the JSON schema of an object with these properties, required but for `optional`."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request to a language model."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    response_schema: Mapping[str, Any] | None = None
    """JSON schema that the reply must follow; None for free text."""

    stop: tuple[str, ...] = ()
    max_tokens: int = COMPLETION_TOKENS  # maximum length of the reply in tokens
    unreadable: int = 0
    """Number of the first model's last replies that could not be read as a decision."""

    other_format: Callable[[], ModelRequest] | None = field(default=None, compare=False)
    """Returns this request for the second model; None if its decision format is the same."""

    def for_second(self) -> ModelRequest:
        """Return this request in the decision format of the second model."""
        if self.other_format is None:
            return self
        return replace(self.other_format(), max_tokens=self.max_tokens)

    def after(self, reply: ModelReply, objection: str) -> ModelRequest:
        """Return a follow-up request that asks the model to correct `reply`.

        The messages are those of this request, `reply`, and `objection` as a user message.
        """
        turns = (
            ChatMessage(role="assistant", content=reply.text),
            ChatMessage(role="user", content=objection),
        )
        return replace(self, messages=(*self.messages, *turns))


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Token counts of one or more replies."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that the server read from its prompt cache; included in `prompt_tokens`."""

    completion_tokens: int = 0
    is_estimated: bool = False  # whether SAGE estimated the counts, which the server did not report

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            is_estimated=self.is_estimated or other.is_estimated,
        )

    def as_dict(self) -> dict[str, int | bool]:
        """Return the counts; the key `is_estimated` exists only if SAGE estimated them."""
        counts = asdict(self)
        if not self.is_estimated:
            del counts["is_estimated"]
        return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """A complete reply of a language model."""

    MOST_CALLS: ClassVar = 24
    """Maximum number of tool calls in one reply; one more is kept, so that it can be refused."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    truncated: bool = False
    """Whether the reply was cut off: at `max_tokens`, or because it repeated itself."""

    instead_of: ModelErrorKind | None = None
    """Error of the first model, if this reply is from the second one (`TwoModels`)."""


class ModelErrorKind(StrEnum):
    """Why a request failed; `model_error_<kind>` is the translated explanation."""

    UNREACHABLE = "unreachable"
    WRONG_ADDRESS = "wrong_address"  # something else answers: a web page, a redirect, http or https
    CERTIFICATE = "certificate"  # expired, self-signed, or for another host name
    TIMEOUT = "timeout"
    BROKEN_REPLY = "broken_reply"  # the reply was incomplete, empty or malformed
    KEY_REFUSED = "key_refused"
    NO_CREDIT = "no_credit"
    NO_TOOLS = "no_tools"  # the model or its server does not accept tools in requests
    NO_SUCH_MODEL = "no_such_model"
    NO_WEIGHTS = "no_weights"  # the files of the embedding model are missing or damaged
    NOT_A_CHAT_MODEL = "not_a_chat_model"
    NOT_AN_EMBEDDING_MODEL = "not_an_embedding_model"
    NOT_AN_IMAGE_MODEL = "not_an_image_model"  # the model embeds texts but not images
    NO_FORMAT = "no_format"  # it replies, but returns tool calls in no decision format
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    PROMPT_TOO_LONG = "prompt_too_long"
    REFUSED = "refused"  # the server rejected it for a reason that no other kind covers
    AI_TASK_GONE = "ai_task_gone"  # the AI Task entity was removed from Home Assistant
    AI_TASK_KEY = "ai_task_key"  # the provider rejected the API key of the entity's integration

    @property
    def may_pass(self) -> bool:
        """Whether the error may pass without a change by a person, so that a retry makes sense."""
        return self in (
            ModelErrorKind.UNREACHABLE,
            ModelErrorKind.TIMEOUT,
            ModelErrorKind.SERVER_ERROR,
            ModelErrorKind.RATE_LIMITED,
            ModelErrorKind.BROKEN_REPLY,
        )


class ModelError(Exception):
    """A request to a language model or an embedding model failed."""

    def __init__(
        self,
        kind: ModelErrorKind,
        detail: str = "",
        *,
        again: bool = False,
        wait: float | None = None,
    ) -> None:
        """Set the kind, which the user sees translated, and the detail for the log.

        `again`: whether another attempt may succeed. `wait`: seconds until the next attempt, if the
        server demands a wait.
        """
        super().__init__()
        self.kind = kind
        self.detail = detail
        self.again = again
        self.wait = wait

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else self.kind.value


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Number of attempts and timeouts of a request."""

    attempts: int = 3
    request_seconds: float = 120.0
    """Timeout of one attempt, from sending the request to the end of the reply."""

    connect_seconds: float = 5.0
    total_seconds: float = 180.0  # timeout of all attempts, including the waits in between
    first_wait: float = 0.5
    """Seconds before the second attempt; doubled before each further attempt."""

    longest_wait: float = 30.0
    """Maximum wait in seconds; if the next wait would be longer, there is no further attempt."""


async def async_try[T](policy: RetryPolicy, attempt: Callable[[], Awaitable[T]]) -> T:
    """Call `attempt` with the retries and timeouts of `policy`; return its result.

    `attempt` must raise ModelError for a failure. Raises ModelError if no attempt
    succeeds in time.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + policy.total_seconds
    tried = 0
    while True:
        tried += 1
        try:
            async with asyncio.timeout_at(min(clock() + policy.request_seconds, deadline)):
                return await attempt()
        except TimeoutError:
            # No retry, since a second attempt would not be faster.
            raise ModelError(ModelErrorKind.TIMEOUT, "no whole reply in time") from None
        except ModelError as err:
            wait = policy.first_wait * 2 ** (tried - 1) if err.wait is None else max(err.wait, 0.0)
            is_last = not err.again or tried >= policy.attempts or wait > policy.longest_wait
            if is_last or clock() + wait >= deadline:
                raise
            _LOGGER.debug("Attempt %d: %s; again in %.1f s", tried, err, wait)
        await asyncio.sleep(wait)


_BYTES_PER_TOKEN: Final = 4  # for estimating token counts that SAGE does not get from the server


def estimated_usage(request: ModelRequest, reply: ModelReply) -> Usage:
    """Return token counts estimated from the lengths of prompt and reply."""
    prompt = [repr(each.parameters) + each.description for each in request.tools]
    for message in request.messages:
        prompt += [message.content or "", *(each.arguments for each in message.tool_calls)]
    written = [reply.text, *(each.arguments for each in reply.tool_calls)]
    return Usage(
        prompt_tokens=_estimated_tokens(prompt),
        completion_tokens=_estimated_tokens(written),
        is_estimated=True,
    )


def _estimated_tokens(texts: Iterable[str]) -> int:
    return sum(len(each.encode(errors="replace")) for each in texts) // _BYTES_PER_TOKEN


type DeltaSink = Callable[[str], None]
"""Receives pieces of a streamed reply: its text, or the arguments of its first tool call."""


class LanguageModel(Protocol):
    """A client of one language model."""

    @property
    def name(self) -> str:
        """Name of the model for logs and the user interface."""

    async def async_complete(
        self, request: ModelRequest, *, on_delta: DeltaSink | None = None
    ) -> ModelReply:
        """Send a request and return the model's complete reply.

        `on_delta`, if given, receives the pieces of the reply as they arrive. Raises ModelError if
        all attempts fail.
        """
