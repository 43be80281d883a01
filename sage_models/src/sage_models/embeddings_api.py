"""The bodies of `POST /v1/embeddings` and `POST /v1/speakers`.

They are those of OpenAI's API, with `modality` for images as Infinity has it.
"""

import base64
import json
from dataclasses import dataclass
from typing import Any, Final

from .batching import Embeddings
from .server_settings import Limits

_ENCODINGS: Final = ("float", "base64")

TEXT: Final = "text"
IMAGE: Final = "image"
SPEECH: Final = "speech"
"""Modalities: what an input is."""


class RequestError(Exception):
    """A request is refused; the text says why, and how to fix it."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        """Keep what the reply contains. `retry_after`: seconds until another attempt."""
        super().__init__(message)
        self.status = status
        self.param = param
        self.code = code
        self.retry_after = retry_after

    def body(self) -> dict[str, Any]:
        """Return the error object of OpenAI's API."""
        kind = "server_error" if self.status >= 500 else "invalid_request_error"
        return {
            "error": {
                "message": str(self),
                "type": kind,
                "param": self.param,
                "code": self.code,
            }
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingRequest:
    """A valid request."""

    model: str
    inputs: tuple[str, ...]
    """Texts, or the data URIs of images or recordings."""

    modality: str
    in_base64: bool
    dimensions: int | None


def parse_request(
    body: bytes, limits: Limits, modalities: tuple[str, ...] = (TEXT, IMAGE)
) -> EmbeddingRequest:
    """Return the request of a body with one of the modalities. Raises RequestError."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise RequestError(400, "The body is not JSON.") from None
    if not isinstance(fields, dict):
        raise RequestError(400, "The body is not a JSON object.")
    model = fields.get("model")
    if not isinstance(model, str) or not model:
        raise RequestError(
            400, "The model is missing; GET /v1/models returns their names.", param="model"
        )
    modality = _choice(fields, "modality", modalities)
    return EmbeddingRequest(
        model=model,
        inputs=_inputs(fields.get("input"), modality, limits),
        modality=modality,
        in_base64=_choice(fields, "encoding_format", _ENCODINGS) == "base64",
        dimensions=_dimensions(fields.get("dimensions")),
    )


def _choice(fields: dict[str, Any], name: str, choices: tuple[str, ...]) -> str:
    value = fields.get(name)
    if value is None:
        return choices[0]
    if value not in choices:
        raise RequestError(400, f"{name} is {' or '.join(choices)}.", param=name)
    return str(value)


def _inputs(value: Any, modality: str, limits: Limits) -> tuple[str, ...]:
    inputs = [value] if isinstance(value, str) else value
    if not isinstance(inputs, list) or not inputs:
        raise RequestError(400, "input is a text or a list of texts, not empty.", param="input")
    most = limits.recordings if modality == SPEECH else limits.inputs
    if len(inputs) > most:
        raise RequestError(
            400,
            f"There are too many inputs: {len(inputs)}; at most {most} in one request.",
            param="input",
        )
    for place, each in enumerate(inputs):
        if not isinstance(each, str):
            raise RequestError(
                400, f"input[{place}] is not a text; tokens are not accepted.", param="input"
            )
        if modality == TEXT and len(each) > limits.text_characters:
            raise RequestError(
                400,
                f"input[{place}] is too long: {len(each)} characters; at most "
                f"{limits.text_characters}.",
                param="input",
            )
    return tuple(inputs)


def _dimensions(value: Any) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise RequestError(400, "dimensions is a whole number.", param="dimensions")


def reply_body(request: EmbeddingRequest, embeddings: Embeddings) -> bytes:
    """Return the reply to a request."""
    vectors = embeddings.vectors.astype("<f4")
    total = sum(embeddings.tokens)
    return json.dumps(
        {
            "object": "list",
            "model": request.model,
            "data": [
                {
                    "object": "embedding",
                    "index": index,
                    "embedding": base64.b64encode(vector.tobytes()).decode()
                    if request.in_base64
                    else vector.tolist(),
                }
                for index, vector in enumerate(vectors)
            ],
            "usage": {"prompt_tokens": total, "total_tokens": total},
        }
    ).encode()
