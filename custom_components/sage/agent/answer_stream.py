"""Streaming of a final answer while the model still writes it."""

import re
from collections.abc import Mapping
from typing import Any, Final

from .decision import DecisionError, finish_from
from .port import Delta
from .run import FinalCheck, Run

_UNFINISHED: Final = re.compile(r"(?<![\w@/:.-])[a-z][a-z0-9._]*\Z")
"""A last word that may be the beginning of an id."""


class AnswerStream:
    """Passes the answer in one reply on to the person, piece by piece.

    It begins when all fields before the answer have passed the answer check.
    """

    def __init__(self, run: Run, check: FinalCheck) -> None:
        """Start with nothing spoken."""
        self._run = run
        self._check = check
        self._text = ""
        self._may_pass: bool | None = None

    def feed(self, piece: str) -> None:
        """Take the next piece of the reply."""
        self._text += piece
        if self._may_pass is False:
            return
        arguments = self._run.settings.decision_format.finish_so_far(self._text)
        if arguments is None:
            return
        if self._may_pass is None:
            self._may_pass = self._is_proven(arguments)
        answer = _UNFINISHED.sub("", str(arguments["answer"]).lstrip())
        if self._may_pass and self._check.identifiers(answer):
            self._may_pass = False
        if self._may_pass:
            self._pass_on(answer)

    def _is_proven(self, arguments: Mapping[str, Any]) -> bool:
        if "claims" not in arguments:
            # The claims may still come after the answer.
            return False
        try:
            # The check compares the fields; the answer itself is not complete yet.
            finish = finish_from({**arguments, "answer": "…"})
        except DecisionError:
            return False
        return self._check.may_stream(finish)

    def _pass_on(self, answer: str) -> None:
        heard = self._run.streamed
        if answer.startswith(heard) and len(answer) > len(heard):
            self._run.streamed = answer
            self._run.port.emit(Delta(answer.removeprefix(heard)))


def unheard(run: Run, answer: str) -> str:
    """Return what the person has not yet heard of `answer`."""
    if answer.startswith(run.streamed):
        return answer.removeprefix(run.streamed)
    return f" {answer}"
