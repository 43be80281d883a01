"""Registry of active runs, with recent traces and conversation turns in RAM.

A run is the processing of one command. A trace is the record of its steps. A turn is one utterance
and its answer.
"""

import asyncio
import contextvars
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HassJob, HomeAssistant
from homeassistant.helpers.event import async_call_later
from homeassistant.util import dt as dt_util

from ..agent.port import Delta, End, EndKind
from ..agent.run import Exchange, Run
from ..people.confirmation_words import Said, confirmation_words
from ..people.identity import async_languages
from ..people.person import Person
from ..text.speech import async_load_sentences

SILENT_SECONDS: Final = 15.0
"""Seconds without a word after which SAGE says that an answer takes long."""

MOST_AT_ONCE: Final = 4
"""Maximum number of commands of one person in progress, without those that wait for a reply."""

MOST_IN_ALL: Final = 16
"""Maximum number of commands of all people in progress, without those that wait for a reply."""

MOST_QUEUED: Final = 12
"""Maximum number of queued commands of one person; further ones are refused."""

_TRACES_PER_PERSON: Final = 20
_TRACE_LIFETIME: Final = timedelta(days=1)
"""Equals the shortest possible retention of the command log, which stores the same traces."""

_EXCHANGES: Final = 6
_CONVERSATIONS: Final = 200
_CONVERSATION_LIFETIME: Final = timedelta(minutes=5)
"""Equals the lifetime of a conversation in Home Assistant."""


@dataclass(slots=True)
class _Conversation:
    """The latest turns of one person in one conversation."""

    exchanges: deque[Exchange] = field(default_factory=lambda: deque(maxlen=_EXCHANGES))
    last_use: datetime = field(default_factory=dt_util.utcnow)


class RunRegistry:
    """Starts and queues runs (one for each command); keeps traces and turns of each user.

    A trace is the record of a run's steps. A turn is one utterance and its answer.
    """

    def __init__(self) -> None:
        self._active: dict[str, Run] = {}
        self._working: dict[str, Run] = {}
        self._queue: list[Run] = []
        self._moved = asyncio.Event()
        """Set for a moment when a queued run may start."""

        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._stopped: dict[str, tuple[datetime, str]] = {}
        """Speaker -> time and answer of the last command, if the person stopped it."""

        self._listeners: list[Callable[[], None]] = []
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
        """Start `run` as a task, and return the task.

        The task waits in a queue while too many runs are active.

        - `work`: executes the run
        - `stopped`: the answer if the task is cancelled before `work` starts
        - `too_many`: the answer if the queue of this person is full
        """
        self._stopped.pop(run.utterance.speaker, None)
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
            self._tasks.pop(run.id, None)
            if task.cancelled():
                run.port.emit(End(EndKind.FAILURE, run.stopped or stopped))
            if run.stopped:
                answer = run.root.result or run.stopped
                self._stopped[run.utterance.speaker] = (dt_util.utcnow(), answer)
            self._tell_listeners()

        self._tasks[run.id] = task
        task.add_done_callback(over)
        self._tell_listeners()
        return task

    async def _async_in_turn(
        self, run: Run, work: Coroutine[Any, Any, None], too_many: str
    ) -> None:
        """Execute `work` when the queue allows it, or refuse the run if the queue is full."""
        if not self._may_work(run):
            queued = sum(each.person.user_id == run.person.user_id for each in self._queue)
            if queued >= MOST_QUEUED and run.utterance.routine is None:
                run.port.emit(End(EndKind.FAILURE, too_many))
                return
            self._queue.append(run)
            try:
                with run.budget.paused():
                    while next(filter(self._may_work, self._queue), None) is not run:
                        await self._moved.wait()
            finally:
                self._queue.remove(run)
        self._working[run.id] = run
        self._admit()
        try:
            await work
        finally:
            self._working.pop(run.id, None)
            self._admit()

    def _may_work(self, run: Run) -> bool:
        """Return whether `run` may start now without exceeding the limits of concurrent runs.

        A routine that needs no model may always start, so that it never waits for a slow model.
        """
        fired = run.utterance.routine
        if fired is not None and not fired.needs_model:
            return True
        working = [each for each in self._working.values() if not each.budget.is_paused]
        own = sum(each.person.user_id == run.person.user_id for each in working)
        return own < MOST_AT_ONCE and len(working) < MOST_IN_ALL

    def _admit(self) -> None:
        """Let the queued runs look whether they may start now, oldest first."""
        self._moved.set()
        self._moved.clear()

    @property
    def is_active(self) -> bool:
        """Whether a command is in progress, is queued, or waits for a reply."""
        return bool(self._active)

    @property
    def is_waiting(self) -> bool:
        """Whether SAGE waits for a person's reply to a question."""
        return any(run.port.waiting for run in self._active.values())

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever a run begins or ends; return the unsubscribe function."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell_listeners(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    def waiting(self, conversation_id: str, person: Person) -> Run | None:
        """Return the run that waits for a reply of `person` in this conversation, or None.

        If several runs wait, returns the one with the latest question, and ends the others.
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

    def stop(self) -> None:
        """Cancel all runs; their answers say that SAGE was stopped."""
        for task in self._tasks.values():
            task.cancel()

    def slow(self, speaker: str) -> Sequence[Run]:
        """Return the runs that have told the speaker that they take long."""
        active = self._active.values()
        return [run for run in active if run.is_slow and run.utterance.speaker == speaker]

    def stopped(self, speaker: str) -> str | None:
        """Return the answer of the speaker's last command if the person has just stopped it."""
        at, answer = self._stopped.get(speaker, (None, None))
        return answer if at and dt_util.utcnow() - at <= _CONVERSATION_LIFETIME else None

    def end(self, runs: Iterable[Run], stopped: str) -> list[asyncio.Task[None]]:
        """Cancel those runs that are active; return their tasks. `stopped`: their answer."""
        tasks = []
        for run in runs:
            if (task := self._tasks.get(run.id)) is not None:
                run.stopped = stopped
                task.cancel()
                tasks.append(task)
        return tasks

    async def async_stop(self) -> None:
        """Cancel all runs, and wait until their tasks have ended."""
        self.stop()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def earlier(self, conversation_id: str, person: Person) -> tuple[Exchange, ...]:
        """Return the person's recent utterances and answers in a conversation, oldest first."""
        conversation = self._conversations.get((conversation_id, person.user_id))
        if conversation is None:
            return ()
        if dt_util.utcnow() - conversation.last_use > _CONVERSATION_LIFETIME:
            return ()
        return tuple(conversation.exchanges)

    def note_exchange(self, conversation_id: str, person: Person, exchange: Exchange) -> None:
        """Store an utterance and its answer, as context for later utterances."""
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
        """Return whether `oldest`, the least recently used conversation, can be dropped."""
        is_one_too_many = len(self._conversations) > _CONVERSATIONS
        return is_one_too_many or now - oldest.last_use > _CONVERSATION_LIFETIME

    def note_trace(self, person: Person, trace: dict[str, Any]) -> None:
        """Store the trace (record of the steps) of a finished command."""
        traces = self._traces.setdefault(person.user_id, deque(maxlen=_TRACES_PER_PERSON))
        traces.append((dt_util.utcnow(), trace))
        self._drop_old_traces()

    def traces(self, user_id: str | None) -> Sequence[dict[str, Any]]:
        """Return the traces of a user's recent commands, newest last.

        A trace is the record of a command's steps (`trace_of`). `user_id`: None for unidentified
        speakers.
        """
        self._drop_old_traces()
        return [trace for _, trace in self._traces.get(user_id, ())]

    def _drop_old_traces(self) -> None:
        oldest = dt_util.utcnow() - _TRACE_LIFETIME
        for traces in self._traces.values():
            while traces and traces[0][0] < oldest:
                traces.popleft()

    def end_waiting(self, user_id: str) -> None:
        """End a user's commands that wait for a reply."""
        for run in list(self._active.values()):
            if run.person.user_id == user_id:
                run.port.withdraw()

    async def async_end_all_of(self, user_id: str) -> None:
        """End all commands of a removed user, and delete their traces and turns."""
        runs = [each for each in self._active.values() if each.person.user_id == user_id]
        await asyncio.gather(*self.end(runs, ""), return_exceptions=True)
        self.forget(user_id)

    def forget(self, user_id: str | None) -> None:
        """Delete the conversation turns of a user, and the traces (steps) of the user's commands.

        `user_id`: None for unidentified speakers.
        """
        self._traces.pop(user_id, None)
        for key in [key for key in self._conversations if key[1] == user_id]:
            del self._conversations[key]


@contextmanager
def announced_wait(hass: HomeAssistant, runs: RunRegistry, run: Run) -> Iterator[None]:
    """While the block waits for the run: say once that it takes long, before the first words.

    If the block is cancelled after that, the person does not want to wait, and the run ends too.
    """
    is_open, stopped = True, ""

    async def say(_: datetime) -> None:
        nonlocal stopped
        sentences = await async_load_sentences(hass, run.utterance.language)
        stopped = sentences.say("stopped_by_person")
        if is_open and not run.streamed:
            run.is_slow = True
            # Not a part of the answer. It is long enough for Assist to begin to speak.
            run.port.emit(Delta(f"{sentences.say('takes_long')} "))

    job = HassJob(say, "SAGE says that an answer takes long", cancel_on_shutdown=True)
    cancel_timer = async_call_later(hass, SILENT_SECONDS, job)
    try:
        yield
    except asyncio.CancelledError:
        if run.is_slow:
            runs.end([run], stopped)
        raise
    finally:
        is_open = run.is_slow = False
        cancel_timer()


async def async_stop_slow(
    hass: HomeAssistant, runs: RunRegistry, person: Person, speaker: str, text: str, language: str
) -> str | None:
    """End the commands that have told `speaker` that they take long, if `text` means no or stop.

    Return the answer, or None if `text` stops nothing. A satellite cancels its turn before it
    listens, so `text` may also come just after the end of the command.
    """
    if not runs.slow(speaker) and runs.stopped(speaker) is None:
        return None
    words = await hass.async_add_executor_job(confirmation_words)
    languages = (language, *await async_languages(hass, person))
    if words.meaning(text, *languages) is not Said.NO:
        return None
    said = (await async_load_sentences(hass, language)).say("stopped_by_person")
    await asyncio.gather(*runs.end(runs.slow(speaker), said), return_exceptions=True)
    return runs.stopped(speaker) or said
