"""The routines of the person who made a request, for the tools that process this request.

If a tool writes condition code, it is kept here until the end of the request, so that another tool
can create a routine with it. Reads and changes of routines are recorded in `Evidence`.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from homeassistant.helpers import llm

from ...agent import FinishKind, Run, final_answer, text_result
from ...home import Evidence, HomeError, HomeView, RunEvent, RunEventKind
from ...routines import CheckOutcome, Condition, Routine, Routines, Status, Watched
from ...text import Sentences, Verbatim
from .routine_words import RoutineWords

_MOST_DEVICES: Final = 5  # maximum number of a condition's devices that are named; of more, none is


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCondition:
    """Condition code that the model wrote for the current request; it ran without an error."""

    function: str
    words: str  # the condition as a statement in the person's words, such as "the washer is done"
    source: str
    value: bool | None
    """The result of running the code; None if a value that the code reads was unknown."""

    devices: tuple[str, ...] = ()  # names of the devices that the code reads, for the person

    @property
    def for_model(self) -> str:
        """A text for the model: what the code returns now, and which devices it reads."""
        if self.value is None:
            now = "cannot tell now: something it reads is unavailable or unknown at the moment"
        else:
            now = f"gives {self.value} now"
            if self.value:
                now += ", so it counts from the next time that it becomes true"
        text = f"The function `{self.function}` works and {now}."
        if not self.devices:
            return text
        return f"{text} It reads {', '.join(self.devices)}."


class RoutineOperation(StrEnum):
    """An operation on the routines of a person."""

    LIST = "list"
    DELETE = "delete"
    PAUSE = "pause"
    RESUME = "resume"


class RunRoutines:
    """Access to one person's routines while one request of this person is processed."""

    def __init__(
        self, routines: Routines, run: Run, evidence: Evidence, sentences: Sentences
    ) -> None:
        """`evidence`: answers questions to the record of the run."""
        # Tools reach routines only through the methods below, which record what they read and do.
        self._routines = routines
        self.task_info: Final = routines.task_info
        """Adds the functions that condition code may call to a prompt."""

        self.async_check_ready: Final = routines.async_check_ready
        """Raises UncheckableError if condition code cannot run on this machine."""

        self.trouble: Final = routines.trouble
        """A sentence that explains why routines cannot be read; None if they can."""

        self.unreadable: Final = len(routines.unreadable)
        """The number of routines in the home that are damaged or from a newer version of SAGE."""

        self.has_some: Final = not routines.trouble and bool(routines.list(run.person.user_id))
        """Whether the person had routines when the run began."""

        self._run = run
        self._evidence = evidence
        self._sentences = sentences
        self.written: dict[str, WrittenCondition] = {}
        """Function name -> the condition code that was passed to `keep`, the oldest first."""

        self.words: Final = RoutineWords(sentences, run.utterance.now)
        """Composes sentences about routines in the language of the run."""

        self._created: list[Routine] = []

    # ------------------------------------------------------------- conditions

    async def async_try(self, source: str, function: str) -> CheckOutcome:
        """Run the function named `function` in the code `source` once, in the sandbox.

        Raises RoutineError if the person may not read a value, or if code cannot run on this
        machine.
        """
        condition = Condition(function=function, source=source)
        return await self._routines.evaluator.async_try(condition, self._run.person)

    def keep(self, condition: WrittenCondition) -> None:
        """Keep condition code in memory until the person's current request has been processed.

        The code replaces earlier code with the same function name.
        """
        self.written[condition.function] = condition
        self._run.record.add(RunEvent(kind=RunEventKind.CONDITION_WRITTEN))

    # ------------------------------------------------------------- reading

    @property
    def firing(self) -> Watched | None:
        """The routine whose stored command is executed, or None."""
        fired = self._run.utterance.routine
        return None if fired is None else self._routines.get(fired.id)

    def own(self) -> dict[int, Watched]:
        """Return a dict of the person's routines that have not ended: number -> routine.

        The number is 3 for "Routine 3", as in the routine's switch entity. Raises RoutineStoreError
        if routines cannot be read.
        """
        own = self._own()
        self._run.record.add(RunEvent(kind=RunEventKind.ROUTINES_LISTED))
        return own

    def listed(self, most: int) -> tuple[dict[int, str], int]:
        """Return sentences about the newest routines, and the count of the person's other routines.

        The sentences are a dict: number of the routine -> sentence, with at most `most` items.
        Routines that may contain untrusted text have no sentence.
        """
        # The sentences are for the prompt, so this is not recorded as a listing in `Evidence`.
        own = self._own()
        trusted = [number for number, each in own.items() if not each.routine.tainted]
        shown = sorted(trusted)[-most:]
        return {n: self.words.listed(own[n]) for n in shown}, len(own) - len(shown)

    def names(self) -> list[str]:
        """Return the conditions and actions of the person's routines, in words."""
        own = [each.routine for each in self._own().values()]
        conditions = [each.when for each in own if isinstance(each.trigger, Condition)]
        return [*conditions, *(each.command for each in own)]

    def _own(self) -> dict[int, Watched]:
        own = self._routines.list(self._run.person.user_id)
        return {o.routine.number: o for o in own if o.routine.status is not Status.ENDED}

    # ------------------------------------------------------------- changing

    async def async_create(
        self, routine: Routine, *, wait: timedelta | None, asks_first: bool
    ) -> None:
        """Store and activate a new routine; record the sentences that confirm it to the person.

        If this run has already created an equal routine, do nothing.

        `wait`: the duration if the person said one, as in "in 20 minutes". `asks_first`: whether
        the person has to confirm each execution. Raises RoutineError.
        """
        # Small models repeat a call that succeeded; the person would hear each copy of a reminder.
        if any(replace(each, id=routine.id) == routine for each in self._created):
            return
        watched = await self._routines.async_create(routine)
        self._created.append(routine)
        devices = self._devices(watched.routine)
        if len(devices) > _MOST_DEVICES:
            devices = []
        self._note(self.words.made(watched, wait, devices, asks_first=asks_first))

    def proposed(self, routine: Routine) -> Verbatim:
        """Return all of a routine that is not stored yet, for a question."""
        return self.words.proposed(routine, self._devices(routine))

    async def async_change(
        self, operation: RoutineOperation, routine: Routine, until: datetime | None
    ) -> None:
        """Delete, pause or resume a routine of the person, and record the sentence about it.

        `until`: the end of the pause (UTC), or None. Raises RoutineError.
        """
        key, placeholders = "routine_resumed", {}
        match operation:
            case RoutineOperation.DELETE:
                key = "routine_deleted"
                await self._routines.async_delete(routine.id)
                self._created = [each for each in self._created if each.id != routine.id]
            case RoutineOperation.PAUSE:
                await self._routines.async_pause(routine.id, until)
                key = "routine_paused_now"
                if until is not None:
                    key, placeholders = "routine_paused_until_now", {"time": self.words.time(until)}
            case RoutineOperation.RESUME:
                now = await self._routines.async_resume(routine.id)
                if now.status is not Status.WATCHING:
                    self._note(self.words.listed(now))
                    return
        self._note(self._sentences.say(key, routine=self.words.gist(routine), **placeholders))

    def changed(self, done: str, *, is_final: bool) -> llm.ToolResult:
        """Return the recorded sentences about changes of routines, after the word `done`.

        It is the final answer if `is_final` and the run has changed nothing else. Otherwise, it is
        a tool result for the model.
        """
        evidence = self._evidence
        answer = " ".join(evidence.routines)
        if is_final and not (evidence.wrote or evidence.memory_changed):
            return final_answer(FinishKind.ACTED, answer, tells_run=True)
        return text_result(f"{done}: {answer} When all is done, `finish` with kind `acted`.")

    def _note(self, sentence: str) -> None:
        self._run.record.add(RunEvent(kind=RunEventKind.ROUTINE_CHANGED, text=sentence))

    def _devices(self, routine: Routine) -> list[str]:
        names: dict[str, None] = {}
        for condition in (routine.trigger, routine.end):
            if isinstance(condition, Condition) and condition.function in self.written:
                names |= dict.fromkeys(self.written[condition.function].devices)
        return list(names)


async def async_devices_read(home: HomeView, bindings: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the devices that condition code reads.

    `bindings`: the device and entity names in the code. Unknown names are ignored. Two devices with
    one name have the area in their names, such as "Lamp (Bedroom)".
    """
    listing = await home.async_listing()
    names = [each.name for each in listing.devices]
    read: dict[str, str] = {}
    # A key with an unprintable character refers to a component of a device.
    for key in filter(str.isprintable, bindings):
        with suppress(HomeError):
            device = listing.find(key).device
            is_unique = names.count(device.name) == 1 or not device.area
            read[device.id] = device.name if is_unique else f"{device.name} ({device.area})"
    return tuple(read.values())
