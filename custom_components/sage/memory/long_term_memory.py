"""Remembering for people, and recalling what fits a question (paper, personalization).

A memory is on the disk before anybody waits for its vector. Recall blends the cosine of
vectors with BM25. While a server of embeddings is away the built-in model serves; vectors
that are missing are made up for in the background, also after another model was chosen.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Concatenate, Final

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.util import dt as dt_util

from ..embeddings.embedder import Embedder, EmbeddingError, Vectors
from ..people.person import Person
from .errors import MemoryOffError, MemoryStoreError
from .lexical import LexicalIndex
from .memories import AsyncPersonMemory, Memories
from .memory_text import embedded
from .model import Memory, NewMemory, Origin, Recalled
from .person_memory import PersonMemory
from .vectors import Bonus

_LOGGER = logging.getLogger(__name__)

RECALLED: Final = 5
"""Memories that are recalled for a question (paper)."""

_BATCH: Final = 64
_AT_ONCE: Final = 128
"""Memories without a vector that a recall waits for; more are made up for in the background."""

_ALIKE: Final = 0.45
"""From this score on a memory is about a topic that is to be forgotten."""

_MOST_OF_A_TOPIC: Final = 30
_IDLE: Final = timedelta(minutes=15)
"""After so long without a recall what was loaded for a person is let go of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """What is known that may answer a question."""

    profile: str = field(default="", repr=False)
    """The profile with what was set right since; empty when there is none."""

    recalled: tuple[Recalled, ...] = field(default=(), repr=False)

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all is known."""
        return not self.profile and not self.recalled

    @property
    def is_tainted(self) -> bool:
        """Whether any of it was said in a run that had read untrusted text (DESIGN 10)."""
        return any(each.memory.tainted for each in self.recalled)


@dataclass(slots=True)
class _Held:
    """What is kept of a person between recalls."""

    words: LexicalIndex | None = None
    embedding: asyncio.Task[None] | None = None
    used_at: datetime | None = None


class LongTermMemory:
    """Everything that SAGE remembers, each for its own person."""

    def __init__(
        self,
        hass: HomeAssistant,
        memories: Memories,
        embedders: Sequence[Embedder],
        *,
        report: Callable[[EmbeddingError | None], None],
        retention_days: int = 0,
    ) -> None:
        """Use the first embedder that works.

        `report` is told when the first one fails, and with None when it works.
        `retention_days`: how long memories stay, 0 for ever, unless a person decided.
        """
        self._hass = hass
        self._memories = memories
        self._embedders = tuple(embedders)
        self._report = report
        self._retention_days = retention_days
        self._held: dict[str | None, _Held] = {}
        self._stop_tidying: CALLBACK_TYPE | None = None

    @callback
    def async_setup(self) -> None:
        """Begin to let go of what nobody uses."""
        self._stop_tidying = async_track_time_interval(
            self._hass, self._async_let_go, _IDLE, name="SAGE memory", cancel_on_shutdown=True
        )

    async def async_close(self) -> None:
        """End what is under way and close all files."""
        if self._stop_tidying is not None:
            self._stop_tidying()
            self._stop_tidying = None
        tasks = [held.embedding for held in self._held.values() if held.embedding is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._held.clear()
        await self._memories.async_close()

    def handle(self, person: Person) -> AsyncPersonMemory:
        """Return the person's own memory, for what needs neither vectors nor words."""
        return self._memories.of(person.user_id)

    async def async_do[**P, T](
        self,
        person: Person,
        call: Callable[Concatenate[PersonMemory, P], T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Return what a method of `PersonMemory` returns for this person."""
        return await self.handle(person).async_run(call, *args, **kwargs)

    # ------------------------------------------------------------- remembering

    async def async_remember(self, person: Person, new: NewMemory) -> Memory | None:
        """Remember something; None if the person does not want anything to be remembered.

        It is on the disk when this returns. Raises MemoryStoreError when it cannot be.
        """
        handle = self.handle(person)
        try:
            memory = await handle.async_run(PersonMemory.add, new)
        except MemoryOffError:
            return None
        held = self._hold(person.user_id)
        if held.words is not None:
            held.words.add(memory.id, embedded(memory))
        if new.origin is Origin.CORRECTED:
            await handle.async_run(PersonMemory.add_correction, new.text, new.at)
        self._embed_later(person.user_id)
        return memory

    async def async_is_enabled(self, person: Person) -> bool:
        """Tell whether the person's words are remembered."""
        return (await self.async_do(person, PersonMemory.settings)).enabled

    async def async_users(self) -> tuple[str | None, ...]:
        """Return the user ids of all who have a memory, None for the household."""
        return tuple(await self._memories.async_users())

    async def async_set_enabled(self, person: Person, *, enabled: bool) -> None:
        """Let the person's words be remembered from now on, or not."""
        handle = self.handle(person)
        settings = await handle.async_run(PersonMemory.settings)
        await handle.async_run(PersonMemory.set_settings, replace(settings, enabled=enabled))

    # ------------------------------------------------------------- recalling

    async def async_recollect(
        self, person: Person, question: str, *, said_at: datetime | None = None
    ) -> Recollection:
        """Return the person's profile, and what they said that fits a question.

        What was said last at `said_at` is left out: the request that asks is no answer.
        Raises MemoryStoreError when the memory cannot be read.
        """
        found = await self.async_recall(person, question, RECALLED + 1)
        fitting = [each for each in found if each.memory.at != said_at]
        return Recollection(
            profile=await self.async_profile_text(person), recalled=tuple(fitting[:RECALLED])
        )

    async def async_profile_text(self, person: Person) -> str:
        """Return the profile with what was set right since it was made."""
        handle = self.handle(person)
        profile = await handle.async_run(PersonMemory.profile)
        corrections = await handle.async_run(PersonMemory.corrections)
        lines = [profile.text] if profile is not None else []
        lines += [
            f"Set right by the person on {dt_util.as_local(each.at):%Y-%m-%d}: {each.text}"
            for each in corrections
            if profile is None or each.at > profile.made_at
        ]
        return "\n".join(lines)

    async def async_recall(
        self, person: Person, question: str, count: int = RECALLED
    ) -> tuple[Recalled, ...]:
        """Return what the person said that fits a question, best first.

        Raises MemoryStoreError when the memory cannot be read.
        """
        handle = self.handle(person)
        bonus = await self._async_bonus(handle, self._hold(person.user_id), question)
        vector, model_id = await self._async_vector(handle, question)
        self._embed_later(person.user_id)
        if vector is not None:
            return await handle.async_run(PersonMemory.recall, vector, model_id, count, bonus=bonus)
        found = sorted(zip(bonus.scores.tolist(), bonus.ids.tolist(), strict=True), reverse=True)
        return tuple(
            [
                Recalled(memory=await handle.async_run(PersonMemory.get, memory_id), score=score)
                for score, memory_id in found[:count]
            ]
        )

    async def _async_vector(
        self, handle: AsyncPersonMemory, question: str
    ) -> tuple[Vectors | None, str]:
        """Return the vector of a question of the model that has seen most of the memories."""
        behind: tuple[Vectors, str] | None = None
        for place, embedder in enumerate(self._embedders):
            try:
                (vector,) = await embedder.async_embed([question])
                is_behind = await self._async_embed(handle, embedder, most=_AT_ONCE)
            except EmbeddingError as err:
                self._failed(place, err)
                continue
            if place == 0:
                self._report(None)
            if not is_behind:
                return vector, embedder.model_id
            # Chosen a moment ago: another model may know all of the memories still.
            behind = behind or (vector, embedder.model_id)
        return behind if behind is not None else (None, "")

    async def _async_bonus(self, handle: AsyncPersonMemory, held: _Held, question: str) -> Bonus:
        """Return what memories gain by having the words of a question."""
        held.used_at = dt_util.utcnow()
        if held.words is None:
            everything = await handle.async_run(PersonMemory.list)
            pairs = [(each.id, embedded(each)) for each in everything]
            held.words = await self._hass.async_add_executor_job(LexicalIndex, pairs)
        matches = await self._hass.async_add_executor_job(held.words.score, question)
        return Bonus(ids=matches.ids, scores=matches.gains)

    # ------------------------------------------------------------- forgetting

    async def async_find(self, person: Person, topic: str) -> tuple[Memory, ...]:
        """Return the memories that are about a topic, the likeliest first."""
        found = await self.async_recall(person, topic, _MOST_OF_A_TOPIC)
        return tuple(each.memory for each in found if each.score >= _ALIKE)

    async def async_between(
        self, person: Person, start: datetime, end: datetime
    ) -> tuple[Memory, ...]:
        """Return what was said last from `start` until before `end`."""
        everything = await self.async_do(person, PersonMemory.list)
        return tuple(each for each in everything if start <= each.at < end)

    async def async_count(self, person: Person) -> int:
        """Return how many memories there are."""
        return await self.async_do(person, PersonMemory.count)

    async def async_forget(self, person: Person, ids: Iterable[int]) -> int:
        """Forget memories; return how many of them there were."""
        count = await self.async_do(person, PersonMemory.forget, ids)
        self.changed(person)
        return count

    async def async_forget_period(self, person: Person, start: datetime, end: datetime) -> int:
        """Forget what was said from `start` until before `end`; return how many memories."""
        count = await self.async_do(person, PersonMemory.forget_period, start, end)
        self.changed(person)
        return count

    async def async_forget_everything(self, person: Person) -> int:
        """Forget all memories, the profile and the summaries; return how many memories."""
        count = await self.async_do(person, PersonMemory.forget_all)
        self.changed(person)
        return count

    async def async_purge(self, user_id: str | None) -> None:
        """Leave nothing of a person who is no longer there."""
        held = self._held.pop(user_id, None)
        if held is not None and held.embedding is not None:
            held.embedding.cancel()
        await self._memories.async_purge(user_id)

    async def async_expire(self) -> None:
        """Forget what is older than people or the household want it to be."""
        for user_id in await self._memories.async_users():
            handle = self._memories.of(user_id)
            days = (await handle.async_run(PersonMemory.settings)).retention_days
            days = self._retention_days if days is None else days
            oldest = dt_util.utcnow() - timedelta(days=days)
            if days > 0:
                gone = await handle.async_run(PersonMemory.expire, oldest)
                held = self._hold(user_id)
                held.words = None if gone else held.words

    def changed(self, person: Person) -> None:
        """Take note that memories were deleted, corrected or imported."""
        self._hold(person.user_id).words = None
        self._embed_later(person.user_id)

    # ------------------------------------------------------------- vectors

    async def async_embed_everything(self) -> None:
        """Begin to make up for all vectors that are missing: another model may have been chosen."""
        for user_id in await self._memories.async_users():
            self._embed_later(user_id)

    async def async_missing(self) -> int:
        """Return how many memories of all people wait for a vector of the chosen model."""
        missing = 0
        for user_id in await self._memories.async_users():
            handle = self._memories.of(user_id)
            counts = await handle.async_run(PersonMemory.vector_counts)
            missing += await handle.async_run(PersonMemory.count)
            missing -= counts.get(self._embedders[0].model_id, 0)
        return missing

    def _embed_later(self, user_id: str | None) -> None:
        held = self._hold(user_id)
        if held.embedding is None or held.embedding.done():
            held.embedding = self._hass.async_create_background_task(
                self._async_embed_all(user_id), "SAGE embeddings"
            )

    async def _async_embed_all(self, user_id: str | None) -> None:
        """Make up for the missing vectors; with a model that is away, later."""
        try:
            handle = self._memories.of(user_id)
            for place, embedder in enumerate(self._embedders):
                try:
                    await self._async_embed(handle, embedder)
                except EmbeddingError as err:
                    self._failed(place, err)
                    continue
                if place == 0:
                    self._report(None)
                    # The built-in model's stay: it serves when the server is away.
                    if len(self._embedders) == 1:
                        await handle.async_run(PersonMemory.drop_vectors, keep=embedder.model_id)
        except MemoryStoreError as err:
            _LOGGER.warning("Vectors could not be stored: %s", err)

    async def _async_embed(
        self, handle: AsyncPersonMemory, embedder: Embedder, *, most: int | None = None
    ) -> bool:
        """Store vectors that are missing, of `most` memories; return whether more are."""
        done, below = 0, None
        while most is None or done < most:
            batch = await handle.async_run(
                PersonMemory.missing_vectors, embedder.model_id, _BATCH, below=below
            )
            if not batch:
                return False
            vectors = await embedder.async_embed([embedded(each) for each in batch])
            await handle.async_run(PersonMemory.set_vectors, embedder.model_id, batch, vectors)
            done += len(batch)
            below = min(each.id for each in batch)
        return bool(
            await handle.async_run(PersonMemory.missing_vectors, embedder.model_id, 1, below=below)
        )

    def _failed(self, place: int, error: EmbeddingError) -> None:
        _LOGGER.debug("No vectors: %s", error)
        if place == 0:
            self._report(error)

    # ------------------------------------------------------------- what is held

    def _hold(self, user_id: str | None) -> _Held:
        return self._held.setdefault(user_id, _Held())

    async def _async_let_go(self, _: datetime) -> None:
        """Let go of the words of those who have not asked for a while; vectors go by themselves."""
        oldest = dt_util.utcnow() - _IDLE
        for held in self._held.values():
            if held.used_at is not None and held.used_at < oldest:
                held.used_at = held.words = None
