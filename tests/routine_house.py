"""Routines of several people, for those who show and change them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from homeassistant.auth.const import GROUP_ID_ADMIN, GROUP_ID_USER
from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

import custom_components.sage as integration
from custom_components.sage.people.person import KnownBy
from custom_components.sage.routines.registry import RoutineEvent, RoutineEventKind
from custom_components.sage.routines.routine_types import (
    Condition,
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    Repeat,
    Routine,
    RoutineError,
    Status,
    Watched,
)
from custom_components.sage.routines.routines import Routines
from custom_components.sage.routines.sandbox.contract import CheckError, Fault
from custom_components.sage.routines.sandbox.sandbox import Sandbox

WORD = "Zwetschgenmus"  # stands in every word, code and value of a routine; no public text has it
SOURCE = f'def check_{WORD}():\n    return get_state("{WORD}") == "on"'


def a_routine(owner: User | None, **more: Any) -> Routine:
    given: dict[str, Any] = {
        "id": ulid_now(),
        "owner": owner.id if owner is not None else None,
        "known_by": KnownBy.SIGN_IN,
        "agent_id": "agent",
        "language": "en",
        "request": f"Tell me when the {WORD} is on",
        "when": f"the {WORD} is on",
        "command": f"say that the {WORD} is on",
        "trigger": Condition(function=f"check_{WORD}", source=SOURCE),
        "repeat": Repeat.ALWAYS,
        "created_at": datetime(2026, 3, 2, 12, tzinfo=UTC),
        "bindings": {WORD: f"entity:{WORD}"},
    }
    return Routine(**(given | more))


def no_name(word: str) -> CheckError:
    """Return the error of condition code that names `word`."""
    message = f"NameError: no {word}"
    return CheckError(fault=Fault.EXCEPTION, message=message, line=2, detail=message)


@pytest.fixture
async def admin(hass: HomeAssistant) -> User:
    """An administrator; the first user of a home is always one."""
    return await hass.auth.async_create_user("Ada", group_ids=[GROUP_ID_ADMIN])


@pytest.fixture
async def anna(hass: HomeAssistant, admin: User) -> User:
    return await hass.auth.async_create_user("Annegret", group_ids=[GROUP_ID_USER])


@pytest.fixture
async def ben(hass: HomeAssistant, admin: User) -> User:
    """Somebody else without special permissions."""
    return await hass.auth.async_create_user("Benedikt", group_ids=[GROUP_ID_USER])


class FakeRoutines(Routines):
    """Routines without a checker: the test reports their events."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.sandbox = Sandbox(hass, ())
        self.watched: dict[str, Watched] = {}
        self.listeners: list[Callable[[RoutineEvent], None]] = []
        self.refuses = ""
        self.last_number = 0

    def add(self, routine: Routine, memo: Memo | None = None, **more: Any) -> Routine:
        """Add a routine as if it were there from the start, or was made now."""
        self.last_number += 1
        routine = replace(routine, number=self.last_number)
        self.watched[routine.id] = Watched(routine=routine, memo=memo or Memo(), **more)
        self.tell(RoutineEventKind.CREATED, routine)
        return routine

    async def async_add(self, routine: Routine, memo: Memo | None = None) -> Routine:
        """Add a routine and wait until it is shown."""
        added = self.add(routine, memo)
        await self.hass.async_block_till_done()
        return added

    def tell(self, kind: RoutineEventKind, routine: Routine, firing: Firing | None = None) -> None:
        for listener in tuple(self.listeners):
            listener(RoutineEvent(kind=kind, routine=routine, firing=firing))

    def change(self, routine_id: str, **changes: Any) -> Watched:
        """Change a routine and notify the listeners."""
        watched = self.watched[routine_id]
        changed = replace(watched, routine=replace(watched.routine, **changes))
        self.watched[routine_id] = changed
        self.tell(RoutineEventKind.CHANGED, changed.routine)
        return changed

    def fire(self, routine_id: str, **more: Any) -> None:
        watched = self.watched[routine_id]
        memo = replace(watched.memo, last_fired=dt_util.utcnow(), fired=watched.memo.fired + 1)
        self.watched[routine_id] = replace(watched, memo=memo)
        given: dict[str, Any] = {
            "id": 1,
            "edge": EdgeKind.ON,
            "at": dt_util.utcnow(),
            "answer": f"The {WORD} is on.",
        }
        firing = Firing(routine_id=routine_id, **(given | more))
        self.tell(RoutineEventKind.FIRED, watched.routine, firing)
        done = replace(firing, step=FiringStep.DONE)
        self.tell(RoutineEventKind.DONE, watched.routine, done)

    @property
    def trouble(self) -> str | None:
        """Nothing is read."""
        return None

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Nothing is read."""
        return ()

    async def async_purge(self, owner: str) -> None:
        """Leave it to tests to remove routines."""

    async def async_load(self) -> None:
        """There is nothing to load."""

    async def async_start(self) -> None:
        """There is nothing to watch."""

    async def async_close(self) -> None:
        """There is nothing to close."""

    def get(self, routine_id: str) -> Watched | None:
        return self.watched.get(routine_id)

    def list(self, owner: str | None) -> tuple[Watched, ...]:
        return tuple(each for each in self.watched.values() if each.routine.owner == owner)

    def list_all(self) -> tuple[Watched, ...]:
        return tuple(self.watched.values())

    async def async_pause(self, routine_id: str, until: datetime | None = None) -> Watched:
        self._check()
        return self.change(routine_id, status=Status.PAUSED, paused_until=until)

    async def async_resume(self, routine_id: str) -> Watched:
        self._check()
        return self.change(routine_id, status=Status.WATCHING, paused_until=None)

    async def async_delete(self, routine_id: str) -> None:
        self._check()
        self.tell(RoutineEventKind.REMOVED, self.watched.pop(routine_id).routine)

    def listen(self, listener: Callable[[RoutineEvent], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def _check(self) -> None:
        if self.refuses:
            raise RoutineError(self.refuses)


def show(monkeypatch: pytest.MonkeyPatch, routines: Routines) -> None:
    """Have SAGE show these routines, in place of its own."""

    monkeypatch.setattr(integration, "async_make_routines", lambda *_: routines)
