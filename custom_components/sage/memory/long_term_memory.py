"""Remembering for people, and recalling what fits a question (paper, personalization).

A memory is on the disk before anybody waits for its vector. Recall blends the cosine of
vectors with BM25. While a server of embeddings is away the built-in model serves; vectors
that are missing are made up for in the background, also after another model was chosen.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Concatenate, Final

from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.util import dt as dt_util

from ..embeddings.embedder import Embedder, EmbeddingError
from ..people.person import Person
from ..weakly import weakly
from .errors import MemoryOffError, MemoryStoreError
from .lexical import LexicalIndex
from .memories import AsyncPersonMemory, Memories
from .memory_settings import Retention
from .memory_text import embedded
from .model import Memory, NewMemory, Origin, Recalled
from .person_memory import PersonMemory
from .profile_text import set_right
from .vector_upkeep import VectorUpkeep
from .vectors import Bonus

_LOGGER = logging.getLogger(__name__)

RECALLED: Final = 5
"""Memories that are recalled for a question (paper)."""

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
        retention: Retention,
    ) -> None:
        """Use the first embedder that works.

        `report` is told when the first one fails, and with None when it works.
        `retention`: how long memories stay, unless a person decided.
        """
        self._hass = hass
        self._memories = memories
        self._vectors = VectorUpkeep(hass, memories, embedders, report=report)
        self._retention = retention
        self._held: dict[str | None, _Held] = {}
        self._stop_tidying: CALLBACK_TYPE | None = None

    @callback
    def async_setup(self) -> None:
        """Begin to let go of what nobody uses."""
        self._stop_tidying = async_track_time_interval(
            self._hass,
            weakly(self._async_tidy),
            _IDLE,
            name="SAGE memory",
            cancel_on_shutdown=True,
        )

    async def async_close(self) -> None:
        """End what is under way and close all files."""
        if self._stop_tidying is not None:
            self._stop_tidying()
            self._stop_tidying = None
        await self._vectors.async_close()
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

    async def async_remember(
        self, person: Person, new: NewMemory, *, instead_of: int | None = None
    ) -> Memory | None:
        """Remember something; None if the person does not want anything to be remembered.

        `instead_of` is the memory of the utterance that told it at the same time. It is on the
        disk when this returns. Raises MemoryStoreError when it cannot be.
        """
        handle = self.handle(person)
        try:
            memory = await handle.async_run(PersonMemory.add, new, instead_of=instead_of)
        except MemoryOffError:
            return None
        held = self._hold(person.user_id)
        if held.words is not None:
            await self._hass.async_add_executor_job(held.words.add, memory.id, embedded(memory))
        # The profile has no taint: what a mail may have put in must not get there (DESIGN 10).
        if new.origin is Origin.CORRECTED and not new.tainted:
            await handle.async_run(PersonMemory.add_correction, new.text, new.at)
        self._vectors.later(person.user_id)
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
        await handle.async_run(_set_enabled, enabled)

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
        since = [each for each in corrections if profile is None or each.at > profile.made_at]
        told = [profile.text] if profile is not None and profile.text else []
        return "\n".join([*told, *set_right(since)])

    async def async_recall(
        self, person: Person, question: str, count: int = RECALLED
    ) -> tuple[Recalled, ...]:
        """Return what the person said that fits a question, best first.

        Raises MemoryStoreError when the memory cannot be read.
        """
        return await self._async_recall(person, question, count)

    async def _async_recall(
        self, person: Person, question: str, count: int, *, is_topic: bool = False
    ) -> tuple[Recalled, ...]:
        """Return what fits a question, or a topic: requests, too, by the built-in model."""
        handle = self.handle(person)
        bonus = await self._async_bonus(handle, self._hold(person.user_id), question)
        vector, model_id = await self._vectors.async_vector(
            person.user_id, question, of_last=is_topic
        )
        try:
            return await handle.async_run(
                PersonMemory.recall, vector, model_id, count, bonus=bonus, requests=is_topic
            )
        except ValueError:
            _LOGGER.warning("The model %s is another one than before", model_id)
        await self._vectors.async_forget_model(person.user_id, model_id)
        vector, model_id = await self._vectors.async_vector(person.user_id, question)
        return await handle.async_run(
            PersonMemory.recall, vector, model_id, count, bonus=bonus, requests=is_topic
        )

    async def _async_bonus(self, handle: AsyncPersonMemory, held: _Held, question: str) -> Bonus:
        """Return what memories gain by having the words of a question."""
        held.used_at = dt_util.utcnow()
        if held.words is None:
            held.words = await handle.async_run(_words)
        matches = await self._hass.async_add_executor_job(held.words.score, question)
        return Bonus(ids=matches.ids, scores=matches.gains)

    # ------------------------------------------------------------- forgetting

    async def async_find(self, person: Person, topic: str) -> tuple[Memory, ...]:
        """Return the memories that are about a topic, the likeliest first."""
        # How near is near enough differs from model to model; of this one it is known.
        found = await self._async_recall(person, topic, _MOST_OF_A_TOPIC, is_topic=True)
        return tuple(each.memory for each in found if each.score >= _ALIKE)

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

    async def async_hand_over(self, owner: str, person: Person) -> None:
        """Add all that somebody said to the memory of another person.

        What that person has already stays unchanged. Raises MemoryStoreError, also where the
        person wants nothing to be remembered.
        """
        exported = await self._memories.of(owner).async_run(PersonMemory.export)
        await self.async_do(person, PersonMemory.import_, exported)
        self.changed(person)

    async def async_purge(self, user_id: str | None) -> None:
        """Leave nothing of a person."""
        self._held.pop(user_id, None)
        self._vectors.stop(user_id)
        await self._memories.async_purge(user_id)

    async def async_expire(self) -> None:
        """Forget what is older than people or the household want it to be."""
        for user_id in await self._memories.async_users():
            try:
                gone = await self._memories.of(user_id).async_run(_expire, self._retention)
            except MemoryStoreError as err:
                _LOGGER.warning("Old memories could not be forgotten: %s", err)
                continue
            held = self._hold(user_id)
            held.words = None if gone else held.words

    def changed(self, person: Person) -> None:
        """Take note that memories were deleted, corrected or imported."""
        self._hold(person.user_id).words = None
        self._vectors.later(person.user_id)

    # ------------------------------------------------------------- vectors

    async def async_embed_everything(self) -> None:
        """Begin to make up for all vectors that are missing: another model may have been chosen."""
        await self._vectors.async_everyone()

    async def async_missing(self) -> int:
        """Return how many memories of all people wait for a vector of the chosen model."""
        return await self._vectors.async_missing()

    # ------------------------------------------------------------- what is held

    def _hold(self, user_id: str | None) -> _Held:
        return self._held.setdefault(user_id, _Held())

    async def _async_tidy(self, _: datetime) -> None:
        """Let go of the words of those who have not asked for a while; vectors go by themselves."""
        self._vectors.retry()
        oldest = dt_util.utcnow() - _IDLE
        for held in self._held.values():
            if held.used_at is not None and held.used_at < oldest:
                held.used_at = held.words = None


def _words(memory: PersonMemory) -> LexicalIndex:
    return LexicalIndex((each.id, embedded(each)) for each in memory.list())


def _expire(memory: PersonMemory, household: Retention) -> int:
    """Forget what is too old; return how many memories that were."""
    retention, now, gone = memory.settings().retention(household), dt_util.utcnow(), 0
    if retention.days > 0:
        gone += memory.expire(now - timedelta(days=retention.days))
    if retention.request_days > 0:
        gone += memory.expire_requests(now - timedelta(days=retention.request_days))
    return gone


def _set_enabled(memory: PersonMemory, enabled: bool) -> None:
    memory.set_settings(replace(memory.settings(), enabled=enabled))
