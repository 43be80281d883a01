"""Exact vector search for one person in RAM: the cosine of a question and every memory."""

from typing import Final

import numpy as np
import numpy.typing as npt

from ..embeddings.embedder import Vectors
from ..text.search import Matches

type Ids = npt.NDArray[np.int64]
type Scores = npt.NDArray[np.float32]

WORD_WEIGHT: Final = 0.7
"""Maximum gain of matching words, added to a cosine of at most 1."""

_SPARE: Final = 1024
"""Minimum number of rows added when the matrix is full."""


class VectorIndex:
    """The vectors of one model by memory id; not thread-safe."""

    def __init__(self, dimensions: int, room: int = 0) -> None:
        """Reserve `room` rows; unused rows take no RAM."""
        self.dimensions: Final = dimensions
        self._vectors = np.empty((room, dimensions), np.float32)
        self._ids = np.empty(room, np.int64)
        self._count = 0
        self._row_of = np.full(0, -1, np.int32)
        """Memory id -> row; -1 without a vector."""

    def __len__(self) -> int:
        return self._count

    @property
    def bytes_used(self) -> int:
        """RAM of the vectors in bytes, without reserved rows."""
        return self._count * (4 * self.dimensions + 8) + self._row_of.nbytes

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Add vectors; a vector of a known id is replaced.

        `ids` has shape (vectors,); ids are unique and not negative.
        """
        self.remove(ids)
        start, end = self._count, self._count + len(ids)
        self._reserve(end, int(ids.max(initial=-1)))
        self._vectors[start:end] = vectors
        self._ids[start:end] = ids
        self._row_of[ids] = np.arange(start, end)
        self._count = end

    def remove(self, ids: Ids) -> None:
        """Remove vectors; unknown ids are ignored."""
        for memory_id in set(ids[self._rows(ids) >= 0].tolist()):
            # The last row fills the gap.
            row, last = int(self._row_of[memory_id]), self._count - 1
            self._vectors[row], self._ids[row] = self._vectors[last], self._ids[last]
            self._row_of[self._ids[row]] = row
            self._row_of[memory_id] = -1
            self._count = last

    def scores(self, query: Scores, matches: Matches) -> tuple[Ids, Scores]:
        """Return all ids with their scores: the cosine plus the gain of matching words.

        `query` has shape (dimensions,) and length 1. Matches without a vector get their gain alone.
        """
        # `@` would use several threads and more CPU time.
        scores = np.vecdot(self._vectors[: self._count], query)
        rows, gains = self._rows(matches.ids), gains_of(matches)
        held = rows >= 0
        scores[rows[held]] += gains[held]
        ids = np.concatenate((self._ids[: self._count], matches.ids[~held]))
        return ids, np.concatenate((scores, gains[~held]))

    def _rows(self, ids: Ids) -> npt.NDArray[np.int32]:
        """Return the row of each id; -1 if it has no vector."""
        rows = np.full(len(ids), -1, np.int32)
        known = ids < len(self._row_of)
        rows[known] = self._row_of[ids[known]]
        return rows

    def _reserve(self, rows: int, highest: int) -> None:
        """Make room for `rows` rows and for ids up to `highest`."""
        if rows > len(self._ids):
            room = rows + max(_SPARE, rows // 8)
            self._vectors = _enlarged(self._vectors, np.empty((room, self.dimensions), np.float32))
            self._ids = _enlarged(self._ids, np.empty(room, np.int64))
        if highest >= len(self._row_of):
            room = max(_SPARE, 2 * highest)
            self._row_of = _enlarged(self._row_of, np.full(room, -1, np.int32))


def gains_of(matches: Matches) -> Scores:
    """Return the score that each match of words adds to the cosine, shape (matches,)."""
    return np.float32(WORD_WEIGHT) * matches.scores


def ranked(ids: Ids, scores: Scores, count: int) -> list[tuple[int, float]]:
    """Return the best `count` ids with scores, best first; on a tie the newer id first."""
    if 0 < count < len(scores):
        is_best = scores >= scores[np.argpartition(scores, -count)[-count]]
        ids, scores = ids[is_best], scores[is_best]
    order = np.lexsort((-ids, -scores))[:count]
    return list(zip(ids[order].tolist(), scores[order].tolist(), strict=True))


def _enlarged[A: npt.NDArray[np.generic]](old: A, new: A) -> A:
    """Copy `old` to the start of `new`; return `new`."""
    new[: len(old)] = old
    return new
