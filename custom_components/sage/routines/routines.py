"""The interface to all stored routines, for tools, entities and Home Assistant actions."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final

from homeassistant.util import dt as dt_util

from .checker import Checker
from .edge import advance, next_due
from .registry import RoutineEvent
from .routine_types import (
    SHORTEST_INTERVAL,
    Condition,
    Firing,
    Memo,
    Routine,
    RoutineEntry,
    RoutineError,
    RoutineStoreError,
    Status,
    UncheckableError,
    Watched,
)
from .sandbox.contract import (
    CheckError,
    CheckOutcome,
    Fault,
    SandboxError,
    condition_task_info,
)

MOST_PER_PERSON: Final = 50  # maximum number of routines of one person, or of the household


class Routines:
    """Creates, pauses, resumes and deletes routines, and watches their conditions and times.

    Permissions are not checked here: callers must compare `Routine.owner` with the person.

    - `RoutineRegistry` stores the routines.
    - `Checker` evaluates their conditions and decides which routines fire.
    - `FiringQueue` executes the actions and delivers the answers.
    """

    def __init__(self, checker: Checker) -> None:
        """Take the parts of the checker; nothing is loaded."""
        self._checker = checker
        self._queue = checker.queue
        self.registry = checker.queue.registry
        self.evaluator = checker.evaluator
        self.sandbox = checker.evaluator.sandbox
        self._turn = checker.scheduler.turn
        self._unfinished: tuple[Firing, ...] = ()
        self._is_started = False
        self._is_closed = False

    def task_info(self, prompt: str) -> str:
        """Return a prompt with the list of functions that condition code may call."""
        return condition_task_info(prompt, self.sandbox.functions.values())

    @property
    def trouble(self) -> str | None:
        """Why the routines cannot be read, as a sentence; None after they were read."""
        return self.registry.trouble

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Ids of the stored routines that are damaged or from a newer version of SAGE."""
        return self.registry.unreadable

    # ---------------------------------------------------------------- from start to stop

    async def async_load(self) -> None:
        """Read the file of the routines. Raises RoutineError; then it can be called again."""
        if self.trouble is not None:
            self._unfinished = (await self.registry.async_load()).firings

    async def async_start(self) -> None:
        """Start to watch conditions and times; resume actions from before the restart.

        Call this after Home Assistant has started. Does nothing if the file was not read.
        """
        if self._is_started or self._is_closed or self.trouble is not None:
            return
        self._is_started = True
        self._queue.resume(self._unfinished)
        self._unfinished = ()
        self._checker.start()

    @property
    def is_busy(self) -> bool:
        """Whether an evaluation, repair, action, delivery or start of the sandbox is pending."""
        return self.sandbox.is_starting or self._checker.is_busy or self._queue.is_busy

    async def async_close(self) -> None:
        """Stop evaluating and executing for good; close the sandbox and the file."""
        self._is_started = False
        self._is_closed = True
        await self._checker.async_stop()
        await self._queue.async_close()
        await self.sandbox.async_close()
        await self.registry.async_close()

    # ---------------------------------------------------------------- create

    async def async_check_ready(self) -> None:
        """Raise UncheckableError if condition code cannot run on this machine."""
        try:
            await self.sandbox.async_ready()
        except SandboxError as err:
            raise UncheckableError(err) from err

    async def async_create(self, routine: Routine) -> Watched:
        """Test the condition of a new routine, store the routine and start to watch it.

        Raises RoutineError in these cases:

        - the person has too many routines;
        - the time is in the past;
        - the routine would end before it can fire;
        - the code of the condition fails, or the interval of the condition is too short;
        - the file cannot be read or written.
        """
        self._check_read()
        self._check_number(routine.owner)
        if routine.expires is not None and routine.expires <= dt_util.utcnow():
            raise RoutineError("The end of the routine is in the past. Choose a later time.")
        routine, memo, keys = await self._async_first(routine)
        async with self._turn:
            self._check_number(routine.owner)
            added = await self.registry.async_add(routine, memo)
            entry = RoutineEntry(routine=added, memo=memo)
            self._checker.begin(entry, keys)
        return self._checker.watched(entry)

    async def _async_first(self, routine: Routine) -> tuple[Routine, Memo, frozenset[str]]:
        """Return a new routine with its first `Memo`, and the values that its condition read.

        For a condition, the memo gets the current value, so that the routine fires at the next
        change to True (see `advance`); for a time, the first due time. Raises RoutineError.
        """
        now = dt_util.utcnow()
        trigger = routine.trigger
        if not isinstance(trigger, Condition):
            # A time that passed during the request is due now.
            asked_at = min(routine.created_at, now)
            due = next_due(trigger, asked_at, dt_util.get_default_time_zone())
            if due is None:
                raise RoutineError("This time is in the past. Use a time in the future.")
            _check_expiry(routine, due)
            return routine, Memo(next_due=due), frozenset()
        _check_expiry(routine, now + trigger.hold)
        if trigger.interval < SHORTEST_INTERVAL:
            raise RoutineError(f"Checks have to be {SHORTEST_INTERVAL:g} seconds apart, or more.")
        if routine.end is not None:
            routine = (await self._async_tried(routine, routine.end))[0]
        routine, outcome = await self._async_tried(routine, trigger)
        step = advance(routine, Memo(state=outcome.state or {}), outcome.value, dt_util.utcnow())
        return routine, step.memo, outcome.keys

    async def _async_tried(
        self, routine: Routine, condition: Condition
    ) -> tuple[Routine, CheckOutcome]:
        """Run the code of a condition once; return the routine and the result.

        The returned routine also stores which devices the names in the code mean. Raises
        RoutineError, also if the code has an error.
        """
        try:
            outcome = await self.evaluator.async_try(condition, routine.person, routine.bindings)
        except UncheckableError:
            raise
        except RoutineError as err:
            code = CheckError(fault=Fault.WITHHELD, message=str(err))
            raise RoutineError(str(err), code) from err
        if (error := outcome.error) is not None:
            raise RoutineError(f"The code does not run. {error}", error)
        return replace(routine, bindings={**outcome.bindings, **routine.bindings}), outcome

    # ---------------------------------------------------------------- read

    def get(self, routine_id: str) -> Watched | None:
        """Return one routine, or None. Raises RoutineStoreError while the store cannot be read."""
        self._check_read()
        entry = self.registry.entries.get(routine_id)
        return None if entry is None else self._checker.watched(entry)

    def list(self, owner: str | None) -> tuple[Watched, ...]:
        """Return a person's routines, oldest first; None: household's. Raises RoutineStoreError."""
        self._check_read()
        return tuple(map(self._checker.watched, self.registry.of(owner)))

    def list_all(self) -> tuple[Watched, ...]:
        """Return all routines in memory; empty before the file was read."""
        return tuple(map(self._checker.watched, self.registry.entries.values()))

    def listen(self, listener: Callable[[RoutineEvent], None]) -> Callable[[], None]:
        """Call the listener at each event of a routine; return the unsubscribe function."""
        return self.registry.listen(listener)

    # ---------------------------------------------------------------- change

    async def async_pause(self, routine_id: str, until: datetime | None = None) -> Watched:
        """Pause a routine, optionally until a time (UTC). Raises RoutineError."""
        if until is not None and until <= dt_util.utcnow():
            raise RoutineError("The end of the pause is in the past. Choose a later time.")
        async with self._turn:
            routine = self._changeable(routine_id).routine
            await self.registry.async_replace(
                replace(routine, status=Status.PAUSED, paused_until=until, trouble=None)
            )
        return self._checker.watched(self._known(routine_id))

    async def async_resume(self, routine_id: str) -> Watched:
        """Let a routine wait for its trigger again (`edge.restarted`). Raises RoutineError."""
        async with self._turn:
            entry = self._changeable(routine_id)
            if entry.routine.status is not Status.WATCHING:
                again = self._checker.restart(entry)
                if again.routine.status is Status.ENDED:
                    raise RoutineError("Its time is in the past. Delete it and make a new routine.")
                await self.registry.async_replace(again.routine, again.memo)
                if self._is_started:
                    await self._checker.async_check([routine_id])
        return self._checker.watched(self._known(routine_id))

    async def async_delete(self, routine_id: str) -> None:
        """Delete a routine; a running action is still completed. Raises RoutineError."""
        async with self._turn:
            self._known(routine_id)
            await self.registry.async_remove(routine_id)

    # ---------------------------------------------------------------- owners

    async def async_purge(self, owner: str) -> None:
        """Delete all data of a person's routines; cancel running actions. Raises RoutineError."""
        self._check_read()
        async with self._turn:
            gone = self.registry.of(owner)
            await self.registry.async_purge(owner)
            for entry in gone:
                self._queue.drop(entry.id)

    # ---------------------------------------------------------------- inside

    def _check_read(self) -> None:
        if self.trouble is not None:
            raise RoutineStoreError(self.trouble)

    def _check_number(self, owner: str | None) -> None:
        own = sum(each.routine.status is not Status.ENDED for each in self.registry.of(owner))
        if own >= MOST_PER_PERSON:
            raise RoutineError(f"There are {own} routines already. Delete one that is not needed.")

    def _known(self, routine_id: str) -> RoutineEntry:
        self._check_read()
        entry = self.registry.entries.get(routine_id)
        if entry is None:
            raise RoutineError("There is no such routine. List them to see which there are.")
        return entry

    def _changeable(self, routine_id: str) -> RoutineEntry:
        entry = self._known(routine_id)
        if entry.routine.status is Status.ENDED:
            raise RoutineError("The routine has ended. Make a new one.")
        return entry


def _check_expiry(routine: Routine, first: datetime) -> None:
    if routine.expires is not None and routine.expires <= first:
        raise RoutineError(
            "It would end before it could fire for the first time. Choose a later end, or none."
        )
