"""A person asks what a camera shows."""

from typing import Any

from benchmark.cameras import looking_model, pictures
from benchmark.model_script import Answer, Completion, Json
from tests.decisions import NATIVE

from .conftest import Sage

QUESTION = "Who is at the door?"
SEEN = "A woman in a yellow coat holds a parcel."
SEES: dict[str, Any] = {"model": "test-model", "formats": ["native"], "sees": True}
"""Settings of an agent whose model accepts pictures."""


def looks(device: str = "door_camera", question: str = QUESTION) -> Completion:
    more = {"arguments": {"question": question}, "timing": "now", "final": False}
    return NATIVE.execute(device, command="sage.look", **more)


def script(sage: Sage, *decisions: Answer, **more: Any) -> None:
    """Let the model take these decisions, and tell about each picture what is `seen`."""
    sage.server.forget()
    no = NATIVE.finish("could_not", "No.", about="other")
    sage.server.say(looking_model(*decisions, **{"seen": SEEN, "then": no, **more}))


def looked(sage: Sage) -> list[Json]:
    return [each.body for each in sage.server.completions if pictures(each.body)]


def told(sage: Sage) -> str:
    return "\n".join(each.prompt for each in sage.server.completions if not pictures(each.body))
