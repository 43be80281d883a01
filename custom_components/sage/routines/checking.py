"""A batch of checks: run due checks, judge them, store the results, then fire (DESIGN 8)."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final, Protocol

from homeassistant.util import dt as dt_util

from .condition_interface import ConditionOwner, FunctionProvider
from .evaluation import CheckRequest, Evaluator
from .firing_limits import Cause, LoopGuard, RateLimits
from .judging import Change, judge_clock, judge_expiry, judge_finding
from .result_collection import WatchedResults
from .routine_types import EdgeKind, Firing, Memo, NewFiring, Routine, RoutineError, Status
from .sandbox.sandbox_types import FunctionCall, SandboxError
from .watched_routine import Watching

_LOGGER = logging.getLogger(__name__)

STATE_INTERVAL: Final = timedelta(minutes=1)
"""Shortest interval for storing the state dict of the code if nothing else changed."""


class Journal(Protocol):
    """Stores the results of checks."""

    async def async_commit(
        self,
        memos: Mapping[str, Memo],
        edges: Sequence[NewFiring] = (),
        replaced: Sequence[Routine] = (),
    ) -> tuple[Firing, ...]:
        """Store all in one transaction; return the edges as journaled. Raises RoutineError."""


class Listener(Protocol):
    """Receives the results of a batch."""

    def changed(self, watching: Watching) -> None:
        """Its routine was changed."""

    def journaled(self, firings: Collection[Firing]) -> None:
        """Edges are in the journal; always called before `changed`."""

    def checked(self, watching: Watching) -> None:
        """Note that it was checked; the time of its next check may have changed."""

    def failed(self, change: Change) -> None:
        """Its code failed and has to be repaired."""

    def something_changed(self, watching: Watching) -> None:
        """Something that it read has changed."""


class Checking:
    """Checks routines in batches."""

    def __init__(
        self,
        *,
        journal: Journal,
        answers: FunctionProvider,
        evaluator: Evaluator,
        rates: RateLimits,
        loops: LoopGuard,
        listener: Listener,
        now: Callable[[], datetime],
    ) -> None:
        """Keep the parts that a batch needs."""
        self._journal = journal
        self._answers = answers
        self._evaluator = evaluator
        self._rates = rates
        self._loops = loops
        self._listener = listener
        self._now = now
        self._saved_at: datetime | None = None
        self._trouble = ""

    async def async_check(self, watched: Collection[Watching]) -> None:
        """Check those that are due; the results are stored before anything fires."""
        changes, due = self._sorted(watched)
        causes = {each.routine.id: each.begin_check() for each in due}
        try:
            changes += await self._async_changes(due, causes)
            self._limit(changes, causes)
            firings = await self._async_commit(changes, watched)
        except BaseException as err:
            # Nothing was stored: the next batch repeats these checks.
            for each in due:
                each.is_asking = False
                each.give_up_check(causes[each.routine.id])
            if not isinstance(err, RoutineError):
                raise
            self._note_trouble(str(err))
        else:
            self._trouble = ""
            for change in changes:
                self._take_over(change)
            self._tell(changes, firings)
        for each in watched:
            self._listener.checked(each)

    def _sorted(self, watched: Collection[Watching]) -> tuple[list[Change], list[Watching]]:
        """Return the changes that follow from the time alone, and the routines to check."""
        now = self._now()
        changes: list[Change] = []
        due: list[Watching] = []
        for each in watched:
            if each.routine.status is Status.ENDED:
                continue
            if (expiry := judge_expiry(each, now)) is not None:
                changes.append(expiry)
            elif each.routine.status is not Status.WATCHING:
                continue
            elif each.condition is None:
                changes.append(judge_clock(each, now, dt_util.get_default_time_zone()))
            elif each.is_due(now):
                due.append(each)
        return changes, due

    async def async_save(self, watched: Collection[Watching]) -> None:
        """Store memos that are newer than those in the file. Raises RoutineError."""
        unsaved = [each for each in watched if each.is_unsaved]
        if unsaved:
            await self._journal.async_commit({each.routine.id: each.memo for each in unsaved})
        for each in unsaved:
            each.is_unsaved = False
        self._saved_at = self._now()

    async def _async_changes(
        self, due: Sequence[Watching], causes: Mapping[str, Sequence[Cause]]
    ) -> list[Change]:
        if not due:
            return []
        try:
            findings = await self._evaluator.async_evaluate([_request(each) for each in due])
        except SandboxError:
            # The sandbox says why. What the clock triggers does not need it.
            for each in due:
                each.is_asking = False
                each.give_up_check(causes[each.routine.id])
            return []
        now = self._now()
        changes: list[Change] = []
        for each in due:
            routine_id = each.routine.id
            finding = findings.get(routine_id)
            if finding is None:
                # Its answers are late: it is checked when they have arrived.
                each.give_up_check(causes[routine_id])
                continue
            each.is_asking = False
            if each.is_torn():
                each.give_up_check(causes[routine_id])
                continue
            chain = self._loops.chain(causes[routine_id], routine_id)
            each.early.clear()
            each.overtaken.clear()
            self.watch(each, finding.answered)
            if each.pulse:
                # The pulse is done: next, check the current state.
                each.pulse = {}
                each.give_up_check(causes[routine_id])
                self._listener.something_changed(each)
            changes.append(judge_finding(each, finding, now, chain))
        return changes

    def watch(self, watching: Watching, answered: WatchedResults) -> None:
        """Subscribe to what a check read for the first time."""
        keys = frozenset(key for each in answered.values() for key in each.keys)
        if keys == watching.keys:
            return
        is_new = not keys <= watching.keys
        watching.stop_watching()
        watching.keys = keys
        if keys:
            watching.unwatch = self._answers.watch(keys, partial(self._note_change, watching))
        if is_new:
            first = watching.checked_at is None
            watching.is_stale = True
            if first:
                self._listener.something_changed(watching)

    def _note_change(self, watching: Watching, key: str, context_id: str | None) -> None:
        if not watching.causes and watching.not_before is None:
            # The state may change back before the check.
            questions = watching.pulsing(key)
            watching.glimpsed = _answered_at_once(self._answers, watching.owner, questions)
        watching.note_change(key, context_id)
        self._listener.something_changed(watching)

    def _limit(self, changes: Sequence[Change], causes: Mapping[str, Sequence[Cause]]) -> None:
        """Stop routines that trigger themselves or fire too often."""
        by_id = {change.routine.id: change for change in changes}
        for change in changes:
            edge = change.edge
            if edge is None or edge.edge is not EdgeKind.ON:
                continue
            routine_id = edge.routine_id
            keys = {key for key, _ in causes.get(routine_id, ())}
            if self._loops.note_edge(routine_id, keys, edge.at, edge.chain):
                change.stop(Status.LOOPING)
                continue
            busiest = self._rates.note(routine_id, self._now())
            if busiest in by_id:
                by_id[busiest].stop(Status.TOO_OFTEN)

    async def _async_commit(
        self, changes: Sequence[Change], watched: Collection[Watching]
    ) -> tuple[Firing, ...]:
        now = self._now()
        memos = {change.routine.id: change.memo for change in changes if change.is_urgent}
        if self._saved_at is None or now - self._saved_at >= STATE_INTERVAL:
            memos |= {each.routine.id: each.memo for each in watched if each.is_unsaved}
            memos |= {
                each.routine.id: each.memo for each in changes if each.memo != each.watching.memo
            }
            self._saved_at = now
        if not memos:
            return ()
        edges = [change.edge for change in changes if change.edge is not None]
        replaced = [change.routine for change in changes if change.is_replaced]
        try:
            firings = await self._journal.async_commit(memos, edges, replaced)
        except ValueError:
            # The state dict of one of them cannot be stored; this must not affect the others.
            for change in changes:
                change.memo = replace(change.memo, state=change.watching.memo.state)
            memos |= {each.routine.id: each.memo for each in changes if each.routine.id in memos}
            firings = await self._journal.async_commit(memos, edges, replaced)
        for change in changes:
            if change.routine.id in memos:
                change.is_saved = True
        return firings

    def _note_trouble(self, trouble: str) -> None:
        """Log an error that prevents all checks, once until it is over."""
        if trouble != self._trouble:
            _LOGGER.warning("Routines cannot be checked at the moment: %s", trouble)
        self._trouble = trouble

    def _take_over(self, change: Change) -> None:
        watching = change.watching
        watching.is_unsaved = not change.is_saved and (
            watching.is_unsaved or change.memo != watching.memo
        )
        is_lost = change.memo.is_long_unknown(self._now())
        change.is_news = change.is_replaced or is_lost != watching.is_lost
        watching.is_lost = is_lost
        is_other = change.memo.is_acting != watching.memo.is_acting
        watching.routine, watching.memo = change.routine, change.memo
        watching.answered, watching.value = change.answered, change.value
        watching.is_settled, watching.chain = change.is_settled, change.chain
        watching.not_before, watching.look_again_at = change.not_before, change.look_again_at
        watching.checked_at = self._now()
        if is_other:
            watching.forget_check()
            self._listener.something_changed(watching)
        if watching.routine.status is not Status.WATCHING:
            watching.stop_watching()

    def _tell(self, changes: Sequence[Change], firings: Sequence[Firing]) -> None:
        if firings:
            self._listener.journaled(firings)
        for change in changes:
            if change.is_news:
                self._listener.changed(change.watching)
            if change.failure is not None:
                self._listener.failed(change)


def _request(watching: Watching) -> CheckRequest:
    condition = watching.condition
    assert condition is not None
    return CheckRequest(
        id=watching.routine.id,
        source=condition.source,
        function=condition.function,
        owner=watching.owner,
        state=watching.memo.state,
        asked=watching.answered,
        early={**watching.early, **watching.pulse},
        is_settled=watching.is_settled,
    )


def _answered_at_once(
    answers: FunctionProvider, owner: ConditionOwner, questions: Collection[FunctionCall]
) -> WatchedResults:
    """Return the current answers; none if they are not immediately available."""
    if not questions:
        return {}
    asking = asyncio.Task(answers.async_answer(owner, questions), eager_start=True)
    if not asking.done():
        asking.cancel()
        return {}
    if (error := asking.exception()) is not None:
        _LOGGER.debug("What changed could not be seen at once", exc_info=error)
        return {}
    return asking.result()
