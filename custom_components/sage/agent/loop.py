"""The agent loop (Algorithm 1 of the SAGE paper).

The loop asks the model for tool calls and executes them, until the model calls `finish`. A tool
that runs such a loop itself is an *agent-tool*.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..model import DeltaSink, ModelError, ToolSpec, fitted
from ..text import has_fence, plain_so_far
from .budget import Limit, LimitReached
from .decision import (
    ANSWER_SCHEMA,
    FINISH,
    INNER_KINDS,
    About,
    Call,
    Decision,
    DecisionError,
    Finish,
    FinishKind,
    answer_schema,
    finish_from,
    finish_schema,
)
from .formats import Example, Observation, Prompt
from .port import Delta
from .record import STEP, Decided, Observed, Streamed
from .reply_reader import ReplyContent, read_reply
from .run import FinalCheck, NewRequestError, Run
from .tool import FinalResult, JointTool, async_call_tools, result_text, short_name, spec_of

_READ_ONLY: Final = "read only"

_SAME_DECISIONS = 3
"""Number of equal decisions with equal results after which the run ends."""

REPEATED: Final = (
    "You have decided exactly this before, with the same result. Do not repeat it: finish with "
    "what is known, or decide something else."
)
"""Warning to the model after it repeats a decision with the same result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """The definition of an agent: its instructions, its tools and its possible answers."""

    name: str
    task_info: str
    tools: tuple[llm.Tool, ...]
    finish_description: str
    """Description of the tool `finish` for the model."""

    answer_description: str = ""
    """Added to `finish_description` if `answers_person`: explains `about` and `claims`."""

    depth: int = 0
    answers_person: bool = False
    """Whether the final answer goes to the person and not to another agent."""

    finish_kinds: tuple[FinishKind, ...] = INNER_KINDS
    """Allowed kinds of the final answer to another agent; ignored if `answers_person` is True."""

    subjects: tuple[About, ...] = tuple(About)
    """Allowed values of the argument `about` in an answer to the person."""

    objection: Callable[[Finish], str | None] | None = None
    """Callback that returns an objection to a final answer, or None to accept the answer."""

    examples: tuple[Example, ...] = ()

    def prompt(self, given: str) -> Prompt:
        """Return the prompt of the agent for the input `given`."""
        if self.answers_person:
            description = f"{self.finish_description} {self.answer_description}".strip()
            schema = answer_schema(self.subjects)
        else:
            description, schema = self.finish_description, finish_schema(self.finish_kinds)
        finish = ToolSpec(name=FINISH, description=description, parameters=schema)
        return Prompt(
            task_info=self.task_info,
            tools=(*map(spec_of, self.tools), finish),
            examples=self.examples,
            input=given,
        )

    async def async_run(
        self, hass: HomeAssistant, run: Run, given: str, llm_context: llm.LLMContext
    ) -> Finish:
        """Execute the agent with the input `given` and return its final answer.

        Raises the exceptions in `agent.run.RUN_ENDING`, e.g. LimitReached.
        """
        return await _Loop(hass, run, self, llm_context).async_run(given)

    async def async_own_calls(self, run: Run, given: str) -> Sequence[Call]:
        """Return the tool calls that the model decides, without untrusted text in the prompt.

        Only the person's own words can have caused these calls (`Run.async_asked_for`). Empty if
        the input `given` contains untrusted text, or if the model fails.
        """
        if has_fence(given):
            return ()
        prompt, decision_format = self.prompt(f"{given}\n{_ALONE}"), run.settings.decision_format
        try:
            reply = await run.async_sample(decision_format.request(prompt, ()))
            return read_reply(reply, decision_format, prompt.tools).decision().calls
        except DecisionError, ModelError:
            return ()


_ALONE: Final = (
    "This reply executes nothing. It records what these words ask for, without any text from "
    "outside: call each command, change and look-up, and the search of the TV guide with "
    "`watch_on`, that they may ask for, even if it depends on such a text."
)
"""Last line of the prompt of `Agent.async_own_calls`."""


class _Loop:
    """One execution of an agent: model calls and tool calls until the final answer."""

    def __init__(
        self, hass: HomeAssistant, run: Run, agent: Agent, llm_context: llm.LLMContext
    ) -> None:
        self._hass = hass
        self._run = run
        self._agent = agent
        self._context = llm_context
        self._step = STEP.get()
        self._start = len(run.record.entries)
        self._tools = {short_name(tool): tool for tool in agent.tools}
        self._was_in_words = False
        """Whether a reply without a call was sent back."""

        self._decided: Counter[tuple[object, ...]] = Counter()

    async def async_run(self, given: str) -> Finish:
        prompt = self._agent.prompt(given)
        steps = 0
        while True:
            self._run.budget.check(steps=steps, depth=self._agent.depth)
            steps += 1
            own = self._run.record.history(self._start, self._step)
            request = self._run.settings.decision_format.request(prompt, own)
            reply = await self._run.async_sample(request, on_delta=self._sink())
            repairs: tuple[str, ...] = ()
            try:
                content = read_reply(
                    reply,
                    self._run.settings.decision_format,
                    prompt.tools,
                    is_tainted=self._run.record.is_tainted,
                )
                repairs = content.repairs
                decision = self._decision(content)
            except DecisionError as err:
                self._run.record.add(Decided(reply=reply, repairs=repairs, is_error=True))
                self._observe(reply.text, [Observation(call_id="", tool="", text=str(err))])
                continue
            self._run.record.add(
                Decided(reply=content.reply, calls=decision.calls, repairs=repairs)
            )
            ended = await self._async_follow(decision)
            if isinstance(ended, Finish):
                return ended
            self._observe(_called(decision), ended)

    def _decision(self, content: ReplyContent) -> Decision:
        """Return the decision in a reply; raises DecisionError if it is not valid.

        Words without a call are sent back once, since they may only announce a call. After that,
        they are an answer to the person that says nothing about the home.
        """
        if content.words and not (self._was_in_words and self._agent.answers_person):
            self._was_in_words = True
            raise DecisionError(self._run.settings.decision_format.how_to_fix)
        return content.decision()

    async def _async_follow(self, decision: Decision) -> Finish | list[Observation]:
        """Execute the tool calls of a decision; return the final answer or the observations."""
        check = self._run.answer_check
        known = check.responses if check is not None else 0
        results = await self._async_call_all(decision.calls)
        if decision.finish is None:
            ends = [each.finish for each in results if isinstance(each, FinalResult)]
            if ends and len(ends) == len(results):
                return _joined(ends)
        observations = [
            Observation(call_id=call.id, tool=call.tool, text=result_text(result))
            for call, result in zip(decision.calls, results, strict=True)
        ]
        if decision.finish is None:
            return observations
        if any(
            each.finish.kind is FinishKind.COULD_NOT
            if isinstance(each, FinalResult)
            else each.error
            for each in results
        ):
            text = "Not finished, since a call of this decision failed. Read why, then decide."
        elif check is not None and check.responses > known:
            text = "Not finished, since a call returned an answer. Read it, then finish."
        else:
            ended = await self._async_finish(decision.finish)
            if isinstance(ended, Finish):
                return ended
            text = ended
        return [*observations, Observation(call_id=decision.finish.id, tool=FINISH, text=text)]

    async def _async_finish(self, finish: Finish) -> Finish | str:
        """Return the final answer if it is accepted, else the next observation for the model.

        The observation is an objection to the answer or, if the answer was a question, the
        person's reply.
        """
        if finish.kind is FinishKind.NEW_REQUEST:
            if self._run.replies:
                raise NewRequestError
            return "`new_request` is only for a reply of the person that is a new request."
        objection = self._agent.objection and self._agent.objection(finish)
        if objection:
            return objection
        check = self._run.answer_check
        if not self._agent.answers_person or check is None:
            return finish
        if not finish.about:
            return "`finish` needs `about` (home, later, memory, other) and `claims`."
        judged = await check.async_judge(finish)
        if isinstance(judged, Finish) and judged.kind is FinishKind.ASKED:
            return await self._run.async_ask(judged.answer)
        return judged

    async def _async_call_all(self, calls: Sequence[Call]) -> list[llm.ToolResult]:
        """Call the tools in order, and return one result per call.

        Consecutive calls of read-only tools run concurrently. Consecutive calls of the same
        `JointTool` are passed to the tool together.
        """

        def kind(call: Call) -> object:
            tool = self._tools.get(call.tool)
            if isinstance(tool, JointTool):
                return tool
            return _READ_ONLY if tool is not None and tool.annotations.read_only else None

        results: list[llm.ToolResult] = []
        for together, group in groupby(calls, kind):
            own = [*group]
            batches = [own] if isinstance(together, JointTool) else [[call] for call in own]
            called = (
                async_call_tools(self._hass, self._run.record, self._tools, each, self._context)
                for each in batches
            )
            if together is _READ_ONLY:
                results += chain.from_iterable(await asyncio.gather(*called))
            else:
                for each in called:
                    results += await each
        return results

    def _observe(self, decided: str, observations: Sequence[Observation]) -> None:
        """Record the observations; tell the model if it repeats a decision with the same results.

        Raises LimitReached after `_SAME_DECISIONS` equal decisions.
        """
        step = (decided, *(each.text for each in observations))
        self._decided[step] += 1
        if self._decided[step] > 1:
            *others, last = observations
            observations = [*others, replace(last, text=f"{last.text}\n{REPEATED}")]
        self._run.record.add(Observed(tuple(observations)))
        if self._decided[step] == _SAME_DECISIONS:
            raise LimitReached(Limit.STUCK)

    def _sink(self) -> DeltaSink | None:
        """Return the callback that streams the final answer; None if streaming is not allowed."""
        check = self._run.answer_check
        if not self._agent.answers_person or check is None or not check.is_answer_likely:
            return None
        return AnswerStream(self._run, check).feed


def _joined(ends: Sequence[Finish]) -> Finish:
    """Return one final answer that joins the final answers of several tools."""
    whole = [each for each in ends if each.tells_run]
    answers = [each.answer for each in ends if not each.tells_run or each is whole[-1]]
    failed = any(each.kind is FinishKind.COULD_NOT for each in ends)
    return replace(
        ends[-1],
        kind=FinishKind.COULD_NOT if failed else ends[-1].kind,
        answer=" ".join(dict.fromkeys(answers)),
        about=frozenset[About]().union(*(each.about for each in ends)),
        claims=tuple(claim for each in ends for claim in each.claims),
    )


def _called(decision: Decision) -> str:
    return json.dumps([[each.tool, each.arguments] for each in decision.calls], sort_keys=True)


# ------------------------------------------------------------ streaming


_SENTENCES: Final = re.compile(r".*(?:[.!?…]['\")\]»”’]*\s|[。！？।؟]|\n)", re.DOTALL)
"""All finished sentences of a text."""


class AnswerStream:
    """Streams the final answer to the person while the model is writing the reply.

    Nothing is streamed until `FinalCheck` accepts the fields before the answer, e.g. `claims`. Then
    whole sentences are streamed, as long as it accepts their words.
    """

    def __init__(self, run: Run, check: FinalCheck) -> None:
        """Create a stream for the next model reply of `run`."""
        self._run = run
        self._check = check
        self._text = ""
        self._finish: Finish | None = None
        self._may_pass: bool | None = None

    def feed(self, piece: str) -> None:
        """Add a piece of the model's reply; stream the new part of the answer if permitted."""
        self._text += piece
        if self._may_pass is False:
            return
        arguments = self._run.settings.decision_format.finish_so_far(self._text)
        if arguments is None:
            return
        if self._may_pass is None:
            self._may_pass = self._is_proven(arguments)
        sentences = _SENTENCES.match(plain_so_far(str(arguments["answer"])))
        if not self._may_pass or self._finish is None or sentences is None:
            return
        answer, streamed = sentences[0].rstrip(), self._run.streamed
        if len(answer) > len(streamed):
            self._may_pass = self._check.may_speak(replace(self._finish, answer=answer))
            if self._may_pass and answer.startswith(streamed):
                self._run.record.add(Streamed(answer))
                self._run.port.emit(Delta(answer.removeprefix(streamed)))

    def _is_proven(self, arguments: Mapping[str, Any]) -> bool:
        if "claims" not in arguments:
            # The claims cannot be checked yet: they may follow the answer.
            return False
        try:
            # This check ignores the answer, so a placeholder is enough.
            self._finish = finish_from(fitted(ANSWER_SCHEMA, {**arguments, "answer": "…"}))
        except DecisionError:
            return False
        return self._check.may_stream(self._finish)
