"""Results of the original model, as references for tests and benchmarks.

`scripts/build_embeddings` runs this in an environment of its own (`reference.txt` beside
this file; Python 3.11 or later), since Home Assistant's has no torch:

    python -m scripts.embedding_model.references pieces MODEL FILE
        the ids of the word pieces of all sentences of `sentences.py`, to FILE (JSON)
    python -m scripts.embedding_model.references vectors MODEL TEXTS FILE
        the vectors of TEXTS (one a line), to FILE (safetensors, float16, and the hash of
        the texts)

MODEL is the folder of the original model.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .sentences import sentences


def _original(model: Path) -> Any:
    from sentence_transformers import (  # type: ignore[import-not-found] # noqa: PLC0415
        SentenceTransformer,
    )

    return SentenceTransformer(str(model), device="cpu")


def write_pieces(model: Path, to: Path) -> None:
    """Write each sentence with its ids, a sentence a line."""
    original = _original(model)
    texts = sentences()
    found = original.tokenizer(texts, truncation=True, max_length=original.max_seq_length)
    _check_pieces(model, texts, found["input_ids"])
    lines = (json.dumps(pair) for pair in zip(texts, found["input_ids"], strict=True))
    to.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def _check_pieces(model: Path, texts: Sequence[str], found: Sequence[Sequence[int]]) -> None:
    """Hold the ids against those of the tokenizer that the model's folder describes."""
    from tokenizers import Tokenizer  # type: ignore[import-not-found] # noqa: PLC0415

    described = Tokenizer.from_file(str(model / "tokenizer.json"))
    described.no_padding()
    described.enable_truncation(256)
    for text, ids in zip(texts, found, strict=True):
        if described.encode(text).ids != ids:
            raise SystemExit(f"the original's two tokenizers differ on {text!r}")


def write_vectors(model: Path, texts: Path, to: Path) -> None:
    """Write the vectors of all lines of a file, at length 1."""
    from safetensors.numpy import save_file  # type: ignore[import-not-found] # noqa: PLC0415

    lines = texts.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    # One at a time: no padding, whose rounding differs.
    vectors = _original(model).encode(lines, batch_size=1, normalize_embeddings=True)
    save_file(
        {"vectors": vectors.astype("float16")},
        to,
        metadata={
            "texts_sha256": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
            "model": "sentence-transformers/all-MiniLM-L6-v2",
        },
    )


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command", required=True)
    for name, arguments in (("pieces", ("model", "to")), ("vectors", ("model", "texts", "to"))):
        command = commands.add_parser(name)
        for argument in arguments:
            command.add_argument(argument, type=Path)
    options = parser.parse_args()
    if options.command == "pieces":
        write_pieces(options.model, options.to)
    else:
        write_vectors(options.model, options.texts, options.to)


if __name__ == "__main__":
    main()
