"""What the errors of an OpenAI-compatible server mean.

Servers agree on the status codes but not on the texts. This module knows the texts of
OpenAI, vLLM, llama.cpp, Ollama and LM Studio.
"""

import email.utils
import re
import time
from collections.abc import Mapping
from typing import Any

import httpx
import openai

from .language_model import ModelErrorKind
from .retry import FailedAttemptError

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
