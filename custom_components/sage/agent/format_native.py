"""The `native` decision format: tool calls of the chat API."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .decision import Call, Decision, DecisionError, decision_from
from .formats import Observation, Prompt, Step
from .language_model import ChatMessage, ModelReply, ModelRequest, ToolCall
from .partial_json import finish_so_far


class NativeFormat:
    """Decisions are tool calls; the end is the tool `finish`."""

    name = "native"

    def __init__(self, format_info: str) -> None:
        """Keep FormatInfo, the text that says how tools may be called."""
        self._format_info = format_info

    def request(self, prompt: Prompt, history: Sequence[Step]) -> ModelRequest:
        """Return the request, with the tools in their own field."""
        messages = [
            ChatMessage(role="system", content=f"{prompt.task_info}\n\n{self._format_info}"),
            ChatMessage(role="user", content=prompt.input),
        ]
        for step in history:
            messages.extend(_step_messages(step))
        return ModelRequest(messages=tuple(messages), tools=prompt.tools)

    def parse(self, reply: ModelReply) -> Decision:
        """Return the calls of the reply; text alone is not a decision."""
        if not reply.tool_calls:
            raise DecisionError(
                "Your reply called no tool. Call one of the tools, or call `finish` with `kind` "
                "and `answer` to answer the person."
            )
        calls = (
            Call(id=each.id, tool=each.name, arguments=_arguments(each))
            for each in reply.tool_calls
        )
        return decision_from(reply.text, calls)

    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        """Return the arguments of `finish` that have arrived so far."""
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


def _step_messages(step: Step) -> list[ChatMessage]:
    messages = [
        ChatMessage(
            role="assistant", content=step.reply.text or None, tool_calls=step.reply.tool_calls
        )
    ]
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
