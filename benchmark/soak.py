"""Whether SAGE grows: two people talk to a real Home Assistant for hours, and nothing adds up.

`python -m benchmark.soak --minutes 60` starts Home Assistant in a process of its own, with the
demo home, things that change twice a second and 50 routines. The model is scripted, and fails
now and then. After a warm-up, memory, threads, file descriptors, tasks and Python objects may
not grow: the bounds are on least-squares slopes with their 95 % intervals, never on speed. SAGE
stores what is said, so people say nothing new after a warm-up of 10 minutes: a run takes 30 at
least to show a small slope. Every answer has to be right, every fact and routine there at the
end. One leak of Home Assistant's own,
11 kB for each run of Assist with any agent, is left out: see `sage_soak`. `--reloads 100` then
reloads SAGE while both talk: each request gets a sentence, and memory comes back.

Prints a table, then one line of JSON; exits with 1 when a bound is missed.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scripts.demonstration.client import Client, connected
from scripts.demonstration.configure import (
    leave_all_to_the_model,
    preferred_pipeline,
    sage_entity,
    set_up_sage,
)
from scripts.demonstration.furnished_homes import DEMO, HOMES
from scripts.demonstration.home_server import HomeServer, home_server
from scripts.demonstration.model_choice import ModelServer

from .fake_model_server import FakeModelServer
from .loopback import free_port
from .soak_figures import ALLOWED, grown, growth_of
from .soak_model import SoakModel
from .soak_talk import Talker, Tally

RELOAD_BOUND: Final = 30.0
"""MB by which memory may have grown after all reloads."""

_MODEL: Final = "soak"
_COMPONENT: Final = Path(__file__).parent / "custom_components" / "sage_soak"
_WARM_UP: Final = 1 / 3
_LONGEST_WARM_UP: Final = 10.0
"""Minutes."""

_SAMPLES: Final = 120
_SHORTEST_PERIOD: Final = 2.0
"""Seconds between two samples."""

_CONVERSATIONS_END: Final = 40.0
"""Seconds, see the component `sage_soak`."""

_PEOPLE: Final = ("owner", "alex")
_SHOWN: Final = 25
_MB: Final = 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Soak:
    """The home under test, and who talks in it."""

    home: HomeServer
    server: FakeModelServer
    watcher: Client
    """The owner's second connection, for all but talk."""

    talkers: tuple[Talker, ...]
    tally: Tally

    async def async_measure(self) -> dict[str, float]:
        """Return the figures of Home Assistant's process at this moment."""
        # What the server remembers of requests is no part of the test.
        self.server.forget()
        figures: dict[str, float] = await self.watcher.call("sage_soak/measure")
        return figures


@asynccontextmanager
async def soaked() -> AsyncGenerator[Soak]:
    """Start home and model; have SAGE and the routines set up."""
    model, tally = SoakModel(), Tally()
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(FakeModelServer(model, models=(_MODEL,)))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sage-soak-")))
        demo = HOMES[DEMO]
        configuration = f"{demo.configuration}sage_soak:\n"
        (folder / "configuration.yaml").write_text(configuration, encoding="utf-8")
        home = await stack.enter_async_context(
            home_server(folder, None, free_port(), components=(*demo.components, _COMPONENT))
        )
        watcher = await stack.enter_async_context(connected(home.url, home.owner.token))
        connection = ModelServer(base_url=server.url, api_key=None, model=_MODEL)
        await set_up_sage(watcher, connection)
        await leave_all_to_the_model(watcher)
        pipeline = await preferred_pipeline(watcher, await sage_entity(watcher), "en")
        talkers = [
            Talker(
                name,
                await stack.enter_async_context(connected(home.url, home.account(name).token)),
                pipeline,
                model,
                tally,
            )
            for name in _PEOPLE
        ]
        await asyncio.gather(*(each.async_set_up() for each in talkers))
        yield Soak(home=home, server=server, watcher=watcher, talkers=tuple(talkers), tally=tally)


async def async_soak(minutes: float, reloads: int, pace: float, *, closer: bool) -> dict[str, Any]:
    """Return all figures; `pace` is commands a minute, of everybody together."""
    async with soaked() as soak:
        figures: dict[str, Any] = {"benchmark": "soak", "minutes": minutes, "reloads": reloads}
        if minutes:
            figures["growth"] = await _async_talk(soak, minutes, pace, closer=closer)
        if reloads:
            figures["reload"] = await _async_reload(soak, reloads)
        for talker in soak.talkers:
            for subject in list(talker.facts)[:3]:
                await talker.recall(subject)
        figures["kept"] = {each.name: await each.async_check() for each in soak.talkers}
        tally = soak.tally
        figures["said"] = dict(sorted(tally.said.items()))
        figures["wrong"] = tally.wrongs
        figures["examples"] = tally.wrong
        figures["silent"] = tally.silent
        figures["while_away"] = dict(tally.away)
        if figures["wrong"]:
            print(soak.home.last_words(), file=sys.stderr)
    return {**figures, "missed": missed_bounds(figures)}


async def _async_talk(soak: Soak, minutes: float, pace: float, *, closer: bool) -> dict[str, Any]:
    """Have both talk; return how each figure grew after the warm-up."""
    warm_up = min(minutes * _WARM_UP, _LONGEST_WARM_UP)
    measured = (minutes - warm_up) * 60
    each = len(soak.talkers) * 60 / pace
    talking = asyncio.gather(*(talker.async_talk(minutes * 60, each) for talker in soak.talkers))
    await _async_while(talking, warm_up * 60)
    before = await soak.watcher.call("sage_soak/look_closer") if closer else None
    samples: list[tuple[float, dict[str, float]]] = []
    begin = time.monotonic()
    while (passed := time.monotonic() - begin) < measured:
        samples.append((passed / 60, await soak.async_measure()))
        await _async_while(talking, max(_SHORTEST_PERIOD, measured / _SAMPLES))
    await talking
    if before is not None:
        _show_closer(before, await soak.watcher.call("sage_soak/look_closer"))
    growths = {
        name: growth_of([(at, figures[name]) for at, figures in samples]) for name in ALLOWED
    }
    return {
        "measured_minutes": round(measured / 60, 1),
        "samples": len(samples),
        "figures": {name: growth.as_dict() for name, growth in growths.items()},
        "grown": grown(growths),
    }


async def _async_while(talking: asyncio.Future[Any], seconds: float) -> None:
    """Wait, but no longer than there is talk; raises what ends that too early."""
    await asyncio.wait((talking,), timeout=seconds)
    if talking.done():
        talking.result()


async def _async_reload(soak: Soak, reloads: int) -> dict[str, Any]:
    """Reload SAGE again and again while both talk; return what that costs."""
    (entry,) = await soak.watcher.call("config_entries/get", domain="sage")
    path = f"/api/config/config_entries/entry/{entry['entry_id']}/reload"
    begin = await _async_at_rest(soak)
    over = asyncio.Event()
    talking = asyncio.gather(*(each.async_chat_until(over) for each in soak.talkers))
    peak = 0.0
    for _ in range(reloads):
        await soak.watcher.post(path, {})
        peak = max(peak, (await soak.async_measure())["memory"])
    over.set()
    await talking
    end = await _async_at_rest(soak)
    return {
        "begin_mb": round(begin["memory"] / _MB, 1),
        "peak_mb": round(peak / _MB, 1),
        "end_mb": round(end["memory"] / _MB, 1),
        "grown_mb": round((end["memory"] - begin["memory"]) / _MB, 1),
        "objects": end["objects"] - begin["objects"],
        "tasks": end["tasks"] - begin["tasks"],
        "threads": end["threads"] - begin["threads"],
        "descriptors": end["descriptors"] - begin["descriptors"],
    }


async def _async_at_rest(soak: Soak) -> dict[str, float]:
    """Return the figures with the weights loaded, when no conversation is open any more."""
    for talker in soak.talkers:
        await talker.async_recall_something()
    await asyncio.sleep(_CONVERSATIONS_END)
    return await soak.async_measure()


def missed_bounds(figures: dict[str, Any]) -> list[str]:
    """Return the bounds that do not hold."""
    missed = [f"{name} may not grow" for name in figures.get("growth", {}).get("grown", ())]
    if figures["wrong"]:
        missed.append(f"every answer right: {figures['wrong']} wrong")
    if figures["silent"]:
        missed.append(f"every request gets a sentence: {figures['silent']} got none")
    if "reload" in figures and figures["reload"]["grown_mb"] > RELOAD_BOUND:
        missed.append(f"memory is back within {RELOAD_BOUND:g} MB after reloads")
    return missed


def _show_closer(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Print which classes and lines of code have more than before, on standard error."""
    for kind in ("classes", "lines"):
        more = {name: size - before[kind].get(name, 0) for name, size in after[kind].items()}
        for name in sorted(more, key=more.__getitem__, reverse=True)[:_SHOWN]:
            print(f"{more[name]:>+10} {name}", file=sys.stderr)


def show(figures: dict[str, Any]) -> None:
    """Print the table for people."""
    said = figures["said"]
    print(f"{sum(said.values())} requests in {figures['minutes']:g} minutes:")
    print("  " + ", ".join(f"{count} {kind}" for kind, count in said.items()) + "\n")
    if growth := figures.get("growth"):
        print(f"{'a minute':<14}{'begin':>12}{'end':>12}{'slope':>12}{'95 % interval':>26}")
        for name, row in growth["figures"].items():
            unit = _MB if name == "memory" else 1
            cells = [row[key] / unit for key in ("first", "last", "slope", "low", "high")]
            label = f"{name}, MB" if name == "memory" else name
            print(
                f"{label:<14}{cells[0]:>12,.1f}{cells[1]:>12,.1f}{cells[2]:>12,.3f}"
                f"{cells[3]:>14,.3f} ..{cells[4]:>9,.3f}"
            )
    if reload := figures.get("reload"):
        print(
            f"\n{figures['reloads']} reloads: memory {reload['begin_mb']} MB at the begin, "
            f"{reload['peak_mb']} MB at most, {reload['end_mb']} MB at the end; "
            f"{sum(figures['while_away'].values())} requests answered by Home Assistant meanwhile."
        )
    for name, kept in figures["kept"].items():
        print(
            f"{name}: {kept['facts']} facts told, {kept['lost']} lost; {kept['routines']} routines"
        )
    for wrong in figures["examples"]:
        print(f"WRONG   {wrong}")
    for missed in figures["missed"]:
        print(f"MISSED  {missed}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.soak", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--minutes", type=float, default=60.0, help="0: reloads only")
    parser.add_argument("--reloads", type=int, default=0)
    parser.add_argument("--pace", type=float, default=280.0, help="commands a minute, in all")
    parser.add_argument("--closer", action="store_true", help="show what classes and lines grow")
    given = parser.parse_args(arguments)
    figures = asyncio.run(async_soak(given.minutes, given.reloads, given.pace, closer=given.closer))
    show(figures)
    print(json.dumps(figures))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
