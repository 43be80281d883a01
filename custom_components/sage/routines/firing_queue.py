"""Executes the actions of routines, and delivers the answers.

- Each step (`FiringStep`) is stored before the next step begins.
- After a restart, an action that had begun is not repeated; the person gets a report.
- The actions of one routine run in order, one at a time.
"""

import asyncio
import contextlib
import contextvars
import dataclasses
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from .firing_limits import STILL_MEANT, LoopGuard, is_missed
from .interfaces import Deliverer, DeliveryError, Runner, RunReport, Waits
from .registry import RoutineEventKind, RoutineRegistry
from .routine_types import (
    EdgeKind,
    Firing,
    FiringStep,
    Routine,
    RoutineStoreError,
    Status,
    StoreClosedError,
)
from .store import Stored

_LOGGER: Final = logging.getLogger(__name__)

CONCURRENCY: Final = 2
"""Maximum number of actions with a model that run at the same time."""

# These actions are short, so they need not wait for actions with a model.
WITHOUT_MODEL: Final = 16
"""Maximum number of actions without a model that run at the same time."""

LONG_RUN: Final = 120.0
"""Seconds after which a running action no longer delays actions of other routines."""

FIRST_PAUSE: Final = 30.0
LONGEST_PAUSE: Final = 3600.0
"""Longest pause in seconds before a failed delivery or file access is retried.

The pause starts at FIRST_PAUSE and doubles with each attempt.
"""

CLOSE_SECONDS: Final = 10.0
"""Maximum seconds that `async_close` waits for cancelled actions and deliveries."""


@dataclass(slots=True)
class _Lane:
    """The executions of one routine's action (firings) that are not complete.

    They are waiting or running, or their answers are not delivered yet.
    """

    routine: Routine
    """The latest known version of the routine."""

    to_run: deque[Firing] = field(default_factory=deque)
    running: asyncio.Task[None] | None = None
    to_deliver: deque[Firing] = field(default_factory=deque)
    delivering: asyncio.Task[None] | None = None
    retry: asyncio.TimerHandle | None = None
    failures: int = 0
    """Number of failed delivery attempts in a row."""

    @property
    def is_empty(self) -> bool:
        """Whether no action waits to run, and no answer waits for delivery."""
        return not self.to_run and not self.to_deliver


class FiringQueue:
    """Executes the actions of routines that fire, and delivers the answers to the people."""

    def __init__(
        self,
        registry: RoutineRegistry,
        runner: Runner,
        deliverer: Deliverer,
        *,
        loops: LoopGuard,
        now: Callable[[], datetime],
    ) -> None:
        """Store the inputs; nothing runs yet.

        `loops` detects routines that trigger themselves; after each action, it gets the changed
        values. `now` returns the time (UTC). The listeners of the registry receive the event FIRED
        before an action runs, and DONE or INTERRUPTED after its result is stored.
        """
        self._registry = registry
        self._runner = runner
        self._deliverer = deliverer
        self._loops = loops
        self._now = now
        self._slots = asyncio.Semaphore(CONCURRENCY)
        self._slots_without_model = asyncio.Semaphore(WITHOUT_MODEL)
        self._lanes: dict[str, _Lane] = {}
        self._retiring: dict[str, asyncio.Task[None]] = {}
        self._closed = False

    def add(self, firings: Sequence[Firing]) -> None:
        """Execute actions of routines in the background.

        `firings`: the planned executions, already stored on disk. Does nothing after `async_close`.
        """
        for firing in firings:
            if (routine := self._routine_of(firing.routine_id)) is not None:
                self._add(routine, firing)

    def _routine_of(self, routine_id: str) -> Routine | None:
        """Return the current version of a routine by its id; None if it was removed."""
        entry = self._registry.get(routine_id)
        return None if entry is None else entry.routine

    def resume(self, stored: Stored) -> None:
        """Continue after a restart with the stored executions of actions.

        Call this before `add`.

        - An action that had not begun is executed.
        - An action that had begun is not repeated; the person gets a report.
        - An answer that was not delivered is delivered.
        """
        there = [self._routine_of(each.id) or each for each in stored.routines]
        routines = {each.id: each for each in (*there, *stored.removed)}
        for firing in stored.firings:
            self._add(routines[firing.routine_id], firing)
        for routine in there:
            self.retire(routine)

    def drop(self, routine_id: str) -> None:
        """Cancel the waiting and running actions of a routine, and its deliveries."""
        lane = self._lanes.pop(routine_id, None)
        if lane is None:
            return
        lane.to_run.clear()
        lane.to_deliver.clear()
        if lane.retry is not None:
            lane.retry.cancel()
        for task in (lane.running, lane.delivering):
            if task is not None:
                task.cancel()

    def retire(self, routine: Routine) -> None:
        """Delete a routine in the background if its status is ENDED.

        If an action of the routine is waiting or running, or an answer is not delivered yet, the
        routine is deleted later.
        """
        if routine.status is not Status.ENDED or self._closed:
            return
        if routine.id in self._lanes or routine.id in self._retiring:
            return
        task = _create_task(self._async_retire(routine), "SAGE routine ends")
        self._retiring[routine.id] = task
        task.add_done_callback(lambda _: self._retiring.pop(routine.id))

    @property
    def is_busy(self) -> bool:
        """Whether an action or a delivery is in progress; planned retries do not count."""
        return bool(self._tasks())

    async def async_idle(self) -> None:
        """Wait until all actions are executed and their answers delivered.

        Does not wait for deliveries that are retried later.
        """
        while tasks := self._tasks():
            await asyncio.wait(tasks)

    async def async_close(self) -> None:
        """Cancel all running actions and deliveries; `resume` continues at the next start."""
        self._closed = True
        for lane in self._lanes.values():
            if lane.retry is not None:
                lane.retry.cancel()
        if tasks := self._tasks():
            for task in tasks:
                task.cancel()
            _, left = await asyncio.wait(tasks, timeout=CLOSE_SECONDS)
            if left:
                _LOGGER.warning("%s runs of routines did not end", len(left))

    def _add(self, routine: Routine, firing: Firing) -> None:
        if self._closed:
            return
        lane = self._lanes.setdefault(routine.id, _Lane(routine))
        if firing.step is FiringStep.DONE:
            lane.to_deliver.append(firing)
            self._deliver(lane)
            return
        lane.to_run.append(firing)
        if lane.running is None or lane.running.done():
            lane.running = _create_task(self._async_run_all(lane), "SAGE routine runs")

    def _deliver(self, lane: _Lane) -> None:
        if lane.retry is None and (lane.delivering is None or lane.delivering.done()):
            lane.delivering = _create_task(self._async_deliver_all(lane), "SAGE routine delivers")

    async def _async_run_all(self, lane: _Lane) -> None:
        with contextlib.suppress(StoreClosedError):
            while lane.to_run and not self._closed:
                done = await self._async_finished(lane, lane.to_run[0])
                lane.to_run.popleft()
                if done is not None:
                    lane.to_deliver.append(done)
                    self._deliver(lane)
        self._leave(lane)

    async def _async_finished(self, lane: _Lane, firing: Firing) -> Firing | None:
        try:
            return await self._async_finish(lane, firing)
        except StoreClosedError:
            raise
        except Exception:
            _LOGGER.exception("A firing of a routine is left to the next start")
            return None

    async def _async_finish(self, lane: _Lane, firing: Firing) -> Firing | None:
        """Execute the action of `firing`; return the stored firing with the answer, at step DONE.

        None if there is no answer to deliver.
        """
        if firing.step is FiringStep.STARTED:
            return await self._async_interrupted(lane.routine, firing)
        routine = self._routine_of(firing.routine_id)
        if routine is None:
            return None  # The routine was removed, with its firings that had not begun.
        lane.routine = routine
        fired = None
        if firing.edge is EdgeKind.OFF:
            fired = await self._async_persist(
                lambda: self._registry.async_last_fired(firing.routine_id, firing.id)
            )
        if firing.edge is EdgeKind.OFF and not fired:
            await self._async_note(dataclasses.replace(firing, step=FiringStep.DELIVERED))
            return None
        needs_model = fired is None and routine.needs_model
        async with self._slot(self._slots if needs_model else self._slots_without_model) as waits:
            # The routine may have been paused meanwhile.
            routine = self._routine_of(firing.routine_id) or routine
            started = dataclasses.replace(firing, step=FiringStep.STARTED)
            if not await self._async_note(started):
                return None
            self._registry.tell(RoutineEventKind.FIRED, routine, started)
            began = self._now()
            report = await self._async_report(routine, started, fired, waits)
        done = await self._async_ended(started, report)
        self._loops.note_run(done, report.changed, began=began, ended=self._now())
        self._registry.tell(RoutineEventKind.DONE, routine, done)
        return done

    async def _async_ended(self, firing: Firing, report: RunReport) -> Firing:
        """Store the result of a finished action; return `firing` with this result."""
        done = dataclasses.replace(
            firing,
            step=FiringStep.DONE,
            answer=report.answer,
            tainted=report.tainted,
            is_failure=report.is_failure,
            undo=report.undo,
        )
        try:
            await self._async_note(done)
        except ValueError:
            _LOGGER.exception("The changes of a routine cannot be stored, or put back later")
            done = dataclasses.replace(done, undo=None)
            await self._async_note(done)
        return done

    async def _async_report(
        self, routine: Routine, firing: Firing, fired: Firing | None, waits: Waits
    ) -> RunReport:
        try:
            if fired is not None:
                return await self._runner.async_undo(routine, fired, waits)
            if is_missed(routine, firing, self._now()):
                return await self._async_missed(routine, firing)
            return await self._runner.async_run(routine, firing, waits)
        except asyncio.CancelledError:
            if _is_cancelled():
                raise
            _LOGGER.debug("The run of a routine was cancelled")
        except Exception:
            _LOGGER.exception("The run of a routine failed")
        return RunReport(answer=await self._async_broken_off(routine, firing), is_failure=True)

    async def _async_missed(self, routine: Routine, firing: Firing) -> RunReport:
        if routine.status not in STILL_MEANT:
            # Somebody paused the routine, or an issue says why SAGE stopped it.
            return RunReport(answer="", is_failure=True)
        self._registry.tell(RoutineEventKind.MISSED, routine, at=firing.at)
        # The step JOURNALED means that the action has not begun.
        missed = dataclasses.replace(firing, step=FiringStep.JOURNALED)
        answer = await self._deliverer.async_interrupted(routine, missed)
        return RunReport(answer=answer, is_failure=True)

    async def _async_interrupted(self, routine: Routine, firing: Firing) -> Firing:
        done = dataclasses.replace(
            firing,
            step=FiringStep.DONE,
            answer=await self._async_broken_off(routine, firing),
            is_failure=True,
        )
        await self._async_note(done)
        self._registry.tell(RoutineEventKind.INTERRUPTED, routine, done, at=done.at)
        return done

    async def _async_broken_off(self, routine: Routine, firing: Firing) -> str:
        try:
            return await self._deliverer.async_interrupted(routine, firing)
        except Exception:
            _LOGGER.exception("There is no sentence for an interrupted routine")
            return f"Interrupted: {routine.command}. Please check how much of it was done."

    async def _async_deliver_all(self, lane: _Lane) -> None:
        with contextlib.suppress(StoreClosedError):
            while lane.to_deliver and not self._closed:
                firing = lane.to_deliver[0]
                if not await self._async_brought(lane, firing):
                    self._retry_later(lane)
                    return
                lane.failures = 0
                await self._async_note(dataclasses.replace(firing, step=FiringStep.DELIVERED))
                lane.to_deliver.popleft()
        self._leave(lane)

    async def _async_brought(self, lane: _Lane, firing: Firing) -> bool:
        """Deliver the answer of an action; return False if the delivery has to be retried."""
        lane.routine = self._routine_of(firing.routine_id) or lane.routine
        if not firing.answer:
            return True
        try:
            await self._deliverer.async_deliver(lane.routine, firing)
        except asyncio.CancelledError:
            if _is_cancelled():
                raise
            return False
        except DeliveryError as error:
            _LOGGER.debug("An answer of a routine is delivered later: %s", error)
            return False
        except Exception:
            _LOGGER.exception("An answer of a routine could not be delivered")
            return False
        return True

    def _retry_later(self, lane: _Lane) -> None:
        def again() -> None:
            lane.retry = None
            self._deliver(lane)

        pause = min(FIRST_PAUSE * 2**lane.failures, LONGEST_PAUSE)
        lane.failures = min(lane.failures + 1, 16)
        lane.retry = asyncio.get_running_loop().call_later(pause, again)

    def _leave(self, lane: _Lane) -> None:
        """Forget the queue of a routine if it is empty, and remove the routine if it has ended."""
        if not lane.is_empty or lane.routine.id not in self._lanes:
            return
        del self._lanes[lane.routine.id]
        if (routine := self._routine_of(lane.routine.id)) is not None:
            self.retire(routine)

    async def _async_retire(self, routine: Routine) -> None:
        with contextlib.suppress(StoreClosedError):
            await self._async_persist(lambda: self._registry.async_remove(routine.id))

    async def _async_note(self, firing: Firing) -> bool:
        return await self._async_persist(lambda: self._registry.async_note(firing))

    async def _async_persist[T](self, call: Callable[[], Awaitable[T]]) -> T:
        """Call a function that writes to the store; repeat it after errors. Return its result."""
        pause = FIRST_PAUSE
        while True:
            try:
                return await call()
            except StoreClosedError:
                raise
            except RoutineStoreError as error:
                _LOGGER.warning("A routine waits until it can be written. %s", error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    @contextlib.asynccontextmanager
    async def _slot(self, slots: asyncio.Semaphore) -> AsyncIterator[Waits]:
        """Wait for one of the `slots` for running actions; yield a function that frees it early.

        A run calls this function when it waits for a person. After LONG_RUN, the slot is freed
        automatically.
        """
        await slots.acquire()
        with contextlib.ExitStack() as place:
            place.callback(slots.release)
            timer = asyncio.get_running_loop().call_later(LONG_RUN, place.close)
            try:
                yield place.close
            finally:
                timer.cancel()

    def _tasks(self) -> list[asyncio.Task[None]]:
        """Return all tasks that are not finished."""
        tasks = [task for lane in self._lanes.values() for task in (lane.running, lane.delivering)]
        every = (*tasks, *self._retiring.values())
        return [task for task in every if task is not None and not task.done()]


def _is_cancelled() -> bool:
    """Return whether the current task itself was cancelled, not only the task that it awaits."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _create_task(work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
    loop = asyncio.get_running_loop()
    return loop.create_task(work, name=name, context=contextvars.Context())
