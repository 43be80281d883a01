"""Word pieces, held against those of the original tokenizer."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from custom_components.sage.embeddings.minilm import MODEL_FILE, read_tensors
from custom_components.sage.embeddings.word_pieces import WordPieces, words
from scripts.embedding_model.sentences import sentences

REFERENCE = Path(__file__).parent / "data" / "word_pieces.json"


@pytest.fixture(scope="module")
def pieces() -> WordPieces:
    vocabulary = read_tensors(MODEL_FILE)[0]["vocabulary"]
    return WordPieces(vocabulary.tobytes().decode().split("\n"))


def reference() -> list[tuple[str, list[int]]]:
    return [(text, ids) for text, ids in json.loads(REFERENCE.read_text(encoding="utf-8"))]


def test_a_thousand_sentences_in_many_scripts_are_split_as_the_original_splits_them(pieces):
    compared = reference()

    assert len(compared) >= 1000
    for text, ids in compared:
        assert pieces.encode(text, limit=256) == ids, ascii(text)


def test_the_reference_is_that_of_the_sentences_that_the_script_makes():
    assert [text for text, _ in reference()] == sentences()


def test_the_sentences_reach_every_script_and_the_limit():
    texts = "".join(text for text, _ in reference())

    for character in "éßœЖΣمשकกฟ灯ガ한😀٣\u200b\x00\u3000\t":
        assert character in texts, ascii(character)
    assert max(len(ids) for _, ids in reference()) == 256


def test_several_threads_split_at_the_same_time(pieces):
    compared = reference()[:300]
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            found = pool.map(lambda pair: pieces.encode(pair[0], limit=256), compared * 4)
            assert list(found) == [ids for _, ids in compared] * 4
    finally:
        sys.setswitchinterval(switch)


def test_words_have_neither_case_nor_accents_nor_punctuation():
    assert words("Élodie's CAFÉ,\tnaïve—ΣΊΣΥΦΟΣ 灯a") == [
        *("elodie", "'", "s", "cafe", ",", "naive", "—", "σισυφοσ", "灯", "a")
    ]


def test_a_word_without_any_known_piece_is_unknown():
    found = WordPieces(["[UNK]", "[CLS]", "[SEP]", "la", "##mp", "##m"])

    assert found.encode("lamp lama lam", limit=9) == [1, 3, 4, 0, 3, 5, 2]
    assert found.encode("la" * 60, limit=9) == [1, 0, 2]
    assert found.encode("la la la la", limit=4) == [1, 3, 3, 2]
