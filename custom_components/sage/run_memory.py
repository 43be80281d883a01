"""What a person says in a run becomes memory: the utterance, and replies with their questions."""

import logging

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from .agent.run import Run
from .memory.errors import MemoryStoreError
from .memory.long_term_memory import LongTermMemory
from .memory.model import NewMemory

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

    def begin(self) -> None:
        """Remember the utterance, while the run goes on."""
        self._remember(self._run.utterance.text, None)

    def end(self, *, is_new_request: bool) -> None:
        """Remember the replies; the last one is none if it was another request."""
        replies = self._run.replies[:-1] if is_new_request else self._run.replies
        for question, reply in replies:
            self._remember(reply, question)

    def _remember(self, text: str, question: str | None) -> None:
        if not text.strip():
            return
        utterance = self._run.utterance
        new = NewMemory(
            text=text,
            at=dt_util.as_utc(utterance.now) if question is None else dt_util.utcnow(),
            place=utterance.room,
            question=question,
            tainted=self._run.tainted,
        )
        # Not a task of the run: what was said is kept even if the run is broken off.
        self._hass.async_create_task(self._async_keep(new), "SAGE remembers")

    async def _async_keep(self, new: NewMemory) -> None:
        try:
            await self._memory.async_remember(self._run.person, new)
        except MemoryStoreError as err:
            _LOGGER.warning("What was said could not be remembered: %s", err)
        except ValueError:
            _LOGGER.debug("Nothing to remember: no words")
