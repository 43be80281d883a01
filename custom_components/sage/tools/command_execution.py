"""The device command execution tool (paper, section III-B)."""

from collections.abc import Sequence
from typing import Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..agent.decision import About, Finish, FinishKind
from ..agent.tool_call import TracedTool, error_result, text_result
from ..agent.trace import TraceNode
from ..home.commands.outcome_text import async_describe_for_model
from ..home.home_types import CommandRequest, Outcome
from .claims import DONE
from .now_or_later import TIMING, TIMINGS, NowOrLater
from .sage_tool import DEVICES, WRITES, HomeError, SageTool
from .situation import Situation


class CommandExecution(SageTool):
    """Executes one command on one or several devices and returns the outcomes."""

    name = "sage__execute_command"
    title = "Execute command"
    description = "Execute one documented command on one or several devices, and see its outcome."
    annotations = WRITES
    parameters = probatio.Schema(
        {
            probatio.Required("devices", description=DEVICES): [str],
            probatio.Required("command", description="name of the command"): str,
            probatio.Optional(
                "arguments", description="values by argument name, {} for none"
            ): dict,
            probatio.Optional(
                "component",
                description=(
                    "id after the device's in the documentation, as written there, if it has one"
                ),
            ): str,
            probatio.Optional(
                "language",
                description="of the request, if it is not the person's: ISO 639-1",
            ): str,
        }
    )

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Validate, check permission and risk, execute, wait for evidence."""
        given = self.arguments(tool_input)
        requests = [
            CommandRequest(
                device_id=device,
                command=given["command"],
                component_id=given.get("component") or None,
                arguments=given.get("arguments") or {},
            )
            for device in dict.fromkeys(given["devices"])
        ]
        if not requests:
            return error_result("`devices` needs the id of at least one device.")
        situation = self.situation
        await situation.authority.async_speak(given.get("language") or "")
        try:
            outcomes = await situation.home.async_execute(requests)
        except HomeError as err:
            return error_result(str(err))
        return text_result(await async_describe_for_model(outcomes))


_FINAL: Final = probatio.Required(
    "final",
    description=(
        "true: with the calls of this reply all is done, and without a `finish` among them the "
        "home tells the person what happened; false: more is to be done"
    ),
)


class DirectCommand(CommandExecution, TracedTool):
    """The same tool for the entry agent, which sees the whole request (DESIGN 4)."""

    parameters = probatio.Schema(
        {**CommandExecution.parameters.schema, TIMING: TIMINGS, _FINAL: bool}
    )

    def __init__(self, situation: Situation, timing: NowOrLater) -> None:
        """Share `timing` with the other tools that act at once."""
        super().__init__(situation)
        self._timing = timing

    async def async_call_traced(
        self, tool_input: llm.ToolInput, llm_context: llm.LLMContext, trace: TraceNode
    ) -> llm.ToolResult | Finish:
        """Execute if the request is for now. Outcomes without problems may be the whole answer."""
        given, evidence = self.arguments(tool_input), self.situation.evidence
        refusal = await self._timing.async_refusal(given, trace)
        if refusal is not None:
            return refusal
        result = await self.async_call(self.situation.hass, tool_input, llm_context)
        outcomes = evidence.final_outcomes
        if result.error or not given["final"] or not self._tells_all(outcomes):
            return result
        return Finish(
            kind=FinishKind.ACTED,
            answer=self.situation.say_outcomes(outcomes),
            about=frozenset({About.HOME}),
            tells_run=True,
        )

    def _tells_all(self, outcomes: Sequence[Outcome]) -> bool:
        """Return whether the outcome sentences are a complete answer in the person's language."""
        evidence = self.situation.evidence
        is_read = any(each.is_read for each in evidence.outcomes)
        is_alone = not (is_read or evidence.routines or evidence.kept or evidence.foreign)
        are_done = all(each.kind in DONE for each in outcomes)
        is_spoken = self.situation.sentences.is_own_language
        return bool(outcomes) and are_done and is_spoken and is_alone
