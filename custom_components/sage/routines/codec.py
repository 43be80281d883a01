"""Reads and writes stored data as JSON; pydantic checks each field against its type."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Annotated, Any, ClassVar, Final

from pydantic import (
    AwareDatetime,
    BeforeValidator,
    ConfigDict,
    GetCoreSchemaHandler,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
)
from pydantic_core import CoreSchema, core_schema

from .sandbox.contract import Value

_INSTANT: Final = "$datetime"
_PLAIN: Final = "$mapping"
"""Key of the JSON object around a mapping that itself has the key "$datetime" or "$mapping"."""

_MICROSECOND: Final = timedelta(microseconds=1)


class StoredRecord:
    """Base of the dataclasses that are stored.

    A field that this version does not know was written by a newer version of SAGE. Such an object
    is not read, because writing it again would lose the field.
    """

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    @classmethod
    def upgraded(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON that an older version wrote in the form of this version."""
        return data


_ADAPTERS: Final[dict[type, TypeAdapter[Any]]] = {}


def _adapter(kind: type) -> TypeAdapter[Any]:
    if (adapter := _ADAPTERS.get(kind)) is None:
        adapter = _ADAPTERS[kind] = TypeAdapter(kind)
    return adapter


def write(record: StoredRecord, *without: str) -> str:
    """Return a dataclass as compact ASCII JSON, except the fields `without`. Raises ValueError."""
    data = _adapter(type(record)).dump_python(record, exclude=set(without))
    return json.dumps(data, separators=(",", ":"), default=_plain)


def read[T: StoredRecord](kind: type[T], text: str, **more: object) -> T:
    """Return the object that `write` wrote; `more` are its fields outside the JSON.

    Fields that are missing get their defaults. Raises ValueError for damaged data, and for data of
    a newer version of SAGE.
    """
    # Half a surrogate pair, which a model may send, is no text for pydantic.
    whole = json.dumps(json.loads(text), ensure_ascii=False).encode(errors="replace")
    data = json.loads(whole)
    if not isinstance(data, dict):
        raise ValueError("Not an object.")  # noqa: TRY004
    record: T = _adapter(kind).validate_python(kind.upgraded(data) | more)
    return record


@dataclass(frozen=True)
class Tagged:
    """Stores one of several dataclasses: `Tagged({"daily": Daily})` as `{"daily": {...}}`."""

    kinds: Mapping[str, type[StoredRecord]]

    def __get_pydantic_core_schema__(
        self, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Return the schema that reads and writes the tag."""
        return core_schema.no_info_plain_validator_function(
            self._read, serialization=core_schema.plain_serializer_function_ser_schema(self._write)
        )

    def _read(self, data: object) -> object:
        match data:
            case dict() if len(data) == 1 and (name := next(iter(data))) in self.kinds:
                return _adapter(self.kinds[name]).validate_python(data[name])
        raise ValueError(f"None of {', '.join(self.kinds)}; of a newer version of SAGE?")

    def _write(self, value: object) -> dict[str, Any]:
        name = next(name for name, kind in self.kinds.items() if type(value) is kind)
        return {name: _adapter(type(value)).dump_python(value)}


def _plain(value: object) -> Any:
    """Return a value without a JSON form as JSON."""
    match value:
        case datetime():
            return _zoned(value)
        case time():
            return value.isoformat()
        case timedelta():
            return value // _MICROSECOND
        case frozenset():
            return sorted(value)
    raise ValueError(f"A value of type {type(value).__name__} cannot be stored.")


def _zoned(at: datetime) -> str:
    if at.tzinfo is None:
        raise ValueError("A time needs its time zone.")
    return at.isoformat()


def _marked(value: Value) -> Any:
    """Return a value with each datetime as `{"$datetime": ...}`."""
    if isinstance(value, datetime):
        return {_INSTANT: _zoned(value)}
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) for name in value):
            raise ValueError("All keys of stored data have to be text.")
        marked = {name: _marked(each) for name, each in value.items()}
        return {_PLAIN: marked} if marked.keys() & {_INSTANT, _PLAIN} else marked
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
        return [_marked(each) for each in value]
    return value


def _unmarked(data: Any) -> Any:
    if isinstance(data, list):
        return [_unmarked(each) for each in data]
    if not isinstance(data, dict):
        return data
    if data.keys() == {_INSTANT}:
        at = datetime.fromisoformat(data[_INSTANT])
        _zoned(at)
        return at
    if data.keys() == {_PLAIN} and isinstance(data[_PLAIN], dict):
        data = data[_PLAIN]
    return {name: _unmarked(each) for name, each in data.items()}


def _read_values(data: object) -> Mapping[str, Value]:
    values = _unmarked(data)
    if not isinstance(values, dict):
        raise ValueError("Not a mapping.")  # noqa: TRY004
    return values


type Instant = AwareDatetime
"""A point in time with its time zone."""

type Duration = Annotated[
    timedelta, BeforeValidator(lambda n: n * _MICROSECOND if isinstance(n, int) else n)
]
"""A duration, stored in microseconds."""

type Values = Annotated[
    Mapping[str, Value], PlainValidator(_read_values), PlainSerializer(_marked, return_type=Any)
]
"""Values that condition code or a command keeps, by name."""
