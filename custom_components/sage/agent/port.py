"""The port between a run and the turns of its conversation (DESIGN 4).

A run is a task of its own; a turn attaches to the port, takes events until a
question or the end, and leaves. The reply to a question comes with a later turn.
"""

import asyncio
import time
from dataclasses import dataclass
from enum import StrEnum

from ..const import QUESTION_TIMEOUT
from .budget import Budget


@dataclass(frozen=True, slots=True)
class Progress:
    """Something was done or seen; `text` says so in the person's language, as Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of the final answer."""

    text: str


class Wanted(StrEnum):
    """What kind of reply a question expects."""

    TEXT = "text"
    YES_OR_NO = "yes_or_no"
    """A yes or no that code matches against the confirmation words."""
    PIN = "pin"


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the person: it ends the turn, not the run."""

    text: str
    wanted: Wanted = Wanted.TEXT


class EndKind(StrEnum):
    """How a run ended."""

    ANSWER = "answer"
    FAILURE = "failure"
    """Ended without doing what was asked; the text says why."""
    NEW_REQUEST = "new_request"
    """The reply to a question was a new request; it starts a run of its own."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of the run; `text` is the part of the answer that was not streamed."""

    kind: EndKind
    text: str


type Event = Progress | Delta | Question | End


class PersonSilentError(Exception):
    """No reply came in time."""


class Port:
    """Events out, replies in."""

    def __init__(self, budget: Budget, question_timeout: float | None = None) -> None:
        """Start without events and questions.

        `question_timeout`: seconds that a question stays open; None for the default.
        """
        self._budget = budget
        self._question_timeout = question_timeout or QUESTION_TIMEOUT
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._asking = asyncio.Lock()
        self._reply: asyncio.Future[str] | None = None
        self._question: Question | None = None
        self._heard = False
        self.asked_at = 0.0
        """When the open question was asked, `time.monotonic` seconds."""

        self.secret_expected = False
        """The reply may be a PIN: only the code that asked may see it."""

        self.speaker: str | None = None
        """Who gave the last reply (`people.pin.speaker_key`); None: the person who was asked."""

    @property
    def pin_expected(self) -> bool:
        """Whether the open question accepts only the PIN or a no."""
        asked = self._question
        return self.secret_expected and asked is not None and asked.wanted is Wanted.PIN

    @property
    def open_question(self) -> object | None:
        """The open question that the person has heard, to be compared by identity only.

        A question whose turn broke off was never heard, so it cannot be answered.
        """
        if self._reply is None or self._reply.done() or not self._heard:
            return None
        return self._reply

    @property
    def waiting(self) -> bool:
        """Whether a question is open that the person has heard."""
        return self.open_question is not None

    def emit(self, event: Event) -> None:
        """Send an event to the turn."""
        self._events.put_nowait(event)

    async def async_next(self) -> Event:
        """Return the next event for the turn."""
        event = await self._events.get()
        if event is self._question:
            self._heard = True
        return event

    async def async_ask(
        self, question: str, *, secret: bool = False, wanted: Wanted = Wanted.TEXT
    ) -> str:
        """Put a question to the person and return the reply.

        Questions queue. The clock of the budget is stopped meanwhile. Raises PersonSilentError
        when the question times out or is withdrawn.
        """
        async with self._asking:
            self._reply = asyncio.get_running_loop().create_future()
            self.secret_expected = secret
            self.asked_at = time.monotonic()
            self._question, self._heard = Question(question, wanted), False
            self.emit(self._question)
            try:
                with self._budget.paused():
                    return await asyncio.wait_for(self._reply, self._question_timeout)
            except TimeoutError:
                raise PersonSilentError from None
            finally:
                self._reply = None
                self.secret_expected = False

    def reply(self, text: str, speaker: str | None = None) -> None:
        """Give the person's reply to the open question."""
        if self._reply is None or self._reply.done():
            raise RuntimeError("no question is open")
        self.speaker = speaker
        self._reply.set_result(text)

    def withdraw(self) -> None:
        """Close the open question as if it had timed out."""
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(PersonSilentError())
