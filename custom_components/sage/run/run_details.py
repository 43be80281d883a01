"""Shows in the chat, under *Show details*, what a run does and reads."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from homeassistant.core import HomeAssistant

from ..agent.port import Progress
from ..agent.run import Run
from ..home.commands.outcome_text import say_outcomes, say_readings
from ..home.home_types import Outcome, Reading
from ..text.speech import Sentences

_MOST: Final = 12
"""Most sentences for one read; the rest is counted."""

_MARKUP: Final = re.compile(r"[\\`*_\[\]<>#!|~]")
"""Markdown signs: the chat renders them, and names and values may be untrusted."""


class RunDetails:
    """Shows new entries of the record in the chat; implements `home.evidence.Witness`."""

    def __init__(self, hass: HomeAssistant, run: Run, sentences: Sentences) -> None:
        """Use the language of `sentences`."""
        self._hass = hass
        self._run = run
        self._sentences = sentences
        self._shown: set[str] = set()

    def outcomes(self, outcomes: Sequence[Outcome]) -> None:
        """Show outcomes of commands."""
        language = self._run.utterance.language
        self._show([say_outcomes(self._hass, self._sentences, outcomes, language)])

    def readings(self, readings: Sequence[Reading]) -> None:
        """Show values that were read."""
        language = self._run.utterance.language
        said = say_readings(self._hass, self._sentences, readings, language)
        more = len(said) - _MOST
        counted = [self._sentences.say("details_more", count=str(more))] if more > 0 else []
        self._show([*said[:_MOST], *counted])

    def happened(self, what: str, **placeholders: str) -> None:
        """Show the sentence `what`."""
        self._show([self._sentences.say(what, **placeholders)])

    def told(self, text: str) -> None:
        """Show a text that is already worded for the person."""
        self._show([text])

    def _show(self, said: Iterable[str]) -> None:
        """Show each sentence that was not shown before."""
        for each in said:
            text = _MARKUP.sub(r"\\\g<0>", " ".join(each.split()))
            if text and text not in self._shown:
                self._shown.add(text)
                self._run.port.emit(Progress(text))
