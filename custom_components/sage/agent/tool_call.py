"""Calls one tool; errors become observations that say how to fix them."""

import json
import logging
from collections.abc import Iterable

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..model.language_model import ModelError
from ..text.words import nearest
from .budget import LimitReached
from .decision import Call, Finish
from .port import PersonSilentError
from .tool_spec import spec_of
from .trace import TraceNode

_LOGGER = logging.getLogger(__name__)


class NewRequestError(Exception):
    """The person's reply is a new request, which ends the run."""


class StuckError(Exception):
    """An agent-tool repeated the same decision too often."""


RUN_ENDING = (LimitReached, ModelError, NewRequestError, PersonSilentError, StuckError)
"""Exceptions that end the whole run, wherever they are raised."""


class TracedTool(llm.Tool):
    """A tool of SAGE that makes model calls of its own and records them in the trace."""

    async def async_call_traced(
        self, tool_input: llm.ToolInput, llm_context: llm.LLMContext, trace: TraceNode
    ) -> llm.ToolResult | Finish:
        """Call the tool; record its steps below `trace`.

        A `Finish` is an answer that goes to the person unchanged.
        """
        raise NotImplementedError

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Call the tool without a trace."""
        trace = TraceNode(kind="tool", name=tool_input.tool_name)
        result = await self.async_call_traced(tool_input, llm_context, trace)
        if isinstance(result, Finish):
            return llm.ToolResult(data={"kind": result.kind.value, "answer": result.answer})
        return result


async def async_call_tool(
    hass: HomeAssistant,
    tool: llm.Tool,
    call: Call,
    llm_context: llm.LLMContext,
    trace: TraceNode,
) -> llm.ToolResult | Finish:
    """Return the result of `tool`; an error of any kind becomes a result with `error`.

    Only what ends the whole run (`RUN_ENDING`) is raised.
    """
    tool_input = llm.ToolInput(tool_name=tool.name, tool_args=dict(call.arguments), id=call.id)
    try:
        if isinstance(tool, TracedTool):
            return await tool.async_call_traced(tool_input, llm_context, trace)
        result = await tool.async_call(hass, tool_input, llm_context)
    except probatio.Invalid as err:
        wanted = json.dumps(spec_of(tool).parameters["properties"])
        return error_result(f"wrong arguments ({err}). `{call.tool}` takes {wanted}.")
    except RUN_ENDING:
        raise
    except HomeAssistantError as err:
        return error_result(str(err) or type(err).__name__)
    except Exception as err:
        _LOGGER.exception("Tool %s failed", tool.name)
        return error_result(f"`{call.tool}` failed ({type(err).__name__}). Try another way.")
    # Tools written before Home Assistant 2026.9 return plain JSON.
    return result if isinstance(result, llm.ToolResult) else llm.ToolResult(data=result)


def unknown_tool(name: str, known: Iterable[str]) -> llm.ToolResult:
    """Return the observation for a tool that does not exist."""
    names = [*known, "finish"]
    near = nearest(name, names, 1, 0.6)
    hint = f" Did you mean `{near[0]}`?" if near else ""
    return error_result(f"there is no tool `{name}`.{hint} The tools are: {', '.join(names)}.")


def text_result(text: str) -> llm.ToolResult:
    """Return an observation that is plain text."""
    return llm.ToolResult(data={"text": text})


def error_result(text: str) -> llm.ToolResult:
    """Return an observation that says what was wrong and how to fix it."""
    return llm.ToolResult(data={"text": text}, error=True)


def result_text(result: llm.ToolResult) -> str:
    """Return a result as text for the model."""
    data = result.data
    if isinstance(data, dict) and set(data) == {"text"}:
        text = str(data["text"])
    else:
        text = json.dumps(data, ensure_ascii=False, default=str)
    return f"Error: {text}" if result.error else text
