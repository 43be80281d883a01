"""Access to a person's memory for the tools that process one command of this person."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Concatenate

from homeassistant.util import dt as dt_util

from ..agent import Run
from ..home import RunEvent, RunEventKind
from ..memory import LongTermMemory, Memory, Origin, PersonMemory, Recollection, Sentence


@dataclass(frozen=True, slots=True)
class RunMemory:
    """Access to the memory of one person while one command of this person is processed.

    What tools recall, store and delete goes to the record of the run. All methods raise
    MemoryStoreError.
    """

    _memory: LongTermMemory
    _run: Run

    async def async_recollect(self, question: str) -> Recollection:
        """Return profile and matching memories, without an earlier request in the same words."""
        said = self._run.utterance.text
        recollection = await self._memory.of(self._person).async_recollect(question, besides=said)
        self._note(RunEventKind.RECALLED)
        return recollection

    async def async_find(self, topic: str) -> tuple[Memory, ...]:
        """Return the memories about a topic."""
        memories = await self._memory.of(self._person).async_find(topic)
        self._note(RunEventKind.RECALLED)
        return memories

    async def async_look[**P, T](
        self, call: Callable[Concatenate[PersonMemory, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return the result of `call`, a method such as `PersonMemory.known`, for the person."""
        result = await self._memory.of(self._person).async_run(call, *args, **kwargs)
        self._note(RunEventKind.RECALLED)
        return result

    async def async_source(self, text: str, sentences: Sequence[Sentence]) -> Sentence | None:
        """Return the sentence of the conversation that a text to remember repeats, or None."""
        return await self._memory.of(self._person).async_source(text, sentences)

    async def async_remember(
        self, text: str, origin: Origin, *, tainted: bool, question: str | None = None
    ) -> Memory | None:
        """Store the fact `text` and return it as a memory; None if memory is switched off.

        `tainted`: whether untrusted text, such as a mail, may have caused the fact. `question`:
        the question that it answers.

        The utterance of this run is then not stored, unless the person has replied to a question in
        this run.
        """
        utterance = self._run.utterance
        at = dt_util.as_utc(utterance.now)
        fact = Memory(
            text=text,
            at=at,
            place=utterance.room,
            origin=origin,
            question=question,
            tainted=tainted,
        )
        stored = await self._memory.of(self._person).async_remember(fact)
        if stored is not None:
            self._note(RunEventKind.MEMORY_CHANGED)
        return stored

    async def async_set_enabled(self, *, enabled: bool) -> None:
        """Switch the memory of the person on or off."""
        await self._memory.of(self._person).async_run(PersonMemory.change_settings, enabled=enabled)
        self._note(RunEventKind.MEMORY_SWITCHED, "details_kept")

    async def async_forget(self, call: Callable[[PersonMemory], int]) -> None:
        """Delete memories by `call`, such as `PersonMemory.forget_all`."""
        await self._memory.of(self._person).async_run(call)
        self._note(RunEventKind.FORGOTTEN, "details_kept")

    def _note(self, kind: RunEventKind, key: str = "") -> None:
        self._run.record.add(RunEvent(kind=kind, key=key))

    @property
    def _person(self) -> str | None:
        return self._run.person.user_id
