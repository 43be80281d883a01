"""What code has in the fallback: built-ins, modules, and which attributes of which types.

Every list is one of what is allowed; an attribute is looked up by the exact type of its
object, so that a type that is not listed has none.
It runs in the worker process only.
"""

import collections
import datetime as dt
import functools
import itertools
import json
import math
import operator
import re
import string
import sys
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, ModuleType
from typing import Any, Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TEXT: Final = _words(
    "capitalize casefold center count endswith expandtabs find index isalnum isalpha "
    "isascii isdecimal isdigit islower isnumeric isspace istitle isupper join ljust lower "
    "lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition "
    "rsplit rstrip split splitlines startswith strip swapcase title translate upper zfill"
)
_SET: Final = _words(
    "copy difference intersection isdisjoint issubset issuperset symmetric_difference union"
)
_CHANGEABLE_SET: Final = _SET | _words("add clear discard pop remove update")
_LIST: Final = _words("append clear copy count extend index insert pop remove reverse sort")
_DICT: Final = _words("clear copy fromkeys get items keys pop popitem setdefault update values")
_DATE: Final = _words(
    "year month day weekday isoweekday isocalendar isoformat replace strftime toordinal ctime"
)
_TIME: Final = _words(
    "hour minute second microsecond fold tzinfo isoformat replace strftime utcoffset dst tzname"
)
_MOMENT: Final = _DATE | _TIME | _words("date time timetz timestamp astimezone")
_DATE_CLASS: Final = _words(
    "today fromisoformat fromisocalendar fromordinal fromtimestamp strptime min max resolution"
)

_ATTRIBUTES: Final[Mapping[type, frozenset[str]]] = {
    str: _TEXT,
    int: _words("bit_count bit_length is_integer"),
    bool: frozenset(),
    float: frozenset({"is_integer"}),
    list: _LIST,
    tuple: frozenset({"count", "index"}),
    dict: _DICT,
    set: _CHANGEABLE_SET,
    frozenset: _SET,
    collections.Counter: _DICT | {"most_common", "elements", "subtract", "total"},
    collections.defaultdict: _DICT,
    collections.OrderedDict: _DICT | {"move_to_end"},
    collections.deque: _LIST | {"appendleft", "extendleft", "popleft", "rotate", "maxlen"},
    dt.datetime: _MOMENT,
    dt.date: _DATE,
    dt.time: _TIME,
    dt.timedelta: _words("days seconds microseconds total_seconds"),
    dt.timezone: frozenset({"utcoffset", "tzname"}),
    type(dt.date.min.isocalendar()): _words("year week weekday count index"),
    re.Pattern: _words("findall finditer fullmatch match pattern search split sub subn"),
    re.Match: _words("end group groupdict groups span start"),
}
"""By the exact type of an object."""

_CLASS_ATTRIBUTES: Final[Mapping[type, frozenset[str]]] = {
    str: _TEXT | {"maketrans"},
    list: _LIST,
    dict: _DICT,
    set: _CHANGEABLE_SET,
    int: frozenset(),
    float: frozenset(),
    dt.datetime: _MOMENT | _DATE_CLASS | {"now", "utcnow", "combine"},
    dt.date: _DATE | _DATE_CLASS,
    dt.time: _TIME | {"fromisoformat", "min", "max"},
    dt.timedelta: frozenset({"total_seconds", "min", "max"}),
    dt.timezone: frozenset({"utc"}),
    itertools.chain: frozenset({"from_iterable"}),
}
"""Of the classes themselves, which are objects too."""

_CHANGEABLE: Final = frozenset(
    {list, dict, collections.defaultdict, collections.Counter, collections.OrderedDict}
    | {collections.deque}
)

_OPERATORS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "Add": operator.iadd,
    "Sub": operator.isub,
    "Mult": operator.imul,
    "Div": operator.itruediv,
    "FloorDiv": operator.ifloordiv,
    "Mod": operator.imod,
    "Pow": operator.ipow,
    "LShift": operator.ilshift,
    "RShift": operator.irshift,
    "BitOr": operator.ior,
    "BitXor": operator.ixor,
    "BitAnd": operator.iand,
}


class Module:
    """Stands for a module; has the members that are listed and nothing else."""

    def __init__(self, members: Mapping[str, object]) -> None:
        """Take the members."""
        vars(self).update(members)


def get_attribute(owner: Any, name: str) -> Any:
    """Return an attribute that is allowed (`_getattr_`). Raises AttributeError."""
    kind = type(owner)
    if kind is Module:
        allowed = frozenset(vars(owner))
    elif kind is type:
        allowed = _CLASS_ATTRIBUTES.get(owner, frozenset())
    elif kind is str and name == "format":
        return functools.partial(_format, owner)
    elif issubclass(kind, Exception):
        allowed = frozenset({"args"})
    else:
        allowed = _ATTRIBUTES.get(kind, frozenset())
    if type(name) is not str or name not in allowed:
        raise AttributeError(f"{_title(owner)} has no attribute {name!r}")
    return getattr(owner, name)


def _title(owner: object) -> str:
    return "this module" if type(owner) is Module else f"{type(owner).__name__!r} object"


def _format(template: str, *values: object, **named: object) -> str:
    """Do what str.format() does, without reading attributes or items."""
    _check_template(template, 0)
    return template.format(*values, **named)


def _check_template(template: str, depth: int) -> None:
    for _, field, form, _ in string.Formatter().parse(template):
        if field is not None and not field.replace("_", "a").isalnum() and field != "":
            raise ValueError("a field of format() may be a name or a number only")
        if form and depth < 2:
            _check_template(form, depth + 1)


def get_item(owner: Any, key: Any) -> Any:
    """Return an item (`_getitem_`)."""
    if isinstance(owner, type):
        raise TypeError("a type has no items")
    return owner[key]


def writable(owner: Any) -> Any:
    """Return what items may be written to (`_write_`). Raises TypeError."""
    if type(owner) not in _CHANGEABLE:
        raise TypeError(f"{type(owner).__name__!r} object does not support item assignment")
    return owner


def change_item(owner: Any, key: Any, name: str, value: Any) -> None:
    """Do `owner[key] += value` and its like (`_change_item_`)."""
    box = writable(owner)
    box[key] = _OPERATORS[name](box[key], value)


def _type(value: object) -> type:
    """Return the type of a plain value; those of other things are handles."""
    kind = type(value)
    if kind not in _ATTRIBUTES and value is not None:
        raise TypeError("type() is there for plain values only")
    return kind


def _dumps(
    value: object,
    *,
    indent: int | None = None,
    sort_keys: bool = False,
    ensure_ascii: bool = True,
    default: Callable[[object], object] | None = None,
) -> str:
    return json.dumps(
        value, indent=indent, sort_keys=sort_keys, ensure_ascii=ensure_ascii, default=default
    )


def _loads(text: str) -> Any:
    return json.loads(text)


def _named(module: object, names: str) -> dict[str, object]:
    return {name: getattr(module, name) for name in names.split()}


MODULES: Final[Mapping[str, Module]] = {
    "collections": Module(_named(collections, "Counter OrderedDict defaultdict deque")),
    "datetime": Module(_named(dt, "MAXYEAR MINYEAR UTC date datetime time timedelta timezone")),
    "functools": Module(_named(functools, "cache lru_cache partial reduce")),
    "itertools": Module(
        _named(
            itertools,
            "accumulate batched chain combinations combinations_with_replacement compress count "
            "cycle dropwhile filterfalse groupby islice pairwise permutations product repeat "
            "starmap takewhile tee zip_longest",
        )
    ),
    "json": Module({"dumps": _dumps, "loads": _loads, "JSONDecodeError": json.JSONDecodeError}),
    "math": Module(
        {
            name: member
            for name, member in vars(math).items()
            if not name.startswith("_") and type(member) in {float, BuiltinFunctionType}
        }
    ),
    "re": Module(
        _named(
            re,
            "A ASCII DOTALL I IGNORECASE M MULTILINE S VERBOSE X compile escape findall finditer "
            "fullmatch match search split sub subn",
        )
    ),
    "statistics": Module({}),
}
"""What may be imported; of `statistics` all that there is was written into the source."""


_LATE: Final = frozenset({"_strptime", "time"})
"""What `datetime` itself imports, by the `__import__` of whoever calls it."""


def _import(name: str, *rest: object) -> Module | ModuleType:
    """Return a module for an `import` statement; the policy has seen its name."""
    if name in _LATE:
        return sys.modules[name]
    if name not in MODULES:
        raise ImportError(f"No module named {name!r}")
    return MODULES[name]


BUILTINS: Final[Mapping[str, object]] = {
    **{
        each.__name__: each
        for each in (
            *(abs, all, any, bool, callable, chr, dict, divmod, enumerate, filter, float, format),
            *(frozenset, int, isinstance, iter, len, list, map, max, min, next, ord, pow, range),
            *(repr, reversed, round, set, slice, sorted, str, sum, tuple, zip),
            *(ArithmeticError, AssertionError, AttributeError, Exception, ImportError, IndexError),
            *(KeyError, LookupError, MemoryError, NameError, NotImplementedError, OverflowError),
            *(RecursionError, RuntimeError, StopIteration, TimeoutError, TypeError, ValueError),
            *(UnboundLocalError, ZeroDivisionError),
        )
    },
    "type": _type,
    "__import__": _import,
}

GUARDS: Final[Mapping[str, object]] = {
    "__builtins__": dict(BUILTINS),
    "_getattr_": get_attribute,
    "_getitem_": get_item,
    "_write_": writable,
    "_change_item_": change_item,
}

GIVEN: Final[Mapping[str, object]] = {
    **{name: module for name, module in MODULES.items() if name not in {"datetime", "statistics"}},
    "datetime": dt.datetime,
    "date": dt.date,
    "time": dt.time,
    "timedelta": dt.timedelta,
    "timezone": dt.timezone,
}
"""The names that are there without an import (`contract.GIVEN`)."""
