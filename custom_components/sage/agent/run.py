"""A run: the processing of one command of one person, from the utterance to the final answer.

A run may ask the person a question; it then lasts for several turns of the conversation. A run that
has read untrusted text, such as mail, is *tainted*: more of its actions need a confirmation.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol

from homeassistant.util.ulid import ulid_now

from ..const import (
    COMPLETION_TOKENS,
    DEFAULT_MAX_SECONDS,
    DEFAULT_MAX_STEPS,
    DEFAULT_MAX_TOKENS,
    MAX_DEPTH,
)
from ..model import ChatMessage, LanguageModel, ModelError, ModelReply, ModelRequest
from ..people import Person
from ..text import has_fence
from .decision import Call, Finish
from .formats import DecisionFormat, Example, examples_spoken, turns_of, without_examples
from .port import Ending, Port, RunEnded, Utterance
from .record import (
    ActIntended,
    DecidedAlone,
    Record,
    Replied,
    SecondReplied,
    Stopped,
    Tainted,
)

ENTRY: Final = "sage"
"""Name of the entry agent, which receives the utterance; its decisions alone come first."""


_MOST_CALLS: Final = 4  # maximum model calls of a request that changes nothing, after one in vain
RUN_ENDING = (RunEnded, ModelError)
"""Exceptions of tools and model calls; each ends the processing of the whole command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one run."""

    max_steps: int = DEFAULT_MAX_STEPS  # maximum number of model calls in one execution of an agent
    max_seconds: float = DEFAULT_MAX_SECONDS
    """Maximum time in seconds; the time spent waiting for the person does not count."""

    max_tokens: int = DEFAULT_MAX_TOKENS  # maximum number of prompt and completion tokens together
    max_depth: int = MAX_DEPTH
    """Maximum nesting depth of agents; the agent that answers the person has depth 0."""


@dataclass(frozen=True, kw_only=True)
class AgentSettings:
    """The settings of one SAGE agent, from its config subentry."""

    name: str
    model: LanguageModel
    """The language model: an `OpenAIModel`, an `AITaskModel`, or two of them (`TwoModels`)."""

    decision_format: DecisionFormat
    """Format in which the model writes tool calls; chosen by the user or by tests of the model."""

    schema_works: bool  # whether the model server enforces a JSON schema for replies
    prompts: Mapping[str, str]  # file name without extension -> text of the file in `agent/prompts`
    misjudges_timing: bool = False
    """Whether the model tends to execute a request such as "lamp on at 8 pm" immediately.

    If so, an additional model call checks whether a request is for later.
    """

    second_format: DecisionFormat | None = None
    """Format of the model that replies while `model` does not (`TwoModels`); None without one."""

    second_misjudges_timing: bool = False  # whether the second model tends to do so
    agent_id: str = ""  # id of the config subentry
    instructions: str = ""
    """Additional instructions from the options; may be a Home Assistant template."""

    limits: Limits = field(default_factory=Limits)
    paper_flow: bool = False
    """Whether to follow the SAGE paper strictly, with a separate model call for each step.

    By default, SAGE combines some of these calls, which is faster.
    """

    verify_answers: bool = False
    """Whether an additional model call checks each final answer against what was done and read."""

    def format_of(self, reply: ModelReply) -> DecisionFormat:
        """Return the decision format of the model that wrote a reply."""
        second = None if reply.instead_of is None else self.second_format
        return second or self.decision_format

    @cached_property
    def shows_turns(self) -> bool:
        """Whether prompts show examples as chat messages: for small models that write calls."""
        is_text = self.decision_format.name != "native"
        return self.misjudges_timing and is_text and not self.paper_flow

    @cached_property
    def task_infos(self) -> Mapping[str, str]:
        """Prompt file -> its instructions, without examples shown as turns."""
        if not self.shows_turns:
            return self.prompts
        return {name: without_examples(text) for name, text in self.prompts.items()}

    @cached_property
    def turns(self) -> Mapping[str, tuple[Example, ...]]:
        """Prompt file `*_turns` -> its examples; none if `shows_turns` is false."""
        files = [(name, text) for name, text in self.prompts.items() if name.endswith("_turns")]
        return {name: tuple(turns_of(text)) if self.shows_turns else () for name, text in files}

    @cached_property
    def examples_spoken(self) -> Mapping[tuple[str, ...], str]:
        """What examples in prompts say to the person: its words -> the example."""
        return examples_spoken(self.prompts)

    def json_request(
        self,
        instructions: str,
        given: str,
        schema: Mapping[str, Any] | None,
        images: tuple[bytes, ...] = (),
        max_tokens: int = COMPLETION_TOKENS,
    ) -> ModelRequest:
        """Return a model request for one JSON object, outside the agent loop.

        - `instructions`: the system message; it must also describe the JSON object
        - `given`: the user message
        - `schema`: sent only to a server that enforces schemas
        """
        return ModelRequest(
            messages=(
                ChatMessage(role="system", content=instructions),
                ChatMessage(role="user", content=given, images=images),
            ),
            response_schema=schema if self.schema_works else None,
            max_tokens=max_tokens,
        )


class FinalCheck(Protocol):
    """Compares a final answer with the record of what was done and read (`run.claim_check`)."""

    async def async_judge(self, finish: Finish) -> Finish | str:
        """Return the final answer for the person, or an objection for the model."""

    @property
    def is_answer_likely(self) -> bool:
        """Whether the next model reply is probably the final answer and should be streamed."""

    @property
    def responses(self) -> int:
        """Number of responses that actions have returned, such as the answer of a script."""

    @property
    def only_asks(self) -> bool:
        """Whether the request only asks: its next decisions may call no tool that acts."""

    @property
    def may_change(self) -> bool:
        """Whether something was changed, or the model wanted to change something."""

    def may_stream(self, finish: Finish) -> bool:
        """Return whether an answer, which may be incomplete, may be streamed to the person."""

    def may_speak(self, finish: Finish) -> bool:
        """Return whether the words so far of a streamed answer need no check of their own."""


@dataclass(slots=True, kw_only=True)
class Run:
    """The processing of one command until its final answer; all that happens is in its record."""

    utterance: Utterance
    settings: AgentSettings
    port: Port
    record: Record
    id: str = field(default_factory=ulid_now)
    own_decisions: dict[str, Callable[[], Awaitable[Sequence[Call]]] | None] = field(
        default_factory=dict
    )
    """Agent name -> callback that asks this agent's model again, without untrusted text.

    The callback returns tool calls. `async_asked_for` calls it once and then stores None.
    """

    answer_check: FinalCheck | None = None

    @property
    def person(self) -> Person:
        """The person who gave the command."""
        return self.utterance.person

    def check(self, *, steps: int = 0, depth: int = 0) -> None:
        """Raise RunEnded if a limit of the run is reached.

        - `steps`: number of model calls that the agent has made
        - `depth`: nesting depth of the agent; 0 for the agent that answers the person
        """
        limits, usage = self.settings.limits, self.record.usage
        if depth > limits.max_depth:
            raise RunEnded(Ending.DEPTH)
        if steps >= limits.max_steps:
            raise RunEnded(Ending.STEPS)
        if usage.prompt_tokens + usage.completion_tokens >= limits.max_tokens:
            raise RunEnded(Ending.TOKENS)
        if self.port.seconds_left() <= 0:
            raise RunEnded(Ending.SECONDS)
        # What a routine asks is only one part of what it does.
        if self.port.is_unanswered and self.utterance.routine is None:
            raise RunEnded(Ending.SILENT)
        check = self.answer_check
        # A question to the person is a new beginning.
        is_in_vain = self.record.is_in_vain(_MOST_CALLS, self.port.asked_at)
        if is_in_vain and check is not None and not check.may_change:
            raise RunEnded(Ending.STUCK)

    async def async_sample(
        self, request: ModelRequest, *, on_delta: Callable[[str], None] | None = None
    ) -> ModelReply:
        """Return the model's reply to `request` (SampleLLM of the paper), and record the call.

        Raises ModelError if the model fails, RunEnded if the time limit of the run is reached.
        """
        if any(has_fence(message.content or "") for message in request.messages):
            self.taint()
        model = self.settings.model
        # Yield to the event loop, since building and sending a long prompt both take time.
        await asyncio.sleep(0)
        with self.record.steps("model", (model.name, {})) as (step,):
            try:
                async with asyncio.timeout(self.port.seconds_left()):
                    reply = await model.async_complete(request, on_delta=on_delta)
            except TimeoutError:
                raise RunEnded(Ending.SECONDS) from None
            calls = [f"{call.name}({call.arguments})" for call in reply.tool_calls]
            said = "\n".join(filter(None, (reply.text, *calls)))
            if reply.instead_of is not None:
                said = f"Replied by the second model ({reply.instead_of}):\n{said}"
                self.record.add(SecondReplied(reply.instead_of))
            self.record.end(said, step=step, usage=reply.usage)
        return reply

    @property
    def replies(self) -> tuple[Replied, ...]:
        """The person's replies to questions of the model, oldest first."""
        return self.record.all(Replied)

    @property
    def wants_to_act(self) -> bool:
        """Whether the model wanted to act in the home, even if nothing was executed."""
        return bool(self.record.all(ActIntended))

    @property
    def stopped(self) -> str | None:
        """The answer of a run that the person stopped; None if nobody did."""
        stopped = self.record.all(Stopped)
        return stopped[-1].answer if stopped else None

    def unheard(self, answer: str) -> str:
        """Return the part of the final answer that has not been streamed to the person.

        If the streamed text is not the beginning of `answer`, return a space and the whole
        `answer`.
        """
        streamed = self.record.streamed
        return answer.removeprefix(streamed) if answer.startswith(streamed) else f" {answer}"

    async def async_ask(self, question: str) -> str:
        """Ask the model's question; return the reply as text for the model. Raises RunEnded."""
        reply = await self.port.async_ask(question)
        self.record.add(Replied(question, reply))
        return (
            f'The person replied: "{reply}". If that is no answer to your question but another '
            "request, call `finish` with kind `new_request`."
        )

    async def async_asked_for(self, fits: Callable[[Call], bool], agent: str = ENTRY) -> bool:
        """Return whether an action comes from the person's request, not from untrusted text.

        `fits(call)` returns whether a tool call is this action; `agent` is the name of the agent
        that has this tool. Returns True in these cases:

        - The model has read no untrusted text, e.g. mail.
        - The model called the action before it read untrusted text.
        - This method asks the model again, without the untrusted text in the prompt, and the model
          calls the action again. The method asks each agent only once in a run.
        """
        if not self.record.is_tainted or any(map(fits, self.record.own_calls())):
            return True
        if (decide := self.own_decisions.get(agent)) is None:
            return False
        self.own_decisions[agent] = None
        calls = await decide()
        self.record.add(DecidedAlone(agent, tuple(calls)))
        return any(map(fits, calls))

    def taint(self) -> None:
        """Record that the model has read untrusted text, such as a mail, for this command."""
        self.record.add(Tainted())


def new_run(
    utterance: Utterance, settings: AgentSettings, question_timeout: float | None = None
) -> Run:
    """Return a run for `utterance`; `question_timeout`: seconds for replies, None: the default."""
    record = Record(settings.name, {"command": utterance.text})
    if utterance.is_untrusted:
        record.add(Tainted())
    return Run(
        utterance=utterance,
        settings=settings,
        port=Port(settings.limits.max_seconds, question_timeout),
        record=record,
    )
