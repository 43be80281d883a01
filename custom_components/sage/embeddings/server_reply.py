"""Reading the reply of an embedding server: numbers or base64, checked, at length 1."""

import base64
import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .embedder import Vectors
from .server_failure import FailureKind, ServerFailureError

_WIRE: Final = np.dtype("<f4")


def read_reply(content: bytes, count: int) -> Vectors:
    """Return the vectors for `count` texts, one row each, in the order of the texts.

    Raises ServerFailureError when there is not one usable vector for each text.
    """
    try:
        rows = [_numbers(embedding) for embedding in _in_order(json.loads(content), count)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as err:
        # The exception's text could hold what the server sent.
        raise _unusable(f"not in the format of the API, {type(err).__name__}") from None
    if len({row.size for row in rows}) > 1:
        raise _unusable("vectors of several sizes")
    return _normalised(np.stack(rows))


def _in_order(reply: Any, count: int) -> Sequence[Any]:
    """Return the embeddings in the order of the texts."""
    entries = reply["data"]
    if len(entries) != count:
        raise _unusable(f"{len(entries)} vectors for {count} texts")
    # Not every server numbers them.
    places = [entry.get("index", place) for place, entry in enumerate(entries)]
    if sorted(places) != list(range(count)):
        raise _unusable("vectors that are numbered wrongly")
    ordered = sorted(zip(places, entries, strict=True), key=lambda pair: pair[0])
    return [entry["embedding"] for _, entry in ordered]


def _numbers(embedding: Any) -> npt.NDArray[np.float64]:
    if isinstance(embedding, str):
        found = np.frombuffer(base64.b64decode(embedding, validate=True), _WIRE)
    else:
        found = np.asarray(embedding, np.float64)
    if found.ndim != 1:
        raise _unusable("one vector for each piece of a text, not one for the text")
    if not found.size:
        raise _unusable("an empty vector")
    return found.astype(np.float64)


def _normalised(vectors: npt.NDArray[np.float64]) -> Vectors:
    if not np.isfinite(vectors).all():
        raise _unusable("a vector with what is not a number")
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    if not largest.all():
        raise _unusable("a vector of zeros")
    # First by the largest, so that no square is too large or too small.
    vectors = vectors / largest
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)


def _unusable(detail: str) -> ServerFailureError:
    return ServerFailureError(FailureKind.BROKEN_REPLY, detail)
