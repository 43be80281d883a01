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

    Blank lines separate paragraphs. A paragraph is either a template or a turn:
    - A template begins with the line `NAME =`. The other lines are its text, with the placeholder
      `{request}`. It yields nothing.
    - A turn has the following lines. First the input: `NAME: request` means the text of the
      template NAME with this request; any other line is itself the input (or an observation).
      Second the thought of the model. Then one line for each call: the name of the tool, a space
      and the arguments as a JSON object.
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
