"""Read a model's reply: one lenient reader for all decision formats.

What servers and models send is read as kindly as possible, but never so that a reading would guess
what the person meant: an unknown tool, half a call or two different readings are errors.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ..model import MOST_CALLS, ModelReply, ToolCall, ToolSpec, fitted_arguments, read_json
from .decision import FINISH, Call, Decision, DecisionError, finish_from
from .formats import DecisionFormat
from .written_calls import WrittenCall, WrittenCalls, calls_in, tool_named

_CUT_OFF: Final = (
    "Your reply was too long or repeated itself, and was cut off. "
    "Write a short thought, and say everything only once."
)
_IN_WORDS: Final = "Write the calls alone, with no words before or after them."
_AFTER_ARGUMENTS: Final = " \t\r\n}])`;,"
"""Superfluous characters after the JSON of a call's arguments."""

type _Schemas = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyContent:
    """The content of a reply: either tool calls or words."""

    reply: ModelReply
    """The reply, with its native calls as they were read, for the history.

    Servers refuse names and arguments in a wrong form, also in the history.
    """

    calls: tuple[Call, ...] = ()
    """The calls, including `finish`, in the form that the tools' schemas describe."""

    words: str = ""
    """A text for the person, written without a call."""

    repairs: tuple[str, ...] = ()
    """What was read differently from what the model wrote, for the trace."""

    def decision(self) -> Decision:
        """Return the decision; words become an answer that says nothing about the home.

        Drops calls after `finish`. Raises DecisionError if there are too many calls, or if the
        arguments of `finish` are invalid.
        """
        if self.words:
            answer = finish_from({"kind": "answered", "about": "other", "answer": self.words})
            return Decision(finish=replace(answer, is_unstructured=True))
        # Calls after `finish` are ignored, because the answer may already be streamed.
        end = next((call for call in self.calls if call.tool == FINISH), None)
        taken = self.calls if end is None else self.calls[: self.calls.index(end)]
        if len(taken) > MOST_CALLS:
            raise DecisionError(
                f"Nothing was done: a reply may call {MOST_CALLS} tools. Call a group of devices "
                "once, or fewer tools."
            )
        finish = None if end is None else finish_from(end.arguments, call_id=end.id)
        return Decision(calls=taken, finish=finish)


def read_reply(
    reply: ModelReply,
    decision_format: DecisionFormat,
    tools: Sequence[ToolSpec],
    *,
    is_tainted: bool = False,
) -> ReplyContent:
    """Return the tool calls or the words of a reply.

    `is_tainted`: whether the model has read untrusted text, from which it may quote calls. Then
    calls in the text of the reply count only without words around them. In the format `react`, a
    thought may stand before them.

    Raises DecisionError if the reply cannot be read for certain.
    """
    schemas = {tool.name: tool.parameters for tool in tools}
    try:
        if reply.tool_calls:
            return _native(reply, schemas)
        return _written(reply, decision_format, schemas, is_tainted=is_tainted)
    except DecisionError:
        if reply.truncated:
            raise DecisionError(_CUT_OFF) from None
        raise
    except RecursionError:
        raise DecisionError(decision_format.how_to_fix) from None


def _native(reply: ModelReply, schemas: _Schemas) -> ReplyContent:
    repairs: list[str] = []
    if reply.truncated and not all(_is_json(each.arguments or "{}") for each in reply.tool_calls):
        raise DecisionError(_CUT_OFF)
    calls = [
        _call(each.id, _unpacked(each, schemas), schemas, repairs) for each in reply.tool_calls
    ]
    if repairs:
        shown = (
            replace(each, name=call.tool, arguments=json.dumps(dict(call.arguments)))
            for each, call in zip(reply.tool_calls, calls, strict=True)
        )
        reply = replace(reply, tool_calls=tuple(shown))
    return ReplyContent(reply=reply, calls=tuple(calls), repairs=tuple(repairs))


def _unpacked(call: ToolCall, schemas: _Schemas) -> WrittenCall:
    """Return a native call, or the only call in its arguments if its own name is unknown."""
    written = WrittenCall(call.name, call.arguments)
    if call.name not in schemas and tool_named(call.name, schemas) is None:
        inner = calls_in(_arguments_of(written), schemas)
        if inner is not None and len(inner) == 1:
            return inner[0]
    return written


def _written(
    reply: ModelReply, decision_format: DecisionFormat, schemas: _Schemas, *, is_tainted: bool
) -> ReplyContent:
    fix = decision_format.how_to_fix
    try:
        written = WrittenCalls(reply.text, schemas, may_close=not reply.truncated)
    except DecisionError as err:
        raise DecisionError(f"{err} {fix}") from None
    is_react = decision_format.name == "react" and written.are_labelled
    is_thought = is_react and written.is_thought
    if written.calls and written.has_words and is_tainted and not is_thought:
        raise DecisionError(f"{_IN_WORDS} {fix}")
    if not written.calls:
        if reply.truncated or not written.words:
            raise DecisionError(fix)
        return ReplyContent(reply=reply, words=written.words)
    is_usual = is_react or (decision_format.name == "constrained" and _is_json(reply.text))
    repairs = [] if is_usual else ["read the call from the text of the reply"]
    calls = [
        _call(f"action{number}", each, schemas, repairs)
        for number, each in enumerate(written.calls)
    ]
    return ReplyContent(reply=reply, calls=tuple(calls), repairs=tuple(repairs))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _call(call_id: str, written: WrittenCall, schemas: _Schemas, repairs: list[str]) -> Call:
    """Return a call with the name and arguments that the schemas describe; note the repairs."""
    tool = written.tool
    if tool not in schemas and (named := tool_named(tool, schemas)) is not None:
        tool = named
        repairs.append(f"name `{written.tool}` read as `{tool}`")
    arguments = _arguments_of(written)
    if isinstance(written.arguments, str) and not _is_json(written.arguments or "{}"):
        repairs.append(f"arguments of `{tool}` read from invalid JSON")
    if (schema := schemas.get(tool)) is None:
        return Call(id=call_id, tool=tool, arguments=arguments)
    fitting = fitted_arguments(schema, _inner(tool, arguments, schemas))
    changed = [
        name
        for name in {**arguments, **fitting}
        if name not in arguments or arguments[name] != fitting.get(name, ...)
    ]
    if changed:
        repairs.append(f"arguments of `{tool}` adjusted: {', '.join(changed)}")
    return Call(id=call_id, tool=tool, arguments=fitting)


def _inner(tool: str, arguments: dict[str, Any], schemas: _Schemas) -> dict[str, Any]:
    """Return the arguments of a whole call of `tool` that stands in its arguments, else these."""
    if set(schemas[tool].get("required", ())) <= arguments.keys():
        return arguments
    try:
        inner = calls_in(arguments, schemas) or ()
    except DecisionError:
        # Arguments such as `function` and `action` are no names of tools.
        return arguments
    if len(inner) == 1 and tool_named(inner[0].tool, schemas) == tool:
        return _arguments_of(inner[0])
    return arguments


def _arguments_of(call: WrittenCall) -> dict[str, Any]:
    """Return the arguments of a call as an object; raises DecisionError."""
    value = call.arguments
    try:
        while isinstance(value, str):
            value = _value_of(value)
    except ValueError as err:
        raise DecisionError(
            f"The arguments of `{call.tool}` are not valid JSON ({err}). Call it again with a JSON "
            "object."
        ) from None
    if isinstance(value, list) and len(value) == 1:
        (value,) = value
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise DecisionError(f"The arguments (`input`) of `{call.tool}` must be a JSON object.")
    return value


def _value_of(text: str) -> object:
    """Return the value of a JSON text, which may be written twice; raises ValueError."""
    text = text.strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].strip()
    if not text:
        return {}
    value, end = read_json(text)
    while "{" in (rest := text[end:].lstrip(_AFTER_ARGUMENTS)):
        again, end = read_json(text, len(text) - len(rest))
        if value not in ({}, again):
            raise ValueError("it contains two different objects")
        value = again
    return value
