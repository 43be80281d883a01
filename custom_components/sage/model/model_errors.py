"""Map errors of language-model servers to `ModelErrorKind`, by HTTP status code and error text.

The regular expressions match the texts of known servers and providers; `tests/model/
test_wrong_servers.py` has examples.
"""

import re
import ssl
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import httpx
import openai

from .language_model import ModelError, ModelErrorKind

_DETAIL_LENGTH = 300

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

type Kinds = tuple[tuple[ModelErrorKind, re.Pattern[str], int], ...]
"""Kind of error, its texts, and the first HTTP status for which they do not count."""

_KINDS: Final[Kinds] = (
    (ModelErrorKind.NO_TOOLS, _NO_TOOLS, 600),
    (ModelErrorKind.NOT_A_CHAT_MODEL, _NOT_CHAT, 600),
    (ModelErrorKind.PROMPT_TOO_LONG, _TOO_LONG, 600),
    (ModelErrorKind.KEY_REFUSED, _KEY, 500),
    (ModelErrorKind.NO_SUCH_MODEL, _NO_MODEL, 500),
)

_STATUS_KINDS: Final[Mapping[int, ModelErrorKind]] = {
    401: ModelErrorKind.KEY_REFUSED,
    402: ModelErrorKind.NO_CREDIT,
    403: ModelErrorKind.KEY_REFUSED,
    404: ModelErrorKind.WRONG_ADDRESS,
    405: ModelErrorKind.WRONG_ADDRESS,
    408: ModelErrorKind.TIMEOUT,
    409: ModelErrorKind.SERVER_ERROR,
    425: ModelErrorKind.SERVER_ERROR,
    429: ModelErrorKind.RATE_LIMITED,
}
_FOR_A_MOMENT: Final = frozenset({408, 409, 425, 429})
_OF_THE_SERVER: Final = frozenset({401, 413, 429})
"""Client errors whose status says more than the web page that a proxy adds to it."""

_NO_CREDIT: Final = re.compile(
    r"insufficient[_ ](quota|credit|balance|fund)|exceeded_current_quota_error|credit balance"
    r"|(no|any|all available|out of) credits?\b|billing_(hard_limit|not_active)|payment required"
    r"|(budget|key limit|spending limit)[^.]{0,20}\b(exceeded|reached)",
    re.IGNORECASE,
)
_WRONG_ADDRESS: Final = re.compile(
    r"http request (was sent )?to an? https|unexpected endpoint", re.IGNORECASE
)


def client_failure(err: Exception, client: openai.AsyncOpenAI) -> ModelError:
    """Convert an exception of `client`, or of reading a reply, to a ModelError without the key."""
    failure = failure_of(err)
    if client.api_key:
        # Some servers repeat a rejected API key in the error text.
        failure.detail = failure.detail.replace(client.api_key, "***")
    return failure


def failure_in_body(error: object) -> ModelError:
    """Convert an error object in a response with HTTP status 200, or in a stream."""
    body = error if isinstance(error, Mapping) else {"message": error}
    text = " ".join(str(body[key]) for key in ("message", "code", "type") if body.get(key))
    code = str(body.get("code") or body.get("status"))
    status = int(code) if re.fullmatch(r"[45]\d\d", code) else 500
    kind, again = kind_of_status(status, text)
    if other := _kind_of_text(status, text):
        kind, again = other, False
    return ModelError(kind, _short(text or str(error)), again=again)


def task_failure(err: BaseException) -> ModelError:
    """Convert an exception of an AI Task entity to a ModelError."""
    # The first cause with an HTTP status code or a connection error decides.
    failure = next(filter(None, map(_failure_of_cause, causes(err))), None)
    detail = _short(f"{type(err).__name__}: {err}")
    if any(isinstance(each, ValueError) for each in causes(err)):
        # The integration could not parse the model's reply.
        return ModelError(ModelErrorKind.BROKEN_REPLY, detail, again=True)
    if failure is None:
        # An error without a cause comes from the integration: the reply was unusable.
        other = ModelErrorKind.SERVER_ERROR if err.__cause__ else ModelErrorKind.BROKEN_REPLY
        kind = _kind_of_text(400, detail) or other
        return ModelError(kind, detail)
    if failure.kind == ModelErrorKind.KEY_REFUSED:
        failure.kind = ModelErrorKind.AI_TASK_KEY
    failure.detail = detail
    return failure


def _failure_of_cause(err: BaseException) -> ModelError | None:
    if isinstance(err, openai.APIError | httpx.HTTPError):
        return failure_of(err)
    for name in ("status_code", "status", "code"):
        status = getattr(err, name, None)
        if isinstance(status, int) and 400 <= status < 600:
            kind, again = kind_of_status(status, str(err))
            return ModelError(_kind_of_text(status, str(err)) or kind, again=again)
    if isinstance(err, ConnectionError):
        return ModelError(ModelErrorKind.UNREACHABLE, again=True)
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


def _detail(err: BaseException) -> str:
    if isinstance(err, openai.APIStatusError):
        return f"{err.status_code}: {_short(error_text(err))}"
    return _short(f"{type(err).__name__}: {err}")


def _kind_of_text(status: int, text: str, kinds: Kinds = _KINDS) -> ModelErrorKind | None:
    """Return the error kind that the text implies; None if only the HTTP status is relevant."""
    if status < 400 or status in (401, 402, 429):
        return None
    if status == 413:
        return ModelErrorKind.PROMPT_TOO_LONG
    for kind, pattern, end in kinds:
        if status < end and pattern.search(text):
            return kind
    if status == 403 and "<" not in text and _NOT_THE_KEY.search(text):
        return ModelErrorKind.REFUSED
    return None


def _short(text: str) -> str:
    return text if len(text) <= _DETAIL_LENGTH else text[:_DETAIL_LENGTH] + "..."


def error_body(err: openai.APIStatusError) -> Mapping[str, Any]:
    """Return the error object in the reply of a server, or {} if there is none."""
    return err.body if isinstance(err.body, Mapping) else {}


def error_text(err: openai.APIStatusError) -> str:
    """Return the message, code and type of a server's error as one text."""
    body = error_body(err)
    parts = (err.message, body.get("message"), body.get("code"), body.get("type"))
    return " ".join(str(part) for part in parts if part)


def kind_of_status(status: int, text: str = "") -> tuple[ModelErrorKind, bool]:
    """Return the kind of an HTTP status and text, and whether to retry: `(RATE_LIMITED, True)`."""
    if status < 400 or _WRONG_ADDRESS.search(text):
        # A redirect is not followed, since it would send the API key to another address.
        return ModelErrorKind.WRONG_ADDRESS, False
    if status >= 500:
        return ModelErrorKind.SERVER_ERROR, status != 501
    if _NO_CREDIT.search(text):
        return ModelErrorKind.NO_CREDIT, False
    return _STATUS_KINDS.get(status, ModelErrorKind.REFUSED), status in _FOR_A_MOMENT


def failure_of(
    err: Exception, kinds: Kinds = _KINDS, detail: Callable[[BaseException], str] = _detail
) -> ModelError:
    """Convert an exception of the OpenAI client, of its HTTP client, or of reading a reply.

    `detail` returns the text for the log, from an exception with an HTTP status or from the cause
    of a missing reply.
    """
    match err:
        case ModelError():
            return err
        case openai.APIStatusError():
            if kind := _kind_of_text(err.status_code, error_text(err), kinds):
                return ModelError(kind, detail(err))
            return _status_failure(err, detail(err))
        case openai.APIConnectionError() | httpx.HTTPError():
            is_wrapped = isinstance(err, openai.APIConnectionError)
            cause = err.__cause__ or err if is_wrapped else err
            return _connection_failure(cause, detail(cause))
    return ModelError(
        ModelErrorKind.BROKEN_REPLY, f"the reply is not JSON: {type(err).__name__}", again=True
    )


def _status_failure(err: openai.APIStatusError, detail: str) -> ModelError:
    status = err.status_code
    kind, again = kind_of_status(status, error_text(err))
    text = err.response.text.lstrip()
    is_json = bool(error_body(err)) or text.startswith(("{", "[", '"'))
    # Otherwise, a proxy answers, whose model server is down or has another address.
    if not is_json and (status in (502, 503, 504) or status >= 520):
        kind = ModelErrorKind.UNREACHABLE
    elif not is_json and (
        status == 403
        or (text.startswith("<") and 400 <= status < 500 and status not in _OF_THE_SERVER)
    ):
        kind, again = ModelErrorKind.WRONG_ADDRESS, False
    wait = _retry_after(err.response.headers)
    return ModelError(kind, detail, again=again, wait=wait)


def _connection_failure(cause: BaseException, detail: str) -> ModelError:
    """Return the exception for a missing reply; `cause` is that of the HTTP client."""
    tls = next((each for each in causes(cause) if isinstance(each, ssl.SSLError)), None)
    if tls is not None:
        is_certificate = "CERTIFICATE" in (tls.reason or "")
        return ModelError(
            ModelErrorKind.CERTIFICATE if is_certificate else ModelErrorKind.WRONG_ADDRESS, detail
        )
    match cause:
        case httpx.ConnectError():
            return ModelError(ModelErrorKind.UNREACHABLE, detail, again=True)
        case httpx.ConnectTimeout() | httpx.UnsupportedProtocol() | httpx.LocalProtocolError():
            return ModelError(ModelErrorKind.UNREACHABLE, detail)
        case httpx.TimeoutException():
            return ModelError(ModelErrorKind.TIMEOUT, detail)
        case httpx.DecodingError():
            # The compression is unknown: a second attempt fails, too.
            return ModelError(ModelErrorKind.BROKEN_REPLY, detail)
    return ModelError(ModelErrorKind.BROKEN_REPLY, detail, again=True)


def causes(err: BaseException) -> Iterator[BaseException]:
    """Yield an exception and its chain of causes."""
    cause: BaseException | None = err
    seen: set[int] = set()
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds in the Retry-After header; None without, or for a date."""
    try:
        return float(headers["retry-after"])
    except KeyError, ValueError:
        return None
