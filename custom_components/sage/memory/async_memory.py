"""Async access to the memory of one person: storing, searching, and vectors in the background."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final, override

import numpy as np
from homeassistant.core import HomeAssistant, callback

from ..embeddings import Embedder, Vectors, cosines
from ..model import ModelError, ModelErrorKind
from ..storage import AsyncFile, FileFault, StoreError, remove_files
from .memories import Memory, MemoryRefusedError, MemoryStoreError, Origin, Recollection, clean
from .person_memory import PersonMemory
from .said import GROUNDED, Sentence, closeness, contains

_LOGGER = logging.getLogger(__name__)

RECALLED: Final = 5
"""Number of memories that the language model receives for one question (SAGE paper)."""

IDLE: Final = timedelta(minutes=10)
"""Time without calls after which a person's search index is removed from RAM."""

PATIENCE_SECONDS: Final = 8.0
"""Timeout of the embedding model during a search; then only words are compared."""

REST_SECONDS: Final = 60.0  # pause after a failure of the embedding model
_BATCH: Final = 64  # number of memories per background request to the embedding model
_AT_ONCE: Final = 7  # maximum missing vectors that a search computes with that of its question
_ALIKE: Final = 0.45  # minimum score of a memory about a topic, for the built-in model
_MOST_OF_A_TOPIC: Final = 30
_UNRELATED: Final = (
    "The train leaves at noon.",
    "She painted the fence green.",
    "Water boils at a hundred degrees.",
    "He plays the violin.",
)
"""Sentences that most topics have nothing to do with."""

_UNRELATED_COSINE: Final = 0.15
"""Cosine similarity of unrelated texts with the built-in model, at most."""

_NO_VECTORS: Final[Vectors] = np.zeros((0, 0), np.float32)


class MemoryEmbedder:
    """The embedding model of all memories; it rests for a minute after a failure."""

    def __init__(self, embedder: Embedder, report: Callable[[ModelError | None], None]) -> None:
        """`report` receives the error when the model fails, and None when it works again."""
        self.model_id = embedder.model_id
        self._embedder = embedder
        self._report = report
        self._rests_until = 0.0

    async def async_embed(self, texts: Sequence[str], patience: float | None = None) -> Vectors:
        """Return vectors; empty if the model fails, rests or needs over `patience` seconds."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._rests_until:
            return _NO_VECTORS
        try:
            async with asyncio.timeout(patience):
                vectors = await self._embedder.async_embed(texts)
        except TimeoutError:
            error = ModelError(ModelErrorKind.TIMEOUT, "the embedding model is too slow")
        except ModelError as err:
            error = err
        else:
            self._report(None)
            return vectors
        _LOGGER.debug("No vectors: %s", error)
        self._rests_until = loop.time() + REST_SECONDS
        self._report(error)
        return _NO_VECTORS


class AsyncPersonMemory(AsyncFile[PersonMemory]):
    """The memory of one person or of the household.

    Calls such as `async_run(PersonMemory.forget, ids)` run in a thread, one after the other. All
    methods raise MemoryStoreError if the memory file is unusable.
    """

    def __init__(
        self, hass: HomeAssistant, path: Path, embedder: MemoryEmbedder, report: Callable[[], None]
    ) -> None:
        """Set the file's path; the first call opens it. `report` is called if `fault` changes."""
        super().__init__(hass, path, PersonMemory)
        self._embedder = embedder
        self._report = report
        self._embedding: asyncio.Task[None] | None = None
        self._lacks_vectors = True  # memories may: after an addition, or a failure
        self._additions = 0  # number of calls of `embed_later`, and of stored requests
        self.fault: FileFault | None = None
        """Why the last call failed; None after a successful write."""

    @override
    def _note_failure(self, error: StoreError) -> None:
        self._note(error.fault or self.fault)

    def _note(self, fault: FileFault | None) -> None:
        if fault is not self.fault:
            self.fault = fault
            self._report()

    # Remembering and recalling

    async def async_remember(self, new: Memory) -> Memory | None:
        """Store an utterance and return its memory; None if switched off. Raises ValueError."""
        try:
            memory = await self.async_run(PersonMemory.add, new)
        except MemoryRefusedError:
            return None
        if new.origin is Origin.REQUEST:
            # Only a search for all memories of a topic finds it, so its vector has time.
            self._lacks_vectors = True
            self._additions += 1
        else:
            self.embed_later()
        return memory

    async def async_source(self, text: str, sentences: Sequence[Sentence]) -> Sentence | None:
        """Return the sentence that a text to remember repeats; None if there is none.

        Sentences that state something come first, then those that contain the text. Without an
        embedding model, only words are compared.
        """
        vectors = await self._embedder.async_embed(
            [text, *(each.text for each in sentences)], PATIENCE_SECONDS
        )
        similar = cosines(vectors[1:], vectors[0]).tolist() if len(vectors) else []
        ranked: list[tuple[bool, bool, float, int]] = []
        for number, sentence in enumerate(sentences):
            whole = f"{sentence.question or ''} {sentence.text}"
            score = closeness(whole, text, similar[number] if similar else None)
            is_contained = contains(sentence.text, text)
            if is_contained or score >= GROUNDED:
                ranked.append((not sentence.needs_yes, is_contained, score, -number))
        return sentences[-max(ranked)[-1]] if ranked else None

    async def async_recollect(self, question: str, *, besides: str = "") -> Recollection:
        """Return the profile and the 5 best memories, without one with the words `besides`."""
        memories = await self.async_recall(question)
        profile = await self.async_run(lambda file: file.summaries.profile_text())
        others = tuple(memory for memory in memories if memory.text != clean(besides))
        return Recollection(profile=profile, memories=others)

    async def async_recall(self, question: str, count: int = RECALLED) -> tuple[Memory, ...]:
        """Return the `count` best memories with scores, best first, without requests."""
        return await self._async_best(await self._async_vectors(question), question, count)

    async def async_find(self, topic: str) -> tuple[Memory, ...]:
        """Return at most 30 memories about a topic, best first, requests included."""
        vectors = await self._async_vectors(topic, *_UNRELATED)
        memories = await self._async_best(vectors, topic, _MOST_OF_A_TOPIC, requests=True)
        least = _ALIKE
        if len(vectors):
            # In the spaces of some models, the cosine of unrelated texts is high.
            unrelated = float(np.median(cosines(vectors[1:], vectors[0])))
            least += (1 - _ALIKE) * max(0.0, unrelated - _UNRELATED_COSINE)
        return tuple(memory for memory in memories if memory.score >= least)

    async def _async_vectors(self, *texts: str) -> Vectors:
        missing = await self._async_missing(_AT_ONCE) if self._lacks_vectors else ()
        vectors = await self._embedder.async_embed(
            [*texts, *(memory.embedded for memory in missing)], PATIENCE_SECONDS
        )
        if len(vectors) and missing:
            await self._async_store(missing, vectors[len(texts) :])
            self.embed_later()
        return vectors[: len(texts)]

    async def _async_best(
        self, vectors: Vectors, words: str, count: int, *, requests: bool = False
    ) -> tuple[Memory, ...]:
        model_id, vector = self._embedder.model_id, vectors[0] if len(vectors) else None
        return await self.async_run(
            lambda file: file.recall.best(
                vector, model_id, count, question=words, requests=requests
            )
        )

    # In the background

    @callback
    def embed_later(self) -> None:
        """Compute the missing vectors of the memories in the background."""
        if self._closed:
            return
        self._lacks_vectors = True
        self._additions += 1
        if self._embedding is None or self._embedding.done():
            self._embedding = self._hass.async_create_background_task(
                self._async_embed_missing(), "SAGE embeddings"
            )

    async def _async_embed_missing(self) -> None:
        try:
            while self._lacks_vectors:
                additions, below = self._additions, None
                while batch := await self._async_missing(_BATCH, below):
                    vectors = await self._embedder.async_embed([each.embedded for each in batch])
                    if not len(vectors):
                        return
                    await self._async_store(batch, vectors)
                    below = min(each.id for each in batch)
                # Memories that were added after the first batch are in no batch.
                self._lacks_vectors = additions != self._additions
        except MemoryStoreError as err:
            _LOGGER.debug("Vectors could not be stored: %s", err)

    async def _async_missing(self, count: int, below: int | None = None) -> tuple[Memory, ...]:
        model_id = self._embedder.model_id
        return await self.async_run(
            lambda file: file.recall.missing_vectors(model_id, count, below=below)
        )

    async def _async_store(self, memories: Sequence[Memory], vectors: Vectors) -> None:
        model_id = self._embedder.model_id
        await self.async_run(lambda file: file.recall.set_vectors(model_id, memories, vectors))

    async def async_tick(self) -> None:
        """Look after the file: retry what has failed, and free RAM after 10 minutes (`IDLE`)."""
        if self.fault is not None and not self._closed:
            # Write to the file; reading would also work on a full disk.
            with suppress(MemoryStoreError):
                await self.async_run(PersonMemory.change_settings)
                self._note(None)
        if self._lacks_vectors and self._additions:
            self.embed_later()
        elif self._hass.loop.time() - self._used_at >= IDLE.total_seconds():
            await self._async_in_turn(self._unload)

    def _unload(self) -> None:
        if self._file is not None:
            self._file.recall.unload()

    # The end

    @override
    async def async_close(self) -> None:
        """Stop the background work, and close the file after all earlier calls."""
        self._closed = True
        if self._embedding is not None:
            self._embedding.cancel()
            await asyncio.gather(self._embedding, return_exceptions=True)
            self._embedding = None
        await super().async_close()

    async def async_purge(self) -> None:
        """Close the memory file; delete it and all damaged versions that a recovery has kept."""
        await self.async_close()
        await self._async_in_turn(self._delete)
        self._note(None)

    def _delete(self) -> None:
        if self._path.parent.exists():
            remove_files(self._path)
