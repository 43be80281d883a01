"""Example turns for prompts, parsed from files; small models follow examples better than rules."""

import json
from collections.abc import Iterator
from typing import Final

from .decision import Call
from .formats import Example

_EXAMPLES: Final = "\n\nExamples of the right next step:"
"""Heading of the examples at the end of an agent's instructions."""

_REQUEST: Final = "{request}"


def without_examples(task_info: str) -> str:
    """Return an agent's instructions (`Agent.task_info`) without the examples at the end."""
    return task_info.partition(_EXAMPLES)[0]


def turns_of(text: str) -> Iterator[Example]:
    """Yield the example turns in `text`, the content of a file in `agent/prompts`.

    A turn is a paragraph of these lines:
    - the input of the agent
    - the thought of the model
    - one line for each call: the tool, a space and the arguments as a JSON object

    A paragraph with the first line `NAME =` is no turn, but a template with the word `{request}`.
    The input `NAME: turn on the lamp` means this template with the request "turn on the lamp".
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
