"""A house whose routines are watched: real core, real sandbox, real file; time by the test."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from freezegun import api as freezegun
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import Context, HomeAssistant
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.sage.people.person import KnownBy
from custom_components.sage.routines.checker import Checker
from custom_components.sage.routines.evaluation import Evaluator
from custom_components.sage.routines.firing_queue import FiringQueue
from custom_components.sage.routines.registry import RoutineEvent, RoutineEventKind, RoutineRegistry
from custom_components.sage.routines.routine_types import (
    Condition,
    Firing,
    FiringStep,
    Repeat,
    Routine,
    RoutineError,
    Watched,
)
from custom_components.sage.routines.routines import Routines
from custom_components.sage.routines.sandbox.contract import CheckError
from custom_components.sage.routines.sandbox.sandbox import Sandbox

from .state_answers import StateAnswers

ANNA = "a" * 32
BOB = "b" * 32
DOOR = "binary_sensor.front_door"
LIGHT = "light.hall"


def when_on(entity_id: str = DOOR, state: str = "on") -> Condition:
    """A condition that is true while an entity has a state."""
    return Condition(
        function="is_so", source=f'def is_so():\n    return get_state("{entity_id}") == "{state}"\n'
    )


FRAGILE = Condition(
    function="is_warm", source=f'def is_warm():\n    return float(get_state("{LIGHT}")) > 20\n'
)
"""Fails unless the state is a number."""

SOUND = f'def is_warm():\n    return get_state("{LIGHT}") in ("21", "on")\n'


def routine(trigger: Any = None, **fields: Any) -> Routine:
    """A routine of Anna: whenever the door is open."""
    plain: dict[str, Any] = {
        "id": ulid_now(),
        "owner": ANNA,
        "known_by": KnownBy.SIGN_IN,
        "agent_id": "agent",
        "language": "en",
        "request": "tell me whenever the front door opens",
        "when": "the front door opens",
        "command": "tell me that the front door is open",
        "trigger": trigger or when_on(),
        "repeat": Repeat.ALWAYS,
        "created_at": datetime(2026, 6, 1, tzinfo=UTC),
    }
    return Routine(**(plain | fields))


@dataclass
class RecordingRunner:
    """Notes what is to be done; what a run changes is up to the test."""

    hass: HomeAssistant
    ran: list[Firing] = field(default_factory=list)
    undone: list[Firing] = field(default_factory=list)
    commands: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """By routine: states that its run sets."""

    gate: asyncio.Event | None = None
    """Runs do not end before this is set, as while their person is asked."""

    async def async_run(self, routine: Routine, firing: Firing) -> Firing:
        assert firing.step is FiringStep.STARTED
        self.ran.append(firing)
        if self.gate is not None:
            await self.gate.wait()
        context = Context()
        commands = self.commands.get(routine.id, [])
        for entity_id, state in commands:
            self.hass.states.async_set(entity_id, state, context=context)
        undo = {"was": "off"} if routine.undo_after else None
        return replace(firing, answer="Done.", undo=undo)

    async def async_undo(self, routine: Routine, fired: Firing) -> Firing:
        self.undone.append(fired)
        return replace(fired, answer="Put back.", undo=None)


@dataclass
class RecordingDeliverer:
    delivered: list[str] = field(default_factory=list)

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        self.delivered.append(firing.answer)

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        return "missed" if firing.step is FiringStep.JOURNALED else "interrupted"


@dataclass
class ScriptedRepairer:
    """Has the sources it is given, in turn."""

    sources: list[str] = field(default_factory=list)
    asked: list[CheckError] = field(default_factory=list)
    gate: asyncio.Event | None = None
    is_away: bool = False

    async def async_rewrite(self, routine: Routine, condition: Condition, error: CheckError) -> str:
        self.asked.append(error)
        if self.is_away:
            raise RoutineError("the model gave no answer", is_temporary=True)
        if self.gate is not None:
            await self.gate.wait()
        if not self.sources:
            raise RoutineError("no other code")
        return self.sources.pop(0)


class House:
    """The routines of a house."""

    def __init__(self, hass: HomeAssistant, freezer: FrozenDateTimeFactory, path: Path) -> None:
        self.hass = hass
        self.freezer = freezer
        self.path = path
        self.answers = StateAnswers(hass)
        self.runner = RecordingRunner(hass)
        self.deliverer = RecordingDeliverer()
        self.repairer = ScriptedRepairer()
        self.events: list[RoutineEvent] = []
        self.store: RoutineRegistry
        self.checker: Checker
        self.routines: Routines

    async def async_boot(self) -> None:
        """Load what is stored; Home Assistant has not started."""
        self.store = RoutineRegistry(self.hass, self.path)
        queue = FiringQueue(
            self.store,
            run=self.runner.async_run,
            undo=self.runner.async_undo,
            deliver=self.deliverer.async_deliver,
            interrupted=self.deliverer.async_interrupted,
        )
        sandbox = Sandbox(self.hass, self.answers.functions)
        self.checker = Checker(
            self.hass,
            queue=queue,
            evaluator=Evaluator(sandbox, self.answers.async_answer),
            watch=self.answers.watch,
            rewrite=self.repairer.async_rewrite,
        )
        self.routines = Routines(self.checker)
        await self.routines.async_load()
        self.routines.listen(self.events.append)

    async def async_start(self) -> None:
        await self.async_boot()
        await self.routines.async_start()
        await self.async_settle()

    async def async_restart(self, down: timedelta = timedelta(0)) -> None:
        """Stop, be down for a while, start."""
        await self.routines.async_close()
        self.freezer.tick(down)
        await self.async_start()

    async def async_settle(self) -> None:
        """Wait until all that was begun is done, unless a gate of the test holds it up."""
        answers = all(gate.is_set() for gate in self.answers.slow.values())
        acts = self.runner.gate is None or self.runner.gate.is_set()
        repairs = self.repairer.gate is None or self.repairer.gate.is_set()
        for _ in range(3):
            await self.hass.async_block_till_done()
            if answers:
                await self.checker.async_checked()
            if acts and answers:
                await self.checker.queue.async_idle()
            if acts and answers and repairs:
                await self.checker.async_idle()
                await self.checker.queue.async_idle()

    async def async_pass(self, seconds: float = 0.0, **span: float) -> None:
        """Let time pass, second by second as far as timers are set."""
        self.freezer.tick(timedelta(seconds=seconds, **span))
        async_fire_time_changed(self.hass)
        await self.async_settle()

    async def async_until(self, is_so: Callable[[], bool]) -> None:
        """Let real time pass until `is_so()`: Freezegun replaces its own clock."""
        before = freezegun.real_monotonic()
        while not is_so():
            await asyncio.sleep(0)
            now = freezegun.real_monotonic()
            self.freezer.tick(now - before)
            before = now

    async def async_set(self, entity_id: str, state: str, context: Context | None = None) -> None:
        """Change a state, and let what follows of it happen."""
        self.hass.states.async_set(entity_id, state, context=context)
        await self.async_settle()
        await self.async_pass(0.2)

    async def async_create(self, trigger: Any = None, **fields: Any) -> Watched:
        asked_for = {"created_at": dt_util.utcnow()} | fields
        watched = await self.routines.async_create(routine(trigger, **asked_for))
        await self.async_pass(0.2)
        return watched

    @property
    def fired(self) -> list[str]:
        """Ids of the routines whose commands were carried out."""
        return [firing.routine_id for firing in self.runner.ran]

    def kinds(self, routine_id: str) -> list[RoutineEventKind]:
        return [event.kind for event in self.events if event.routine.id == routine_id]

    def now_of(self, routine_id: str) -> Watched:
        watched = self.routines.get(routine_id)
        assert watched is not None
        return watched


async def fails(house: House, checks: int) -> None:
    """Have the condition fail this number of times; each wait is longer."""
    house.hass.states.async_set(LIGHT, "off")
    for _ in range(checks):
        await house.async_pass(301)
