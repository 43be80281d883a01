"""The interface of embedding models, which convert texts or images to vectors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

type Vectors = npt.NDArray[np.float32]
"""An array of the shape (texts, dimensions), or (dimensions,) for one text.

Vectors have length 1, so the dot product of two vectors is their cosine similarity.
"""


_STORED: Final = np.dtype("<f4")


class Embedder(Protocol):
    """A model that converts texts to vectors."""

    @property
    def model_id(self) -> str:
        """Name and version of the model; only vectors of models with equal ids are comparable."""

    async def async_embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of `texts`, one row each, without blocking. Raises ModelError."""


class ImageEmbedder(Embedder, Protocol):
    """A model that embeds texts and images in the same vector space, such as CLIP."""

    async def async_embed_images(self, images: Sequence[bytes]) -> Vectors:
        """Return the vectors of JPEG images, one row each, in order. Raises ModelError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """The result of comparing a person's description with the devices of the home."""

    by: str  # what was compared with the description: `photos`, or their `captions`
    shares: Mapping[str, float]  # device id -> how well the device fits, from 0 to 1; the sum is 1
    fits: bool  # whether the description fits one device clearly better than all others
    trouble: str = ""  # why the comparison with photos failed; empty if it did not fail


def to_blob(vector: Vectors) -> bytes:
    """Return one vector in the form in which all of SAGE's files store it."""
    return vector.astype(_STORED, copy=False).tobytes()


def from_blobs(blobs: Sequence[bytes]) -> Vectors:
    """Return stored vectors of one model, one row for each."""
    return np.frombuffer(b"".join(blobs), _STORED).reshape(len(blobs), -1)


def cosines(vectors: Vectors, query: Vectors) -> Vectors:
    """Return the cosine similarity of each row to `query`, a vector of the same model."""
    # `@` would use several threads and more CPU time.
    similar: Vectors = np.vecdot(vectors, query)
    return similar
