"""A home that watches routines, and acknowledges what it is asked for, until it is killed.

Before something is asked, a line on the pipe says what is begun; after it, another one that
it is done. The pipe, and the ledgers on the disk, hold what was written to them even if the
process is dead.
"""

import asyncio
import contextlib
import itertools
import json
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, override

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.sage.people.person import KnownBy
from custom_components.sage.routines import scheduler
from custom_components.sage.routines.checker import Checker
from custom_components.sage.routines.evaluation import Evaluator
from custom_components.sage.routines.firing_queue import FiringQueue
from custom_components.sage.routines.registry import RoutineEvent, RoutineRegistry
from custom_components.sage.routines.routine_types import (
    Commands,
    Condition,
    Firing,
    Memo,
    Moment,
    Repeat,
    Routine,
    RoutineError,
    Status,
    StoredCommand,
    Words,
)
from custom_components.sage.routines.routines import Routines
from custom_components.sage.routines.sandbox.contract import CheckError, CheckOutcome, FunctionCall
from custom_components.sage.routines.sandbox.sandbox import Ask, Sandbox
from tests.routines.state_answers import StateAnswers

from .points import Points
from .world import SENSORS, Row, value_of

LONGEST: Final = 30  # things that one process does; most die before
MOST: Final = 8  # routines at a time


class Ledger:
    """Lines that are on the disk when they are written."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_SYNC | os.O_WRONLY, 0o600)

    def write(self, **line: Any) -> None:
        os.write(self._file, json.dumps(line).encode() + b"\n")


class SensorSandbox(Sandbox):
    """Condition code is the id of a sensor here: whether it is on."""

    def __init__(self, hass: HomeAssistant, points: Points) -> None:
        super().__init__(hass, ())
        self._points = points

    async def async_ready(self, patience: float | None = None) -> None:
        pass

    async def async_validate(self, source: str, function: str) -> CheckError | None:
        return None

    @property
    def is_running(self) -> bool:
        return True

    async def async_run(self, source: str, function: str, *, ask: Ask, **_: object) -> CheckOutcome:
        self._points.passed("check: about to run")
        await asyncio.sleep(0)
        answer = await ask(FunctionCall("get_state", (source,)))
        self._points.passed("check: has run")
        if answer.is_unknown:
            return CheckOutcome(is_unknown=True)
        return CheckOutcome(value=answer.value == "on")


class DyingStore(RoutineRegistry):
    """The store, with a chance to die before and after each call."""

    def __init__(self, hass: HomeAssistant, path: Path, points: Points) -> None:
        super().__init__(hass, path)
        self._points = points

    @override
    async def async_add(self, routine: Routine, memo: Memo) -> Routine:
        self._points.passed("routine: about to be stored")
        stored = await super().async_add(routine, memo)
        self._points.passed("routine: stored")
        return stored

    @override
    async def async_remove(self, routine_id: str) -> None:
        self._points.passed("routine: about to be removed")
        await super().async_remove(routine_id)
        self._points.passed("routine: removed")

    @override
    async def async_commit(
        self,
        memos: Mapping[str, Memo],
        edges: Sequence[Firing] = (),
        replaced: Sequence[Routine] = (),
    ) -> tuple[Firing, ...]:
        before, after = "about to be stored", "stored"
        if edges:
            before, after = "about to be journaled", "journaled"
        what = "edge" if edges else "check"
        self._points.passed(f"{what}: {before}")
        firings = await super().async_commit(memos, edges, replaced)
        self._points.passed(f"{what}: {after}")
        return firings

    @override
    async def async_note(self, firing: Firing) -> bool:
        self._points.passed(f"{firing.step}: about to be noted")
        is_noted = await super().async_note(firing)
        self._points.passed(f"{firing.step}: noted")
        return is_noted


def commands_of(routine_id: str) -> Commands:
    """Return what is stored of a routine: two commands that no other one has."""
    return Commands(
        commands=tuple(
            StoredCommand(target=f"{routine_id}/{number}", name="Light", command="turn_on")
            for number in (1, 2)
        )
    )


class LedgerRunner:
    """Sends commands: lines of a ledger. Stored ones are sent as the disk has them."""

    def __init__(self, ledger: Ledger, points: Points, rng: random.Random) -> None:
        self._ledger = ledger
        self._points = points
        self._random = rng

    async def async_run(self, routine: Routine, firing: Firing) -> Firing:
        self._points.passed("run: begun")
        match routine.action:
            case Words(text=text):
                return replace(firing, answer=text)
            case Commands(commands=commands):
                first, second = (each.target for each in commands)
            case _:
                first = second = ""
        self._ledger.write(command=f"{firing.id}/1", routine=routine.id, id=firing.id, target=first)
        self._points.passed("run: first command sent")
        await asyncio.sleep(self._random.choice((0, 0.002, 0.01)))
        self._ledger.write(
            command=f"{firing.id}/2", routine=routine.id, id=firing.id, target=second
        )
        self._points.passed("run: second command sent")
        return replace(firing, answer="done", undo={"of": firing.id})

    async def async_undo(self, routine: Routine, fired: Firing) -> Firing:
        assert fired.undo == {"of": fired.id}
        self._points.passed("undo: begun")
        self._ledger.write(undo=fired.id, routine=routine.id)
        self._points.passed("undo: sent")
        return replace(fired, answer="undone", undo=None)


class LedgerDeliverer:
    """Messages to people: lines of a ledger."""

    def __init__(self, ledger: Ledger, points: Points, rng: random.Random) -> None:
        self._ledger = ledger
        self._points = points
        self._random = rng

    async def async_deliver(self, routine: Routine, firing: Firing) -> None:
        self._points.passed("delivery: begun")
        await asyncio.sleep(0)
        self._ledger.write(told=firing.answer, id=firing.id, edge=firing.edge, routine=routine.id)
        self._points.passed("delivery: made")

    async def async_interrupted(self, routine: Routine, firing: Firing) -> str:
        self._points.passed("interrupted: asked for a sentence")
        return "interrupted"


async def async_no_rewrite(routine: Routine, condition: Condition, error: CheckError) -> str:
    raise RoutineError("Nothing fails here.")


class Worker:
    """Lives in one process."""

    def __init__(
        self, folder: Path, pipe: int, *, name: str, seed: int, script: list[Row], points: Points
    ) -> None:
        self._folder = folder
        self._pipe = pipe
        self._name = name
        self._random = random.Random(seed)
        self._script = script
        self._points = points
        self._numbers = itertools.count()
        ledger = Ledger(folder.parent / "ledgers" / f"{name}.jsonl")
        self._runner = LedgerRunner(ledger, points, self._random)
        self._deliverer = LedgerDeliverer(ledger, points, self._random)
        self._step = 0
        self._checker: Checker
        self._routines: Routines
        self._hass: HomeAssistant

    async def async_live(self, step: int) -> None:
        await self._async_start(step)
        things = [self._async_next] * 6 + [self._async_create] * 2
        things += [self._async_delay, self._async_delete]
        for _ in range(LONGEST):
            await self._random.choice(things)()
        await self._async_settle()

    async def async_finish(self, step: int) -> None:
        """Only end the begun firings, and deliver open messages."""
        await self._async_start(step)
        while any(  # noqa: ASYNC110 - there is nothing to wait on
            isinstance(each.routine.trigger, Moment) for each in self._routines.list_all()
        ):
            await asyncio.sleep(0.01)
        await self._async_settle()

    async def _async_settle(self) -> None:
        await self._checker.async_idle()
        await self._checker.queue.async_idle()
        await self._routines.async_close()

    async def _async_start(self, step: int) -> None:
        # One step takes no tenth of a second here.
        vars(scheduler)["DEBOUNCE"] = 0.005
        self._hass = hass = HomeAssistant(str(self._folder))
        self._step = step
        self._tell(step=step)
        self._set()
        answers = StateAnswers(hass)
        queue = FiringQueue(
            DyingStore(hass, self._folder / "routines.db", self._points),
            run=self._runner.async_run,
            undo=self._runner.async_undo,
            deliver=self._deliverer.async_deliver,
            interrupted=self._deliverer.async_interrupted,
        )
        self._checker = Checker(
            hass,
            queue=queue,
            evaluator=Evaluator(SensorSandbox(hass, self._points), answers.async_answer),
            watch=answers.watch,
            rewrite=async_no_rewrite,
        )
        self._routines = Routines(self._checker)
        await self._routines.async_load()
        self._routines.listen(self._heard)
        await self._routines.async_start()
        await self._async_seen()
        self._tell(seen=step)

    def _heard(self, event: RoutineEvent) -> None:
        self._points.passed(f"{event.kind} told")

    def _set(self) -> None:
        for sensor, state in self._script[self._step].items():
            self._hass.states.async_set(sensor, state)

    async def _async_next(self) -> None:
        self._step += 1
        self._tell(step=self._step)
        self._set()
        await self._async_seen()
        self._tell(seen=self._step)

    async def _async_seen(self) -> None:
        """Wait until all conditions were checked with the states that there are."""
        async with asyncio.timeout(30):
            while not self._is_all_seen():  # noqa: ASYNC110 - there is nothing to wait on
                await asyncio.sleep(0.002)

    def _is_all_seen(self) -> bool:
        for each in self._routines.list_all():
            trigger = each.routine.trigger
            if each.routine.status is Status.ENDED or not isinstance(trigger, Condition):
                continue
            assert each.routine.status is Status.WATCHING
            value = value_of(self._script[self._step], trigger.source)
            if value is not None and each.memo.before != value:
                return False
        return True

    async def _async_create(self) -> None:
        sensor = self._random.choice(SENSORS)
        await self._async_add(
            self._routine(
                trigger=Condition(function="is_on", source=sensor, interval=3600),
                repeat=self._random.choice((Repeat.ONCE, Repeat.ALWAYS, Repeat.ALWAYS)),
                undo_after=self._random.random() < 0.4,
            )
        )

    async def _async_delay(self) -> None:
        delay = timedelta(seconds=self._random.choice((0.1, 0.3)))
        await self._async_add(
            self._routine(trigger=Moment(at=dt_util.utcnow() + delay), repeat=Repeat.ONCE)
        )

    async def _async_add(self, routine: Routine) -> None:
        if len(self._routines.list_all()) >= MOST:
            return await self._async_delete()
        trigger = routine.trigger
        self._tell(
            create=routine.id,
            sensor=trigger.source if isinstance(trigger, Condition) else None,
            once=routine.repeat is Repeat.ONCE,
            undo=routine.undo_after,
            action=type(routine.action).__name__,
        )
        try:
            await self._routines.async_create(routine)
        except RoutineError:
            # On a busy machine the time is past already.
            self._tell(refused=routine.id)
            return None
        self._points.passed("routine: confirmed")
        self._tell(created=routine.id)
        self._points.passed("routine: acknowledged")
        return None

    async def _async_delete(self) -> None:
        if found := self._routines.list_all():
            routine_id = self._random.choice(found).routine.id
            self._tell(delete=routine_id)
            # It may end, and be gone, while the deletion waits for its turn.
            with contextlib.suppress(RoutineError):
                await self._routines.async_delete(routine_id)
            assert self._routines.get(routine_id) is None
            self._tell(deleted=routine_id)

    def _routine(self, **fields: Any) -> Routine:
        routine_id = f"{self._name}-{next(self._numbers):03}"
        actions = (None, None, commands_of(routine_id), Words(text=f"words of {routine_id}"))
        return Routine(
            id=routine_id,
            action=self._random.choice(actions),
            owner=None,
            known_by=KnownBy.SIGN_IN,
            agent_id="agent",
            language="en",
            request="Tell me when it is on.",
            when="it is on",
            command="Tell me that it is on.",
            created_at=dt_util.utcnow(),
            **fields,
        )

    def _tell(self, **line: Any) -> None:
        os.write(self._pipe, json.dumps(line).encode() + b"\n")
