"""The agent loop (Algorithm 1 of the SAGE paper).

The loop asks the model for tool calls and executes them, until the model calls `finish`. A tool
that runs such a loop itself is an *agent-tool*.
"""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..model.language_model import DeltaSink, ToolSpec
from .budget import Limit, LimitReached
from .decision import (
    FINISH,
    INNER_KINDS,
    About,
    Call,
    Decision,
    DecisionError,
    Finish,
    FinishKind,
    answer_schema,
    finish_schema,
)
from .formats import Example, Observation, Prompt
from .record import Decided, Observed, current_step, history
from .reply_reader import ReplyContent, as_read, read_reply
from .run import RUN_ENDING, NewRequestError, Run
from .sampling import AnswerStream, async_sample
from .tool import (
    FinalResult,
    JointTool,
    error_result,
    result_text,
    short_name,
    spec_of,
    unknown_tool,
)

_LOGGER = logging.getLogger(__name__)

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
        specs = tuple(spec_of(tool) for tool in self.tools)
        return Prompt(
            task_info=self.task_info,
            tools=(*specs, self._finish_spec),
            examples=self.examples,
            input=given,
        )

    @property
    def _finish_spec(self) -> ToolSpec:
        if self.answers_person:
            description = f"{self.finish_description} {self.answer_description}".strip()
            schema = answer_schema(self.subjects)
        else:
            description, schema = self.finish_description, finish_schema(self.finish_kinds)
        return ToolSpec(name=FINISH, description=description, parameters=schema)


class Loop:
    """One execution of an agent: model calls and tool calls until the final answer."""

    def __init__(
        self,
        hass: HomeAssistant,
        run: Run,
        agent: Agent,
        *,
        llm_context: llm.LLMContext,
    ) -> None:
        """Prepare an execution of `agent` in `run`."""
        self._hass = hass
        self._run = run
        self._agent = agent
        self._context = llm_context
        self._step = current_step()
        self._start = len(run.record.entries)
        self._tools = {short_name(tool): tool for tool in agent.tools}
        self._was_in_words = False
        """Whether a reply without a call was sent back."""

        self._decided: Counter[tuple[object, ...]] = Counter()

    async def async_run(self, given: str) -> Finish:
        """Execute the agent with the input `given` and return its final answer.

        Raises the exceptions in `agent.run.RUN_ENDING`, e.g. LimitReached.
        """
        prompt = self._agent.prompt(given)
        steps = 0
        while True:
            self._run.budget.check(steps=steps, depth=self._agent.depth)
            steps += 1
            own = history(self._run.record.entries[self._start :], self._step)
            request = self._run.settings.decision_format.request(prompt, own)
            reply = await async_sample(self._run, request, on_delta=self._sink())
            repairs: tuple[str, ...] = ()
            try:
                content = read_reply(
                    reply,
                    self._run.settings.decision_format,
                    prompt.tools,
                    is_tainted=self._run.tainted,
                )
                repairs = content.repairs
                decision = self._decision(content)
            except DecisionError as err:
                self._run.record.add(Decided(reply=reply, repairs=repairs, is_error=True))
                self._observe(reply.text, [Observation(call_id="", tool="", text=str(err))])
                continue
            self._run.record.add(
                Decided(reply=as_read(reply, content), calls=decision.calls, repairs=repairs)
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
        known = self._responses
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
        if any(map(_has_failed, results)):
            text = "Not finished, since a call of this decision failed. Read why, then decide."
        elif self._responses > known:
            text = "Not finished, since a call returned an answer. Read it, then finish."
        else:
            ended = await self._async_finish(decision.finish)
            if isinstance(ended, Finish):
                return ended
            text = ended
        return [*observations, Observation(call_id=decision.finish.id, tool=FINISH, text=text)]

    @property
    def _responses(self) -> int:
        check = self._run.answer_check
        return 0 if check is None else check.responses

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
        results: list[llm.ToolResult] = []
        for tool, group in groupby(calls, self._together):
            if isinstance(tool, JointTool):
                results += await self._async_call_joint(tool, [*group])
            elif tool is _READ_ONLY:
                results += await asyncio.gather(*map(self._async_call, group))
            else:
                results += [await self._async_call(each) for each in group]
        return results

    def _together(self, call: Call) -> llm.Tool | str | None:
        """Return the key by which `_async_call_all` groups consecutive calls.

        The key is the tool for a `JointTool`, `_READ_ONLY` for another read-only tool, and None for
        calls that run one after the other.
        """
        tool = self._tools.get(call.tool)
        if isinstance(tool, JointTool):
            return tool
        return _READ_ONLY if tool is not None and tool.annotations.read_only else None

    async def _async_call(self, call: Call) -> llm.ToolResult:
        tool = self._tools.get(call.tool)
        record = self._run.record
        with record.steps("tool", (call.tool, call.arguments)) as (step,):
            if tool is None:
                result = unknown_tool(call.tool, self._tools)
            else:
                result = await async_call_tool(self._hass, tool, call, self._context)
            record.end(step, result_text(result), is_error=result.error)
        return result

    async def _async_call_joint(
        self, tool: JointTool, calls: Sequence[Call]
    ) -> Sequence[llm.ToolResult]:
        record = self._run.record
        with record.steps("tool", *((each.tool, each.arguments) for each in calls)) as steps:
            results = await async_call_joint(tool, calls, self._context)
            for step, result in zip(steps, results, strict=True):
                record.end(step, result_text(result), is_error=result.error)
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


def _has_failed(result: llm.ToolResult) -> bool:
    if isinstance(result, FinalResult):
        return result.finish.kind is FinishKind.COULD_NOT
    return result.error


def _called(decision: Decision) -> str:
    return json.dumps([[each.tool, each.arguments] for each in decision.calls], sort_keys=True)


async def async_call_tool(
    hass: HomeAssistant, tool: llm.Tool, call: Call, llm_context: llm.LLMContext
) -> llm.ToolResult:
    """Execute a tool call and return the result.

    Raises only the exceptions in `agent.run.RUN_ENDING`; other exceptions become an error result.
    """
    try:
        result = await tool.async_call(hass, _tool_input(tool, call), llm_context)
    except RUN_ENDING:
        raise
    except (probatio.Invalid, HomeAssistantError) as err:
        return _rejected(tool, call, err)
    except Exception as err:
        _LOGGER.exception("Tool %s failed", tool.name)
        return _failed(call, err)
    # Tools written before Home Assistant 2026.9 return plain JSON.
    return result if isinstance(result, llm.ToolResult) else llm.ToolResult(data=result)


async def async_call_joint(
    tool: JointTool, calls: Sequence[Call], llm_context: llm.LLMContext
) -> Sequence[llm.ToolResult]:
    """Execute several calls of one tool together; return one result per call, in order.

    A call with wrong arguments gets an error result. If the tool raises an exception, every call
    gets an error result. Raises only the exceptions in `agent.run.RUN_ENDING`.
    """
    inputs = [_tool_input(tool, each) for each in calls]
    try:
        results = await tool.async_call_joint(inputs, llm_context)
    except RUN_ENDING:
        raise
    except Exception as err:
        _LOGGER.exception("Tool %s failed", tool.name)
        return [_failed(call, err) for call in calls]
    return [
        _rejected(tool, call, result) if isinstance(result, probatio.Invalid) else result
        for call, result in zip(calls, results, strict=True)
    ]


def _tool_input(tool: llm.Tool, call: Call) -> llm.ToolInput:
    return llm.ToolInput(tool_name=tool.name, tool_args=dict(call.arguments), id=call.id)


def _rejected(
    tool: llm.Tool, call: Call, err: probatio.Invalid | HomeAssistantError
) -> llm.ToolResult:
    if isinstance(err, probatio.Invalid):
        wanted = json.dumps(spec_of(tool).parameters["properties"])
        return error_result(f"wrong arguments ({err}). `{call.tool}` takes {wanted}.")
    return error_result(str(err) or type(err).__name__)


def _failed(call: Call, err: Exception) -> llm.ToolResult:
    return error_result(f"`{call.tool}` failed ({type(err).__name__}). Try another way.")
