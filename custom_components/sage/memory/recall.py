"""Search a person's memories by embedding vector and by words: exact cosine search in RAM."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from ..embeddings.embedder import Vectors, cosines, from_blobs, to_blob
from ..storage.database import Database
from ..text.search import Matches, TextIndex
from ..text.words import key
from .memory_tables import COLUMNS, json_list, memory_of
from .memory_types import Memory, Origin

type Ids = npt.NDArray[np.int64]

WORD_WEIGHT: Final = 0.7
"""Maximum bonus for matching words, added to the cosine similarity of a memory."""

_BATCH: Final = 512
"""Number of vectors per read; one batch fits into the processor cache."""

_EXTRA: Final = 3
"""Number of extra candidates, because memories with the same words count as one result."""

_ALL: Final = f"SELECT {COLUMNS} FROM memories"  # noqa: S608
_GET: Final = f"{_ALL} WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608
_ADD: Final = """
INSERT INTO vectors (memory, model, vector)
SELECT id, ?, ? FROM memories WHERE id = ? AND text = ? AND question IS ?
ON CONFLICT (memory, model) DO UPDATE SET vector = excluded.vector
RETURNING memory
"""
_MISSING: Final = f"""
{_ALL} WHERE id < ? AND NOT EXISTS (
    SELECT 1 FROM vectors JOIN models ON models.id = model
    WHERE memory = memories.id AND name = ?
)
ORDER BY id DESC LIMIT ?
"""  # noqa: S608
_MODEL: Final = "SELECT id, dimensions FROM models WHERE name = ?"

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

    def scores(self, query: Vectors, matches: Matches) -> tuple[Ids, Vectors]:
        """Return the ids of memories and their scores, as two arrays of the same length.

        A score is the cosine similarity to `query` (norm 1, shape (dimensions,)), plus a bonus for
        matching words (`matches`).
        """
        scores = cosines(self._vectors[: self._count], query)
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


class RecallIndex:
    """The search index of one person's memories: vectors, and a text index for words.

    The first search loads the index into RAM.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._vectors: VectorIndex | None = None
        self._model = ""
        """The embedding model of `_vectors`."""

        self._words: TextIndex | None = None

    def best(
        self,
        vector: Vectors | None,
        model_id: str,
        k: int = 5,
        *,
        question: str = "",
        requests: bool = False,
    ) -> tuple[Memory, ...]:
        """Return the `k` memories that best match a question, best first, with their scores.

        - `vector`: embedding of `question` by the model `model_id`; norm 1, shape (dimensions,).
          Memories without a vector of this model are found by their words only.
        - `requests`: whether to include requests such as "turn on the light"
        """
        matches = self._loaded_words().score(question)
        index = None if vector is None else self.load_vectors(model_id)
        if vector is None or index is None or vector.shape != (index.dimensions,):
            ids, scores = matches.ids, gains_of(matches)
        else:
            ids, scores = index.scores(vector, matches)
        wanted = k + _EXTRA
        while True:
            found = self._folded(ranked(ids, scores, wanted), requests=requests)
            if len(found) >= k or wanted >= len(ids):
                return found[:k]
            wanted *= 4

    @property
    def vector_bytes(self) -> int:
        """RAM used by the loaded vectors, in bytes."""
        return 0 if self._vectors is None else self._vectors.bytes_used

    def vector_counts(self) -> dict[str, int]:
        """Return the number of stored vectors of each embedding model, by model id."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT name, (SELECT count(*) FROM vectors WHERE model = models.id) FROM models"
            )
            return dict(rows.fetchall())

    def missing_vectors(
        self, model_id: str, limit: int, *, below: int | None = None
    ) -> tuple[Memory, ...]:
        """Return up to `limit` memories that have no vector of this model, newest first.

        `below` restricts the result to memories with a lower id.
        """
        highest = 2**63 - 1 if below is None else below
        with self._database.reading() as connection:
            rows = connection.execute(_MISSING, (highest, model_id, limit))
            return tuple(map(memory_of, rows))

    def set_vectors(self, model_id: str, memories: Sequence[Memory], vectors: Vectors) -> None:
        """Store one vector per memory, except for memories that were deleted or corrected.

        If the stored vectors of the model have other dimensions, deletes them. Raises ValueError
        unless `vectors` is finite and has one row per memory.
        """
        rows = np.asarray(vectors, np.float32)
        if rows.shape[:1] != (len(memories),) or rows.ndim != 2 or not np.isfinite(rows).all():
            raise ValueError("Each memory needs one row of numbers.")
        stored: list[int] = []
        with self._database.writing() as connection:
            number = self._number_of(model_id, rows.shape[1])
            for index, (memory, row) in enumerate(zip(memories, rows, strict=True)):
                values = (number, to_blob(row), memory.id, memory.text, memory.question)
                if connection.execute(_ADD, values).fetchall():
                    stored.append(index)
        if self._vectors is not None and self._model == model_id:
            ids = np.array([memories[index].id for index in stored], np.int64)
            self._vectors.add(ids, rows[stored])

    def keep_vectors(self, model_id: str) -> None:
        """Delete all vectors except those of one model."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM models WHERE name != ?", (model_id,))
        if self._model != model_id:
            self._vectors = None

    def load_vectors(self, model_id: str) -> VectorIndex | None:
        """Return the vectors of a model, loaded into RAM; None if the file has none."""
        if self._vectors is None or self._model != model_id:
            with self._database.reading() as connection:
                row = connection.execute(_MODEL, (model_id,)).fetchone()
                if row is None:
                    return None
                self._vectors, self._model = self._read(*row), model_id
        return self._vectors

    def unload(self) -> None:
        """Free the RAM of the vectors and the text index; the next search loads them again."""
        self._vectors = None
        self._words = None

    def add(self, memory: Memory) -> None:
        """Add a new or corrected memory to the text index, if the index is loaded."""
        if self._words is not None:
            self._words.add(memory.id, memory.embedded)

    def remove(self, ids: Collection[int]) -> None:
        """Remove memories by id from the loaded vectors and the loaded text index."""
        if self._vectors is not None:
            self._vectors.remove(np.array(list(ids), np.int64))
        if self._words is not None:
            for memory_id in ids:
                self._words.remove(memory_id)

    def _loaded_words(self) -> TextIndex:
        if self._words is None:
            with self._database.reading() as connection:
                memories = map(memory_of, connection.execute(_ALL))
                self._words = TextIndex((each.id, each.embedded) for each in memories)
        return self._words

    def _read(self, number: int, dimensions: int) -> VectorIndex:
        connection = self._database.connection
        (count,) = connection.execute(
            "SELECT count(*) FROM vectors WHERE model = ?", (number,)
        ).fetchone()
        index = VectorIndex(dimensions, count)
        rows = connection.execute(
            "SELECT memory, vector FROM vectors NOT INDEXED WHERE model = ?", (number,)
        )
        while batch := rows.fetchmany(_BATCH):
            ids = np.array([memory for memory, _ in batch], np.int64)
            index.add(ids, from_blobs([vector for _, vector in batch]))
        return index

    def _number_of(self, model_id: str, dimensions: int) -> int:
        """Return the number of a model in the file; delete its vectors of other dimensions."""
        connection = self._database.connection
        row = connection.execute(_MODEL, (model_id,)).fetchone()
        if row is not None:
            number: int = row[0]
            if row[1] == dimensions:
                return number
            connection.execute("DELETE FROM models WHERE id = ?", (number,))
            self._vectors = None
        added = connection.execute(
            "INSERT INTO models (name, dimensions) VALUES (?, ?) RETURNING id",
            (model_id, dimensions),
        )
        return int(added.fetchone()[0])

    def _folded(
        self, found: Collection[tuple[int, float]], *, requests: bool
    ) -> tuple[Memory, ...]:
        """Return memories with scores; of memories with the same words, only the best one."""
        with self._database.reading() as connection:
            rows = connection.execute(_GET, (json_list(memory_id for memory_id, _ in found),))
            memories = {memory.id: memory for memory in map(memory_of, rows)}
        seen: dict[tuple[str, str], Memory] = {}
        for memory_id, score in found:
            if (memory := memories.get(memory_id)) is None:
                continue  # an import was rolled back after it was indexed
            if memory.origin is Origin.REQUEST and not requests:
                continue
            words = key(memory.text), key(memory.question or "")
            seen.setdefault(words, replace(memory, score=score))
        return tuple(seen.values())


def gains_of(matches: Matches) -> Vectors:
    """Return the score bonus (at most 0.7) of each match in the word search, shape (matches,)."""
    return np.float32(WORD_WEIGHT) * matches.scores


def ranked(ids: Ids, scores: Vectors, count: int) -> list[tuple[int, float]]:
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
