"""No check reaches the names of the prelude, which contain all checks."""

import ast
from pathlib import Path

import pytest

from custom_components.sage.routines.sandbox import wrapping
from custom_components.sage.routines.sandbox.monty import MontyEngine
from custom_components.sage.routines.sandbox.sandbox_types import Fault

from .workshop import check, run

PRELUDE = Path(wrapping.__file__).with_name("prelude.py").read_text(encoding="utf-8")
OURS = sorted(
    {
        node.id.removeprefix("_")
        for node in ast.walk(ast.parse(PRELUDE))
        if isinstance(node, ast.Name) and node.id.startswith("_")
    }
    | {
        node.name.removeprefix("_")
        for node in ast.walk(ast.parse(PRELUDE))
        if isinstance(node, ast.FunctionDef)
    }
)
STATISTICS = {"mean", "median", "mode", "pstdev", "pvariance", "stdev", "variance"}


@pytest.mark.parametrize("name", [each for each in OURS if each not in STATISTICS])
def test_no_name_of_the_prelude_is_reached_as_one_of_statistics(engine: MontyEngine, name: str):
    for source in (
        f"from statistics import {name} as c\ndef check():\n    return c is not None\n",
        f"import statistics\ndef check():\n    return statistics.{name} is not None\n",
        f"def check():\n    from statistics import mean, {name}\n    return {name} is not None\n",
        f"import statistics as s\ndef check():\n    return s.{name} is not None\n",
    ):
        outcome = run(engine, source)
        assert outcome.value is None
        assert outcome.error
        assert outcome.error.fault is Fault.SYNTAX


def test_no_check_gets_at_those_of_others(engine: MontyEngine):
    other = 'def check():\n    return state["note"] == "private"\n'
    thief = (
        "from statistics import checks as c\ndef check():\n"
        "    for key in c:\n        c[key] = lambda state, run: lambda: False\n"
        "    print(c)\n    return True\n"
    )
    for _ in range(2):
        outcomes = engine.run(
            [check(other, "other", state={"note": "private"}), check(thief, "thief")]
        )
        assert outcomes["thief"].value is None
        assert outcomes["other"].value is True


@pytest.mark.parametrize("name", ["_checks", "_known_functions", "_ask", "_tick"])
def test_an_edit_brings_no_other_name_of_the_prelude(
    engine: MontyEngine, monkeypatch: pytest.MonkeyPatch, name: str
):
    """Without the validation of sources, whatever a source contains."""
    monkeypatch.setattr(wrapping, "validate", lambda *_: None)
    wrapping.wrap.cache_clear()
    outcome = run(engine, f"def check():\n    return {name} is not None\n")
    wrapping.wrap.cache_clear()

    assert outcome.error
    assert name in outcome.error.message
