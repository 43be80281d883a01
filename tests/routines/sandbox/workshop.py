"""Checks for the tests of the sandbox."""

import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from custom_components.sage.routines.sandbox.monty import MontyEngine
from custom_components.sage.routines.sandbox.sandbox_types import (
    Check,
    CheckOutcome,
    ConditionFunction,
    FunctionCall,
    FunctionResult,
    Parameter,
)

NOON = datetime(2026, 7, 1, 10, 0, tzinfo=UTC)
"""Twelve o'clock in Berlin."""

FUNCTIONS = (
    ConditionFunction(name="get_state", parameters=(Parameter(name="name", type="str"),)),
    ConditionFunction(
        name="get_history",
        parameters=(
            Parameter(name="name", type="str"),
            Parameter(name="minutes", type="float", required=False, default=60),
        ),
    ),
    ConditionFunction(name="get_list"),
    ConditionFunction(
        name="is_available",
        parameters=(Parameter(name="name", type="str"),),
        marks_unknown=False,
    ),
    ConditionFunction(name="now"),
)

ANSWERS: Mapping[FunctionCall, FunctionResult] = {
    FunctionCall("get_state", ("light.hall",)): FunctionResult(value="on"),
    FunctionCall("get_state", ("lock.door",)): FunctionResult(value="locked"),
    FunctionCall("get_state", ("sensor.away",)): FunctionResult(is_unknown=True),
    FunctionCall("get_state", ("light.hal",)): FunctionResult(
        error="No light.hal; did you mean light.hall?"
    ),
    FunctionCall("is_available", ("sensor.away",)): FunctionResult(value=False, is_unknown=True),
    FunctionCall("get_history", ("light.hall", 60.0)): FunctionResult(
        value=[{"at": NOON, "value": "on"}, {"at": NOON, "value": "off"}]
    ),
    FunctionCall("get_list", ()): FunctionResult(value=["from the host"]),
    FunctionCall("now", ()): FunctionResult(value=NOON),
}


def check(source: str, identity: str = "check", **fields: Any) -> Check:
    """Return a check of a source with the entry `check`."""
    return Check(id=identity, source=source, **({"function": "check", "answers": ANSWERS} | fields))


def run(engine: MontyEngine, source: str, **fields: Any) -> CheckOutcome:
    """Run one check."""
    return engine.run([check(source, **fields)])["check"]


def values(outcomes: Mapping[str, CheckOutcome], identities: Iterable[str]) -> list[bool | None]:
    return [outcomes[identity].value for identity in identities]


GOOD = "def check():\n    return get_state('light.hall') == 'on'\n"
LOOP = "def check():\n    while True:\n        pass\n"
HANG = (
    "def check():\n    a = (1,)\n    b = (1,)\n    for i in range(60):\n"
    "        a = (a, a)\n        b = (b, b)\n    return a == b\n"
)
BOMB = "def check():\n    text = 'a'\n    while True:\n        text += text\n"


def children() -> set[int]:
    """Return the processes that this one started."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[1] == str(os.getpid()) and fields[0] != "Z":
            found.add(int(status.parent.name))
    return found
