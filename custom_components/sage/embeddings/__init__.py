"""Vectors of texts and images, and the built-in embedding model."""

from .embedder import Embedder, ImageEmbedder, Likeness, Vectors, cosines, from_blobs, to_blob
from .minilm import BuiltinEmbedder
