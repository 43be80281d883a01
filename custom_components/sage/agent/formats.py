"""Decision formats: the form in which the model writes tool calls and its final answer.

The formats implement FormatInfo and ParseLLMOutput of the SAGE paper:
- `native`: the tool calls of the model API.
- `constrained`: a JSON object that follows an enforced schema.
- `react`: plain text as in the SAGE paper, in the style of ReAct (Yao et al. 2022).
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from ..model.language_model import (
    MOST_CALLS,
    ChatMessage,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolSpec,
    object_schema,
)
from ..model.partial_json import finish_so_far, first_object
from .decision import FINISH, Call, Decision, DecisionError, finish_from
from .tool import instructions

_MOST_ACTIONS: Final = 8
"""Maximum number of actions in one `constrained` reply."""

_FINISH_ACTION: Final = re.compile(
    rf'"actions?"\s*:\s*\[?\s*\{{\s*"tool"\s*:\s*"{FINISH}"\s*,\s*"input"\s*:\s*\{{'
)
"""The start of a `constrained` reply with the action `finish`."""

_ACTION: Final = re.compile(
    r"^[ \t]*Action[ \t]*:[ \t]*`?([\w.\-]+)`?", re.IGNORECASE | re.MULTILINE
)
_INPUT: Final = re.compile(r"^[ \t]*Action[ \t]+Input[ \t]*:", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """An example turn in a prompt, before the first real turn."""

    given: str
    """The user message: an input of the agent, or a tool result."""

    thought: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The parts of an agent's prompt (P_i of the paper).

    `input` is the only part that changes from turn to turn. The format `native` ignores `examples`.
    """

    # The model server can cache a prompt as long as the first three parts stay the same.
    task_info: str
    tools: tuple[ToolSpec, ...]
    examples: tuple[Example, ...] = ()
    input: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """The result of one tool call, as text for the model."""

    call_id: str
    tool: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryStep:
    """One step of the agent loop: a model reply and the results of its tool calls.

    The paper calls it an entry of H_i. If the reply cannot be parsed, the only observation is the
    error, with an empty `call_id`.
    """

    reply: ModelReply
    observations: tuple[Observation, ...]


class DecisionFormat(Protocol):
    """A format of decisions: builds model requests and parses model replies."""

    name: str

    def request(self, prompt: Prompt, history: Sequence[HistoryStep]) -> ModelRequest:
        """Return the model request for the next decision."""

    def parse(self, reply: ModelReply) -> Decision:
        """Return the decision in `reply`; raises DecisionError if the reply is invalid."""

    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        """Return the arguments of `finish` in `text`, the part of a reply received so far.

        Returns None until the argument `answer` begins. `answer` may be incomplete; the arguments
        before it are complete.
        """


def text_messages(
    prompt: Prompt,
    history: Sequence[HistoryStep],
    format_info: str,
    written: Callable[[Example], str],
) -> tuple[ChatMessage, ...]:
    """Return the chat messages for a format with tool calls in plain text.

    - `format_info`: the description of the format for the model
    - `written`: returns the reply of the model in an example turn
    """
    parts = (prompt.task_info, "Tools:\n" + instructions(prompt.tools), format_info)
    messages = [ChatMessage(role="system", content="\n\n".join(parts))]
    for example in prompt.examples:
        messages.append(ChatMessage(role="user", content=example.given))
        messages.append(ChatMessage(role="assistant", content=written(example)))
    messages.append(ChatMessage(role="user", content=prompt.input))
    for step in history:
        observed = "\n".join(observation.text for observation in step.observations)
        messages.append(ChatMessage(role="assistant", content=_shown_reply(step)))
        messages.append(ChatMessage(role="user", content=f"Observation: {observed}"))
    return tuple(messages)


def constrained_schema(tools: Sequence[ToolSpec]) -> dict[str, Any]:
    """Return the JSON schema of a reply in the format `constrained`: a thought and tool calls."""
    actions = [
        object_schema(
            {
                "tool": {"type": "string", "enum": [tool.name]},
                "input": plain_schema(tool.parameters),
            }
        )
        for tool in tools
    ]
    return object_schema(
        {
            "thought": {"type": "string"},
            "actions": {
                "type": "array",
                "items": {"anyOf": actions},
                "minItems": 1,
                "maxItems": _MOST_ACTIONS,
            },
        }
    )


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


class NativeFormat:
    """The format `native`: decisions are tool calls of the model API, including `finish`."""

    name = "native"

    def __init__(self, format_info: str) -> None:
        """Create the format; `format_info` is the prompt text on the use of tool calls."""
        self._format_info = format_info

    def request(self, prompt: Prompt, history: Sequence[HistoryStep]) -> ModelRequest:
        """Return the model request for the next decision, with tools in `ModelRequest.tools`."""
        messages = [
            ChatMessage(role="system", content=f"{prompt.task_info}\n\n{self._format_info}"),
            ChatMessage(role="user", content=prompt.input),
        ]
        for step in history:
            messages.extend(_step_messages(step))
        return ModelRequest(messages=tuple(messages), tools=prompt.tools)

    def parse(self, reply: ModelReply) -> Decision:
        """Return the tool calls of the reply as a decision.

        Raises DecisionError if there are no calls or an argument is invalid.
        """
        if not reply.tool_calls:
            raise DecisionError(
                "Your reply called no tool. Call one of the tools, or call `finish` with `kind` "
                "and `answer` to answer the person."
            )
        try:
            calls = [
                Call(id=each.id, tool=each.name, arguments=_arguments(each))
                for each in reply.tool_calls
            ]
        except DecisionError:
            if reply.truncated:
                raise DecisionError(_how_to_fix(reply)) from None
            raise
        return decision_from(calls)

    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        """Return the arguments of `finish` in the part of a JSON object received so far.

        Returns None until the argument `answer` begins.
        """
        return finish_so_far(text)


def _arguments(tool_call: ToolCall) -> dict[str, object]:
    try:
        arguments = json.loads(tool_call.arguments or "{}")
    except json.JSONDecodeError as err:
        raise DecisionError(
            f"The arguments of `{tool_call.name}` are not valid JSON ({err.msg} at character "
            f"{err.pos}). Call it again with a JSON object."
        ) from None
    if not isinstance(arguments, dict):
        raise DecisionError(f"The arguments of `{tool_call.name}` must be a JSON object.")
    return arguments


def _step_messages(step: HistoryStep) -> list[ChatMessage]:
    calls = step.reply.tool_calls
    if _is_invalid(step):
        # Some servers refuse arguments that are no JSON object, also in the history.
        calls = tuple(each if _is_object(each) else replace(each, arguments="{}") for each in calls)
    messages = [ChatMessage(role="assistant", content=_shown_reply(step) or None, tool_calls=calls)]
    answered = {observation.call_id: observation for observation in step.observations}
    general = "\n".join(o.text for o in step.observations if not o.call_id)
    # The API requires a tool message for each call of an assistant message.
    messages.extend(
        ChatMessage(
            role="tool",
            tool_call_id=call.id,
            content=answered.get(call.id, Observation(call_id="", tool="", text=general)).text
            or "Not done.",
        )
        for call in step.reply.tool_calls
    )
    if not step.reply.tool_calls:
        messages.append(ChatMessage(role="user", content=general))
    return messages


class ConstrainedFormat:
    """The format `constrained`: JSON `{"thought", "actions": [{"tool", "input"}, ...]}`."""

    name = "constrained"

    def __init__(self, format_info: str) -> None:
        """Create the format; `format_info` is the prompt text that describes the JSON object."""
        self._format_info = format_info

    def request(self, prompt: Prompt, history: Sequence[HistoryStep]) -> ModelRequest:
        """Return the model request for the next decision, with a JSON schema for the reply."""
        return ModelRequest(
            messages=text_messages(prompt, history, self._format_info, _constrained_turn),
            response_schema=constrained_schema(prompt.tools),
        )

    def parse(self, reply: ModelReply) -> Decision:
        """Return the decision in the reply's JSON object; raises DecisionError if it is invalid."""
        try:
            data = json.loads(reply.text)
        except json.JSONDecodeError:
            raise DecisionError(_how_to_fix(reply)) from None
        if not isinstance(data, dict):
            raise DecisionError(_how_to_fix(reply))
        actions = data.get("actions")
        # Also accept a single object in `action`.
        if not isinstance(actions, list):
            actions = [data.get("action")]
        calls = [_constrained_call(number, each, reply) for number, each in enumerate(actions)]
        if not calls:
            raise DecisionError(_how_to_fix(reply))
        return decision_from(calls)

    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        """Return the arguments of `finish` in the part of a JSON object received so far.

        Returns None until the argument `answer` begins, or if the first action is not `finish`.
        """
        begun = _FINISH_ACTION.search(text)
        return finish_so_far(text[begun.end() - 1 :]) if begun is not None else None


def _constrained_turn(example: Example) -> str:
    """Return an example reply as compact JSON, so that models imitate it and save tokens."""
    actions = [{"tool": call.tool, "input": call.arguments} for call in example.calls]
    decision = {"thought": example.thought, "actions": actions}
    return json.dumps(decision, ensure_ascii=False, separators=(",", ":"))


def _constrained_call(number: int, action: object, reply: ModelReply) -> Call:
    if not isinstance(action, dict) or not isinstance(action.get("tool"), str):
        raise DecisionError(_how_to_fix(reply))
    given = action.get("input")
    if not isinstance(given, dict):
        raise DecisionError("`input` must be a JSON object with the arguments of the tool.")
    return Call(id=f"action{number}", tool=action["tool"], arguments=given)


_MOST_CUT_OFF: Final = 300
"""Maximum length in characters of an invalid reply in the history."""


def _shown_reply(step: HistoryStep) -> str:
    """Return the text of a reply for the history, shortened if it was cut off and so is invalid.

    The full text would make a small model repeat itself again.
    """
    text = step.reply.text
    is_long = step.reply.truncated and _is_invalid(step) and len(text) > _MOST_CUT_OFF
    return f"{text[:_MOST_CUT_OFF]}…" if is_long else text


def _is_invalid(step: HistoryStep) -> bool:
    """Return whether the reply could not be parsed, so that none of its calls was executed."""
    return not any(each.call_id for each in step.observations)


def _is_object(call: ToolCall) -> bool:
    try:
        _arguments(call)
    except DecisionError:
        return False
    return True


def _how_to_fix(reply: ModelReply) -> str:
    if reply.truncated:
        return (
            "Your reply was too long or repeated itself, and was cut off. "
            "Write a short thought, and say everything only once."
        )
    return (
        "Your reply was not understood. Write one JSON object: "
        '{"thought": "...", "actions": [{"tool": "...", "input": {...}}]}.'
    )


class ReactFormat:
    """The format `react`: text with the lines `Thought:`, `Action:` and `Action Input:`."""

    name = "react"

    def __init__(self, format_info: str) -> None:
        """Create the format; `format_info` is the prompt text that describes the format."""
        self._format_info = format_info

    def request(self, prompt: Prompt, history: Sequence[HistoryStep]) -> ModelRequest:
        """Return the model request for the next decision, with `Observation:` as stop sequence."""
        return ModelRequest(
            messages=text_messages(prompt, history, self._format_info, _react_turn),
            stop=("\nObservation:",),
        )

    def parse(self, reply: ModelReply) -> Decision:
        """Return the decision in the reply; text after `Observation:` is ignored.

        Raises DecisionError if there is no action or an action is invalid.
        """
        text = reply.text.partition("\nObservation:")[0]
        found = list(_ACTION.finditer(text))
        if not found:
            raise DecisionError(
                "Your reply had no `Action:` line. Write `Thought:`, then `Action:` with the name "
                "of one tool, then `Action Input:` with a JSON object."
            )
        ends = [each.start() for each in found[1:]] + [len(text)]
        calls = [
            _react_call(number, text[each.start() : end])
            for number, (each, end) in enumerate(zip(found, ends, strict=True))
        ]
        return decision_from(calls)

    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        """Return the arguments of `finish` in an incomplete line `Action Input:`.

        Returns None until the argument `answer` begins, or if the first action is not `finish`.
        """
        action = _ACTION.search(text)
        if action is None or action.group(1).lower() != FINISH:
            return None
        given = _INPUT.search(text, action.end())
        return finish_so_far(text[given.end() :]) if given else None


def _react_turn(example: Example) -> str:
    lines = [f"Thought: {example.thought}"]
    for call in example.calls:
        given = json.dumps(call.arguments, ensure_ascii=False)
        lines += [f"Action: {call.tool}", f"Action Input: {given}"]
    return "\n".join(lines)


def _react_call(number: int, text: str) -> Call:
    """Return the tool call in `text`, which begins with a line `Action:`."""
    action = _ACTION.match(text)
    name = action.group(1) if action is not None else ""
    given = _INPUT.search(text)
    arguments = first_object(text[given.end() :]) if given else None
    if arguments is None:
        raise DecisionError(
            f"`Action: {name}` needs a line `Action Input:` with one JSON object, "
            "such as " + json.dumps({"argument": "value"}) + "."
        )
    tool = FINISH if name.lower() == FINISH else name
    return Call(id=f"action{number}", tool=tool, arguments=arguments)


def decision_from(calls: Iterable[Call]) -> Decision:
    """Return the decision with these tool calls; a call of `finish` becomes the final answer.

    Drops calls after `finish`, and calls above the maximum number (MOST_CALLS). Raises
    DecisionError if the arguments of `finish` are invalid.
    """
    # Calls after `finish` are ignored, because the answer may already be streamed.
    taken: list[Call] = []
    for call in calls:
        if call.tool == FINISH:
            finish = finish_from(call.arguments, call_id=call.id)
            return Decision(calls=tuple(taken), finish=finish)
        if len(taken) == MOST_CALLS:
            return Decision(calls=tuple(taken), left_out=call.id)
        taken.append(call)
    return Decision(calls=tuple(taken))
