"""The file of the model: what it may hold, and what becomes of a damaged one."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from custom_components.sage.embeddings.embedder import EmbeddingError
from custom_components.sage.embeddings.minilm import read_tensors


def write(path: Path, header: Any, data: bytes) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def entry(dtype: str, shape: list[Any], begin: int, end: int) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def test_tensors_are_read_with_their_types_and_shapes(tmp_path: Path):
    wide = np.array([[1.5, -2.5, 0.25]], "<f4")
    narrow = np.array([[-128, 127], [0, 1]], np.int8)
    path = write(
        tmp_path / "some.safetensors",
        {
            "__metadata__": {"license": "free"},
            "wide": entry("F32", [1, 3], 0, 12),
            "narrow": entry("I8", [2, 2], 12, 16),
        },
        wide.tobytes() + narrow.tobytes(),
    )

    found = read_tensors(path)

    assert found.metadata == {"license": "free"}
    assert list(found.tensors) == ["wide", "narrow"]
    assert found.tensors["wide"].dtype == np.float32
    assert (found.tensors["wide"] == wide).all()
    assert (found.tensors["narrow"] == narrow).all()
    with pytest.raises(ValueError, match="read-only"):
        found.tensors["narrow"][0, 0] = 1


def test_a_file_without_remarks_is_read(tmp_path: Path):
    path = write(tmp_path / "some.safetensors", {"one": entry("U8", [1], 0, 1)}, b"\7")

    assert read_tensors(path).metadata == {}


@pytest.mark.parametrize(
    ("header", "data"),
    [
        pytest.param({"one": entry("F32", [2], 0, 8)}, b"\0" * 7, id="cut short"),
        pytest.param({"one": entry("F32", [2], 0, 4)}, b"\0" * 8, id="too few bytes"),
        pytest.param({"one": entry("F32", [2], -8, 0)}, b"\0" * 8, id="before the beginning"),
        pytest.param({"one": entry("F32", [2], 8, 0)}, b"\0" * 8, id="backwards"),
        pytest.param({"one": entry("F32", ["2"], 0, 8)}, b"\0" * 8, id="no shape"),
        pytest.param({"one": entry("O", [1], 0, 8)}, b"\0" * 8, id="objects"),
        pytest.param({"one": {"dtype": "F32"}}, b"", id="no place"),
        pytest.param({"one": []}, b"", id="no entry"),
        pytest.param([], b"", id="no header"),
        pytest.param(b"{", b"", id="half a header"),
        pytest.param(b"\xff", b"", id="no text"),
    ],
)
def test_a_damaged_file_is_refused_with_the_mend(tmp_path: Path, header: Any, data: bytes):
    path = write(tmp_path / "some.safetensors", header, data)

    with pytest.raises(EmbeddingError, match=r"some\.safetensors is missing or damaged.*again$"):
        read_tensors(path)


@pytest.mark.parametrize("content", [b"", b"\1", b"\0" * 8, b"\xff" * 8, b"<html></html>"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes):
    path = tmp_path / "some.safetensors"
    path.write_bytes(content)

    with pytest.raises(EmbeddingError, match="install SAGE again"):
        read_tensors(path)


def test_a_missing_file_is_told(tmp_path: Path):
    with pytest.raises(EmbeddingError, match="install SAGE again"):
        read_tensors(tmp_path / "some.safetensors")
