"""The built-in model, held against the original one."""

import json
import threading
from pathlib import Path

import numpy as np
import pytest

from benchmark.reference_vectors import read_utterances
from custom_components.sage.embeddings.embedder import Vectors
from custom_components.sage.embeddings.minilm import MODEL_FILE, MODEL_ID, MiniLM
from custom_components.sage.model.language_model import ModelError

LEAST_COSINE = 0.99
MOST_BYTES = 24_000_000


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM.load(MODEL_FILE)


@pytest.fixture(scope="module")
def compared(model: MiniLM) -> tuple[Vectors, Vectors]:
    """Return the vectors of the same utterances: ours, the original's."""
    utterances, original = read_utterances()
    assert len(set(utterances)) >= 200
    return model.encode(utterances), original


def cosines(these: Vectors, those: Vectors) -> Vectors:
    return np.einsum("ij,ij->i", these, those)


def test_the_vectors_are_those_of_the_original(compared):
    found = cosines(*compared)

    assert found.mean() >= LEAST_COSINE
    assert found.min() >= LEAST_COSINE - 0.01


def test_the_nearest_utterances_are_those_of_the_original(compared):
    vectors, original = compared

    def nearest(all_vectors: Vectors) -> Vectors:
        between = all_vectors @ all_vectors.T
        np.fill_diagonal(between, -1)
        return between.argmax(axis=1)

    assert (nearest(vectors) == nearest(original)).mean() >= 0.95


def test_no_text_changes_the_vector_of_another(model, compared):
    utterances, _ = read_utterances()
    together, _ = compared

    alone = np.concatenate([model.encode([utterance]) for utterance in utterances[::9]])

    assert together[::9] == pytest.approx(alone, abs=1e-4)


def test_what_means_the_same_is_nearer_than_what_is_spelled_alike(model):
    asked, same, alike = model.encode(
        ["Which team do I support?", "I'm a fan of the Blue Foxes.", "Which team needs support?"]
    )
    other = model.encode(["Switch the oven off."])[0]

    assert asked @ same > asked @ other
    assert asked @ alike > asked @ other


def test_several_threads_use_one_model(model):
    utterances = read_utterances()[0][:24]
    expected = model.encode(utterances)
    found: dict[int, Vectors] = {}

    def encode(number: int) -> None:
        found[number] = model.encode(utterances)

    threads = [threading.Thread(target=encode, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 4
    for vectors in found.values():
        assert vectors == pytest.approx(expected, abs=1e-5)


def test_the_file_is_small_and_says_where_it_comes_from():
    content = MODEL_FILE.read_bytes()

    assert len(content) <= MOST_BYTES
    said = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])["__metadata__"]
    assert said["model_id"] == MODEL_ID
    assert said["license"] == "Apache-2.0"
    assert said["model"] == "sentence-transformers/all-MiniLM-L6-v2"


def test_the_file_of_another_version_is_refused(tmp_path: Path):
    content = MODEL_FILE.read_bytes()
    other = tmp_path / "model.safetensors"
    other.write_bytes(content.replace(MODEL_ID.encode(), MODEL_ID[:-1].encode() + b"0", 1))

    with pytest.raises(ModelError, match="another version; install SAGE again"):
        MiniLM.load(other)
