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
    """What kind of reply a question is for."""

    TEXT = "text"
    YES_OR_NO = "yes_or_no"
    """A yes or no to the code, as one says it."""
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
    """The end of the run; `text` is what of the answer has not been streamed."""

    kind: EndKind
    text: str


type Event = Progress | Delta | Question | End


class PersonSilentError(Exception):
    """No reply came in time."""


class Port:
    """Events out, replies in."""

    def __init__(self, budget: Budget, question_timeout: float | None = None) -> None:
        """Start with nothing to tell and nothing asked.

        `question_timeout`: seconds that a question stays open, if not the usual ones.
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
        """The reply may be a PIN: nobody but the code that asked may see it."""

        self.speaker: str | None = None
        """Who gave the last reply, as `people.pin` knows speakers; None: whoever was asked."""

    @property
    def pin_expected(self) -> bool:
        """Whether the open question can be answered by the PIN alone, or by a no."""
        asked = self._question
        return self.secret_expected and asked is not None and asked.wanted is Wanted.PIN

    @property
    def open_question(self) -> object | None:
        """The question that is open and was heard, to be compared by identity only.

        Nobody can answer what a turn that broke off never told them.
        """
        if self._reply is None or self._reply.done() or not self._heard:
            return None
        return self._reply

    @property
    def waiting(self) -> bool:
        """Whether a question is open that the person has heard."""
        return self.open_question is not None

    def emit(self, event: Event) -> None:
        """Tell the turn something."""
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

        Questions queue. Raises PersonSilentError when no reply comes while it is open, or
        when it is withdrawn; the budget's clock stands still meanwhile.
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
        """Let the open question end as if no reply had come."""
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(PersonSilentError())
