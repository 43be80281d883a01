"""Embedding models for texts and images: the built-in model, and models on a server."""

from .embedder import (
    Embedder,
    EmbeddingError,
    ImageEmbedder,
    Likeness,
    Vectors,
    cosines,
    from_blobs,
    to_blob,
)
from .minilm import BuiltinEmbedder
from .server import FailureKind, ServerEmbedder, ServerFailureError
