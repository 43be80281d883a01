"""A run: one command of one person."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from homeassistant.core import Context
from homeassistant.util.ulid import ulid_now

from ..const import QUESTION_TIMEOUT
from ..model.language_model import (
    COMPLETION_TOKENS,
    ChatMessage,
    LanguageModel,
    ModelError,
    ModelRequest,
)
from ..people.person import Person
from ..text.inert import inert
from .budget import Budget, LimitReached, Limits
from .decision import Call, Finish
from .formats import DecisionFormat
from .trace import TraceNode


@dataclass(frozen=True, slots=True)
class Progress:
    """A command, read or other step of the run, as a sentence for the chat in Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class Delta:
    """The next streamed piece of the final answer."""

    text: str


class Wanted(StrEnum):
    """The kind of reply that a question expects."""

    TEXT = "text"
    YES_OR_NO = "yes_or_no"
    """Yes or no; code compares the reply with the confirmation words."""
    PIN = "pin"


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the person. It ends the conversation turn; the run waits for the reply."""

    text: str
    wanted: Wanted = Wanted.TEXT

    def __post_init__(self) -> None:
        """Neutralize Markdown in the text, so that it shows no image or link, whoever wrote it."""
        object.__setattr__(self, "text", inert(self.text))


class EndKind(StrEnum):
    """How a run ended."""

    ANSWER = "answer"
    FAILURE = "failure"
    """The run ended without doing the request; the text says why."""
    NEW_REQUEST = "new_request"
    """The reply to a question was a new request, which starts its own run."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of the run; `text` is the part of the answer that was not streamed."""

    kind: EndKind
    text: str

    def __post_init__(self) -> None:
        """Neutralize Markdown in the text, so that it shows no image or link, whoever wrote it."""
        object.__setattr__(self, "text", inert(self.text))


type Event = Progress | Delta | Question | End


class PersonSilentError(Exception):
    """The person did not reply to a question in time, or the question was withdrawn."""


class NewRequestError(Exception):
    """The person's reply is a new request, which ends the run."""


class StuckError(Exception):
    """An agent-tool repeated the same decision too often."""


RUN_ENDING = (LimitReached, ModelError, NewRequestError, PersonSilentError, StuckError)
"""Exceptions that end the whole run, from any tool."""


class Port:
    """Channel between a run and the current conversation turn: events out, replies in."""

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
        """Whether the reply may be a PIN: only the code that asked may see it."""

        self.speaker: str | None = None
        """Key of the last speaker (`people.pin.speaker_key`); None for the run's person."""

    @property
    def pin_expected(self) -> bool:
        """Whether the open question accepts only the PIN or a no."""
        asked = self._question
        return self.secret_expected and asked is not None and asked.wanted is Wanted.PIN

    @property
    def wanted(self) -> Wanted | None:
        """The kind of reply that the open question expects; None without a question."""
        return self._question.wanted if self.waiting and self._question is not None else None

    @property
    def open_question(self) -> object | None:
        """The open question that the person has heard, as an object to compare by identity.

        None if there is none. A question whose turn was interrupted was never heard, so it cannot
        be answered.
        """
        if self._reply is None or self._reply.done() or not self._heard:
            return None
        return self._reply

    @property
    def waiting(self) -> bool:
        """Whether the person has heard a question that is still open."""
        return self.open_question is not None

    def emit(self, event: Event) -> None:
        """Send an event to the turn."""
        self._events.put_nowait(event)

    async def async_next(self) -> Event:
        """Wait for the next event and return it to the turn."""
        event = await self._events.get()
        if event is self._question:
            self._heard = True
        return event

    async def async_ask(
        self, question: str, *, secret: bool = False, wanted: Wanted = Wanted.TEXT
    ) -> str:
        """Put a question to the person and return the reply.

        Questions are asked one after the other. The clock of the budget is stopped while the run
        waits for the reply. With `secret`, the reply may be a PIN. Raises PersonSilentError when
        the question times out or is withdrawn.
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
        """Pass the person's reply to the open question; raises RuntimeError if none is open."""
        if self._reply is None or self._reply.done():
            raise RuntimeError("no question is open")
        self.speaker = speaker
        self._reply.set_result(text)

    def withdraw(self) -> None:
        """Close the open question as if it had timed out."""
        if self._reply is not None and not self._reply.done():
            self._reply.set_exception(PersonSilentError())


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """An earlier turn of the conversation."""

    said: str
    answered: str
    done: str = ""
    """What was done in the home, as text for the model."""

    devices: tuple[str, ...] = ()
    """Ids or groups of devices that were commanded or mentioned in the answer."""

    tainted: bool = False
    """Whether the answer may repeat untrusted text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FiredRoutine:
    """The routine that this run executes, because its condition has just become true."""

    id: str
    when: str
    """The condition of the routine, in the person's words: "the fridge is opened"."""

    tells: bool = False
    """Whether the routine's command is a message for the person, not an action in the home."""

    needs_model: bool = True
    """Whether the run needs the model; if not, it starts at once and waits for no other run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """A sentence that a person said to SAGE, with its speaker, room and time."""

    text: str
    person: Person
    context: Context
    language: str
    conversation_id: str
    now: datetime
    """Local time of the home."""

    room: str | None = None
    """Name of the area of the satellite or device that heard the person; None if unknown."""

    satellite_id: str | None = None
    device_id: str | None = None
    extra_prompt: str | None = None
    earlier: tuple[Exchange, ...] = ()
    routine: FiredRoutine | None = None
    """The routine that fires, with its stored command as `text`; None if a person said `text`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """The settings of one SAGE agent, from its subentry."""

    name: str
    model: LanguageModel
    """The language model: an `OpenAIModel` or an `AITaskModel`."""

    decision_format: DecisionFormat
    """The format of decisions, chosen by the owner or by a test of the model in the config flow."""

    schema_works: bool
    """Whether the server enforces a JSON schema."""

    prompts: Mapping[str, str]
    """The texts of `agent/prompts`, by file name without extension."""

    confuses_later: bool = False
    """Whether the model may execute a request for a later time immediately.

    SAGE then asks it in a separate call whether the request is for later.
    """

    agent_id: str = ""
    """Id of the subentry."""

    instructions: str = ""
    """The owner's instructions; may be a template of Home Assistant."""

    limits: Limits = field(default_factory=Limits)
    paper_flow: bool = False
    verify_answers: bool = False
    """Whether another model call checks that an answer claims no more than the record."""

    def json_request(
        self,
        instructions: str,
        given: str,
        schema: Mapping[str, Any] | None,
        images: tuple[bytes, ...] = (),
        max_tokens: int = COMPLETION_TOKENS,
    ) -> ModelRequest:
        """Return a request for one JSON object, outside the loop of decisions.

        The schema is left out if the server cannot enforce it, so the instructions have to describe
        the object, too.
        """
        return ModelRequest(
            messages=(
                ChatMessage(role="system", content=instructions),
                ChatMessage(role="user", content=given, images=images),
            ),
            response_schema=schema if self.schema_works else None,
            max_tokens=max_tokens,
        )


class VerdictKind(StrEnum):
    """The result of checking a final answer."""

    ACCEPT = "accept"
    SEND_BACK = "send_back"
    """The model has to finish again."""
    REPLACE = "replace"
    """The code replaces the answer."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking a final answer.

    `text` is the answer for the person, or the observation for the model if it is sent back.
    """

    kind: VerdictKind
    text: str


class FinalCheck(Protocol):
    """Compares a final answer with the record of the run; implemented by `AnswerCheck`."""

    async def async_judge(self, finish: Finish) -> Verdict:
        """Return the verdict on `finish`."""

    @property
    def is_answer_likely(self) -> bool:
        """Whether the next reply is probably the answer, so that streaming is worthwhile."""

    def may_stream(self, finish: Finish) -> bool:
        """Return whether the answer may be spoken while the model writes it.

        `finish` has all fields; its answer is incomplete.
        """

    def identifiers(self, text: str) -> tuple[str, ...]:
        """Return the technical names in `text`, such as entity ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedConfirmation:
    """A confirmation that code asked for, with its result; never the reply, which may be a PIN."""

    question: str
    risks: tuple[str, ...]
    """Why it was needed: the risk classes of the actions."""

    result: str


@dataclass(slots=True, kw_only=True)
class Run:
    """The data of one run. Tools receive it explicitly."""

    utterance: Utterance
    settings: AgentSettings
    budget: Budget
    port: Port
    root: TraceNode
    id: str = field(default_factory=ulid_now)
    tainted: bool = False
    """Whether untrusted text was read; never reset."""

    own_calls: list[Call] = field(default_factory=list)
    """The tool calls that the model decided before it saw untrusted text."""

    own_decision: Callable[[], Awaitable[Sequence[Call]]] | None = None
    """Returns the tool calls that the model decides without the answers of earlier tainted turns.

    None if there are none. Called at most once.
    """

    answer_check: FinalCheck | None = None
    streamed: str = ""
    """The part of the answer that the person has heard."""

    act_intended: bool = False
    """Whether the model has announced an action; it may not have executed one."""

    asked: bool = False
    """Whether the person has replied to a question in this run."""

    replies: list[tuple[str, str]] = field(default_factory=list)
    """Pairs of a question of the model and its reply; without confirmations and PINs."""

    confirmations: list[AskedConfirmation] = field(default_factory=list)

    @property
    def person(self) -> Person:
        """The person the run belongs to."""
        return self.utterance.person

    async def async_ask(self, question: str) -> str:
        """Ask the person; return the reply as an observation for the model.

        Raises PersonSilentError when no reply comes in time.
        """
        reply = await self.port.async_ask(question)
        self.asked = True
        self.replies.append((question, reply))
        return (
            f'The person replied: "{reply}". If that is no answer to your question but another '
            "request, call `finish` with kind `new_request`."
        )

    def note_calls(self, calls: Sequence[Call]) -> None:
        """Record calls of a decision; in a tainted run, untrusted text may have caused them."""
        if not self.tainted:
            self.own_calls += calls

    async def async_asked_for(self, fits: Callable[[Call], bool]) -> bool:
        """Return whether only the person's words can have caused an action, not untrusted text.

        True if the run is not tainted, or if the model has decided a call that `fits` accepts
        without having seen untrusted text.
        """
        if not self.tainted or any(map(fits, self.own_calls)):
            return True
        if self.own_decision is None:
            return False
        decide, self.own_decision = self.own_decision, None
        self.own_calls += await decide()
        return any(map(fits, self.own_calls))

    def taint(self) -> None:
        """Record that the run has read untrusted text."""
        self.tainted = True


def new_run(
    utterance: Utterance, settings: AgentSettings, question_timeout: float | None = None
) -> Run:
    """Return a fresh run for `utterance`.

    `question_timeout`: seconds that its questions stay open; None for the default.
    """
    budget = Budget(settings.limits)
    return Run(
        utterance=utterance,
        settings=settings,
        budget=budget,
        port=Port(budget, question_timeout),
        root=TraceNode(kind="agent", name=settings.name, arguments={"command": utterance.text}),
        tainted=any(each.tainted for each in utterance.earlier),
    )
