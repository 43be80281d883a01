"""Stores what a person says in a run: the utterance, and replies with their questions."""

import asyncio
import contextlib
import logging

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..agent.run import Run
from ..delivery.open_questions import questions_of
from ..memory.long_term_memory import LongTermMemory
from ..memory.memory_errors import MemoryStoreError
from ..memory.memory_types import Memory, NewMemory
from ..memory.person_memory import PersonMemory
from ..memory.rows import clean
from ..people.pin import REDACTED

_LOGGER = logging.getLogger(__name__)


class RunMemory:
    """Stores what was said in one run, for the person of the run.

    PINs and confirmations do not reach this class.
    """

    def __init__(self, hass: HomeAssistant, memory: LongTermMemory, run: Run) -> None:
        """Keep the run."""
        self._hass = hass
        self._memory = memory
        self._run = run
        self._request: asyncio.Task[Memory | None] | None = None
        self._has_forgotten = False
        self._last_is_none = False

    @property
    def has_forgotten(self) -> bool:
        """Whether the person had something forgotten in this run."""
        return self._has_forgotten

    def begin(self) -> None:
        """Start to store the utterance in the background; not for the command of a routine."""
        utterance = self._run.utterance
        if utterance.routine is not None:
            return
        self._request = self._remember(
            NewMemory(
                text=utterance.text,
                at=dt_util.as_utc(utterance.now),
                place=utterance.room,
            )
        )

    async def async_remember(self, fact: NewMemory) -> Memory | None:
        """Store a fact in place of the utterance; None if the person has switched memory off.

        If the person has replied to a question, the reply may contain the fact, so the
        utterance is kept. Raises MemoryStoreError.
        """
        said = None if self._run.replies else await self.async_request_id()
        kept = await self._memory.async_remember(self._run.person, fact, instead_of=said)
        if kept is not None and said is not None:
            self._request = None
        return kept

    def mark_request(self) -> None:
        """Mark the utterance as a request about the moment, without a fact about the person."""
        if self._request is not None:
            self._hass.async_create_task(self._async_mark(self._request), "SAGE marks a request")

    async def _async_mark(self, request: asyncio.Task[Memory | None]) -> None:
        if (memory := await request) is None:
            return
        at = dt_util.as_utc(self._run.utterance.now)
        # If this fails, the utterance counts as an ordinary memory.
        with contextlib.suppress(MemoryStoreError):
            await self._memory.async_do(self._run.person, PersonMemory.mark_request, memory.id, at)

    def drop_last_reply(self) -> None:
        """Drop the last reply, because it was a new request."""
        self._last_is_none = True

    def end(self) -> None:
        """Store the replies.

        Not in a run that had something forgotten, since replies may name it; and not what an
        unknown speaker said at a satellite where a routine asked.
        """
        if self._has_forgotten:
            return
        replies = self._run.replies
        for question, reply in replies[:-1] if self._last_is_none else replies:
            if not self._is_own(question):
                continue
            self._remember(
                NewMemory(
                    text=reply,
                    at=dt_util.utcnow(),
                    place=self._run.utterance.room,
                    question=question,
                    tainted=self._run.tainted,
                )
            )

    async def async_request_id(self) -> int | None:
        """Return the id of the stored utterance, None if it was not stored."""
        # Shielded: it is stored even if the run is cancelled.
        request = await asyncio.shield(self._request) if self._request is not None else None
        return None if request is None else request.id

    async def async_forget(self) -> None:
        """Delete what was said in this run, since it names what the person had forgotten.

        Raises MemoryStoreError.
        """
        self._has_forgotten = True
        if (request_id := await self.async_request_id()) is not None:
            await self._memory.async_do(self._run.person, PersonMemory.forget, [request_id])

    def _is_own(self, question: str) -> bool:
        """Return whether the reply to a question certainly came from the person.

        For an unknown speaker everything belongs to the household.
        """
        utterance = self._run.utterance
        if utterance.routine is None or not self._run.person.is_known:
            return True
        return questions_of(self._hass).is_from_person(utterance.context.id, question)

    def _remember(self, new: NewMemory) -> asyncio.Task[Memory | None] | None:
        if not _has_words(new.text):
            return None
        # Not a task of the run: it is stored even if the run is cancelled.
        return self._hass.async_create_task(self._async_keep(new), "SAGE remembers")

    async def _async_keep(self, new: NewMemory) -> Memory | None:
        try:
            return await self._memory.async_remember(self._run.person, new)
        except MemoryStoreError as err:
            _LOGGER.warning("What was said could not be remembered: %s", err)
        return None


def _has_words(text: str) -> bool:
    """Return whether the text contains words other than a removed PIN."""
    rest = clean(text.replace(REDACTED, ""))
    return bool(rest) and (REDACTED not in text or any(each.isalnum() for each in rest))
