"""Searching among vectors is exact, however it is shortened."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from custom_components.sage.embeddings.blas_threads import ONE_THREAD
from custom_components.sage.memory import vectors
from custom_components.sage.memory.vectors import Bonus, VectorIndex

DIMENSIONS = 384


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    with ONE_THREAD.hold():
        yield


def like_speech(count: int, seed: int = 1, *, falling: float = 40.0) -> np.ndarray:
    """Return vectors that differ much in few directions and little in many, as those of texts."""
    rng = np.random.default_rng(seed)
    shares = np.exp(-np.arange(DIMENSIONS) / falling)
    rows = rng.standard_normal((count, DIMENSIONS), np.float32) * np.sqrt(shares, dtype=np.float32)
    rows = rows @ turned()
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@cache
def turned() -> np.ndarray:
    """Return directions that are those of no single number."""
    directions = np.random.default_rng(0).standard_normal((DIMENSIONS, DIMENSIONS))
    return np.linalg.qr(directions)[0].astype(np.float32)


def alike_everywhere(count: int, seed: int = 1) -> np.ndarray:
    return like_speech(count, seed, falling=1e9)


def expected(rows: np.ndarray, ids: np.ndarray, query: np.ndarray, count: int) -> list[int]:
    return ids[np.argsort(-(rows @ query), kind="stable")[:count]].tolist()


def found(index: VectorIndex, query: np.ndarray, count: int = 5) -> list[int]:
    return [memory_id for memory_id, _ in index.top(query, count)]


def filled(rows: np.ndarray, ids: np.ndarray | None = None) -> VectorIndex:
    index = VectorIndex(rows.shape[1])
    index.append(np.arange(len(rows)) if ids is None else ids, rows)
    index.screen()
    return index


@pytest.mark.parametrize("make", [like_speech, alike_everywhere])
@pytest.mark.parametrize("count", [3, 4096, 4097, 20_000])
def test_the_best_are_those_of_a_full_search(make, count: int):
    rows = make(count)
    index = filled(rows)

    for query in make(40, seed=2):
        best = index.top(query, 5)
        ids = [memory_id for memory_id, _ in best]
        assert ids == expected(rows, np.arange(count), query, 5)
        assert [score for _, score in best] == pytest.approx(rows[ids] @ query, abs=1e-6)


def test_few_vectors_are_compared_whole_when_they_are_like_speech(monkeypatch):
    rows = like_speech(20_000)
    index = filled(rows)
    compared = []
    exact = VectorIndex._exact

    def counting(index, rows, query, gains):
        compared.append(len(index) if rows is None else len(rows))
        return exact(index, rows, query, gains)

    monkeypatch.setattr(VectorIndex, "_exact", counting)
    for query in rows[:50]:
        index.top(query, 5)

    assert sum(compared) / 50 < 400


def test_adding_replacing_and_removing_keep_the_search_exact():
    rng = np.random.default_rng(3)
    pool = like_speech(30_000)
    index = filled(pool[:9000])
    held = dict(enumerate(pool[:9000]))
    following = 9000

    def check() -> None:
        ids = np.array(list(held))
        rows = np.stack(list(held.values()))
        assert len(index) == len(held)
        for query in like_speech(5, seed=int(rng.integers(1000))):
            assert found(index, query) == expected(rows, ids, query, 5)

    for size in (1, 500, 4000, 8000):
        added = np.arange(following, following + size)
        index.add(added, pool[added])
        held |= zip(added.tolist(), pool[added], strict=True)
        following += size
        replaced = rng.choice(list(held), 20, replace=False)
        index.add(replaced, like_speech(20, seed=size))
        held |= zip(replaced.tolist(), like_speech(20, seed=size), strict=True)
        removed = rng.choice(list(held), len(held) // 4, replace=False)
        index.remove(np.append(removed, [10**6]))
        for memory_id in removed.tolist():
            del held[memory_id]
        check()

    index.remove(np.array(list(held)))
    assert len(index) == 0
    assert index.top(pool[0], 5) == []
    index.add(np.array([7]), pool[:1])
    assert found(index, pool[0]) == [7]


def test_adding_moves_nothing_that_is_there():
    index = filled(like_speech(12_000))
    blocks = index._blocks
    before = [block.vectors.ctypes.data for block in blocks]

    index.add(np.arange(12_000, 13_000), like_speech(1000, seed=5))

    assert [block.vectors.ctypes.data for block in blocks][: len(before)] == before
    assert len(blocks) == 4


@pytest.mark.parametrize("count", [500, 20_000])
def test_a_bonus_counts_as_much_as_the_cosine(count: int):
    rng = np.random.default_rng(4)
    rows = like_speech(count)
    index = filled(rows)
    gaining = rng.choice(count, count // 3, replace=False)
    scores = rng.uniform(0, 0.7, len(gaining)).astype(np.float32)
    bonus = Bonus(ids=np.append(gaining, 10**6), scores=np.append(scores, np.float32(9)))

    for query in like_speech(20, seed=6):
        total = rows @ query
        total[gaining] += scores
        best = index.top(query, 5, bonus)
        assert [memory_id for memory_id, _ in best] == np.argsort(-total)[:5].tolist()
        assert [score for _, score in best] == pytest.approx(np.sort(total)[:-6:-1], abs=1e-6)


def test_of_equal_ones_the_newer_is_better():
    row = like_speech(1)
    index = filled(np.repeat(row, 10_000, axis=0))

    assert found(index, row[0], 3) == [9999, 9998, 9997]
    assert index.top(row[0], 0) == []


def test_more_than_there_are_can_be_asked_for():
    rows = like_speech(3)

    assert sorted(found(filled(rows), rows[0], 100)) == [0, 1, 2]


def test_the_memory_it_takes_is_told():
    small, large = filled(like_speech(100)), filled(like_speech(20_000))
    alike = filled(alike_everywhere(20_000))

    assert small.bytes_used < 100 * (384 * 4 + 60)
    assert 1.4 < large.bytes_used / (20_000 * 384 * 4) < 1.6
    assert 1.0 < alike.bytes_used / (20_000 * 384 * 4) < 1.05


def test_short_vectors_are_searched_without_heads(monkeypatch):
    monkeypatch.setattr(vectors, "SCREENED_FROM", 10)
    rows = like_speech(100)[:, :32].copy()
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)

    assert found(filled(rows), rows[3], 1) == [3]
