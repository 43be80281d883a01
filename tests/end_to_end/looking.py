"""A model on loopback that decides, and looks at what cameras show."""

import json
from typing import Any

from benchmark.cameras import pictures
from benchmark.model_script import Answer, Completion, Json, verification, verifies
from tests.decisions import Decides

from .conftest import Sage

NATIVE = Decides("native")
QUESTION = "Who is at the door?"
SEEN = "A woman in a yellow coat holds a parcel."
SEES: dict[str, Any] = {"model": "test-model", "formats": ["native"], "sees": True}
"""Settings of an agent whose model accepts pictures."""


def looks(device: str = "door_camera", question: str = QUESTION) -> Completion:
    """Return the decision to look."""
    more = {"arguments": {"question": question}, "timing": "now", "final": False}
    return NATIVE.call("execute_command", devices=[device], command="sage.look", **more)


def script(
    sage: Sage, *decisions: Answer, seen: Answer | str = SEEN, then: Answer | None = None
) -> None:
    """Let the model take these decisions, then always `then`; `seen`: about each picture."""
    sage.server.forget()
    left = list(decisions)
    last = then or NATIVE.finish("could_not", "No.", about="other")
    if isinstance(seen, str):
        seen = Completion(text=json.dumps({"answer": seen}, ensure_ascii=False))

    def answer(body: Json) -> Answer:
        if pictures(body):
            return seen
        if verifies(body):
            return verification()
        return left.pop(0) if left else last

    sage.server.say(answer)


def looked(sage: Sage) -> list[Json]:
    """Return the requests with a picture."""
    return [each.body for each in sage.server.completions if pictures(each.body)]


def told(sage: Sage) -> str:
    """Return all that the entry model read."""
    return "\n".join(each.prompt for each in sage.server.completions if not pictures(each.body))
