"""A source stays in its factory, with its lines and texts as they were."""

import ast

import pytest

from custom_components.sage.routines.sandbox import wrapping
from custom_components.sage.routines.sandbox.monty import MontyEngine
from custom_components.sage.routines.sandbox.sandbox_types import CheckError
from custom_components.sage.routines.sandbox.wrapping import FACTORY, Wrapped, wrap

from .workshop import FUNCTIONS, check, run


def wrapped(source: str) -> Wrapped:
    made = wrap(source, "check", FUNCTIONS)
    assert isinstance(made, Wrapped), made
    return made


def test_only_what_is_used_is_defined():
    made = wrapped('def check():\n    return get_state("a") == "b"\n')

    above = made.factory.split("\n")[: made.lines_above]
    assert above[1:] == [" def get_state(name): return _ask(0, (name, ))"]


def test_defaults_are_written_out():
    made = wrapped("def check():\n    print(1)\n    return get_history('a') == 1\n")

    above = made.factory.split("\n")[: made.lines_above]
    assert above[1] == " def get_history(name, minutes=60): return _ask(1, (name, minutes, ))"
    assert above[2].startswith(" def print(")


@pytest.mark.parametrize(
    "source",
    [
        (
            'def check():\n    """One.\n\n  Two.\n"""\n    x = """\na\n  b"""\n'
            '    return x == "\\na\\n  b"'
        ),
        'def check():\n    x = f"""\n{1 + 1}\n"""\n    return x == "\\n2\\n"',
        "def check():\n    x = (1,\n2,\n   3)\n    return len(x) == 3",
        "def check():\n    x = 1 + \\\n2\n    return x == 3",
        "def check():\n\tif True:\n\t\treturn True",
        "# before\n\n\ndef check():\n\n    # within\n\n    return True\n\n\n# after",
        "def check():\r\n    return True\r\n",
        "x = '''\n'''; y = 1\ndef check():\n    return x == '\\n' and y == 1",
        (
            "from statistics import (\n    mean as average,\n    median\n)\n\ndef check():\n"
            "    return average([1]) == median([1])"
        ),
        (
            "import math, statistics as st; x = 1\ndef check():\n"
            "    return st.mean([x]) == math.floor(1.5)"
        ),
        (
            'def check():\n    größe = "ü"; t = timedelta(hours=1)\n'
            '    return f"{größe}{timedelta(hours=1) == t}" == "üTrue"'
        ),
    ],
)
def test_a_source_means_the_same_in_its_factory(engine: MontyEngine, source: str):
    assert run(engine, source).value is True


def test_lines_are_those_of_the_source(engine: MontyEngine):
    source = (
        "from statistics import (\n    mean,\n    median,\n)\nimport statistics\n"
        "from datetime import timedelta\n\ndef check():\n    mean([timedelta(1).days])\n"
        '    x = """\n"""\n    return 1 / 0 > 1\n'
    )

    error = run(engine, source).error

    assert error
    assert error.line == 12


@pytest.mark.parametrize(
    "source",
    [
        "def check():\n    return found\n\x0cfound = True\n",
        "def check():\n    return found\n\\\nfound = True\n",
        "def check():\n    return True\n\\\n\nfound = True\n",
        'text = """\n"""\nfound = True\ndef check():\n    return found\n',
        "def check():\n    return True\nif True: found = True\n",
        "def check(): return True\nfound = 1; rest = 2\n",
    ],
)
def test_nothing_that_a_source_binds_is_seen_by_another(engine: MontyEngine, source: str):
    victim = "def check():\n    return found\n"
    for _ in range(2):
        outcomes = engine.run([check(source, "first"), check(victim, "victim")])
        assert outcomes["victim"].value is None
        assert outcomes["victim"].error


@pytest.mark.parametrize("head", [("x = 1", "y = 2\n z = 3"), ("x = 1\ny = 2",), ("x = (", ")")])
def test_a_source_that_would_not_stay_inside_is_refused(
    monkeypatch: pytest.MonkeyPatch, head: tuple[str, ...]
):
    monkeypatch.setattr(
        wrapping, "_own_lines", lambda _: {f"name{n}": h for n, h in enumerate(head)}
    )
    source = "def check():\n    return name0 == name1\n"
    wrap.cache_clear()

    error = wrap(source, "check", ())

    assert isinstance(error, CheckError)
    assert "cannot take it" in error.message


def test_a_factory_is_one_function():
    (statement,) = ast.parse(wrapped("x = 1\ndef check():\n    return True\n").factory).body

    assert isinstance(statement, ast.FunctionDef)
    assert statement.name == FACTORY
