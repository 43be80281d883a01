"""Shows the steps of a command in the chat, and records them as a trace.

A trace is a JSON-compatible record of all steps of one command.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from homeassistant.core import HomeAssistant

from ..agent import AskedConfirmation, End, Progress, Run, total_usage, usage_dict
from ..home import (
    Documentation,
    Evidence,
    ExternalAction,
    Outcome,
    Reading,
    RunEvent,
    RunEventKind,
    say_outcomes,
    say_readings,
)
from ..memory import MemoryStoreError, PersonMemory
from ..people import Person
from ..text import Sentences
from .runtime import SageConfigEntry

_LOGGER = logging.getLogger(__name__)


def trace_of(
    run: Run,
    steps: Sequence[dict[str, Any]],
    end: End,
    evidence: Evidence,
    outcomes: Sequence[Mapping[str, Any]],
    *,
    seen: Iterable[str] = (),
    is_silent: bool = False,
) -> dict[str, Any]:
    """Return the trace of a finished run: all its steps, as a JSON-compatible dict.

    - `steps`: all steps of the run, itself first (`steps_of`)
    - `outcomes`: the final outcomes as dicts, with sentences in the person's language
    - `seen`: sentences about what was read, and other steps
    - `is_silent`: whether to leave out all words of the person and of the answer
    """
    root, calls = steps[0], [step for step in steps if step["kind"] == "model"]
    if is_silent:
        root = root | {"arguments": {}, "result": "", "children": []}
    utterance, confirmations = run.utterance, run.record.all(AskedConfirmation)
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
        "seconds": root["seconds"],
        "model_seconds": round(sum(call["seconds"] for call in calls), 3),
        "model_calls": len(calls),
        "usage": usage_dict(total_usage(run.record.entries)),
        "confirmations": [] if is_silent else [asdict(each) for each in confirmations],
        "outcomes": outcomes,
        "external_actions": [action.kind.value for action in evidence.external_actions],
        "reads": evidence.reads,
        "seen": [] if is_silent else list(seen),
        "root": root,
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


async def async_log(entry: SageConfigEntry, person: Person, trace: dict[str, Any]) -> None:
    """Store the trace of a finished command in the person's log."""
    at, summary = datetime.fromisoformat(trace["at"]), summary_of(trace)
    memory = entry.runtime_data.memory
    try:
        await memory.async_do(person, PersonMemory.log, trace["id"], at, summary, trace)
    except MemoryStoreError as err:
        _LOGGER.warning("A command could not be logged: %s", err)


_MOST: Final = 12
"""Maximum number of sentences about one read; an additional sentence counts the omitted values."""


class ChatDetails:
    """Shows each new entry of the record in the chat: commands, values and other steps."""

    def __init__(self, hass: HomeAssistant, run: Run, sentences: Sentences) -> None:
        self._hass = hass
        self._run = run
        self._sentences = sentences
        self._shown: set[str] = set()
        self.seen: dict[str, None] = {}
        """Sentences shown so far, except those about commands, in order."""

    def show(self, entries: Sequence[object]) -> None:
        """Show entries in the chat, except sentences that were already shown."""
        outcomes: list[Outcome] = []
        readings: list[Reading] = []
        steps: list[str] = []
        for entry in entries:
            match entry:
                case Outcome():
                    outcomes.append(entry)
                case Reading() if not isinstance(entry, Documentation):
                    readings.append(entry)
                case ExternalAction() | RunEvent(kind=RunEventKind.ROUTINE_CHANGED):
                    steps.append(entry.text)
                case RunEvent():
                    key = entry.key or f"details_{entry.kind}"
                    steps.append(self._sentences.say(key, tool=entry.text))
        if not (outcomes or readings or steps):
            return
        language = self._run.utterance.language
        values = say_readings(self._hass, self._sentences, readings, language)
        if (more := len(values) - _MOST) > 0:
            counted = self._sentences.say("details_more", count=str(more))
            values = [*values[:_MOST], counted]
        seen = [*values, *filter(None, steps)]
        self.seen |= dict.fromkeys(seen)
        for sentence in (say_outcomes(self._hass, self._sentences, outcomes, language), *seen):
            text = " ".join(sentence.split())
            if text and text not in self._shown:
                self._shown.add(text)
                self._run.port.emit(Progress(text))
