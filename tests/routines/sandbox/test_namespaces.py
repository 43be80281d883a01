"""What one check does to names reaches no other, whatever its source may say.

All of this runs with both fences down that read sources: the contract, and the names that
`wrapping` lets a source use. So the namespaces of the prelude alone are in the way.
"""

import ast
import builtins
import keyword
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from custom_components.sage.routines.sandbox import wrapping
from custom_components.sage.routines.sandbox.monty import MontyEngine

from .workshop import FUNCTIONS, check, run, values

PRELUDE = Path(wrapping.__file__).with_name("prelude.py").read_text(encoding="utf-8")
OURS = {
    name
    for node in ast.walk(ast.parse(PRELUDE))
    for name in (getattr(node, "id", None), getattr(node, "name", None))
    if isinstance(name, str) and name.isidentifier()
}
NAMES = sorted(
    {name for name in dir(builtins) if not keyword.iskeyword(name) and name != "__debug__"}
    | OURS
    | {function.name for function in FUNCTIONS}
    | {"state", "_made", "_run", "__builtins__"}
)
NEIGHBOUR = """
import collections
import statistics

def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)

def check():
    print("mine", sorted([2, 1]), max(1, 2), min([1, 2]), abs(-1))
    state["owner_note"] = str(len(state))
    first = collections.Counter("aab").most_common(1)[0]
    try:
        int("x")
    except ValueError as error:
        failed = isinstance(error, ValueError)
    rows = get_history("light.hall")
    return all([
        failed, first == ("a", 2), any([True]), callable(check), deep(20) == 20,
        datetime.now().hour == 12, math.pi > 3, timedelta(hours=1) == timedelta(minutes=60),
        statistics.mean([1.0, 3.0]) == round(2.2), re.match("a", "ab") is not None,
        json.loads(json.dumps({"b": [1]}))["b"] == list(range(1, 2)),
        next((row for row in rows if row["value"] == "off"), None) is not None,
        dict(zip(["a"], enumerate([tuple("b")])))["a"] == (0, ("b",)),
        sum(map(int, filter(None, ["1", "2"]))) == 3 == len([1, 2, 3]),
        get_state("light.hall") == "on", is_available("sensor.away") is False,
        get_list() == ["from the host"], now() is not None,
    ])
"""


class _Everything:
    """A set that has every name."""

    def __rsub__(self, _: object) -> frozenset[str]:
        return frozenset()


@pytest.fixture(autouse=True)
def _no_fence(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(wrapping, "validate", lambda *_: None)
    monkeypatch.setattr(wrapping, "STANDING_IN", _Everything())
    wrapping.wrap.cache_clear()
    yield
    wrapping.wrap.cache_clear()


def attack(engine: MontyEngine, sources: Sequence[str]) -> list[bool | None]:
    """Run sources between neighbours, twice, then a neighbour alone; return the values.

    Asserts that each neighbour gives True. In a worker that is new to it, too.
    """
    mine = [check(source, f"attempt {n}") for n, source in enumerate(sources)]
    for _ in range(2):
        outcomes = engine.run([check(NEIGHBOUR, "before"), *mine, check(NEIGHBOUR, "after")])
        assert [str(outcomes[each].error) for each in ("before", "after")] == ["None"] * 2
        assert values(outcomes, ("before", "after")) == [True, True]
    fresh = run(engine, NEIGHBOUR + f"# {len(sources)}\n")
    assert fresh.value is True
    return values(outcomes, [each.id for each in mine])


def each_name(form: str) -> list[str]:
    """Return `form` for each name; the entry is always there."""
    return [form.replace("NAME", name) for name in NAMES if name != "check"]


def test_the_neighbour_does_well_alone(engine: MontyEngine):
    assert run(engine, NEIGHBOUR).value is True


FORMS = {
    "global in the check": (
        "def check():\n    global NAME\n    NAME = lambda *a, **k: 5\n    return NAME() == 5\n"
    ),
    "global in the source": (
        "global NAME\nNAME = lambda *a, **k: 5\ndef check():\n    return NAME() == 5\n"
    ),
    "global in a helper that a default calls": (
        "def take():\n    global NAME\n    NAME = 5\n    return 5\n"
        "def check(x=take()):\n    return x == 5\n"
    ),
    "a loop": "def check():\n    global NAME\n    for NAME in [5]: pass\n    return True\n",
    "an import": "def check():\n    global NAME\n    import math as NAME\n    return True\n",
    "an exception": (
        "def check():\n    global NAME\n    try:\n        raise ValueError('x')\n"
        "    except ValueError as NAME:\n        pass\n    return True\n"
    ),
    "an assignment expression": (
        "def check():\n    global NAME\n    return bool([NAME := 5 for each in [1]])\n"
    ),
    "a function of the source": (
        "def NAME(*a, **k):\n    return 5\ndef check():\n    return NAME() == 5\n"
    ),
    "a function that is global": (
        "global NAME\ndef NAME(*a, **k):\n    return 5\ndef check():\n    return NAME() == 5\n"
    ),
    "a class": "class NAME:\n    pass\ndef check():\n    return True\n",
    "a class that is global": (
        "global NAME\nclass NAME:\n    pass\ndef check():\n    return True\n"
    ),
    "deleting": "def check():\n    global NAME\n    NAME = 5\n    del NAME\n    return True\n",
    "nonlocal": (
        "def check():\n    NAME = 1\n    def inner():\n        nonlocal NAME\n"
        "        NAME = lambda *a, **k: 5\n        return NAME() == 5\n    return inner()\n"
    ),
    "an attribute": "def check():\n    NAME.mine = 5\n    return NAME.mine == 5\n",
    "an attribute that calls know": (
        "def check():\n    NAME.__code__ = (lambda *a, **k: 5).__code__\n    return True\n"
    ),
    "defaults": "def check():\n    NAME.__defaults__ = (5, 5, 5)\n    return True\n",
    "exec": (
        "def check():\n    exec('global NAME; NAME = 5')\n    exec('NAME = 5', {})\n"
        "    return True\n"
    ),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_name_that_a_check_takes_is_its_own(engine: MontyEngine, form: str):
    attack(engine, each_name(form))


def test_what_a_check_does_with_global_is_seen_by_itself(engine: MontyEngine):
    """The control: it does happen, and stays where it was done."""
    got = attack(
        engine, ["def check():\n    global len\n    len = lambda x: 5\n    return len([]) == 5\n"]
    )

    assert got == [True]


def test_what_a_check_leaves_is_seen_by_none_and_gone_in_its_next_run(engine: MontyEngine):
    counting = """
def check():
    global left
    try:
        left = left + 1
    except NameError:
        left = 1
    return left == 1
"""
    raising = counting.replace("return left == 1", "return 1 / (left - 1) > 0")
    victim = "def check():\n    return left > 0\n"
    for _ in range(2):
        outcomes = engine.run(
            [
                check(counting, "anna's"),
                check(counting, "ben's, in the same words"),
                check(raising, "raises"),
                check(raising, "raises again"),
                check(victim, "victim"),
            ]
        )
        assert values(outcomes, ("anna's", "ben's, in the same words")) == [True, True]
        for each in ("raises", "raises again"):
            assert "division by zero" in str(outcomes[each].error)
        assert outcomes["victim"].value is None


@pytest.mark.parametrize(
    "name", ["_checks", "_known_functions", "_current", "_given", "_tick", "_define"]
)
def test_what_holds_the_checks_of_all_is_not_there(engine: MontyEngine, name: str):
    outcome = run(engine, f"def check():\n    return {name} is not None\n")

    assert outcome.value is None
    assert name in str(outcome.error)


def test_no_check_changes_the_answers_of_another(engine: MontyEngine):
    thief = """
def check():
    get_list().append("from me")
    _ask(2, ()).append("from me")
    return "from me" in _ask(2, ())
"""
    assert attack(engine, [thief])[0] is not True
