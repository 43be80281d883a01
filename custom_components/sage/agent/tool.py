"""A tool as the loop and the model see it: its schema, its call and its result."""

import json
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..model.language_model import ToolSpec
from ..text.words import nearest
from .decision import ANSWER_SCHEMA, FINISH, INNER_KINDS, Finish, FinishKind, finish_schema
from .trace import TraceNode

_PREFIX = "sage__"


def short_name(tool: llm.Tool) -> str:
    """Return the name shown to the model: without SAGE's own prefix."""
    return tool.name.removeprefix(_PREFIX)


def spec_of(tool: llm.Tool) -> ToolSpec:
    """Return the name, description and JSON schema of `tool` for the model."""
    schema = probatio.to_openapi(
        tool.parameters, custom_serializer=llm.selector_serializer, openapi_version="3.1.0"
    )
    parameters = {
        "type": "object",
        "properties": schema.get("properties", {}),
        "required": _required(tool.parameters),
        "additionalProperties": False,
    }
    return ToolSpec(
        name=short_name(tool), description=tool.description or "", parameters=parameters
    )


def _required(parameters: probatio.Schema) -> list[str]:
    """Return the names of required arguments, including those with a default."""
    keys = parameters.schema if isinstance(parameters.schema, Mapping) else ()
    return [str(key) for key in keys if isinstance(key, probatio.Required)]


def finish_spec(description: str, kinds: Sequence[FinishKind] = INNER_KINDS) -> ToolSpec:
    """Return the tool `finish` of an inner agent, with the arguments `kind` and `answer`."""
    return ToolSpec(name=FINISH, description=description, parameters=finish_schema(kinds))


def answer_spec(description: str) -> ToolSpec:
    """Return the tool `finish` of an agent that answers the person, with `about` and `claims`."""
    return ToolSpec(name=FINISH, description=description, parameters=ANSWER_SCHEMA)


def signature(spec: ToolSpec) -> str:
    """Return the signature of a tool as text: `name(argument: type, optional?: type)`."""
    required = set(spec.parameters.get("required", ()))
    arguments = [
        f"{name}{'' if name in required else '?'}: {_type_name(schema)}"
        for name, schema in spec.parameters.get("properties", {}).items()
    ]
    return f"{spec.name}({', '.join(arguments)})"


def instructions(specs: Sequence[ToolSpec]) -> str:
    """Return a paragraph for each tool: signature, description, meaning of the arguments."""
    lines: list[str] = []
    for spec in specs:
        lines.append(f"- {signature(spec)}: {spec.description}")
        lines.extend(
            f"    {name}: {schema['description']}"
            for name, schema in spec.parameters.get("properties", {}).items()
            if schema.get("description")
        )
    return "\n".join(lines)


def _type_name(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "|".join(str(value) for value in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_type_name(schema.get('items', {}))}"
    if inner := schema.get("properties"):
        required = set(schema.get("required", ()))
        fields = (
            f"{name}{'' if name in required else '?'}: {_type_name(each)}"
            for name, each in inner.items()
        )
        return "{" + ", ".join(fields) + "}"
    return str(kind)


class TracedTool(llm.Tool):
    """A tool of SAGE that calls the model itself and records these calls in the trace."""

    @abstractmethod
    async def async_call_traced(
        self, tool_input: llm.ToolInput, llm_context: llm.LLMContext, trace: TraceNode
    ) -> llm.ToolResult | Finish:
        """Call the tool; record its steps as children of `trace`.

        A returned `Finish` is an answer for the person, which the model does not reword.
        """

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Call the tool and drop its trace."""
        trace = TraceNode(kind="tool", name=tool_input.tool_name)
        result = await self.async_call_traced(tool_input, llm_context, trace)
        if isinstance(result, Finish):
            return llm.ToolResult(data={"kind": result.kind.value, "answer": result.answer})
        return result


def unknown_tool(name: str, known: Iterable[str]) -> llm.ToolResult:
    """Return the error for a call of a tool that does not exist, with the known names."""
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
    """Return a result as text for the model; an error starts with `Error:`."""
    data = result.data
    if isinstance(data, dict) and set(data) == {"text"}:
        text = str(data["text"])
    else:
        text = json.dumps(data, ensure_ascii=False, default=str)
    return f"Error: {text}" if result.error else text
