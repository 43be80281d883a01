"""Exact cosine search over one person's memory vectors, in RAM."""

from typing import Final

import numpy as np
import numpy.typing as npt

from ..embeddings.embedder import Vectors
from ..text.search import Matches

type Ids = npt.NDArray[np.int64]
type Scores = npt.NDArray[np.float32]

WORD_WEIGHT: Final = 0.7
"""Maximum bonus for matching words, added to the cosine similarity of a memory."""

_SPARE: Final = 1024
"""Minimum number of rows added when the matrix is full."""


class VectorIndex:
    """The vectors of one embedding model, by memory id; not thread-safe."""

    def __init__(self, dimensions: int, room: int = 0) -> None:
        """Reserve space for `room` vectors, each of length `dimensions`."""
        self.dimensions: Final = dimensions
        self._vectors = np.empty((room, dimensions), np.float32)
        self._ids = np.empty(room, np.int64)
        self._count = 0
        self._row_of = np.full(0, -1, np.int32)
        """Row number by memory id; -1 means that the memory has no vector."""

    def __len__(self) -> int:
        return self._count

    @property
    def bytes_used(self) -> int:
        """RAM used by the vectors in bytes, without reserved space."""
        return self._count * (4 * self.dimensions + 8) + self._row_of.nbytes

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Add vectors, replacing existing vectors with the same ids.

        `ids` has shape (n,), `vectors` has shape (n, dimensions). Ids are unique and not negative.
        """
        self.remove(ids)
        start, end = self._count, self._count + len(ids)
        self._reserve(end, int(ids.max(initial=-1)))
        self._vectors[start:end] = vectors
        self._ids[start:end] = ids
        self._row_of[ids] = np.arange(start, end)
        self._count = end

    def remove(self, ids: Ids) -> None:
        """Remove the vectors with these ids; unknown ids are ignored."""
        for memory_id in set(ids[self._rows(ids) >= 0].tolist()):
            # The last row fills the gap.
            row, last = int(self._row_of[memory_id]), self._count - 1
            self._vectors[row], self._ids[row] = self._vectors[last], self._ids[last]
            self._row_of[self._ids[row]] = row
            self._row_of[memory_id] = -1
            self._count = last

    def scores(self, query: Scores, matches: Matches) -> tuple[Ids, Scores]:
        """Return the ids of memories and their scores, as two arrays of the same length.

        A score is the cosine similarity to `query` (norm 1, shape (dimensions,)), plus a bonus for
        matching words (`matches`).
        """
        # `@` would use several threads and more CPU time.
        scores = np.vecdot(self._vectors[: self._count], query)
        rows, gains = self._rows(matches.ids), gains_of(matches)
        held = rows >= 0
        scores[rows[held]] += gains[held]
        ids = np.concatenate((self._ids[: self._count], matches.ids[~held]))
        return ids, np.concatenate((scores, gains[~held]))

    def _rows(self, ids: Ids) -> npt.NDArray[np.int32]:
        """Return the row number of each id; -1 if the id has no vector."""
        rows = np.full(len(ids), -1, np.int32)
        known = ids < len(self._row_of)
        rows[known] = self._row_of[ids[known]]
        return rows

    def _reserve(self, rows: int, highest: int) -> None:
        """Enlarge the arrays if necessary, for `rows` vectors and ids up to `highest`."""
        if rows > len(self._ids):
            room = rows + max(_SPARE, rows // 8)
            self._vectors = _enlarged(self._vectors, np.empty((room, self.dimensions), np.float32))
            self._ids = _enlarged(self._ids, np.empty(room, np.int64))
        if highest >= len(self._row_of):
            room = max(_SPARE, 2 * highest)
            self._row_of = _enlarged(self._row_of, np.full(room, -1, np.int32))


def gains_of(matches: Matches) -> Scores:
    """Return the score bonus (at most 0.7) of each match in the word search, shape (matches,)."""
    return np.float32(WORD_WEIGHT) * matches.scores


def ranked(ids: Ids, scores: Scores, count: int) -> list[tuple[int, float]]:
    """Return the best `count` (id, score) pairs, best first; for equal scores, newer ids first."""
    if 0 < count < len(scores):
        is_best = scores >= scores[np.argpartition(scores, -count)[-count]]
        ids, scores = ids[is_best], scores[is_best]
    order = np.lexsort((-ids, -scores))[:count]
    return list(zip(ids[order].tolist(), scores[order].tolist(), strict=True))


def _enlarged[A: npt.NDArray[np.generic]](old: A, new: A) -> A:
    """Copy `old` into the start of `new`, and return `new`."""
    new[: len(old)] = old
    return new
