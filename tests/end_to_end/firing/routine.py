"""Routines that fire, without anything that watches them."""

import asyncio
from datetime import UTC, datetime
from typing import Any

from homeassistant.auth.models import User
from homeassistant.components import persistent_notification
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.delivery.routine_questions import OpenQuestion, questions_of
from custom_components.sage.people.person import KnownBy
from custom_components.sage.routines.host.firing_runs import RoutineRuns
from custom_components.sage.routines.routine_types import (
    Condition,
    EdgeKind,
    Firing,
    FiringStep,
    Repeat,
    Routine,
    RoutineKind,
)
from tests.decisions import NATIVE, step
from tests.waiting import until

from ..conftest import Sage

ROUTINE_ID = "01K9ROUTINE0000000000000000"
LOCK = "lock.front_door"
PIN = "4711"


def state(hass: HomeAssistant, entity_id: str = LOCK) -> str:
    found = hass.states.get(entity_id)
    assert found is not None
    return found.state


def notes(hass: HomeAssistant) -> list[str]:
    """Return the notifications that Home Assistant shows to everybody."""
    found = persistent_notification._async_get_or_create_notifications(hass)
    return [each["message"] for each in found.values()]


def routine_of(owner: User | None, command: str, **more: Any) -> Routine:
    """Return a routine of somebody, of the household for None."""
    given: dict[str, Any] = {
        "id": ROUTINE_ID,
        "owner": owner.id if owner is not None else None,
        "known_by": KnownBy.SIGN_IN,
        "agent_id": "gone",
        "language": "en",
        "request": f"{command} when the fridge is opened",
        "when": "the fridge is opened",
        "command": command,
        "trigger": Condition(function="is_open", source="def is_open():\n    return True\n"),
        "repeat": Repeat.ALWAYS,
        "created_at": datetime(2026, 3, 2, 12, tzinfo=UTC),
        "notify": True,
    }
    return Routine(**(given | more))


def reminder_of(owner: User | None, command: str, **more: Any) -> Routine:
    return routine_of(owner, command, kind=RoutineKind.TELL, **more)


def firing_of(routine: Routine, number: int = 1, **more: Any) -> Firing:
    given: dict[str, Any] = {
        "id": number,
        "routine_id": routine.id,
        "edge": EdgeKind.ON,
        "at": dt_util.utcnow(),
        "step": FiringStep.STARTED,
    }
    return Firing(**(given | more))


class Fires:
    """Lets routines fire."""

    def __init__(self, sage: Sage) -> None:
        self.sage = sage
        self.hass = sage.hass
        self.runner = RoutineRuns(sage.hass, sage.entry)

    async def fire(self, routine: Routine, **more: Any) -> Firing:
        return await self.runner.async_run(routine, firing_of(routine, **more))

    async def async_asked(self, words: str = "") -> OpenQuestion:
        """Return the question with these words that waits, waiting for it."""
        questions = questions_of(self.sage.hass)

        def found() -> list[OpenQuestion]:
            return [each for each in questions if not each.reply.done() and words in each.text]

        await until(found)
        return found()[0]

    def begin(self, routine: Routine, **more: Any) -> asyncio.Task[Firing]:
        """Fire and go on meanwhile."""
        return asyncio.create_task(self.fire(routine, **more))

    def begin_undo(self, routine: Routine, fired: Firing) -> asyncio.Task[Firing]:
        """Put back what a firing changed, and go on meanwhile."""
        return asyncio.create_task(self.runner.async_undo(routine, fired))


def commands(sage: Sage, *devices: str, command: str, answer: str, **arguments: Any) -> None:
    sage.model_says(
        *NATIVE.planned("do it", step("command", *devices)),
        NATIVE.execute(*devices, command=command, arguments=arguments),
        NATIVE.finish("acted", answer),
    )
