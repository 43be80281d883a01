"""Adds the plan to the task of an agent-tool (DESIGN 4)."""

from homeassistant.helpers import llm

from ..agent.decision import Call, Finish
from ..agent.tool_call import async_call_tool, result_text
from ..agent.tool_spec import short_name
from ..agent.trace import TraceNode
from .planner import Planner


async def async_planned_task(
    planner: Planner, task: str, llm_context: llm.LLMContext, trace: TraceNode
) -> str:
    """Return the input of an agent-tool: the task and the result of the planner."""
    situation = planner.situation
    text = planner.given(task)
    name = short_name(planner)
    node = trace.child("tool", name, {"command": task})
    call = Call(id="plan", tool=name, arguments={"command": task})
    result = await async_call_tool(situation.hass, planner, call, llm_context, node)
    if isinstance(result, Finish):  # pragma: no cover - a planner never answers the person
        return text
    node.end(result_text(result), error=result.error)
    return f"{text}\n\n{result_text(result)}"
