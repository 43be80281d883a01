"""Home Assistant LLM tools in the agent loop: schemas for the model, calls and results."""

import json
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..model.language_model import ToolSpec
from ..text.words import nearest
from .decision import Finish

_PREFIX = "sage__"


def short_name(tool: llm.Tool) -> str:
    """Return the tool's name without the prefix `sage__`, as the model sees it."""
    return tool.name.removeprefix(_PREFIX)


def spec_of(tool: llm.Tool) -> ToolSpec:
    """Return the name, description and JSON schema of a tool, as the model sees them."""
    return ToolSpec(
        name=short_name(tool),
        description=tool.description or "",
        parameters=_json_schema(_SchemaKey(tool.parameters)),
    )


class _SchemaKey:
    """A schema as cache key. Schemas have no hash, so a key is equal only for the same object."""

    __slots__ = ("schema",)

    def __init__(self, schema: probatio.Schema) -> None:
        self.schema = schema

    def __hash__(self) -> int:
        return id(self.schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SchemaKey) and other.schema is self.schema


# Most tools have one schema for all their calls, and each model call needs all of them.
@lru_cache(maxsize=256)
def _json_schema(key: _SchemaKey) -> Mapping[str, Any]:
    """Return the JSON schema of a tool's arguments. Callers must not change it."""
    schema = probatio.to_openapi(
        key.schema, custom_serializer=llm.selector_serializer, openapi_version="3.1.0"
    )
    return {
        "type": "object",
        "properties": schema.get("properties", {}),
        "required": _required(key.schema),
        "additionalProperties": False,
    }


def _required(parameters: probatio.Schema) -> list[str]:
    """Return the names of all `Required` arguments, even if they have a default."""
    keys = parameters.schema if isinstance(parameters.schema, Mapping) else ()
    return [str(key) for key in keys if isinstance(key, probatio.Required)]


def signature(spec: ToolSpec) -> str:
    """Return the signature of a tool, such as `name(argument: type, optional?: type)`."""
    required = set(spec.parameters.get("required", ()))
    arguments = [
        f"{name}{'' if name in required else '?'}: {_type_name(schema)}"
        for name, schema in spec.parameters.get("properties", {}).items()
    ]
    return f"{spec.name}({', '.join(arguments)})"


def instructions(specs: Sequence[ToolSpec]) -> str:
    """Return the prompt text about tools: their signatures, descriptions and arguments."""
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


class JointTool(llm.Tool):
    """A tool that executes consecutive calls of one model reply together.

    Example: `execute_command` asks only one question to confirm several commands.
    """

    @abstractmethod
    async def async_call_joint(
        self, tool_inputs: Sequence[llm.ToolInput], llm_context: llm.LLMContext
    ) -> Sequence[llm.ToolResult | probatio.Invalid]:
        """Execute several calls together; return one result per call, in order.

        For a call with wrong arguments, `probatio.Invalid` is returned, not raised.
        """

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Execute one call. Raises `probatio.Invalid` if its arguments are wrong."""
        (result,) = await self.async_call_joint((tool_input,), llm_context)
        if isinstance(result, probatio.Invalid):
            raise result
        return result


def unknown_tool(name: str, known: Iterable[str]) -> llm.ToolResult:
    """Return the error result for an unknown tool name; its text lists the existing tools."""
    names = [*known, "finish"]
    near = nearest(name, names, 1, 0.6)
    hint = f" Did you mean `{near[0]}`?" if near else ""
    return error_result(f"there is no tool `{name}`.{hint} The tools are: {', '.join(names)}.")


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
