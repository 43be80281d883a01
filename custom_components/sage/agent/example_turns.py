"""Example turns for prompts, parsed from the files `agent/prompts/*_turns.md`."""

import json
from collections.abc import Iterator
from typing import Final

from .decision import Call
from .formats import Example

# Small models follow examples better than rules.
_EXAMPLES: Final = "\n\nExamples of the right next step:"
"""Heading of the examples at the end of an agent's instructions."""

_REQUEST: Final = "{request}"


def without_examples(task_info: str) -> str:
    """Return an agent's instructions (`Agent.task_info`) without the examples at the end."""
    return task_info.partition(_EXAMPLES)[0]


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
