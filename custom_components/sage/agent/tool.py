"""Home Assistant LLM tools in the agent loop: schemas for the model, calls and results."""

import asyncio
import json
import logging
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..model import ToolSpec
from ..text import nearest, plain
from .decision import About, Call, DecisionError, Finish, FinishKind
from .record import Record
from .reply_reader import claims_from
from .run import RUN_ENDING, Run

_LOGGER = logging.getLogger(__name__)

_PREFIX: Final = "sage__"


def short_name(tool: llm.Tool) -> str:
    """Return the tool's name without the prefix `sage__`, as the model sees it."""
    return tool.name.removeprefix(_PREFIX)


_SCHEMAS: Final = dict[int, tuple[probatio.Schema, Mapping[str, Any]]]()
"""Id of a tool's schema -> the schema, and the JSON schema of it."""

_MOST_SCHEMAS: Final = 256


def spec_of(tool: llm.Tool) -> ToolSpec:
    """Return the name, description and JSON schema of a tool, as the model sees them."""
    # Most tools have one schema for all their calls, and each model call needs all of them.
    own, parameters = _SCHEMAS.get(id(tool.parameters), (None, {}))
    if own is not tool.parameters:
        parameters = _json_schema(tool.parameters)
        if len(_SCHEMAS) >= _MOST_SCHEMAS:
            _SCHEMAS.clear()
        _SCHEMAS[id(tool.parameters)] = (tool.parameters, parameters)
    return ToolSpec(
        name=short_name(tool), description=tool.description or "", parameters=parameters
    )


def _json_schema(parameters: probatio.Schema) -> Mapping[str, Any]:
    schema = probatio.to_openapi(
        parameters, custom_serializer=llm.selector_serializer, openapi_version="3.1.0"
    )
    # All `Required` arguments are required, even if they have a default.
    keys = parameters.schema if isinstance(parameters.schema, Mapping) else ()
    return {
        "type": "object",
        "properties": schema.get("properties", {}),
        "required": [str(key) for key in keys if isinstance(key, probatio.Required)],
        "additionalProperties": False,
    }


@dataclass(slots=True)
class FinalResult(llm.ToolResult):
    """A tool result with an answer to the person, written by the tool itself.

    - If all tool calls of a model reply have such a result, their texts are the final answer.
    - Otherwise, the model gets the text as the result of the call.
    """

    finish: Finish = field(kw_only=True)


def final_result(finish: Finish) -> FinalResult:
    """Return `finish` as the result of a tool."""
    return FinalResult({"kind": finish.kind.value, "answer": finish.answer}, finish=finish)


def final_answer(
    kind: FinishKind, answer: str, *about: About, tells_run: bool = False
) -> FinalResult:
    """Return an answer that code has written as the result of a tool; `about`: its subjects."""
    finish = Finish(kind=kind, answer=answer, about=frozenset(about), tells_run=tells_run)
    return FinalResult({"kind": kind.value, "answer": answer}, finish=finish)


class JointTool(llm.Tool):
    """A tool that executes consecutive calls of a reply together, with one question."""

    @abstractmethod
    async def async_call_joint(
        self, tool_inputs: Sequence[llm.ToolInput], llm_context: llm.LLMContext
    ) -> Sequence[llm.ToolResult | probatio.Invalid]:
        """Execute calls together; return a result each, or `probatio.Invalid`, in order."""

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Execute one call. Raises `probatio.Invalid` if its arguments are wrong."""
        (result,) = await self.async_call_joint((tool_input,), llm_context)
        if isinstance(result, probatio.Invalid):
            raise result
        return result


def may_act(tool: llm.Tool, arguments: Mapping[str, Any]) -> bool:
    """Return whether a call of a tool may change something, also if the request only asks."""
    own: Callable[[Mapping[str, Any]], bool] | None = getattr(tool, "may_act", None)
    return not tool.annotations.read_only if own is None else own(arguments)


def unknown_tool(name: str, known: Iterable[str]) -> llm.ToolResult:
    """Return the error result for an unknown tool name, with the nearest name."""
    # The names of all tools would make a small model act for a question.
    near = nearest(name, [*known, "finish"], 1, 0.6)
    hint = f"Did you mean `{near[0]}`?" if near else "Call one of the list, or `finish`."
    return error_result(f"there is no tool `{name}`. {hint}")


def text_result(text: str) -> llm.ToolResult:
    """Return a tool result with plain text."""
    return llm.ToolResult(data={"text": text})


def error_result(text: str) -> llm.ToolResult:
    """Return an error result; `text` says what is wrong and how to fix it."""
    return llm.ToolResult(data={"text": text}, error=True)


def result_text(result: llm.ToolResult) -> str:
    """Return a tool result as text for the model; an error starts with `Error:`."""
    if isinstance(result, FinalResult):
        return result.finish.answer
    data = result.data
    if isinstance(data, dict) and set(data) == {"text"}:
        text = str(data["text"])
    else:
        text = json.dumps(data, ensure_ascii=False, default=str)
    return f"Error: {text}" if result.error else text


async def async_ask_person(run: Run, question: str, claims: object) -> llm.ToolResult:
    """Ask the person a question of the model; return the reply, as the result of a tool.

    `claims`: what the question says of devices. If it is not proven, the question is not asked: the
    first time, the model gets an error and can correct the question; the second time, SAGE's code
    writes the final answer.
    """
    try:
        parsed = claims_from(claims)
    except DecisionError as err:
        return error_result(str(err))
    about = frozenset({About.HOME if parsed else About.OTHER})
    asked = Finish(kind=FinishKind.ASKED, answer=plain(question), about=about, claims=parsed)
    if run.answer_check is not None:
        judged = await run.answer_check.async_judge(asked)
        if isinstance(judged, str):
            return error_result(judged)
        if judged.kind is not FinishKind.ASKED:
            return final_result(replace(judged, about=frozenset(), claims=()))
        asked = judged
    return text_result(await run.async_ask(asked.answer))


# ------------------------------------------------------------ calls


async def async_call_tools(
    hass: HomeAssistant,
    record: Record,
    tools: Mapping[str, llm.Tool],
    calls: Sequence[Call],
    llm_context: llm.LLMContext,
) -> Sequence[llm.ToolResult]:
    """Execute one call of a tool, or several of a `JointTool`; return one result per call.

    The calls and their results are recorded. Raises only the exceptions in
    `agent.run.RUN_ENDING`; other exceptions become error results.
    """
    with record.steps("tool", *((call.tool, call.arguments) for call in calls)) as steps:
        tool = tools.get(calls[0].tool)
        if tool is None:
            results = [unknown_tool(call.tool, tools) for call in calls]
        else:
            results = [
                returned
                if isinstance(returned, llm.ToolResult)
                else _as_result(tool, call, returned)
                for call, returned in zip(
                    calls, await _async_returned(hass, tool, calls, llm_context), strict=True
                )
            ]
        await asyncio.sleep(0)
        for step, result in zip(steps, results, strict=True):
            record.end(result_text(result), step=step, is_error=result.error)
    return results


async def _async_returned(
    hass: HomeAssistant, tool: llm.Tool, calls: Sequence[Call], llm_context: llm.LLMContext
) -> Sequence[object]:
    inputs = [
        llm.ToolInput(tool_name=tool.name, tool_args=dict(call.arguments), id=call.id)
        for call in calls
    ]
    try:
        if isinstance(tool, JointTool):
            return await tool.async_call_joint(inputs, llm_context)
        return [await tool.async_call(hass, inputs[0], llm_context)]
    except RUN_ENDING:
        raise
    except (probatio.Invalid, HomeAssistantError) as err:
        return [err] * len(calls)
    except Exception as err:
        _LOGGER.exception("Tool %s failed", tool.name)
        return [err] * len(calls)


def _as_result(tool: llm.Tool, call: Call, returned: Any) -> llm.ToolResult:
    match returned:
        case probatio.Invalid():
            properties = json.dumps(spec_of(tool).parameters["properties"])
            return error_result(f"wrong arguments ({returned}). `{call.tool}` takes {properties}.")
        case HomeAssistantError():
            return error_result(str(returned) or type(returned).__name__)
        case Exception():
            return error_result(
                f"`{call.tool}` failed ({type(returned).__name__}). Try another way."
            )
    # Tools written before Home Assistant 2026.9 return plain JSON.
    return llm.ToolResult(data=returned)
