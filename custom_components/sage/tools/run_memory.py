"""Access to a person's memory while one command of this person is processed.

SAGE stores the utterance and the replies. Tools recall, store and delete memories.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Concatenate, Final

from homeassistant.components.person.const import DOMAIN as PERSON_DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..agent.run import Run
from ..home.commands.evidence import Evidence
from ..memory.long_term_memory import LongTermMemory
from ..memory.memory_tables import clean
from ..memory.memory_types import Memory, MemoryStoreError, Origin, Recollection
from ..memory.person_memory import PersonMemory
from ..people.pin import REDACTED

_LOGGER = logging.getLogger(__name__)

_USER_OF_PERSON: Final = "user_id"
"""Attribute of a person entity with the id of its Home Assistant user."""


class RunMemory:
    """Access to the memory of one person while one command of this person is processed.

    What tools recall, store and delete is recorded in `Evidence`, the record of the command. PINs
    and replies to confirmations never reach this class.
    """

    def __init__(
        self, hass: HomeAssistant, memory: LongTermMemory, run: Run, evidence: Evidence
    ) -> None:
        self._hass = hass
        self._memory = memory
        self._run = run
        self._evidence = evidence
        self._request: asyncio.Task[Memory | None] | None = None
        self._has_forgotten = False
        self._last_is_none = False

    # ------------------------------------------------------------- for tools

    async def async_recollect(self, question: str) -> Recollection:
        """Return the profile and the memories that match a question. Raises MemoryStoreError."""
        found = await self._memory.async_recollect(
            self._run.person, question, said_at=self._said_at
        )
        self._evidence.record_recall()
        return found

    async def async_known(self) -> Recollection:
        """Return everything that is known about the person. Raises MemoryStoreError."""
        known = await self._async_do(PersonMemory.known)
        self._evidence.record_recall()
        others = tuple(each for each in known.memories if each.at != self._said_at)
        return replace(known, memories=others)

    async def async_find(self, topic: str) -> tuple[Memory, ...]:
        """Return the memories about a topic, except the utterance that is being processed.

        Raises MemoryStoreError.
        """
        request_id = await self._async_request_id()
        found = await self._memory.async_find(self._run.person, topic)
        return self._recalled(found, request_id)

    async def async_said_within(self, start: datetime, end: datetime) -> tuple[Memory, ...]:
        """Return memories of utterances from `start` until before `end`.

        The utterance that is being processed is left out. Raises MemoryStoreError.
        """
        request_id = await self._async_request_id()
        found = await self._async_do(PersonMemory.said_within, start, end)
        return self._recalled(found, request_id)

    async def async_count(self) -> int:
        """Return the number of memories, not counting the utterance that is being processed.

        Raises MemoryStoreError.
        """
        request_id = await self._async_request_id()
        count = await self._async_do(PersonMemory.count)
        self._evidence.record_recall()
        return count if request_id is None else count - 1

    async def async_remember(self, text: str, origin: Origin, *, tainted: bool) -> Memory | None:
        """Store the fact `text` and return it as a memory; None if memory is switched off.

        `tainted`: whether untrusted text, such as a mail, may have caused the fact.

        Deletes the stored utterance of this run, unless the person has replied to a question in
        this run. Raises MemoryStoreError.
        """
        fact = Memory(
            text=text,
            at=self._said_at,
            place=self._run.utterance.room,
            origin=origin,
            tainted=tainted,
        )
        # The fact may come from a reply, so keep the utterance.
        said = None if self._run.replies else await self._async_request_id()
        stored = await self._memory.async_remember(self._run.person, fact, instead_of=said)
        if stored is None:
            return None
        if said is not None:
            self._request = None
        self._evidence.record_memory_change()
        return stored

    async def async_set_enabled(self, *, enabled: bool) -> None:
        """Switch the memory of the person on or off. Raises MemoryStoreError."""
        await self._memory.async_set_enabled(self._run.person, enabled=enabled)
        self._evidence.record_memory_change()

    def _recalled(self, found: Iterable[Memory], request_id: int | None) -> tuple[Memory, ...]:
        """Record that memories were recalled; return `found` without the utterance of this run.

        `request_id` is the id of the stored utterance; None if it was not stored.
        """
        self._evidence.record_recall()
        return tuple(each for each in found if each.id != request_id)

    async def async_forget[**P](
        self, call: Callable[Concatenate[PersonMemory, P], int], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Delete memories by calling `call`, a method such as `PersonMemory.forget_period`.

        `args` and `kwargs` are passed to `call`. The current utterance is deleted, too. Raises
        MemoryStoreError.
        """
        await self._async_do(call, *args, **kwargs)
        self._has_forgotten = True
        # The utterance mentions the deleted topic.
        if (request_id := await self._async_request_id()) is not None:
            await self._async_do(PersonMemory.forget, [request_id])
        self._evidence.record_memory_change()

    # ------------------------------------------------------------- for the run

    @property
    def has_forgotten(self) -> bool:
        """Whether memories were deleted for the current command, at the person's request."""
        return self._has_forgotten

    def begin(self) -> None:
        """Store the utterance in a background task, unless a routine runs its stored command."""
        utterance = self._run.utterance
        if utterance.routine is not None:
            return
        self._request = self._remember(
            Memory(
                text=utterance.text,
                at=self._said_at,
                place=utterance.room,
                tainted=utterance.is_untrusted,
            )
        )

    async def async_take_hint(self) -> bool:
        """Return whether the answer should say that SAGE stores memories.

        True at most once for each person: for the first command of a signed-in user with a person
        entity and a memory that is switched on.
        """
        person = self._run.person
        is_here = person.is_certain and any(
            state.attributes.get(_USER_OF_PERSON) == person.user_id
            for state in self._hass.states.async_all(PERSON_DOMAIN)
        )
        if not is_here or self._has_forgotten or self._run.utterance.routine is not None:
            return False
        try:
            return await self._async_do(_take_hint)
        except MemoryStoreError:
            return False

    def mark_request(self) -> None:
        """Mark the stored utterance as a one-time request, not a fact about the person.

        A background task does this; errors are ignored.
        """
        if self._request is not None:
            self._hass.async_create_task(self._async_mark(self._request), "SAGE marks a request")

    async def _async_mark(self, request: asyncio.Task[Memory | None]) -> None:
        if (memory := await request) is None:
            return
        # If this fails, the utterance counts as an ordinary memory.
        with contextlib.suppress(MemoryStoreError):
            await self._async_do(PersonMemory.mark_request, memory.id, self._said_at)

    def drop_last_reply(self) -> None:
        """Do not store the person's last reply, because it was a new request.

        Call this before `end`, which stores the replies.
        """
        self._last_is_none = True

    def end(self) -> None:
        """Start to store the person's replies to the questions of this command.

        Background tasks store them. Stores nothing if memories were deleted, and no replies to a
        routine, which another person may have given at a voice satellite.
        """
        # The replies may mention the deleted topic.
        if self._has_forgotten or self._run.utterance.routine is not None:
            return
        replies = self._run.replies
        for question, reply in replies[:-1] if self._last_is_none else replies:
            self._remember(
                Memory(
                    text=reply,
                    at=dt_util.utcnow(),
                    place=self._run.utterance.room,
                    question=question,
                    tainted=self._run.tainted,
                )
            )

    async def _async_request_id(self) -> int | None:
        """Return the id of this run's stored utterance; None if it was not stored."""
        # Shielded, so that the utterance is stored even if the run is cancelled.
        request = await asyncio.shield(self._request) if self._request is not None else None
        return None if request is None else request.id

    def _remember(self, new: Memory) -> asyncio.Task[Memory | None] | None:
        if not _has_words(new.text):
            return None
        # Not a task of the run, so that the text is stored even if the run is cancelled.
        return self._hass.async_create_task(self._async_keep(new), "SAGE remembers")

    async def _async_keep(self, new: Memory) -> Memory | None:
        try:
            return await self._memory.async_remember(self._run.person, new)
        except MemoryStoreError as err:
            _LOGGER.warning("An utterance could not be stored: %s", err)
        return None

    @property
    def _said_at(self) -> datetime:
        return dt_util.as_utc(self._run.utterance.now)

    async def _async_do[**P, T](
        self, call: Callable[Concatenate[PersonMemory, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self._memory.async_do(self._run.person, call, *args, **kwargs)


def _take_hint(memory: PersonMemory) -> bool:
    """Return whether to tell the person that SAGE remembers: only at the first command.

    All later calls for this person return False.
    """
    settings = memory.settings()
    if settings.hinted or not settings.enabled:
        return False
    memory.set_settings(replace(settings, hinted=True))
    return memory.count() <= 1


def _has_words(text: str) -> bool:
    """Return whether the text contains words apart from the placeholder of a removed PIN."""
    rest = clean(text.replace(REDACTED, ""))
    return bool(rest) and (REDACTED not in text or any(each.isalnum() for each in rest))
