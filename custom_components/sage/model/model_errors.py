"""What the errors of an OpenAI-compatible server mean, and which are tried again (DESIGN 6).

Servers agree on the status codes but not on the texts. This module knows the texts of
OpenAI, vLLM, llama.cpp, Ollama and LM Studio.
"""

import asyncio
import email.utils
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import openai

from .language_model import ModelError, ModelErrorKind

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how long a request is tried."""

    attempts: int = 3
    request_seconds: float = 120.0
    """One attempt, from the first byte sent to the last byte received."""

    connect_seconds: float = 5.0
    total_seconds: float = 180.0
    """All attempts with the waits between them."""

    first_wait: float = 0.5
    """Seconds before the second attempt; doubled for each further one."""

    longest_wait: float = 30.0
    """If a server demands a longer wait than this, there is no further attempt."""


class FailedAttemptError(Exception):
    """One attempt failed."""

    def __init__(
        self,
        kind: ModelErrorKind,
        detail: str = "",
        *,
        again: bool = False,
        wait: float | None = None,
    ) -> None:
        """Keep the reason. `again`: another attempt may succeed, after `wait` seconds."""
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.again = again
        self.wait = wait


async def async_try[T](policy: RetryPolicy, attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what `attempt` returns, at the latest after the attempts and time of `policy`.

    Raises `ModelError` with the kind of the last failure.
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
            # A second attempt would not be faster.
            raise ModelError(ModelErrorKind.TIMEOUT, "no whole reply in time") from None
        except FailedAttemptError as err:
            wait = _wait(policy, err, tried)
            if wait is None or clock() + wait >= deadline:
                raise ModelError(err.kind, err.detail) from err
            _LOGGER.debug("Attempt %d: %s (%s); again in %.1f s", tried, err.kind, err, wait)
        await asyncio.sleep(wait)


def _wait(policy: RetryPolicy, err: FailedAttemptError, tried: int) -> float | None:
    """Return the seconds until the next attempt; None for no further attempt."""
    if not err.again or tried >= policy.attempts:
        return None
    wait: float = policy.first_wait * 2 ** (tried - 1)
    if err.wait is not None:
        wait = max(err.wait, 0.0)
    return wait if wait <= policy.longest_wait else None


_DETAIL_LENGTH = 300

_TOO_LONG = re.compile(
    r"context[_ ](length|size|window)|exceed_context|maximum context|prompt is too long"
    r"|too many (input )?tokens|context the overflows",
    re.IGNORECASE,
)
_NOT_CHAT = re.compile(
    r"not a chat model|not support (the )?(chat|generat|completion)|only supports? embedding"
    r"|embedding model|no chat template|not allowed to sample|not in v1/chat",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_not_found|model\b.{0,200}\b(not found|not exist|not loaded)"
    r"|(unknown|invalid|no such|not have access to) model",
    re.IGNORECASE | re.DOTALL,
)


class ParameterRefusedError(Exception):
    """The server does not accept a parameter of the request."""

    def __init__(self, name: str) -> None:
        """Keep the name of the parameter."""
        super().__init__(name)
        self.name = name


def failure_of(err: Exception, *, key: str) -> FailedAttemptError:
    """Return the meaning of an exception of the client; `key` is removed from its text."""
    failure = _failure(err)
    if key:
        # Some servers repeat the key that they refuse.
        failure.detail = failure.detail.replace(key, "***")
        failure.args = (failure.detail,)
    return failure


def refused_parameter(err: openai.APIStatusError, names: frozenset[str]) -> str | None:
    """Return which of the sent parameters `names` the server does not accept."""
    if err.status_code not in (400, 422):
        return None
    text = _text(err)
    if _TOO_LONG.search(text):
        return None
    named = str(_error_body(err).get("param") or "").partition(".")[0]
    if named in names:
        return named
    spoken = set(re.findall(r"[a-z]+(?:_[a-z]+)*", text))
    return next((name for name in sorted(names) if name in spoken), None)


def _failure(err: Exception) -> FailedAttemptError:
    match err:
        case openai.APIStatusError():
            return _status_failure(err)
        case openai.APIConnectionError():
            return _connection_failure(err.__cause__ or err)
        case httpx.HTTPError():
            return _connection_failure(err)
    return FailedAttemptError(
        ModelErrorKind.BROKEN_REPLY, f"the reply is not JSON: {type(err).__name__}", again=True
    )


_KINDS = {
    401: ModelErrorKind.KEY_REFUSED,
    403: ModelErrorKind.KEY_REFUSED,
    404: ModelErrorKind.UNREACHABLE,
    405: ModelErrorKind.UNREACHABLE,
    408: ModelErrorKind.TIMEOUT,
    409: ModelErrorKind.SERVER_ERROR,
    413: ModelErrorKind.PROMPT_TOO_LONG,
    425: ModelErrorKind.SERVER_ERROR,
    429: ModelErrorKind.RATE_LIMITED,
}
_FOR_A_MOMENT = frozenset({408, 409, 425, 429})


def _status_failure(err: openai.APIStatusError) -> FailedAttemptError:
    text = _text(err)
    status = err.status_code
    detail = f"{status}: {_short(text)}"
    if kind := _kind_of_text(status, text):
        return FailedAttemptError(kind, detail)
    if status >= 500:
        kind, again = ModelErrorKind.SERVER_ERROR, status != 501
    else:
        kind = _KINDS.get(status, ModelErrorKind.REFUSED)
        again = status in _FOR_A_MOMENT and "insufficient_quota" not in text
    return FailedAttemptError(kind, detail, again=again, wait=_retry_after(err.response.headers))


def _kind_of_text(status: int, text: str) -> ModelErrorKind | None:
    """Return the kind of an error by its text, where the status says too little."""
    if status in (401, 429):
        return None
    if _NOT_CHAT.search(text):
        return ModelErrorKind.NOT_A_CHAT_MODEL
    if status >= 500:
        return None
    if _TOO_LONG.search(text):
        return ModelErrorKind.PROMPT_TOO_LONG
    if _NO_MODEL.search(text):
        return ModelErrorKind.NO_SUCH_MODEL
    return None


def _connection_failure(cause: BaseException) -> FailedAttemptError:
    detail = _short(f"{type(cause).__name__}: {cause}")
    match cause:
        case httpx.ConnectError():
            return FailedAttemptError(ModelErrorKind.UNREACHABLE, detail, again=True)
        case httpx.ConnectTimeout() | httpx.UnsupportedProtocol() | httpx.LocalProtocolError():
            return FailedAttemptError(ModelErrorKind.UNREACHABLE, detail)
        case httpx.TimeoutException():
            return FailedAttemptError(ModelErrorKind.TIMEOUT, detail)
        case httpx.DecodingError():
            # Too large, or an unknown compression: a second attempt would not help.
            return FailedAttemptError(ModelErrorKind.BROKEN_REPLY, detail)
    return FailedAttemptError(ModelErrorKind.BROKEN_REPLY, detail, again=True)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a Retry-After header (RFC 9110, section 10.2.3)."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return float(value)
    except ValueError:
        pass
    try:
        return email.utils.parsedate_to_datetime(value).timestamp() - time.time()
    except ValueError:
        return None


def _error_body(err: openai.APIStatusError) -> Mapping[str, Any]:
    return err.body if isinstance(err.body, Mapping) else {}


def _text(err: openai.APIStatusError) -> str:
    """Return message, code and type of the error as one text."""
    body = _error_body(err)
    parts = (err.message, body.get("message"), body.get("code"), body.get("type"))
    return " ".join(str(part) for part in parts if part)


def _short(text: str) -> str:
    return text if len(text) <= _DETAIL_LENGTH else text[:_DETAIL_LENGTH] + "..."
