"""Reading replies: numbers that servers really send, and some that none should."""

import json

import numpy as np
import pytest

from custom_components.sage.model.embedding_server import read_reply
from custom_components.sage.model.language_model import ModelError


def reply(*embeddings: object, numbered: bool = True) -> bytes:
    entries = [
        {"embedding": embedding} | ({"index": place} if numbered else {})
        for place, embedding in enumerate(embeddings)
    ]
    return json.dumps({"data": entries}).encode()


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1.0, 7, 1e30, 1e300])
def test_vectors_of_any_length_become_vectors_of_length_one(scale: float):
    found = read_reply(reply([3 * scale, -4 * scale]), 1)

    assert found.dtype == np.float32
    assert found[0] == pytest.approx([0.6, -0.8], abs=1e-6)


def test_entries_without_numbers_are_in_the_order_of_the_texts():
    found = read_reply(reply([1, 0], [0, 2], numbered=False), 2)

    assert found.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b'{"data": null}',
        b'{"data": [null]}',
        b'{"data": [{"index": "first", "embedding": [1]}]}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"embedding": {"a": 1}}]}',
        b'{"data": [{"embedding": [[1], [1, 2]]}]}',
        b'{"data": [{"embedding": ["one"]}]}',
        b'{"data": [{"embedding": 1}]}',
        b'{"data": [{"embedding": "\\u00e9"}]}',
        b"\xff\xfe",
        pytest.param(b"[" * 100_000, id="deep"),
    ],
)
def test_any_other_reply_is_refused(content: bytes):
    with pytest.raises(ModelError, match="broken_reply"):
        read_reply(content, 1)


def test_a_reply_that_is_too_large_is_refused():
    with pytest.raises(ModelError, match=r"larger than 1\.5 MB"):
        read_reply(b" " * 3_000_000, 2)
