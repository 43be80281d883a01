"""Conversion of routines, memos and firings to and from their stored form."""

from dataclasses import dataclass
from typing import Final

from ..people.person import KnownBy
from .json_fields import (
    CLOCK,
    DURATION,
    FLAG,
    INSTANT,
    NAMES,
    NUMBER,
    TEXT,
    TEXTS,
    VALUES,
    WHOLE,
    WHOLES,
    JsonField,
    Record,
    dumps,
    either,
    list_of,
    loads,
    one_of,
    optional,
)
from .routine_errors import UnreadableError
from .routine_types import (
    Commands,
    Condition,
    Daily,
    Decide,
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    Moment,
    NewFiring,
    Repeat,
    Routine,
    RoutineKind,
    Status,
    StoredCommand,
    Words,
)

CONDITION: Final = Record(Condition, function=TEXT, source=TEXT, interval=NUMBER, hold=DURATION)

TRIGGER: Final = either(
    condition=CONDITION,
    moment=Record(Moment, at=INSTANT),
    daily=Record(Daily, at=CLOCK, weekdays=WHOLES),
)

STORED_COMMAND: Final = Record(
    StoredCommand,
    target=TEXT,
    name=TEXT,
    command=TEXT,
    arguments=VALUES,
    component=TEXT,
    capability=TEXT,
)

ACTION: Final = either(
    commands=Record(Commands, commands=list_of(STORED_COMMAND)),
    words=Record(Words, text=TEXT),
    decide=Record(Decide),
)

ROUTINE: Final = Record(
    Routine,
    id=TEXT,
    owner=optional(TEXT),
    known_by=one_of(KnownBy),
    agent_id=TEXT,
    language=TEXT,
    request=TEXT,
    when=TEXT,
    command=TEXT,
    trigger=TRIGGER,
    repeat=one_of(Repeat),
    created_at=INSTANT,
    kind=one_of(RoutineKind),
    action=optional(ACTION),
    notify=FLAG,
    undo_after=FLAG,
    end=optional(JsonField(CONDITION.write, CONDITION.read)),
    end_when=TEXT,
    expires=optional(INSTANT),
    room=optional(TEXT),
    satellite_id=optional(TEXT),
    device_id=optional(TEXT),
    tainted=FLAG,
    bindings=NAMES,
    status=one_of(Status),
    paused_until=optional(INSTANT),
    set_aside=optional(one_of(Status)),
    is_repaired=FLAG,
    trouble=TEXT,
)

MEMO: Final = Record(
    Memo,
    before=optional(FLAG),
    true_since=optional(INSTANT),
    state=VALUES,
    next_due=optional(INSTANT),
    last_fired=optional(INSTANT),
    fired=WHOLE,
    is_acting=FLAG,
    failures=WHOLE,
    unknown_since=optional(INSTANT),
)

FIRING: Final = Record(
    Firing,
    id=WHOLE,
    routine_id=TEXT,
    edge=one_of(EdgeKind),
    at=INSTANT,
    chain=TEXTS,
    step=one_of(FiringStep),
    answer=TEXT,
    is_failure=FLAG,
    undo=optional(VALUES),
)

_COLUMNS: Final = ("id", "routine_id", "edge", "step")
"""Fields of a firing with their own column."""


@dataclass(frozen=True, slots=True)
class FiringRow:
    """A firing as a row of the file."""

    id: int
    routine_id: str
    edge: str
    step: str
    data: str
    """The other fields, as JSON."""


def write_routine(routine: Routine) -> str:
    """Return a routine as JSON, without its number, which has a column of its own."""
    return dumps(ROUTINE.write(routine))


def read_routine(text: str) -> Routine:
    """Return the stored routine, without its number; raises UnreadableError."""
    return ROUTINE.read(loads(text))


def owner_of(text: str) -> str | None:
    """Return the owner of a stored routine, even if the rest is unreadable; None if unknown."""
    try:
        data = loads(text)
    except UnreadableError:
        return None
    owner = data.get("owner") if isinstance(data, dict) else None
    return owner if isinstance(owner, str) else None


def write_memo(memo: Memo) -> str:
    """Return a memo as JSON; raises ValueError for a state that cannot be stored."""
    return dumps(MEMO.write(memo))


def read_memo(text: str) -> Memo:
    """Return the stored memo; raises UnreadableError."""
    return MEMO.read(loads(text))


def write_firing(firing: Firing) -> FiringRow:
    """Return a firing as a row; raises ValueError for undo data that cannot be stored."""
    data = FIRING.write(firing)
    columns = {name: data.pop(name) for name in _COLUMNS}
    return FiringRow(**columns, data=dumps(data))


def number_firing(new: NewFiring, number: int) -> Firing:
    """Return an edge as a firing with this number."""
    return Firing(id=number, routine_id=new.routine_id, edge=new.edge, at=new.at, chain=new.chain)


def read_firing(row: FiringRow) -> Firing:
    """Return the stored firing; raises UnreadableError."""
    data = loads(row.data)
    if not isinstance(data, dict):
        raise UnreadableError("Not the data of a firing.")
    columns = (row.id, row.routine_id, row.edge, row.step)
    return FIRING.read(data | dict(zip(_COLUMNS, columns, strict=True)))
