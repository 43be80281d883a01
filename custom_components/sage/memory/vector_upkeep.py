"""Compute the embedding vectors of memories, and of the questions that search them.

After a change of the model, the vectors of all memories are computed again in the background.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import numpy as np
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval

from ..embeddings.embedder import Embedder, EmbeddingError, Vectors
from ..helpers.weakly import weakly
from .memories import Memories
from .memory_types import Memory, MemoryStoreError
from .person_memory import PersonMemory

_LOGGER = logging.getLogger(__name__)

_BATCH: Final = 64
"""Number of memories per background request to the embedding model."""

_AT_ONCE: Final = 31
"""Maximum number of missing vectors of memories that a search computes.

It computes them in the same request as the vector of the question.
"""

PATIENCE_SECONDS: Final = 8.0
"""Timeout of the embedding model during a search; then only words are compared."""

REST_SECONDS: Final = 60.0
"""Pause after a failure of the embedding model."""

RETRY: Final = timedelta(minutes=15)
"""Interval at which SAGE tries again to compute missing vectors."""

NO_VECTORS: Final[Vectors] = np.zeros((0, 0), np.float32)


@dataclass(slots=True)
class _Work:
    """State of the background task for one person."""

    task: asyncio.Task[None] | None = None
    is_wanted: bool = False
    """Whether memories may have changed since the task last looked for missing vectors."""

    is_complete: bool = False
    """Whether each memory has a vector."""


class VectorUpkeep:
    """Computes missing vectors of all persons' memories, and the vectors of questions."""

    def __init__(
        self,
        hass: HomeAssistant,
        memories: Memories,
        embedder: Embedder,
        *,
        report: Callable[[EmbeddingError | None], None],
    ) -> None:
        """Set the embedding model.

        `report` receives the error when the model fails, and None when it works again.
        """
        self._hass = hass
        self._memories = memories
        self._embedder = embedder
        self._report = report
        self._rests_until = 0.0
        self._work: dict[str | None, _Work] = {}
        self._is_closed = False
        self._stop_retrying = async_track_time_interval(
            hass, weakly(self._async_retry), RETRY, name="SAGE memory", cancel_on_shutdown=True
        )

    @property
    def model_id(self) -> str:
        """The id of the embedding model."""
        return self._embedder.model_id

    async def async_close(self) -> None:
        """Cancel all background tasks."""
        self._is_closed = True
        self._stop_retrying()
        tasks = [work.task for work in self._work.values() if work.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # Otherwise the exception of a cancelled task would keep the task's data in RAM.
        for work in self._work.values():
            work.task = None
        self._work.clear()

    # ------------------------------------------------------------- in the background

    @callback
    def later(self, user_id: str | None) -> None:
        """Compute the missing vectors of a user's memories in the background."""
        if self._is_closed:
            return
        work = self._work.setdefault(user_id, _Work())
        work.is_complete = False
        work.is_wanted = True
        if work.task is None or work.task.done():
            work.task = self._hass.async_create_background_task(
                self._async_work(user_id, work), "SAGE embeddings"
            )

    async def async_everyone(self) -> None:
        """Compute the missing vectors of all users' memories in the background."""
        for user_id in await self._memories.async_users():
            self.later(user_id)

    @callback
    def _async_retry(self, _: datetime) -> None:
        for user_id, work in tuple(self._work.items()):
            if not work.is_complete:
                self.later(user_id)

    @callback
    def stop(self, user_id: str | None) -> None:
        """Cancel the background task of a deleted user."""
        work = self._work.pop(user_id, None)
        if work is not None and work.task is not None:
            work.task.cancel()

    async def async_missing(self) -> int:
        """Return the number of memories without a vector, for all users.

        Unusable memory files are not counted.
        """
        missing = 0
        for user_id in await self._memories.async_users():
            try:
                missing += await self._memories.of(user_id).async_run(_count_missing, self.model_id)
            except MemoryStoreError as err:
                _LOGGER.debug("Not counted: %s", err)
        return missing

    async def _async_work(self, user_id: str | None, work: _Work) -> None:
        try:
            handle = self._memories.of(user_id)
            while work.is_wanted:
                work.is_wanted = False
                below: int | None = None
                while batch := await handle.async_run(_missing, self.model_id, _BATCH, below):
                    vectors = await self._async_embed([each.embedded for each in batch])
                    await handle.async_run(_store, self.model_id, batch, vectors)
                    below = min(each.id for each in batch)
                # Memories that were added after the first batch are in no batch.
                work.is_complete = not work.is_wanted
                await handle.async_run(_drop_others, self.model_id)
        except EmbeddingError:
            return
        except MemoryStoreError as err:
            _LOGGER.debug("Vectors could not be stored: %s", err)

    # ------------------------------------------------------------- for a search

    async def async_vectors(self, user_id: str | None, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts for a search in a user's memories, one row per text.

        Empty if the model fails or is too slow. Raises MemoryStoreError.
        """
        handle = self._memories.of(user_id)
        work = self._work.get(user_id)
        missing: tuple[Memory, ...] = ()
        if work is None or not work.is_complete:
            missing = await handle.async_run(_missing, self.model_id, _AT_ONCE)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                vectors = await self._async_embed([*texts, *(each.embedded for each in missing)])
        except TimeoutError:
            self._failed(EmbeddingError("the embedding model is too slow"))
            return NO_VECTORS
        except EmbeddingError:
            return NO_VECTORS
        if missing:
            await handle.async_run(_store, self.model_id, missing, vectors[len(texts) :])
            self.later(user_id)
        return vectors[: len(texts)]

    async def _async_embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, and report whether the model works.

        Raises EmbeddingError, also during the pause after a failure.
        """
        if self._hass.loop.time() < self._rests_until:
            raise EmbeddingError("the embedding model has just failed")
        try:
            vectors = await self._embedder.async_embed(texts)
        except EmbeddingError as err:
            self._failed(err)
            raise
        self._report(None)
        return vectors

    def _failed(self, error: EmbeddingError) -> None:
        _LOGGER.debug("No vectors: %s", error)
        self._rests_until = self._hass.loop.time() + REST_SECONDS
        self._report(error)


def _missing(
    memory: PersonMemory, model_id: str, count: int, below: int | None = None
) -> tuple[Memory, ...]:
    return memory.recall.missing_vectors(model_id, count, below=below)


def _count_missing(memory: PersonMemory, model_id: str) -> int:
    return memory.count() - memory.recall.vector_counts().get(model_id, 0)


def _store(
    memory: PersonMemory, model_id: str, memories: Sequence[Memory], vectors: Vectors
) -> None:
    memory.recall.set_vectors(model_id, memories, vectors)


def _drop_others(memory: PersonMemory, model_id: str) -> None:
    if memory.recall.vector_counts().keys() - {model_id}:
        memory.recall.keep_vectors(model_id)
