"""What a person says in a run becomes memory: the utterance, and replies with their questions."""

import asyncio
import contextlib
import logging

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from .agent.run import Run
from .delivery.open_questions import questions_of
from .memory.errors import MemoryStoreError
from .memory.folding import clean
from .memory.long_term_memory import LongTermMemory
from .memory.model import Memory, NewMemory
from .memory.person_memory import PersonMemory
from .people.pin_redaction import REDACTED

_LOGGER = logging.getLogger(__name__)


class RunMemory:
    """Remembers what was said in one run, for the person of the run.

    Neither a PIN nor a yes or no to the code gets here: they are consumed before.
    """

    def __init__(self, hass: HomeAssistant, memory: LongTermMemory, run: Run) -> None:
        """Keep whose words these are."""
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
        """Remember the utterance, while the run goes on; the command of a routine nobody said."""
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
        """Remember a fact instead of the utterance that told it; None if the person does not want.

        Where the person has replied to a question, a reply may have told it: the utterance
        stays. Raises MemoryStoreError.
        """
        said = None if self._run.replies else await self.async_request_id()
        kept = await self._memory.async_remember(self._run.person, fact, instead_of=said)
        if kept is not None and said is not None:
            self._request = None
        return kept

    def mark_request(self) -> None:
        """Take note that the utterance was about the home at that moment, and told no fact."""
        if self._request is not None:
            self._hass.async_create_task(self._async_mark(self._request), "SAGE marks a request")

    async def _async_mark(self, request: asyncio.Task[Memory | None]) -> None:
        if (memory := await request) is None:
            return
        at = dt_util.as_utc(self._run.utterance.now)
        # Where it cannot be noted, the utterance stays as any other.
        with contextlib.suppress(MemoryStoreError):
            await self._memory.async_do(self._run.person, PersonMemory.mark_request, memory.id, at)

    def drop_last_reply(self) -> None:
        """Take note that the last reply was no reply, but a request of its own."""
        self._last_is_none = True

    def end(self) -> None:
        """Remember the replies.

        In a run that had something forgotten they may name it, so nothing of them is kept.
        Nor is what somebody unknown said at a satellite where a routine asked.
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
        """Return the id of the memory of the utterance itself, None if it was not kept."""
        # Shielded: it is kept even if the run is broken off meanwhile.
        request = await asyncio.shield(self._request) if self._request is not None else None
        return None if request is None else request.id

    async def async_forget(self) -> None:
        """Forget what is said in this run: it names what the person had forgotten.

        Raises MemoryStoreError.
        """
        self._has_forgotten = True
        if (request_id := await self.async_request_id()) is not None:
            await self._memory.async_do(self._run.person, PersonMemory.forget, [request_id])

    def _is_own(self, question: str) -> bool:
        """Tell whether the reply to a question may be taken for words of the person.

        Where nobody is known, all that is said is the household's.
        """
        utterance = self._run.utterance
        if utterance.routine is None or not self._run.person.is_known:
            return True
        return questions_of(self._hass).is_from_person(utterance.context.id, question)

    def _remember(self, new: NewMemory) -> asyncio.Task[Memory | None] | None:
        if not _has_words(new.text):
            return None
        # Not a task of the run: what was said is kept even if the run is broken off.
        return self._hass.async_create_task(self._async_keep(new), "SAGE remembers")

    async def _async_keep(self, new: NewMemory) -> Memory | None:
        try:
            return await self._memory.async_remember(self._run.person, new)
        except MemoryStoreError as err:
            _LOGGER.warning("What was said could not be remembered: %s", err)
        return None


def _has_words(text: str) -> bool:
    """Tell whether there is anything to remember, besides a PIN that was taken out."""
    rest = clean(text.replace(REDACTED, ""))
    return bool(rest) and (REDACTED not in text or any(each.isalnum() for each in rest))
