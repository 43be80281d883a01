"""Engines and checks for the tests of the sandbox."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from custom_components.sage.routines.sandbox.model import (
    Answer,
    Check,
    CheckOutcome,
    LentFunction,
    Parameter,
    Question,
)
from custom_components.sage.routines.sandbox.monty import MontyEngine
from custom_components.sage.routines.sandbox.restricted import RestrictedEngine
from custom_components.sage.routines.sandbox.threaded import Engine

ENGINES: Mapping[str, Callable[..., Any]] = {"monty": MontyEngine, "restricted": RestrictedEngine}

NOON = datetime(2026, 7, 1, 10, 0, tzinfo=UTC)
"""Twelve o'clock in Berlin."""

FUNCTIONS = (
    LentFunction(name="get_state", parameters=(Parameter(name="name", type="str"),)),
    LentFunction(
        name="get_history",
        parameters=(
            Parameter(name="name", type="str"),
            Parameter(name="minutes", type="float", required=False, default=60),
        ),
    ),
    LentFunction(name="get_list"),
    LentFunction(
        name="is_available",
        parameters=(Parameter(name="name", type="str"),),
        marks_unknown=False,
    ),
    LentFunction(name="now"),
)

ANSWERS: Mapping[Question, Answer] = {
    Question("get_state", ("light.hall",)): Answer(value="on"),
    Question("get_state", ("lock.door",)): Answer(value="locked"),
    Question("get_state", ("sensor.away",)): Answer(is_unknown=True),
    Question("get_state", ("light.hal",)): Answer(error="No light.hal; did you mean light.hall?"),
    Question("is_available", ("sensor.away",)): Answer(value=False, is_unknown=True),
    Question("get_history", ("light.hall", 60.0)): Answer(
        value=[{"at": NOON, "value": "on"}, {"at": NOON, "value": "off"}]
    ),
    Question("get_list", ()): Answer(value=["from the host"]),
    Question("now", ()): Answer(value=NOON),
}


def check(source: str, identity: str = "check", **fields: Any) -> Check:
    """Return a check of a source with the entry `check`."""
    return Check(id=identity, source=source, **({"function": "check", "answers": ANSWERS} | fields))


def run(engine: Engine, source: str, **fields: Any) -> CheckOutcome:
    """Run one check."""
    return engine.run([check(source, **fields)])["check"]


def values(outcomes: Mapping[str, CheckOutcome], identities: Iterable[str]) -> list[bool | None]:
    return [outcomes[identity].value for identity in identities]
