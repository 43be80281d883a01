"""The data of routines: trigger, action, person."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final, Self

from ..people.person import KnownBy, Person
from .sandbox.sandbox_types import SandboxError, Value

DEFAULT_INTERVAL: Final = 10.0
"""Seconds between two checks of a condition; changes of devices trigger a check at once."""

SHORTEST_INTERVAL: Final = 2.0

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

LONG_UNKNOWN: Final = timedelta(days=1)
"""Time after which an unknown condition is reported."""


class RoutineKind(StrEnum):
    """The purpose of a routine."""

    DO = "do"
    """The routine does something in the home."""
    TELL = "tell"
    """The routine sends its person a reminder or a message."""


class Repeat(StrEnum):
    """How often a routine fires."""

    ONCE = "once"
    """The routine fires the next time, then never again."""
    ALWAYS = "always"
    """The routine fires whenever its condition becomes true, or its time comes."""


class Status(StrEnum):
    """Whether a routine is active (WATCHING), and if not, why."""

    WATCHING = "watching"
    PAUSED = "paused"
    """The person paused the routine, perhaps until a time."""
    FAILING = "failing"
    """The condition code fails, also after a repair."""
    NOT_EXPOSED = "not_exposed"
    """A device that the condition reads no longer exists, or may no longer be read."""
    OWNER_GONE = "owner_gone"
    """The person is currently not a user; see `Routine.set_aside`."""
    LOOPING = "looping"
    """The routine triggered itself, directly or through others."""
    TOO_OFTEN = "too_often"
    """The routine fired more often than a routine may."""
    UNCHECKABLE = "uncheckable"
    """Condition code cannot run on this machine at present. Never stored: see `Watched`."""
    ENDED = "ended"
    """The routine has fired for the last time, or has expired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A trigger by condition code: the routine fires when the code becomes True."""

    function: str
    source: str
    interval: float = DEFAULT_INTERVAL
    """Seconds between two checks."""

    hold: timedelta = timedelta(0)
    """How long the code must return True without interruption before the routine fires."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One point in time."""

    at: datetime
    """The point in time, UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Daily:
    """A clock time of the home, on some days of the week."""

    at: time
    """The local clock time, naive; the same in summer and in winter."""

    weekdays: frozenset[int] = frozenset(range(7))
    """The days of the week; 0 is Monday."""


type Trigger = Condition | Moment | Daily


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCommand:
    """A device command of a routine, validated when the routine got its action."""

    target: str
    """Reference to the registries (`conditions/stored_references.py`); renames do not break it."""

    name: str
    """Name of the target, for sentences."""

    command: str
    arguments: Mapping[str, Value] = field(default_factory=dict)
    """Argument name -> value; entity ids in values are replaced by references, too."""

    component: str = ""
    """The component of a SmartThings device; empty if the target is an entity."""

    capability: str = ""
    """The capability of a SmartThings device; empty if the target is an entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """Commands that are executed in their order, without a model."""

    commands: tuple[StoredCommand, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A text that the person gets unchanged, without a model."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """The model decides what to do at each firing, by the state of the home then."""


type RoutineAction = Commands | Words | Decide


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine:
    """A persistent command of a person. `Memo` has the data that changes while it is watched."""

    id: str
    """The id of the routine, a ULID."""

    owner: str | None
    """Home Assistant user id; None for the household."""

    known_by: KnownBy
    """How the person who asked for the routine was identified."""

    agent_id: str
    """Config subentry of the agent that was asked."""

    language: str
    request: str
    """The request in the words of the person."""

    when: str
    """The condition in the person's words: "the fridge is opened"."""

    command: str
    """The action in words; the model gets it if it decides at the firing."""

    trigger: Trigger
    repeat: Repeat
    created_at: datetime
    """When the routine was created, UTC."""

    kind: RoutineKind = RoutineKind.DO
    """The purpose; DO if it was stored without this field, so that claims are checked."""

    action: RoutineAction | None = None
    """The action of each firing. None: not decided yet, so the model decides at the firing."""

    notify: bool = False
    """The person also wants to hear about successful device actions."""

    undo_after: bool = False
    """When the condition is False again, the changes of the routine are put back."""

    end: Condition | None = None
    """The condition at which the changes are put back; only with a condition and `undo_after`.

    After a firing it is checked in place of the trigger until it is True, so that "over 70
    until under 60" has two thresholds.
    """

    end_when: str = ""
    """The condition `end` in the person's words: "it is under 60"."""

    expires: datetime | None = None
    """When the routine ends, UTC; nothing fires from then on."""

    room: str | None = None
    satellite_id: str | None = None
    device_id: str | None = None
    """The device of the satellite on which the person asked for the routine, if any."""

    tainted: bool = False
    """The routine was made after untrusted text was read."""

    bindings: Mapping[str, str] = field(default_factory=dict)
    """Name in the code -> reference to the registries."""

    status: Status = Status.WATCHING
    paused_until: datetime | None = None
    """When the pause ends, UTC; only with PAUSED, or if PAUSED is in `set_aside`."""

    set_aside: Status | None = None
    """The status that is restored when the person is back; only with OWNER_GONE."""

    is_repaired: bool = False
    """The model has repaired the code once."""

    trouble: str = ""
    """The error that stopped the routine; empty if there is none."""

    number: int = field(default=0, compare=False)
    """The public number of the routine, also of its switch. Assigned by the store, never reused."""

    @property
    def person(self) -> Person:
        """The owner as a `Person`, without the name."""
        return Person(user_id=self.owner, name="", known_by=self.known_by)

    @property
    def needs_model(self) -> bool:
        """Whether a model decides at each firing."""
        return self.action is None or isinstance(self.action, Decide)

    def condition(self, memo: Memo) -> Condition | None:
        """Return the condition that is checked now; None for a routine with a time."""
        if memo.is_acting:
            return self.end
        return self.trigger if isinstance(self.trigger, Condition) else None

    def when_checked(self, condition: Condition) -> str:
        """Return `condition`, which is the trigger or the end, in the person's words."""
        return self.end_when if condition == self.end else self.when

    def with_source(self, condition: Condition, source: str) -> Self:
        """Return the routine with new code for `condition`, which is the trigger or the end."""
        changed = replace(condition, source=source)
        if condition == self.end:
            return replace(self, end=changed)
        return replace(self, trigger=changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memo:
    """The part of a routine that changes from check to check; survives a restart."""

    before: bool | None = None
    """The value of the condition at the last check, with which the next check compares.

    With `hold`, True only after the condition has held. None: not checked yet.
    """

    true_since: datetime | None = None
    """Start of the time in which the code has returned True without interruption; UTC."""

    state: Mapping[str, Value] = field(default_factory=dict)
    """The state dict of the code."""

    next_due: datetime | None = None
    """When a routine with a time fires next; UTC."""

    last_fired: datetime | None = None
    fired: int = 0
    is_acting: bool = False
    """The routine has fired and `end` has not been True since; only with an `end`."""

    failures: int = 0
    """Checks in a row that failed."""

    unknown_since: datetime | None = None
    """When the value of the condition became unknown, UTC; None if it is known."""

    def is_long_unknown(self, now: datetime) -> bool:
        """Return whether the person should hear that the condition is unknown."""
        return self.unknown_since is not None and now - self.unknown_since >= LONG_UNKNOWN


class EdgeKind(StrEnum):
    """The direction in which a condition changed; a due time counts as ON."""

    ON = "on"
    OFF = "off"
    """Stored only if changes have to be put back."""


class FiringStep(StrEnum):
    """The progress of a firing. Each step is stored before the next one begins."""

    JOURNALED = "journaled"
    """The firing is stored; nothing is done yet."""
    STARTED = "started"
    """The command runs. After a crash, the firing is reported, never repeated."""
    DONE = "done"
    """The run has ended; its answer is not delivered yet."""
    DELIVERED = "delivered"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFiring:
    """A firing that is not stored yet: a condition changed, or a due time came."""

    routine_id: str
    edge: EdgeKind
    at: datetime
    chain: tuple[str, ...] = ()
    """Ids of the routines whose commands led to the firing, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """A stored firing: a condition changed or a due time came, and the command runs or ran."""

    id: int
    routine_id: str
    edge: EdgeKind
    at: datetime
    chain: tuple[str, ...] = ()
    step: FiringStep = FiringStep.JOURNALED
    answer: str = ""
    """The answer for the person of the routine."""

    is_failure: bool = False
    """The action was not completed."""

    undo: Mapping[str, Value] | None = None
    """The data for putting the changes of the firing back, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A routine with its present state."""

    routine: Routine
    memo: Memo
    next_check: datetime | None = None
    """When the routine is checked next, UTC; None if no check is scheduled."""

    uncheckable: str = ""
    """Why condition code cannot run on this machine, and how to fix it; empty if it can."""

    @property
    def status(self) -> Status:
        """The status of the routine; UNCHECKABLE instead of WATCHING where code cannot run."""
        return Status.UNCHECKABLE if self.uncheckable else self.routine.status


class RoutineError(Exception):
    """A routine cannot be made or changed; the text says how to fix it, for model and people."""


class UncheckableError(RoutineError):
    """Condition code cannot run on this machine."""

    def __init__(self, cause: SandboxError) -> None:
        """`cause`: the error of the sandbox."""
        super().__init__(
            f"Conditions cannot be checked on this machine: {cause} "
            "Only the clock can trigger something here."
        )


class RoutineStoreError(RoutineError):
    """The routines cannot be read or written."""


class StoreClosedError(RoutineStoreError):
    """The store was closed."""


class CorruptStoreError(RoutineStoreError):
    """The file is damaged; a recovery moves the readable data to a new one."""


class NewerStoreError(RoutineStoreError):
    """The file is from a newer version of SAGE; it was not changed."""


class UnknownRoutineError(RoutineStoreError):
    """There is no routine with this id."""


class UnreadableError(RoutineStoreError):
    """A row is damaged or from a newer version of SAGE; it was not changed."""
