"""The runs that are under way, their traces, and the turns before (DESIGN 4)."""

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

from .agent.port import End, EndKind
from .agent.run import Exchange, Run
from .people.person import Person

MOST_AT_ONCE: Final = 4
"""Runs of one person that work at the same time; one that waits for a reply does not."""

MOST_IN_ALL: Final = 16
"""Runs of everybody that work at the same time."""

MOST_QUEUED: Final = 12
"""Requests of one person that wait for their turn; further ones are refused."""

_TRACES_PER_PERSON: Final = 20
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
    """A run that waits for its turn."""

    run: Run
    turn: asyncio.Future[None]
    clock: contextlib.ExitStack
    """Lets the clock of the run go on."""


class Runs:
    """Starts runs, finds the one that waits for a reply, keeps what is over.

    Everything is kept by Home Assistant user id as well as by conversation:
    nobody sees or answers for somebody else (DESIGN 5 and 10).
    """

    def __init__(self) -> None:
        """Start with nothing under way."""
        self._active: dict[str, Run] = {}
        self._working: dict[str, Run] = {}
        self._queue: list[_Queued] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[], None]] = []
        self._end_listeners: list[Callable[[Run], None]] = []
        self._conversations: OrderedDict[tuple[str, str | None], _Conversation] = OrderedDict()
        self._traces: dict[str | None, deque[dict[str, Any]]] = {}

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
        """Run `work` as a task of the config entry, outside the context of any turn.

        It waits for its turn where too many runs work already. Returns the task. `stopped`
        is what is said when the work is cancelled before it could begin, `too_many` when
        too many wait already.
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
            # It may have been cancelled, or refused, before it began.
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
        """Do the work when it is its turn, or refuse it."""
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
        """Return when it is the turn of a run; its clock stands still meanwhile."""
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
        """Tell whether a run may begin to work now.

        One without a model is short, and must not wait for those whose model is away.
        """
        fired = run.utterance.routine
        if fired is not None and not fired.needs_model:
            return True
        working = [each for each in self._working.values() if not each.budget.is_paused]
        own = sum(each.person.user_id == run.person.user_id for each in working)
        return own < MOST_AT_ONCE and len(working) < MOST_IN_ALL

    def _admit(self) -> None:
        """Let those begin whose turn it is, the oldest first."""
        for queued in list(self._queue):
            if self._may_work(queued.run):
                self._queue.remove(queued)
                self._working[queued.run.id] = queued.run
                queued.clock.close()
                if not queued.turn.done():
                    queued.turn.set_result(None)

    @property
    def is_active(self) -> bool:
        """Whether a run is under way; one that waits for a reply of its person is."""
        return bool(self._active)

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener whenever a run begins or is over; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def listen_to_ends(self, listener: Callable[[Run], None]) -> Callable[[], None]:
        """Call the listener with each run that is over, before those of `listen`.

        Returns what ends that.
        """
        self._end_listeners.append(listener)
        return lambda: self._end_listeners.remove(listener)

    def _tell_listeners(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def waiting(self, conversation_id: str, person: Person) -> Run | None:
        """Return the run that waits for a reply of this person in this conversation.

        Of several, the one that asked last. The others end: whatever the person says
        next is no reply to a question that lies further back.
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
        """Tell whether a routine waits for a reply that may be the PIN."""
        return any(
            run.port.waiting and run.port.secret_expected
            for run in self._active.values()
            if run.utterance.routine is not None and run.utterance.routine.id == routine_id
        )

    def stop(self) -> None:
        """End all runs; each tells whoever listens that SAGE stops."""
        for task in self._tasks:
            task.cancel()

    async def async_stop(self) -> None:
        """End all runs, and wait until they have ended: what was said is then on its way."""
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
        """Remember a turn for the ones that follow it."""
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
        """Tell whether the conversation that was used longest ago can go."""
        is_one_too_many = len(self._conversations) > _CONVERSATIONS
        return is_one_too_many or now - oldest.last_use > _CONVERSATION_LIFETIME

    def note_trace(self, person: Person, trace: dict[str, Any]) -> None:
        """Keep the trace of a run that is over."""
        traces = self._traces.setdefault(person.user_id, deque(maxlen=_TRACES_PER_PERSON))
        traces.append(trace)

    def traces(self, user_id: str | None) -> Sequence[dict[str, Any]]:
        """Return the traces of one person, newest last."""
        return list(self._traces.get(user_id, ()))

    def end_waiting(self, user_id: str) -> None:
        """End the runs that wait for a reply of somebody who was removed."""
        for run in list(self._active.values()):
            if run.person.user_id == user_id:
                run.port.withdraw()

    def forget(self, user_id: str | None) -> None:
        """Drop traces and turns of somebody, of the household for None."""
        self._traces.pop(user_id, None)
        for key in [key for key in self._conversations if key[1] == user_id]:
            del self._conversations[key]
