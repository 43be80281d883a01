"""The device interaction agent-tool (paper, section III-B)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

import probatio
from homeassistant.helpers import llm

from ..agent.decision import Finish
from ..agent.language_model import ChatMessage, ModelRequest
from ..agent.loop import Agent, Loop
from ..agent.partial_json import first_object
from ..agent.sampling import async_sample
from ..agent.tool_call import TracedTool, error_result, text_result
from ..agent.trace import TraceNode
from ..home.outcome_text import describe_for_model
from .api_documentation import ApiDocumentation
from .attributes import AttributeRetrieval
from .commands import CommandExecution
from .disambiguation import DeviceDisambiguation
from .planned_task import async_planned_task
from .planner import Planner
from .sage_tool import WRITES, SageTool

_COMMAND: Final = probatio.Required(
    "command", description="the whole request in one plain sentence, nothing left to guess"
)


class Timing(StrEnum):
    """When a request is to be carried out."""

    NOW = "now"
    LATER = "later"
    """Something has to happen first, or a time has to come."""


_TIMING: Final = probatio.Required(
    "timing",
    description=(
        "now: to be done or answered at once, also if only on a condition about now; later: "
        "something has to happen first, or a time has to come"
    ),
)
_FINAL: Final = probatio.Required(
    "final",
    description=(
        "true: its answer goes straight to the person, the usual case; false: you need its "
        "result for another tool"
    ),
)

_LATER_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"later": {"type": "boolean"}},
    "required": ["later"],
    "additionalProperties": False,
}
_LATER: Final = (
    "Nothing was done: this tool acts at once. For a time call `condition_polling`; if something "
    "has to happen first, `condition_code_writing`, then `condition_polling`. What is for now "
    "goes here, by itself."
)
_ITS_TIME: Final = (
    "Nothing was done, but the time of this routine has come: call this again with `timing` now. "
    "Only for what waits for something else still: `condition_polling`."
)


class DeviceInteraction(SageTool, TracedTool):
    """Reads and operates devices by their documentation."""

    name = "sage__device_interaction"
    title = "Devices"
    description = "Read and operate the devices of the home: change them or tell their state."
    annotations = WRITES
    parameters = probatio.Schema(
        {_COMMAND: str, _TIMING: probatio.In([each.value for each in Timing]), _FINAL: bool}
    )

    _is_later: bool | None = None
    """What a model that confuses now and later said when it was asked; None before that."""

    async def async_call_traced(
        self, tool_input: llm.ToolInput, llm_context: llm.LLMContext, trace: TraceNode
    ) -> llm.ToolResult | Finish:
        """Plan, then decide until the command is carried out."""
        given = self.arguments(tool_input)
        final = bool(given.get("final", False))
        situation = self.situation
        if await self._async_is_for_later(trace, says_later=given.get("timing") == Timing.LATER):
            return error_result(_LATER if situation.run.utterance.routine is None else _ITS_TIME)
        agent = self._agent(answers_person=final)
        loop = Loop(situation.hass, situation.run, agent, llm_context=llm_context, trace=trace)
        finish = await loop.async_run(await self._async_input(given["command"], llm_context, trace))
        if final:
            return finish
        done = describe_for_model(situation.evidence.outcomes)
        report = f"{finish.kind.value}: {finish.answer}"
        return text_result(f"{report}\n{done}" if done else report)

    async def _async_is_for_later(self, trace: TraceNode, *, says_later: bool) -> bool:
        """Return whether the request is for later: as the model says in `timing`.

        A model that confuses the two is asked in a call of its own, once in a run, and not
        any more once something was watched, or set up for later.
        """
        situation = self.situation
        run, evidence = situation.run, situation.evidence
        if not run.settings.confuses_later or run.settings.paper_flow:
            return says_later
        if run.utterance.routine is not None or situation.conditions.names or evidence.routines:
            return False
        if self._is_later is None:
            self._is_later = await self._async_ask_if_later(trace)
            return self._is_later
        return self._is_later and says_later

    async def _async_ask_if_later(self, trace: TraceNode) -> bool:
        situation = self.situation
        run = situation.run
        messages = (
            ChatMessage(role="system", content=situation.prompt("later")),
            ChatMessage(role="user", content=f"Request: {run.utterance.text}"),
        )
        schema = _LATER_SCHEMA if run.settings.schema_works else None
        reply = await async_sample(
            run, trace, ModelRequest(messages=messages, response_schema=schema)
        )
        return (first_object(reply.text) or {}).get("later") is True

    async def _async_input(
        self, command: str, llm_context: llm.LLMContext, trace: TraceNode
    ) -> str:
        """Return the command with the plan, which is always the first step."""
        return await async_planned_task(Planner(self.situation), command, llm_context, trace)

    def _agent(self, *, answers_person: bool) -> Agent:
        situation = self.situation
        return Agent(
            name="device_interaction",
            task_info=situation.prompt("device_interaction"),
            tools=self._tools(),
            finish_description=situation.prompt("finish"),
            depth=1,
            answers_person=answers_person,
        )

    def _tools(self) -> tuple[llm.Tool, ...]:
        """Return the sub-tools; the plan is there before the first decision."""
        situation = self.situation
        return (
            CommandExecution(situation),
            AttributeRetrieval(situation),
            ApiDocumentation(situation),
            DeviceDisambiguation(situation),
        )


class PaperDeviceInteraction(DeviceInteraction):
    """The same agent-tool in the paper's own flow: it decides every step itself."""

    parameters = probatio.Schema({_COMMAND: str})

    async def _async_input(
        self, command: str, llm_context: llm.LLMContext, trace: TraceNode
    ) -> str:
        return self.situation.task_text(command)

    def _tools(self) -> tuple[llm.Tool, ...]:
        return (Planner(self.situation), *super()._tools())
