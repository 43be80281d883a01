"""Registry of active runs, with recent traces and conversation turns in RAM."""

import asyncio
import contextvars
import logging
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HassJob, HomeAssistant
from homeassistant.helpers.dispatcher import async_dispatcher_send
from homeassistant.helpers.event import async_call_later
from homeassistant.util import dt as dt_util
from homeassistant.util.signal_type import SignalType

from ..agent import Delta, End, EndKind, Exchange, Run, Stopped, Streamed
from ..helpers import is_cancelled
from ..home import Evidence
from ..memory import LongTermMemory, MemoryStoreError, PersonMemory
from ..people import KnownBy, Person, Said, async_languages, async_meaning
from ..text import async_load_sentences
from ..tools import AskedConfirmation

_LOGGER = logging.getLogger(__name__)

RUN_CHANGED: Final[SignalType[Run, bool]] = SignalType("sage_run_changed")
"""Sent with a run that began, recorded something, or is over, and whether it is over."""

SILENT_SECONDS: Final = 15.0
"""Seconds without a word after which SAGE says that an answer takes long."""

SETTLED_SECONDS: Final = 10.0
"""Delay between a command that interrupted background work, or a change, and new work."""

_RUNS_PER_PERSON: Final = 20
_TRACE_LIFETIME: Final = timedelta(days=1)
"""Equals the shortest possible retention of the command log, which stores the same traces."""

_TOLD_AGAIN: Final = timedelta(hours=1)
_EXCHANGES: Final = 6
_CONVERSATION_LIFETIME: Final = timedelta(minutes=5)  # that of conversations in Home Assistant


type _Finished = tuple[datetime, dict[str, Any], Exchange | None]
"""Time, trace and conversation turn of a finished command."""


class RunRegistry:
    """Starts runs; keeps traces (steps) and turns (utterances with answers) of each user."""

    def __init__(self) -> None:
        self.active: dict[str, Run] = {}  # run id -> run in progress, or that waits for a reply
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._stopped: dict[str, tuple[datetime, str]] = {}
        """Speaker -> time and answer of the last command, if the person stopped it."""

        self._told: dict[tuple[str, str], datetime] = {}
        """Agent id and speaker -> time of the last reply of the second model to this speaker."""

        self._idle = asyncio.Event()  # set while no command is in progress or waits for a reply

        self._idle.set()
        self._background: asyncio.Task[Any] | None = None
        self._background_turn = asyncio.Lock()
        self._finished: dict[str | None, deque[_Finished]] = {}  # user id -> oldest first

    def start(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry[Any],
        run: Run,
        work: Coroutine[Any, Any, None],
        *,
        stopped: str,
    ) -> asyncio.Task[None]:
        """Start `run` as a task, and return the task.

        - `work`: executes the run
        - `stopped`: the answer if the task is cancelled before `work` starts
        """
        self._stopped.pop(run.utterance.speaker, None)
        self.active[run.id] = run
        self._idle.clear()
        if self._background is not None:
            # A local model server handles one request at a time.
            self._background.cancel()
        empty = contextvars.Context()
        task = empty.run(
            entry.async_create_background_task, hass, work, f"sage run {run.id}", eager_start=False
        )

        def over(_: asyncio.Task[None]) -> None:
            # The work may have been cancelled before it began.
            work.close()
            self.active.pop(run.id, None)
            self._tasks.pop(run.id, None)
            if task.cancelled():
                run.port.emit(End(EndKind.FAILURE, run.stopped or stopped))
            if run.stopped is not None:
                answer = run.record.answer or run.stopped
                self._stopped[run.utterance.speaker] = (dt_util.utcnow(), answer)
            if not self.active:
                self._idle.set()
            async_dispatcher_send(hass, RUN_CHANGED, run, True)

        def report(contents: Sequence[object]) -> None:
            # The words of an answer are not among the steps.
            if not any(isinstance(each, Streamed) for each in contents):
                async_dispatcher_send(hass, RUN_CHANGED, run, False)

        self._tasks[run.id] = task
        task.add_done_callback(over)
        run.record.listeners.append(report)
        report(())
        return task

    async def async_while_idle[T](self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Await `work()` while no command is in progress; return its result.

        A command cancels the work, which then begins again after the command. Only one of all
        callers works at a time.
        """
        while True:
            await self._idle.wait()
            async with self._background_turn:
                if not self._idle.is_set():
                    continue
                self._background = task = asyncio.create_task(work())
                try:
                    return await task
                except asyncio.CancelledError:
                    if is_cancelled():
                        raise
                finally:
                    self._background = None
            await self._idle.wait()
            await asyncio.sleep(SETTLED_SECONDS)

    def waiting(
        self, conversation_id: str, person: Person, speaker: str | None = None
    ) -> Run | None:
        """Return the run that waits for a reply of `person` in this conversation, or None.

        `speaker`: key of a satellite, if the voice of the reply was not compared: then a run waits
        for it, too, whose person was recognized by the voice at this satellite.

        If several runs wait, returns the one with the latest question, and ends the others.
        """
        runs = [
            run
            for run in self.active.values()
            if run.port.waiting
            and run.utterance.conversation_id == conversation_id
            and (
                run.person.user_id == person.user_id
                or (run.person.known_by is KnownBy.VOICE and run.utterance.speaker == speaker)
            )
        ]
        runs.sort(key=lambda run: run.port.asked_at)
        for run in runs[:-1]:
            run.port.withdraw()
        return runs[-1] if runs else None

    def stop(self) -> None:
        """Cancel all runs; their answers say that SAGE was stopped."""
        for task in self._tasks.values():
            task.cancel()

    def _end(self, runs: Iterable[Run], stopped: str) -> list[asyncio.Task[None]]:
        """Cancel those runs that are active; return their tasks. `stopped`: their answer."""
        tasks = []
        for run in runs:
            if (task := self._tasks.get(run.id)) is not None:
                if run.stopped is None:
                    run.record.add(Stopped(stopped))
                    task.cancel()
                tasks.append(task)
        return tasks

    @contextmanager
    def announced_wait(self, hass: HomeAssistant, run: Run) -> Iterator[None]:
        """While the block waits for the run: say once that it takes long, before the first words.

        If the block is cancelled after that, the person does not want to wait, so the run ends too.
        """
        is_open, stopped = True, ""

        async def say(_: datetime) -> None:
            nonlocal stopped
            sentences = await async_load_sentences(hass, run.utterance.language)
            stopped = sentences.say("stopped_by_person")
            if is_open and not run.record.streamed:
                run.port.is_slow = True
                # Not a part of the answer. It is long enough for Assist to begin to speak.
                run.port.emit(Delta(f"{sentences.say('takes_long')} "))

        job = HassJob(say, "SAGE says that an answer takes long", cancel_on_shutdown=True)
        cancel_timer = async_call_later(hass, SILENT_SECONDS, job)
        try:
            yield
        except asyncio.CancelledError:
            if run.port.is_slow:
                self._end([run], stopped)
            raise
        finally:
            is_open = run.port.is_slow = False
            cancel_timer()

    async def async_stop_slow(
        self, hass: HomeAssistant, person: Person, speaker: str, text: str, language: str
    ) -> str | None:
        """End the commands that `speaker` knows to take long, if `text` means no or stop.

        Return the answer, or None if `text` stops nothing. A satellite cancels its turn before it
        listens, so `text` may also come while the command ends, or just after its end.
        """
        at, _ = self._stopped.get(speaker, (None, ""))
        is_over = at is not None and dt_util.utcnow() - at <= _CONVERSATION_LIFETIME
        own = [run for run in self.active.values() if run.utterance.speaker == speaker]
        slow = [run for run in own if run.port.is_slow or run.stopped is not None]
        if not slow and not is_over:
            return None
        languages = (language, *await async_languages(hass, person))
        if await async_meaning(hass, text, languages) is not Said.NO:
            return None
        said = (await async_load_sentences(hass, language)).say("stopped_by_person")
        await asyncio.gather(*self._end(slow, said), return_exceptions=True)
        return self._stopped.get(speaker, (None, ""))[1] or said

    async def async_stop(self) -> None:
        """Cancel all runs, and wait until their tasks have ended."""
        self.stop()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def note(self, person: Person, trace: dict[str, Any], exchange: Exchange | None = None) -> None:
        """Store a finished command's trace and `exchange`, as context for later ones, if any."""
        finished = self._finished.setdefault(person.user_id, deque(maxlen=_RUNS_PER_PERSON))
        finished.append((dt_util.utcnow(), trace, exchange))

    def earlier(self, conversation_id: str, person: Person) -> tuple[Exchange, ...]:
        """Return the person's recent utterances and answers in a conversation, oldest first."""
        turns: list[Exchange] = []
        next_at = dt_util.utcnow()
        for at, trace, exchange in reversed(self._finished.get(person.user_id, ())):
            if exchange is None or trace["conversation_id"] != conversation_id:
                continue
            if next_at - at > _CONVERSATION_LIFETIME or len(turns) == _EXCHANGES:
                break
            turns.append(exchange)
            next_at = at
        return tuple(reversed(turns))

    def traces(self, user_id: str | None) -> Sequence[dict[str, Any]]:
        """Return the traces of a user's recent commands, newest last.

        A trace is the record of a command's steps (`trace_of`). `user_id`: None for unidentified
        speakers.
        """
        oldest = dt_util.utcnow() - _TRACE_LIFETIME
        for finished in self._finished.values():
            while finished and finished[0][0] < oldest:
                finished.popleft()
        return [trace for _, trace, _ in self._finished.get(user_id, ())]

    def summaries(self, user_id: str | None) -> list[dict[str, Any]]:
        """Return the short forms of `traces`, for lists of commands."""
        return [_summary(trace) for trace in self.traces(user_id)]

    def waiting_summaries(self, user_id: str | None) -> list[dict[str, Any]]:
        """Return the commands of a user that wait for a reply, with the question as the answer."""
        return [
            _summary(trace_of(run, End(EndKind.ANSWER, asked.text), Evidence(), (), ()))
            for run in self.active.values()
            if run.person.user_id == user_id and (asked := run.port.open_question) is not None
        ]

    def is_news(self, agent_id: str, speaker: str) -> bool:
        """Note a reply of the second model; return whether to say so, once an hour."""
        key, now = (agent_id, speaker), dt_util.utcnow()
        last, self._told[key] = self._told.get(key), now
        return last is None or now - last > _TOLD_AGAIN

    async def async_end_all_of(self, user_id: str) -> None:
        """End all commands of a removed user, and delete their traces and turns."""
        runs = [each for each in self.active.values() if each.person.user_id == user_id]
        await asyncio.gather(*self._end(runs, ""), return_exceptions=True)
        self.forget(user_id)

    def forget(self, user_id: str | None) -> None:
        """Delete a user's conversation turns and traces; None: of unidentified speakers."""
        self._finished.pop(user_id, None)


# ------------------------------------------------------------ traces


def trace_of(
    run: Run,
    end: End,
    evidence: Evidence,
    outcomes: Sequence[Mapping[str, Any]],
    seen: Iterable[str],
) -> dict[str, Any]:
    """Return the trace of a finished run: all its steps, as a JSON-compatible dict.

    It leaves out all words of the person and of the answer if the run has deleted memories.

    - `end`: its end; if the person replied with a new request, the question counts as the answer
    - `outcomes`: the final outcomes as dicts, with sentences in the person's language
    - `seen`: sentences about what was read, and other steps
    """
    steps, is_silent = run.record.tree(), evidence.has_forgotten
    root, calls = steps[0], [step for step in steps if step["kind"] == "model"]
    if is_silent:
        root = root | {"arguments": {}, "result": "", "children": []}
    utterance, confirmations = run.utterance, run.record.all(AskedConfirmation)
    fired = utterance.routine
    answer = run.port.last_question if end.kind is EndKind.NEW_REQUEST else end.text
    return {
        "id": run.id,
        "at": utterance.now.isoformat(),
        "conversation_id": utterance.conversation_id,
        "command": "" if is_silent else utterance.text,
        "answer": "" if is_silent else answer,
        "kind": end.kind.value,
        "routine": None if fired is None or is_silent else fired.when,
        "routine_id": None if fired is None or is_silent else fired.id,
        "seconds": root["seconds"],
        "model_seconds": round(sum(call["seconds"] for call in calls), 3),
        "model_calls": len(calls),
        "usage": run.record.usage.as_dict(),
        "confirmations": [] if is_silent else [asdict(each) for each in confirmations],
        "outcomes": outcomes,
        "external_actions": [action.kind.value for action in evidence.external_actions],
        "reads": evidence.reads,
        "seen": [] if is_silent else list(seen),
        "voice": utterance.voice and utterance.voice.as_json(),
        "root": root,
    }


_LISTED: Final = (
    "id",
    "at",
    "conversation_id",
    "command",
    "answer",
    "kind",
    "routine",
    "routine_id",
    "seconds",
    "model_calls",
    "usage",
)


def _summary(trace: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **{key: trace[key] for key in _LISTED},
        "outcomes": [
            {key: each[key] for key in ("name", "kind", "sentence", "component")}
            for each in trace["outcomes"]
        ],
        "confirmations": len(trace["confirmations"]),
    }


async def async_log(memory: LongTermMemory, person: Person, trace: dict[str, Any]) -> None:
    """Store the trace of a finished command in the person's log."""
    at, summary = datetime.fromisoformat(trace["at"]), _summary(trace)
    try:
        await memory.async_do(person, PersonMemory.log, trace["id"], at, summary, trace)
    except MemoryStoreError as err:
        _LOGGER.warning("A command could not be logged: %s", err)
