"""Streaming of a final answer while the model still writes it."""

from .port import Delta
from .run import Run


class AnswerStream:
    """Passes the answer in one reply on to the person, piece by piece."""

    def __init__(self, run: Run) -> None:
        """Start with nothing heard."""
        self._run = run
        self._text = ""

    def feed(self, piece: str) -> None:
        """Take the next piece of the reply."""
        self._text += piece
        answer = self._run.settings.decision_format.answer_so_far(self._text)
        if answer is None:
            return
        answer = answer.lstrip()
        heard = self._run.streamed
        if answer.startswith(heard) and len(answer) > len(heard):
            self._run.streamed = answer
            self._run.port.emit(Delta(answer.removeprefix(heard)))


def unheard(run: Run, answer: str) -> str:
    """Return what the person has not yet heard of `answer`."""
    if answer.startswith(run.streamed):
        return answer.removeprefix(run.streamed)
    return f" {answer}"
