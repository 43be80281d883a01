"""Search a person's memories by embedding vector and by words."""

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from ..embeddings.embedder import Vectors
from ..storage.database import Database
from ..text.search import TextIndex
from ..text.words import key
from .memory_types import Memory, Origin, Recalled
from .rows import Row, json_list, memory_of
from .vectors import Scores, VectorIndex, gains_of, ranked

_STORED: Final = np.dtype("<f4")

_BATCH: Final = 512
"""Number of vectors per read; one batch fits into the processor cache."""

_SPARE: Final = 3
"""Number of extra candidates, because memories with the same words count as one result."""

_GET: Final = """
SELECT id, text, question, place, origin, tainted, first_at, at, count
FROM memories WHERE id IN (SELECT value FROM json_each(?))
"""
_ALL: Final = """
SELECT id, text, question, place, origin, tainted, first_at, at, count FROM memories
"""
_ADD: Final = """
INSERT INTO vectors (memory, model, vector)
SELECT id, ?, ? FROM memories WHERE id = ? AND text = ? AND question IS ?
ON CONFLICT (memory, model) DO UPDATE SET vector = excluded.vector
RETURNING memory
"""
_MISSING: Final = """
SELECT id, text, question, place, origin, tainted, first_at, at, count
FROM memories
WHERE id < ? AND NOT EXISTS (
    SELECT 1 FROM vectors JOIN models ON models.id = model
    WHERE memory = memories.id AND name = ?
)
ORDER BY id DESC LIMIT ?
"""
_DROP_VECTORS: Final = """
DELETE FROM vectors WHERE model IN (
    SELECT id FROM models WHERE name NOT IN (SELECT value FROM json_each(?))
)
"""
_DROP_MODELS: Final = """
DELETE FROM models WHERE name NOT IN (SELECT value FROM json_each(?))
"""


class RecallIndex:
    """The search index of one person's memories: vectors, and a text index for words.

    The first search loads the index into RAM.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._loaded: dict[str, VectorIndex] = {}
        self._words: TextIndex | None = None

    def best(
        self,
        vector: Scores,
        model_id: str,
        k: int = 5,
        *,
        question: str = "",
        requests: bool = False,
    ) -> tuple[Recalled, ...]:
        """Return the `k` memories that best match a question, best first.

        - `vector`: embedding of `question` by the model `model_id`; norm 1, shape (dimensions,)
        - `requests`: whether to include requests such as "turn on the light"

        Raises ValueError if the stored vectors of this model have other dimensions.
        """
        matches = self._loaded_words().score(question)
        index = self.load_vectors(model_id)
        if index is None:
            # No vectors of this model are stored: only words count.
            ids, scores = matches.ids, gains_of(matches)
        elif vector.shape != (index.dimensions,):
            raise ValueError(f"The model has vectors of length {index.dimensions}.")
        else:
            ids, scores = index.scores(vector, matches)
        wanted = k + _SPARE
        while True:
            found = self._folded(ranked(ids, scores, wanted), requests=requests)
            if len(found) >= k or wanted >= len(ids):
                return found[:k]
            wanted *= 4

    @property
    def vector_bytes(self) -> int:
        """RAM used by the loaded vectors, in bytes."""
        return sum(index.bytes_used for index in self._loaded.values())

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

    def set_vectors(self, model_id: str, memories: Sequence[Memory], vectors: Vectors) -> int:
        """Store one vector per memory; return the number of vectors stored.

        Skips memories that were deleted or corrected meanwhile. Raises ValueError unless `vectors`
        is finite and has the shape (memories, dimensions of the model).
        """
        rows = np.asarray(vectors, np.float32)
        if rows.shape[:1] != (len(memories),) or rows.ndim != 2 or not np.isfinite(rows).all():
            raise ValueError("Each memory needs one row of numbers.")
        stored: list[int] = []
        with self._database.writing() as connection:
            number, dimensions = self._model(model_id) or self._add_model(model_id, rows.shape[1])
            if rows.shape[1] != dimensions:
                raise ValueError(f"The model has vectors of length {dimensions}.")
            for place, (memory, row) in enumerate(zip(memories, rows, strict=True)):
                blob = row.astype(_STORED, copy=False).tobytes()
                values = (number, blob, memory.id, memory.text, memory.question)
                if connection.execute(_ADD, values).fetchall():
                    stored.append(place)
        if (index := self._loaded.get(model_id)) is not None:
            index.add(np.array([memories[place].id for place in stored], np.int64), rows[stored])
        return len(stored)

    def keep_vectors(self, model_ids: Collection[str]) -> None:
        """Delete all vectors except those of the given models."""
        ids = json_list(model_ids)
        with self._database.writing() as connection:
            connection.execute(_DROP_VECTORS, (ids,))
            connection.execute(_DROP_MODELS, (ids,))
        self._loaded = {
            model_id: index for model_id, index in self._loaded.items() if model_id in model_ids
        }

    def load_vectors(self, model_id: str) -> VectorIndex | None:
        """Return the vectors of a model, loaded into RAM; None if the file has none."""
        if model_id not in self._loaded:
            with self._database.reading():
                row = self._model(model_id)
                if row is None:
                    return None
                self._loaded[model_id] = self._read(*row)
        return self._loaded[model_id]

    def unload(self) -> None:
        """Free the RAM of the vectors and the text index; the next search loads them again."""
        self._loaded.clear()
        self._words = None

    def add(self, memory: Memory) -> None:
        """Add a new or corrected memory to the text index, if the index is loaded."""
        if self._words is not None:
            self._words.add(memory.id, memory.embedded)

    def remove(self, ids: Collection[int]) -> None:
        """Remove memories by id from the loaded vectors and the loaded text index."""
        gone = np.array(list(ids), np.int64)
        for index in self._loaded.values():
            index.remove(gone)
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
            stored = b"".join([vector for _, vector in batch])
            index.add(ids, np.frombuffer(stored, _STORED).reshape(len(batch), dimensions))
        return index

    def _model(self, model_id: str) -> Row | None:
        found: Row | None = self._database.connection.execute(
            "SELECT id, dimensions FROM models WHERE name = ?", (model_id,)
        ).fetchone()
        return found

    def _add_model(self, model_id: str, dimensions: int) -> Row:
        added = self._database.connection.execute(
            "INSERT INTO models (name, dimensions) VALUES (?, ?)", (model_id, dimensions)
        )
        return added.lastrowid, dimensions

    def _folded(
        self, found: Collection[tuple[int, float]], *, requests: bool
    ) -> tuple[Recalled, ...]:
        """Return memories with scores; of memories with the same words, only the best one."""
        with self._database.reading() as connection:
            rows = connection.execute(_GET, (json_list(memory_id for memory_id, _ in found),))
            memories = {memory.id: memory for memory in map(memory_of, rows)}
        seen: dict[tuple[str, str], Recalled] = {}
        for memory_id, score in found:
            if (memory := memories.get(memory_id)) is None:
                continue  # an import was rolled back after it was indexed
            if memory.origin is Origin.REQUEST and not requests:
                continue
            words = key(memory.text), key(memory.question or "")
            seen.setdefault(words, Recalled(memory=memory, score=score))
        return tuple(seen.values())
