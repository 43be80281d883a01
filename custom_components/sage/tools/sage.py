"""SAGE, the entry point of the tree of tools (paper, Table I)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from homeassistant.helpers import llm

from ..agent.decision import FINISH, Finish
from ..agent.example_turns import without_examples
from ..agent.loop import Agent, Loop
from ..agent.tool_spec import short_name
from ..model.language_model import ModelRequest
from .command_execution import DirectCommand
from .device_interaction import DeviceInteraction, PaperDeviceInteraction
from .human_interaction import HumanInteraction
from .memory import MemoryTool
from .now_or_later import NowOrLater
from .personalization import Personalization
from .planner import Planner
from .routines.condition_code_writing import ConditionCodeWriting, PaperConditionCodeWriting
from .routines.condition_polling import ConditionPolling
from .routines.routine_management import RoutinesTool
from .situation import Situation
from .undo import Undo

_ANY_INPUT: Final = "Time:"
"""Marks where the input of a run begins and the constant prefix ends."""


async def async_run_sage(situation: Situation, foreign: Sequence[llm.Tool] = ()) -> Finish:
    """Return SAGE's final decision on the utterance of the run.

    `foreign`: tools of other integrations, wrapped by `foreign.py`. Raises `RUN_ENDING` or
    StuckError.
    """
    run, agent = situation.run, _agent(situation, foreign)
    loop = Loop(situation.hass, run, agent, llm_context=situation.llm_context, trace=run.root)
    return await loop.async_run(await situation.async_request_text(run.utterance.text))


async def async_prefixes(
    situation: Situation, foreign: Sequence[llm.Tool] = ()
) -> tuple[ModelRequest, ...]:
    """Return requests with the constant prefixes of SAGE, its planner and its device agent.

    SAGE's is the first. Each asks for one token, since they only fill the prompt cache.
    """
    settings = situation.run.settings
    agents, planned = [_agent(situation, foreign)], list[ModelRequest]()
    if not settings.paper_flow:
        planned += await Planner(situation).async_prefix(_ANY_INPUT)
        devices = (each for each in agents[0].tools if isinstance(each, DeviceInteraction))
        agents += [each.agent(answers_person=True) for each in devices]
    if settings.confuses_later:
        planned.append(NowOrLater(situation).question(""))
    first, *others = (
        settings.decision_format.request(agent.prompt(_ANY_INPUT), ()) for agent in agents
    )
    return tuple(replace(each, max_tokens=1) for each in (first, *planned, *others))


def _agent(situation: Situation, foreign: Sequence[llm.Tool]) -> Agent:
    """Return the entry agent."""
    is_paper = situation.run.settings.paper_flow
    timing = NowOrLater(situation)
    devices = PaperDeviceInteraction if is_paper else DeviceInteraction
    direct = () if is_paper else (DirectCommand(situation, timing),)
    conditions = PaperConditionCodeWriting if is_paper else ConditionCodeWriting
    return Agent(
        name="sage",
        task_info=_task_info(situation),
        tools=_distinct(
            (
                *direct,
                devices(situation, timing),
                Personalization(situation),
                MemoryTool(situation),
                conditions(situation),
                ConditionPolling(situation),
                RoutinesTool(situation),
                HumanInteraction(situation),
                Undo(situation),
                *foreign,
            )
        ),
        finish_description=situation.prompt("finish"),
        answers_person=True,
        examples=situation.turns("sage_turns"),
    )


def _distinct(tools: Sequence[llm.Tool]) -> tuple[llm.Tool, ...]:
    """Return the tools without those that have the name of an earlier one."""
    named: dict[str, llm.Tool] = {}
    for tool in tools:
        if (name := short_name(tool)) != FINISH:
            named.setdefault(name, tool)
    return tuple(named.values())


def _task_info(situation: Situation) -> str:
    """Return the instructions, with the rules and examples about devices inserted."""
    settings = situation.run.settings
    devices = situation.prompt("devices_by_tool" if settings.paper_flow else "devices_direct")
    rules, _, examples = devices.partition("\n\n")
    task_info = situation.prompt("sage").replace("{devices}", rules)
    task_info = task_info.replace("{device_examples}", examples)
    if situation.shows_turns:
        task_info = without_examples(task_info)
    own = settings.instructions.strip()
    return f"{task_info}\n\nThe owner's instructions:\n{own}" if own else task_info
