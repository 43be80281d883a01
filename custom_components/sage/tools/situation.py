"""What the tools of one run share, and its description in prompts."""

from collections.abc import Sequence
from dataclasses import dataclass

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..agent.example_turns import turns_of
from ..agent.formats import Example
from ..agent.run import Run
from ..home.commands.evidence import Evidence
from ..home.commands.outcome_text import say_outcomes
from ..home.home_types import Outcome
from ..home.rendering import render_documentation
from ..home.run_home import RunHome
from ..home.state_summary import states_by_kind, states_of_documents
from ..text.speech import Sentences
from .confirmation import RunAuthority
from .routines.run_routines import RunRoutines
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
    """A run and the parts of SAGE that its tools may use.

    `home`, `memory` and `routines` are those of its person, and record all use in the evidence.
    """

    hass: HomeAssistant
    run: Run
    home: RunHome
    memory: RunMemory
    routines: RunRoutines
    evidence: Evidence
    authority: RunAuthority
    sentences: Sentences
    llm_context: llm.LLMContext

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

    async def async_request_text(self, request: str) -> str:
        """Return the part of SAGE's prompt that changes from turn to turn."""
        fired = self.run.utterance.routine
        routines = [] if fired or self.run.settings.paper_flow else self._set_up()
        if self.routines.question is not None:
            routines.append(_ASKS.format(question=self.routines.question))
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
        latest = self.run.utterance.earlier[-_RECENT:]
        recent = [name for each in latest for name in each.devices]
        documents, more = await self.home.async_document_meant(request, recent)
        if not documents:
            return []
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

    def say_outcomes(self, outcomes: Sequence[Outcome]) -> str:
        """Return the outcomes of commands as sentences for the person."""
        return say_outcomes(self.hass, self.sentences, outcomes, self.run.utterance.language)

    def _set_up(self) -> list[str]:
        """Return the newest routines of the person, and why some are not known."""
        if self.routines.trouble is not None:
            return [f"{_UNREADABLE} {self.routines.trouble}"]
        unreadable = self.routines.unreadable
        lost = [f"{unreadable} {_SOME_UNREADABLE}"] if unreadable else []
        listed, more = self.routines.listed(_ROUTINES)
        if not listed and not more:
            return lost
        lines = [f"{number}. {_short(words)}" for number, words in listed.items()]
        if more:
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
