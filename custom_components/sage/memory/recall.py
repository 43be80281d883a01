"""Recall: the memories whose vectors are nearest to that of a question."""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Final

import numpy as np

from ..embeddings.blas_threads import ONE_THREAD
from ..embeddings.embedder import Vectors
from .folding import plain_words
from .memory_table import MemoryTable
from .model import Origin, Recalled
from .vector_table import VectorTable
from .vectors import Bonus, Scores, VectorIndex

type Found = Sequence[tuple[int, float]]
"""Ids of memories and how well they fit, best first."""

_SPARE: Final = 3
"""So many more memories are looked at than are wanted, since some count once."""

_NO_BONUS: Final = Bonus(ids=np.empty(0, np.int64), scores=np.empty(0, np.float32))


class Recall:
    """Holds the vectors of one person while they are used; one thread at a time."""

    def __init__(self, memories: MemoryTable, vectors: VectorTable) -> None:
        """Read from the tables; nothing is loaded yet."""
        self._memories = memories
        self._vectors = vectors
        self._loaded: dict[str, VectorIndex] = {}

    @property
    def vector_bytes(self) -> int:
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
        requests: bool,
    ) -> tuple[Recalled, ...]:
        """Return the memories that fit best, best first; see PersonMemory.recall."""
        index = self.load(model_id)
        if index is not None and vector.shape != (index.dimensions,):
            raise ValueError(f"The model has vectors of length {index.dimensions}.")
        wanted = count + _SPARE + len(without)
        with ONE_THREAD.hold():
            while True:
                found = _top(index, vector, bonus or _NO_BONUS, wanted)
                allowed = [pair for pair in found if pair[0] not in without]
                folded = self._folded(allowed, requests=requests)
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

    def unload(self) -> None:
        """Let go of everything until it is asked for again."""
        self._loaded.clear()

    def add(self, model_id: str, ids: Sequence[int], vectors: Vectors) -> None:
        """Take in what was stored, if the vectors of that model are loaded."""
        if (index := self._loaded.get(model_id)) is not None:
            index.add(np.array(ids, np.int64), vectors)

    def remove(self, ids: Iterable[int]) -> None:
        """Let go of memories that were deleted or changed."""
        gone = np.array(list(ids), np.int64)
        for index in self._loaded.values():
            index.remove(gone)

    def keep(self, model_ids: Collection[str]) -> None:
        """Let go of the vectors of all other models."""
        self._loaded = {key: index for key, index in self._loaded.items() if key in model_ids}

    def _folded(self, found: Found, *, requests: bool) -> tuple[Recalled, ...]:
        """Return memories with their scores; of those with the same words only the best."""
        memories = self._memories.get(memory_id for memory_id, _ in found)
        seen: dict[tuple[str, str], Recalled] = {}
        for memory_id, score in found:
            if (memory := memories.get(memory_id)) is None:
                continue  # a bonus from before it was forgotten
            if memory.origin is Origin.REQUEST and not requests:
                continue
            words = plain_words(memory.text), plain_words(memory.question or "")
            seen.setdefault(words, Recalled(memory=memory, score=score))
        return tuple(seen.values())


def _top(index: VectorIndex | None, vector: Scores, bonus: Bonus, count: int) -> Found:
    """Return the best of those that have a vector and of those that have a bonus only."""
    if index is None:
        return _top_bonus(bonus, count)
    without = ~index.holds(bonus.ids)
    rest = Bonus(ids=bonus.ids[without], scores=bonus.scores[without])
    found = chain(index.top(vector, count, bonus), _top_bonus(rest, count))
    return sorted(found, key=itemgetter(1), reverse=True)[:count]


def _top_bonus(bonus: Bonus, count: int) -> Found:
    order = np.lexsort((-bonus.ids, -bonus.scores))[:count]
    return list(zip(bonus.ids[order].tolist(), bonus.scores[order].tolist(), strict=True))
