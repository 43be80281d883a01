"""What a run hears: the utterance; and the channel to the conversation, with the run's clock."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from homeassistant.core import Context
from homeassistant.util import dt as dt_util

from ..const import QUESTION_TIMEOUT
from ..people import Person, Voice


@dataclass(frozen=True, slots=True)
class Progress:
    """A progress message for the chat, in Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Delta:
    """The next streamed piece of the final answer."""

    text: str


class Wanted(StrEnum):
    """The kind of reply that a question expects."""

    TEXT = "text"
    YES_OR_NO = "yes_or_no"  # yes or no; parsed by `people/confirmation_words.py`
    PIN = "pin"


@dataclass(frozen=True, slots=True)
class Question:
    """A question that ends the turn, not the run; the person's next utterance is the reply."""

    text: str
    wanted: Wanted = Wanted.TEXT
    is_secret: bool = False
    """Whether the reply may be a PIN, which must not reach memory, trace or model."""


class EndKind(StrEnum):
    """How the processing of a command ended."""

    ANSWER = "answer"
    FAILURE = "failure"  # the request was not fulfilled; `End.text` gives the reason
    NEW_REQUEST = "new_request"  # the person made a new request instead of a reply; process it


@dataclass(frozen=True, slots=True)
class End:
    """The end of a command; `text` is the whole final answer, also if parts were streamed."""

    kind: EndKind
    text: str


type Event = Progress | Delta | Question | End


class Ending(StrEnum):
    """Why a run ends without an answer; the value is the key of the sentence for the person."""

    STEPS = "limit_steps"
    SECONDS = "limit_seconds"
    TOKENS = "limit_tokens"
    DEPTH = "limit_depth"
    STUCK = "stuck"  # the model did not get any further; the answer is what is known so far
    SILENT = "no_reply"  # the person did not reply in time, or SAGE withdrew the question
    NEW_REQUEST = "new_request"  # the person made a new request instead of a reply; it is processed
    UNCLEAR_REPLY = "unclear_reply"  # the same, after unclear replies to a confirmation question


class RunEnded(Exception):  # noqa: N818  (an expected end of a run, not an error)
    """Raised when the processing of a command ends without an answer, e.g. at a limit."""

    def __init__(self, why: Ending) -> None:
        super().__init__(why.value)
        self.why = why


class Port:
    """The channel between a run (the processing of a command) and the conversation.

    The run sends progress, answers and questions with `emit` and `async_ask`. The conversation
    sends the person's replies with `reply`. The clock of the run stops while a question is open.
    """

    def __init__(self, max_seconds: float, question_timeout: float | None = None) -> None:
        """Create an empty channel, and start the clock of the run.

        `max_seconds`: the time that the run may take. `question_timeout`: seconds that a question
        stays open; None for the default.
        """
        self._deadline = time.monotonic() + max_seconds
        self._waiting_since: float | None = None
        self._waiters = 0
        self._question_timeout = question_timeout or QUESTION_TIMEOUT
        self._events: asyncio.Queue[Event] = asyncio.Queue()
        self._asking = asyncio.Lock()
        self._reply: asyncio.Future[str] | None = None
        self._question: Question | None = None
        self._question_heard = False
        self.asked_at = 0.0  # time of the last question, in seconds of `time.monotonic`
        self.is_unanswered = False  # whether a question got no reply: nobody waits any more
        self.is_slow = False
        """Whether the person waits and has heard that it takes long; "stop" then ends the run."""

        self.speaker: str | None = None
        """Key of the speaker of the last reply (`Person.speaker_key`); None before a reply."""

    @property
    def last_question(self) -> str:
        """The text of the last question, whether it is open or not; empty before the first one."""
        return "" if self._question is None else self._question.text

    @property
    def open_question(self) -> Question | None:
        """The open question, an object of its own each time; None if no question is open.

        A question is open from its delivery by `async_next` until the reply, a timeout or
        `withdraw`.
        """
        if self._reply is None or self._reply.done() or not self._question_heard:
            return None
        return self._question

    @property
    def waiting(self) -> bool:
        """Whether a question to the person is open."""
        return self.open_question is not None

    def emit(self, event: Event) -> None:
        """Send an event to the conversation."""
        self._events.put_nowait(event)

    async def async_next(self) -> Event:
        """Wait for the next event, e.g. a progress message; only the conversation calls this."""
        event = await self._events.get()
        if event is self._question:
            self._question_heard = True
        return event

    async def async_ask(
        self, question: str, *, secret: bool = False, wanted: Wanted = Wanted.TEXT
    ) -> str:
        """Ask the person a question and return the reply.

        `secret`: whether the reply may be a PIN. Raises RunEnded if the question times out or is
        withdrawn.
        """
        async with self._asking:
            self._reply = asyncio.get_running_loop().create_future()
            self.asked_at = time.monotonic()
            self._question, self._question_heard = Question(question, wanted, secret), False
            self.emit(self._question)
            try:
                with self.paused():
                    return await asyncio.wait_for(self._reply, self._question_timeout)
            except TimeoutError:
                self.is_unanswered = True
                raise RunEnded(Ending.SILENT) from None
            finally:
                self._reply = None

    def reply(self, text: str, speaker: str | None = None) -> None:
        """Answer the open question: `async_ask` returns `text`.

        `speaker`: key of the user, satellite or device (`Person.speaker_key`). Raises
        RuntimeError if no question waits for a reply.
        """
        if self._reply is None or self._reply.done():
            raise RuntimeError("no question is open")
        self.speaker = speaker
        self._reply.set_result(text)

    def withdraw(self) -> None:
        """Close the open question; `async_ask` raises RunEnded, as after a timeout."""
        if self._reply is not None and not self._reply.done():
            self.is_unanswered = True
            self._reply.set_exception(RunEnded(Ending.SILENT))

    # ------------------------------------------------------------ the clock

    def seconds_left(self) -> float:
        """Return the remaining time of the run in seconds, at least 0."""
        now = self._waiting_since if self._waiting_since is not None else time.monotonic()
        return max(0.0, self._deadline - now)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock in the `with` block, e.g. while the person replies; blocks may overlap."""
        if self._waiters == 0:
            self._waiting_since = time.monotonic()
        self._waiters += 1
        try:
            yield
        finally:
            self._waiters -= 1
            if self._waiters == 0 and self._waiting_since is not None:
                self._deadline += time.monotonic() - self._waiting_since
                self._waiting_since = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """An earlier turn of the conversation: what the person said and what was answered."""

    said: str  # the person's words; empty if an announcement began the conversation
    answered: str
    at: datetime = field(default_factory=dt_util.utcnow)
    """Time of the person's words, or of the answer if there are none."""

    speaker: str = ""  # name of the agent or satellite that answered; empty for SAGE
    done: str = ""  # the commands that were executed in the home, as text for the model
    devices: tuple[str, ...] = ()
    """Ids of the devices and names of the groups in the commands and in the answer."""

    has_changed: bool = False
    """Whether something was changed: in the home, outside, for later or in the memory."""

    tainted: bool = False  # whether the answer may contain untrusted text, such as text from a mail
    is_cut: bool = False  # whether only the person's words are left of it (`without_outside_text`)

    @property
    def without_outside_text(self) -> Exchange:
        """This turn without what untrusted text may have caused: if tainted, only the words."""
        if not self.tainted:
            return self
        return replace(self, answered="", done="", devices=(), is_cut=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class FiredRoutine:
    """A routine that is being executed now."""

    id: str
    when: str  # the condition in the person's words, e.g. "the fridge is opened"
    tells: bool = False
    """Whether the routine sends its person a message and does not act in the home."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """A command that a person gave in Assist, or the stored command of a routine."""

    text: str
    person: Person
    context: Context
    language: str
    conversation_id: str
    now: datetime  # time of the utterance in the time zone of the home
    room: str | None = None
    """Area name of the voice satellite or device that received the command; None if unknown."""

    satellite_id: str | None = None
    device_id: str | None = None
    extra_prompt: str | None = None
    """Additional system prompt from Home Assistant's conversation input."""

    is_untrusted: bool = False
    """Whether `text` may contain text from outside, which an automation passes on."""

    earlier: tuple[Exchange, ...] = ()
    """Earlier turns of the conversation, oldest first, as prompts show them.

    Answers of SAGE that may contain untrusted text are left out (`Exchange.without_outside_text`).
    """

    not_shown: tuple[Exchange, ...] = ()
    """The complete turns whose answers `earlier` leaves out, oldest first."""

    voice: Voice | None = None
    """The comparison of the person's voice with those of all people; None if not spoken."""

    routine: FiredRoutine | None = None
    """The routine whose stored command is `text`; None if a person said `text`."""

    @property
    def speaker(self) -> str:
        """Key of the user, satellite or device (`Person.speaker_key`)."""
        return self.person.speaker_key(self.satellite_id, self.device_id)
