"""Converts routines and their data to JSON and back.

A memo is the changing data of a routine. A firing is one execution of a routine's action. Invalid
JSON raises UnreadableError.
"""

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from datetime import UTC, datetime, time, timedelta
from enum import StrEnum
from typing import Any, Final

from ..people.person import KnownBy
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
    UnreadableError,
    Words,
)
from .sandbox.sandbox_types import CheckError, Fault, Value

type Json = Any

_INSTANT: Final = "$datetime"
_PLAIN: Final = "$mapping"
"""Key of the JSON object around a mapping that itself has the key "$datetime" or "$mapping"."""

_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class JsonField[T]:
    """Converts a value to JSON and back; `read` raises UnreadableError for unexpected JSON."""

    write: Callable[[T], Json]
    read: Callable[[Json], T]


class Record[T]:
    """Converts a dataclass to a JSON object and back, field by field."""

    def __init__(self, kind: type[T], /, **fields: JsonField[Any]) -> None:
        """`kind`: the dataclass; `fields`: a `JsonField` for each of its fields."""
        self._kind = kind
        self._fields = fields
        known = dataclasses.fields(kind)  # type: ignore[arg-type]
        self._required = {
            each.name
            for each in known
            if each.default is MISSING and each.default_factory is MISSING
        }

    @property
    def names(self) -> frozenset[str]:
        """The names of the dataclass fields that are stored."""
        return frozenset(self._fields)

    def write(self, record: T) -> dict[str, Json]:
        """Return the dataclass object as a JSON object.

        Raises ValueError for values without a JSON form.
        """
        return {name: each.write(getattr(record, name)) for name, each in self._fields.items()}

    def read(self, data: Json) -> T:
        """Return the dataclass object; missing fields get their defaults.

        Raises UnreadableError for unknown fields, invalid values and missing fields without a
        default.
        """
        data = _of(dict, data)
        # A newer version wrote unknown fields; writing the object again would lose them.
        if unknown := data.keys() - self._fields.keys():
            raise UnreadableError(
                f"Fields of a newer version of SAGE: {', '.join(sorted(unknown))}. Update SAGE."
            )
        if missing := self._required - data.keys():
            raise UnreadableError(f"Missing: {', '.join(sorted(missing))}.")
        return self._kind(**{name: self._fields[name].read(each) for name, each in data.items()})


def dumps(data: Json) -> str:
    """Return data as compact ASCII JSON."""
    return json.dumps(data, separators=(",", ":"))


def loads(text: str) -> Json:
    """Return the data of a JSON text; raises UnreadableError for invalid JSON."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise UnreadableError("Not JSON.") from error


def _of[T](kind: type[T], data: Json) -> T:
    if type(data) is not kind:
        raise UnreadableError(f"Expected {kind.__name__}, found {type(data).__name__}.")
    return data


def _same[T](value: T) -> T:
    return value


TEXT: Final[JsonField[str]] = JsonField(_same, lambda data: _of(str, data))
WHOLE: Final[JsonField[int]] = JsonField(_same, lambda data: _of(int, data))
FLAG: Final[JsonField[bool]] = JsonField(_same, lambda data: _of(bool, data))
NUMBER: Final[JsonField[float]] = JsonField(float, lambda data: _of(float, data))
TEXTS: Final[JsonField[tuple[str, ...]]] = JsonField(
    list, lambda data: tuple(_of(str, each) for each in _of(list, data))
)
WHOLES: Final[JsonField[frozenset[int]]] = JsonField(
    sorted, lambda data: frozenset(_of(int, each) for each in _of(list, data))
)
NAMES: Final[JsonField[Mapping[str, str]]] = JsonField(
    dict, lambda data: {name: _of(str, each) for name, each in _of(dict, data).items()}
)
DURATION: Final[JsonField[timedelta]] = JsonField(
    lambda duration: duration // _MICROSECOND, lambda data: _of(int, data) * _MICROSECOND
)


def optional[T](field: JsonField[T]) -> JsonField[T | None]:
    """Return a converter that accepts None in addition to the values of `field`."""
    return JsonField(
        lambda value: None if value is None else field.write(value),
        lambda data: None if data is None else field.read(data),
    )


def one_of[E: StrEnum](kind: type[E]) -> JsonField[E]:
    """Return a converter for an enumeration; reading an unknown value raises UnreadableError."""

    def read(data: Json) -> E:
        try:
            return kind(_of(str, data))
        except ValueError as error:
            raise UnreadableError(f"{kind.__name__} of a newer version of SAGE.") from error

    return JsonField(lambda value: value.value, read)


def list_of[T](record: Record[T]) -> JsonField[tuple[T, ...]]:
    """Return a converter between a tuple of dataclass objects and a JSON list."""
    return JsonField(
        lambda records: [record.write(one) for one in records],
        lambda data: tuple(record.read(one) for one in _of(list, data)),
    )


def either(**records: Record[Any]) -> JsonField[Any]:
    """Return a converter for values of several dataclasses.

    For example, `either(daily=...)` writes the JSON object `{"daily": {...}}`.
    """
    kinds = {each._kind: name for name, each in records.items()}  # noqa: SLF001

    def write(value: object) -> Json:
        name = kinds[type(value)]
        return {name: records[name].write(value)}

    def read(data: Json) -> object:
        data = _of(dict, data)
        for name, each in records.items():
            if data.keys() == {name}:
                return each.read(data[name])
        raise UnreadableError(f"None of {', '.join(records)}; of a newer version of SAGE?")

    return JsonField(write, read)


def _write_instant(at: datetime) -> str:
    if at.tzinfo is None:
        raise ValueError("A time needs its time zone.")
    return at.astimezone(UTC).isoformat()


def _read_instant(data: Json) -> datetime:
    try:
        at = datetime.fromisoformat(_of(str, data))
    except ValueError as error:
        raise UnreadableError("Not a time.") from error
    if at.tzinfo is None:
        raise UnreadableError("A time without time zone.")
    return at


def _read_clock(data: Json) -> time:
    try:
        return time.fromisoformat(_of(str, data))
    except ValueError as error:
        raise UnreadableError("Not a clock time.") from error


INSTANT: Final[JsonField[datetime]] = JsonField(_write_instant, _read_instant)
CLOCK: Final[JsonField[time]] = JsonField(time.isoformat, _read_clock)


def write_value(value: Value) -> Json:
    """Return a value as JSON, with a datetime as `{"$datetime": ...}`.

    Raises ValueError for types that cannot be stored.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime):
        return {_INSTANT: _write_zoned(value)}
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise ValueError("All keys of stored data have to be text.")
        written = {name: write_value(each) for name, each in value.items()}
        return {_PLAIN: written} if written.keys() & {_INSTANT, _PLAIN} else written
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [write_value(each) for each in value]
    raise ValueError(f"A value of type {type(value).__name__} cannot be stored.")


def read_value(data: Json) -> Value:
    """Return the value that `write_value` wrote as `data`; tuples become lists.

    Raises UnreadableError.
    """
    if isinstance(data, list):
        return [read_value(each) for each in data]
    if isinstance(data, dict):
        if data.keys() == {_INSTANT}:
            return _read_instant(data[_INSTANT])
        if data.keys() == {_PLAIN}:
            data = _of(dict, data[_PLAIN])
        return {name: read_value(each) for name, each in data.items()}
    scalar: Value = data
    return scalar


def _write_zoned(at: datetime) -> str:
    if at.tzinfo is None:
        raise ValueError("A time needs its time zone.")
    return at.isoformat()


def _read_values(data: Json) -> Mapping[str, Value]:
    value = read_value(_of(dict, data))
    if not isinstance(value, Mapping):
        raise UnreadableError("Not a mapping.")
    return value


VALUES: Final[JsonField[Mapping[str, Value]]] = JsonField(write_value, _read_values)

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

CHECK_ERROR: Final = Record(
    CheckError, fault=one_of(Fault), message=TEXT, line=optional(WHOLE), hint=TEXT, detail=TEXT
)


def _read_trouble(data: Json) -> CheckError | None:
    """Return the error of a routine; older versions stored a text, empty without an error."""
    if not data:
        return None
    if isinstance(data, str):
        return CheckError(fault=Fault.EXCEPTION, message=data, detail=data)
    return CHECK_ERROR.read(data)


TROUBLE: Final[JsonField[CheckError | None]] = JsonField(
    optional(JsonField(CHECK_ERROR.write, CHECK_ERROR.read)).write, _read_trouble
)

# Without `number`, which has a column of its own.
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
    is_repaired=FLAG,
    trouble=TROUBLE,
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
    tainted=FLAG,
    is_failure=FLAG,
    undo=optional(VALUES),
)

_COLUMNS: Final = ("id", "routine_id", "edge", "step")
"""Fields of a firing (execution of an action) that have their own database column."""


@dataclass(frozen=True, slots=True)
class FiringRow:
    """A firing (one execution of a routine's action) as a row of the SQLite file."""

    id: int
    routine_id: str
    edge: str
    step: str
    data: str
    """All fields without their own column, as JSON."""


def write_routine(routine: Routine) -> str:
    """Return a routine as a JSON text, without `Routine.number`."""
    return dumps(ROUTINE.write(routine))


def read_routine(text: str) -> Routine:
    """Return the routine in a JSON text; its `number` is 0.

    Raises UnreadableError.
    """
    data = _of(dict, loads(text))
    # Older versions stopped the routines of a removed user, with a status that no longer exists.
    if data.pop("set_aside", None) is not None or data.get("status") == "owner_gone":
        data["status"] = Status.PAUSED.value
    return ROUTINE.read(data)


def owner_of(text: str) -> str | None:
    """Return the owner's user id from a stored routine, even if other data is unreadable.

    None if the household is the owner, or if the owner is unreadable.
    """
    try:
        data = loads(text)
    except UnreadableError:
        return None
    owner = data.get("owner") if isinstance(data, dict) else None
    return owner if isinstance(owner, str) else None


def write_memo(memo: Memo) -> str:
    """Return a memo (the changing data of a routine) as a JSON text.

    Raises ValueError if `Memo.state` has values that cannot be stored.
    """
    return dumps(MEMO.write(memo))


def read_memo(text: str) -> Memo:
    """Return the memo (the changing data of a routine) in a JSON text.

    Raises UnreadableError.
    """
    return MEMO.read(loads(text))


def write_firing(firing: Firing) -> FiringRow:
    """Return a firing (execution of a routine's action) as a database row.

    Raises ValueError if `Firing.undo` has values that cannot be stored.
    """
    data = FIRING.write(firing)
    columns = {name: data.pop(name) for name in _COLUMNS}
    return FiringRow(**columns, data=dumps(data))


def number_firing(new: NewFiring, number: int) -> Firing:
    """Return a new firing (execution of an action) with the database id `number`."""
    return Firing(id=number, routine_id=new.routine_id, edge=new.edge, at=new.at, chain=new.chain)


def read_firing(row: FiringRow) -> Firing:
    """Return the firing (execution of an action) in a database row; raises UnreadableError."""
    data = loads(row.data)
    if not isinstance(data, dict):
        raise UnreadableError("Not the data of a firing.")
    columns = (row.id, row.routine_id, row.edge, row.step)
    return FIRING.read(data | dict(zip(_COLUMNS, columns, strict=True)))
