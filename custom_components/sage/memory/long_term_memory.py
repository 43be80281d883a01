"""Store what each person says, and find what matches a question (SAGE paper, personalization).

A search combines the cosine similarity of embedding vectors with the word score BM25.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Concatenate, Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..embeddings.embedder import Embedder, EmbeddingError
from ..people.person import Person
from .memories import Memories
from .memory_errors import MemoryOffError, MemoryStoreError
from .memory_types import Memory, NewMemory, Origin, Recalled, Retention
from .person_memory import PersonMemory
from .profile_text import set_right
from .vector_upkeep import VectorUpkeep
from .vectors import Scores

_LOGGER = logging.getLogger(__name__)

RECALLED: Final = 5
"""Number of memories that the language model receives for one question (SAGE paper)."""

_ALIKE: Final = 0.45
"""Minimum score for a memory to count as being about a topic."""

_MOST_OF_A_TOPIC: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """A person's profile, and the memories that match a question."""

    profile: str = field(default="", repr=False)
    """The person's profile and newer corrections as text; empty if there are none."""

    recalled: tuple[Recalled, ...] = field(default=(), repr=False)

    @property
    def is_empty(self) -> bool:
        """Whether there is neither a profile nor a matching memory."""
        return not self.profile and not self.recalled

    @property
    def is_tainted(self) -> bool:
        """Whether a matching memory may contain untrusted text, e.g. from mail."""
        return any(each.memory.tainted for each in self.recalled)


class LongTermMemory:
    """The memories of all persons: storage, search and deletion."""

    def __init__(
        self,
        hass: HomeAssistant,
        memories: Memories,
        embedders: Sequence[Embedder],
        *,
        report: Callable[[EmbeddingError | None], None],
        retention: Retention,
    ) -> None:
        """Set the embedders in order of preference, and the household's default retention.

        `report` receives the error when the preferred embedder fails, and None when it works again.
        """
        self.files: Final = memories
        self.vectors: Final = VectorUpkeep(hass, memories, embedders, report=report)
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
        self, person: Person, new: NewMemory, *, instead_of: int | None = None
    ) -> Memory | None:
        """Store an utterance on disk and return its memory; None if memory is switched off.

        `instead_of`: id of the memory of the whole request, e.g. of "remember that I like tea" if
        `new` is "I like tea". Its utterance at the time `new.at` is deleted; if the person said the
        same at other times, these utterances remain. Raises MemoryStoreError if writing fails, and
        ValueError for an empty text.
        """
        try:
            memory = await self.async_do(person, _remember, new, instead_of)
        except MemoryOffError:
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
        """Return the person's profile and the 5 memories that best match a question.

        `said_at`: time of the question. A memory with exactly this time is left out, because it is
        the question itself. Raises MemoryStoreError if the memory file is unusable.
        """
        found = await self.async_recall(person, question, RECALLED + 1)
        fitting = [each for each in found if each.memory.at != said_at]
        return Recollection(
            profile=await self.async_profile_text(person), recalled=tuple(fitting[:RECALLED])
        )

    async def async_profile_text(self, person: Person) -> str:
        """Return the person's profile and newer corrections as text; empty if there are none."""
        return await self.async_do(person, _profile_text)

    async def async_recall(
        self, person: Person, question: str, count: int = RECALLED
    ) -> tuple[Recalled, ...]:
        """Return the `count` memories that best match a question, best first.

        Excludes one-time requests such as "turn on the light". Raises MemoryStoreError if the
        memory file is unusable.
        """
        return await self._async_recall(person, question, count)

    async def _async_recall(
        self, person: Person, question: str, count: int, *, is_topic: bool = False
    ) -> tuple[Recalled, ...]:
        """Return the memories that best match a question or a topic, best first.

        With `is_topic`, the result may contain requests (`Origin.REQUEST`), and only the built-in
        embedding model is used.
        """

        def best(memory: PersonMemory, vector: Scores, model_id: str) -> tuple[Recalled, ...]:
            return memory.recall.best(vector, model_id, count, question=question, requests=is_topic)

        user_id = person.user_id
        vector, model_id = await self.vectors.async_vector(user_id, question, of_last=is_topic)
        try:
            return await self.async_do(person, best, vector, model_id)
        except ValueError:
            _LOGGER.warning("The model %s has changed", model_id)
        await self.vectors.async_forget_model(user_id, model_id)
        vector, model_id = await self.vectors.async_vector(user_id, question)
        return await self.async_do(person, best, vector, model_id)

    # ------------------------------------------------------------- forgetting

    async def async_find(self, person: Person, topic: str) -> tuple[Memory, ...]:
        """Return at most 30 memories about a topic, best match first.

        Includes requests such as "turn on the light".
        """
        # The minimum score depends on the model; it was measured for the built-in one.
        found = await self._async_recall(person, topic, _MOST_OF_A_TOPIC, is_topic=True)
        return tuple(each.memory for each in found if each.score >= _ALIKE)

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


def _remember(memory: PersonMemory, new: NewMemory, instead_of: int | None) -> Memory:
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
