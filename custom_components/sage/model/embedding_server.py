"""Embedding models on any server with OpenAI's embeddings API (`POST /v1/embeddings`).

Images are sent as data URIs with `"modality": "image"`, as Infinity and SAGE's own models server
expect. The error messages of OpenAI, vLLM, llama.cpp, Ollama and text-embeddings-inference are
recognized.
"""

import hashlib
import json
import logging
import re
from collections.abc import Mapping, Sequence
from itertools import batched
from typing import Any, Final, cast

import httpx
import numpy as np
import numpy.typing as npt
import openai
from homeassistant.core import HomeAssistant

from .language_model import ModelError, ModelErrorKind, RetryPolicy, async_try
from .model_errors import error_body, failure_of
from .openai_model import jpeg_uri

type Vectors = npt.NDArray[np.float32]
"""Vectors of length 1, shape (texts or images, dimensions)."""

_LOGGER = logging.getLogger(__name__)

_PATH: Final = "/embeddings"
_SPEECH: Final = "/speakers"  # only on SAGE's models server; the rest as for embeddings
_BATCH: Final = 8  # number of texts per request; small, because some servers accept few
_LONGEST_REPLY: Final = 3 * 512 * 1024  # maximum size of a reply in bytes
_IMAGE_BATCH: Final = 4  # number of images per request
TOO_LITTLE_SPEECH: Final = "too_little_speech"
"""Error code of SAGE's models server for a recording with less than 1.6 s of speech."""

_FEWEST_CHARACTERS: Final = 256
"""Texts are not cut below this length; a server that accepts only shorter ones is unusable."""

_BLANK: Final = "."  # replacement for an empty text, which servers reject
_POLICY: Final = RetryPolicy(request_seconds=60.0, total_seconds=120.0)


# Errors must not quote a server's message, which may contain the key or the embedded text.
_CODES: Final[Mapping[str, ModelErrorKind]] = {
    "model_loading": ModelErrorKind.TIMEOUT,
    "no_weights": ModelErrorKind.NO_WEIGHTS,
}
"""Error codes of SAGE's models server, in replies with status 503."""

_TOO_LONG: Final = re.compile(
    r"context[_ ](length|size|window)|exceed_context|too (large|long)|too many (input )?tokens"
    r"|max(imum)? (request|input|batch) (size|length|tokens)|tokens per request"
    r"|must have less than \d+ tokens|exceeds? the (maximum|model)|physical batch size",
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
# llama.cpp returns 500 and 501 for permanent failures.
_KINDS: Final = (
    (ModelErrorKind.PROMPT_TOO_LONG, _TOO_LONG, 502),
    (ModelErrorKind.NOT_AN_EMBEDDING_MODEL, _NO_EMBEDDINGS, 502),
    (ModelErrorKind.NO_SUCH_MODEL, _NO_MODEL, 500),
)
_PLAIN_CODE: Final = re.compile(r"[a-zA-Z][\w.-]{0,40}")  # an error code, no sentence


def _failure_of(err: Exception) -> ModelError:
    failure = failure_of(err, _KINDS, _detail)
    if isinstance(err, openai.APIStatusError):
        failure.kind = _CODES.get(str(error_body(err).get("code")), failure.kind)
    return failure


def _detail(err: BaseException) -> str:
    if not isinstance(err, openai.APIStatusError):
        return type(err).__name__
    body = error_body(err)
    code = body.get("code") or body.get("type")
    # A sentence instead of a code may quote the request.
    is_code = isinstance(code, str) and _PLAIN_CODE.fullmatch(code)
    return f"{err.status_code} {code}" if is_code else str(err.status_code)


class ServerEmbedder:
    """One embedding model on a server; cuts long texts after the server rejects one."""

    def __init__(
        self,
        hass: HomeAssistant,
        client: openai.AsyncOpenAI,
        model: str,
        *,
        address: str = "",
        policy: RetryPolicy = _POLICY,
    ) -> None:
        """Store the name of the model and the client.

        `client` must not retry requests itself. `address` is the server's base URL in the settings.
        `policy` contains the retries and timeouts.
        """
        self._hass = hass
        self._client = client
        self._model = model
        # Vectors of two servers must never be compared, even if their models have the same name.
        # Use a hash, because the URL may be secret.
        self._server = hashlib.blake2b(address.encode(), digest_size=4).hexdigest()
        self._dimensions: int | None = None
        self._policy = policy
        self._timeout = openai.Timeout(
            self._policy.request_seconds, connect=self._policy.connect_seconds
        )
        self._most_characters: int | None = None

    @property
    def model_id(self) -> str:
        """Name of the model and a hash of the server's URL, e.g. `server/bge-m3@1a2b3c4d`."""
        return f"server/{self._model}@{self._server}"

    async def async_embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of `texts`, one row for each text, in the same order.

        Texts that are too long for the model are cut. Raises ModelError if the server
        returns no usable vectors.
        """
        inputs = [text if text.strip() else _BLANK for text in texts]
        parts = [await self._async_batch(batch) for batch in batched(inputs, _BATCH, strict=False)]
        return self._joined(parts)

    async def async_embed_images(self, images: Sequence[bytes]) -> Vectors:
        """Return the vectors of JPEG images, one row each, in order. Raises ModelError."""
        parts: list[Vectors] = []
        for batch in batched(images, _IMAGE_BATCH, strict=False):
            # In a thread, since images are large.
            uris = await self._hass.async_add_executor_job(list, map(jpeg_uri, batch))
            parts.append(await self._async_batch(uris, is_image=True))
        return self._joined(parts)

    async def async_embed_speech(self, wav: str) -> Vectors:
        """Return the speaker vector of a WAV file (16 kHz, 16 bits, mono), shape (dimensions,).

        `wav`: the file as base64. Raises ModelError; its text contains `TOO_LITTLE_SPEECH` for less
        than 1.6 s of speech.
        """
        uri = f"data:audio/wav;base64,{wav}"
        vector: Vectors = (await self._async_batch([uri], path=_SPEECH))[0]
        return vector

    def _joined(self, parts: Sequence[Vectors]) -> Vectors:
        return np.concatenate(parts or [np.empty((0, self._dimensions or 0), np.float32)])

    async def _async_batch(
        self, inputs: Sequence[str], *, is_image: bool = False, path: str = _PATH
    ) -> Vectors:
        """Return the vectors for the inputs of one request, with retries. Raises ModelError."""

        async def attempt() -> Vectors:
            while True:
                is_text = not is_image and path == _PATH
                longest = self._most_characters if is_text else None
                sent = [each[:longest] for each in inputs]
                try:
                    return await self._async_attempt(sent, is_image=is_image, path=path)
                except (openai.OpenAIError, httpx.HTTPError) as err:
                    failure = _failure_of(err)
                    if not self._adapts(failure.kind, sent if is_text else []):
                        # Drop the client's exception, which may contain the key and the texts.
                        raise failure from None

        return await async_try(self._policy, attempt)

    async def _async_attempt(self, inputs: Sequence[str], *, is_image: bool, path: str) -> Vectors:
        body: dict[str, Any] = {"model": self._model, "input": list(inputs)}
        if is_image:
            body["modality"] = "image"
        # Not `client.embeddings`: it hides deviations of home servers from the format.
        response = cast(
            "httpx.Response",
            await self._client.post(
                path, cast_to=httpx.Response, body=body, options={"timeout": self._timeout}
            ),
        )
        vectors = await self._hass.async_add_executor_job(read_reply, response.content, len(inputs))
        self._check_dimensions(vectors.shape[1])
        return vectors

    def _check_dimensions(self, found: int) -> None:
        if self._dimensions is None:
            self._dimensions = found
        elif found != self._dimensions:
            raise ModelError(
                ModelErrorKind.BROKEN_REPLY, f"{found} numbers instead of {self._dimensions}"
            )

    def _adapts(self, kind: ModelErrorKind, sent: Sequence[str]) -> bool:
        """Adapt further requests to a rejection of `sent`; return False if that is impossible."""
        if kind != ModelErrorKind.PROMPT_TOO_LONG:
            return False
        half = max(map(len, sent), default=0) // 2
        if half < _FEWEST_CHARACTERS:
            return False
        self._most_characters = half
        _LOGGER.info("Texts for the model %s are now cut to %d characters", self._model, half)
        return True


def read_reply(content: bytes, count: int) -> Vectors:
    """Return the vectors in a JSON response, in the order of the texts or images of the request.

    `count`: number of texts or images. Raises ModelError unless the response has exactly
    one usable vector for each.
    """
    if len(content) > _LONGEST_REPLY:
        # The parser of JSON lets no other thread run.
        raise _unusable(f"larger than {_LONGEST_REPLY / 1024**2:g} MB")
    try:
        rows = [_numbers(embedding) for embedding in _in_order(json.loads(content), count)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as err:
        # Drop the exception, whose message may contain parts of the response.
        raise _unusable(f"not in the format of the API, {type(err).__name__}") from None
    if len({row.size for row in rows}) > 1:
        raise _unusable("vectors of several sizes")
    return _normalised(np.stack(rows))


def _in_order(reply: Any, count: int) -> Sequence[Any]:
    entries = reply["data"]
    if len(entries) != count:
        raise _unusable(f"{len(entries)} vectors for {count} texts")
    # Some servers omit the index.
    places = [entry.get("index", place) for place, entry in enumerate(entries)]
    if sorted(places) != list(range(count)):
        raise _unusable("vectors that are numbered wrongly")
    ordered = sorted(zip(places, entries, strict=True), key=lambda pair: pair[0])
    return [entry["embedding"] for _, entry in ordered]


def _numbers(embedding: Any) -> npt.NDArray[np.float64]:
    found = np.asarray(embedding, np.float64)
    if found.ndim != 1:
        raise _unusable("one vector for each piece of a text, not one for the text")
    if not found.size:
        raise _unusable("an empty vector")
    return found


def _normalised(vectors: npt.NDArray[np.float64]) -> Vectors:
    if not np.isfinite(vectors).all():
        raise _unusable("a vector with what is not a number")
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    if not largest.all():
        raise _unusable("a vector of zeros")
    # Divide by the largest number first, so that the squares neither overflow nor underflow.
    vectors = vectors / largest
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)


def _unusable(detail: str) -> ModelError:
    return ModelError(ModelErrorKind.BROKEN_REPLY, detail)
