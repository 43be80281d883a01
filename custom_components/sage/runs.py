"""The runs that are under way, their traces, and the turns before (DESIGN 4)."""

import asyncio
import contextvars
import logging
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

_LOGGER = logging.getLogger(__name__)

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


class Runs:
    """Starts runs, finds the one that waits for a reply, keeps what is over.

    Everything is kept by Home Assistant user id as well as by conversation:
    nobody sees or answers for somebody else (DESIGN 5 and 10).
    """

    def __init__(self) -> None:
        """Start with nothing under way."""
        self._active: dict[str, Run] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._listeners: list[Callable[[], None]] = []
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
    ) -> asyncio.Task[None]:
        """Run `work` as a task of the config entry, outside the context of any turn.

        Returns the task. `stopped` is what is said when the work is cancelled before it
        could begin.
        """
        self._active[run.id] = run
        empty = contextvars.Context()
        task = empty.run(
            entry.async_create_background_task, hass, work, f"sage run {run.id}", eager_start=False
        )

        def over(_: asyncio.Task[None]) -> None:
            self._active.pop(run.id, None)
            self._tasks.discard(task)
            if task.cancelled():
                run.port.emit(End(EndKind.FAILURE, stopped))
            self._tell_listeners()

        self._tasks.add(task)
        task.add_done_callback(over)
        self._tell_listeners()
        return task

    @property
    def is_active(self) -> bool:
        """Whether a run is under way; one that waits for a reply of its person is."""
        return bool(self._active)

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener whenever a run begins or is over; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

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
        while len(self._conversations) > _CONVERSATIONS:
            self._conversations.popitem(last=False)

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
