"""The routines of the large home, and what happens there by the script."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from homeassistant.core import HomeAssistant
from homeassistant.helpers.recorder import get_instance

from custom_components.sage.external import External
from custom_components.sage.home.home import Home
from custom_components.sage.routines.checker import Checker
from custom_components.sage.routines.conditions import ConditionFunctions
from custom_components.sage.routines.evaluation import Evaluator
from custom_components.sage.routines.firing_queue import FiringQueue
from custom_components.sage.routines.registry import RoutineRegistry
from custom_components.sage.routines.routine_types import (
    Condition,
    EdgeKind,
    Firing,
    Routine,
    RoutineError,
)
from custom_components.sage.routines.routines import Routines
from custom_components.sage.routines.sandbox.contract import CheckError
from custom_components.sage.routines.sandbox.sandbox import Sandbox

from .routine_script import Plan
from .simulated_time import SimulatedTime


@dataclass
class NotingRunner:
    """Notes what is to be carried out, and when it is."""

    ran: list[tuple[str, EdgeKind, float]] = field(default_factory=list)
    """Routine, edge, and simulated seconds since 1970."""

    waited_for: str = ""
    handed_over: asyncio.Future[float] | None = None

    async def async_run(self, routine: Routine, firing: Firing) -> Firing:
        if routine.id == self.waited_for and self.handed_over is not None:
            self.handed_over.set_result(time.perf_counter())
            self.waited_for = ""
        self.ran.append((routine.id, EdgeKind.ON, firing.at.timestamp()))
        return replace(firing, undo={"to": "before"} if routine.undo_after else None)

    async def async_undo(self, routine: Routine, fired: Firing) -> Firing:
        self.ran.append((routine.id, EdgeKind.OFF, time.time()))
        return replace(fired, undo=None)


class Nobody:
    """Nobody is notified, and no code is repaired."""

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        raise AssertionError("There is nothing to deliver.")

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        raise AssertionError("Nothing is interrupted.")

    async def async_rewrite(self, routine: Routine, condition: Condition, error: CheckError) -> str:
        raise RoutineError(str(error))


class Household:
    """The routines of the large home, and the changes of the script."""

    def __init__(self, hass: HomeAssistant, clock: SimulatedTime, folder: Path) -> None:
        self.hass = hass
        self.clock = clock
        self.runner = NotingRunner()
        self.home = Home(hass)
        self.functions = ConditionFunctions(hass, self.home, External())
        nobody = Nobody()
        queue = FiringQueue(
            RoutineRegistry(hass, folder / "routines.db"),
            run=self.runner.async_run,
            undo=self.runner.async_undo,
            deliver=nobody.async_deliver,
            interrupted=nobody.async_interrupted,
        )
        sandbox = Sandbox(hass, self.functions.functions)
        self.checker = Checker(
            hass,
            queue=queue,
            evaluator=Evaluator(sandbox, self.functions.async_answer),
            watch=self.functions.watch,
            rewrite=nobody.async_rewrite,
        )
        self.routines = Routines(self.checker)

    async def async_begin(self) -> None:
        await self.home.async_setup()
        await self.routines.async_load()
        await self.routines.async_start()

    async def async_end(self) -> None:
        await self.routines.async_close()
        self.home.close()

    async def async_settle(self) -> None:
        """Return when no check and no firing is under way, and the recorder is up to date."""
        recorder = get_instance(self.hass)
        while True:
            await asyncio.sleep(0.001 if recorder.backlog else 0)
            await self.checker.async_idle()
            await self.checker.queue.async_idle()
            if not recorder.backlog:
                return

    def set(self, entity_id: str, state: str) -> None:
        known = self.hass.states.get(entity_id)
        assert known is not None
        self.hass.states.async_set(entity_id, state, known.attributes)

    def reset(self, script: Sequence[Plan]) -> None:
        """Set everything to its state at the beginning of the hour."""
        for plan in script:
            for signal in plan.signals:
                self.set(signal.entity_id, signal.first)

    async def async_to_next_window(self) -> None:
        """Let the time pass until windows of the script begin, as at its start.

        What was before is out of sight of `get_history` then.
        """
        now = self.clock.time()
        await self.clock.async_run_until(now - now % 600 + 1200, self.async_settle)

    async def async_play(self, script: Sequence[Plan], begin: float, seconds: int) -> None:
        """Let the changes of the script happen from a time on (simulated seconds since 1970)."""
        changes = sorted(
            (when, signal.entity_id, state)
            for signal in {each for plan in script for each in plan.signals}
            for when, state in signal.changes
        )
        for when, entity_id, state in changes:
            await self.clock.async_run_until(begin + when, self.async_settle)
            self.set(entity_id, state)
        await self.clock.async_run_until(begin + seconds, self.async_settle)

    async def async_change_to_firing(self, script: Sequence[Plan], number: int) -> list[float]:
        """Return the seconds from changes to their firings, in real time."""
        found: list[float] = []
        loop = asyncio.get_running_loop()
        simple = [plan for plan in script if plan.kind == "state"]
        chance = random.Random(1)
        for plan in (*simple, *simple)[:number]:
            (signal,) = plan.signals
            self.set(signal.entity_id, "off")
            # Anywhere between two ticks.
            await asyncio.sleep(chance.uniform(0.3, 0.5))
            self.runner.handed_over = loop.create_future()
            self.runner.waited_for = plan.routine.id
            began = time.perf_counter()
            self.set(signal.entity_id, "on")
            async with asyncio.timeout(10):
                found.append(await self.runner.handed_over - began)
        return found
