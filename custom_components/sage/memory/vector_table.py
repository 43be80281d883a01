"""The vectors of one person's memories in the tables of their file."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from ..embeddings.embedder import Vectors
from .memory_table import Row
from .model import Memory
from .vectors import VectorIndex

_STORED: Final = np.dtype("<f4")

_BATCH: Final = 512
"""Vectors that are read at a time: few enough to stay in the cache of the processor."""

_ADD: Final = """
INSERT INTO vectors (memory, model, vector)
SELECT id, ?, ? FROM memories WHERE id = ? AND text = ? AND question IS ?
ON CONFLICT (memory, model) DO UPDATE SET vector = excluded.vector
RETURNING memory
"""
_MISSING: Final = """
SELECT id FROM memories
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


class VectorTable:
    """Reads and writes vectors; where it writes, the caller holds the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Use the tables of `connection`."""
        self._connection = connection

    def counts(self) -> dict[str, int]:
        """Return how many vectors there are of each model."""
        rows = self._connection.execute(
            "SELECT name, (SELECT count(*) FROM vectors WHERE model = models.id) FROM models"
        )
        return dict(rows.fetchall())

    def missing(self, model_id: str, limit: int, below: int | None) -> tuple[int, ...]:
        """Return the ids of memories that have no vector of the model, the newest first."""
        highest = 2**63 - 1 if below is None else below
        rows = self._connection.execute(_MISSING, (highest, model_id, limit))
        return tuple(memory for (memory,) in rows)

    def set(self, model_id: str, memories: Sequence[Memory], vectors: Vectors) -> list[int]:
        """Store vectors; return the places in `memories` of those that are still the same.

        Raises ValueError for vectors of another length than those that the model has.
        """
        number, dimensions = self._model(model_id) or self._add_model(model_id, vectors.shape[1])
        if vectors.shape[1] != dimensions:
            raise ValueError(f"The model has vectors of length {dimensions}.")
        stored: list[int] = []
        for place, (memory, vector) in enumerate(zip(memories, vectors, strict=True)):
            values = (number, _blob(vector), memory.id, memory.text, memory.question)
            if self._connection.execute(_ADD, values).fetchall():
                stored.append(place)
        return stored

    def keep(self, model_ids: Collection[str]) -> None:
        """Delete all other models, with their vectors."""
        kept = json.dumps(list(model_ids))
        for statement in (_DROP_VECTORS, _DROP_MODELS):
            self._connection.execute(statement, (kept,))

    def load(self, model_id: str) -> VectorIndex | None:
        """Return all vectors of a model; None if there never were any."""
        row = self._model(model_id)
        if row is None:
            return None
        number, dimensions = row
        index = VectorIndex(dimensions)
        rows = self._connection.execute(
            "SELECT memory, vector FROM vectors NOT INDEXED WHERE model = ?", (number,)
        )
        while batch := rows.fetchmany(_BATCH):
            ids = np.array([memory for memory, _ in batch], np.int64)
            stored = b"".join([vector for _, vector in batch])
            vectors = np.frombuffer(stored, _STORED).reshape(len(batch), dimensions)
            index.append(ids, vectors.astype(np.float32, copy=False))
        index.screen()
        return index

    def _model(self, model_id: str) -> Row | None:
        found: Row | None = self._connection.execute(
            "SELECT id, dimensions FROM models WHERE name = ?", (model_id,)
        ).fetchone()
        return found

    def _add_model(self, model_id: str, dimensions: int) -> Row:
        added = self._connection.execute(
            "INSERT INTO models (name, dimensions) VALUES (?, ?)", (model_id, dimensions)
        )
        return added.lastrowid, dimensions


def _blob(vector: np.ndarray) -> bytes:
    return vector.astype(_STORED, copy=False).tobytes()
