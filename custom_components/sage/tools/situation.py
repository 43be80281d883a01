"""What the tools of one run share, and its description in prompts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..agent.example_turns import turns_of
from ..agent.formats import Example
from ..agent.run import Run
from ..delivery.open_questions import OpenQuestion
from ..home.commands.evidence import Evidence
from ..home.commands.outcome_text import say_outcomes
from ..home.commands.undo_history import UndoHistory
from ..home.home import Home
from ..home.home_types import Outcome, Reading
from ..home.rendering import render_documentation
from ..home.state_summary import states_by_kind, states_of_documents
from ..memory.long_term_memory import LongTermMemory
from ..routines.routine_types import Status
from ..routines.routines import Routines, Watched
from ..text.speech import Sentences
from .confirmation import RunAuthority
from .routines.condition_code import Conditions
from .routines.routine_words import RoutineWords
from .run_memory import RunMemory

_EXCHANGES = 4
"""Earlier turns in the prompt."""
_EXCHANGE_CHARACTERS = 300
_RECENT = 2
"""Latest turns whose devices the request may mean without naming them."""

_MEANT = "Devices the request may mean, with their documentation and current values, read just now:"
_MORE = "{number} more fit. A group holds them, too; for single ones of them `device_interaction`."
_DIRECT = (
    "If these are all it means and it is for now: `execute_command`, final true, and `finish` in "
    "one reply, `finish` alone for a question."
)
"""Repeated at the end of the prompt; without it small models do not use the direct way."""
_ROUTINES = 8
"""Most routines in the prompt; the tool lists the others."""

_ASKS = (
    'A routine asks the person: "{question}" If the request answers that: `routines`, action '
    "answer, final true."
)
_MESSAGE = (
    "The moment to say it has come: `finish` with kind `answered` and the words for the person. "
    "Only if it asks for something, find that out first."
)
"""Without it, a model would set up a due "remind me" again."""

_UNREADABLE = "What is set up for later cannot be read now, is not known and not watched:"
_SOME_UNREADABLE = "routines of the home cannot be read, are not known and not watched."


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A run and the parts of SAGE that its tools may use."""

    hass: HomeAssistant
    run: Run
    home: Home
    memory: LongTermMemory
    routines: Routines
    said: RunMemory
    """Stores what the person says in this run."""

    evidence: Evidence
    authority: RunAuthority
    undo: UndoHistory
    sentences: Sentences
    llm_context: llm.LLMContext
    asked: OpenQuestion | None = None
    """The question of a routine that the request may answer in words."""

    conditions: Conditions = field(default_factory=Conditions)
    """The condition code that was written in this run."""

    def prompt(self, name: str) -> str:
        """Return the text `name` of the prompts."""
        return self.run.settings.prompts[name]

    @property
    def shows_turns(self) -> bool:
        """Whether examples are turns: for small models, in formats that are plain text."""
        settings = self.run.settings
        is_text = settings.decision_format.name != "native"
        return settings.confuses_later and is_text and not settings.paper_flow

    def turns(self, name: str) -> tuple[Example, ...]:
        """Return the example turns `name` of the prompts; none for models that need none."""
        return tuple(turns_of(self.prompt(name))) if self.shows_turns else ()

    async def async_read_earlier(
        self, devices: Iterable[str], attributes: Sequence[str] | None = None
    ) -> tuple[Reading, ...]:
        """Return and record the values of devices before their last change. Raises HomeError."""
        changed = self.undo.changed(self.run.person, self.run.utterance.conversation_id)
        readings = await self.home.async_read_earlier(
            self.run.person, devices, attributes, (*changed, *self.evidence.outcomes)
        )
        self.evidence.record_reads(readings)
        return readings

    async def async_request_text(self, request: str) -> str:
        """Return the part of SAGE's prompt that changes from turn to turn."""
        fired = self.run.utterance.routine
        routines = [] if fired or self.run.settings.paper_flow else self._set_up()
        if self.asked is not None:
            routines.append(_ASKS.format(question=self.asked.text))
        is_told = fired is not None and fired.tells
        has_direct = not (self.run.settings.paper_flow or is_told)
        meant = await self._async_meant(request) if has_direct else []
        lines = [*self._here_and_now(), *routines, *self._earlier(), *meant, f"Request: {request}"]
        # For a command, the prompt omits the condition: a small model would wait for it again.
        if fired is not None and is_told:
            lines.append(f"{_MESSAGE} Just now: {fired.when}.")
        return "\n".join(lines)

    async def _async_meant(self, request: str) -> list[str]:
        """Return the documentation of the devices that the request may mean, if there are any."""
        utterance = self.run.utterance
        recent = [name for each in utterance.earlier[-_RECENT:] for name in each.devices]
        documents, more = await self.home.async_document_meant(
            self.run.person,
            request,
            language=utterance.language,
            room=utterance.room,
            recent=recent,
        )
        if not documents:
            return []
        self.evidence.record_documents(documents, is_unasked=True)
        lines = [_MEANT, render_documentation(documents, texts_by="device_interaction")]
        lines += states_by_kind(states_of_documents(documents))
        return [*lines, *([_MORE.format(number=more)] if more else []), _DIRECT]

    def task_text(self, task: str, *, with_request: bool = True) -> str:
        """Return the changing part of the prompt of an inner agent-tool; SAGE has worded `task`.

        It also contains what was done last, and the request if it differs from the task.
        """
        utterance = self.run.utterance
        lines = self._here_and_now()
        done = [each for each in utterance.earlier if each.done][-1:]
        lines += [f'Before: "{_short(each.said)}": {_short(each.done)}' for each in done]
        if with_request and task.strip() != utterance.text.strip():
            lines.append(f'The person said: "{utterance.text}"')
        return "\n".join([*lines, f"Task: {task}"])

    def _here_and_now(self) -> list[str]:
        utterance = self.run.utterance
        lines = [f"Time: {utterance.now:%A %Y-%m-%d %H:%M}"]
        if utterance.room:
            lines.append(f"The person is in: {utterance.room}")
        name = utterance.person.name if utterance.person.is_known else "not known"
        lines.append(f"Person: {name}. Their language: {utterance.language}.")
        if utterance.extra_prompt:
            lines.append(utterance.extra_prompt)
        return lines

    def own_routines(self) -> dict[int, Watched]:
        """Return the person's routines that have not ended, by the numbers of their switches.

        Raises RoutineStoreError while they cannot be read.
        """
        return {
            each.routine.number: each
            for each in self.routines.list(self.run.person.user_id)
            if each.routine.status is not Status.ENDED
        }

    def say_outcomes(self, outcomes: Sequence[Outcome]) -> str:
        """Return the outcomes of commands as sentences for the person."""
        return say_outcomes(self.hass, self.sentences, outcomes, self.run.utterance.language)

    def routine_words(self) -> RoutineWords:
        """Return the wording of routines for the person at this moment."""
        return RoutineWords(self.sentences, self.run.utterance.now)

    def _set_up(self) -> list[str]:
        """Return the newest routines of the person that cannot contain untrusted text."""
        if self.routines.trouble is not None:
            return [f"{_UNREADABLE} {self.routines.trouble}"]
        unreadable = len(self.routines.unreadable)
        lost = [f"{unreadable} {_SOME_UNREADABLE}"] if unreadable else []
        own = self.own_routines()
        if not own:
            return lost
        trusted = {number: each for number, each in own.items() if not each.routine.tainted}
        shown = sorted(trusted.items())[-_ROUTINES:]
        words = self.routine_words()
        lines = [f"{number}. {_short(words.listed(each))}" for number, each in shown]
        if more := len(own) - len(shown):
            lines.append(f"and {more} more: `routines`, action list, final false")
        return ["Set up for later by the person:", *lines, *lost]

    def _earlier(self) -> list[str]:
        exchanges = self.run.utterance.earlier[-_EXCHANGES:]
        if not exchanges:
            return []
        lines = ["Earlier in this conversation:"]
        for exchange in exchanges:
            lines.append(f"- Person: {_short(exchange.said)}")
            if exchange.done:
                lines.append(f"  Done: {_short(exchange.done)}")
            lines.append(f"  SAGE: {_short(exchange.answered)}")
        return lines


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _EXCHANGE_CHARACTERS else f"{flat[:_EXCHANGE_CHARACTERS]} ..."
