"""The agent loop (Algorithm 1 of the SAGE paper).

The loop asks the model for tool calls and executes them, until the model calls `finish`. A tool
that runs such a loop itself is an *agent-tool*.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..model import ModelError, ModelRequest, ToolSpec, fitted
from ..text import has_fence, plain_so_far
from .decision import (
    FINISH,
    INNER_KINDS,
    About,
    Call,
    Decision,
    DecisionError,
    Finish,
    FinishKind,
    Observation,
    Observed,
    answer_schema,
    finish_schema,
)
from .formats import Example
from .port import Delta, Ending, RunEnded
from .record import STEP, Streamed, Wasted
from .reply_reader import finish_from, read_reply
from .run import ENTRY, AgentSettings, FinalCheck, Run
from .tool import (
    FinalResult,
    JointTool,
    async_call_tools,
    may_act,
    result_text,
    short_name,
    spec_of,
)

_READ_ONLY: Final = "read only"

_SAME_DECISIONS = 3  # number of equal decisions with equal results after which the run ends
_SAME_ERRORS = 2  # the same, if the results are errors
REPEATED: Final = (
    "You have decided exactly this before, with the same result. Do not repeat it: finish with "
    "what is known, or decide something else."
)
"""Warning to the model after it repeats a decision with the same result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """The definition of an agent: its instructions, its tools and its possible answers."""

    task_info: str
    tools: tuple[llm.Tool, ...]
    """The tools; of several with the same name, only the first one counts."""

    finish_description: str  # description of the tool `finish` for the model
    name: str = ENTRY
    answer_description: str = ""
    """Added to `finish_description` if `answers_person`: explains `about` and `claims`."""

    depth: int = 0
    answers_person: bool = False
    """Whether the final answer goes to the person and not to another agent."""

    finish_kinds: tuple[FinishKind, ...] = INNER_KINDS
    """Allowed kinds of the final answer to another agent; ignored if `answers_person` is True."""

    subjects: tuple[About, ...] = tuple(About)
    """Allowed values of the argument `about` in an answer to the person."""

    narrowed: Callable[[], Sequence[ToolSpec]] | None = None
    """Callback that returns the tools that the next decision may call, of those that are shown."""

    objection: Callable[[Finish], str | None] | None = None
    """Callback that returns an objection to a final answer, or None to accept the answer."""

    examples: tuple[Example, ...] = ()

    def by_name(self) -> dict[str, llm.Tool]:
        """Return the tools by their names, as the model sees them; `finish` is reserved."""
        named: dict[str, llm.Tool] = {}
        for tool in self.tools:
            if (name := short_name(tool)) != FINISH:
                named.setdefault(name, tool)
        return named

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools as the model sees them, with the tool `finish` as last one."""
        if self.answers_person:
            description = f"{self.finish_description} {self.answer_description}".strip()
            schema = answer_schema(self.subjects)
        else:
            description, schema = self.finish_description, finish_schema(self.finish_kinds)
        finish = ToolSpec(name=FINISH, description=description, parameters=schema)
        return (*map(spec_of, self.by_name().values()), finish)

    def request(
        self,
        settings: AgentSettings,
        given: str,
        specs: Sequence[ToolSpec] = (),
        history: Sequence[Observed] = (),
    ) -> ModelRequest:
        """Return the request for the next decision about `given`; `specs`: result of `specs`."""
        prompt = (self.task_info, specs or self.specs(), given, self.examples, history)
        request = settings.decision_format.request(*prompt)
        if settings.second_format is None:
            return request
        latest = [each.decision for each in reversed(history)]
        was_read = (not each.problem or each.reply.instead_of is not None for each in latest)
        return replace(
            request,
            unreadable=[*was_read, True].index(True),
            other_format=partial(settings.second_format.request, *prompt),
        )

    async def async_run(
        self, hass: HomeAssistant, run: Run, given: str, llm_context: llm.LLMContext
    ) -> Finish:
        """Execute the agent with the input `given`; raises the exceptions in `RUN_ENDING`."""
        return await _Loop(hass, run, self, self.by_name(), llm_context).async_run(given)

    async def async_own_calls(self, run: Run, given: str) -> Sequence[Call]:
        """Return the tool calls that the model decides, without untrusted text in the prompt.

        Only the person's own words can have caused these calls (`Run.async_asked_for`). Empty if
        the input `given` contains untrusted text, or if the model fails.
        """
        if has_fence(given):
            return ()
        try:
            reply = await run.async_sample(self.request(run.settings, f"{given}\n{_ALONE}"))
        except ModelError:
            return ()
        return read_reply(reply, run.settings.format_of(reply), self.specs()).calls


_ALONE: Final = (
    "This reply executes nothing. It records what these words ask for, without any text from "
    "outside: call each command, change and look-up, and the search of the TV guide with "
    "`watch_on`, that they may ask for, even if it depends on such a text. None: `finish`."
)
"""Last line of the prompt of `Agent.async_own_calls`."""


@dataclass(slots=True)
class _Loop:
    """One execution of an agent: model calls and tool calls until the final answer."""

    _hass: HomeAssistant
    _run: Run
    _agent: Agent
    _tools: Mapping[str, llm.Tool]
    _context: llm.LLMContext
    _decided: Counter[tuple[object, ...]] = field(default_factory=Counter)

    async def async_run(self, given: str) -> Finish:
        agent, record, settings = self._agent, self._run.record, self._run.settings
        specs, step, start = agent.specs(), STEP.get(), len(record.entries)
        was_in_words = False
        steps = 0
        while True:
            self._run.check(steps=steps, depth=agent.depth)
            steps += 1
            request = agent.request(settings, given, specs, record.history(start, step))
            check = self._run.answer_check
            allowed = specs if agent.narrowed is None else agent.narrowed()
            if check is not None and check.only_asks:
                acting = {name for name, tool in self._tools.items() if may_act(tool, {})}
                allowed = [each for each in allowed if each.name not in acting]
            if allowed is not specs:
                request = settings.decision_format.narrowed(request, allowed)
            is_streamed = agent.answers_person and check is not None and check.is_answer_likely
            stream = AnswerStream(self._run, check).feed if is_streamed and check else None
            reply = await self._run.async_sample(request, on_delta=stream)
            written = settings.format_of(reply)
            decision = read_reply(reply, written, specs, is_tainted=record.is_tainted)
            if decision.finish is not None and decision.finish.is_unstructured:
                # Words without a call are sent back once, since they may only announce a call.
                # After that, they are an answer to the person that says nothing about the home.
                if not (was_in_words and agent.answers_person):
                    decision = replace(decision, finish=None, problem=written.how_to_fix)
                was_in_words = True
            record.add(decision)
            if decision.problem:
                problem = Observation("", decision.problem)
                self._observe(reply.text, decision, [problem], is_error=True)
                continue
            ended = await self._async_follow(decision)
            if isinstance(ended, Finish):
                return ended
            observations, is_error = ended
            called = [[each.tool, each.arguments] for each in decision.calls]
            decided = json.dumps(called, sort_keys=True)
            self._observe(decided, decision, observations, is_error=is_error)

    async def _async_follow(
        self, decision: Decision
    ) -> Finish | tuple[Sequence[Observation], bool]:
        """Execute the tool calls of a decision; return the final answer, or the observations.

        The second value is whether they are errors or an objection. Raises RunEnded if the request
        only asks, but the model wants to act.
        """
        check = self._run.answer_check
        calls = ((self._tools.get(each.tool), each.arguments) for each in decision.calls)
        only_asks = check is not None and check.only_asks
        if only_asks and any(tool and may_act(tool, given) for tool, given in calls):
            raise RunEnded(Ending.STUCK)
        known = check.responses if check is not None else 0
        replied = len(self._run.replies)
        results = await self._async_call_all(decision.calls)
        if decision.finish is None:
            ends = [each.finish for each in results if isinstance(each, FinalResult)]
            if ends and len(ends) == len(results):
                return _joined(ends)
        observations = [
            Observation(call.id, result_text(result))
            for call, result in zip(decision.calls, results, strict=True)
        ]
        if decision.finish is None:
            return observations, any(each.error for each in results)
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
        observations.append(Observation(decision.finish.id, text))
        return observations, len(self._run.replies) == replied

    async def _async_finish(self, finish: Finish) -> Finish | str:
        """Return the final answer if it is accepted, else the next observation for the model.

        The observation is an objection to the answer or, if the answer was a question, the
        person's reply.
        """
        if finish.kind is FinishKind.NEW_REQUEST:
            if self._run.replies:
                raise RunEnded(Ending.NEW_REQUEST)
            return "`new_request` is only for a reply of the person that is a new request."
        objection = self._agent.objection and self._agent.objection(finish)
        if objection:
            return objection
        check = self._run.answer_check
        if not self._agent.answers_person or check is None:
            return finish
        judged = await check.async_judge(finish)
        if isinstance(judged, Finish) and judged.kind is FinishKind.ASKED:
            return await self._run.async_ask(judged.answer)
        return judged

    async def _async_call_all(self, calls: Sequence[Call]) -> list[llm.ToolResult]:
        """Call the tools in order, and return one result per call.

        Consecutive calls of read-only tools run concurrently. Consecutive calls of the same
        `JointTool` are passed to the tool together.
        """
        groups: list[tuple[object, list[Call]]] = []
        for call in calls:
            tool = self._tools.get(call.tool)
            kind: object = call
            if isinstance(tool, JointTool):
                kind = tool
            elif tool is not None and tool.annotations.read_only:
                kind = _READ_ONLY
            if groups and groups[-1][0] is kind:
                groups[-1][1].append(call)
            else:
                groups.append((kind, [call]))
        results: list[llm.ToolResult] = []
        async_call = partial(async_call_tools, self._hass, self._run.record, self._tools)
        for kind, group in groups:
            if kind is _READ_ONLY:
                called = (async_call([call], self._context) for call in group)
                results += chain.from_iterable(await asyncio.gather(*called))
            else:
                results += await async_call(group, self._context)
        return results

    def _observe(
        self,
        decided: str,
        decision: Decision,
        observations: Sequence[Observation],
        *,
        is_error: bool,
    ) -> None:
        """Record the observations; tell the model if it repeats a decision with the same results.

        `decided`: the decision as text. Raises RunEnded after the same error twice, and after
        `_SAME_DECISIONS` other equal results.
        """
        step = (decided, *(each.text for each in observations))
        self._decided[step] += 1
        if self._decided[step] > 1:
            *others, last = observations
            observations = [*others, Observation(last.call_id, f"{last.text}\n{REPEATED}")]
        self._run.record.add(Observed(decision, tuple(observations)))
        if is_error or self._decided[step] > 1:
            called = ((self._tools.get(each.tool), each.arguments) for each in decision.calls)
            acts = any(tool is not None and may_act(tool, given) for tool, given in called)
            self._run.record.add(Wasted(acts))
        # What the first model writes, a second one may still decide.
        is_by_first = decision.reply.instead_of is None
        is_next = decision.problem and is_by_first and self._run.settings.second_format is not None
        most = _SAME_ERRORS if is_error else _SAME_DECISIONS
        if self._decided[step] >= most and not is_next:
            raise RunEnded(Ending.STUCK)


def _joined(ends: Sequence[Finish]) -> Finish:
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


# ------------------------------------------------------------ streaming


_SENTENCES: Final = re.compile(r".*(?:[.!?…]['\")\]»”’]*\s|[。！？।؟]|\n)", re.DOTALL)
"""All finished sentences of a text."""


@dataclass(slots=True)
class AnswerStream:
    """Streams the final answer to the person while the model is writing the reply.

    Nothing is streamed until `FinalCheck` accepts the fields before the answer, e.g. `claims`. Then
    whole sentences are streamed, as long as it accepts their words.
    """

    _run: Run
    _check: FinalCheck
    _text: str = ""
    _finish: Finish | None = None
    _may_pass: bool | None = None

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
        answer, streamed = sentences[0].rstrip(), self._run.record.streamed
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
            self._finish = finish_from(fitted(answer_schema(), {**arguments, "answer": "…"}))
        except DecisionError:
            return False
        return self._check.may_stream(self._finish)
