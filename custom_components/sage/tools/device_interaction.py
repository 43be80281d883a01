"""The device interaction agent-tool: a tool with a model loop (SAGE paper, section III-B)."""

import probatio
from homeassistant.helpers import llm

from ..agent import About, Agent, Claim, ClaimResult, Finish, FinishKind, final_result, text_result
from ..home import describe_for_model, quiet
from .device_disambiguation import DeviceDisambiguation
from .execute_command import TIMING, TIMINGS, ExecuteCommand, async_refusal
from .planner import Plan, Planner, async_planned_task
from .read_attributes import ApiDocumentation, ReadAttributes
from .sage_tool import FINAL, WRITES, Arguments, SageTool


class DeviceInteraction(SageTool):
    """Reads and controls devices according to their documentation."""

    name = "sage__device_interaction"
    title = "Devices"
    description = "Read and operate the devices of the home: change them or tell their state."
    annotations = WRITES
    parameters = probatio.Schema(
        {
            probatio.Optional(
                "command", description="only if earlier turns add to the request: the whole"
            ): str,
            TIMING: TIMINGS,
            FINAL: bool,
        }
    )

    def may_act(self, given: Arguments) -> bool:
        """Return False: the agent has no tool that acts while the run only asks."""
        return False

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
        planner = Planner(situation)
        task = await self._async_input(
            planner, given.get("command") or situation.run.utterance.text
        )
        if final and (lacking := await self._async_lacking(planner.plan)) is not None:
            return final_result(lacking)
        is_only_command = final and situation.run.settings.misjudges_timing
        is_only_command = is_only_command and _is_one_command(planner.plan)
        agent = self.agent(answers_person=final, is_only_command=is_only_command)
        finish = await agent.async_run(situation.hass, situation.run, task, situation.llm_context)
        if final:
            return final_result(finish)
        done = describe_for_model(situation.evidence.outcomes)
        report = f"{finish.kind.value}: {finish.answer}"
        return text_result(f"{report}\n{done}" if done else report)

    async def _async_input(self, planner: Planner, command: str) -> str:
        return await async_planned_task(planner, command)

    async def _async_lacking(self, plan: Plan | None) -> Finish | None:
        """Return the answer about what the home lacks, unless it is only described, or None."""
        situation = self.situation
        is_silent = situation.home.has_photos or not situation.sentences.is_own_language
        if plan is None or plan.steps or not plan.missing or is_silent:
            return None
        if situation.run.record.is_tainted:
            return None
        for thing in plan.missing:
            if not await situation.home.async_lacks(thing):
                return None
        things = ", ".join(quiet(each) for each in plan.missing)
        return Finish(
            kind=FinishKind.COULD_NOT,
            answer=situation.sentences.say("not_here", things=things),
            about=frozenset({About.HOME}),
            claims=(Claim(devices=plan.missing, result=ClaimResult.MISSING),),
        )

    def agent(self, *, answers_person: bool, is_only_command: bool = False) -> Agent:
        """Return the agent for commands; `answers_person`: the person, not an agent.

        `is_only_command`: all that is to be done is one command; code says what it did.
        """
        situation = self.situation
        return Agent(
            name="device_interaction",
            task_info=situation.prompt("device_interaction"),
            tools=self._tools(is_only_command=is_only_command),
            finish_description=situation.prompt("finish"),
            answer_description=situation.prompt("finish_claims"),
            depth=1,
            answers_person=answers_person,
        )

    def _tools(self, *, is_only_command: bool) -> tuple[llm.Tool, ...]:
        """Return the sub-tools, without the planner: the first input already contains a plan."""
        situation = self.situation
        execute = ExecuteCommand(situation)
        execute.is_only_command = is_only_command
        check = situation.run.answer_check
        only_asks = check is not None and check.only_asks
        return (
            *(() if only_asks else (execute,)),
            ReadAttributes(situation),
            ApiDocumentation(situation),
            DeviceDisambiguation(situation),
        )


class PaperDeviceInteraction(DeviceInteraction):
    """Device interaction as in the SAGE paper: the model decides every step, also the plan."""

    parameters = probatio.Schema(
        {
            probatio.Required(
                "command",
                description="the whole request as the person said it, with what earlier turns add",
            ): str
        }
    )

    async def _async_input(self, planner: Planner, command: str) -> str:
        return self.situation.task_text(command)

    def _tools(self, *, is_only_command: bool) -> tuple[llm.Tool, ...]:
        return (Planner(self.situation), *super()._tools(is_only_command=is_only_command))


def _is_one_command(plan: Plan | None) -> bool:
    steps = () if plan is None or plan.missing else plan.steps
    return [each.action for each in steps] == ["command"]
