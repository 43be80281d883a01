"""Access to a person's memory while one command of this person is processed.

SAGE stores the utterance and the replies. Tools recall, store and delete memories.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Concatenate, Final

from homeassistant.components.person.const import DOMAIN as PERSON_DOMAIN
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..agent import Run
from ..home import RunEvent, RunEventKind
from ..memory import (
    AsyncPersonMemory,
    LongTermMemory,
    Memory,
    MemoryStoreError,
    Origin,
    PersonMemory,
    Recollection,
    clean,
)
from ..people import REDACTED

_LOGGER = logging.getLogger(__name__)

_USER_OF_PERSON: Final = "user_id"
"""Attribute of a person entity with the id of its Home Assistant user."""


class RunMemory:
    """Access to the memory of one person while one command of this person is processed.

    What tools recall, store and delete goes to the record of the run. PINs and replies to
    confirmations never reach this class.
    """

    def __init__(self, hass: HomeAssistant, memory: LongTermMemory, run: Run) -> None:
        self._hass = hass
        self._memory = memory
        self._run = run
        self._has_told = False
        """Whether a fact was stored at the person's request."""

        self.has_forgotten = False
        """Whether memories were deleted for the current command, at the person's request."""

        self._last_is_none = False

    # ------------------------------------------------------------- for tools

    async def async_recollect(self, question: str) -> Recollection:
        """Return the profile and the memories that match a question. Raises MemoryStoreError.

        An earlier request in the same words is left out: it does not answer itself.
        """
        found = await self._own.async_recollect(question)
        self._note(RunEventKind.RECALLED)
        said = clean(self._run.utterance.text)
        return replace(found, memories=tuple(each for each in found.memories if each.text != said))

    async def async_find(self, topic: str) -> tuple[Memory, ...]:
        """Return the memories about a topic. Raises MemoryStoreError."""
        found = await self._own.async_find(topic)
        self._note(RunEventKind.RECALLED)
        return found

    async def async_look[**P, T](
        self, call: Callable[Concatenate[PersonMemory, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return the result of `call`, a method such as `PersonMemory.known`, for the person.

        Raises MemoryStoreError.
        """
        found = await self._async_do(call, *args, **kwargs)
        self._note(RunEventKind.RECALLED)
        return found

    async def async_remember(self, text: str, origin: Origin, *, tainted: bool) -> Memory | None:
        """Store the fact `text` and return it as a memory; None if memory is switched off.

        `tainted`: whether untrusted text, such as a mail, may have caused the fact.

        The utterance of this run is then not stored, unless the person has replied to a question in
        this run. Raises MemoryStoreError.
        """
        fact = self._said(text, origin, tainted=tainted)
        stored = await self._own.async_remember(fact)
        if stored is None:
            return None
        self._has_told = True
        self._note(RunEventKind.MEMORY_CHANGED)
        return stored

    async def async_set_enabled(self, *, enabled: bool) -> None:
        """Switch the memory of the person on or off. Raises MemoryStoreError."""
        await self._async_do(PersonMemory.change_settings, enabled=enabled)
        self._note(RunEventKind.MEMORY_CHANGED)

    async def async_forget[**P](
        self, call: Callable[Concatenate[PersonMemory, P], int], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Delete memories by calling `call`, a method such as `PersonMemory.forget_period`.

        `args` and `kwargs` are passed to `call`. Raises MemoryStoreError.
        """
        await self._async_do(call, *args, **kwargs)
        self.has_forgotten = True
        self._note(RunEventKind.MEMORY_CHANGED)

    def _note(self, kind: RunEventKind) -> None:
        self._run.record.add(RunEvent(kind=kind))

    # ------------------------------------------------------------- for the run

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
        if not is_here or self.has_forgotten or self._run.utterance.routine is not None:
            return False
        try:
            return await self._async_do(_take_hint)
        except MemoryStoreError:
            return False

    def drop_last_reply(self) -> None:
        """Do not store the person's last reply, because it was a new request.

        Call this before `end`, which stores the replies.
        """
        self._last_is_none = True

    def end(self, *, is_request: bool) -> None:
        """Start to store the person's utterance, and the replies to the questions of this command.

        Background tasks store them. Stores nothing if memories were deleted, since the words may
        mention their topic, and nothing for a routine: another person may have replied at a voice
        satellite.

        `is_request`: the utterance was about the moment, and is not a fact about the person.
        """
        utterance, replies = self._run.utterance, self._run.replies
        if self.has_forgotten or utterance.routine is not None:
            return
        # A fact that was stored may come from a reply.
        if replies or not self._has_told:
            origin = Origin.REQUEST if is_request else Origin.SAID
            self._remember(self._said(utterance.text, origin, tainted=utterance.is_untrusted))
        for replied in replies[:-1] if self._last_is_none else replies:
            self._remember(
                Memory(
                    text=replied.reply,
                    at=dt_util.utcnow(),
                    place=utterance.room,
                    question=replied.question,
                    tainted=self._run.record.is_tainted,
                )
            )

    def _said(self, text: str, origin: Origin, *, tainted: bool) -> Memory:
        utterance = self._run.utterance
        at = dt_util.as_utc(utterance.now)
        return Memory(text=text, at=at, place=utterance.room, origin=origin, tainted=tainted)

    def _remember(self, new: Memory) -> None:
        # More than the placeholder of a removed PIN.
        words = clean(new.text.replace(REDACTED, ""))
        if words and (REDACTED not in new.text or any(each.isalnum() for each in words)):
            # Not a task of the run, so that the text is stored even if the run is cancelled.
            self._hass.async_create_task(self._async_keep(new), "SAGE remembers")

    async def _async_keep(self, new: Memory) -> None:
        try:
            await self._own.async_remember(new)
        except MemoryStoreError as err:
            _LOGGER.warning("An utterance could not be stored: %s", err)

    @property
    def _own(self) -> AsyncPersonMemory:
        """The memory of the person. Raises MemoryStoreError after SAGE has stopped."""
        return self._memory.of(self._run.person.user_id)

    async def _async_do[**P, T](
        self, call: Callable[Concatenate[PersonMemory, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return await self._own.async_run(call, *args, **kwargs)


def _take_hint(memory: PersonMemory) -> bool:
    """Return whether to tell the person that SAGE remembers: only at the first command.

    All later calls for this person return False.
    """
    settings = memory.settings()
    if settings.hinted or not settings.enabled:
        return False
    memory.change_settings(hinted=True)
    return memory.count() <= 1
