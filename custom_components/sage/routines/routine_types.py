"""The data types of routines."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import Field

from ..people import KnownBy, Person
from ..storage import StoreError
from .codec import Duration, Instant, StoredRecord, Tagged, Values
from .sandbox.contract import CheckError, SandboxError

DEFAULT_INTERVAL: Final = 10.0
"""Seconds between two evaluations of a condition, if no device changes."""

SHORTEST_INTERVAL: Final = 2.0

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

LONG_UNKNOWN: Final = timedelta(days=1)
"""How long a condition may be unknown before SAGE creates a repair issue."""


class RoutineKind(StrEnum):
    """The purpose of a routine."""

    DO = "do"  # the routine controls devices
    TELL = "tell"  # the routine sends its person a reminder or a message


class Repeat(StrEnum):
    """How often a routine fires."""

    ONCE = "once"  # the routine fires once, then ends
    ALWAYS = "always"  # the routine fires each time its condition becomes true, or its time comes


class Status(StrEnum):
    """The status of a routine: WATCHING, or the reason why the routine does not fire."""

    WATCHING = "watching"  # the routine waits for its trigger
    PAUSED = "paused"  # somebody paused the routine, until a given time or until it is resumed
    FAILING = "failing"  # the condition code fails, although the model has tried to repair it
    NOT_EXPOSED = "not_exposed"  # the person may not read a device of the condition, or it is gone
    TOO_OFTEN = "too_often"  # the routine exceeded the limits of `RateLimits`
    UNCHECKABLE = "uncheckable"  # code cannot run here now; computed by `Watched`, never stored
    ENDED = "ended"  # the routine has fired for the last time, or has expired


CHECKED: Final = (Status.WATCHING, Status.NOT_EXPOSED)
"""Statuses in which the condition is evaluated: a device may be exposed again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(StoredRecord):
    """A condition in Python code: the trigger of a routine, or its `Routine.end`.

    When it becomes True, a trigger starts the action, and an `end` undoes the changes of the
    action.
    """

    function: str
    source: str
    interval: float = DEFAULT_INTERVAL  # seconds between two evaluations, if no device changes
    hold: Duration = timedelta(0)
    """How long the code must return True without interruption before the routine fires."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment(StoredRecord):
    """A trigger at one point in time."""

    at: Instant  # the point in time, UTC


@dataclass(frozen=True, slots=True, kw_only=True)
class Daily(StoredRecord):
    """A trigger at a local clock time, on some days of the week."""

    at: time  # the local clock time, without a time zone; the same in summer and in winter
    weekdays: frozenset[int] = frozenset(range(7))  # the days of the week; 0 is Monday


type Trigger = Condition | Moment | Daily


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCommand(StoredRecord):
    """A device command of a routine; already validated."""

    target: str  # reference such as `entity:<registry id>`; all forms are in `conditions/calls.py`
    name: str  # name of the device or entity, for messages
    command: str
    arguments: Values = field(default_factory=dict)
    """Argument name -> value; entity ids in values are stored as `entity:<registry id>`."""

    component: str = ""  # the component of the device; empty if the target is an entity
    capability: str = ""  # the capability of the device; empty if the target is an entity


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands(StoredRecord):
    """An action: device commands that are executed in order, without a model."""

    commands: tuple[StoredCommand, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words(StoredRecord):
    """An action: a text that is delivered to the person unchanged, without a model."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(StoredRecord):
    """An action: each time the routine fires, the model decides anew what to do."""


type RoutineAction = Commands | Words | Decide

_ACTIONS: Final = Tagged({"commands": Commands, "words": Words, "decide": Decide})


@dataclass(frozen=True, slots=True, kw_only=True)
class Routine(StoredRecord):
    """A stored command that runs later; its changing data is in a `Memo`."""

    id: str  # the id of the routine, a ULID
    owner: str | None  # Home Assistant user id; None for the household
    known_by: KnownBy  # how the owner was identified, e.g. by signing in
    agent_id: str  # id of the config subentry of the agent that created the routine
    language: str
    request: str  # the person's request, in the original words
    when: str  # the condition or time in words, such as "the fridge is opened"
    command: str
    """The action in words, e.g. "turn on the hall light".

    If the routine has no valid stored action when it fires, the model gets this text as its task.
    """

    trigger: Annotated[Trigger, Tagged({"condition": Condition, "moment": Moment, "daily": Daily})]
    repeat: Repeat
    created_at: Instant  # when the routine was created, UTC
    kind: RoutineKind = RoutineKind.DO  # the purpose of the routine
    action: Annotated[RoutineAction, _ACTIONS] | None = None
    """The stored action; None: the model decides each time what to do."""

    notify: bool = False  # whether to inform the person even of device commands that succeeded
    undo_after: bool = False
    """Whether to undo the changes of the action when the condition becomes False again."""

    end: Condition | None = None
    """A second condition that undoes the changes, e.g. "under 60" for the trigger "over 70".

    After the routine has fired, SAGE evaluates `end` instead of the trigger, until `end` is True.
    Requires `undo_after`, and a condition as trigger.
    """

    end_when: str = ""  # the condition `end` in the person's words, such as "it is under 60"
    expires: Instant | None = None  # when the routine ends (UTC); None: never
    room: str | None = None
    satellite_id: str | None = None
    device_id: str | None = None
    """Device registry id of the voice satellite that received the request, if any."""

    tainted: bool = False
    """Whether the routine was created after the model had read untrusted text, such as mail."""

    bindings: Mapping[str, str] = field(default_factory=dict)
    """Device name in the code -> lasting reference, e.g. `{"lamp": "entity:<registry id>"}`."""

    status: Status = Status.WATCHING
    paused_until: Instant | None = None
    """When the pause ends (UTC); None: no pause, or a pause without an end."""

    is_repaired: bool = False  # whether the model has already repaired the code once
    trouble: CheckError | None = None  # the error that stopped the routine; None if there is none
    number: Annotated[int, Field(exclude=True)] = field(default=0, compare=False)
    """The 3 in the name "Routine 3", which all see, never reused; 0 before it is stored."""

    @classmethod
    def upgraded(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Replace the statuses of older versions: of removed users, and of loops of routines."""
        if data.pop("set_aside", None) is not None or data.get("status") == "owner_gone":
            data["status"] = Status.PAUSED.value
        elif data.get("status") == "looping":
            data["status"] = Status.TOO_OFTEN.value
        return data

    @property
    def person(self) -> Person:
        """The owner as a `Person`, without the name."""
        return Person(user_id=self.owner, name="", known_by=self.known_by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memo(StoredRecord):
    """The changing data of a routine, stored after each evaluation and due time."""

    before: bool | None = None
    """The last known value of the condition; None: not known yet.

    With a hold time (`Condition.hold`), it is True only after the condition has been True that
    long.
    """

    true_since: Instant | None = None
    """Since when the code has returned True without interruption (UTC), or None."""

    state: Values = field(default_factory=dict)
    """The dict `state`, in which the condition code keeps data between runs."""

    next_due: Instant | None = None  # the next due time of a routine with a time trigger (UTC)
    last_fired: Instant | None = None
    fired: int = 0
    is_acting: bool = False
    """Whether the routine has fired and waits for its `end` condition, if it has one."""

    failures: int = 0  # number of errors of the condition code in a row
    unknown_since: Instant | None = None
    """When the value of the condition became unknown, UTC; None if it is known."""

    def is_long_unknown(self, now: datetime) -> bool:
        """Return whether the condition has been unknown for at least LONG_UNKNOWN."""
        return self.unknown_since is not None and now - self.unknown_since >= LONG_UNKNOWN


class EdgeKind(StrEnum):
    """Whether a firing executes the action of a routine (ON) or undoes its changes (OFF)."""

    ON = "on"  # the condition became True, or the due time came
    OFF = "off"  # the condition became False, or `Routine.end` became True


class FiringStep(StrEnum):
    """The progress of a firing. Each step is stored before the next one begins."""

    JOURNALED = "journaled"  # the execution is stored; the action has not begun
    STARTED = "started"  # the action runs; after a crash, it is not repeated
    DONE = "done"  # the action has ended; its answer is not delivered to the person yet
    DELIVERED = "delivered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing(StoredRecord):
    """An execution of a routine's action or undo, stored before it begins; `step`: progress."""

    id: int = 0  # number of the execution; 0 before it is stored
    routine_id: str
    edge: EdgeKind
    at: Instant
    step: FiringStep = FiringStep.JOURNALED
    answer: str = ""  # the text for the person of the routine; empty if there is nothing to deliver
    tainted: bool = False  # whether the answer may contain untrusted text, such as text from a mail
    is_failure: bool = False  # whether the action was not completed
    undo: Values | None = None
    """JSON data from which the changes can be undone; None if nothing can be undone."""

    @classmethod
    def upgraded(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Leave out the routines that led to this execution, which older versions stored."""
        data.pop("chain", None)
        return data

    @property
    def has_begun(self) -> bool:
        """Whether the action has begun."""
        return self.step is not FiringStep.JOURNALED


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineEntry:
    """A routine with its memo."""

    routine: Routine
    memo: Memo

    @property
    def id(self) -> str:
        """The id of the routine."""
        return self.routine.id

    @property
    def condition(self) -> Condition | None:
        """The condition that has to be evaluated now, or None.

        - After the routine has fired, until its `end` is True: `end`.
        - Otherwise: the trigger, or None if the trigger is a time.
        """
        if self.memo.is_acting:
            return self.routine.end
        trigger = self.routine.trigger
        return trigger if isinstance(trigger, Condition) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched(RoutineEntry):
    """A routine with its next evaluation, for tools and entities."""

    next_check: datetime | None = None
    """When SAGE will next check the routine (UTC); None if no time is planned.

    This is the due time of a time trigger, or the next planned evaluation of a condition.
    """

    uncheckable: SandboxError | None = None
    """Why condition code cannot run on this machine, and a fix; None if it can."""

    @property
    def status(self) -> Status:
        """The status of the routine; UNCHECKABLE if its code cannot run on this machine."""
        return Status.UNCHECKABLE if self.uncheckable else self.routine.status


class RoutineError(Exception):
    """Raised for a routine that is impossible; people and the model read how to fix it."""

    def __init__(
        self, text: str, code: CheckError | None = None, *, is_temporary: bool = False
    ) -> None:
        """Store what happened.

        `code`: the error of the condition code; then only the owner may read the text.
        `is_temporary`: whether the same request may succeed later.
        """
        super().__init__(text)
        self.code = code
        self.is_temporary = is_temporary


class UncheckableError(RoutineError):
    """Raised when condition code cannot run on this machine."""

    def __init__(self, cause: SandboxError) -> None:
        """`cause`: the error of the sandbox."""
        super().__init__(
            f"Conditions cannot be checked on this machine: {cause} "
            "Only the clock can trigger something here.",
            is_temporary=True,
        )


class RoutineStoreError(StoreError, RoutineError):
    """Raised when the file of the routines cannot be read or written."""


class StoreClosedError(RoutineStoreError):
    """Raised when the file of the routines was closed."""
