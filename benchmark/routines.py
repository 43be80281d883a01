"""200 routines, checked every 5 seconds for a simulated hour, in a running Home Assistant.

    python -m benchmark.routines [--routines 200] [--seconds 3600] [--seed 1] [--pulses 1000]

Prints a table, then one line of JSON; exits with 1 when a bound is missed. Core, recorder,
sandbox, file and condition functions are the real ones; only what a firing does is left out.
Time is moved on as soon as all is done that was begun (see `simulated_time.py`).

- *edges*: those of the script (`routine_script.py`) against those that were carried out, each
  with a time: after the change, or by the next check where they go by the clock.
- *checks*: of one processor, in an hour: what the process of Home Assistant and the workers of
  the sandbox computed in the hour, less the same hour of changes without routines. The whole is
  shown beside it.
- *event loop held*: the longest callback of SAGE, in time of the processor, without the garbage
  collector, which goes through all that Home Assistant holds.
- *change to firing*: in real time after the hour, with all routines watched: from the change of
  a state to the command being handed over. The garbage collector leaves alone what was there.
- *pulses*: how many short pulses fired, each once, in real time while other entities change.
- *change to light*: in real time, in SAGE as it is set up: from the change of a state to the
  changed state of a light by a stored command, with the model server stopped.
"""

import argparse
import asyncio
import gc
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.runner import create_event_loop

from custom_components.sage.routines.routine_types import Status

from .overhead_home import large_home, lay_out
from .overhead_meter import Meter, Span
from .routine_edges import COUNTS, edge_figures
from .routine_household import Household
from .routine_light import async_change_to_light
from .routine_pulses import async_pulses
from .routine_script import Plan, plans
from .simulated_time import SimulatedTime

LOAD_BOUND: Final = 5.0
"""Percent of one core."""

HELD_BOUND: Final = 20.0
"""Milliseconds that one callback of SAGE may hold the event loop."""

CHANGE_BOUND: Final = 1.0
"""Seconds from a change to the firing."""

LIGHT_BOUND: Final = 1.0
"""Seconds from a change to the changed light."""

_CHANGES: Final = 60
"""Measured in real time."""

_LIGHTS: Final = 20
"""Measured in real time."""

_RECORDER: Final = "recorder:\n  commit_interval: 5\n"


class Processor:
    """Counts the processor time of this process and its workers, as Linux reports it."""

    def __init__(self) -> None:
        self._workers: dict[int, float] = {}

    @property
    def seconds(self) -> tuple[float, float]:
        """Of Home Assistant, and of the workers that were there at one of the looks."""
        self._workers |= _descendants(os.getpid())
        return time.process_time(), sum(self._workers.values())


def _descendants(parent: int) -> dict[int, float]:
    """Return the seconds of the processor of each process that came from one."""
    parents: dict[int, int] = {}
    computed: dict[int, float] = {}
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name of a process may hold anything; it ends with the last bracket.
            fields = each.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        process = int(each.parent.name)
        parents[process] = int(fields[1])
        computed[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    found: dict[int, float] = {}
    wave = {parent}
    while wave := {process for process, its in parents.items() if its in wave}:
        found |= {process: computed[process] for process in wave}
    return found


async def async_measure(
    folder: Path, *, number: int, seconds: int, seed: int, pulses: int
) -> dict[str, Any]:
    """Return all figures; `folder` is a laid out configuration."""
    # Not before the real time: that is what Home Assistant keeps of its own beginning.
    clock = SimulatedTime(datetime.now(UTC) + timedelta(days=1))
    loop = asyncio.get_running_loop()
    with clock.installed(loop):
        meter = Meter()
        async with large_home(folder) as home:
            owners = await _async_owners(home.hass)
            script = plans(number, owners, seconds=seconds, seed=seed)
            household = Household(home.hass, clock, folder)
            await household.async_begin()
            try:
                figures = await _async_figures(household, meter, script, seconds)
                figures["pulses"] = await async_pulses(household, script, pulses)
            finally:
                await household.async_end()
            figures["change_to_light_s"] = _spread(await async_change_to_light(home.hass, _LIGHTS))
            return {**figures, "missed": missed_bounds(figures)}


async def _async_figures(
    household: Household, meter: Meter, script: Sequence[Plan], seconds: int
) -> dict[str, Any]:
    processor = Processor()
    household.reset(script)
    bare = await _async_hour(household, meter, processor, script, seconds)
    household.reset(script)
    await household.async_to_next_window()
    for plan in script:
        await household.routines.async_create(plan.routine)
    await household.async_settle()
    household.runner.ran.clear()
    hour = await _async_hour(household, meter, processor, script, seconds)
    edges = [(routine_id, kind, at - hour.begin) for routine_id, kind, at in household.runner.ran]
    stopped = sum(
        each.routine.status is not Status.WATCHING for each in household.routines.list_all()
    )
    # The garbage collector need not go through all of Home Assistant in the middle of a change.
    gc.collect()
    gc.freeze()
    with meter.installed():
        delays, real = await meter.async_span(household.async_change_to_firing(script, _CHANGES))
    return {
        "benchmark": "routines",
        "routines": len(script),
        "seconds": seconds,
        "stopped": stopped,
        "edges": edge_figures(script, edges, seconds),
        "load_percent": {
            "checks": _percent(hour.own - bare.own + hour.workers - bare.workers, seconds),
            "home_assistant": _percent(hour.own - bare.own, seconds),
            "workers": _percent(hour.workers - bare.workers, seconds),
            "everything": _percent(hour.own + hour.workers, seconds),
            "without_routines": _percent(bare.own + bare.workers, seconds),
        },
        "held_ms": _held([hour.span, real], ours=True),
        "held_by_others_ms": _held([hour.span, real], ours=False),
        "change_to_firing_s": _spread(delays),
        "real_seconds": round(hour.span.wall, 1),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """What an hour took."""

    begin: float
    span: Span
    own: float
    workers: float


async def _async_hour(
    household: Household,
    meter: Meter,
    processor: Processor,
    script: Sequence[Plan],
    seconds: int,
) -> Hour:
    await household.async_to_next_window()
    begin = round(household.clock.time())
    before = processor.seconds
    with meter.installed():
        _, span = await meter.async_span(household.async_play(script, begin, seconds))
    after = processor.seconds
    return Hour(begin=begin, span=span, own=after[0] - before[0], workers=after[1] - before[1])


async def _async_owners(hass: HomeAssistant) -> list[str | None]:
    """Return four people, and the household."""
    made = [
        await hass.auth.async_create_user(name, group_ids=["system-users"])
        for name in ("Anna", "Bob", "Chloe", "Dan")
    ]
    return [None, *(user.id for user in made)]


def _percent(seconds: float, of: int) -> float:
    return round(100 * seconds / of, 2)


def _spread(seconds: Sequence[float]) -> dict[str, float]:
    return {"median": round(statistics.median(seconds), 3), "max": round(max(seconds), 3)}


def _held(spans: Sequence[Span], *, ours: bool) -> dict[str, Any]:
    found = [each for span in spans if (each := span.longest(ours=ours)) is not None]
    longest = max(found, key=lambda each: each.cpu, default=None)
    if longest is None:
        return {"cpu": 0.0, "wall": 0.0, "in": "none over 2 ms"}
    return {
        "cpu": round(longest.cpu * 1000, 1),
        "wall": round(longest.wall * 1000, 1),
        "in": longest.name,
    }


def missed_bounds(figures: dict[str, Any]) -> list[str]:
    """Return the bounds that do not hold."""
    edges = figures["edges"]
    held = {
        "every edge of the script found": not edges["missing"] and edges["edges"] > 0,
        "no edge twice, and no other": not edges["too_many"],
        "every pulse fires, once": not (
            figures["pulses"]["missing"] or figures["pulses"]["too_many"]
        ),
        "all routines still watched": not figures["stopped"],
        f"checks: under {LOAD_BOUND:g} % of a core": (
            figures["load_percent"]["checks"] < LOAD_BOUND
        ),
        f"event loop: never blocked by SAGE for over {HELD_BOUND:g} ms": (
            figures["held_ms"]["cpu"] <= HELD_BOUND
        ),
        f"a change fires within {CHANGE_BOUND:g} s": (
            figures["change_to_firing_s"]["max"] <= CHANGE_BOUND
        ),
        f"without a model server a light changes within {LIGHT_BOUND:g} s": (
            figures["change_to_light_s"]["max"] < LIGHT_BOUND
        ),
    }
    return [bound for bound, holds in held.items() if not holds]


def show(figures: dict[str, Any]) -> None:
    """Print the table for people."""
    print(
        f"{figures['routines']} routines every 5 s, {figures['seconds']} simulated seconds in "
        f"{figures['real_seconds']} s\n"
    )
    head = ("routines", "edges", "found", "missing", "too many", "latest, s")
    print(f"{'condition':<22}" + "".join(f"{name:>12}" for name in head))
    edges = figures["edges"]
    rows = {**edges["kinds"], "all": edges}
    for name, row in rows.items():
        cells = [row[each] for each in COUNTS]
        print(
            f"{name:<22}"
            + "".join(f"{cell:>12}" for cell in cells)
            + f"{row.get('latest_s', ''):>12}"
        )
    load = figures["load_percent"]
    print(
        f"\nOf one core: checks {load['checks']} % (Home Assistant {load['home_assistant']}, "
        f"workers {load['workers']}); everything {load['everything']} %, the same hour without "
        f"routines {load['without_routines']} %."
    )
    for who, held in (("SAGE", figures["held_ms"]), ("others", figures["held_by_others_ms"])):
        print(f"Event loop held longest by {who}: {held['cpu']} ms in {held['in']}.")
    delay = figures["change_to_firing_s"]
    print(f"From a change to its firing: median {delay['median']} s, longest {delay['max']} s.")
    pulses = figures["pulses"]
    print(
        f"Pulses of 1 to 50 ms: {pulses['pulses']}; fired {pulses['fired']}, missing "
        f"{pulses['missing']}, too many {pulses['too_many']}."
    )
    light = figures["change_to_light_s"]
    print(
        "From a change to the changed light, without a model server: "
        f"median {light['median']} s, longest {light['max']} s."
    )
    for wrong in edges["wrong"]:
        print(f"WRONG   {wrong}")
    for missed in figures["missed"]:
        print(f"MISSED  {missed}")


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.routines", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--routines", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pulses", type=int, default=1000)
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="sage-routines-") as name,
        asyncio.Runner(loop_factory=create_event_loop) as runner,
    ):
        folder = Path(name)
        lay_out(folder)
        with (folder / "configuration.yaml").open("a", encoding="utf-8") as configuration:
            configuration.write(_RECORDER)
        figures = runner.run(
            async_measure(
                folder,
                number=arguments.routines,
                seconds=arguments.seconds,
                seed=arguments.seed,
                pulses=arguments.pulses,
            )
        )
    show(figures)
    print(json.dumps(figures))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
