"""Decision formats: the form in which the model writes tool calls and its final answer.

The formats implement FormatInfo and ParseLLMOutput of the SAGE paper:
- `native`: the tool calls of the model API.
- `constrained`: a JSON object that follows an enforced schema.
- `react`: plain text as in the SAGE paper, in the style of ReAct (Yao et al. 2022).
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, override

from ..model import ChatMessage, ModelRequest, ToolSpec, object_schema
from ..text import words
from .decision import FINISH, Call, Observation, Observed
from .written_calls import FIRST_ACTION, INPUT

_MOST_ACTIONS: Final = 8  # maximum number of actions in one `constrained` reply
_FINISH_ACTION: Final = re.compile(
    rf'\s*\{{.*?"actions?"\s*:\s*\[?\s*\{{\s*"tool"\s*:\s*"{FINISH}"\s*,\s*"input"\s*:\s*\{{',
    re.DOTALL,
)
"""The start of a `constrained` reply with the action `finish`."""

_FINISH: Final = re.compile(r'\s*(?:```\w*\s*)?(?P<object>\{\s*"kind"\s*:)')
_ANSWER: Final = re.compile(r',\s*"answer"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)
_CUT_ESCAPE: Final = re.compile(r"\\u[0-9a-fA-F]{0,3}$")
_CUT_SURROGATE: Final = re.compile(r"(?:\\u[dD][89abAB][0-9a-fA-F]{2})$")

_BRACKET: Final = re.compile(r"[{<\[(]")
_NO_NAME: Final = re.compile(r"[^a-zA-Z0-9_-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example turn in a prompt, before the first real turn."""

    given: str  # the user message: an input of the agent, or a tool result
    thought: str
    calls: tuple[Call, ...]


class DecisionFormat(ABC):
    """A format of decisions: builds model requests, and finds the answer in partial replies."""

    name: str
    how_to_fix: str  # tells the model the form of a reply, after a reply that cannot be read

    def __init__(self, format_info: str) -> None:
        """Create the format; `format_info` is the prompt text that describes it."""
        self._format_info = format_info

    @abstractmethod
    def request(
        self,
        task_info: str,
        tools: Sequence[ToolSpec],
        given: str,
        examples: Sequence[Example] = (),
        history: Sequence[Observed] = (),
    ) -> ModelRequest:
        """Return the model request for the next decision, with the prompt P_i of the paper.

        The model server can cache the instructions `task_info`, the tools and the examples, as long
        as they stay the same. `given` is the input of the agent.
        """

    def narrowed(self, request: ModelRequest, tools: Sequence[ToolSpec]) -> ModelRequest:
        """Return the request with only these tools to choose from; its messages stay the same."""
        return replace(request, **self._choice(tools))

    def _choice(self, tools: Sequence[ToolSpec]) -> dict[str, Any]:
        """Return the fields of a request that let the server enforce a choice of these tools."""
        return {}

    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        """Return the arguments of `finish` in `text`, the part of a reply received so far.

        `{"kind": "answered", "answer": "It is wa` gives `{"kind": "answered", "answer": "It is
        wa"}`. None before the text of `answer` begins, which must be the last argument, if other
        text stands before the arguments, or if the first action is not `finish`.
        """
        if '"answer"' not in text:
            # Called for thousands of pieces per reply: avoid slow patterns that cannot match.
            return None
        begun = _FINISH.match(text)
        written = _ANSWER.search(text, begun.end()) if begun is not None else None
        if begun is None or written is None:
            return None
        raw = written.group(1)
        if text[written.end() : written.end() + 1] != '"':
            raw = _CUT_SURROGATE.sub("", _CUT_ESCAPE.sub("", raw))
        try:
            arguments = json.loads(f"{text[begun.start('object') : written.start()]}}}")
            answer = json.loads(f'"{raw}"', strict=False)
        except json.JSONDecodeError:
            return None
        return {**arguments, "answer": answer}


class NativeFormat(DecisionFormat):
    """The format `native`: decisions are tool calls of the model API; it ignores examples."""

    name = "native"
    how_to_fix = (
        "Your reply called no tool. Call one of the tools, or call `finish` with `kind` and "
        "`answer` to answer the person."
    )

    @override
    def request(
        self,
        task_info: str,
        tools: Sequence[ToolSpec],
        given: str,
        examples: Sequence[Example] = (),
        history: Sequence[Observed] = (),
    ) -> ModelRequest:
        messages = [
            ChatMessage(role="system", content=f"{task_info}\n\n{self._format_info}"),
            ChatMessage(role="user", content=given),
        ]
        for step in history:
            messages.extend(_step_messages(step))
        return ModelRequest(messages=tuple(messages), tools=tuple(tools))

    @override
    def _choice(self, tools: Sequence[ToolSpec]) -> dict[str, Any]:
        return {"tools": tuple(tools)}


class WrittenFormat(DecisionFormat):
    """A format in which the model writes its decisions as text."""

    stop: tuple[str, ...] = ()

    @override
    def request(
        self,
        task_info: str,
        tools: Sequence[ToolSpec],
        given: str,
        examples: Sequence[Example] = (),
        history: Sequence[Observed] = (),
    ) -> ModelRequest:
        instructions = (task_info, "Tools:\n" + _instructions(tools), self._format_info)
        messages = [ChatMessage(role="system", content="\n\n".join(instructions))]
        names = {tool.name for tool in tools}
        for example in examples:
            if not all(call.tool in names for call in example.calls):
                continue
            messages.append(ChatMessage(role="user", content=example.given))
            messages.append(ChatMessage(role="assistant", content=self._written(example)))
        messages.append(ChatMessage(role="user", content=given))
        for step in history:
            observed = "\n".join(observation.text for observation in step.observations)
            # Some servers turn a text into native calls, and the other model may write native ones.
            calls = (f"{call.name} {call.arguments}" for call in step.decision.reply.tool_calls)
            reply = "\n".join(filter(None, (_shown_reply(step), *calls)))
            messages.append(ChatMessage(role="assistant", content=reply))
            messages.append(ChatMessage(role="user", content=f"Observation: {observed}"))
        return ModelRequest(messages=tuple(messages), stop=self.stop, **self._choice(tools))

    @abstractmethod
    def _written(self, example: Example) -> str:
        """Return the reply of the model in an example turn."""


class ConstrainedFormat(WrittenFormat):
    """The format `constrained`: JSON `{"thought", "actions": [{"tool", "input"}, ...]}`."""

    name = "constrained"
    how_to_fix = (
        "Your reply was not understood. Write one JSON object: "
        '{"thought": "...", "actions": [{"tool": "...", "input": {...}}]}.'
    )

    @override
    def _written(self, example: Example) -> str:
        # Compact JSON, so that models imitate it and save tokens.
        actions = [{"tool": call.tool, "input": call.arguments} for call in example.calls]
        decision = {"thought": example.thought, "actions": actions}
        return json.dumps(decision, ensure_ascii=False, separators=(",", ":"))

    @override
    def _choice(self, tools: Sequence[ToolSpec]) -> dict[str, Any]:
        actions = [
            object_schema(
                {
                    "tool": {"type": "string", "enum": [tool.name]},
                    "input": plain_schema(tool.parameters),
                }
            )
            for tool in tools
        ]
        listed = {
            "type": "array",
            "items": {"anyOf": actions},
            "minItems": 1,
            "maxItems": _MOST_ACTIONS,
        }
        schema = object_schema({"thought": {"type": "string"}, "actions": listed})
        return {"response_schema": schema}

    @override
    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        begun = _FINISH_ACTION.match(text)
        return super().finish_so_far(text[begun.end() - 1 :]) if begun is not None else None


class ReactFormat(WrittenFormat):
    """The format `react`: text with the lines `Thought:`, `Action:` and `Action Input:`."""

    name = "react"
    how_to_fix = (
        "Your reply had no `Action:` line. Write `Thought:`, then `Action:` with the name of one "
        "tool, then `Action Input:` with a JSON object."
    )
    stop = ("\nObservation:",)

    @override
    def _written(self, example: Example) -> str:
        lines = [f"Thought: {example.thought}"]
        for call in example.calls:
            arguments = json.dumps(call.arguments, ensure_ascii=False)
            lines += [f"Action: {call.tool}", f"Action Input: {arguments}"]
        return "\n".join(lines)

    @override
    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        action = FIRST_ACTION.search(text)
        if action is None or action["name"].strip("`* ").lower() != FINISH:
            return None
        # Brackets before the action may belong to another call, so that the reply is refused.
        if _BRACKET.search(text, 0, action.start()):
            return None
        argument = INPUT.match(text, action.end() + 1)
        return super().finish_so_far(text[argument.end() :]) if argument else None


def make_format(name: str, prompts: Mapping[str, str]) -> DecisionFormat:
    """Return `native`, `constrained` or `react`; `prompts` has its text, e.g. `format_native`."""
    kinds: tuple[type[DecisionFormat], ...] = (NativeFormat, ConstrainedFormat, ReactFormat)
    kind = next(kind for kind in kinds if kind.name == name)
    return kind(prompts[f"format_{name}"])


def _step_messages(step: Observed) -> list[ChatMessage]:
    # Some servers refuse names and arguments in a wrong form, also in the history.
    calls = tuple(
        replace(
            each,
            name=_NO_NAME.sub("_", each.name) or "_",
            arguments=each.arguments if _is_object(each.arguments) else "{}",
        )
        for each in step.decision.reply.tool_calls
    )
    messages = [ChatMessage(role="assistant", content=_shown_reply(step) or None, tool_calls=calls)]
    answered = {observation.call_id: observation for observation in step.observations}
    is_text = not calls
    general = "\n".join(o.text for o in step.observations if is_text or not o.call_id)
    # The API requires a tool message for each call of an assistant message.
    messages.extend(
        ChatMessage(
            role="tool",
            tool_call_id=call.id,
            content=answered.get(call.id, Observation("", general)).text or "Not done.",
        )
        for call in step.decision.reply.tool_calls
    )
    if is_text:
        messages.append(ChatMessage(role="user", content=general))
    return messages


_MOST_CUT_OFF: Final = 300  # maximum length in characters of an invalid reply in the history


def _shown_reply(step: Observed) -> str:
    """Return a reply for the history; shorten a cut-off one, which small models repeat."""
    text = step.decision.reply.text
    is_invalid = step.decision.reply.truncated and bool(step.decision.problem)
    is_long = is_invalid and len(text) > _MOST_CUT_OFF
    return f"{text[:_MOST_CUT_OFF]}…" if is_long else text


def _is_object(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments or "{}"), dict)
    except ValueError:
        return False


def _instructions(specs: Sequence[ToolSpec]) -> str:
    """Return the prompt text about tools: their signatures, descriptions and arguments."""
    lines: list[str] = []
    for spec in specs:
        lines.append(f"- {spec.name}({_fields(spec.parameters)}): {spec.description}")
        lines.extend(
            f"    {name}: {schema['description']}"
            for name, schema in spec.parameters.get("properties", {}).items()
            if schema.get("description")
        )
    return "\n".join(lines)


def _fields(schema: Mapping[str, Any]) -> str:
    """Return the fields of an object, such as `argument: type, optional?: type`."""
    required = schema.get("required", ())
    return ", ".join(
        f"{name}{'' if name in required else '?'}: {_type_name(field)}"
        for name, field in schema.get("properties", {}).items()
    )


def _type_name(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "|".join(str(value) for value in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_type_name(schema.get('items', {}))}"
    return f"{{{_fields(schema)}}}" if schema.get("properties") else str(kind)


def plain_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON schema without the keys `description` and `default`."""
    plain: dict[str, Any] = {}
    for key, value in schema.items():
        # Model servers ignore these keys when they enforce a schema.
        if key in ("description", "default"):
            continue
        if key == "properties":
            plain[key] = {name: plain_schema(inner) for name, inner in value.items()}
        elif isinstance(value, Mapping):
            plain[key] = plain_schema(value)
        else:
            plain[key] = value
    return plain


# Small models follow examples better than rules.
_EXAMPLES: Final = "\n\nExamples of the right next step:"
"""Heading of the examples at the end of an agent's instructions."""

_REQUEST: Final = "{request}"


def without_examples(task_info: str) -> str:
    """Return an agent's instructions (`Agent.task_info`) without the examples at the end."""
    return task_info.partition(_EXAMPLES)[0]


_SPOKEN_EXAMPLE: Final = re.compile(
    r'\b(?:answer|question)"?:? "((?:[^"\\]|\\.)+)"|"([^"\n]+ [^"\n]+\?)"'
)
"""The words for the person in an example of a prompt, as JSON or in a line of rules.

Also what people ask there: a small model may repeat it instead of an answer.
"""


def examples_spoken(prompts: Mapping[str, str]) -> Mapping[tuple[str, ...], str]:
    """Return what examples in prompts say to the person: its words -> the paragraph or line.

    The paragraph of a turn has its request in the first line, as a line of rules has.
    """
    found: dict[tuple[str, ...], str] = {}
    for name, text in prompts.items():
        for example in text.split("\n\n" if name.endswith("_turns") else "\n"):
            for match in _SPOKEN_EXAMPLE.finditer(example):
                if spoken := words(match[1] or match[2]):
                    found.setdefault(spoken, example)
    return found


def turns_of(text: str) -> Iterator[Example]:
    """Yield the example turns in `text`, the content of a file `agent/prompts/*_turns.md`.

    A paragraph is one turn:
    - line 1: the input of the agent
    - line 2: the thought of the model
    - each further line: a tool call, e.g. `tool_name {"argument": 1}`

    A paragraph that begins with `NAME =` is a template, which contains `{request}`. The input
    `NAME: lamp on` stands for this template with "lamp on" as request.
    """
    inputs: dict[str, str] = {}
    for paragraph in text.split("\n\n"):
        first, *lines = paragraph.splitlines()
        if first.endswith(" ="):
            inputs[first.removesuffix(" =")] = "\n".join(lines)
            continue
        thought, *calls = lines
        name, _, request = first.partition(": ")
        given = inputs[name].replace(_REQUEST, request) if name in inputs else first
        decided = (call.partition(" ") for call in calls)
        yield Example(
            given=given,
            thought=thought,
            calls=tuple(
                Call(id=f"action{number}", tool=tool, arguments=json.loads(arguments))
                for number, (tool, _, arguments) in enumerate(decided)
            ),
        )
