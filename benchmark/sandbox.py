"""What a check costs in the sandbox.

    python -m benchmark.sandbox [--checks 250] [--batches 30]

Prints a table, then one line of JSON; exits with 1 when a check in a batch costs more than 1.5
milliseconds or a loop without an end computes for more than a second, with 2 when a check gives
another value than it should.

- A batch is a third each of three kinds: *simple* compares one state; *state* counts with times
  that it keeps between runs; *combined* reads history, forecast, states and the clock.
- Both bounds are on the time of the processor, of this process and its workers together: on a
  busy machine the time of other programs is not the sandbox's.
- *Per check* is what a check costs in a batch, with its session and its answers, over all
  batches. *Clock* is the median on the clock, *batch* that of all checks of a batch together.
- *Endless* is for a batch with a check in the middle that does not end, until the outcomes of
  all are there: the most of several such checks, those among them that the clock of Monty
  does not see. *Endless clock* is the longest of them on the clock.
- *Start* is until a first check has run, *restart* the same after the worker was killed.
- *Worker* is the resident memory of the worker process afterwards.
"""

import argparse
import asyncio
import json
import os
import resource
import signal
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from inspect import Parameter
from pathlib import Path
from typing import Any, Final

from custom_components.sage.routines.sandbox.contract import (
    CheckOutcome,
    ConditionFunction,
    Fault,
    FunctionCall,
    FunctionResult,
    SandboxError,
    Value,
)
from custom_components.sage.routines.sandbox.session import Session, Workers

BOUND: Final = 1500.0
"""Microseconds of the processor per check in a batch."""

ENDLESS_BOUND: Final = 1000.0
"""Milliseconds of the processor for a batch in which one check does not end."""

NOW: Final = datetime(2026, 7, 1, 20, 0, tzinfo=UTC)

_KIND: Final = Parameter.POSITIONAL_OR_KEYWORD
_ENTITY_ID: Final = Parameter("entity_id", _KIND, annotation=str)
_MINUTES: Final = Parameter("minutes", _KIND, annotation=float, default=60)
_HOURS: Final = Parameter("hours", _KIND, annotation=int, default=24)
FUNCTIONS: Final = (
    ConditionFunction(name="get_state", parameters=(_ENTITY_ID,)),
    ConditionFunction(name="get_history", parameters=(_ENTITY_ID, _MINUTES)),
    ConditionFunction(name="get_forecast", parameters=(_HOURS,)),
    ConditionFunction(name="now"),
)

SIMPLE: Final = """\
def check():
    return get_state("media_player.tv") == "off"
"""

STATE: Final = """\
def check():
    if get_state("cover.garage") != "open":
        state.pop("since", None)
        return False
    state.setdefault("since", now())
    return now() - state["since"] >= timedelta(minutes=10)
"""

COMBINED: Final = """\
def rise(history):
    values = [float(each["state"]) for each in history if each["state"] not in ("unknown", "")]
    return max(values) - min(values) if values else 0.0

def check():
    try:
        warm = rise(get_history("sensor.kitchen", minutes=30)) > 1.5
    except (ValueError, KeyError) as error:
        print(f"no history: {error}")
        return False
    hours = [each for each in get_forecast(6) if each["condition"] == "rainy"]
    people = ["person.anna", "person.ben", "person.cleo"]
    away = not any(get_state(person) == "home" for person in people)
    evening = datetime.now().hour >= 18
    return warm and away and evening and all(each["rain"] > 0.2 for each in hours)
"""

ENDLESS: Final = (
    "while True:\n        pass",
    "return sum(range(10**12)) > 0",
    # One step of the interpreter, and long steps without an end.
    "return max(range(10**13)) > 0",
    "while True:\n        9 ** (9**7)",
)

ANSWERS: Final[Mapping[FunctionCall, FunctionResult]] = {
    FunctionCall("get_state", ("media_player.tv",)): FunctionResult(value="off"),
    FunctionCall("get_state", ("cover.garage",)): FunctionResult(value="open"),
    **{
        FunctionCall("get_state", (f"person.{name}",)): FunctionResult(value="away")
        for name in ("anna", "ben", "cleo")
    },
    FunctionCall("get_history", ("sensor.kitchen", 30)): FunctionResult(
        value=[
            {"at": NOW - timedelta(minutes=30 - n), "state": f"{20 + n / 8:.1f}"} for n in range(30)
        ]
    ),
    FunctionCall("get_forecast", (6,)): FunctionResult(
        value=[
            {"at": NOW + timedelta(hours=n), "condition": "rainy", "rain": 0.5} for n in range(6)
        ]
    ),
    FunctionCall("now", ()): FunctionResult(value=NOW),
}

KEPT: Final[Mapping[str, Value]] = {"since": NOW - timedelta(minutes=11)}


class WrongValueError(Exception):
    """A check gave another value than it should, so that its time means nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The cost of checks."""

    start_ms: float
    per_check_us: float
    clock_per_check_us: float
    batch_ms: float
    endless_ms: float
    endless_clock_ms: float
    restart_ms: float
    worker_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """Seconds."""

    processor: float
    """Of this process and its workers."""

    clock: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Condition code to evaluate."""

    id: str
    source: str
    state: Mapping[str, Value]


def batch(checks: int) -> list[Check]:
    """Return `count` checks of three kinds, each with its own source."""
    return [_check(number, (SIMPLE, STATE, COMBINED)[number % 3]) for number in range(checks)]


def _check(number: int, source: str) -> Check:
    return Check(
        id=str(number), source=f"{source}# {number}\n", state=KEPT if source is STATE else {}
    )


async def _async_ask(call: FunctionCall) -> FunctionResult:
    return ANSWERS[call]


async def _async_evaluate(workers: Workers, check: Check) -> CheckOutcome:
    session = Session({each.name: each for each in FUNCTIONS}, _async_ask, NOW)
    return await workers.async_run(session, check.source, "check", check.state)


async def _async_all(workers: Workers, checks: Sequence[Check]) -> list[CheckOutcome]:
    return await asyncio.gather(*(_async_evaluate(workers, each) for each in checks))


async def async_run(workers: Workers, checks: Sequence[Check]) -> float:
    """Return what a batch took, in seconds. Raises WrongValueError."""
    started = time.perf_counter()
    outcomes = await _async_all(workers, checks)
    took = time.perf_counter() - started
    for check, outcome in zip(checks, outcomes, strict=True):
        if outcome.value is not True:
            raise WrongValueError(f"{outcome.value}, {outcome.error}: {check.source}")
    return took


async def async_run_endless(
    workers: Workers, checks: Sequence[Check], body: str, others: set[int]
) -> Took:
    """Return the time of a batch with one check in the middle that does not end.

    Raises WrongValueError for another outcome of any.
    """
    endless = Check(id="endless", source=f"def check():\n    {body}\n", state={})
    middle = len(checks) // 2
    computed, started = processor(others), time.perf_counter()
    outcomes = await _async_all(workers, [*checks[:middle], endless, *checks[middle:]])
    took = Took(processor=processor(others) - computed, clock=time.perf_counter() - started)
    ended = outcomes.pop(middle).error
    if ended is None or ended.fault is not Fault.TIME:
        raise WrongValueError(f"{ended}: {body}")
    wrong = [each.id for each, of in zip(checks, outcomes, strict=True) if of.value is not True]
    if wrong:
        raise WrongValueError(f"{body} cost the outcomes of: {', '.join(wrong)}")
    return took


async def async_measure(checks: int, batches: int) -> Figures:
    """Return the figures. Raises SandboxError, WrongValueError."""
    before = children()
    workers = Workers()
    try:
        started = time.perf_counter()
        await workers.async_start()
        start = time.perf_counter() - started
        due = batch(checks)
        await async_run(workers, due)
        before_all = processor(before)
        times = [await async_run(workers, due) for _ in range(batches)]
        spent = processor(before) - before_all
        worker = max(resident(each) for each in children() - before)
        for each in children() - before:
            os.kill(each, signal.SIGKILL)
        restart = await async_run(workers, due[:1])
        endless = [await async_run_endless(workers, due, body, before) for body in ENDLESS]
    finally:
        await workers.async_close()
    return Figures(
        start_ms=round(start * 1000, 1),
        per_check_us=round(spent / batches / checks * 1e6, 1),
        clock_per_check_us=round(statistics.median(times) / checks * 1e6, 1),
        batch_ms=round(statistics.median(times) * 1000, 1),
        endless_ms=round(max(each.processor for each in endless) * 1000, 1),
        endless_clock_ms=round(max(each.clock for each in endless) * 1000, 1),
        restart_ms=round(restart * 1000, 1),
        worker_mb=round(worker, 1),
    )


def children() -> set[int]:
    """Return the processes that this one started (Linux)."""
    task = Path(f"/proc/{os.getpid()}/task")
    return {
        int(child)
        for thread in task.iterdir()
        for child in (thread / "children").read_text(encoding="utf-8").split()
    }


def processor(others: set[int]) -> float:
    """Return the processor time of this process and its children but `others`, in seconds.

    A child that has ended counts, as soon as it was waited for.
    """
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = time.process_time() + ended.ru_utime + ended.ru_stime
    return seconds + sum(_computed(each) for each in children() - others)


def _computed(process: int) -> float:
    """Return the processor time of a process, in seconds; 0 for one that has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process: int) -> float:
    """Return the resident memory of a process, in megabytes."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def table(figures: Figures) -> str:
    """Return the figures to read."""
    columns = {
        "per check": f"{figures.per_check_us:.0f} us",
        "clock": f"{figures.clock_per_check_us:.0f} us",
        "batch": f"{figures.batch_ms:.0f} ms",
        "endless": f"{figures.endless_ms:.0f} ms",
        "endless clock": f"{figures.endless_clock_ms:.0f} ms",
        "start": f"{figures.start_ms:.0f} ms",
        "restart": f"{figures.restart_ms:.0f} ms",
        "worker": f"{figures.worker_mb:.0f} MB",
    }
    widths = {name: max(len(name), len(cell)) for name, cell in columns.items()}
    head = "  ".join(name.rjust(widths[name]) for name in columns)
    return head + "\n" + "  ".join(cell.rjust(widths[name]) for name, cell in columns.items())


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(description="Measure what a check costs in the sandbox.")
    parser.add_argument("--checks", type=int, default=250, help="in a batch")
    parser.add_argument("--batches", type=int, default=30)
    given = parser.parse_args(arguments)
    try:
        figures = asyncio.run(async_measure(given.checks, given.batches))
    except (SandboxError, WrongValueError) as error:
        print(error, file=sys.stderr)
        return 2
    print(table(figures))
    found: dict[str, Any] = {
        "benchmark": "sandbox",
        "checks": given.checks,
        **{field: getattr(figures, field) for field in Figures.__slots__},
        "bound_us": BOUND,
        "endless_bound_ms": ENDLESS_BOUND,
        "passed": figures.per_check_us <= BOUND and figures.endless_ms <= ENDLESS_BOUND,
    }
    print(json.dumps(found))
    return 0 if found["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
