"""Active runs, traces of finished runs, and earlier turns."""

import asyncio
import contextlib
import contextvars
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..agent.run import End, EndKind, Exchange, Run
from ..people.person import Person

MOST_AT_ONCE: Final = 4
"""Maximum number of concurrent runs of one person, without those that wait for a reply."""

MOST_IN_ALL: Final = 16
"""Maximum number of concurrent runs of all people."""

MOST_QUEUED: Final = 12
"""Maximum number of queued requests of one person; further ones are refused."""

_TRACES_PER_PERSON: Final = 20
_TRACE_LIFETIME: Final = timedelta(days=1)
"""The shortest retention: nothing stays here that a person's log of commands has deleted."""

_EXCHANGES: Final = 6
_CONVERSATIONS: Final = 200
_CONVERSATION_LIFETIME: Final = timedelta(minutes=5)
"""Home Assistant forgets a conversation after the same time."""


@dataclass(slots=True)
class _Conversation:
    """The turns of one person in one conversation."""

    exchanges: deque[Exchange] = field(default_factory=lambda: deque(maxlen=_EXCHANGES))
    last_use: datetime = field(default_factory=dt_util.utcnow)


@dataclass(frozen=True, slots=True, eq=False)
class _Queued:
    """A run in the queue."""

    run: Run
    turn: asyncio.Future[None]
    clock: contextlib.ExitStack
    """Restarts the run's clock when closed."""


class RunRegistry:
    """Starts runs, finds the run that waits for a reply, stores traces of finished runs.

    Everything is stored by user id and by conversation, so that nobody can see or answer for
    another person.
    """

    def __init__(self) -> None:
        self._active: dict[str, Run] = {}
        self._working: dict[str, Run] = {}
        self._queue: list[_Queued] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[], None]] = []
        self._end_listeners: list[Callable[[Run], None]] = []
        self._conversations: OrderedDict[tuple[str, str | None], _Conversation] = OrderedDict()
        self._traces: dict[str | None, deque[tuple[datetime, dict[str, Any]]]] = {}

    def start(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry[Any],
        run: Run,
        work: Coroutine[Any, Any, None],
        *,
        stopped: str,
        too_many: str,
    ) -> asyncio.Task[None]:
        """Run `work` as a task of the config entry, in an empty context; return the task.

        The run is queued while too many runs are active. `stopped` is the answer if the work is
        cancelled before it starts; `too_many` is the answer if the queue is full.
        """
        self._active[run.id] = run
        run.budget.on_pause = self._admit
        empty = contextvars.Context()
        task = empty.run(
            entry.async_create_background_task,
            hass,
            self._async_in_turn(run, work, too_many),
            f"sage run {run.id}",
            eager_start=False,
        )

        def over(_: asyncio.Task[None]) -> None:
            # The work may have been cancelled or refused before it began.
            work.close()
            self._active.pop(run.id, None)
            self._tasks.discard(task)
            if task.cancelled():
                run.port.emit(End(EndKind.FAILURE, stopped))
            for listener in tuple(self._end_listeners):
                listener(run)
            self._tell_listeners()

        self._tasks.add(task)
        task.add_done_callback(over)
        self._tell_listeners()
        return task

    async def _async_in_turn(
        self, run: Run, work: Coroutine[Any, Any, None], too_many: str
    ) -> None:
        """Do the work when the queue allows it, or refuse it."""
        if not self._may_work(run):
            queued = sum(each.run.person.user_id == run.person.user_id for each in self._queue)
            if queued >= MOST_QUEUED and run.utterance.routine is None:
                run.port.emit(End(EndKind.FAILURE, too_many))
                return
            await self._async_turn(run)
        self._working[run.id] = run
        try:
            await work
        finally:
            self._working.pop(run.id, None)
            self._admit()

    async def _async_turn(self, run: Run) -> None:
        """Wait in the queue; the run's clock is stopped meanwhile."""
        with contextlib.ExitStack() as clock:
            clock.enter_context(run.budget.paused())
            queued = _Queued(run, asyncio.get_running_loop().create_future(), clock)
            self._queue.append(queued)
            try:
                await queued.turn
            except asyncio.CancelledError:
                if queued in self._queue:
                    self._queue.remove(queued)
                self._working.pop(run.id, None)
                self._admit()
                raise

    def _may_work(self, run: Run) -> bool:
        """Return whether a run may start now.

        A run without model is short and must not wait for runs whose model is unavailable.
        """
        fired = run.utterance.routine
        if fired is not None and not fired.needs_model:
            return True
        working = [each for each in self._working.values() if not each.budget.is_paused]
        own = sum(each.person.user_id == run.person.user_id for each in working)
        return own < MOST_AT_ONCE and len(working) < MOST_IN_ALL

    def _admit(self) -> None:
        """Start the queued runs that may start now, oldest first."""
        for queued in list(self._queue):
            if self._may_work(queued.run):
                self._queue.remove(queued)
                self._working[queued.run.id] = queued.run
                queued.clock.close()
                if not queued.turn.done():
                    queued.turn.set_result(None)

    @property
    def is_active(self) -> bool:
        """Whether any run is active, including those that wait for a reply."""
        return bool(self._active)

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener whenever a run begins or ends; returns the unsubscribe function."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def listen_to_ends(self, listener: Callable[[Run], None]) -> Callable[[], None]:
        """Call the listener with each finished run, before the listeners of `listen`.

        Returns the unsubscribe function.
        """
        self._end_listeners.append(listener)
        return lambda: self._end_listeners.remove(listener)

    def _tell_listeners(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def waiting(self, conversation_id: str, person: Person) -> Run | None:
        """Return the run that waits for a reply of this person in this conversation, else None.

        If several runs wait, return the one that asked last. The others end, because the next
        utterance cannot be the reply to an older question.
        """
        runs = [
            run
            for run in self._active.values()
            if run.port.waiting
            and run.utterance.conversation_id == conversation_id
            and run.person.user_id == person.user_id
        ]
        runs.sort(key=lambda run: run.port.asked_at)
        for run in runs[:-1]:
            run.port.withdraw()
        return runs[-1] if runs else None

    def awaits_secret(self, routine_id: str) -> bool:
        """Return whether a run of this routine waits for a reply that may be the PIN."""
        return any(
            run.port.waiting and run.port.secret_expected
            for run in self._active.values()
            if run.utterance.routine is not None and run.utterance.routine.id == routine_id
        )

    def stop(self) -> None:
        """Cancel all runs; each answers that SAGE stops."""
        for task in self._tasks:
            task.cancel()

    async def async_stop(self) -> None:
        """Cancel all runs and wait for their end, when each has begun to store its utterance."""
        self.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def earlier(self, conversation_id: str, person: Person) -> tuple[Exchange, ...]:
        """Return the turns of this person in this conversation, oldest first."""
        conversation = self._conversations.get((conversation_id, person.user_id))
        if conversation is None:
            return ()
        if dt_util.utcnow() - conversation.last_use > _CONVERSATION_LIFETIME:
            return ()
        return tuple(conversation.exchanges)

    def note_exchange(self, conversation_id: str, person: Person, exchange: Exchange) -> None:
        """Store a turn, so that later turns of the conversation can refer to it."""
        key = (conversation_id, person.user_id)
        conversation = self._conversations.get(key)
        now = dt_util.utcnow()
        if conversation is None or now - conversation.last_use > _CONVERSATION_LIFETIME:
            conversation = self._conversations[key] = _Conversation()
        conversation.exchanges.append(exchange)
        conversation.last_use = now
        self._conversations.move_to_end(key)
        while self._conversations and self._is_over(next(iter(self._conversations.values())), now):
            self._conversations.popitem(last=False)

    def _is_over(self, oldest: _Conversation, now: datetime) -> bool:
        """Return whether the least recently used conversation can be dropped."""
        is_one_too_many = len(self._conversations) > _CONVERSATIONS
        return is_one_too_many or now - oldest.last_use > _CONVERSATION_LIFETIME

    def note_trace(self, person: Person, trace: dict[str, Any]) -> None:
        """Store the trace of a finished run."""
        traces = self._traces.setdefault(person.user_id, deque(maxlen=_TRACES_PER_PERSON))
        traces.append((dt_util.utcnow(), trace))
        self._drop_old_traces()

    def traces(self, user_id: str | None) -> Sequence[dict[str, Any]]:
        """Return the latest traces of one person, newest last; None means the household."""
        self._drop_old_traces()
        return [trace for _, trace in self._traces.get(user_id, ())]

    def _drop_old_traces(self) -> None:
        oldest = dt_util.utcnow() - _TRACE_LIFETIME
        for traces in self._traces.values():
            while traces and traces[0][0] < oldest:
                traces.popleft()

    def end_waiting(self, user_id: str) -> None:
        """Withdraw the open questions to a removed user, which ends their runs."""
        for run in list(self._active.values()):
            if run.person.user_id == user_id:
                run.port.withdraw()

    def forget(self, user_id: str | None) -> None:
        """Delete the traces and earlier turns of a user; None means the household."""
        self._traces.pop(user_id, None)
        for key in [key for key in self._conversations if key[1] == user_id]:
            del self._conversations[key]
