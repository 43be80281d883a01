"""Exact search among the vectors of one person, in memory.

All vectors stay as they came, in blocks that are filled one after the other, so that adding
copies nothing. From some thousands on, each also has a head: its share along the directions in
which the vectors differ most (principal components). By Cauchy and Schwarz the rest of a cosine
is at most the product of the lengths of the two rests. So heads tell which vectors cannot be
among the best, and only the few others are compared whole: the result is that of a full search,
for a quarter of its time. Where the vectors differ in all directions alike there are no heads,
and every search is a full one.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ..embeddings.embedder import Vectors

type Ids = npt.NDArray[np.int64]
type Scores = npt.NDArray[np.float32]
type Rows = npt.NDArray[np.intp]

_PARTS: Final = (slice(0, 96), slice(96, 192))
"""Which numbers of a head are compared first, and which for those that are left then."""

_LENGTHS: Final = tuple(part.stop - part.start for part in _PARTS)
HEAD: Final = sum(_LENGTHS)

SCREENED_FROM: Final = 8192
"""Up to so many vectors a full search is as quick."""

_SHORTEST: Final = 2 * HEAD
"""Heads of shorter vectors would save too little."""

_LEAST_SHARE: Final = 0.8
"""What heads have to hold of the squares of all numbers, to be worth having."""

BLOCK_ROWS: Final = 4096
_SAMPLE: Final = 4096
"""Vectors from which the directions of the heads are made."""

_SLACK: Final = np.float32(1e-4)
"""More than rounding can add to a cosine."""

_SQUARE_SLACK: Final = 1e-6
"""More than rounding can take from the square of the length of a rest."""


class Block:
    """Room for so many vectors, their heads and the lengths of their rests."""

    def __init__(self, dimensions: int) -> None:
        """Take hardly any memory yet: it comes with the rows."""
        self.vectors = np.empty((BLOCK_ROWS, dimensions), np.float32)
        self.heads = tuple(np.empty((BLOCK_ROWS, length), np.float32) for length in _LENGTHS)
        self.rests = np.empty((len(_PARTS), BLOCK_ROWS), np.float32)
        self.ids = np.empty(BLOCK_ROWS, np.int64)

    def screen(self, rows: slice, basis: Vectors) -> None:
        """Make the heads and rests of rows."""
        vectors = self.vectors[rows]
        left = np.einsum("ij,ij->i", vectors, vectors)
        for level, part in enumerate(_PARTS):
            heads = self.heads[level][rows]
            np.dot(vectors, basis[:, part], out=heads)
            left -= np.einsum("ij,ij->i", heads, heads)
            self.rests[level, rows] = np.sqrt(np.maximum(left, 0) + _SQUARE_SLACK)

    def move(self, row: int, target: Block, target_row: int) -> None:
        """Copy a row over another."""
        target.vectors[target_row] = self.vectors[row]
        for level, heads in enumerate(self.heads):
            target.heads[level][target_row] = heads[row]
        target.rests[:, target_row] = self.rests[:, row]
        target.ids[target_row] = self.ids[row]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """What some memories gain beside the cosine."""

    ids: Ids
    """Shape (memories,), each once."""

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
        head = 0 if self._basis is None else HEAD + len(_PARTS)
        return self._count * (4 * (self.dimensions + head) + 8) + self._row_of.nbytes

    def add(self, ids: Ids, vectors: Vectors) -> None:
        """Hold vectors; one of an id that is held already is replaced.

        `ids` has shape (vectors,), each id once and not negative.
        """
        self.remove(ids)
        start = self._count
        self.append(ids, vectors)
        if self._count > 2 * self._screened:
            self.screen()
        elif self._basis is not None:
            self._screen(start, self._basis)

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
        if self._count <= SCREENED_FROM or self.dimensions < _SHORTEST:
            return
        step = self._count // _SAMPLE
        sample = np.concatenate([block.vectors[:size:step] for _, block, size in self._parts()])
        shares, directions = np.linalg.eigh(sample.T @ sample)
        self._screened = self._count
        self._basis = None
        if shares[-HEAD:].sum() >= _LEAST_SHARE * shares.sum():
            self._basis = np.ascontiguousarray(directions[:, : -HEAD - 1 : -1], np.float32)
            self._screen(0, self._basis)

    def remove(self, ids: Ids) -> None:
        """Let go of vectors; ids that are not held are passed over."""
        for memory_id in ids[self.holds(ids)].tolist():
            self._remove(memory_id)

    def holds(self, ids: Ids) -> npt.NDArray[np.bool]:
        """Tell which ids have a vector, shape (ids,)."""
        held = ids < len(self._row_of)
        held[held] = self._row_of[ids[held]] >= 0
        return held

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
        if self._basis is not None:
            rows = self._screened_rows(query, count, gains, query @ self._basis)
            if len(rows) <= self._count // 8:
                return rows
        return _best(self._exact(None, query, gains), count)

    def _screened_rows(self, query: Scores, count: int, gains: Scores | None, head: Scores) -> Rows:
        """Return the rows that may be among the best `count`, going by the heads."""
        first, second = (_rest(query, head[: part.stop]) for part in _PARTS)
        partial = np.empty(self._count, np.float32)
        rests = np.empty(self._count, np.float32)
        for start, block, size in self._parts():
            here = slice(start, start + size)
            np.dot(block.heads[0][:size], head[_PARTS[0]], out=partial[here])
            np.multiply(block.rests[0, :size], first, out=rests[here])
        if gains is not None:
            partial += gains
        likely = _best(partial, 4 * count)
        least = np.sort(self._exact(likely, query, gains))[-count] - _SLACK
        rows = np.flatnonzero(partial + rests >= least)
        if len(rows) > self._count // 2:
            return rows
        reach = partial[rows]
        for number, here, within in self._by_block(rows):
            block = self._blocks[number]
            reach[here] += block.heads[1][within] @ head[_PARTS[1]]
            reach[here] += block.rests[1, within] * second
        return np.compress(reach >= least, rows)

    def _exact(self, rows: Rows | None, query: Scores, gains: Scores | None) -> Scores:
        """Return the scores of ascending rows, or of all."""
        if rows is None:
            scores = np.empty(self._count, np.float32)
            for start, block, size in self._parts():
                np.dot(block.vectors[:size], query, out=scores[start : start + size])
            return scores if gains is None else scores + gains
        scores = np.empty(len(rows), np.float32)
        for number, here, within in self._by_block(rows):
            scores[here] = self._blocks[number].vectors[within] @ query
        return scores if gains is None else scores + gains[rows]

    def _by_block(self, rows: Rows) -> Iterator[tuple[int, slice, Rows]]:
        """Yield for ascending rows: number of a block, which rows are in it, and where."""
        numbers = rows // BLOCK_ROWS
        ends = np.searchsorted(numbers, np.arange(len(self._blocks)), side="right").tolist()
        for number, (start, end) in enumerate(itertools.pairwise((0, *ends))):
            if start < end:
                yield number, slice(start, end), rows[start:end] - number * BLOCK_ROWS

    def _gains(self, bonus: Bonus | None) -> Scores | None:
        """Return the bonus of each row."""
        if bonus is None or not len(bonus.ids):
            return None
        held = self.holds(bonus.ids)
        gains = np.zeros(self._count, np.float32)
        gains[self._row_of[bonus.ids[held]]] = bonus.scores[held]
        return gains

    def _ids(self, rows: Rows) -> Ids:
        ids = np.empty(len(rows), np.int64)
        for number, here, within in self._by_block(rows):
            ids[here] = self._blocks[number].ids[within]
        return ids

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


def _rest(query: Scores, head: Scores) -> np.float32:
    """Return the length of what `head` leaves of a query."""
    return np.float32(np.sqrt(max(float(query @ query - head @ head), 0.0) + _SQUARE_SLACK))


def _best(scores: Scores, count: int) -> Rows:
    """Return the rows of the best scores, ascending; all that are as good as the last of them."""
    if count >= len(scores):
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - count)[len(scores) - count]
    return np.flatnonzero(scores >= least)
