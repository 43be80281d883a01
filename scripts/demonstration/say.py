"""Say one command to the home, and print the result."""

import time
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import asdict, dataclass
from typing import Any

from .changes import Change, changes
from .client import Client, HomeAssistantError
from .cloud_record import CloudChanges
from .look import HomeView, in_cloud
from .options import Saying
from .verdict import complaints

PIPELINE_PATIENCE = 900  # seconds; a small model on an old machine is slow at first


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One command and all that is known about it afterwards."""

    command: str
    answer: str
    conversation_id: str | None
    asks: bool
    seconds: float
    trace: Mapping[str, Any] | None
    changes: tuple[Change, ...]
    cloud: CloudChanges | None
    """What happened in the simulated cloud; None where there is none."""

    complaints: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"passed": not self.complaints}


class Speaker:
    """A person who talks to the home, in one conversation or in several."""

    def __init__(
        self, person: Client, owner: Client, pipeline: str, *, has_cloud: bool = False
    ) -> None:
        self._person = person
        self._pipeline = pipeline
        self._view = HomeView(person, owner, has_cloud=has_cloud)
        self._conversation: str | None = None

    def begin_anew(self) -> None:
        """Let the next command begin a new conversation."""
        self._conversation = None

    async def say(self, saying: Saying) -> Said:
        """Return what the home answered, what SAGE did, and what changed."""
        before = await self._view.look()
        earlier = await self._view.traces()
        start = time.monotonic()
        answer, asks = await self._ask(saying.text)
        seconds = time.monotonic() - start
        trace = _newest(earlier, await self._view.traces())
        after = await self._view.look()
        return Said(
            command=saying.text,
            answer=answer,
            conversation_id=self._conversation,
            asks=asks,
            seconds=seconds,
            trace=trace,
            changes=changes(before.states, after.states),
            cloud=in_cloud(before, after),
            complaints=complaints(answer, trace, saying.expect, asks=asks),
        )

    async def _ask(self, text: str) -> tuple[str, bool]:
        """Return the answer, or the error in its place, and whether a reply is awaited."""
        events = self._person.assist(
            text,
            pipeline=self._pipeline,
            conversation_id=self._conversation,
            patience=PIPELINE_PATIENCE,
        )
        answer, asks = "", False
        try:
            async with aclosing(events):
                async for event in events:
                    if event["type"] == "run-end":
                        break
                    if event["type"] == "intent-end":
                        answer, asks = self._take(event["data"]["intent_output"])
                    elif event["type"] == "error":
                        answer = f"(error: {event['data']['message']})"
        except HomeAssistantError as error:
            answer = f"(error: {error})"
        return answer, asks

    def _take(self, output: Mapping[str, Any]) -> tuple[str, bool]:
        self._conversation = output["conversation_id"]
        speech = output["response"]["speech"].get("plain", {}).get("speech", "")
        return speech, bool(output.get("continue_conversation"))


def _newest(
    earlier: list[Mapping[str, Any]], now: list[Mapping[str, Any]]
) -> Mapping[str, Any] | None:
    """Return the last trace that is new, or went on."""
    return next((trace for trace in reversed(now) if trace not in earlier), None)
