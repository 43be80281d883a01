"""Let something happen in the home, and see what SAGE does of itself."""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from . import cloud_record
from .changes import Change, changes
from .client import Client
from .cloud_record import CloudChanges
from .home_events import CloudChange, ThingChange
from .look import HomeView, Moment, Traces, in_cloud
from .options import HomeEventStep
from .verdict import complaints_of_event

FIRST_SIGN: Final = 20.0
"""Seconds until a routine has fired, if one does: changes are seen at once."""

QUIET: Final = 4.0
"""Seconds without anything new after which nothing more is expected."""

PATIENCE: Final = 900.0
"""Seconds for all that SAGE does; a small model on an old machine is slow."""

INTERVAL: Final = 0.25

QUESTION: Final = "sage_question_"
"""Beginning of the id of a notification by which a routine asks something."""

FIRED_AT: Final = "last_fired"
"""Attribute of the switch of a routine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Words that were brought to a person."""

    way: str
    title: str
    text: str
    at: str
    """When, as ISO 8601 has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """One event and all that is known about what came of it."""

    event: str
    story: str
    seconds: float
    """From the event to the last thing that came of it."""

    fired: tuple[str, ...]
    """The switches of the routines that fired."""

    traces: tuple[Mapping[str, Any], ...]
    delivered: tuple[Delivery, ...]
    changes: tuple[Change, ...]
    cloud: CloudChanges | None
    """What happened in the simulated cloud; None where there is none."""

    complaints: tuple[str, ...]
    asks: bool
    """Whether somebody was asked something."""

    @property
    def command(self) -> str:
        """What stands for it in the list of steps."""
        return f"({self.story})"

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"passed": not self.complaints}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signs:
    """Signs that SAGE acts without a request."""

    fired: Mapping[str, Any]
    """When each routine fired last, by its switch."""

    traces: Traces
    delivered: Mapping[str, Delivery]

    def since(self, earlier: _Signs) -> _Signs:
        """Return what is new."""
        return _Signs(
            fired={
                switch: at
                for switch, at in self.fired.items()
                if at is not None and at != earlier.fired.get(switch)
            },
            traces=[trace for trace in self.traces if trace not in earlier.traces],
            delivered={
                key: each
                for key, each in self.delivered.items()
                if each != earlier.delivered.get(key)
            },
        )

    @property
    def is_over(self) -> bool:
        """Whether all that fired has run, or waits for a reply; each run leaves a trace."""
        return self.asks or len(self.traces) >= len(self.fired)

    @property
    def asks(self) -> bool:
        """Whether a person was asked something."""
        return any(key.startswith(QUESTION) for key in self.delivered)

    def __bool__(self) -> bool:
        return bool(self.fired or self.traces or self.delivered)


class World:
    """What happens in the home without anybody telling it to."""

    def __init__(self, person: Client, owner: Client, *, has_cloud: bool = False) -> None:
        self._person = person
        self._owner = owner
        self._view = HomeView(person, owner, has_cloud=has_cloud)

    async def happen(self, step: HomeEventStep) -> Happened:
        """Let it happen, wait for what comes of it, and return that."""
        before = await self._view.look()
        earlier = await self._signs()
        start = time.monotonic()
        for change in step.event.changes:
            await self._make(change)
        signs, seconds = await self._wait(earlier, start)
        after = await self._view.look()
        return _happened(step, before, after, signs, seconds)

    async def _make(self, change: ThingChange | CloudChange) -> None:
        if isinstance(change, CloudChange):
            await self._owner.call(cloud_record.HAPPEN, **asdict(change))
            return
        await self._owner.call(
            "call_service",
            domain="sage_demo_home",
            service="inject",
            service_data={"entity_id": change.entity_id, "values": dict(change.values)},
        )

    async def _wait(self, earlier: _Signs, start: float) -> tuple[_Signs, float]:
        """Return what came of it, and after how long the last of it came."""
        seen, last = earlier.since(earlier), start
        while True:
            signs = (await self._signs()).since(earlier)
            now = time.monotonic()
            if signs != seen:
                seen, last = signs, now
            if now - start > PATIENCE:
                return seen, now - start
            if now - last > (QUIET if seen else FIRST_SIGN) and seen.is_over:
                return seen, last - start
            await asyncio.sleep(INTERVAL)

    async def _signs(self) -> _Signs:
        notes = await self._person.call("persistent_notification/get")
        return _Signs(
            fired={
                state["entity_id"]: state["attributes"][FIRED_AT]
                for state in await self._owner.call("get_states")
                if state["entity_id"].startswith("switch.") and FIRED_AT in state["attributes"]
            },
            traces=await self._view.traces(),
            delivered={
                note["notification_id"]: Delivery(
                    way="persistent notification",
                    title=note.get("title") or "",
                    text=note.get("message") or "",
                    at=str(note["created_at"]),
                )
                for note in notes
            },
        )


def _happened(
    step: HomeEventStep, before: Moment, after: Moment, signs: _Signs, seconds: float
) -> Happened:
    delivered = tuple(signs.delivered.values())
    return Happened(
        event=step.event.name,
        story=step.event.story,
        seconds=seconds,
        fired=tuple(signs.fired),
        traces=tuple(signs.traces),
        delivered=delivered,
        changes=changes(before.states, after.states),
        cloud=in_cloud(before, after),
        complaints=complaints_of_event(
            fired=len(signs.fired),
            traces=signs.traces,
            delivered=[each.text for each in delivered],
            asks=signs.asks,
            expect=step.expect,
            expect_nothing=step.expect_nothing,
        ),
        asks=signs.asks,
    )
