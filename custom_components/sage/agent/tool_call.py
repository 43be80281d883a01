"""Calls of tools in the loop: exceptions, and results as observations."""

import json
import logging
from collections.abc import Iterable

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..model.language_model import ModelError
from ..text.words import nearest
from .budget import LimitReached
from .decision import Finish
from .run import PersonSilentError
from .trace import TraceNode

_LOGGER = logging.getLogger(__name__)


class NewRequestError(Exception):
    """The person's reply is a new request, which ends the run."""


class StuckError(Exception):
    """An agent-tool repeated the same decision too often."""


RUN_ENDING = (LimitReached, ModelError, NewRequestError, PersonSilentError, StuckError)
"""Exceptions that end the whole run, from any tool."""


class TracedTool(llm.Tool):
    """A tool of SAGE with its own model calls, which it records in the trace."""

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
    """Return an error as an observation; `text` says how to fix it."""
    return llm.ToolResult(data={"text": text}, error=True)


def result_text(result: llm.ToolResult) -> str:
    """Return a result as text for the model."""
    data = result.data
    if isinstance(data, dict) and set(data) == {"text"}:
        text = str(data["text"])
    else:
        text = json.dumps(data, ensure_ascii=False, default=str)
    return f"Error: {text}" if result.error else text
