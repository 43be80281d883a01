"""Decision formats: how a prompt asks for a decision and how a reply is read.

FormatInfo and ParseLLMOutput of the paper, in three implementations behind one
interface (DESIGN 4). `native` uses tool calls, `constrained` a JSON object
forced by a schema, `react` the paper's plain text (Yao et al., ReAct, 2022).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from .decision import Call, Decision
from .language_model import ChatMessage, ModelReply, ModelRequest, ToolSpec
from .tool_spec import instructions

_MOST_ACTIONS: Final = 8
"""Actions of one reply that a schema allows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A turn that stands before the first one, as if it had been decided like that."""

    given: str
    """What a prompt's `input` would be, or an observation."""

    thought: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """P_i of the paper, ordered so that its beginning is byte-stable.

    `task_info`, the tools and the examples are the prefix; `input` is the argument of the
    agent-tool with everything that changes from turn to turn. Small models follow turns where
    they do not follow rules. Formats that are plain text show them; `native` does not.
    """

    task_info: str
    tools: tuple[ToolSpec, ...]
    examples: tuple[Example, ...] = ()
    input: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """The result of one call, as text for the model."""

    call_id: str
    tool: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One entry of the history H_i: the reply and the observations it led to.

    A reply that was no decision has one observation with an empty `call_id`.
    """

    reply: ModelReply
    observations: tuple[Observation, ...]


class DecisionFormat(Protocol):
    """One way to ask for decisions."""

    name: str

    def request(self, prompt: Prompt, history: Sequence[Step]) -> ModelRequest:
        """Return the request for the next decision."""

    def parse(self, reply: ModelReply) -> Decision:
        """Return the decision in `reply`; raises DecisionError, which says how to fix the reply."""

    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        """Return the arguments of `finish` in an unfinished reply, the answer cut short.

        None until it is known that the reply is a final answer and the fields before the
        answer are complete. `text` is what the model has streamed so far.
        """


def told_in_text(
    prompt: Prompt,
    history: Sequence[Step],
    format_info: str,
    written: Callable[[Example], str],
) -> tuple[ChatMessage, ...]:
    """Return the messages of a format whose tools and decisions are plain text.

    Tools and FormatInfo stand in the system message; each decision is a message
    of the assistant, its observations one of the user. `written` returns the decision
    of an example as a model writes it.
    """
    parts = (prompt.task_info, "Tools:\n" + instructions(prompt.tools), format_info)
    messages = [ChatMessage(role="system", content="\n\n".join(parts))]
    for example in prompt.examples:
        messages.append(ChatMessage(role="user", content=example.given))
        messages.append(ChatMessage(role="assistant", content=written(example)))
    messages.append(ChatMessage(role="user", content=prompt.input))
    for step in history:
        observed = "\n".join(observation.text for observation in step.observations)
        messages.append(ChatMessage(role="assistant", content=step.reply.text))
        messages.append(ChatMessage(role="user", content=f"Observation: {observed}"))
    return tuple(messages)


def constrained_schema(tools: Sequence[ToolSpec]) -> dict[str, Any]:
    """Return the JSON schema of a thought and actions, each a tool of `tools` and its input."""
    actions = [
        {
            "type": "object",
            "properties": {
                "tool": {"type": "string", "enum": [tool.name]},
                "input": plain_schema(tool.parameters),
            },
            "required": ["tool", "input"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    return {
        "type": "object",
        "properties": {
            "thought": {"type": "string"},
            "actions": {
                "type": "array",
                "items": {"anyOf": actions},
                "minItems": 1,
                "maxItems": _MOST_ACTIONS,
            },
        },
        "required": ["thought", "actions"],
        "additionalProperties": False,
    }


def plain_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return `schema` without descriptions and defaults, which decoders do not need."""
    plain: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("description", "default"):
            continue
        if key == "properties":
            plain[key] = {name: plain_schema(inner) for name, inner in value.items()}
        elif isinstance(value, Mapping):
            plain[key] = plain_schema(value)
        else:
            plain[key] = value
    return plain
