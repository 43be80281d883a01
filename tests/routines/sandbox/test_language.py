"""The Python that models write works in Monty, and the prompt names what does not."""

import json
import subprocess
import sys

import pytest

from custom_components.sage.routines.sandbox.contract import MISSING_FEATURES, MODULES
from custom_components.sage.routines.sandbox.python_subset import validate

from .language import FEATURES, TOLD
from .test_attempts import PLAIN_PYTHON
from .workshop import Engine, check, run

MISSING = {
    *("a span of a fraction", "a time stamp", "a time that is parsed", "callable", "del"),
    *("method as a value", "the local time", "the week of the year", "with", "yield", "zoneinfo"),
}


def test_there_are_seventy_features():
    assert len(FEATURES) >= 70
    assert len({feature.name for feature in FEATURES}) == len(FEATURES)


def test_all_of_them_are_python():
    wanted = [(feature.source, "", 10) for feature in FEATURES]
    done = subprocess.run(
        [sys.executable, "-I", str(PLAIN_PYTHON)],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        check=True,
    )

    results = zip(FEATURES, json.loads(done.stdout), strict=True)
    assert {feature.name: what for feature, what in results if what != "True"} == {}


def test_what_is_missing_is_what_was_measured(engine: Engine):
    outcomes = engine.run([check(feature.source, feature.name) for feature in FEATURES])

    failing = {
        feature.name: str(outcomes[feature.name].error)
        for feature in FEATURES
        if validate(feature.source, "check") or outcomes[feature.name].value is not True
    }
    assert set(failing) == MISSING, failing
    assert len(FEATURES) - len(failing) >= 60


def test_the_prompt_names_what_is_missing():
    assert set(TOLD) == MISSING
    for words in TOLD.values():
        assert words in MISSING_FEATURES
    for module in MODULES:
        assert module in MISSING_FEATURES


@pytest.mark.parametrize("name", [*MODULES, "date", "time", "timedelta", "timezone", "state"])
def test_a_given_name_is_there_without_an_import(engine: Engine, name: str):
    assert run(engine, f"def check():\n    return {name} is not None\n").value is True


@pytest.mark.parametrize("module", MODULES)
def test_a_module_can_be_imported(engine: Engine, module: str):
    assert run(engine, f"import {module}\n\ndef check():\n    return True\n").value is True
