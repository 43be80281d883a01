"""The process of the fallback from within: what it compiles, what code has there, its end.

It runs in the process of the tests here, without giving up its rights.
"""

import io
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from custom_components.sage.routines.sandbox import restricted_worker
from custom_components.sage.routines.sandbox.outcomes import Handing, describe
from custom_components.sage.routines.sandbox.restricted_library import (
    get_attribute,
    get_item,
    writable,
)
from custom_components.sage.routines.sandbox.restricted_policy import RefusedError, compile_check
from custom_components.sage.routines.sandbox.restricted_worker import Worker
from custom_components.sage.routines.sandbox.wire import encode
from custom_components.sage.routines.sandbox.wrapping import Wrapped, wrap

from .language import FEATURES
from .workshop import ANSWERS, FUNCTIONS


@pytest.fixture
def worker() -> Iterator[Worker]:
    before = signal.signal(signal.SIGPROF, restricted_worker._end_of_time)
    recursion = sys.getrecursionlimit()
    made = Worker()
    made.begin(describe(FUNCTIONS), "Europe/Berlin")
    yield made
    signal.signal(signal.SIGPROF, before)
    sys.setrecursionlimit(recursion)


@pytest.fixture(autouse=True)
def room(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests themselves stand in many calls already."""
    monkeypatch.setattr(restricted_worker, "RECURSION", 400)


def request(source: str, **fields: Any) -> dict[str, Any]:
    wrapped = wrap(source, "check", FUNCTIONS)
    assert isinstance(wrapped, Wrapped), wrapped
    answers = [[*question, answer] for question, answer in Handing().over(ANSWERS).items()]
    asked = {
        "text": wrapped.text,
        "head": wrapped.head,
        "function": "check",
        "seconds": 5.0,
        "state": encode({}),
        "answers": encode(answers),
    }
    return json.loads(json.dumps(asked | fields))


def test_it_runs_what_the_language_has(worker: Worker):
    given = [feature for feature in FEATURES if not feature.told]
    replies = {feature.name: worker.answer(request(feature.source)) for feature in given}

    assert {name: each for name, each in replies.items() if each["report"][1] is not True} == {}


def test_it_tells_what_was_asked_kept_and_printed(worker: Worker):
    source = (
        "def check():\n    print(get_state('light.hall'))\n    state['n'] = now()\n"
        "    return get_list() != get_history('light.hall', minutes=5)\n"
    )
    kind, value, is_unknown, asked, missing, state, printed, _ = worker.answer(request(source))[
        "report"
    ]

    assert (kind, value, is_unknown, state, printed) == ("value", True, False, None, "on\n")
    assert len(asked) == 3
    assert missing == [["get_history", ["light.hall", 5.0]]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("return get_state('sensor.away') == 'on'", "value"),
        ("return get_state(5)", "TypeError"),
        ("return get_state('x' * 999)", "ValueError"),
        ("return get_history('a', 10**40)", "ValueError"),
        ("return get_state('light.hal') == 'on'", "did you mean"),
        ("return 5", "no_bool"),
        ("state['x'] = check\n    return True", "is a function"),
        ("state[5] = 1\n    return True", "A key of state"),
        ("state['x'] = [[[[[[[[[1]]]]]]]]]\n    return True", "nested deeper"),
        ("state['x'] = list(range(9999))\n    return True", "more than 2000"),
        ("state['x'] = datetime(2026, 1, 1)\n    return True", "without a time zone"),
        ("return statistics.mean([]) == 1", "at least one"),
        ("return statistics.stdev([1]) == 1", "at least 2"),
        ("return statistics.median([]) == 1", "no median"),
        ("return statistics.mode([]) == 1", "no mode"),
        ("return statistics.pstdev([1, 1]) + statistics.variance([1, 1]) == 0.0", "value"),
        ("return statistics.mode([1, 2, 2]) == 2 and statistics.pvariance([1]) == 0", "value"),
        ("return datetime.strptime('24.12.', '%d.%m.').month == 12", "value"),
        ("return datetime.strptime('2026', '%Y').year == datetime.fromtimestamp(0).year", "value"),
        ("return json.nope == 1", "this module has no attribute 'nope'"),
        ("return (1).real == 1", "'int' object has no attribute 'real'"),
        ("return print.x == 1", "has no attribute 'x'"),
        ("'x'[0] = 'y'\n    return True", "does not support item assignment"),
        ("(1,)[0] += 1\n    return True", "does not support item assignment"),
        ("return type(check) is None", "for plain values only"),
        ("return '{0.real}'.format(1) == '1'", "a name or a number only"),
        ("return '{:{}}'.format(1, 5) == '    1'", "value"),
        ("return list[int] is None", "a type has no items"),
        ("return check()", "RecursionError"),
        ("return [0] * 10**14 == 1", "MemoryError"),
        ("for n in range(300):\n        get_state(f'light.{n}')\n    return True", "200 questions"),
        ("return date.today() == datetime.utcnow().date()", "value"),
    ],
)
def test_what_comes_of_code(worker: Worker, text: str, words: str):
    reply = worker.answer(request(f"def check():\n    {text}\n"))

    assert words in json.dumps(reply["report"][:2])


def test_an_error_has_its_line(worker: Worker):
    reply = worker.answer(request("def half(x):\n    return x / 0\n\ndef check():\n    half(1)\n"))

    assert reply["line"] == 2


def test_an_error_that_does_not_come_again_has_none(worker: Worker):
    assert worker._line(lambda *_: lambda: True, request("def check(): pass"), ["raised"]) is None
    assert worker._line(lambda *_: lambda: True, request("def check(): pass"), ["value"]) is None


def test_it_ends_what_does_not_end(worker: Worker):
    lines = ("while True:", "    try:", "        pass", "    except:", "        pass")
    loop = "def check():\n" + "".join(f"    {line}\n" for line in lines)

    assert worker.answer(request(loop, seconds=0.05)) == {"broken": "time"}


def test_it_keeps_as_many_codes_as_it_may(worker: Worker, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(restricted_worker, "MOST_CODES", 2)
    for n in range(5):
        worker.answer(request(f"def check():\n    return {n} < 9\n"))

    assert len(worker._codes) == 2


@pytest.mark.parametrize(
    "text",
    [
        "class A: pass",
        "with x: pass",
        "def f(): yield 1",
        "def f(): yield from x",
        "def f():\n    global x",
        "del x",
        "x = t'{1}'",
        "async def f(): pass",
        "try:\n    pass\nexcept* ValueError:\n    pass",
        "match x:\n    case int(): pass",
        "match x:\n    case _y: pass",
        "match x:\n    case [*_y]: pass",
        "match x:\n    case {**_y}: pass",
        "def f[T](): pass",
        "type A = int",
        "x.y = 1",
        "x.y += 1",
        "del x.y",
        "for x.y in z: pass",
        "x.__class__",
        "x.gi_frame",
        "x.y__roles__",
        "_x = 1",
        "_getattr_",
        "_mean = 1",
        "lambda _x: 1",
        "lambda _x, /: 1",
        "lambda *_x: 1",
        "lambda **_x: 1",
        "lambda *, _x: 1",
        "def _f(): pass",
        "f(_x=1)",
        "(_x := 1)",
        "import os",
        "import json as _j",
        "from os import path",
        "from . import x",
        "from json import *",
        "from json import _default_decoder",
        "def f():\n    nonlocal _x",
        "try:\n    pass\nexcept ValueError as _e:\n    pass",
        "[_x for _x in y]",
        "_x: int = 1",
        "x: _y",
        "_x += 1",
        "exec('1')(",
    ],
)
def test_what_the_policy_refuses(text: str):
    if text == "x: _y":
        compile_check(text)
        return
    with pytest.raises(RefusedError):
        compile_check(text)


def test_a_batch_is_announced_group_by_group(worker: Worker, capsys: pytest.CaptureFixture[str]):
    """As Monty runs it: the text is the same, and so is what it does."""
    prelude = worker._prelude
    texts = [(0, "def _made(state): return lambda: True"), (1, "def _made(state): return len")]
    prelude["_define"](texts)
    due: list[Any] = [(0, {}, {}), (1, {}, {}), (0, {"n": 1}, {}), (0, {}, {})]

    reports = prelude["_tick"](due, 2)

    assert capsys.readouterr().out.split() == ["0", "2"]
    assert [report[0] for report in reports] == ["value", "raised", "value", "value"]
    assert reports[2][5] == {"n": 1}


def test_what_stands_in_for_built_ins(worker: Worker):
    prelude = worker._prelude
    following = prelude["_next"]

    assert [following([7, 8]), following([], 5), following(iter([9]))] == [7, 5, 9]
    with pytest.raises(StopIteration):
        following([])
    assert prelude["_callable"](len)
    assert not prelude["_callable"](5)
    with pytest.raises(NameError):
        prelude["_denied"]("x")
    assert prelude["_local"](None, None) is None


def test_a_refusal_has_its_line(worker: Worker):
    source = request("def check():\n    return True\n", text="x = 1\nclass A: pass\n")

    assert worker.answer(source) == {"refused": "ClassDef is not there", "line": 2}


def test_too_deep_a_source_is_refused():
    with pytest.raises(RefusedError, match="nested too deeply"):
        compile_check("x = " + "-" * 20_000 + "1")


def test_guards_look_at_exact_types():
    class Text(str):
        __slots__ = ()

    for owner, name in ((Text("x"), "upper"), (type, "mro"), (Text, "upper"), (5, "upper")):
        with pytest.raises(AttributeError):
            get_attribute(owner, name)
    assert get_attribute("x", "upper")() == "X"
    assert get_attribute(ValueError("x"), "args") == ("x",)
    with pytest.raises(TypeError):
        get_item(list, int)
    with pytest.raises(TypeError):
        writable(())


def test_it_gives_up_its_rights(monkeypatch: pytest.MonkeyPatch):
    given_up: list[tuple[Any, ...]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    for name in ("setgroups", "setresgid", "setresuid"):
        monkeypatch.setattr(os, name, lambda *a, name=name: given_up.append((name, *a)))
    monkeypatch.setattr(resource, "setrlimit", lambda *a: given_up.append(a))

    restricted_worker.give_up_rights()

    assert given_up[:3] == [
        ("setgroups", []),
        ("setresgid", 65534, 65534, 65534),
        ("setresuid", 65534, 65534, 65534),
    ]
    limits = dict(given_up[3:])
    assert limits[resource.RLIMIT_NOFILE] == (3, 3)
    assert limits[resource.RLIMIT_NPROC] == (0, 0)
    assert limits[resource.RLIMIT_FSIZE] == (0, 0)
    assert limits[resource.RLIMIT_AS][0] <= 200_000_000


def test_it_answers_line_by_line_until_one_breaks(worker: Worker, monkeypatch: pytest.MonkeyPatch):
    calls: list[str] = []
    rule = "CET-1CEST,M3.5.0,M10.5.0/3"
    begin = {"lent": describe(FUNCTIONS), "zone": "Europe/Berlin", "clock_rule": rule}
    good = request("def check():\n    return True\n")
    loop = request("def check():\n    while True:\n        pass\n", seconds=0.05)
    lines = "".join(json.dumps(each) + "\n" for each in (begin, good, loop, good))
    monkeypatch.setenv("TZ", "UTC0")
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    written = io.StringIO()
    monkeypatch.setattr(sys, "stdout", written)
    monkeypatch.setattr(restricted_worker, "give_up_rights", partial(calls.append, "rights"))
    monkeypatch.setattr("warnings.simplefilter", calls.append)
    try:
        restricted_worker.main()
        assert time.tzname == ("CET", "CEST")
    finally:
        os.environ["TZ"] = "UTC0"
        time.tzset()

    replies = [json.loads(line) for line in written.getvalue().splitlines()]
    assert replies[0] == {"ready": True}
    assert replies[1]["report"][:2] == ["value", True]
    assert replies[2:] == [{"broken": "time"}]
    assert calls == ["ignore", "rights"]
