"""Compute the embedding vectors of memories, and of the questions that search them.

Each memory gets one vector of every configured model. A question gets only one vector: if a model
fails, the next one computes it.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

import numpy as np
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval

from ..embeddings.embedder import Embedder, EmbeddingError, Vectors
from ..helpers.weakly import weakly
from .memories import AsyncPersonMemory, Memories
from .memory_errors import MemoryStoreError
from .memory_types import Memory
from .person_memory import PersonMemory

_LOGGER = logging.getLogger(__name__)

_BATCH: Final = 64
"""Number of memories per background request to an embedding model."""

_AT_ONCE: Final = 31
"""Maximum number of missing vectors of memories that a search computes.

It computes them in the same request to the embedding model as the vector of the question.
"""

PATIENCE_SECONDS: Final = 8.0
"""Timeout of an embedding server during a search; the built-in model has none."""

REST_SECONDS: Final = 60.0
"""Pause after a failure of an embedding server; the built-in model never pauses."""

RETRY: Final = timedelta(minutes=15)
"""Interval at which SAGE tries again to compute missing vectors."""

_NO_VECTOR: Final[Vectors] = np.zeros(0, np.float32)


@dataclass(slots=True, eq=False)
class _Model:
    embedder: Embedder
    is_chosen: bool
    is_last: bool
    rests_until: float = 0.0
    """End of the pause after a failure, in seconds of the event loop's clock."""

    @property
    def id(self) -> str:
        return self.embedder.model_id


@dataclass(slots=True)
class _Work:
    """State of the background task for one person."""

    task: asyncio.Task[None] | None = None
    is_wanted: bool = False
    """Whether memories may have changed since the task last looked for missing vectors."""

    complete: set[str] = field(default_factory=set)
    """Ids of embedding models that have a vector of every memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """How complete the vectors of one embedding model are, for one person."""

    model: _Model
    missing: tuple[Memory, ...]
    """Memories without a vector, newest first; at most `_AT_ONCE` + 1."""

    count: int
    """Number of stored vectors if more than `_AT_ONCE` are missing; otherwise 0."""

    @property
    def is_behind(self) -> bool:
        return len(self.missing) > _AT_ONCE


class VectorUpkeep:
    """Computes missing vectors of all persons' memories, and the vectors of questions."""

    def __init__(
        self,
        hass: HomeAssistant,
        memories: Memories,
        embedders: Sequence[Embedder],
        *,
        report: Callable[[EmbeddingError | None], None],
    ) -> None:
        """Set the embedders in order of preference; the last one must always be available.

        `report` receives the error when the first embedder fails, and None when it works again.
        """
        self._hass = hass
        self._memories = memories
        self._models = tuple(
            _Model(embedder, is_chosen=place == 0, is_last=place == len(embedders) - 1)
            for place, embedder in enumerate(embedders)
        )
        self._report = report
        self._work: dict[str | None, _Work] = {}
        self._is_closed = False
        self._stop_retrying = async_track_time_interval(
            hass, weakly(self._async_retry), RETRY, name="SAGE memory", cancel_on_shutdown=True
        )

    async def async_close(self) -> None:
        """Cancel all background tasks and release the embedding models."""
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
        self._models = ()

    # ------------------------------------------------------------- in the background

    @callback
    def later(self, user_id: str | None) -> None:
        """Compute the missing vectors of a user's memories in the background."""
        if self._is_closed:
            return
        work = self._work.setdefault(user_id, _Work())
        work.complete.clear()
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
        """Start the background task again for each user whose vectors are incomplete."""
        for user_id, work in tuple(self._work.items()):
            if len(work.complete) < len(self._models):
                self.later(user_id)

    @callback
    def stop(self, user_id: str | None) -> None:
        """Cancel the background task of a deleted user."""
        work = self._work.pop(user_id, None)
        if work is not None and work.task is not None:
            work.task.cancel()

    async def async_missing(self) -> int:
        """Return the number of memories without a vector of the preferred model, for all users.

        Unusable memory files are not counted.
        """
        missing = 0
        for user_id in await self._memories.async_users():
            try:
                missing += await self._memories.of(user_id).async_run(
                    _count_missing, self._models[0].id
                )
            except MemoryStoreError as err:
                _LOGGER.debug("Not counted: %s", err)
        return missing

    async def _async_work(self, user_id: str | None, work: _Work) -> None:
        try:
            handle = self._memories.of(user_id)
            while work.is_wanted:
                work.is_wanted = False
                for model in self._models:
                    await self._async_complete(handle, work, model)
                if len(work.complete) == len(self._models):
                    await handle.async_run(drop_others, {model.id for model in self._models})
        except MemoryStoreError as err:
            _LOGGER.debug("Vectors could not be stored: %s", err)

    async def _async_complete(self, handle: AsyncPersonMemory, work: _Work, model: _Model) -> None:
        """Compute all missing vectors of one embedding model; return early if the model fails."""
        below: int | None = None
        while not self._rests(model):
            batch = await handle.async_run(_missing, model.id, below)
            if not batch:
                # Memories added after the first batch are not in later batches.
                if not work.is_wanted:
                    work.complete.add(model.id)
                return
            try:
                vectors = await self._async_embed(model, [each.embedded for each in batch])
            except EmbeddingError:
                return
            await handle.async_run(_store, model.id, batch, vectors)
            below = min(each.id for each in batch)

    # ------------------------------------------------------------- for a recall

    async def async_vector(
        self, user_id: str | None, question: str, *, of_last: bool = False
    ) -> tuple[Vectors, str]:
        """Return the vector of a question, and the id of the model that computed it.

        Both are empty if all models fail. `of_last`: use only the last model, the built-in one.
        Raises MemoryStoreError if the memory file is unusable.
        """
        handle = self._memories.of(user_id)
        models = self._models[-1:] if of_last else self._models
        for standing in await self._async_standings(user_id, handle, models):
            model, missing = standing.model, standing.missing[:_AT_ONCE]
            try:
                async with asyncio.timeout(None if model.is_last else PATIENCE_SECONDS):
                    vectors = await self._async_embed(
                        model, [question, *(each.embedded for each in missing)]
                    )
            except TimeoutError:
                self._failed(model, EmbeddingError("the embedding server is too slow"))
            except EmbeddingError as err:
                _LOGGER.debug("Using another model: %s", err)
            else:
                if missing:
                    await handle.async_run(_store, model.id, missing, vectors[1:])
                    self.later(user_id)
                return vectors[0], model.id
        return _NO_VECTOR, ""

    async def async_forget_model(self, user_id: str | None, model_id: str) -> None:
        """Delete a user's vectors of one embedding model, and compute them again in the background.

        Call this if the model on the server has changed under the same id.
        """
        await self._memories.of(user_id).async_run(_drop_model, model_id)
        self.later(user_id)

    async def _async_standings(
        self, user_id: str | None, handle: AsyncPersonMemory, models: Sequence[_Model]
    ) -> list[_Standing]:
        """Return those of `models` that are not paused, each with its missing vectors.

        They are sorted by preference. But models with more than `_AT_ONCE` missing vectors come
        last; among these, the model with the most vectors is the first.
        """
        complete = work.complete if (work := self._work.get(user_id)) is not None else set()
        standings = [
            _Standing(model=model, missing=(), count=0)
            if model.id in complete
            else await handle.async_run(_standing, model)
            for model in models
            if not self._rests(model)
        ]
        if not any(each.is_behind for each in standings):
            return standings
        return sorted(standings, key=lambda each: (each.is_behind, -each.count))

    # ------------------------------------------------------------- the models

    def _rests(self, model: _Model) -> bool:
        return not model.is_last and self._hass.loop.time() < model.rests_until

    async def _async_embed(self, model: _Model, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts; record whether the model works. Raises EmbeddingError."""
        try:
            vectors = await model.embedder.async_embed(texts)
        except EmbeddingError as err:
            self._failed(model, err)
            raise
        model.rests_until = 0.0
        if model.is_chosen:
            self._report(None)
        return vectors

    def _failed(self, model: _Model, error: EmbeddingError) -> None:
        _LOGGER.debug("No vectors: %s", error)
        model.rests_until = self._hass.loop.time() + REST_SECONDS
        if model.is_chosen:
            self._report(error)


def _standing(memory: PersonMemory, model: _Model) -> _Standing:
    missing = memory.recall.missing_vectors(model.id, _AT_ONCE + 1)
    is_behind = len(missing) > _AT_ONCE
    count = memory.recall.vector_counts().get(model.id, 0) if is_behind else 0
    return _Standing(model=model, missing=missing, count=count)


def _missing(memory: PersonMemory, model_id: str, below: int | None) -> tuple[Memory, ...]:
    return memory.recall.missing_vectors(model_id, _BATCH, below=below)


def _count_missing(memory: PersonMemory, model_id: str) -> int:
    return memory.count() - memory.recall.vector_counts().get(model_id, 0)


def _store(
    memory: PersonMemory, model_id: str, memories: Sequence[Memory], vectors: Vectors
) -> None:
    try:
        memory.recall.set_vectors(model_id, memories, vectors)
    except ValueError:
        # The model on the server has changed under the same name.
        _drop_model(memory, model_id)
        memory.recall.set_vectors(model_id, memories, vectors)


def _drop_model(memory: PersonMemory, model_id: str) -> None:
    memory.recall.keep_vectors(memory.recall.vector_counts().keys() - {model_id})


def drop_others(memory: PersonMemory, model_ids: Collection[str]) -> None:
    """Delete the vectors of all embedding models except those in `model_ids`."""
    if memory.recall.vector_counts().keys() - model_ids:
        memory.recall.keep_vectors(model_ids)
