"""Store what each person says, and find what matches a question (SAGE paper, personalization).

A search combines the cosine similarity of embedding vectors with the word score BM25.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Concatenate, Final

import numpy as np
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..embeddings.embedder import Embedder, EmbeddingError, Vectors, cosines
from ..people.person import Person
from .memories import Memories
from .memory_types import (
    Memory,
    MemoryRefusedError,
    MemoryStoreError,
    Origin,
    Recollection,
    Retention,
)
from .person_memory import PersonMemory
from .profile_text import set_right
from .vector_upkeep import VectorUpkeep

_LOGGER = logging.getLogger(__name__)

RECALLED: Final = 5
"""Number of memories that the language model receives for one question (SAGE paper)."""

_ALIKE: Final = 0.45
"""Minimum score for a memory to count as being about a topic, for the built-in model."""

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


class LongTermMemory:
    """The memories of all persons: storage, search and deletion."""

    def __init__(
        self,
        hass: HomeAssistant,
        memories: Memories,
        embedder: Embedder,
        *,
        report: Callable[[EmbeddingError | None], None],
        retention: Retention,
    ) -> None:
        """Set the embedding model, and the household's default retention.

        `report` receives the error when the model fails, and None when it works again.
        """
        self.files: Final = memories
        self.vectors: Final = VectorUpkeep(hass, memories, embedder, report=report)
        self._retention = retention

    async def async_close(self) -> None:
        """Cancel background tasks and close all memory files."""
        await self.vectors.async_close()
        await self.files.async_close()

    async def async_do[**P, T](
        self,
        person: Person,
        call: Callable[Concatenate[PersonMemory, P], T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Call a method of the person's `PersonMemory`, e.g. `PersonMemory.forget`, in a thread.

        Returns the result of `call`. Raises MemoryStoreError if the memory file is unusable, and
        the exceptions of `call`.
        """
        return await self.files.of(person.user_id).async_run(call, *args, **kwargs)

    # ------------------------------------------------------------- remembering

    async def async_remember(
        self, person: Person, new: Memory, *, instead_of: int | None = None
    ) -> Memory | None:
        """Store an utterance on disk and return its memory; None if memory is switched off.

        `instead_of`: id of the memory of the whole request, e.g. of "remember that I like tea" if
        `new` is "I like tea". Its utterance at the time `new.at` is deleted; if the person said the
        same at other times, these utterances remain. Raises MemoryStoreError if writing fails, and
        ValueError for an empty text.
        """
        try:
            memory = await self.async_do(person, _remember, new, instead_of)
        except MemoryRefusedError:
            return None
        self.vectors.later(person.user_id)
        return memory

    async def async_set_enabled(self, person: Person, *, enabled: bool) -> None:
        """Switch a person's memory on or off."""
        await self.async_do(person, _set_enabled, enabled)

    # ------------------------------------------------------------- recalling

    async def async_recollect(
        self, person: Person, question: str, *, said_at: datetime | None = None
    ) -> Recollection:
        """Return the person's profile with newer corrections, and the 5 best matching memories.

        `said_at`: time of the question. A memory with exactly this time is left out, because it is
        the question itself. Raises MemoryStoreError if the memory file is unusable.
        """
        found = await self.async_recall(person, question, RECALLED + 1)
        memories = tuple(each for each in found if each.at != said_at)[:RECALLED]
        return Recollection(profile=await self.async_profile_text(person), memories=memories)

    async def async_profile_text(self, person: Person) -> str:
        """Return the person's profile and newer corrections as text; empty if there are none."""
        return await self.async_do(person, _profile_text)

    async def async_recall(
        self, person: Person, question: str, count: int = RECALLED
    ) -> tuple[Memory, ...]:
        """Return the `count` memories that best match a question, best first, with scores.

        Excludes one-time requests such as "turn on the light". Raises MemoryStoreError if the
        memory file is unusable.
        """
        vectors = await self.vectors.async_vectors(person.user_id, [question])
        return await self.async_do(
            person, _best, self.vectors.model_id, count, vectors, question, requests=False
        )

    async def async_find(self, person: Person, topic: str) -> tuple[Memory, ...]:
        """Return at most 30 memories about a topic, best match first.

        Includes requests such as "turn on the light".
        """
        vectors = await self.vectors.async_vectors(person.user_id, [topic, *_UNRELATED])
        found = await self.async_do(
            person, _best, self.vectors.model_id, _MOST_OF_A_TOPIC, vectors, topic, requests=True
        )
        least = _ALIKE
        if len(vectors):
            # In the spaces of some models, the cosine of unrelated texts is high.
            unrelated = float(np.median(cosines(vectors[1:], vectors[0])))
            least += (1 - _ALIKE) * max(0.0, unrelated - _UNRELATED_COSINE)
        return tuple(memory for memory in found if memory.score >= least)

    # ------------------------------------------------------------- forgetting

    async def async_purge(self, user_id: str | None) -> None:
        """Delete all memory data of a user; None means the household (unidentified speakers)."""
        self.vectors.stop(user_id)
        await self.files.async_purge(user_id)

    async def async_expire(self) -> None:
        """Delete each person's memories and log entries that exceed the retention period."""
        for user_id in await self.files.async_users():
            try:
                await self.files.of(user_id).async_run(_expire, self._retention)
            except MemoryStoreError as err:
                _LOGGER.warning("Old memories could not be deleted: %s", err)


def _remember(memory: PersonMemory, new: Memory, instead_of: int | None) -> Memory:
    added = memory.add(new, instead_of=instead_of)
    # The profile has no taint, so a tainted correction must not reach it.
    if new.origin is Origin.CORRECTED and not new.tainted:
        memory.summaries.add_correction(new.text, new.at)
    return added


def _set_enabled(memory: PersonMemory, enabled: bool) -> None:
    memory.set_settings(replace(memory.settings(), enabled=enabled))


def _profile_text(memory: PersonMemory) -> str:
    """Return as text the profile, and the corrections that are newer than the profile."""
    profile, corrections = memory.summaries.profile(), memory.summaries.corrections()
    since = [each for each in corrections if profile is None or each.at > profile.made_at]
    lines = [profile.text] if profile is not None and profile.text else []
    return "\n".join([*lines, *set_right(since)])


def _expire(memory: PersonMemory, household: Retention) -> None:
    """Delete memories and log entries older than the retention period.

    `household` supplies the periods that the person did not set.
    """
    retention, now = memory.settings().retention(household), dt_util.utcnow()
    if retention.days > 0:
        memory.expire(now - timedelta(days=retention.days))
    if retention.request_days > 0:
        memory.expire_requests(now - timedelta(days=retention.request_days))
    if days := [days for days in (retention.days, retention.request_days) if days > 0]:
        memory.commands.expire(now - timedelta(days=min(days)))


def _best(
    memory: PersonMemory,
    model_id: str,
    count: int,
    vectors: Vectors,
    words: str,
    *,
    requests: bool,
) -> tuple[Memory, ...]:
    vector = vectors[0] if len(vectors) else None
    return memory.recall.best(vector, model_id, count, question=words, requests=requests)
