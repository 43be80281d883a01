"""What is refused before it runs, and in which words."""

import pytest

from custom_components.sage.routines.sandbox.contract import Fault
from custom_components.sage.routines.sandbox.python_subset import LONGEST_SOURCE, validate


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
        ("def check():\n    return 'x\0'", None, "not Python"),
        ("def check():\n    return '\ud800'", None, "no text"),
        ("import os\ndef check():\n    return True", 1, "cannot import os"),
        ("from os import path\ndef check():\n    return True", 1, "cannot import os"),
        ("state = {}\ndef check():\n    return True", 1, "Change it in place"),
        ("def check():\n    state = {'x': 1}\n    return True", 2, "Change it in place"),
        ("def check(state=None):\n    return True", 1, "Change it in place"),
        ("return True\ndef check():\n    return True", 1, "'return' outside function"),
        ("def check():\n    break", 2, "'break' outside loop"),
        ("def check():\n    return True\n" + "#" * LONGEST_SOURCE, None, "longer than 20 kB"),
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
