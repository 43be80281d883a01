"""Making the file of the built-in model from the original weights."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from custom_components.sage.embeddings.minilm import MODEL_ID, read_tensors

from .original import PACKAGE, VERSION
from .quantization import quantize

type Tensors = Mapping[str, npt.NDArray[Any]]

POSITIONS = 256
LAYERS = 6
_TYPES = {"int8": "I8", "uint8": "U8", "float16": "F16", "float32": "F32"}
_ALIGNMENT = 64
_METADATA = {
    "model_id": MODEL_ID,
    "model": "sentence-transformers/all-MiniLM-L6-v2",
    "license": "Apache-2.0",
    "made_from": f"{PACKAGE} {VERSION}",
    "changes": "weights rounded to eight bits with a scale for each row; pooler left out",
}


def convert(model: Path) -> dict[str, npt.NDArray[Any]]:
    """Return the tensors of the built-in model for the folder of the original one."""
    original = read_tensors(model / "model.safetensors")[0]
    vocabulary = (model / "vocab.txt").read_text(encoding="utf-8").rstrip("\n")
    found: dict[str, npt.NDArray[Any]] = {
        "vocabulary": np.frombuffer(vocabulary.encode(), np.uint8),
        # All texts are of the first type.
        "positions": (
            original["embeddings.position_embeddings.weight"][:POSITIONS]
            + original["embeddings.token_type_embeddings.weight"][0]
        ).astype(np.float16),
        "norm.weight": original["embeddings.LayerNorm.weight"],
        "norm.bias": original["embeddings.LayerNorm.bias"],
    }
    words, scales = quantize(original["embeddings.word_embeddings.weight"])
    found |= {"words": words, "words.scales": scales}
    for number in range(LAYERS):
        found |= _layer(original, f"encoder.layer.{number}", f"layer.{number}")
    return found


def _layer(original: Tensors, source: str, name: str) -> dict[str, npt.NDArray[Any]]:
    attention = [f"{source}.attention.self.{part}" for part in ("query", "key", "value")]
    found = _linear(original, attention, f"{name}.attention")
    for part, of in (
        ("attended", "attention.output.dense"),
        ("widen", "intermediate.dense"),
        ("narrow", "output.dense"),
    ):
        found |= _linear(original, [f"{source}.{of}"], f"{name}.{part}")
    for part, of in (("attended", "attention.output"), ("narrow", "output")):
        for kind in ("weight", "bias"):
            found[f"{name}.{part}.norm.{kind}"] = original[f"{source}.{of}.LayerNorm.{kind}"]
    return found


def _linear(original: Tensors, sources: list[str], name: str) -> dict[str, npt.NDArray[Any]]:
    weights = np.concatenate([original[f"{source}.weight"] for source in sources])
    levels, scales = quantize(weights)
    return {
        f"{name}.weight": levels,
        f"{name}.scales": scales,
        f"{name}.bias": np.concatenate([original[f"{source}.bias"] for source in sources]),
    }


def file_bytes(tensors: Tensors) -> bytes:
    """Return the file (safetensors); the same tensors give the same bytes."""
    header: dict[str, Any] = {"__metadata__": _METADATA}
    offset = 0
    # The widest types first, so that each tensor is aligned.
    names = sorted(tensors, key=lambda name: (-tensors[name].itemsize, name))
    for name in names:
        tensor = tensors[name]
        header[name] = {
            "dtype": _TYPES[tensor.dtype.name],
            "shape": tensor.shape,
            "data_offsets": (offset, offset + tensor.nbytes),
        }
        offset += tensor.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % _ALIGNMENT)
    data = [np.ascontiguousarray(tensors[name]).tobytes() for name in names]
    return b"".join([len(text).to_bytes(8, "little"), text, *data])
