"""Recall: the memories whose vectors are nearest to that of a question."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import numpy as np

from ..embeddings.blas_threads import ONE_THREAD
from ..embeddings.embedder import Vectors
from .folding import plain_words
from .memory_table import MemoryTable
from .model import Memory, Recalled
from .vector_table import VectorTable
from .vectors import Bonus, Scores, VectorIndex

_SPARE: Final = 3
"""So many times more memories are looked at than are wanted, since some count once."""


class Recall:
    """Holds the vectors of one person while they are used; one thread at a time."""

    def __init__(self, memories: MemoryTable, vectors: VectorTable) -> None:
        """Read from the tables; nothing is loaded yet."""
        self._memories = memories
        self._vectors = vectors
        self._loaded: dict[str, VectorIndex] = {}

    @property
    def bytes_used(self) -> int:
        """Memory that the loaded vectors take."""
        return sum(index.bytes_used for index in self._loaded.values())

    def best(
        self,
        vector: Scores,
        model_id: str,
        count: int,
        *,
        bonus: Bonus | None,
        without: Collection[int],
    ) -> tuple[Recalled, ...]:
        """Return the memories that fit best, best first; see PersonMemory.recall."""
        index = self.load(model_id)
        if index is None:
            return ()
        if vector.shape != (index.dimensions,):
            raise ValueError(f"The model has vectors of length {index.dimensions}.")
        wanted = _SPARE * count + len(without)
        with ONE_THREAD.hold():
            while True:
                found = index.top(vector, wanted, bonus)
                folded = self._folded([pair for pair in found if pair[0] not in without])
                if len(folded) >= count or len(found) < wanted:
                    return folded[:count]
                wanted *= 4

    def load(self, model_id: str) -> VectorIndex | None:
        """Return the vectors of a model; None if there never were any."""
        if model_id not in self._loaded:
            with ONE_THREAD.hold():
                index = self._vectors.load(model_id)
            if index is None:
                return None
            self._loaded[model_id] = index
        return self._loaded[model_id]

    def unload(self, model_id: str | None = None) -> None:
        """Let go of the vectors of a model, or of all."""
        if model_id is None:
            self._loaded.clear()
        else:
            self._loaded.pop(model_id, None)

    def add(self, model_id: str, ids: Sequence[int], vectors: Vectors) -> None:
        """Take in what was stored, if the vectors of that model are loaded."""
        if (index := self._loaded.get(model_id)) is not None:
            index.add(np.array(ids, np.int64), vectors)

    def remove(self, ids: Iterable[int]) -> None:
        """Let go of memories that were deleted or changed."""
        gone = np.array(list(ids), np.int64)
        for index in self._loaded.values():
            index.remove(gone)

    def keep_only(self, model_id: str) -> None:
        """Let go of the vectors of all other models."""
        self._loaded = {key: index for key, index in self._loaded.items() if key == model_id}

    def _folded(self, found: Sequence[tuple[int, float]]) -> tuple[Recalled, ...]:
        """Return memories with their scores; of those with the same words only the best."""
        memories = self._memories.get([memory_id for memory_id, _ in found])
        seen: dict[tuple[str, str], Recalled] = {}
        for memory_id, score in found:
            memory = memories[memory_id]
            seen.setdefault(_words(memory), Recalled(memory=memory, score=score))
        return tuple(seen.values())


def _words(memory: Memory) -> tuple[str, str]:
    return plain_words(memory.text), plain_words(memory.question or "")
