"""Map errors of language-model servers to `ModelErrorKind`, by HTTP status code and error text.

The regular expressions match the texts of known servers and providers; `tests/model/
test_wrong_servers.py` has examples.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

import httpx
import openai
from homeassistant.util.ssl import get_default_no_verify_context

from ..helpers import FailedAttemptError, causes, error_body, error_text, failure_of, kind_of_status
from .language_model import ModelErrorKind

_DETAIL_LENGTH = 300
_TLS_SECONDS: Final = 3.0

_TOO_LONG = re.compile(
    r"context[_ ]?(length|size|window)|exceed_context|maximum context|prompt is too long"
    r"|too many (input )?tokens|context the overflows",
    re.IGNORECASE,
)
_NOT_CHAT = re.compile(
    r"not a chat model|not support (the )?(chat|generat|completion)|only supports? embedding"
    r"|embedding model|no chat template|not allowed to sample|not in v1/chat",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"(\bnot|n't|\bun)[ _]?support\w*\b[^.]{0,40}\b(tool|function[ _]call)"
    r"|\b(tools?|function[ _]call(s|ing)?)\b[^.]{0,60}\b(not|un|n't)[ _]?(be )?"
    r"(support|allow|permit|enabl|available)"
    r"|endpoints found that support tool|enable-auto-tool-choice|tools? param requires",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"no endpoints found|not_found_error\b.{0,40}\bmodel: |DeploymentNotFound|no models? loaded"
    r"|models?\b.{0,200}\b(not found|not exist|not loaded|decommissioned)|not a valid model"
    r"|(unknown|invalid|unavailable|no such|not have access to)[ _]model",
    re.IGNORECASE | re.DOTALL,
)
_KEY = re.compile(r"api[ _]key[ _](not valid|invalid|expired)", re.IGNORECASE)
_NOT_THE_KEY = re.compile(r"\b(country|region|location|moderation|flagged)\b", re.IGNORECASE)
"""Reasons of a refusal that another key does not cure."""

_KINDS: Final = (
    (ModelErrorKind.NO_TOOLS, _NO_TOOLS, 600),
    (ModelErrorKind.NOT_A_CHAT_MODEL, _NOT_CHAT, 600),
    (ModelErrorKind.PROMPT_TOO_LONG, _TOO_LONG, 600),
    (ModelErrorKind.KEY_REFUSED, _KEY, 500),
    (ModelErrorKind.NO_SUCH_MODEL, _NO_MODEL, 500),
)
"""Kind of error, its texts, and the first HTTP status for which they do not count."""


async def async_failure_of(err: Exception, client: openai.AsyncOpenAI) -> FailedAttemptError:
    """Convert an exception of `client`, or of reading a reply, to a FailedAttemptError.

    The API key is removed from the error text. After a dropped connection to an `http` address,
    this checks whether the server expects `https`.
    """
    failure = _failure(err)
    if client.api_key:
        # Some servers repeat a rejected API key in the error text.
        failure.detail = failure.detail.replace(client.api_key, "***")
        failure.args = (failure.detail,)
    is_dropped = isinstance(err, openai.APIConnectionError | httpx.TransportError)
    may_be_tls = is_dropped and failure.kind == ModelErrorKind.BROKEN_REPLY
    if may_be_tls and await _async_expects_tls(str(client.base_url)):
        return FailedAttemptError(ModelErrorKind.WRONG_ADDRESS, "the server expects https")
    return failure


async def _async_expects_tls(url: str) -> bool:
    """Return whether the server at an `http` URL closes connections because it expects TLS.

    Only a handshake is sent.
    """
    parts = urlsplit(url)
    if parts.scheme != "http" or parts.hostname is None:
        return False
    try:
        async with asyncio.timeout(_TLS_SECONDS):
            _, writer = await asyncio.open_connection(
                parts.hostname, parts.port or 80, ssl=get_default_no_verify_context()
            )
            writer.close()
    except OSError, TimeoutError:
        return False
    return True


def failure_in_body(error: object) -> FailedAttemptError:
    """Convert an error object in a response with HTTP status 200, or in a stream."""
    body = error if isinstance(error, Mapping) else {"message": error}
    text = " ".join(str(body[key]) for key in ("message", "code", "type") if body.get(key))
    code = str(body.get("code") or body.get("status"))
    status = int(code) if re.fullmatch(r"[45]\d\d", code) else 500
    kind, again = kind_of_status(status, text)
    if other := _kind_of_text(status, text):
        kind, again = other, False
    return FailedAttemptError(kind, _short(text or str(error)), again=again)


def task_failure(err: BaseException) -> FailedAttemptError:
    """Convert an exception of an AI Task entity to a FailedAttemptError."""
    # The first cause with an HTTP status code or a connection error decides.
    failure = next(filter(None, map(_failure_of_cause, causes(err))), None)
    detail = _short(f"{type(err).__name__}: {err}")
    if any(isinstance(each, ValueError) for each in causes(err)):
        # The integration could not parse the model's reply.
        return FailedAttemptError(ModelErrorKind.BROKEN_REPLY, detail, again=True)
    if failure is None:
        # An error without a cause comes from the integration: the reply was unusable.
        other = ModelErrorKind.SERVER_ERROR if err.__cause__ else ModelErrorKind.BROKEN_REPLY
        kind = _kind_of_text(400, detail) or other
        return FailedAttemptError(kind, detail)
    if failure.kind == ModelErrorKind.KEY_REFUSED:
        failure.kind = ModelErrorKind.AI_TASK_KEY
    failure.detail = detail
    return failure


def _failure_of_cause(err: BaseException) -> FailedAttemptError | None:
    """Convert an error of a provider's client; return None for any other exception."""
    if isinstance(err, openai.APIError | httpx.HTTPError):
        return _failure(err)
    for name in ("status_code", "status", "code"):
        status = getattr(err, name, None)
        if isinstance(status, int) and 400 <= status < 600:
            kind, again = kind_of_status(status, str(err))
            return FailedAttemptError(_kind_of_text(status, str(err)) or kind, again=again)
    if isinstance(err, ConnectionError):
        return FailedAttemptError(ModelErrorKind.UNREACHABLE, again=True)
    return None


def refused_parameter(err: openai.APIStatusError, names: frozenset[str]) -> str | None:
    """Return the parameter in `names` that the server rejects; None for another error."""
    if err.status_code not in (400, 422):
        return None
    text = error_text(err)
    if _TOO_LONG.search(text):
        return None
    named = str(error_body(err).get("param") or "").partition(".")[0]
    if named in names:
        return named
    spoken = set(re.findall(r"[a-z]+(?:_[a-z]+)*", text))
    return next((name for name in sorted(names) if name in spoken), None)


def _failure(err: Exception) -> FailedAttemptError:
    match err:
        case FailedAttemptError():
            return err
        case openai.APIStatusError():
            if kind := _kind_of_text(err.status_code, error_text(err)):
                return FailedAttemptError(kind, _detail(err))
            return failure_of(err, _detail)
        case openai.APIConnectionError() | httpx.HTTPError():
            return failure_of(err, _detail)
    return FailedAttemptError(
        ModelErrorKind.BROKEN_REPLY, f"the reply is not JSON: {type(err).__name__}", again=True
    )


def _detail(err: BaseException) -> str:
    if isinstance(err, openai.APIStatusError):
        return f"{err.status_code}: {_short(error_text(err))}"
    return _short(f"{type(err).__name__}: {err}")


def _kind_of_text(status: int, text: str) -> ModelErrorKind | None:
    """Return the error kind that the text implies; None if only the HTTP status is relevant."""
    if status < 400 or status in (401, 402, 429):
        return None
    if status == 413:
        return ModelErrorKind.PROMPT_TOO_LONG
    for kind, pattern, end in _KINDS:
        if status < end and pattern.search(text):
            return kind
    if status == 403 and "<" not in text and _NOT_THE_KEY.search(text):
        return ModelErrorKind.REFUSED
    return None


def _short(text: str) -> str:
    return text if len(text) <= _DETAIL_LENGTH else text[:_DETAIL_LENGTH] + "..."
