"""Example turns for small models, which follow examples better than rules."""

import json
from collections.abc import Iterator
from typing import Final

from .decision import Call
from .formats import Example

_EXAMPLES: Final = "\n\nExamples of the right next step:"
"""Start of the examples at the end of the instructions; `without_examples` cuts there."""

_REQUEST: Final = "{request}"


def without_examples(task_info: str) -> str:
    """Return the instructions without the examples at the end."""
    return task_info.partition(_EXAMPLES)[0]


def turns_of(text: str) -> Iterator[Example]:
    """Yield the example turns in `text`, a file of `agent/prompts`.

    Blank lines separate paragraphs. The first line of a paragraph is one of these:
    - `NAME =`: the next lines are a template of an input, with the placeholder `{request}`.
    - `NAME: request`: a turn whose input is the template NAME with this request.
    - any other text: a turn with this text as its input or observation.
    In a turn, the second line is the thought, and each further line is one call: the name of the
    tool, a space and the arguments as a JSON object.
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
