"""The failures of an OpenAI-compatible embedding server, and how to fix them.

Servers agree on the status codes, but hardly on the error texts. This module knows those of
OpenAI, vLLM, llama.cpp, Ollama and text-embeddings-inference. The texts may contain the key or
the embedded text, so that our errors never repeat them.
"""

import email.utils
import re
import time
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

import httpx
import openai

from .embedder import EmbeddingError


class FailureKind(StrEnum):
    """Why a server returned no vectors."""

    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    BROKEN_REPLY = "broken_reply"
    """It is incomplete, not JSON, or has no usable vector for a text."""

    KEY_REFUSED = "key_refused"
    NO_SUCH_MODEL = "no_such_model"
    NOT_AN_EMBEDDING_MODEL = "not_an_embedding_model"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    TEXT_TOO_LONG = "text_too_long"
    TOO_MANY_TEXTS = "too_many_texts"
    """In one request."""

    OTHER_DIMENSIONS = "other_dimensions"
    """The vectors have another length than requested, or than before."""

    REFUSED = "refused"
    """Refused for another reason (400)."""


_FIXES: Final[Mapping[FailureKind, str]] = {
    FailureKind.UNREACHABLE: "the embedding server cannot be reached; check that it runs, its "
    "address and its port",
    FailureKind.TIMEOUT: "the embedding server took too long; wait until it has loaded the model, "
    "or choose a smaller model",
    FailureKind.BROKEN_REPLY: "the reply of the embedding server cannot be used; choose a model "
    "that is made for embeddings of texts, or look at the server's log",
    FailureKind.KEY_REFUSED: "the embedding server refused the key; enter another one",
    FailureKind.NO_SUCH_MODEL: "the embedding server does not have the model; choose another one, "
    "or install it on the server",
    FailureKind.NOT_AN_EMBEDDING_MODEL: "this model makes no embeddings; choose one that does, or "
    "start the server with embeddings enabled",
    FailureKind.RATE_LIMITED: "the embedding server accepts no more requests; wait a minute, or "
    "check the account with its provider",
    FailureKind.SERVER_ERROR: "the embedding server reports a fault of its own; look at its log",
    FailureKind.TEXT_TOO_LONG: "the embedding model reads too little text at once; choose another "
    "one",
    FailureKind.TOO_MANY_TEXTS: "the embedding server takes no text at all in one request; choose "
    "another one",
    FailureKind.OTHER_DIMENSIONS: "the vectors have another size than before or than asked for; "
    "choose the model anew, without a number of dimensions",
    FailureKind.REFUSED: "the embedding server refused the request; look at its log, or choose "
    "another model",
}


class ServerFailureError(EmbeddingError):
    """A server returned no vectors; the text says how to fix it, without request data."""

    def __init__(
        self,
        kind: FailureKind,
        detail: str = "",
        *,
        again: bool = False,
        wait: float | None = None,
        refused: str | None = None,
    ) -> None:
        """`again`: another attempt may succeed; `wait`: seconds until then, as requested.

        `refused`: the request parameter that the server refuses.
        """
        super().__init__(_FIXES[kind] + (f" ({detail})" if detail else ""))
        self.kind = kind
        self.again = again
        self.wait = wait
        self.refused = refused


_PARAMETERS: Final = ("encoding_format", "dimensions")
_TOO_LONG: Final = re.compile(
    r"context[_ ](length|size|window)|exceed_context|too (large|long)|too many (input )?tokens"
    r"|max(imum)? (request|input|batch) (size|length|tokens)|tokens per request"
    r"|must have less than \d+ tokens|exceeds? the (maximum|model)|physical batch size",
    re.IGNORECASE,
)
_TOO_MANY: Final = re.compile(
    r"batch[_ ]size \d+ >|batch[_ ]size .{0,40}(larger|greater|exceed|at most)|too many inputs"
    r"|number of inputs|in one batch|more batches",
    re.IGNORECASE,
)
_NO_EMBEDDINGS: Final = re.compile(
    r"not support embedding|embeddings? (is|are) not (supported|enabled)|--embedding"
    r"|not an embedding|pooling type|not allowed to generate embeddings",
    re.IGNORECASE,
)
_NO_MODEL: Final = re.compile(
    r"model_not_found|model\b.{0,200}\b(not found|not exist|not loaded)"
    r"|(unknown|invalid|no such|not have access to) model",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN_CODE: Final = re.compile(r"[a-zA-Z][\w.-]{0,40}")
"""An error code, not a sentence."""

_KINDS: Final = {
    401: FailureKind.KEY_REFUSED,
    403: FailureKind.KEY_REFUSED,
    404: FailureKind.UNREACHABLE,
    405: FailureKind.UNREACHABLE,
    408: FailureKind.TIMEOUT,
    409: FailureKind.SERVER_ERROR,
    413: FailureKind.TEXT_TOO_LONG,
    425: FailureKind.SERVER_ERROR,
    429: FailureKind.RATE_LIMITED,
}
_FOR_A_MOMENT: Final = frozenset({408, 409, 425, 429})


def failure_of(err: openai.OpenAIError | httpx.HTTPError) -> ServerFailureError:
    """Return the failure for an exception of the client."""
    match err:
        case openai.APIStatusError():
            return _status_failure(err)
        case openai.APIConnectionError():
            return _connection_failure(err.__cause__ or err)
    return _connection_failure(err)


def _status_failure(err: openai.APIStatusError) -> ServerFailureError:
    body = err.body if isinstance(err.body, Mapping) else {}
    text = " ".join(map(str, (err.message, body.get("message"), body.get("code"))))
    status = err.status_code
    detail = f"{status}{_code(body)}"
    if status in (400, 422) and (refused := _refused(body, text)):
        kind = FailureKind.OTHER_DIMENSIONS if refused == "dimensions" else FailureKind.REFUSED
        return ServerFailureError(kind, detail, refused=refused)
    if kind_of_text := _kind_of_text(status, text):
        return ServerFailureError(kind_of_text, detail)
    if status >= 500:
        return ServerFailureError(
            FailureKind.SERVER_ERROR,
            detail,
            again=status != 501,
            wait=_retry_after(err.response.headers),
        )
    return ServerFailureError(
        _KINDS.get(status, FailureKind.REFUSED),
        detail,
        again=status in _FOR_A_MOMENT and "insufficient_quota" not in text,
        wait=_retry_after(err.response.headers),
    )


def _code(body: Mapping[str, Any]) -> str:
    """Return the error code; empty for a sentence, which may repeat the request."""
    code = body.get("code") or body.get("type")
    return f" {code}" if isinstance(code, str) and _PLAIN_CODE.fullmatch(code) else ""


def _refused(body: Mapping[str, Any], text: str) -> str | None:
    """Return the request parameter that the server refuses."""
    if body.get("param") in _PARAMETERS:
        return str(body["param"])
    return next((name for name in _PARAMETERS if name in text), None)


def _kind_of_text(status: int, text: str) -> FailureKind | None:
    """Return the kind of failure from the error text; None if the text adds nothing."""
    if status in (401, 429, 502, 503, 504):
        return None
    if _TOO_MANY.search(text):
        return FailureKind.TOO_MANY_TEXTS
    # llama.cpp returns 500 and 501 for permanent failures.
    if _TOO_LONG.search(text):
        return FailureKind.TEXT_TOO_LONG
    if _NO_EMBEDDINGS.search(text):
        return FailureKind.NOT_AN_EMBEDDING_MODEL
    if status < 500 and _NO_MODEL.search(text):
        return FailureKind.NO_SUCH_MODEL
    return None


def _connection_failure(cause: BaseException) -> ServerFailureError:
    detail = type(cause).__name__
    match cause:
        case httpx.ConnectError():
            return ServerFailureError(FailureKind.UNREACHABLE, detail, again=True)
        case httpx.ConnectTimeout() | httpx.UnsupportedProtocol() | httpx.LocalProtocolError():
            return ServerFailureError(FailureKind.UNREACHABLE, detail)
        case httpx.TimeoutException():
            return ServerFailureError(FailureKind.TIMEOUT, detail)
        case httpx.DecodingError():
            # Too large, or compressed without request; another attempt would fail, too.
            return ServerFailureError(FailureKind.BROKEN_REPLY, detail)
    return ServerFailureError(FailureKind.BROKEN_REPLY, detail, again=True)


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
