"""A run: one command of one person (DESIGN 4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from homeassistant.core import Context
from homeassistant.util.ulid import ulid_now

from ..model.language_model import LanguageModel
from ..people.person import Person
from .budget import Budget, Limits
from .decision import Finish
from .formats import DecisionFormat
from .port import Port
from .trace import TraceNode


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """An earlier turn of the conversation."""

    said: str
    answered: str
    done: str = ""
    """What was done in the home, as text for the model."""

    devices: tuple[str, ...] = ()
    """Ids or groups: what commands were executed on, and what the answer was about."""

    tainted: bool = False
    """Its answer may repeat untrusted text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FiredRoutine:
    """The routine that fires in this run: its condition has just become true."""

    id: str
    when: str
    """Its condition, in the person's words: "the fridge is opened"."""

    tells: bool = False
    """Its command is a message for the person, not an action in the home."""

    needs_model: bool = True
    """A model decides what is done; if not, the run does not wait for other runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """What a person said to SAGE, where and when."""

    text: str
    person: Person
    context: Context
    language: str
    conversation_id: str
    now: datetime
    """Local time of the home."""

    room: str | None = None
    """Area of the device that was spoken to."""

    satellite_id: str | None = None
    device_id: str | None = None
    extra_prompt: str | None = None
    earlier: tuple[Exchange, ...] = ()
    routine: FiredRoutine | None = None
    """Set if a routine fires: then `text` is its stored command, and nobody has spoken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """How one SAGE agent works; an agent subentry."""

    name: str
    model: LanguageModel
    decision_format: DecisionFormat
    schema_works: bool
    """The server enforces a JSON schema in `response_format`."""

    prompts: Mapping[str, str]
    """The texts of `agent/prompts`, by file name without extension."""

    confuses_later: bool = False
    """The model executes requests for later at once, unless it is asked about the timing first."""

    agent_id: str = ""
    """Id of the subentry."""

    instructions: str = ""
    limits: Limits = field(default_factory=Limits)
    paper_flow: bool = False
    verify_answers: bool = False
    """An additional model call checks whether an answer claims more than the record shows."""


class VerdictKind(StrEnum):
    """What becomes of a final answer."""

    ACCEPT = "accept"
    SEND_BACK = "send_back"
    REPLACE = "replace"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement on a final answer: `text` is the answer or the observation."""

    kind: VerdictKind
    text: str


class FinalCheck(Protocol):
    """Compares a final answer with the record of the run."""

    async def async_judge(self, finish: Finish) -> Verdict:
        """Return what becomes of `finish`."""

    @property
    def is_answer_likely(self) -> bool:
        """Whether the next reply is probably the answer, so that streaming is worthwhile."""

    def may_stream(self, finish: Finish) -> bool:
        """Return whether the answer may be spoken while the model writes it.

        `finish` has all fields; its answer is incomplete.
        """

    def identifiers(self, text: str) -> tuple[str, ...]:
        """Return the words of an answer that people do not use, such as ids."""


@dataclass(slots=True, kw_only=True)
class Run:
    """Everything that belongs to one command; passed to tools explicitly."""

    utterance: Utterance
    settings: AgentSettings
    budget: Budget
    port: Port
    root: TraceNode
    id: str = field(default_factory=ulid_now)
    tainted: bool = False
    """Untrusted text was read (DESIGN 10); never reset."""

    answer_check: FinalCheck | None = None
    streamed: str = ""
    """The part of the answer that the person has heard."""

    act_intended: bool = False
    """The model has announced an action, before anything was done."""

    asked: bool = False
    """The person has replied to a question in this run."""

    replies: list[tuple[str, str]] = field(default_factory=list)
    """Questions of the model with their replies; without confirmations and PINs."""

    @property
    def person(self) -> Person:
        """The person the run belongs to."""
        return self.utterance.person

    async def async_ask(self, question: str) -> str:
        """Ask the person; return the observation for the model.

        Raises PersonSilentError when no reply comes in time.
        """
        reply = await self.port.async_ask(question)
        self.asked = True
        self.replies.append((question, reply))
        return (
            f'The person replied: "{reply}". If that is no answer to your question but another '
            "request, call `finish` with kind `new_request`."
        )

    def taint(self) -> None:
        """Note that untrusted text has been read."""
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
