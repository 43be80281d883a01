"""Search a person's memories by embedding vector and by words: exact cosine search in RAM."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from ..embeddings import Vectors, cosines, from_blobs, to_blob
from ..storage import Database
from ..text import TextIndex, key
from .memories import COLUMNS, Memory, Origin, json_list, memory_of

type Ids = npt.NDArray[np.int64]

WORD_WEIGHT: Final = 0.7
"""Maximum bonus for matching words, added to the cosine similarity of a memory."""

_BATCH: Final = 512  # number of vectors per read; one batch fits into the processor cache
_EXTRA: Final = 3  # additional candidates, since memories with the same words are one result
_SPARE: Final = 1024  # minimum number of rows added when the matrix is full
_ALL: Final = f"SELECT {COLUMNS} FROM memories"  # noqa: S608
_GET: Final = f"{_ALL} WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608
_ADD: Final = """
INSERT OR IGNORE INTO vectors
SELECT id, ? FROM memories WHERE id = ? AND text = ? AND question IS ? RETURNING memory
"""
_MISSING: Final = f"""
{_ALL} WHERE id < ? AND NOT (? AND id IN (SELECT memory FROM vectors))
ORDER BY id DESC LIMIT ?
"""  # noqa: S608
_MODEL: Final = "embedding_model"  # the setting with the id of the vectors' model


class VectorIndex:
    """The vectors of memories, ascending by memory id; not thread-safe."""

    def __init__(self, dimensions: int, room: int) -> None:
        """Reserve space for `room` vectors, each of length `dimensions`."""
        self.dimensions: Final = dimensions
        self._vectors = np.empty((room, dimensions), np.float32)
        self._ids = np.empty(room, np.int64)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, memory_id: int) -> bool:
        return bool(self._rows(np.array([memory_id]))[1][0])

    def append(self, ids: Ids, vectors: Vectors) -> bool:
        """Add vectors (n, dimensions); return False unless `ids` (n,) ascend from the last on."""
        start, end = self._count, self._count + len(ids)
        if (np.diff(ids, prepend=self._ids[start - 1] if start else -1) <= 0).any():
            return False
        if end > len(self._ids):
            room = end + max(_SPARE, end // 8)
            self._vectors.resize((room, self.dimensions), refcheck=False)
            self._ids.resize(room, refcheck=False)
        self._vectors[start:end], self._ids[start:end] = vectors, ids
        self._count = end
        return True

    def scores(self, query: Vectors, matching: Ids, gains: Vectors) -> tuple[Ids, Vectors]:
        """Return the ids of memories and their scores, as two arrays of the same length.

        A score is the cosine similarity to `query` (norm 1, shape (dimensions,)), plus the bonus
        (`gains`) of the memories with matching words (`matching`).
        """
        scores = cosines(self._vectors[: self._count], query)
        rows, held = self._rows(matching)
        scores[rows[held]] += gains[held]
        ids = np.concatenate((self._ids[: self._count], matching[~held]))
        return ids, np.concatenate((scores, gains[~held]))

    def _rows(self, ids: Ids) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool]]:
        """Return a row number for each id, and whether the row has the vector of this id."""
        held_ids = self._ids[: self._count]
        rows = np.searchsorted(held_ids, ids)
        return rows, np.append(held_ids, -1)[rows] == ids


class RecallIndex:
    """The search index of one person's memories: vectors, and a text index for words.

    The first search loads the index into RAM. All vectors in the file are of one model.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._vectors: VectorIndex | None = None
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
        matching, similar = self._loaded_words().score(question)
        gains = np.float32(WORD_WEIGHT) * similar
        index = None if vector is None else self.load_vectors(model_id)
        if vector is None or index is None or vector.shape != (index.dimensions,):
            ids, scores = matching, gains
        else:
            ids, scores = index.scores(vector, matching, gains)
        wanted = k + _EXTRA
        while True:
            found = self._folded(ranked(ids, scores, wanted), requests=requests)
            if len(found) >= k or wanted >= len(ids):
                return found[:k]
            wanted *= 4

    @property
    def vector_bytes(self) -> int:
        """RAM used by the loaded vectors in bytes, without reserved space."""
        loaded = self._vectors
        return 0 if loaded is None else len(loaded) * (4 * loaded.dimensions + 8)

    def vector_count(self) -> int:
        """Return the number of stored vectors."""
        with self._database.reading() as connection:
            count: int = connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
            return count

    def missing_vectors(
        self, model_id: str, limit: int, *, below: int | None = None
    ) -> tuple[Memory, ...]:
        """Return up to `limit` memories without such a vector, newest first; ids below `below`."""
        highest = 2**63 - 1 if below is None else below
        with self._database.reading() as connection:
            rows = connection.execute(_MISSING, (highest, self._dimensions(model_id) > 0, limit))
            return tuple(map(memory_of, rows))

    def set_vectors(self, model_id: str, memories: Sequence[Memory], vectors: Vectors) -> None:
        """Store one vector per memory, unless it has one already, or was deleted or corrected.

        Deletes the vectors of another model or of other dimensions. Raises ValueError unless
        `vectors` is finite and has one row per memory.
        """
        rows = np.asarray(vectors, np.float32)
        if rows.shape[:1] != (len(memories),) or rows.ndim != 2 or not np.isfinite(rows).all():
            raise ValueError("Each memory needs one row of numbers.")
        stored: dict[int, Vectors] = {}
        with self._database.writing() as connection:
            if self._dimensions(model_id) != rows.shape[1]:
                connection.execute("DELETE FROM vectors")
                self._vectors = None
                connection.execute(
                    "INSERT OR REPLACE INTO settings VALUES (?, ?)", (_MODEL, model_id)
                )
            for memory, row in zip(memories, rows, strict=True):
                values = (to_blob(row), memory.id, memory.text, memory.question)
                if connection.execute(_ADD, values).fetchall():
                    stored[memory.id] = row
        if self._vectors is not None and stored:
            ids = sorted(stored)
            added = np.stack([stored[each] for each in ids])
            if not self._vectors.append(np.array(ids, np.int64), added):
                self._vectors = None

    def load_vectors(self, model_id: str) -> VectorIndex | None:
        """Return the vectors of a model, loaded into RAM; None if the file has none."""
        with self._database.reading() as connection:
            if not (dimensions := self._dimensions(model_id)):
                return None
            if self._vectors is None:
                index = VectorIndex(dimensions, self.vector_count())
                rows = connection.execute("SELECT memory, vector FROM vectors ORDER BY memory")
                while batch := rows.fetchmany(_BATCH):
                    ids = np.array([memory for memory, _ in batch], np.int64)
                    index.append(ids, from_blobs([vector for _, vector in batch]))
                self._vectors = index
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
        if self._vectors is not None and any(each in self._vectors for each in ids):
            self._vectors = None
        if self._words is not None:
            for memory_id in ids:
                self._words.remove(memory_id)

    def _dimensions(self, model_id: str) -> int:
        row = self._database.connection.execute(
            "SELECT length(vector) FROM vectors, settings WHERE name = ? AND value = ? LIMIT 1",
            (_MODEL, model_id),
        ).fetchone()
        return 0 if row is None else row[0] // 4

    def _loaded_words(self) -> TextIndex:
        if self._words is None:
            with self._database.reading() as connection:
                memories = map(memory_of, connection.execute(_ALL))
                self._words = TextIndex((each.id, each.embedded) for each in memories)
        return self._words

    def _folded(
        self, found: Collection[tuple[int, float]], *, requests: bool
    ) -> tuple[Memory, ...]:
        """Return memories with scores; of memories with the same words, only the best one."""
        with self._database.reading() as connection:
            rows = connection.execute(_GET, (json_list(memory_id for memory_id, _ in found),))
            memories = {memory.id: memory for memory in map(memory_of, rows)}
        seen: dict[tuple[str, str], Memory] = {}
        for memory_id, score in found:
            memory = memories.get(memory_id)
            # An addition may have been rolled back after it was indexed.
            if memory is None or (memory.origin is Origin.REQUEST and not requests):
                continue
            words = key(memory.text), key(memory.question or "")
            seen.setdefault(words, replace(memory, score=score))
        return tuple(seen.values())


def ranked(ids: Ids, scores: Vectors, count: int) -> list[tuple[int, float]]:
    """Return the best `count` (id, score) pairs, best first; for equal scores, newer ids first."""
    if 0 < count < len(scores):
        is_best = scores >= scores[np.argpartition(scores, -count)[-count]]
        ids, scores = ids[is_best], scores[is_best]
    order = np.lexsort((-ids, -scores))[:count]
    return list(zip(ids[order].tolist(), scores[order].tolist(), strict=True))
