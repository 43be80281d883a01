"""All watched routines, with their last checks, timers and listeners."""

import builtins
import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from weakref import proxy

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..helpers.weakly import weakly
from ..people.person import Person
from .async_store import AsyncRoutineStore
from .checking import Checking
from .clock_times import next_due
from .condition_interface import FunctionProvider
from .evaluation import Evaluator
from .firing_limits import LoopGuard, RateLimits
from .firing_queue import FiringQueue
from .judging import Change
from .mending import Mending
from .ports import Deliverer, Repairer, Runner
from .punctual_runner import PunctualRunner
from .result_collection import ResultCollector, WatchedResults
from .routine_types import (
    Condition,
    Daily,
    Firing,
    Memo,
    Routine,
    RoutineError,
    RoutineEvent,
    RoutineEventKind,
    RunReport,
    Status,
)
from .sandbox.sandbox import Sandbox
from .scheduler import Scheduler
from .watched_routine import Watching

_LOGGER = logging.getLogger(__name__)


class Watchlist:
    """Has due routines checked, and processes the results."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        store: AsyncRoutineStore,
        answers: FunctionProvider,
        sandbox: Sandbox,
        runner: Runner,
        deliverer: Deliverer,
        repairer: Repairer,
        now: Callable[[], datetime],
    ) -> None:
        """Start without routines; `now` returns the time (UTC)."""
        self._store = store
        self._now = now
        self.asking = ResultCollector(hass, answers, weakly(self._late))
        self.evaluator = Evaluator(sandbox, self.asking)
        self.mending = Mending(
            hass,
            repairer=repairer,
            sandbox=sandbox,
            evaluator=self.evaluator,
            done=weakly(self._async_mended),
        )
        self._rates = RateLimits()
        self._loops = LoopGuard(runner.chain_of)
        self.checking = Checking(
            journal=store,
            answers=answers,
            evaluator=self.evaluator,
            rates=self._rates,
            loops=self._loops,
            listener=proxy(self),
            now=now,
        )
        self.scheduler = Scheduler(hass, weakly(self._async_batch), now)
        self.queue = FiringQueue(
            store,
            PunctualRunner(runner, deliverer, now),
            deliverer,
            routine_of=weakly(self._routine_of),
            listener=weakly(self._heard),
        )
        self._watching: dict[str, Watching] = {}
        self._listeners: builtins.list[Callable[[RoutineEvent], None]] = []
        self._began: dict[int, datetime] = {}

    def __iter__(self) -> Iterator[Watching]:
        """Yield all in the order of their creation."""
        return iter(tuple(self._watching.values()))

    def get(self, routine_id: str) -> Watching | None:
        """Return one."""
        return self._watching.get(routine_id)

    def add(self, watching: Watching) -> None:
        """Add a stored routine."""
        self._watching[watching.routine.id] = watching

    def listen(self, listener: Callable[[RoutineEvent], None]) -> Callable[[], None]:
        """Call the listener at each event; returns the unsubscribe function."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(
        self, kind: RoutineEventKind, watching: Watching, firing: Firing | None = None
    ) -> None:
        """Tell all listeners what happened."""
        event = RoutineEvent(kind=kind, routine=watching.routine, memo=watching.memo, firing=firing)
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception:
                _LOGGER.exception("What happened to a routine could not be shown")

    async def async_replace(self, watching: Watching, routine: Routine) -> None:
        """Store a changed routine and tell the listeners. Raises RoutineError."""
        await self._store.async_replace(routine, watching.memo)
        watching.is_unsaved = False
        self._take(watching, routine)

    def _take(self, watching: Watching, routine: Routine) -> None:
        watching.routine = routine
        if routine.status is not Status.WATCHING:
            watching.stop_watching()
        self.checked(watching)
        self.changed(watching)

    def begin_anew(self, watching: Watching, since: datetime | None = None) -> bool:
        """Reset a routine; return whether it can still be due.

        Skips due times before `since` (UTC), by default those that are overdue now.
        """
        watching.begin_anew()
        self._rates.forget(watching.routine.id)
        self._loops.forget(watching.routine.id)
        trigger = watching.routine.trigger
        if isinstance(trigger, Condition):
            return True
        after = self._now() if since is None else since - timedelta.resolution
        due = next_due(trigger, after, dt_util.get_default_time_zone())
        watching.memo = replace(watching.memo, next_due=due)
        return due is not None

    def remove(self, watching: Watching) -> None:
        """Remove a routine that was deleted from the store."""
        watching.stop_watching()
        self._watching.pop(watching.routine.id, None)
        self.scheduler.drop(watching.routine.id)
        self.tell(RoutineEventKind.REMOVED, watching)

    async def async_set_aside(self, watching: Watching) -> None:
        """Stop watching for a person who is currently not a user."""
        routine = watching.routine
        if routine.status is not Status.OWNER_GONE:
            aside = replace(routine, status=Status.OWNER_GONE, set_aside=routine.status)
            await self._async_change(watching, aside)

    async def async_bring_back(self, watching: Watching) -> None:
        """Restore a routine that was set aside, as after a restart."""
        routine = watching.routine
        if routine.status is Status.OWNER_GONE:
            await self._async_change(watching, _as_before(routine))

    async def async_hand_over(self, watching: Watching, person: Person) -> None:
        """Give a routine to another person and reset it. Raises RoutineError."""
        is_due = self.begin_anew(watching)
        routine = _as_before(watching.routine)
        routine = replace(routine, owner=person.user_id, known_by=person.known_by)
        if not is_due:
            routine = replace(routine, status=Status.ENDED)
        await self.async_replace(watching, routine)

    def purge(self, watching: Watching) -> None:
        """Release a routine that was deleted from the store; cancel its firings."""
        self.queue.drop(watching.routine.id)
        self.remove(watching)

    async def _async_change(self, watching: Watching, routine: Routine) -> None:
        """Change a routine even if the change cannot be stored now."""
        try:
            await self.async_replace(watching, routine)
        except RoutineError as err:
            _LOGGER.warning("The new status of a routine could not be stored: %s", err)
            self._take(watching, routine)

    def set_clocks(self) -> None:
        """Compute due times again, for example for a new time zone; skip overdue ones."""
        now, zone = self._now(), dt_util.get_default_time_zone()
        for watching in self:
            due = watching.memo.next_due
            if isinstance(watching.routine.trigger, Daily) and due is not None and due > now:
                due = next_due(watching.routine.trigger, now, zone)
                watching.memo = replace(watching.memo, next_due=due)
            self.checked(watching)

    def checked(self, watching: Watching) -> None:
        """Set the timers of a routine for its next check."""
        condition = watching.condition
        is_on = watching.routine.status is Status.WATCHING
        self.scheduler.set(
            watching.routine.id,
            interval=condition.interval if condition is not None and is_on else None,
            wake_at=watching.wake_at(self._now()),
        )

    def changed(self, watching: Watching) -> None:
        """Tell the listeners of a changed routine; release it if it has ended."""
        self.tell(RoutineEventKind.CHANGED, watching)
        self.queue.retire(watching.routine)

    def journaled(self, firings: Collection[Firing]) -> None:
        """Execute journaled firings."""
        self.queue.add(tuple(firings))

    def something_changed(self, watching: Watching) -> None:
        """Check a routine soon."""
        self.scheduler.look_soon(watching.routine.id)

    def failed(self, change: Change) -> None:
        """Start the repair of failing code."""
        watching = change.watching
        condition = watching.condition
        if change.failure is None or condition is None:
            return
        if watching.can_be_repaired(self._now()):
            watching.is_being_repaired = True
            self.mending.begin(watching.routine, condition, change.failure)

    def _late(self, routine_id: str, answers: WatchedResults) -> None:
        """Check a routine with answers that a batch did not wait for."""
        watching = self._watching.get(routine_id)
        if watching is not None:
            watching.take_late(answers)
            self.scheduler.look_soon(routine_id)

    def _heard(
        self,
        kind: RoutineEventKind,
        routine: Routine,
        firing: Firing | None,
        report: RunReport | None,
    ) -> None:
        """Tell the listeners about a firing, and record what its run changed."""
        known = self._watching.get(routine.id)
        if kind is RoutineEventKind.REMOVED:
            if known is not None:
                self.remove(known)
            return
        watching = known or Watching(routine=routine, memo=Memo())
        if firing is not None and kind is RoutineEventKind.FIRED:
            self._began[firing.id] = self._now()
        elif firing is not None:
            now = self._now()
            began = self._began.pop(firing.id, now)
            if report is not None:
                self._loops.note_run(firing, report.changed, began=began, ended=now)
        self.tell(kind, watching, firing)

    async def _async_batch(self, ids: Collection[str]) -> None:
        watched = [self._watching[each] for each in ids if each in self._watching]
        for watching in watched:
            until = watching.routine.paused_until
            if watching.routine.status is Status.PAUSED and until and until <= self._now():
                await self._async_end_pause(watching)
        await self.checking.async_check(watched)

    async def _async_end_pause(self, watching: Watching) -> None:
        is_on = self.begin_anew(watching, watching.routine.paused_until)
        routine = resumed(watching.routine)
        try:
            await self.async_replace(
                watching, routine if is_on else replace(routine, status=Status.ENDED)
            )
        except RoutineError as err:
            # It is retried soon.
            _LOGGER.warning("A routine cannot go on at the moment: %s", err)

    async def _async_mended(self, failed: Routine, result: Routine | str | None) -> None:
        """Store repaired code, or the failure of the repair."""
        async with self.scheduler.turn:
            watching = self._watching.get(failed.id)
            if watching is None:
                return
            watching.is_being_repaired = False
            if result is None:
                watching.put_off_repair(self._now())
                return
            if watching.routine != failed:
                # The routine was paused or changed meanwhile.
                return
            if isinstance(result, str):
                stopped = replace(failed, status=Status.FAILING, trouble=result)
                await self.async_replace(watching, stopped)
                return
            watching.renew()
            await self.async_replace(watching, result)
            self.tell(RoutineEventKind.REPAIRED, watching)
            self.scheduler.look_soon(failed.id)

    def _routine_of(self, routine_id: str) -> Routine | None:
        watching = self._watching.get(routine_id)
        return None if watching is None else watching.routine


def _as_before(routine: Routine) -> Routine:
    """Return a routine with its status from before it was set aside; WATCHING if unknown."""
    if routine.status is not Status.OWNER_GONE:
        return routine
    return replace(routine, status=routine.set_aside or Status.WATCHING, set_aside=None)


def resumed(routine: Routine) -> Routine:
    """Return a routine that is watched again."""
    return replace(routine, status=Status.WATCHING, paused_until=None, trouble="")
