"""Shows the steps of a command in the chat, and records them as a trace.

A trace is a JSON-compatible record of all steps of one command.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from homeassistant.core import HomeAssistant, callback

from ..agent.port import End, EndKind, Progress
from ..agent.run import Run
from ..agent.trace import TraceNode, model_calls, total_usage, usage_dict
from ..home.commands.evidence import ExternalAction
from ..home.commands.outcome_text import say_outcomes
from ..home.commands.reading_text import say_readings
from ..home.home_types import Outcome, Reading
from ..memory.command_log import LoggedCommand
from ..memory.memory_types import MemoryStoreError
from ..memory.person_memory import PersonMemory
from ..people.person import Person
from ..text.speech import Sentences
from .runtime import SageConfigEntry

_LOGGER = logging.getLogger(__name__)


def trace_of(
    run: Run,
    end: End,
    *,
    outcomes: Sequence[Outcome],
    say: Callable[[Sequence[Outcome]], str],
    external_actions: Sequence[ExternalAction] = (),
    reads: int = 0,
    seen: Sequence[str] = (),
    is_silent: bool = False,
) -> dict[str, Any]:
    """Return the trace of a finished run: all its steps, as a JSON-compatible dict.

    - `say`: returns a sentence about outcomes in the person's language
    - `external_actions`: actions outside the home, such as a sent message
    - `reads`: number of reads of the home and of external sources
    - `seen`: sentences about these reads and other steps
    - `is_silent`: whether to leave out all words of the person and of the answer
    """
    calls = model_calls(run.root)
    root = TraceNode(kind="agent", name=run.root.name) if is_silent else run.root
    utterance = run.utterance
    fired = utterance.routine
    return {
        "id": run.id,
        "at": utterance.now.isoformat(),
        "conversation_id": utterance.conversation_id,
        "command": "" if is_silent else utterance.text,
        "answer": "" if is_silent else end.text,
        "kind": end.kind.value,
        "routine": None if fired is None or is_silent else fired.when,
        "routine_id": None if fired is None or is_silent else fired.id,
        "seconds": round(run.root.seconds, 3),
        "model_seconds": round(sum(call.seconds for call in calls), 3),
        "model_calls": len(calls),
        "usage": usage_dict(total_usage(run.root)),
        "confirmations": [] if is_silent else [asdict(each) for each in run.confirmations],
        "outcomes": [outcome.as_dict() | {"sentence": say([outcome])} for outcome in outcomes],
        "external_actions": [action.kind.value for action in external_actions],
        "reads": reads,
        "seen": [] if is_silent else list(seen),
        "root": root.as_dict(),
    }


_LISTED: Final = (
    "id",
    "at",
    "conversation_id",
    "command",
    "answer",
    "kind",
    "routine",
    "routine_id",
    "seconds",
    "model_calls",
    "usage",
)


def summary_of(trace: Mapping[str, Any]) -> dict[str, Any]:
    """Return the short form of a command's trace (`trace_of`), for lists of commands."""
    return {
        **{key: trace[key] for key in _LISTED},
        "outcomes": [
            {key: each[key] for key in ("name", "kind", "sentence")} for each in trace["outcomes"]
        ],
        "confirmations": len(trace["confirmations"]),
    }


@callback
def async_note_trace(
    hass: HomeAssistant, entry: SageConfigEntry, person: Person, trace: dict[str, Any]
) -> None:
    """Store a finished command's trace in RAM and in the command log of `person`."""
    entry.runtime_data.runs.note_trace(person, trace)
    # The person replied to a question with a new request, which is logged as its own command.
    if trace["kind"] == EndKind.NEW_REQUEST and not trace["outcomes"]:
        return
    command = LoggedCommand(
        run=trace["id"],
        at=datetime.fromisoformat(trace["at"]),
        summary=summary_of(trace),
        trace=trace,
    )
    # Use a separate task, so that the command is stored even if the run is cancelled.
    hass.async_create_task(_async_log(entry, person, command), "SAGE logs a command")


async def _async_log(entry: SageConfigEntry, person: Person, command: LoggedCommand) -> None:
    try:
        await entry.runtime_data.memory.async_do(person, PersonMemory.log, command)
    except MemoryStoreError as err:
        _LOGGER.warning("A command could not be logged: %s", err)


async def async_has_person(hass: HomeAssistant, run: Run) -> bool:
    """Return whether the user who gave the command still exists; True for an unknown speaker.

    If False, store nothing about the command.
    """
    user_id = run.person.user_id
    return user_id is None or await hass.auth.async_get_user(user_id) is not None


_MOST: Final = 12
"""Maximum number of sentences about one read; an additional sentence counts the omitted values."""


class ChatDetails:
    """Shows in the chat which commands a run executed and which values it read.

    Implements the protocol `evidence.EvidenceDisplay`.
    """

    def __init__(self, hass: HomeAssistant, run: Run, sentences: Sentences) -> None:
        self._hass = hass
        self._run = run
        self._sentences = sentences
        self._shown: set[str] = set()
        self._seen: list[str] = []

    @property
    def seen(self) -> Sequence[str]:
        """Sentences shown so far, except those about commands."""
        return tuple(dict.fromkeys(self._seen))

    def show_outcomes(self, outcomes: Sequence[Outcome]) -> None:
        """Show the outcomes of commands in the chat."""
        language = self._run.utterance.language
        self._show([say_outcomes(self._hass, self._sentences, outcomes, language)])

    def show_readings(self, readings: Sequence[Reading]) -> None:
        """Show values that were read in the home; long lists are shortened."""
        language = self._run.utterance.language
        said = say_readings(self._hass, self._sentences, readings, language)
        more = len(said) - _MOST
        counted = [self._sentences.say("details_more", count=str(more))] if more > 0 else []
        self._see([*said[:_MOST], *counted])

    def show_sentence(self, key: str, **placeholders: str) -> None:
        """Show the sentence with the translation key `key`."""
        self._see([self._sentences.say(key, **placeholders)])

    def show_text(self, text: str) -> None:
        """Show a text that is already in the person's language."""
        self._see([text])

    def _see(self, said: Sequence[str]) -> None:
        """Keep the sentences about the progress for the trace, and show them in the chat."""
        self._seen += said
        self._show(said)

    def _show(self, said: Iterable[str]) -> None:
        """Show the sentences in the chat, except those that were already shown."""
        for each in said:
            text = " ".join(each.split())
            if text and text not in self._shown:
                self._shown.add(text)
                self._run.port.emit(Progress(text))
