"""Vectors that the original all-MiniLM-L6-v2 gave, to compare with.

`scripts/build_embeddings --vectors TEXTS TO` makes such a file. It holds the hash of its texts, so
that it is never compared with other ones.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from custom_components.sage.embeddings.embedder import Vectors
from custom_components.sage.embeddings.minilm import read_tensors

_FOLDER: Final = Path(__file__).parent / "embedding_reference"


class OtherTextsError(Exception):
    """The vectors belong to other texts."""


def read_utterances() -> tuple[list[str], Vectors]:
    """Return varied utterances, and the original's vectors of them, one row each."""
    text = (_FOLDER / "utterances.txt").read_text(encoding="utf-8")
    utterances = text.removesuffix("\n").split("\n")
    return utterances, read_vectors(_FOLDER / "vectors.safetensors", utterances)


def read_vectors(path: Path, texts: Sequence[str]) -> Vectors:
    """Return the original's vectors of `texts` from the file at `path`, one row each.

    Raises OtherTextsError when the file was made from anything but these, in this order.
    """
    tensors, metadata = read_tensors(path)
    if metadata["texts_sha256"] != hashlib.sha256("\n".join(texts).encode()).hexdigest():
        raise OtherTextsError(f"{path.name}: make it anew with scripts/build_embeddings --vectors")
    vectors: Vectors = tensors["vectors"].astype(np.float32)
    # They are kept with eleven significant bits.
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors
