"""Example turns for small models, which follow examples better than rules."""

import json
from collections.abc import Iterator
from typing import Final

from .decision import Call
from .formats import Example

_EXAMPLES: Final = "\n\nExamples of the right next step:"
"""Start of the examples in the instructions; example turns replace them."""

_REQUEST: Final = "{request}"


def without_examples(task_info: str) -> str:
    """Return the instructions without the examples at the end."""
    return task_info.partition(_EXAMPLES)[0]


def turns_of(text: str) -> Iterator[Example]:
    """Yield the turns in a text file of the prompts.

    A paragraph that begins with `Name =` is the input of the turns that begin with
    `Name: request`. The lines of the others are the input or an observation, a thought, and the
    calls.
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
