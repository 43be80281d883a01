"""Failures of an OpenAI-compatible embedding server, with advice on how to fix them.

This module recognizes the error messages of OpenAI, vLLM, llama.cpp, Ollama and
text-embeddings-inference.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

import httpx
import openai

from ..helpers.server_requests import (
    FailedAttemptError,
    connection_failure,
    error_body,
    error_text,
    status_failure,
)
from .embedder import EmbeddingError


class FailureKind(StrEnum):
    """The reason why an embedding server returned no vectors."""

    UNREACHABLE = "unreachable"
    WRONG_ADDRESS = "wrong_address"
    """Something else answers: a web page, a redirect, or http instead of https or vice versa."""

    CERTIFICATE = "certificate"
    TIMEOUT = "timeout"
    BROKEN_REPLY = "broken_reply"
    """The response is incomplete, is not JSON, or lacks a usable vector."""

    KEY_REFUSED = "key_refused"
    NO_CREDIT = "no_credit"
    NO_SUCH_MODEL = "no_such_model"
    NO_WEIGHTS = "no_weights"
    """The server knows the model but has no weights for it."""

    NOT_AN_EMBEDDING_MODEL = "not_an_embedding_model"
    NOT_AN_IMAGE_MODEL = "not_an_image_model"
    """The model embeds texts but not images."""

    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    TEXT_TOO_LONG = "text_too_long"
    TOO_MANY_TEXTS = "too_many_texts"
    """The server accepts fewer texts per request."""

    OTHER_DIMENSIONS = "other_dimensions"
    """The length of the vectors has changed."""

    REFUSED = "refused"
    """The server rejected the request for another reason (status 400)."""


_FIXES: Final[Mapping[FailureKind, str]] = {
    FailureKind.UNREACHABLE: "the embedding server cannot be reached; check that it runs, its "
    "address and its port",
    FailureKind.WRONG_ADDRESS: "something else answers at the address of the embedding server; "
    "check http or https, the port and the path",
    FailureKind.CERTIFICATE: "the certificate of the embedding server is self-signed, expired or "
    "for another name; renew it, or enter the name in the certificate as the address",
    FailureKind.NO_CREDIT: "the account for the embedding model has no credit left; add credit at "
    "the provider",
    FailureKind.TIMEOUT: "the embedding server took too long; wait until it has loaded the model, "
    "or choose a smaller model",
    FailureKind.BROKEN_REPLY: "the reply of the embedding server cannot be used; choose a model "
    "that is made for embeddings of texts, or look at the server's log",
    FailureKind.KEY_REFUSED: "the embedding server refused the key; enter another one",
    FailureKind.NO_SUCH_MODEL: "the embedding server does not have the model; choose another one, "
    "or install it on the server",
    FailureKind.NO_WEIGHTS: "the embedding server has no weights of the model; let it download "
    "them, or copy them into its folder of weights",
    FailureKind.NOT_AN_EMBEDDING_MODEL: "this model makes no embeddings; choose one that does, or "
    "start the server with embeddings enabled",
    FailureKind.NOT_AN_IMAGE_MODEL: "this model makes no embeddings of images; choose one that "
    "does, such as CLIP",
    FailureKind.RATE_LIMITED: "the embedding server accepts no more requests; wait a minute, or "
    "check the account with its provider",
    FailureKind.SERVER_ERROR: "the embedding server reports a fault of its own; look at its log",
    FailureKind.TEXT_TOO_LONG: "the embedding model reads too little text at once; choose another "
    "one",
    FailureKind.TOO_MANY_TEXTS: "the embedding server takes no text at all in one request; choose "
    "another one",
    FailureKind.OTHER_DIMENSIONS: "the vectors have another size than before; choose the model "
    "anew",
    FailureKind.REFUSED: "the embedding server refused the request; look at its log, or choose "
    "another model",
}


# Errors must not quote a server's message, which may contain the key or the embedded text.
class ServerFailureError(EmbeddingError):
    """Raised when an embedding server returns no vectors.

    The message says how to fix it and contains no data of the request.
    """

    def __init__(self, kind: FailureKind, detail: str = "") -> None:
        """Create the message; `detail`, such as an error code, contains no data of the request."""
        super().__init__(_FIXES[kind] + (f" ({detail})" if detail else ""))
        self.kind = kind


_CODES: Final[Mapping[str, str]] = {
    "model_loading": FailureKind.TIMEOUT,
    "no_weights": FailureKind.NO_WEIGHTS,
}
"""Error codes of SAGE's models server, in replies with status 503."""

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
"""Pattern of an error code, in contrast to a sentence."""


def failure_of(err: openai.OpenAIError | httpx.HTTPError) -> FailedAttemptError:
    """Convert an exception of the OpenAI client; `kind` of the result is a `FailureKind` value."""
    if isinstance(err, openai.APIStatusError):
        detail = f"{err.status_code}{_code(error_body(err))}"
        if kind := _kind(err):
            return FailedAttemptError(kind, detail)
        failure = status_failure(err, detail)
        kind_of_code = _CODES.get(str(error_body(err).get("code")), failure.kind)
        return FailedAttemptError(kind_of_code, detail, again=failure.again, wait=failure.wait)
    cause = err.__cause__ or err if isinstance(err, openai.APIConnectionError) else err
    return connection_failure(cause, type(cause).__name__)


def _code(body: Mapping[str, Any]) -> str:
    """Return the server's error code, preceded by a space; empty if there is none.

    A code with spaces is left out, because it is a sentence that may quote the request.
    """
    code = body.get("code") or body.get("type")
    return f" {code}" if isinstance(code, str) and _PLAIN_CODE.fullmatch(code) else ""


def _kind(err: openai.APIStatusError) -> FailureKind | None:
    """Return the kind of failure by the error message, or None if the message is unclear."""
    status, text = err.status_code, error_text(err)
    if status in (401, 429, 502, 503, 504):
        return None
    if _TOO_MANY.search(text):
        return FailureKind.TOO_MANY_TEXTS
    # llama.cpp returns 500 and 501 for permanent failures.
    if status == 413 or _TOO_LONG.search(text):
        return FailureKind.TEXT_TOO_LONG
    if _NO_EMBEDDINGS.search(text):
        return FailureKind.NOT_AN_EMBEDDING_MODEL
    if status < 500 and _NO_MODEL.search(text):
        return FailureKind.NO_SUCH_MODEL
    return None
