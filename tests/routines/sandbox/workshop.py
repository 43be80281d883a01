"""Checks for the tests of the sandbox."""

import asyncio
import os
import select
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from inspect import Parameter
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from homeassistant.util import dt as dt_util

from custom_components.sage.routines.sandbox.contract import (
    CheckOutcome,
    ConditionFunction,
    FunctionCall,
    FunctionResult,
    Value,
)
from custom_components.sage.routines.sandbox.session import Session, Workers

_ENDING = 10  # timeout in seconds for the end of a terminated process
NOON = datetime(2026, 7, 1, 10, 0, tzinfo=UTC)  # twelve o'clock in Berlin
NAME = Parameter("name", Parameter.POSITIONAL_OR_KEYWORD, annotation=str)
MINUTES = Parameter("minutes", Parameter.POSITIONAL_OR_KEYWORD, annotation=float, default=60)
FUNCTIONS = (
    ConditionFunction(name="get_state", parameters=(NAME,)),
    ConditionFunction(name="get_history", parameters=(NAME, MINUTES)),
    ConditionFunction(name="get_list"),
    ConditionFunction(name="is_available", parameters=(NAME,)),
    ConditionFunction(name="now"),
)

ANSWERS: Mapping[FunctionCall, FunctionResult] = {
    FunctionCall("get_state", ("light.hall",)): FunctionResult(value="on"),
    FunctionCall("get_state", ("lock.door",)): FunctionResult(value="locked"),
    FunctionCall("get_state", ("sensor.away",)): FunctionResult(is_unknown=True),
    FunctionCall("get_state", ("light.hal",)): FunctionResult(
        error="No light.hal; did you mean light.hall?"
    ),
    FunctionCall("is_available", ("sensor.away",)): FunctionResult(value=False),
    FunctionCall("get_history", ("light.hall", 60.0)): FunctionResult(
        value=[{"at": NOON, "value": "on"}, {"at": NOON, "value": "off"}]
    ),
    FunctionCall("get_list", ()): FunctionResult(value=["from the host"]),
    FunctionCall("now", ()): FunctionResult(value=NOON),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Condition code to evaluate, and the results of its calls."""

    id: str
    source: str
    function: str = "check"
    state: Mapping[str, Value] = field(default_factory=dict)
    answers: Mapping[FunctionCall, FunctionResult] = field(default_factory=lambda: ANSWERS)


class Engine:
    """Monty in worker processes, with an event loop of its own."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._workers = Workers()
        self._is_closed = False

    def start(self) -> None:
        """Start the threads as well: a thread that starts during a test counts as left over."""
        self._runner.get_loop().set_default_executor(ThreadPoolExecutor(2))
        both = threading.Barrier(2)

        async def async_meet() -> None:
            await asyncio.gather(*(asyncio.to_thread(both.wait) for _ in range(both.parties)))

        self._runner.run(async_meet())
        self._runner.run(self._workers.async_start())

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._runner.run(self._workers.async_close())
            self._runner.close()

    def run(self, checks: Iterable[Check]) -> dict[str, CheckOutcome]:
        """Evaluate all checks at once; return the outcome of each."""
        before = dt_util.get_default_time_zone()
        dt_util.set_default_time_zone(ZoneInfo("Europe/Berlin"))
        try:
            return self._runner.run(self._async_run(tuple(checks)))
        finally:
            dt_util.set_default_time_zone(before)

    async def _async_run(self, checks: tuple[Check, ...]) -> dict[str, CheckOutcome]:
        outcomes = await asyncio.gather(*map(self._async_one, checks))
        return {check.id: outcome for check, outcome in zip(checks, outcomes, strict=True)}

    async def _async_one(self, check: Check) -> CheckOutcome:
        async def ask(call: FunctionCall) -> FunctionResult:
            return check.answers.get(call, FunctionResult(error=f"No answer to {call}."))

        session = Session({each.name: each for each in FUNCTIONS}, ask, NOON)
        return await self._workers.async_run(session, check.source, check.function, check.state)


def check(source: str, identity: str = "check", **fields: Any) -> Check:
    """Return a check of a source with the entry `check`."""
    return Check(id=identity, source=source, **fields)


def run(engine: Engine, source: str, **fields: Any) -> CheckOutcome:
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
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[1] == str(os.getpid()) and fields[0] != "Z":
            found.add(int(status.parent.name))
    return found


def left(before: set[int]) -> set[int]:
    """Return the processes that this one has started since, and that do not end."""
    stay = set()
    for process in children() - before:
        try:
            ending = os.pidfd_open(process)
        except ProcessLookupError:
            continue
        poll = select.poll()
        poll.register(ending, select.POLLIN)
        if not poll.poll(_ENDING * 1000):
            stay.add(process)
        os.close(ending)
    return stay
