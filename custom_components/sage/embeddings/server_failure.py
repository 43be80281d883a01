"""What the failures of an OpenAI-compatible embedding server mean, and how each is mended.

Servers agree on the status codes, hardly on the texts: those of OpenAI, vLLM, llama.cpp,
Ollama and text-embeddings-inference are told apart here. Their texts may repeat the key or what
was to be embedded, so that none of them gets into an error of ours.
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
    """Why a server gave no vectors."""

    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    BROKEN_REPLY = "broken_reply"
    """It ended early, is not JSON, or does not hold a usable vector for each text."""

    KEY_REFUSED = "key_refused"
    NO_SUCH_MODEL = "no_such_model"
    NOT_AN_EMBEDDING_MODEL = "not_an_embedding_model"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    TEXT_TOO_LONG = "text_too_long"
    TOO_MANY_TEXTS = "too_many_texts"
    """In one request."""

    OTHER_DIMENSIONS = "other_dimensions"
    """The vectors have another size than was asked for, or than before."""

    REFUSED = "refused"
    """For another reason (400)."""


_MENDS: Final[Mapping[FailureKind, str]] = {
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
    """A server gave no vectors; the text names the mend and holds nothing that was sent."""

    def __init__(
        self,
        kind: FailureKind,
        detail: str = "",
        *,
        again: bool = False,
        wait: float | None = None,
        refused: str | None = None,
    ) -> None:
        """Keep why; `again`: another attempt may succeed, `wait`: after so many seconds.

        `refused` is the parameter of the request that the server does not take.
        """
        super().__init__(_MENDS[kind] + (f" ({detail})" if detail else ""))
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
"""An error code, as opposed to a sentence."""

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
    """Return what an exception of the client means."""
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
    """Return the code of an error where it is one; a sentence could repeat what was sent."""
    code = body.get("code") or body.get("type")
    return f" {code}" if isinstance(code, str) and _PLAIN_CODE.fullmatch(code) else ""


def _refused(body: Mapping[str, Any], text: str) -> str | None:
    """Return the parameter that the server does not take."""
    if body.get("param") in _PARAMETERS:
        return str(body["param"])
    return next((name for name in _PARAMETERS if name in text), None)


def _kind_of_text(status: int, text: str) -> FailureKind | None:
    """Return what the text of an error says beyond its status."""
    if status in (401, 429, 502, 503, 504):
        return None
    if _TOO_MANY.search(text):
        return FailureKind.TOO_MANY_TEXTS
    # llama.cpp answers 500 and 501 to what will never work.
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
            # Too large, or compressed in a way that nobody asked for: it would be again.
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
