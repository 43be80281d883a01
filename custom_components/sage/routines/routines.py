"""All routines of the household: the interface for tools, actions and entities (DESIGN 8)."""

import asyncio
import builtins
import contextlib
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from homeassistant.const import EVENT_CORE_CONFIG_UPDATE
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.util import dt as dt_util

from ..helpers.weakly import weakly
from ..people.person import Person
from .async_store import AsyncRoutineStore
from .clock_times import next_due
from .condition_interface import ConditionOwner, Foresight, FunctionProvider, WatchedResult
from .edge import advance
from .evaluation import CheckRequest
from .firing_limits import MOST_PER_PERSON
from .ports import Deliverer, Repairer, Runner
from .routine_errors import RoutineStoreError, UncheckableError, UnknownRoutineError
from .routine_types import (
    SHORTEST_INTERVAL,
    Condition,
    Memo,
    Routine,
    RoutineAction,
    RoutineError,
    RoutineEvent,
    RoutineEventKind,
    Status,
)
from .sandbox.sandbox import Sandbox
from .sandbox.sandbox_types import (
    CheckOutcome,
    ConditionFunction,
    FunctionCall,
    SandboxError,
    Value,
)
from .store import Stored
from .watched_routine import Watching
from .watchlist import Watchlist, resumed

_LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The result of a trial of condition code."""

    outcome: CheckOutcome
    answered: Mapping[FunctionCall, WatchedResult] = field(default_factory=dict)
    foresight: Foresight = field(default_factory=Foresight)
    """The static analysis of its branches."""

    @property
    def bindings(self) -> dict[str, str]:
        """References of all names that the code used or contains."""
        used = {
            name: reference
            for each in self.answered.values()
            for name, reference in each.bindings.items()
        }
        return self.foresight.bindings | used


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A routine with its present state."""

    routine: Routine
    memo: Memo
    next_check: datetime | None = None
    """UTC; None if no check is scheduled."""

    uncheckable: str = ""
    """Why its condition cannot be checked on this machine at present, and how to fix it."""

    @property
    def status(self) -> Status:
        """The status of the routine; UNCHECKABLE instead of WATCHING where code cannot run."""
        return Status.UNCHECKABLE if self.uncheckable else self.routine.status


class Routines:
    """Creates, watches, pauses and ends routines.

    Callers check permissions, by `Routine.owner`; this class accepts any routine id.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        *,
        store: AsyncRoutineStore,
        sandbox: Sandbox,
        answers: FunctionProvider,
        runner: Runner,
        deliverer: Deliverer,
        repairer: Repairer,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        """Prepare; nothing is loaded. `now` returns the time (UTC)."""
        self._hass = hass
        self._store = store
        self._answers = answers
        self._now = now or _utcnow
        self._sandbox = sandbox
        self._sandbox.listen(weakly(self._sandbox_changed))
        self._watchlist = Watchlist(
            hass,
            store=store,
            answers=answers,
            sandbox=self._sandbox,
            runner=runner,
            deliverer=deliverer,
            repairer=repairer,
            now=self._now,
        )
        self._scheduler = self._watchlist.scheduler
        self._trying: defaultdict[str | None, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._stored: Stored | None = None
        self._trouble: str | None = "The routines have not been read yet."
        self._is_started = False
        self._is_closed = False
        self._stop_listening: Callable[[], None] | None = None

    @property
    def functions(self) -> tuple[ConditionFunction, ...]:
        """The functions that condition code may call."""
        return self._answers.functions

    @property
    def answers(self) -> FunctionProvider:
        """The condition functions that answer questions of condition code."""
        return self._answers

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox for condition code."""
        return self._sandbox

    @property
    def trouble(self) -> str | None:
        """A sentence that says why the store cannot be read; None after it was read."""
        return self._trouble

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Ids of routines in the store that are damaged or of a newer version."""
        return self._store.unreadable

    async def async_load(self) -> None:
        """Read the store; nothing is watched yet. Raises RoutineError.

        Can be called again after an error. After a success, further calls do nothing.
        """
        if self._trouble is None:
            return
        try:
            self._stored = await self._store.async_load()
        except RoutineError as err:
            self._trouble = str(err)
            raise
        self._trouble = None
        for routine in self._stored.routines:
            watching = Watching(routine=routine, memo=self._stored.memos[routine.id])
            self._watchlist.add(watching)
            self._watchlist.tell(RoutineEventKind.LOADED, watching)

    async def async_start(self) -> None:
        """Start to watch, after Home Assistant has started. Continues interrupted firings.

        Does nothing while the store cannot be read.
        """
        if self._is_started or self._is_closed or self._trouble is not None:
            return
        self._is_started = True
        if self._stored is not None:
            self._watchlist.queue.resume(self._stored)
            self._stored = None
        self._stop_listening = self._hass.bus.async_listen(
            EVENT_CORE_CONFIG_UPDATE, self._core_changed
        )
        self._watchlist.set_clocks()
        for watching in self._watchlist:
            self._scheduler.look_soon(watching.routine.id)
        self._scheduler.start()

    async def async_close(self) -> None:
        """Stop watching, end the sandbox, close the file. Cannot be started again."""
        self._is_started = False
        self._is_closed = True
        if self._stop_listening is not None:
            self._stop_listening()
            self._stop_listening = None
        await self._scheduler.async_stop()
        await self._watchlist.mending.async_stop()
        for watching in self._watchlist:
            watching.stop_watching()
        await self._watchlist.asking.async_stop()
        await self._watchlist.queue.async_close()
        try:
            await self._watchlist.checking.async_save(tuple(self._watchlist))
        except RoutineError as err:
            _LOGGER.warning("What routines keep between checks was not written: %s", err)
        await self._sandbox.async_close()
        await self._store.async_close()

    async def async_hold(self) -> None:
        """Do not change the main file until `async_release`, for a copy. Raises RoutineError."""
        await self._store.async_hold()

    async def async_release(self) -> None:
        """End `async_hold`. Raises RoutineError."""
        await self._store.async_release()

    async def async_check_ready(self) -> None:
        """Raise UncheckableError where condition code cannot run on this machine."""
        try:
            await self._sandbox.async_ready()
        except SandboxError as err:
            raise UncheckableError(err) from err

    async def async_try(
        self,
        source: str,
        function: str,
        owner: ConditionOwner,
        state: Mapping[str, Value] | None = None,
    ) -> Trial:
        """Run condition code once. Raises UncheckableError where it cannot run.

        One at a time for each person, so that many of them do not hold up what is watched.
        """
        async with self._trying[owner.person.user_id]:
            return await self._async_try(source, function, owner, state or {})

    async def _async_try(
        self, source: str, function: str, owner: ConditionOwner, state: Mapping[str, Value]
    ) -> Trial:
        try:
            wrong = await self._sandbox.async_validate(source, function)
            if wrong is not None:
                return Trial(outcome=CheckOutcome(id="", error=wrong))
            request = CheckRequest(
                id="", source=source, function=function, owner=owner, state=state
            )
            findings = await self._watchlist.evaluator.async_evaluate([request], patience=None)
        except SandboxError as err:
            raise UncheckableError(err) from err
        finding = findings[""]
        if finding.outcome is None:
            raise RoutineError(finding.withheld or "")
        foresight = await self._answers.async_foresee(owner, source)
        return Trial(outcome=finding.outcome, answered=finding.answered, foresight=foresight)

    async def async_create(self, routine: Routine) -> Watched:
        """Store the routine, check it for the first time, watch it.

        When this returns it is stored. Raises RoutineError for too many routines, a time in the
        past, an end before it can fire, failing code, or an unreadable store.
        """
        self._check_read()
        self._check_number(routine.owner)
        if routine.expires is not None and routine.expires <= self._now():
            raise RoutineError("The end of the routine is in the past. Choose a later time.")
        watching = await self._async_first(routine)
        async with self._scheduler.turn:
            self._check_number(routine.owner)
            watching.routine = await self._store.async_add(watching.routine, watching.memo)
            self._watchlist.add(watching)
            self._watchlist.tell(RoutineEventKind.CREATED, watching)
            if self._is_started:
                # What it read may have changed meanwhile; from here on, changes are reported.
                self._watchlist.checking.watch(watching, watching.answered)
                self._scheduler.look_soon(routine.id)
            self._watchlist.checked(watching)
        return self._watched(watching)

    def get(self, routine_id: str) -> Watched | None:
        """Return one routine. Raises RoutineStoreError while the store cannot be read."""
        self._check_read()
        watching = self._watchlist.get(routine_id)
        return None if watching is None else self._watched(watching)

    def list(self, owner: str | None) -> tuple[Watched, ...]:
        """Return the routines of one person, of the household for None, the oldest first.

        Raises RoutineStoreError while the store cannot be read.
        """
        self._check_read()
        return tuple(each for each in self.list_all() if each.routine.owner == owner)

    def list_all(self) -> tuple[Watched, ...]:
        """Return all loaded routines; `listen` reports later ones."""
        return tuple(self._watched(each) for each in self._watchlist)

    async def async_pause(self, routine_id: str, until: datetime | None = None) -> Watched:
        """Pause a routine, optionally until a time (UTC)."""
        if until is not None and until <= self._now():
            raise RoutineError("The end of the pause is in the past. Choose a later time.")
        async with self._scheduler.turn:
            watching = self._changeable(routine_id)
            await self._watchlist.async_replace(
                watching,
                replace(watching.routine, status=Status.PAUSED, paused_until=until, trouble=""),
            )
        return self._watched(watching)

    async def async_resume(self, routine_id: str) -> Watched:
        """Resume a routine; the next value of its condition is the first "before"."""
        async with self._scheduler.turn:
            watching = self._changeable(routine_id)
            if watching.routine.status is Status.WATCHING:
                return self._watched(watching)
            if not self._watchlist.begin_anew(watching):
                raise RoutineError("Its time is in the past. Delete it and make a new routine.")
            await self._watchlist.async_replace(watching, resumed(watching.routine))
            if self._is_started:
                await self._watchlist.checking.async_check([watching])
        return self._watched(watching)

    async def async_settle(self, routine: Routine, action: RoutineAction) -> None:
        """Store the action of a routine. Raises RoutineError.

        Does nothing if it was changed, deleted or given an action meanwhile.
        """
        async with self._scheduler.turn:
            watching = self._watchlist.get(routine.id)
            if watching is None or watching.routine.action is not None:
                return
            known = watching.routine
            if (known.command, known.owner) != (routine.command, routine.owner):
                return
            # An ended routine may be removed at any time.
            with contextlib.suppress(UnknownRoutineError):
                await self._watchlist.async_replace(watching, replace(known, action=action))

    async def async_delete(self, routine_id: str) -> None:
        """Delete the routine. A run in progress is not cancelled."""
        async with self._scheduler.turn:
            watching = self._known(routine_id)
            await self._store.async_remove(routine_id)
            self._watchlist.remove(watching)

    async def async_owner_gone(self, owner: str) -> None:
        """Set aside the routines of a person who is currently not a user."""
        async with self._scheduler.turn:
            for watching in self._of(owner):
                await self._watchlist.async_set_aside(watching)

    async def async_owner_back(self, owner: str) -> None:
        """Restore the routines that were set aside."""
        async with self._scheduler.turn:
            for watching in self._of(owner):
                await self._watchlist.async_bring_back(watching)
                self._look_soon(watching)

    async def async_hand_over(self, owner: str, person: Person) -> None:
        """Give all routines of a person to another person. Raises RoutineError."""
        self._check_read()
        async with self._scheduler.turn:
            for watching in self._of(owner):
                await self._watchlist.async_hand_over(watching, person)
                self._look_soon(watching)

    async def async_purge(self, owner: str) -> None:
        """Delete all data of the routines of a person. Raises RoutineError."""
        self._check_read()
        async with self._scheduler.turn:
            await self._store.async_purge(owner)
            for watching in self._of(owner):
                self._watchlist.purge(watching)

    def listen(self, listener: Callable[[RoutineEvent], None]) -> Callable[[], None]:
        """Call the listener at each event; returns the unsubscribe function."""
        return self._watchlist.listen(listener)

    def _check_read(self) -> None:
        """Raise RoutineStoreError while the store is not loaded."""
        if self._trouble is not None:
            raise RoutineStoreError(self._trouble)

    def _check_number(self, owner: str | None) -> None:
        own = sum(
            each.routine.owner == owner and each.routine.status is not Status.ENDED
            for each in self._watchlist
        )
        if own >= MOST_PER_PERSON:
            raise RoutineError(f"There are {own} routines already. Delete one that is not needed.")

    async def _async_first(self, routine: Routine) -> Watching:
        """Return a new routine with its first "before", or its due time."""
        now = self._now()
        trigger = routine.trigger
        if not isinstance(trigger, Condition):
            # A time that passed during the request is due now.
            asked_at = min(routine.created_at, now)
            due = next_due(trigger, asked_at, dt_util.get_default_time_zone())
            if due is None:
                raise RoutineError("This time is in the past. Use a time in the future.")
            _check_expiry(routine, due)
            return Watching(routine=routine, memo=Memo(next_due=due))
        _check_expiry(routine, now + trigger.hold)
        if trigger.interval < SHORTEST_INTERVAL:
            raise RoutineError(f"Checks have to be {SHORTEST_INTERVAL:g} seconds apart, or more.")
        if routine.end is not None:
            routine = (await self._async_tried(routine, routine.end))[0]
        routine, trial = await self._async_tried(routine, trigger)
        outcome = trial.outcome
        memo = Memo(state=outcome.state or {})
        step = advance(routine, memo, outcome.value, self._now())
        return Watching(
            routine=routine,
            memo=step.memo,
            answered=trial.answered,
            value=outcome.value,
            look_again_at=step.look_again_at,
        )

    def _look_soon(self, watching: Watching) -> None:
        if self._is_started:
            self._scheduler.look_soon(watching.routine.id)

    def _of(self, owner: str) -> builtins.list[Watching]:
        return [each for each in self._watchlist if each.routine.owner == owner]

    async def _async_tried(self, routine: Routine, condition: Condition) -> tuple[Routine, Trial]:
        """Return the routine with the bindings of the code of a condition."""
        owner = ConditionOwner(person=routine.person, bindings=routine.bindings)
        trial = await self.async_try(condition.source, condition.function, owner)
        if trial.outcome.error is not None:
            raise RoutineError(f"The code does not run. {trial.outcome.error}")
        return replace(routine, bindings={**trial.bindings, **routine.bindings}), trial

    def _known(self, routine_id: str) -> Watching:
        self._check_read()
        watching = self._watchlist.get(routine_id)
        if watching is None:
            raise RoutineError("There is no such routine. List them to see which there are.")
        return watching

    def _changeable(self, routine_id: str) -> Watching:
        watching = self._known(routine_id)
        if watching.routine.status is Status.ENDED:
            raise RoutineError("The routine has ended. Make a new one.")
        if watching.routine.status is Status.OWNER_GONE:
            raise RoutineError("Its owner is currently not a user of this home.")
        return watching

    def _watched(self, watching: Watching) -> Watched:
        uncheckable = self._uncheckable(watching)
        return Watched(
            routine=watching.routine,
            memo=watching.memo,
            next_check=None if uncheckable else self._next_check(watching),
            uncheckable=uncheckable,
        )

    def _uncheckable(self, watching: Watching) -> str:
        error = self._sandbox.error
        is_on = watching.routine.status is Status.WATCHING
        return "" if error is None or not is_on or watching.condition is None else str(error)

    def _next_check(self, watching: Watching) -> datetime | None:
        if watching.routine.status is not Status.WATCHING:
            return None
        if watching.condition is None:
            return watching.memo.next_due
        ticks = watching.goes_by_time or not watching.is_settled
        times = (
            watching.look_again_at,
            self._scheduler.next_tick(watching.routine.id) if ticks else None,
        )
        return min((each for each in times if each is not None), default=None)

    @callback
    def _sandbox_changed(self) -> None:
        """Report the routines whose status this changes; check them if they can be checked."""
        for watching in self._watchlist:
            if watching.condition is not None and watching.routine.status is Status.WATCHING:
                self._watchlist.tell(RoutineEventKind.CHANGED, watching)
                self._look_soon(watching)

    @callback
    def _core_changed(self, _: Event) -> None:
        """Compute due times again, since the time zone may have changed."""
        self._watchlist.set_clocks()


def _check_expiry(routine: Routine, first: datetime) -> None:
    """Raise RoutineError if a routine expires before it can first fire, at `first` (UTC)."""
    if routine.expires is not None and routine.expires <= first:
        raise RoutineError(
            "It would end before it could fire for the first time. Choose a later end, or none."
        )


def _utcnow() -> datetime:
    return dt_util.utcnow()
