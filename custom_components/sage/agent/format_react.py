"""The `react` decision format: the paper's plain text (ReAct, Yao et al., 2022)."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .decision import FINISH, Call, Decision, DecisionError, decision_from
from .formats import Example, Prompt, Step, told_in_text
from .language_model import ModelReply, ModelRequest
from .partial_json import finish_so_far, first_object

_ACTION = re.compile(r"^[ \t]*Action[ \t]*:[ \t]*`?([\w.\-]+)`?", re.IGNORECASE | re.MULTILINE)
_INPUT = re.compile(r"^[ \t]*Action[ \t]+Input[ \t]*:", re.IGNORECASE | re.MULTILINE)
_THOUGHT = re.compile(
    r"Thought[ \t]*:(.*?)(?=^[ \t]*Action[ \t]*:|\Z)", re.IGNORECASE | re.DOTALL | re.MULTILINE
)


class ReactFormat:
    """Decisions are `Thought:`, `Action:` and `Action Input:` lines."""

    name = "react"

    def __init__(self, format_info: str) -> None:
        """Keep FormatInfo, the text that explains the lines."""
        self._format_info = format_info

    def request(self, prompt: Prompt, history: Sequence[Step]) -> ModelRequest:
        """Return the request; generation stops where an observation would begin."""
        return ModelRequest(
            messages=told_in_text(prompt, history, self._format_info, _written),
            stop=("\nObservation:",),
        )

    def parse(self, reply: ModelReply) -> Decision:
        """Return the actions of the text in their order; ignore text after them."""
        text = reply.text.partition("\nObservation:")[0]
        found = list(_ACTION.finditer(text))
        if not found:
            raise DecisionError(
                "Your reply had no `Action:` line. Write `Thought:`, then `Action:` with the name "
                "of one tool, then `Action Input:` with a JSON object."
            )
        ends = [each.start() for each in found[1:]] + [len(text)]
        calls = [
            _call(number, text[each.start() : end])
            for number, (each, end) in enumerate(zip(found, ends, strict=True))
        ]
        thought = _THOUGHT.search(text)
        return decision_from(thought.group(1).strip() if thought else "", calls)

    def finish_so_far(self, text: str) -> Mapping[str, Any] | None:
        """Return the unfinished `Action Input:` of `finish`."""
        action = _ACTION.search(text)
        if action is None or action.group(1).lower() != FINISH:
            return None
        given = _INPUT.search(text, action.end())
        return finish_so_far(text[given.end() :]) if given else None


def _written(example: Example) -> str:
    lines = [f"Thought: {example.thought}"]
    for call in example.calls:
        given = json.dumps(call.arguments, ensure_ascii=False)
        lines += [f"Action: {call.tool}", f"Action Input: {given}"]
    return "\n".join(lines)


def _call(number: int, text: str) -> Call:
    """Return the call in the part of a reply that begins with one `Action:`."""
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
