"""What is refused before it runs, and in which words."""

import pytest

from custom_components.sage.routines.sandbox.contract import LONGEST_SOURCE, validate
from custom_components.sage.routines.sandbox.sandbox_types import Fault

from .attempts.exhaustion import DEEP, PARSER


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("def check():\n    return (1", 2, "not Python"),
        ("def other():\n    return True", None, "no function check"),
        ("check = lambda: True", None, "no function check"),
        ("def check(name):\n    return True", 1, "without arguments"),
        ("def check(*, name):\n    return True", 1, "without arguments"),
        ("@print\ndef check():\n    return True", 2, "decorated"),
        ("async def check():\n    return True", 1, "no async"),
        ("import os\ndef check():\n    return True", 1, "cannot import os"),
        ("from os import path\ndef check():\n    return True", 1, "cannot import os"),
        ("from . import x\ndef check():\n    return True", 1, "cannot import that"),
        ("from json import *\ndef check():\n    return True", 1, "Name what"),
        ("import collections.abc\ndef check():\n    return True", 1, "These are there:"),
        ("def check():\n    return eval('1')", 2, "eval is not there"),
        ("def check():\n    return getattr(1, 'real')", 2, "getattr is not there"),
        (
            "x = 1\ndef check():\n    global x\n    return True",
            3,
            "Keep values between runs in state",
        ),
        ("def check():\n    yield True", 2, "Return a list"),
        ("def check():\n    d = {}\n    del d['x']\n    return True", 3, "state.pop"),
        ("class A:\n    pass\ndef check():\n    return True", 1, "Use dicts"),
        ("def check():\n    with x:\n        return True", 2, "no with"),
        ("def check():\n    return t'{1}' == 1", 2, "f-string"),
        ("def check():\n    return max({}, key=d.get)", 2, "lambda x: x.get()"),
        ("def check():\n    return 'a'.upper == 'A'", 2, "write upper(...)"),
        ("state = {}\ndef check():\n    return True", 1, "Change it in place"),
        ("def check():\n    state = {'x': 1}\n    return True", 2, "Change it in place"),
        ("def check(state=None):\n    return True", 1, "Change it in place"),
        ("return True\ndef check():\n    return True", 1, "'return' outside function"),
        ("def check():\n    break", 2, "'break' outside loop"),
        ("def check():\n    return 'a\x0cb'", 2, "control character"),
        ("def check():\n    return '\ud800'", None, "half a character"),
        ("def check():\n    return True\n" + "#" * LONGEST_SOURCE, None, "longer than 20 kB"),
        ("def check():\n    return 'x\0'", 2, "control character"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_what_would_be_right(
    source: str, line: int | None, words: str
):
    error = validate(source, "check")

    assert error
    assert error.fault is Fault.SYNTAX
    assert words in str(error)
    assert error.line == line


@pytest.mark.parametrize(
    "source",
    [
        "def check():\n    return True",
        "def check(x=1, *rest, y=2, **more):\n    return True",
        "def check():\r\n    return True\r\n",
        "def check():\n\treturn True",
        "def check():\n    for _ in range(3):\n        pass\n    return True",
        "def tür_offen():\n    return True\ndef check():\n    return tür_offen()",
        "def check():\n    state['x'] = 1\n    return state.get('x') == 1",
        "import datetime as dt, math\ndef check():\n    return isinstance(1, dt.date)",
        "from datetime import date, time\ndef check():\n    return True",
        "import re\ndef check():\n    return list(map(re.escape, ['a'])) == ['a']",
        "def check():\n    return False\ndef check():\n    return True",
    ],
)
def test_what_is_right_passes(source: str):
    assert validate(source, "check") is None


@pytest.mark.parametrize("attempt", [*PARSER, *DEEP], ids=lambda attempt: attempt.name)
def test_no_source_is_too_deep_to_be_refused(attempt):
    error = validate(attempt.source, "check")

    assert error
    assert len(str(error)) < 300
