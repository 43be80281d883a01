"""Executes the actions of routines, and delivers the answers.

- Each step (`FiringStep`) is stored before the next step begins.
- After a restart, an action that had begun is not repeated; the person gets a report.
- The actions of one routine run in order, one at a time.
"""

import asyncio
import contextlib
import contextvars
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any, Final

from homeassistant.util import dt as dt_util

from ..helpers import is_cancelled
from .registry import RoutineEventKind, RoutineRegistry
from .routine_types import (
    Daily,
    EdgeKind,
    Firing,
    FiringStep,
    Routine,
    RoutineStoreError,
    Status,
    StoreClosedError,
)

_LOGGER: Final = logging.getLogger(__name__)

# Blinds that should close at nine must not close at noon.
LATEST: Final = timedelta(hours=12)
LATEST_DAILY: Final = timedelta(hours=1)
"""An action that is overdue by more than this is not executed; the person is informed."""

STILL_MEANT: Final = frozenset({Status.WATCHING, Status.ENDED})
"""Statuses of a routine in which its waiting actions are still executed.

ENDED is one of them, because a routine ends when it fires for the last time.
"""

FIRST_PAUSE: Final = 30.0
LONGEST_PAUSE: Final = 3600.0
"""Longest pause in seconds before file access is retried; FIRST_PAUSE doubles up to it."""

CLOSE_SECONDS: Final = 10.0
"""Maximum seconds that `async_close` waits for cancelled actions and deliveries."""


type Run = Callable[[Routine, Firing], Awaitable[Firing]]
"""Executes the action of a routine, or undoes the changes of an earlier firing.

Returns the firing with the fields `answer`, `tainted`, `is_failure` and `undo` of the result, even
after errors.
"""

type Deliver = Callable[[Routine, Firing], Awaitable[None]]
"""Delivers `Firing.answer` to the owner; a repeated delivery replaces the earlier one."""

type Interrupted = Callable[[Routine, Firing], Awaitable[str]]
"""Returns the text that tells the person about a missed or interrupted action.

The action was missed if `Firing.step` is JOURNALED; otherwise, it was interrupted.
"""


@dataclass(slots=True)
class _Lane:
    """The executions of one routine's action that are not complete."""

    routine: Routine  # the latest known version of the routine
    running: asyncio.Lock = field(default_factory=asyncio.Lock)
    delivering: asyncio.Lock = field(default_factory=asyncio.Lock)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)
    """One task for each execution, or the task that deletes the routine."""


class FiringQueue:
    """Executes the actions of routines that fire, and delivers the answers to the people."""

    def __init__(
        self,
        registry: RoutineRegistry,
        *,
        run: Run,
        undo: Run,
        deliver: Deliver,
        interrupted: Interrupted,
    ) -> None:
        """Store the inputs; nothing runs yet.

        The listeners of the registry receive the event FIRED before an action runs, and DONE after
        its result is stored.
        """
        self.registry = registry
        self._run = run
        self._undo = undo
        self._deliver = deliver
        self._interrupted = interrupted
        self._lanes: dict[str, _Lane] = {}
        self._closed = False

    def add(self, firings: Sequence[Firing]) -> None:
        """Execute stored `firings` in the background; nothing after `async_close`."""
        for firing in firings:
            if (routine := self._routine_of(firing.routine_id)) is not None:
                self._begin(routine, partial(self._async_complete, firing))

    def _routine_of(self, routine_id: str) -> Routine | None:
        entry = self.registry.entries.get(routine_id)
        return None if entry is None else entry.routine

    def resume(self, firings: Sequence[Firing]) -> None:
        """Continue after a restart with the stored executions of actions.

        Call this before `add`.

        - An action that had not begun is executed.
        - An action that had begun is not repeated; the person gets a report.
        - An answer that was not delivered is delivered.
        """
        self.add(firings)
        for entry in tuple(self.registry.entries.values()):
            self.retire(entry.routine)

    def drop(self, routine_id: str) -> None:
        """Cancel the waiting and running actions of a routine, and its deliveries."""
        if (lane := self._lanes.pop(routine_id, None)) is not None:
            for task in lane.tasks:
                task.cancel()

    def retire(self, routine: Routine) -> None:
        """Delete a routine in the background if its status is ENDED.

        If an action of the routine is waiting or running, or an answer is not delivered yet, the
        routine is deleted later.
        """
        if routine.status is Status.ENDED and routine.id not in self._lanes:
            self._begin(routine, self._async_retire)

    @property
    def is_busy(self) -> bool:
        """Whether an action or a delivery is in progress."""
        return bool(self._lanes)

    async def async_idle(self) -> None:
        """Wait until all actions are executed and their answers delivered."""
        while self._lanes:
            await asyncio.wait(self._tasks())

    async def async_close(self) -> None:
        """Cancel all running actions and deliveries; `resume` continues at the next start."""
        self._closed = True
        if tasks := self._tasks():
            for task in tasks:
                task.cancel()
            _, left = await asyncio.wait(tasks, timeout=CLOSE_SECONDS)
            if left:
                _LOGGER.warning("%s runs of routines did not end", len(left))

    def _begin(self, routine: Routine, work: Callable[[_Lane], Coroutine[Any, Any, None]]) -> None:
        if self._closed:
            return
        lane = self._lanes.setdefault(routine.id, _Lane(routine))
        loop = asyncio.get_running_loop()
        task = loop.create_task(work(lane), name="SAGE routine", context=contextvars.Context())
        lane.tasks.add(task)
        task.add_done_callback(partial(self._leave, lane))

    def _leave(self, lane: _Lane, task: asyncio.Task[None]) -> None:
        """Forget the queue of a routine if it is empty, and remove the routine if it has ended."""
        lane.tasks.discard(task)
        if lane.tasks or self._lanes.get(lane.routine.id) is not lane:
            return
        del self._lanes[lane.routine.id]
        if (routine := self._routine_of(lane.routine.id)) is not None:
            self.retire(routine)

    async def _async_complete(self, firing: Firing, lane: _Lane) -> None:
        """Execute the action of `firing`, then deliver the answer; actions wait for no delivery."""
        done: Firing | None = firing
        try:
            if firing.step is not FiringStep.DONE:
                async with lane.running:
                    done = await self._async_finish(lane, firing)
            if done is not None:
                async with lane.delivering:
                    await self._async_deliver(lane, done)
        except StoreClosedError:
            _LOGGER.debug("A firing of a routine is left to the next start")
        except Exception:
            _LOGGER.exception("A firing of a routine is left to the next start")

    async def _async_finish(self, lane: _Lane, firing: Firing) -> Firing | None:
        """Execute the action; return the firing at step DONE, or None without an answer."""
        if firing.step is FiringStep.STARTED:
            result = await self._async_not_done(lane.routine, firing)
            return await self._async_done(lane.routine, firing, result)
        routine = self._routine_of(firing.routine_id)
        if routine is None:
            return None  # The routine was removed, with its firings that had not begun.
        lane.routine = routine
        fired = None
        if firing.edge is EdgeKind.OFF:
            fired = await self._async_persist(
                self.registry.async_last_fired, firing.routine_id, firing.id
            )
            if fired is None:
                await self._async_note(replace(firing, step=FiringStep.DELIVERED))
                return None
        started = replace(firing, step=FiringStep.STARTED)
        if not await self._async_note(started):
            return None
        self.registry.tell(RoutineEventKind.FIRED, routine, started)
        result = await self._async_result(routine, started, fired)
        return await self._async_done(routine, started, result)

    async def _async_done(self, routine: Routine, firing: Firing, result: Firing) -> Firing:
        done = replace(
            firing,
            step=FiringStep.DONE,
            answer=result.answer,
            tainted=result.tainted,
            is_failure=result.is_failure,
            undo=result.undo,
        )
        await self._async_note(done)
        self.registry.tell(RoutineEventKind.DONE, routine, done)
        return done

    async def _async_result(self, routine: Routine, firing: Firing, fired: Firing | None) -> Firing:
        # Such an action was due long ago, or its routine was paused or stopped meanwhile.
        is_meant = routine.status in STILL_MEANT
        latest = LATEST_DAILY if isinstance(routine.trigger, Daily) else LATEST
        is_late = dt_util.utcnow() - firing.at > latest
        try:
            if fired is not None:
                return await self._undo(routine, fired)
            if is_meant and not is_late:
                return await self._run(routine, firing)
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            _LOGGER.debug("The run of a routine was cancelled")
        except Exception:
            _LOGGER.exception("The run of a routine failed")
        else:
            if not is_meant:
                # Somebody paused the routine, or an issue says why SAGE stopped it.
                return replace(firing, is_failure=True)
            # The step JOURNALED means that the action has not begun.
            firing = replace(firing, step=FiringStep.JOURNALED)
        return await self._async_not_done(routine, firing)

    async def _async_not_done(self, routine: Routine, firing: Firing) -> Firing:
        answer = await self._interrupted(routine, firing)
        return replace(firing, answer=answer, is_failure=True)

    async def _async_deliver(self, lane: _Lane, firing: Firing) -> None:
        routine = self._routine_of(firing.routine_id) or lane.routine
        try:
            if firing.answer:
                await self._deliver(routine, firing)
        except asyncio.CancelledError:
            if is_cancelled():
                raise
        except Exception:
            _LOGGER.exception("An answer of a routine could not be delivered")
        await self._async_note(replace(firing, step=FiringStep.DELIVERED))

    async def _async_retire(self, lane: _Lane) -> None:
        with contextlib.suppress(StoreClosedError):
            await self._async_persist(self.registry.async_remove, lane.routine.id)

    async def _async_note(self, firing: Firing) -> bool:
        return await self._async_persist(self.registry.async_note, firing)

    async def _async_persist[**P, T](
        self, call: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Call a function that writes to the store; repeat it after errors. Return its result."""
        pause = FIRST_PAUSE
        while True:
            try:
                return await call(*args, **kwargs)
            except StoreClosedError:
                raise
            except RoutineStoreError as error:
                _LOGGER.warning("A routine waits until it can be written. %s", error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [task for lane in self._lanes.values() for task in lane.tasks]
