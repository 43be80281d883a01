"""The two views of a run for its person: details in the chat, and the trace."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from homeassistant.core import HomeAssistant

from ..agent.run import End, Progress, Run
from ..agent.trace import TraceNode, model_calls, total_usage, usage_dict
from ..home.commands.outcome_text import say_outcomes, say_readings
from ..home.home_types import Outcome, Reading
from ..text.speech import Sentences


def trace_of(
    run: Run, end: End, *, outcomes: Sequence[Outcome], reads: int = 0, is_silent: bool = False
) -> dict[str, Any]:
    """Return the trace of a finished run as JSON; without any text if `is_silent`.

    `reads` counts how often the home was read. Seconds are wall time.
    """
    calls = model_calls(run.root)
    root = TraceNode(kind="agent", name=run.root.name) if is_silent else run.root
    return {
        "id": run.id,
        "conversation_id": run.utterance.conversation_id,
        "command": "" if is_silent else run.utterance.text,
        "answer": "" if is_silent else end.text,
        "kind": end.kind.value,
        "seconds": round(run.root.seconds, 3),
        "model_seconds": round(sum(call.seconds for call in calls), 3),
        "model_calls": len(calls),
        "usage": usage_dict(total_usage(run.root)),
        "outcomes": [outcome.as_dict() for outcome in outcomes],
        "reads": reads,
        "root": root.as_dict(),
    }


async def async_has_person(hass: HomeAssistant, run: Run) -> bool:
    """Return whether the user of the run still exists; True for the household.

    Nothing about a removed user may be stored.
    """
    user_id = run.person.user_id
    return user_id is None or await hass.auth.async_get_user(user_id) is not None


_MOST: Final = 12
"""Maximum number of sentences about one read; a last sentence counts the others."""

_MARKUP: Final = re.compile(r"[\\`*_\[\]<>#!|~]")
"""Markdown characters, which are escaped: names and values may be untrusted."""


class ChatDetails:
    """Shows each new item of evidence in the chat (`evidence.EvidenceDisplay`)."""

    def __init__(self, hass: HomeAssistant, run: Run, sentences: Sentences) -> None:
        self._hass = hass
        self._run = run
        self._sentences = sentences
        self._shown: set[str] = set()

    def show_outcomes(self, outcomes: Sequence[Outcome]) -> None:
        """Show outcomes of commands."""
        language = self._run.utterance.language
        self._show([say_outcomes(self._hass, self._sentences, outcomes, language)])

    def show_readings(self, readings: Sequence[Reading]) -> None:
        """Show values that were read."""
        language = self._run.utterance.language
        said = say_readings(self._hass, self._sentences, readings, language)
        more = len(said) - _MOST
        counted = [self._sentences.say("details_more", count=str(more))] if more > 0 else []
        self._show([*said[:_MOST], *counted])

    def show_sentence(self, key: str, **placeholders: str) -> None:
        """Show the translated sentence with the key `key`."""
        self._show([self._sentences.say(key, **placeholders)])

    def show_text(self, text: str) -> None:
        """Show a text that is already in the person's language."""
        self._show([text])

    def _show(self, said: Iterable[str]) -> None:
        """Show each sentence that was not shown before."""
        for each in said:
            text = _MARKUP.sub(r"\\\g<0>", " ".join(each.split()))
            if text and text not in self._shown:
                self._shown.add(text)
                self._run.port.emit(Progress(text))
