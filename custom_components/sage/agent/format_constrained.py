"""The `constrained` decision format: a JSON object that a schema forces.

Small local models that do not know tool calls become reliable with it
(DESIGN 4).
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from .decision import FINISH, Call, Decision, DecisionError, decision_from
from .formats import Example, Prompt, Step, constrained_schema, told_in_text
from .language_model import ModelReply, ModelRequest
from .partial_json import finish_so_far

_FINISH: Final = re.compile(
    rf'"actions?"\s*:\s*\[?\s*\{{\s*"tool"\s*:\s*"{FINISH}"\s*,\s*"input"\s*:\s*\{{'
)


class ConstrainedFormat:
    """Decisions are `{"thought", "actions": [{"tool", "input"}, ...]}`."""

    name = "constrained"

    def __init__(self, format_info: str) -> None:
        """Keep FormatInfo, the text that explains the object."""
        self._format_info = format_info

    def request(self, prompt: Prompt, history: Sequence[Step]) -> ModelRequest:
        """Return the request; the system message describes the tools and the format."""
        return ModelRequest(
            messages=told_in_text(prompt, history, self._format_info, _written),
            response_schema=constrained_schema(prompt.tools),
        )

    def parse(self, reply: ModelReply) -> Decision:
        """Return the decision in the JSON object."""
        try:
            data = json.loads(reply.text)
        except json.JSONDecodeError:
            raise DecisionError(_mend(reply)) from None
        if not isinstance(data, dict):
            raise DecisionError(_mend(reply))
        actions = data.get("actions")
        # Also accept a single action outside a list.
        if not isinstance(actions, list):
            actions = [data.get("action")]
        calls = [_call(number, each, reply) for number, each in enumerate(actions)]
        if not calls:
            raise DecisionError(_mend(reply))
        return decision_from(str(data.get("thought", "")), calls)

    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        """Return the input of `finish` in the unfinished object, if it is the first action."""
        begun = _FINISH.search(text)
        return finish_so_far(text[begun.end() - 1 :]) if begun is not None else None


def _written(example: Example) -> str:
    """Return the object in one line: models that see it write no line breaks, which cost time."""
    actions = [{"tool": call.tool, "input": call.arguments} for call in example.calls]
    decision = {"thought": example.thought, "actions": actions}
    return json.dumps(decision, ensure_ascii=False, separators=(",", ":"))


def _call(number: int, action: object, reply: ModelReply) -> Call:
    if not isinstance(action, dict) or not isinstance(action.get("tool"), str):
        raise DecisionError(_mend(reply))
    given = action.get("input")
    if not isinstance(given, dict):
        raise DecisionError("`input` must be a JSON object with the arguments of the tool.")
    return Call(id=f"action{number}", tool=action["tool"], arguments=given)


def _mend(reply: ModelReply) -> str:
    if reply.truncated:
        return "Your reply was too long and was cut off. Write a shorter thought."
    return (
        "Your reply was not understood. Write one JSON object: "
        '{"thought": "...", "actions": [{"tool": "...", "input": {...}}]}.'
    )
