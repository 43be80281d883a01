"""Routines as data: what to watch for, what to do then, for whom (DESIGN 8)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final, Self

from ..people.person import KnownBy, Person
from .sandbox.model import Value

DEFAULT_INTERVAL: Final = 10.0
"""Seconds between two checks of a condition that goes by the time; changes are seen at once."""

SHORTEST_INTERVAL: Final = 2.0

LONG_UNKNOWN: Final = timedelta(days=1)
"""Who watches for something is told when it has not been known for so long whether it is so."""


class RoutineKind(StrEnum):
    """What a routine is for."""

    DO = "do"
    """To do something in the home."""
    TELL = "tell"
    """To tell its person something: a reminder, a message."""


class Repeat(StrEnum):
    """How often a routine fires."""

    ONCE = "once"
    """The next time, then never again."""
    ALWAYS = "always"
    """Whenever it becomes true."""


class Status(StrEnum):
    """Whether a routine is watching, and if not, why."""

    WATCHING = "watching"
    PAUSED = "paused"
    """By its person, perhaps until a time."""
    FAILING = "failing"
    """Its code fails, also after a repair."""
    NOT_EXPOSED = "not_exposed"
    """Something it reads is gone, or may not be seen any more."""
    OWNER_GONE = "owner_gone"
    """Its person is no user at present; see `Routine.set_aside`."""
    LOOPING = "looping"
    """It set itself off."""
    TOO_OFTEN = "too_often"
    """It fired more often than a routine may."""
    UNCHECKABLE = "uncheckable"
    """Its condition code cannot run on this machine at present. Never stored: see `Watched`."""
    ENDED = "ended"
    """It has fired for the last time, or its time is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Condition code: fires when it becomes True."""

    function: str
    source: str
    interval: float = DEFAULT_INTERVAL
    """Seconds."""

    hold: timedelta = timedelta(0)
    """How long it must be True without a break before it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One point in time."""

    at: datetime
    """UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Daily:
    """A clock time of the home, on some days of the week."""

    at: time
    """Local, naive: across clock changes it stays the same time on the clock."""

    weekdays: frozenset[int] = frozenset(range(7))
    """0 is Monday."""


type Trigger = Condition | Moment | Daily


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCommand:
    """A command that was validated when its routine was settled; nothing was executed then."""

    target: str
    """Reference to the registries (`lent/references.py`): it outlives a rename."""

    name: str
    """What the target is called, for sentences."""

    command: str
    arguments: Mapping[str, Value] = field(default_factory=dict)
    """By name, as documented; an entity id in them is a reference, too."""

    component: str = ""
    """Of a SmartThings device; empty if the target is an entity."""

    capability: str = ""
    """Of a SmartThings device; empty if the target is an entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """Commands that are executed in their order, without a model."""

    commands: tuple[StoredCommand, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words that the person gets as they are, without a model."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """The model decides at each firing: it depends on the state of the home then."""


type Action = Commands | Words | Decide


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """A persistent command of a person. What changes while it is watched is in `Memo`."""

    id: str
    """A ULID."""

    owner: str | None
    """Home Assistant user id; None for the household."""

    known_by: KnownBy
    """How it was known who asked."""

    agent_id: str
    """Config subentry of the agent that was asked."""

    language: str
    request: str
    """What the person said."""

    when: str
    """What is watched for, in the person's words: "the fridge is opened"."""

    command: str
    """What is to be done, in words; the model gets it where it decides at the firing."""

    trigger: Trigger
    repeat: Repeat
    created_at: datetime
    """UTC."""

    kind: RoutineKind = RoutineKind.DO
    """Routines of files without this field are DO: a claim about the home has to be proven."""

    action: Action | None = None
    """What is done at each firing. None: not settled yet, so the model decides."""

    notify: bool = False
    """The person also wants to hear of a device action that went well."""

    undo_after: bool = False
    """When the condition is False again, what was changed is put back."""

    end: Condition | None = None
    """Only with a condition and `undo_after`: what was changed is put back when this is True.

    It is checked instead of the trigger from a firing on until it is True, so that
    "over 70 until under 60" has two thresholds.
    """

    end_when: str = ""
    """What `end` waits for, in the person's words: "it is under 60"."""

    expires: datetime | None = None
    """UTC; nothing fires from then on."""

    room: str | None = None
    satellite_id: str | None = None
    device_id: str | None = None
    """Where it was asked for; as in an utterance."""

    tainted: bool = False
    """Made after untrusted text was read (DESIGN 10)."""

    bindings: Mapping[str, str] = field(default_factory=dict)
    """Name in the code -> reference to the registries."""

    status: Status = Status.WATCHING
    paused_until: datetime | None = None
    """UTC; only with PAUSED, or with a routine that was PAUSED when it was set aside."""

    set_aside: Status | None = None
    """The status that it gets back with its person; only with OWNER_GONE."""

    is_repaired: bool = False
    """The model has mended the code once."""

    trouble: str = ""
    """Why it is not watching: the last error, for its person."""

    number: int = field(default=0, compare=False)
    """What people call it by, and its switch; unique, never given twice. The store gives it."""

    @property
    def person(self) -> Person:
        """Whom it belongs to; the name is not known here."""
        return Person(user_id=self.owner, name="", known_by=self.known_by)

    @property
    def needs_model(self) -> bool:
        """Whether a model decides at each firing."""
        return self.action is None or isinstance(self.action, Decide)

    def condition(self, memo: Memo) -> Condition | None:
        """Return the condition that is checked now; None where the clock decides."""
        if memo.is_acting:
            return self.end
        return self.trigger if isinstance(self.trigger, Condition) else None

    def when_checked(self, condition: Condition) -> str:
        """Return what one of its two conditions waits for, in the person's words."""
        return self.end_when if condition == self.end else self.when

    def with_source(self, condition: Condition, source: str) -> Self:
        """Return the routine with other code for one of its two conditions."""
        changed = replace(condition, source=source)
        if condition == self.end:
            return replace(self, end=changed)
        return replace(self, trigger=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memo:
    """What of a routine changes from check to check; survives a restart."""

    before: bool | None = None
    """Whether the condition held (for long enough) at the last check; None: not checked yet."""

    true_since: datetime | None = None
    """Since when the code returns True without a break; UTC."""

    state: Mapping[str, Value] = field(default_factory=dict)
    """The dict of the code."""

    next_due: datetime | None = None
    """When a routine that goes by the clock fires next; UTC."""

    last_fired: datetime | None = None
    fired: int = 0
    is_acting: bool = False
    """It has fired and its `end` has not come since; only with an `end`."""

    failures: int = 0
    """Checks in a row that failed."""

    unknown_since: datetime | None = None
    """Since when no check has told whether the condition holds; UTC."""

    def is_long_unknown(self, now: datetime) -> bool:
        """Return whether a person should be told that nothing is known at all."""
        return self.unknown_since is not None and now - self.unknown_since >= LONG_UNKNOWN


class EdgeKind(StrEnum):
    """Which way the condition went."""

    ON = "on"
    OFF = "off"
    """Only journaled where something is to be put back."""


class FiringStep(StrEnum):
    """How far a firing is. Each step is on the disk before the next one begins."""

    JOURNALED = "journaled"
    """The edge is noted; nothing is done yet."""
    STARTED = "started"
    """The command runs. After a crash it is reported, never repeated."""
    DONE = "done"
    """It is over; its answer is not delivered yet."""
    DELIVERED = "delivered"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFiring:
    """An edge that is to be journaled."""

    routine_id: str
    edge: EdgeKind
    at: datetime
    chain: tuple[str, ...] = ()
    """Ids of the routines whose commands led to this edge, the first one first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """An edge in the journal."""

    id: int
    routine_id: str
    edge: EdgeKind
    at: datetime
    chain: tuple[str, ...] = ()
    step: FiringStep = FiringStep.JOURNALED
    answer: str = ""
    """What its person is to hear."""

    is_failure: bool = False
    """It did not do what it was to do."""

    undo: Mapping[str, Value] | None = None
    """What is needed to put back what it changed, as JSON has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What became of the command of a firing."""

    answer: str
    """For the person; empty for nothing to deliver."""

    is_failure: bool = False
    changed: frozenset[str] = frozenset()
    """Keys (as in `Answered.keys`) of what its commands changed."""

    undo: Mapping[str, Value] | None = None


class RoutineEventKind(StrEnum):
    """What happened to a routine."""

    CREATED = "created"
    LOADED = "loaded"
    """It was stored before, and was read only now."""
    CHANGED = "changed"
    """Its status, its times or its code; see `Routine.status`."""
    REMOVED = "removed"
    FIRED = "fired"
    DONE = "done"
    """A firing is over, see `firing`."""
    INTERRUPTED = "interrupted"
    """A firing was broken off by a restart; it is not repeated."""
    REPAIRED = "repaired"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineEvent:
    """Told to whoever listens: entities, the logbook, repair issues."""

    kind: RoutineEventKind
    routine: Routine
    memo: Memo
    firing: Firing | None = None


class RoutineError(Exception):
    """A routine cannot be made or changed; the text names the mend, for the model and people."""
