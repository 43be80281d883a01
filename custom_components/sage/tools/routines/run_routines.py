"""The routines of a run's person, and the condition code that is written in that run.

Each read and each change is recorded in the evidence of the run; a change as a sentence for the
person.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from ...agent.run import Run
from ...delivery.open_questions import OpenQuestion
from ...home.commands.evidence import Evidence
from ...home.home import PersonHome
from ...home.home_types import HomeError
from ...routines.evaluation import Trial
from ...routines.interfaces import ConditionOwner
from ...routines.routine_types import Condition, Routine, Status, Watched
from ...routines.routines import Routines
from ...routines.sandbox.sandbox_types import ConditionFunction
from ...text.speech import Sentences
from .routine_words import RoutineWords

_MOST_DEVICES: Final = 5
"""Most devices of a condition that are named to the person; the condition itself describes more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDevice:
    """A device that condition code reads, with its name for the person."""

    name: str
    area: str | None
    has_namesake: bool
    """Whether another device that the person sees has the same name."""

    @property
    def placed(self) -> str:
        """The name and area of the device: "Lamp (Bedroom)"."""
        return f"{self.name} ({self.area})" if self.area else self.name

    @property
    def spoken(self) -> str:
        """The name of the device, with its area only if another device has the same name."""
        return self.placed if self.has_namesake else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCondition:
    """Condition code that ran without an error."""

    function: str
    words: str
    """The condition as a statement in the person's words: "the washer is done"."""

    source: str
    value: bool | None
    """The value of the code when it ran; None if it was unknown."""

    bindings: Mapping[str, str] = field(default_factory=dict)
    """Name in the code -> reference to the registries."""

    devices: tuple[ReadDevice, ...] = ()
    """The devices that it reads; they are named to the person, who may notice a wrong one."""

    @property
    def for_model(self) -> str:
        """A text for a model: the present value of the code, and the devices that it reads."""
        if self.value is None:
            now = "cannot tell now: something it reads is unavailable or unknown at the moment"
        else:
            now = f"gives {self.value} now"
            if self.value:
                now += ", so it counts from the next time that it becomes true"
        text = f"The function `{self.function}` works and {now}."
        if not self.devices:
            return text
        return f"{text} It reads {', '.join(each.placed for each in self.devices)}."


class RunRoutines:
    """Reads and changes the routines of a run's person, for the tools of the run."""

    def __init__(
        self,
        routines: Routines,
        run: Run,
        evidence: Evidence,
        sentences: Sentences,
        asked: OpenQuestion | None,
    ) -> None:
        """Record everything in `evidence`.

        `asked`: the question of a routine that the request may answer in words.
        """
        self._routines = routines
        self._run = run
        self._evidence = evidence
        self._sentences = sentences
        self._asked = asked
        self._written: dict[str, WrittenCondition] = {}
        self.words: Final = RoutineWords(sentences, run.utterance.now)

    # ------------------------------------------------------------- conditions

    @property
    def functions(self) -> tuple[ConditionFunction, ...]:
        """The functions that condition code may call."""
        return self._routines.functions

    async def async_check_ready(self) -> None:
        """Raise UncheckableError where condition code cannot run on this machine."""
        await self._routines.async_check_ready()

    async def async_try(self, source: str, function: str) -> Trial:
        """Run condition code once. Raises RoutineError."""
        condition = Condition(function=function, source=source)
        return await self._routines.async_try(condition, ConditionOwner(person=self._run.person))

    def keep(self, condition: WrittenCondition) -> None:
        """Store code under the name of its function; replaces earlier code of that name."""
        self._written[condition.function] = condition
        self._evidence.record_condition()

    def condition(self, function: str) -> WrittenCondition | None:
        """Return the code with this function; None if it was not written in this run."""
        return self._written.get(function)

    @property
    def written(self) -> tuple[str, ...]:
        """The functions that were written in this run, in order."""
        return tuple(self._written)

    # ------------------------------------------------------------- reading

    @property
    def trouble(self) -> str | None:
        """A sentence that says why routines cannot be read; None if they can."""
        return self._routines.trouble

    @property
    def unreadable(self) -> int:
        """The number of routines of the home that are damaged or of a newer version."""
        return len(self._routines.unreadable)

    @property
    def firing(self) -> Watched | None:
        """The routine whose firing is this run; None for a request, or after its deletion."""
        fired = self._run.utterance.routine
        return None if fired is None else self._routines.get(fired.id)

    @property
    def question(self) -> str | None:
        """The open question of a routine, which this request may answer; None if none is open."""
        return None if self._asked is None else self._asked.text

    def own(self) -> dict[int, Watched]:
        """Return the person's routines that have not ended, by the numbers of their switches.

        Raises RoutineStoreError while they cannot be read.
        """
        own = dict(self._own())
        self._evidence.record_routines_listed()
        return own

    def listed(self, most: int) -> tuple[dict[int, str], int]:
        """Return the newest routines in words, by number, and how many more there are.

        At most `most`, and only those that cannot contain untrusted text. They are for the prompt
        and not recorded as read, since nobody has asked for them.
        """
        own = dict(self._own())
        trusted = [number for number, each in own.items() if not each.routine.tainted]
        shown = sorted(trusted)[-most:]
        return {n: self.words.listed(own[n]) for n in shown}, len(own) - len(shown)

    def _own(self) -> Iterator[tuple[int, Watched]]:
        for each in self._routines.list(self._run.person.user_id):
            if each.routine.status is not Status.ENDED:
                yield each.routine.number, each

    # ------------------------------------------------------------- changing

    async def async_create(
        self, routine: Routine, *, wait: timedelta | None, asks_first: bool
    ) -> None:
        """Store a routine and watch it; see `RoutineWords.made`. Raises RoutineError."""
        watched = await self._routines.async_create(routine)
        devices = self._devices(watched.routine)
        self._evidence.record_routine(
            self.words.made(watched, wait, devices, asks_first=asks_first)
        )

    async def async_delete(self, routine: Routine) -> None:
        """Delete a routine of the person. Raises RoutineError."""
        await self._routines.async_delete(routine.id)
        self._record("routine_deleted", routine)

    async def async_pause(self, routine: Routine, until: datetime | None) -> None:
        """Pause a routine of the person, optionally until a time (UTC). Raises RoutineError."""
        await self._routines.async_pause(routine.id, until)
        if until is None:
            self._record("routine_paused_now", routine)
        else:
            self._record("routine_paused_until_now", routine, time=self.words.time(until))

    async def async_resume(self, routine: Routine) -> None:
        """Resume a routine of the person. Raises RoutineError."""
        now = await self._routines.async_resume(routine.id)
        if now.status is Status.WATCHING:
            self._record("routine_resumed", routine)
        else:
            self._evidence.record_routine(self.words.listed(now))

    def answer(self) -> str | None:
        """Answer the question of a routine with the unchanged words of the person.

        Returns the sentence about it; None if there is nothing to answer, or if the run is
        tainted.
        """
        asked = self._asked
        if asked is None or asked.reply.done() or asked.then.done() or self._run.tainted:
            return None
        asked.answer(self._run.utterance.text, is_signed_in=True)
        told = self._sentences.say("routine_answered")
        self._evidence.record_routine(told)
        return told

    def _record(self, key: str, routine: Routine, **placeholders: str) -> None:
        gist = self.words.gist(routine)
        self._evidence.record_routine(self._sentences.say(key, routine=gist, **placeholders))

    def _devices(self, routine: Routine) -> list[str]:
        """Return the devices that the routine reads, so that the person notices a wrong one."""
        conditions = [
            each for each in (routine.trigger, routine.end) if isinstance(each, Condition)
        ]
        written = [self.condition(each.function) for each in conditions]
        names = [device.spoken for each in written if each is not None for device in each.devices]
        devices = list(dict.fromkeys(names))
        return devices if len(devices) <= _MOST_DEVICES else []


async def async_devices_read(home: PersonHome, bindings: Iterable[str]) -> tuple[ReadDevice, ...]:
    """Return the devices that condition code names, by the keys of its bindings."""
    listing = await home.async_listing()
    names = [each.name for each in listing.devices]
    found: dict[str, ReadDevice] = {}
    # A key that is not a plain name refers to a part of a device.
    for key in filter(str.isprintable, bindings):
        with suppress(HomeError):
            device = listing.find(key).device
            found[device.id] = ReadDevice(
                name=device.name, area=device.area, has_namesake=names.count(device.name) > 1
            )
    return tuple(found.values())
