"""The interface of an embedding model."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

type Vectors = npt.NDArray[np.float32]
"""Shape (texts, dimensions); rows have length 1, so that a dot product is the cosine."""


class EmbeddingError(Exception):
    """No vectors could be computed; the text says how to fix it."""


class Embedder(Protocol):
    """A model that turns texts into vectors."""

    @property
    def model_id(self) -> str:
        """Name and version of the model; vectors of different ids cannot be compared."""

    async def async_embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row for each text, in order; never blocks the event loop.

        Raises EmbeddingError when the model fails.
        """


class ImageEmbedder(Embedder, Protocol):
    """A model that embeds texts and images in one space, such as CLIP."""

    async def async_embed_images(self, images: Sequence[bytes]) -> Vectors:
        """Return one row for each JPEG, in order. Raises EmbeddingError."""
