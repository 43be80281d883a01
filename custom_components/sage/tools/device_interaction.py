"""The device interaction agent-tool (SAGE paper, section III-B).

An agent-tool is a tool that runs its own model loop with its own prompt and sub-tools.
"""

from typing import Final

import probatio
from homeassistant.helpers import llm

from ..agent import Agent, final_result, text_result
from ..home import describe_for_model
from .device_disambiguation import DeviceDisambiguation
from .execute_command import TIMING, TIMINGS, ExecuteCommand, async_refusal
from .planner import Planner, async_planned_task
from .read_attributes import ApiDocumentation, ReadAttributes
from .sage_tool import WRITES, Arguments, SageTool

_COMMAND: Final = probatio.Required(
    "command",
    description="the whole request as the person said it, with what earlier turns add",
)

_FINAL: Final = probatio.Required(
    "final",
    description=(
        "true: its answer goes straight to the person, the usual case; false: you need its "
        "result for another tool"
    ),
)


class DeviceInteraction(SageTool):
    """Reads and controls devices according to their documentation."""

    name = "sage__device_interaction"
    title = "Devices"
    description = "Read and operate the devices of the home: change them or tell their state."
    annotations = WRITES
    parameters = probatio.Schema({_COMMAND: str, TIMING: TIMINGS, _FINAL: bool})

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Plan and execute the command in a loop of model decisions.

        Returns one of these:
        - the final answer for the person, if the argument `final` is True
        - otherwise a text for the calling agent
        - an error, if the person wants the command executed later
        """
        final = bool(given.get("final", False))
        situation = self.situation
        if (refusal := await async_refusal(situation, given)) is not None:
            return refusal
        agent = self.agent(answers_person=final)
        task = await self._async_input(given["command"])
        finish = await agent.async_run(situation.hass, situation.run, task, situation.llm_context)
        if final:
            return final_result(finish)
        done = describe_for_model(situation.evidence.outcomes)
        report = f"{finish.kind.value}: {finish.answer}"
        return text_result(f"{report}\n{done}" if done else report)

    async def _async_input(self, command: str) -> str:
        """Return the command and its plan, as the first input of the agent."""
        return await async_planned_task(Planner(self.situation), command)

    def agent(self, *, answers_person: bool) -> Agent:
        """Return the agent that executes commands.

        `answers_person`: whether the answer goes to the person, not to the calling agent.
        """
        situation = self.situation
        return Agent(
            name="device_interaction",
            task_info=situation.prompt("device_interaction"),
            tools=self._tools(),
            finish_description=situation.prompt("finish"),
            answer_description=situation.prompt("finish_claims"),
            depth=1,
            answers_person=answers_person,
        )

    def _tools(self) -> tuple[llm.Tool, ...]:
        """Return the sub-tools, without the planner: the first input already contains a plan."""
        situation = self.situation
        return (
            ExecuteCommand(situation),
            ReadAttributes(situation),
            ApiDocumentation(situation),
            DeviceDisambiguation(situation),
        )


class PaperDeviceInteraction(DeviceInteraction):
    """Device interaction as in the SAGE paper: the model decides every step, also the plan."""

    parameters = probatio.Schema({_COMMAND: str})

    async def _async_input(self, command: str) -> str:
        return self.situation.task_text(command)

    def _tools(self) -> tuple[llm.Tool, ...]:
        return (Planner(self.situation), *super()._tools())
