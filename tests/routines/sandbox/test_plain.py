"""Only plain values of limited size leave the sandbox."""

from collections import OrderedDict, UserDict
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from enum import IntEnum, StrEnum
from inspect import Parameter
from types import MappingProxyType
from typing import Any

import pytest

from custom_components.sage.routines.sandbox.contract import (
    RESULT_BYTES,
    ConditionFunction,
    FunctionCall,
    PlainError,
    to_call,
    to_plain,
    to_state,
)

from .workshop import MINUTES


class Level(IntEnum):
    HIGH = 3


class Mode(StrEnum):
    HEAT = "heat"


class Later(datetime):
    pass


MOMENT = datetime(2026, 1, 1, 12, 30, 15, 250, tzinfo=timezone(timedelta(hours=1)))


@pytest.mark.parametrize(
    "value",
    [None, True, 5, -0.5, "ü", "", MOMENT, [], {}, [1, [2, {"a": None}]], {"a": {"b": MOMENT}}],
)
def test_plain_values_cross_unchanged(value: Any):
    assert to_plain(value, RESULT_BYTES, "it") == value


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ((1, (2,)), [1, [2]]),
        (Mode.HEAT, "heat"),
        (Level.HIGH, 3),
        ({Mode.HEAT: Level.HIGH}, {"heat": 3}),
        (MappingProxyType({"a": (1,)}), {"a": [1]}),
        (OrderedDict(a=1), {"a": 1}),
        (UserDict({"a": 1}), {"a": 1}),
        (Later(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)),
    ],
)
def test_what_is_almost_plain_is_made_plain(value: Any, plain: Any):
    def types(of: Any) -> Any:
        if isinstance(of, Mapping):
            return [type(of), [(type(key), types(item)) for key, item in of.items()]]
        return [type(of), [types(item) for item in of] if isinstance(of, list) else None]

    crossed = to_plain(value, RESULT_BYTES, "it")

    assert crossed == plain
    assert types(crossed) == types(plain)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (object(), "a object"),
        ({1, 2}, "sorted(...)"),
        (b"x", "a bytes"),
        (date(2026, 1, 1), "isoformat()"),
        (timedelta(1), "total_seconds()"),
        (datetime(2026, 1, 1), "without a time zone"),  # noqa: DTZ001
        ([[1, {"a": len}]], "state[0][1]['a'] is a builtin_function_or_method"),
        ({1: 2}, "A key of state is a int"),
        (2**63, "more than 63 bits"),
        (float("inf"), "no finite number"),
        ("\ud800", "half a character"),
        ("x" * 16_001, "more in it than 16 kB"),
        (["ü" * 100] * 81, "more in it than 16 kB"),
        ([1] * 2001, "more in it than 16 kB"),
        ([[[[[[[[[[[[[1]]]]]]]]]]]]], "deeper than 12"),
    ],
)
def test_what_is_not_plain_is_refused_with_its_place(value: Any, words: str):
    with pytest.raises(PlainError) as caught:
        to_plain(value, 16_000, "state")
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_value_that_holds_itself_is_refused():
    loop: list[Any] = []
    loop.append(loop)

    with pytest.raises(PlainError):
        to_plain(loop, RESULT_BYTES, "it")


def test_what_crosses_is_shared_with_nobody():
    inner = [1]
    crossed = to_plain({"a": inner, "b": inner}, RESULT_BYTES, "it")

    assert isinstance(crossed, dict)
    assert crossed["a"] is not inner
    assert crossed["a"] is not crossed["b"]


def test_the_state_is_a_dict():
    assert to_state({"a": (1,)}) == {"a": [1]}
    with pytest.raises(PlainError, match="a dict"):
        to_state([1])


DEVICE = Parameter("device", Parameter.POSITIONAL_OR_KEYWORD, annotation=str)
READS = ConditionFunction(name="reads", parameters=(DEVICE, MINUTES))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("a",), {}),
        (("a", 60), {}),
        (("a",), {"minutes": 60}),
        ((), {"minutes": 60, "device": "a"}),
    ],
)
def test_a_call_has_all_arguments_in_order(arguments: tuple[Any, ...], named: dict[str, Any]):
    assert to_call(READS, arguments, named) == FunctionCall("reads", ("a", 60))


@pytest.mark.parametrize(
    ("arguments", "named", "words"),
    [
        ((), {}, "needs the argument device"),
        (("a", 1, 2), {}, "takes these arguments: device, minutes"),
        (("a",), {"device": "b"}, "takes these arguments"),
        (("a",), {"room": "b"}, "takes these arguments"),
        (([1],), {}, "not list"),
        (({},), {}, "not dict"),
        ((MOMENT,), {}, "not datetime"),
        ((Mode.HEAT,), {}, "not Mode"),
        (("x" * 300,), {}, "longer than 256"),
        (("a", 10**30), {}, "more than 63 bits"),
        (("a", float("nan")), {}, "no finite number"),
    ],
)
def test_a_wrong_argument_is_refused(arguments: tuple[Any, ...], named: dict[str, Any], words: str):
    with pytest.raises(PlainError, match=words):
        to_call(READS, arguments, named)
