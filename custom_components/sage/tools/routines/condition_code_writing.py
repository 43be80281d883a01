"""The condition code writing agent-tool (paper, section on device monitoring)."""

from functools import partial
from typing import Final

import probatio
from homeassistant.helpers import llm

from ...agent.decision import Finish, FinishKind
from ...agent.example_turns import without_examples
from ...agent.loop import Agent, Loop
from ...agent.tool_call import TracedTool, error_result, text_result
from ...agent.trace import TraceNode
from ...routines.routine_types import UncheckableError
from ..api_documentation import ApiDocumentation
from ..device_disambiguation import DeviceDisambiguation
from ..planner import async_planned_task
from ..sage_tool import READ_ONLY, SageTool
from .code_execution import CodeExecution, describe
from .condition_code import condition_task_info
from .condition_planner import ConditionPlanner

_LONGEST: Final = 1_000
"""Characters of a condition."""

_CONDITION: Final = probatio.Required(
    "condition",
    description="a statement in the person's words, without how long: the washer is done",
)
_NOW: Final = (
    "Now write the function that is True while this holds, and run it with `code_execution`: "
    "{condition}"
)
"""Says the condition last: small models take the values above for it."""
_NEXT: Final = (
    "Nothing watches it yet: now call `condition_polling` with this function and all that is to "
    'be done or told then, as the person said: "{request}"'
)


class ConditionCodeWriting(SageTool, TracedTool):
    """Writes a function that returns whether a condition is true."""

    name = "sage__condition_code_writing"
    title = "Write the condition"
    description = (
        "Write a function for `condition_polling`: what has to happen before something is done or "
        "told. Not for questions about now."
    )
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {_CONDITION: probatio.All(str, str.strip, probatio.Length(min=1, max=_LONGEST))}
    )

    async def async_call_traced(
        self, tool_input: llm.ToolInput, llm_context: llm.LLMContext, trace: TraceNode
    ) -> llm.ToolResult:
        """Plan, write the code, run it once; return the name of the function."""
        condition = self.arguments(tool_input)["condition"]
        situation = self.situation
        try:
            await situation.routines.async_check_ready()
        except UncheckableError as err:
            return error_result(f"{err} No function was written.")
        execution = CodeExecution(situation, condition)
        loop = Loop(
            situation.hass,
            situation.run,
            self._agent(execution),
            llm_context=llm_context,
            trace=trace,
        )
        finish = await loop.async_run(await self._async_input(condition, llm_context, trace))
        if execution.kept is None:
            return text_result(f"{finish.kind.value}: {finish.answer}\nNo function was written.")
        following = _NEXT.format(request=situation.run.utterance.text)
        return text_result(f"{describe(execution.kept)} {following}")

    async def _async_input(
        self, condition: str, llm_context: llm.LLMContext, trace: TraceNode
    ) -> str:
        """Return the condition with the plan, which is always made first."""
        planner = ConditionPlanner(self.situation)
        task = await async_planned_task(planner, condition, llm_context, trace)
        return f"{task}\n{_NOW.format(condition=condition)}"

    def _agent(self, execution: CodeExecution) -> Agent:
        situation = self.situation
        prompt = situation.prompt("condition_code_writing")
        if situation.shows_turns:
            prompt = without_examples(prompt)
        return Agent(
            name="condition_code_writing",
            task_info=condition_task_info(prompt, situation.routines.functions),
            tools=(*self._planner(), execution, *self._finders()),
            finish_description=situation.prompt("condition_finish"),
            depth=1,
            objection=partial(_objection, execution),
            examples=situation.turns("condition_turns"),
        )

    def _planner(self) -> tuple[llm.Tool, ...]:
        """Return no planner: the plan is made before the first decision."""
        return ()

    def _finders(self) -> tuple[llm.Tool, ...]:
        return (ApiDocumentation(self.situation), DeviceDisambiguation(self.situation))


def _objection(execution: CodeExecution, finish: Finish) -> str | None:
    """Return why a finish is refused: small models answer the condition without writing code."""
    if execution.kept is not None or finish.kind in (FinishKind.ASKED, FinishKind.COULD_NOT):
        return None
    return (
        "No function was written yet, and the condition is not to be answered. Write the function "
        "and call `code_execution` with it."
    )


class PaperConditionCodeWriting(ConditionCodeWriting):
    """The same agent-tool in the flow of the paper: the model decides every step."""

    async def _async_input(
        self, condition: str, llm_context: llm.LLMContext, trace: TraceNode
    ) -> str:
        return self.situation.task_text(condition, with_request=False)

    def _planner(self) -> tuple[llm.Tool, ...]:
        return (ConditionPlanner(self.situation),)
