"""Evaluates the routines that are due, and decides which ones execute their action.

The `Scheduler` starts batches. `Checker.async_check` does the following for a batch:

- evaluate the conditions of the due routines in the sandbox;
- decide which routines fire (`edge.py`);
- store the results on disk;
- pass the actions to the `FiringQueue`.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.util import dt as dt_util

from ..helpers import weakly
from .edge import CheckVerdict, judge_outcome, judge_time, restarted
from .evaluation import Evaluator, Report, Rewrite
from .firing_queue import FiringQueue
from .registry import RoutineEvent, RoutineEventKind
from .routine_types import (
    CHECKED,
    Condition,
    EdgeKind,
    Firing,
    Routine,
    RoutineEntry,
    RoutineError,
    Status,
    Watched,
)
from .sandbox.contract import CheckError, SandboxError
from .scheduler import CheckState, Scheduler

_LOGGER = logging.getLogger(__name__)

type Watch = Callable[[Collection[str], Callable[[Report], None]], Callable[[], None]]
"""Calls a listener at each report of these `FunctionResult.keys`; returns its unsubscriber."""

PATIENCE: Final = 0.3
"""Maximum seconds that a batch waits for evaluations; slower ones belong to a later batch."""


class Checker:
    """Evaluates the conditions and due times of all routines, and starts their actions."""

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        queue: FiringQueue,
        evaluator: Evaluator,
        watch: Watch,
        rewrite: Rewrite,
    ) -> None:
        """Store the inputs; no condition is evaluated yet.

        - `watch` reports changes of the values that conditions read.
        - `rewrite` lets the model repair condition code.
        """
        self._hass = hass
        self.queue = queue
        self.evaluator = evaluator  # evaluates conditions, also once as a test
        self._registry = queue.registry
        self._watch_keys = watch
        self._sandbox = evaluator.sandbox
        self._rewrite = rewrite
        self.scheduler = Scheduler(hass, weakly(self.async_check))
        self._states: dict[str, CheckState] = {}
        self._repairs: set[asyncio.Task[None]] = set()
        self._trouble = ""
        self._sandbox.listen(weakly(self._sandbox_changed))
        self._registry.listen(weakly(self._routine_changed))

    def start(self) -> None:
        """Evaluate all routines soon, and from then on whenever they are due."""
        for entry in tuple(self._registry.entries.values()):
            self.scheduler.look_soon(entry.id)
        self.scheduler.start()

    def watched(self, entry: RoutineEntry) -> Watched:
        """Return a routine with its next evaluation, or with what prevents the evaluation."""
        is_on = entry.routine.status is Status.WATCHING
        error = self._sandbox.error if is_on and entry.condition is not None else None
        next_check = self._state(entry.id).next_check(entry, dt_util.utcnow())
        return Watched(
            routine=entry.routine,
            memo=entry.memo,
            next_check=next_check if error is None else None,
            uncheckable=error,
        )

    def begin(self, entry: RoutineEntry, keys: frozenset[str]) -> None:
        """Start to watch a new routine; a test run of its condition read the values `keys`."""
        # A value may have changed since the check; from here on, changes are reported.
        self._watch(entry.id, keys)
        self.scheduler.look_soon(entry.id)
        self._set_timers(entry)

    def restart(self, entry: RoutineEntry, since: datetime | None = None) -> RoutineEntry:
        """Return a routine to wait anew, without due times before `since` (UTC, default now)."""
        self._forget_check(entry.id)
        self._state(entry.id).fired = ()
        after = dt_util.utcnow() if since is None else since - timedelta.resolution
        return restarted(entry, after, dt_util.get_default_time_zone())

    @property
    def is_busy(self) -> bool:
        """Whether any evaluation or repair of condition code is pending or running."""
        return self.scheduler.is_busy or bool(self._tasks)

    @property
    def _tasks(self) -> list[asyncio.Task[Any]]:
        """The evaluations that are running, and the repairs until their results are stored."""
        looks = [task for state in self._states.values() for task in state.tasks]
        return list({*looks, *self._repairs})

    async def async_checked(self) -> None:
        """Wait until no evaluation is running."""
        await self.scheduler.async_idle()
        states = self._states.values()
        while looks := [s.look for s in states if s.look is not None and not s.look.done()]:
            await asyncio.wait(looks)
            await self.scheduler.async_idle()

    async def async_idle(self) -> None:
        """Wait until no evaluation and no repair of condition code is running."""
        await self.async_checked()
        while tasks := self._tasks:
            await asyncio.wait(tasks)
            await self.async_checked()

    async def async_stop(self) -> None:
        """Stop evaluating routines, and cancel repairs of condition code."""
        await self.scheduler.async_stop()
        # After a restart, the next error of the code starts a new repair.
        tasks = self._tasks
        for state in self._states.values():
            state.stop()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ---------------------------------------------------------------- a batch

    async def async_check(self, ids: Collection[str]) -> None:
        """End pauses that are over, evaluate due routines of `ids`, store, then start actions."""
        for entry in self._registered(ids):
            until = entry.routine.paused_until
            if entry.routine.status is Status.PAUSED and until and until <= dt_util.utcnow():
                again = self.restart(entry, until)
                try:
                    await self._registry.async_replace(again.routine, again.memo)
                except RoutineError as err:
                    # The next batch tries again.
                    _LOGGER.warning("A routine cannot go on at the moment: %s", err)
        verdicts, due = self._sorted(ids)
        try:
            verdicts += await self._async_verdicts(due)
            verdicts = [self._limited(each) for each in verdicts]
            edges = [each.edge for each in verdicts if each.edge is not None]
            firings = await self._registry.async_take([each.after for each in verdicts], edges)
        except BaseException as err:
            # Nothing was stored: the next batch repeats these checks.
            for entry in due:
                self._state(entry.id).is_stale = True
            if not isinstance(err, RoutineError):
                raise
            if str(err) != self._trouble:
                _LOGGER.warning("Routines cannot be checked at the moment: %s", err)
            self._trouble = str(err)
        else:
            self._trouble = ""
            self._take_over(verdicts, firings)
        for entry in self._registered(ids):
            self._set_timers(entry)

    def _registered(self, ids: Collection[str]) -> list[RoutineEntry]:
        return [each for each in map(self._registry.entries.get, ids) if each is not None]

    def _sorted(self, ids: Collection[str]) -> tuple[list[CheckVerdict], list[RoutineEntry]]:
        """Return the verdicts that need no code, and the routines whose condition code has to run.

        A verdict describes how a routine changes. Routines that are triggered by a time and expired
        routines get a verdict without code.
        """
        now, zone = dt_util.utcnow(), dt_util.get_default_time_zone()
        verdicts: list[CheckVerdict] = []
        due: list[RoutineEntry] = []
        for entry in self._registered(ids):
            status = entry.routine.status
            if status is Status.ENDED:
                continue
            if (verdict := judge_time(entry, now, zone)) is not None:
                verdicts.append(verdict)
            elif status in CHECKED and self._state(entry.id).is_due(now):
                due.append(entry)
        return verdicts, due

    async def _async_verdicts(self, due: Sequence[RoutineEntry]) -> list[CheckVerdict]:
        """Evaluate the conditions of routines; leave out those that take longer than PATIENCE."""
        if not due:
            return []
        with suppress(SandboxError):
            # `watched` shows the error. Routines with a time do not need the sandbox.
            await self._sandbox.async_ready(PATIENCE)
        if self._sandbox.is_running:
            looks = [
                self._state(each.id).begin_look(self._hass, self.evaluator, each) for each in due
            ]
            await asyncio.wait(looks, timeout=PATIENCE)
        verdicts: list[CheckVerdict] = []
        for entry in due:
            state = self._state(entry.id)
            task, state.looked = state.look, 0
            if task is None:
                state.is_stale = True
                continue
            if not task.done():
                task.add_done_callback(partial(self.scheduler.look_now, entry.id))
                continue
            look = state.take_look()
            if look is None or look.entry != entry:
                state.is_stale = True
                if look is not None:
                    # The routine was changed meanwhile.
                    self.scheduler.look_soon(entry.id)
                continue
            state.looked = look.number
            self._watch(entry.id, look.outcome.keys)
            before = replace(entry, memo=look.memo)
            verdicts.append(judge_outcome(before, look.outcome, dt_util.utcnow()))
        return verdicts

    def _limited(self, verdict: CheckVerdict) -> CheckVerdict:
        """Return the verdict; a routine that fires too often is stopped."""
        if verdict.edge is None or verdict.edge.edge is not EdgeKind.ON:
            return verdict
        state = self._state(verdict.before.id)
        is_too_often = state.fires_too_often(dt_util.utcnow())
        return verdict.stopped(Status.TOO_OFTEN) if is_too_often else verdict

    def _take_over(self, verdicts: Sequence[CheckVerdict], firings: Sequence[Firing]) -> None:
        """Put the stored results of evaluating routines into effect: actions, events, repairs."""
        news: list[CheckVerdict] = []
        for verdict in verdicts:
            entry, state = verdict.after, self._state(verdict.after.id)
            was_lost = state.last is not None and state.last.is_lost
            if entry.routine != verdict.before.routine or verdict.is_lost != was_lost:
                news.append(verdict)
            state.take(verdict)
            has_other_condition = entry.memo.is_acting != verdict.before.memo.is_acting
            if has_other_condition:
                self._forget_check(entry.id)
            if state.reports or has_other_condition:
                self.scheduler.look_soon(entry.id)
        self.queue.add(firings)
        for verdict in news:
            self._registry.tell(RoutineEventKind.CHANGED, verdict.after.routine)
        for verdict in verdicts:
            if verdict.failure is not None:
                self._repair(verdict, verdict.failure)

    # ---------------------------------------------------------------- between checks

    def _set_timers(self, entry: RoutineEntry) -> None:
        """Set the timers for the next evaluation of a routine's condition or time.

        If its condition is not evaluated now, stop watching the values that the condition reads.
        """
        state = self._state(entry.id)
        if entry.routine.status not in CHECKED:
            state.stop_watching()
        self.scheduler.set(entry.id, state.wake_at(entry, dt_util.utcnow()))

    @callback
    def _routine_changed(self, event: RoutineEvent) -> None:
        entry = self._registry.entries.get(event.routine.id)
        if event.kind is RoutineEventKind.REMOVED:
            if (state := self._states.pop(event.routine.id, None)) is not None:
                state.stop()
            self.scheduler.drop(event.routine.id)
        elif event.kind is RoutineEventKind.CHANGED and entry is not None:
            self._set_timers(entry)
            self.queue.retire(entry.routine)

    @callback
    def _sandbox_changed(self) -> None:
        """Report routines with code after a start or failure of the sandbox; check them soon."""
        for entry in tuple(self._registry.entries.values()):
            if entry.routine.status is Status.WATCHING and entry.condition is not None:
                self._registry.tell(RoutineEventKind.CHANGED, entry.routine)
                self.scheduler.look_soon(entry.id)

    def _state(self, routine_id: str) -> CheckState:
        return self._states.setdefault(routine_id, CheckState())

    def _forget_check(self, routine_id: str) -> None:
        state = self._state(routine_id)
        state.stop()
        self._states[routine_id] = CheckState(fired=state.fired)

    def _watch(self, routine_id: str, keys: frozenset[str]) -> None:
        """Subscribe to reports of the values that the condition code has just read.

        If some of these values were not watched before, the condition is evaluated again, because
        they may have changed since the code read them.
        """
        state = self._state(routine_id)
        if keys == state.keys:
            return
        is_new = not keys <= state.keys
        state.stop_watching()
        state.keys, state.is_stale = keys, state.is_stale or is_new
        if keys:
            state.unwatch = self._watch_keys(keys, partial(self._note_report, routine_id))
        if is_new and state.last is None:
            self.scheduler.look_soon(routine_id)

    def _note_report(self, routine_id: str, report: Report) -> None:
        if self._registry.entries.get(routine_id) is not None:
            self._state(routine_id).note(report)
            self.scheduler.look_soon(routine_id)

    def _repair(self, verdict: CheckVerdict, failure: CheckError) -> None:
        """Let the model repair condition code, unless it does already."""
        routine = verdict.after.routine
        condition = verdict.after.condition
        state = self._state(routine.id)
        if condition is None or state.repair is not None:
            return
        state.repair = self._hass.async_create_background_task(
            self._async_repair(routine, condition, failure),
            "sage routines: repair",
            eager_start=False,
        )
        self._repairs.add(state.repair)
        state.repair.add_done_callback(self._repairs.discard)

    async def _async_repair(self, failed: Routine, condition: Condition, error: CheckError) -> None:
        result = await self.evaluator.async_repair(self._rewrite, failed, condition, error)
        async with self.scheduler.turn:
            if (entry := self._registry.entries.get(failed.id)) is None:
                return
            state = self._state(failed.id)
            state.repair = None
            if result is None or entry.routine != failed:
                # The model was unavailable, so the next error starts the repair again; or the
                # routine was paused or changed meanwhile.
                return
            memo = entry.memo
            if isinstance(result, CheckError):
                changed = replace(failed, status=Status.FAILING, trouble=result)
            else:
                # Keep `before`; the state dict belongs to the old code.
                changed = result
                memo = replace(memo, state={}, failures=0, unknown_since=None)
                self._forget_check(failed.id)
            try:
                await self._registry.async_replace(changed, memo)
            except RoutineError as err:
                # The next failure starts the repair again.
                _LOGGER.warning("The result of a repair could not be stored: %s", err)
                return
            if changed is result:
                self.scheduler.look_soon(failed.id)
