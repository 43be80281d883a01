"""Exact search among the vectors of one person, in memory.

All vectors stay as they came, in blocks that are filled one after the other, so that adding
copies nothing. From some thousands on, each also has a head: its share along the few directions
in which the vectors differ most (principal components). By Cauchy and Schwarz the rest of a
cosine is at most the product of the lengths of the two rests. So heads tell which vectors cannot
be among the best, and the few others are compared whole: the result is that of a full search.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ..embeddings.embedder import Vectors

type Ids = npt.NDArray[np.int64]
type Scores = npt.NDArray[np.float32]
type Rows = npt.NDArray[np.intp]

HEAD: Final = 64
"""Numbers of a head: 25 MB for 100,000 vectors, read whole for each search."""

SCREENED_FROM: Final = 8192
"""Up to so many vectors a full search is as quick."""

BLOCK_ROWS: Final = 4096
_SAMPLE: Final = 4096
"""Vectors from which the directions of the heads are made."""

_SLACK: Final = np.float32(1e-4)
"""What rounding may add to a cosine, and much more."""


class Block:
    """Room for so many vectors, their heads and the lengths of their rests."""

    def __init__(self, dimensions: int) -> None:
        """Take no memory yet: it comes with the rows."""
        self.vectors = np.empty((BLOCK_ROWS, dimensions), np.float32)
        self.heads = np.empty((BLOCK_ROWS, min(HEAD, dimensions)), np.float32)
        self.rests = np.empty(BLOCK_ROWS, np.float32)
        self.ids = np.empty(BLOCK_ROWS, np.int64)

    def screen(self, rows: slice, basis: Vectors) -> None:
        """Make the heads and rests of rows."""
        vectors = self.vectors[rows]
        heads = self.heads[rows]
        np.dot(vectors, basis, out=heads)
        lengths = np.einsum("ij,ij->i", vectors, vectors) - np.einsum("ij,ij->i", heads, heads)
        self.rests[rows] = np.sqrt(np.maximum(lengths, 0))

    def move(self, row: int, target: Block, target_row: int) -> None:
        """Copy a row over another."""
        target.vectors[target_row] = self.vectors[row]
        target.heads[target_row] = self.heads[row]
        target.rests[target_row] = self.rests[row]
        target.ids[target_row] = self.ids[row]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """What some memories gain beside the cosine."""

    ids: Ids
    """Shape (memories,), each once; those without a vector are passed over."""

    scores: Scores
    """Shape (memories,), never negative."""


class VectorIndex:
    """The vectors of one model by the ids of their memories; one thread at a time."""

    def __init__(self, dimensions: int) -> None:
        """Hold no vectors yet."""
        self.dimensions: Final = dimensions
        self._blocks: list[Block] = []
        self._count = 0
        self._row_of = np.full(0, -1, np.int32)
        self._basis: Vectors | None = None
        self._screened = 0

    def __len__(self) -> int:
        return self._count

    @property
    def bytes_used(self) -> int:
        """Memory that the vectors and their heads take, without room for more."""
        head = min(HEAD, self.dimensions) + 1
        return self._count * (4 * (self.dimensions + head) + 8) + self._row_of.nbytes

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Hold vectors; one of an id that is held already is replaced.

        `ids` has shape (vectors,), each id once and not negative.
        """
        self.remove(ids)
        start = self._count
        self.append(ids, vectors)
        if self._basis is not None and self._count <= 2 * self._screened:
            self._screen(start, self._basis)
        else:
            self.screen()

    def append(self, ids: Ids, vectors: Vectors) -> None:
        """Hold many vectors, of ids that are not held; `screen` has to follow, once."""
        self._make_room(int(ids.max(initial=-1)))
        done = 0
        while done < len(ids):
            if self._count == len(self._blocks) * BLOCK_ROWS:
                self._blocks.append(Block(self.dimensions))
            block = self._blocks[-1]
            row = self._count % BLOCK_ROWS
            part = slice(done, done + BLOCK_ROWS - row)
            size = len(ids[part])
            block.vectors[row : row + size] = vectors[part]
            block.ids[row : row + size] = ids[part]
            self._row_of[ids[part]] = np.arange(self._count, self._count + size)
            self._count += size
            done += size

    def screen(self) -> None:
        """Make heads for all, if there are enough vectors for that to pay."""
        if self._count <= SCREENED_FROM:
            return
        step = self._count // _SAMPLE
        sample = np.concatenate([block.vectors[:size:step] for _, block, size in self._parts()])
        _, directions = np.linalg.eigh(sample.T @ sample)
        self._basis = np.ascontiguousarray(directions[:, -HEAD:], np.float32)
        self._screened = self._count
        self._screen(0, self._basis)

    def remove(self, ids: Ids) -> None:
        """Let go of vectors; ids that are not held are passed over."""
        known = ids[ids < len(self._row_of)]
        for memory_id in known[self._row_of[known] >= 0].tolist():
            self._remove(memory_id)

    def top(self, query: Scores, count: int, bonus: Bonus | None = None) -> list[tuple[int, float]]:
        """Return ids and scores of the best vectors, best first; of equal ones the newer.

        `query` has shape (dimensions,) and length 1. The score is the cosine, plus the bonus.
        """
        if count <= 0 or not self._count:
            return []
        gains = self._gains(bonus)
        rows = self._candidates(query, min(count, self._count), gains)
        scores = self._exact(rows, query, gains)
        ids = self._ids(rows)
        order = np.lexsort((-ids, -scores))[:count]
        return list(zip(ids[order].tolist(), scores[order].tolist(), strict=True))

    def _candidates(self, query: Scores, count: int, gains: Scores | None) -> Rows:
        """Return rows, the best `count` among them."""
        if self._basis is None:
            return _best(self._exact(None, query, gains), count)
        reach = self._reach(query, self._basis, gains)
        probes = _best(reach, 4 * count)
        least = np.sort(self._exact(probes, query, gains))[-count]
        rows = np.flatnonzero(reach >= least)
        if len(rows) > self._count // 8:
            return _best(self._exact(None, query, gains), count)
        return rows

    def _reach(self, query: Scores, basis: Vectors, gains: Scores | None) -> Scores:
        """Return what the score of each row can be at most, going by the heads."""
        head = query @ basis
        rest = np.float32(np.sqrt(max(0.0, float(query @ query - head @ head))))
        reach = np.empty(self._count, np.float32)
        for start, block, size in self._parts():
            part = reach[start : start + size]
            np.dot(block.heads[:size], head, out=part)
            part += rest * block.rests[:size]
        reach += _SLACK
        return reach if gains is None else reach + gains

    def _exact(self, rows: Rows | None, query: Scores, gains: Scores | None) -> Scores:
        """Return the scores of rows, or of all."""
        if rows is None:
            scores = np.empty(self._count, np.float32)
            for start, block, size in self._parts():
                np.dot(block.vectors[:size], query, out=scores[start : start + size])
            return scores if gains is None else scores + gains
        scores = np.empty(len(rows), np.float32)
        numbers = rows // BLOCK_ROWS
        for number in np.unique(numbers).tolist():
            here = numbers == number
            scores[here] = self._blocks[number].vectors[rows[here] % BLOCK_ROWS] @ query
        return scores if gains is None else scores + gains[rows]

    def _gains(self, bonus: Bonus | None) -> Scores | None:
        """Return the bonus of each row."""
        if bonus is None:
            return None
        gains = np.zeros(self._count, np.float32)
        within = bonus.ids < len(self._row_of)
        rows = self._row_of[bonus.ids[within]]
        held = rows >= 0
        gains[rows[held]] = bonus.scores[within][held]
        return gains

    def _ids(self, rows: Rows) -> Ids:
        pairs = zip((rows // BLOCK_ROWS).tolist(), (rows % BLOCK_ROWS).tolist(), strict=True)
        return np.array([self._blocks[number].ids[row] for number, row in pairs], np.int64)

    def _parts(self) -> list[tuple[int, Block, int]]:
        """Return first row, block and rows in use of each block."""
        return [
            (start, block, min(BLOCK_ROWS, self._count - start))
            for start, block in zip(range(0, self._count, BLOCK_ROWS), self._blocks, strict=False)
        ]

    def _make_room(self, highest: int) -> None:
        """Make the table of rows long enough for an id."""
        if highest >= len(self._row_of):
            longer = np.full(max(1024, 2 * highest), -1, np.int32)
            longer[: len(self._row_of)] = self._row_of
            self._row_of = longer

    def _remove(self, memory_id: int) -> None:
        """Move the last row to where the removed one was."""
        row = int(self._row_of[memory_id])
        self._row_of[memory_id] = -1
        self._count -= 1
        last_block = self._blocks[self._count // BLOCK_ROWS]
        if row != self._count:
            last = self._count % BLOCK_ROWS
            last_block.move(last, self._blocks[row // BLOCK_ROWS], row % BLOCK_ROWS)
            self._row_of[last_block.ids[last]] = row
        if self._count % BLOCK_ROWS == 0:
            self._blocks.pop()

    def _screen(self, start: int, basis: Vectors) -> None:
        """Make the heads from the row `start` on."""
        for first, block, size in self._parts():
            if first + size > start:
                block.screen(slice(max(0, start - first), size), basis)


def _best(scores: Scores, count: int) -> Rows:
    """Return the rows of the best scores, ascending; all that are as good as the last of them."""
    if count >= len(scores):
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - count)[len(scores) - count]
    return np.flatnonzero(scores >= least)
