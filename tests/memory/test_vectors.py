"""Searching among vectors is exact, whatever was added and removed."""

import numpy as np
import pytest

from custom_components.sage.memory.vectors import WORD_WEIGHT, VectorIndex, ranked
from custom_components.sage.text.search import Matches

DIMENSIONS = 64


def rows_of(count: int, seed: int = 1) -> np.ndarray:
    """Return vectors of length 1, shape (count, DIMENSIONS)."""
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSIONS), np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def matches_of(gains: dict[int, float]) -> Matches:
    ids = np.array(list(gains), np.int64)
    scores = np.array(list(gains.values()), np.float32) / np.float32(WORD_WEIGHT)
    return Matches(ids=ids, scores=scores)


def top(
    index: VectorIndex, query: np.ndarray, count: int = 5, gains: dict[int, float] | None = None
) -> list[tuple[int, float]]:
    return ranked(*index.scores(query, matches_of(gains or {})), count)


def filled(rows: np.ndarray) -> VectorIndex:
    index = VectorIndex(rows.shape[1])
    index.add(np.arange(len(rows)), rows)
    return index


@pytest.mark.parametrize("count", [3, 5, 6, 20_000])
def test_the_best_are_those_of_all_cosines(count: int):
    rows = rows_of(count)
    index = filled(rows)

    for query in rows_of(20, seed=2):
        best = top(index, query)
        assert [memory_id for memory_id, _ in best] == np.argsort(-(rows @ query))[:5].tolist()
        assert [score for _, score in best] == pytest.approx(
            np.sort(rows @ query)[:-6:-1], abs=1e-6
        )


def test_adding_replacing_and_removing_keep_the_search_exact():
    rng = np.random.default_rng(3)
    pool = rows_of(30_000)
    index = VectorIndex(DIMENSIONS, 9000)
    index.add(np.arange(9000), pool[:9000])
    held = dict(enumerate(pool[:9000]))
    following = 9000

    def check() -> None:
        ids = np.array(list(held))
        rows = np.stack(list(held.values()))
        assert len(index) == len(held)
        for query in rows_of(5, seed=int(rng.integers(1000))):
            found = [memory_id for memory_id, _ in top(index, query)]
            assert found == ids[np.argsort(-(rows @ query))[:5]].tolist()

    for size in (1, 500, 4000, 8000):
        added = np.arange(following, following + size)
        index.add(added, pool[added])
        held |= zip(added.tolist(), pool[added], strict=True)
        following += size
        replaced = rng.choice(list(held), 20, replace=False)
        index.add(replaced, rows_of(20, seed=size))
        held |= zip(replaced.tolist(), rows_of(20, seed=size), strict=True)
        removed = rng.choice(list(held), len(held) // 4, replace=False)
        index.remove(np.append(removed, [10**6]))
        for memory_id in removed.tolist():
            del held[memory_id]
        check()

    index.remove(np.array(list(held)))
    assert len(index) == 0
    assert top(index, pool[0]) == []
    index.add(np.array([7]), pool[:1])
    assert [memory_id for memory_id, _ in top(index, pool[0])] == [7]


@pytest.mark.parametrize("count", [500, 20_000])
def test_words_count_as_much_as_the_cosine(count: int):
    rng = np.random.default_rng(4)
    rows = rows_of(count)
    index = filled(rows)
    gaining = rng.choice(count, count // 3, replace=False)
    gains = rng.uniform(0, 0.7, len(gaining)).astype(np.float32)
    # One of them has no vector.
    given = dict(zip(gaining.tolist(), gains.tolist(), strict=True)) | {10**6: 9.0}

    for query in rows_of(20, seed=6):
        total = rows @ query
        total[gaining] += gains
        best = top(index, query, 5, given)
        assert best[0][0] == 10**6
        assert best[0][1] == pytest.approx(9.0)
        assert [memory_id for memory_id, _ in best[1:]] == np.argsort(-total)[:4].tolist()
        assert [score for _, score in best[1:]] == pytest.approx(np.sort(total)[:-5:-1], abs=1e-6)


def test_of_equal_ones_the_newer_is_better():
    index = filled(np.repeat(rows_of(1), 10_000, axis=0))

    best = top(index, rows_of(1)[0], 3)

    assert [memory_id for memory_id, _ in best] == [9999, 9998, 9997]


def test_more_than_there_are_can_be_asked_for():
    rows = rows_of(3)

    assert sorted(memory_id for memory_id, _ in top(filled(rows), rows[0], 100)) == [0, 1, 2]


def test_the_memory_it_takes_is_hardly_more_than_that_of_the_vectors():
    assert filled(rows_of(100)).bytes_used < 100 * (DIMENSIONS * 4 + 60)
    assert 1.0 < filled(rows_of(20_000)).bytes_used / (20_000 * DIMENSIONS * 4) < 1.1
