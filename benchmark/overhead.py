"""SAGE's own time for a command, with 1,000 exposed entities in a running Home Assistant.

    python -m benchmark.overhead [--commands 60] [--seed 1]

Prints a table, then one line of JSON; exits with 1 when a bound is missed, with 2 when a
command did not do what was asked.

How time is told apart, for each command from `async_converse` to its result:

- *model*: from the last byte of a request to the last byte of its reply, less what the loop's
  thread computed meanwhile. The model is a process of its own.
- *own*: what the loop's thread computed (SAGE, what Home Assistant does for it: actions,
  states, the chat log, and the HTTP client), and all waiting that was not for the model, such
  as for another thread. On a machine that does nothing else that is the rest of the wall time;
  on a busy one the time of other programs is not SAGE's.
- *processor*: the part of *own* that the loop's thread computed; the rest is waiting.
- *wall*: wall time less *model*, so with what other programs took from it.
- *client*: the part of *own* that the HTTP client computed: every step inside of `openai` and
  `httpx`, from the body to be sent to the bytes received.

A callback of the event loop is SAGE's when a coroutine or function of SAGE ran in it; the name
beside it is where it ended. It is measured in time of the processor, so that a busy machine
does not count. The garbage collector is shown apart: it goes through all that Home Assistant
holds, whoever happens to allocate when it is due. Measuring itself is not subtracted.

The entities change at once, so that there is no evidence to wait for. "All lights" are 240
entities, "all sensors" 440.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from homeassistant.components.conversation import ConversationResult, async_converse
from homeassistant.core import Context
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers.httpx_client import get_async_client
from homeassistant.runner import create_event_loop

from .custom_components.sage_large_home.layout import things
from .overhead_home import LargeHome, async_add_sage, large_home, lay_out, model_server
from .overhead_meter import Callback, Meter, Span
from .overhead_script import PAPER_FLOW, Command, Talk, paper_talks, talks

MEDIAN_BOUND: Final = 30.0
"""Milliseconds of own time, the median of all commands after the first."""

P95_BOUND: Final = 100.0
"""Milliseconds of own time that 95 % of all commands after the first stay under."""

BLOCKED_BOUND: Final = 20.0
"""Milliseconds that one callback of SAGE may hold the event loop.

The set-up counts, and so do the first command and one after a change of the registry.
"""

CALLS_BOUND: Final = 1
"""Model calls of a direct command."""

_DIRECT: Final = "direct command"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One measured command."""

    talk: Talk
    command: Command
    span: Span

    @property
    def row(self) -> str:
        """The line of the table that it belongs to."""
        return f"{self.command.kind}, {self.talk.agent}, {self.talk.person}"


class WrongAnswerError(Exception):
    """A command did not do what was asked, so that its time means nothing."""


async def async_measure(folder: Path, commands: int, seed: int) -> dict[str, Any]:
    """Return all figures, times in milliseconds; `folder` is a laid out configuration."""
    said = [*talks(commands, seed=seed), *paper_talks(max(1, commands // 5), seed=seed)]
    script = [command for talk in said for command in talk.commands]
    meter = Meter()
    async with large_home(folder) as home, model_server(script) as base_url:
        with meter.installed():
            entry, setup = await meter.async_span(async_add_sage(home.hass, base_url))
            for agent in entry.runtime_data.agents.values():
                counted = agent.settings.model
                meter.watch_client(counted._model._client)  # noqa: SLF001
            meter.watch_http(get_async_client(home.hass))
            samples = [sample for talk in said for sample in await _async_talk(home, meter, talk)]
            await _async_change(home)
            cold = await _async_talk(home, meter, said[0])
    return _figures(samples, cold[0], setup)


async def _async_change(home: LargeHome) -> None:
    """Change the registry, so that the next command has to list all devices again."""
    areas = ar.async_get(home.hass)
    for area in areas.async_list_areas():
        areas.async_update(area.id, aliases={f"{area.name} too"})
    await home.hass.async_block_till_done()


async def _async_talk(home: LargeHome, meter: Meter, talk: Talk) -> list[Sample]:
    samples: list[Sample] = []
    conversation_id: str | None = None
    for command in talk.commands:
        context = Context(user_id=home.users[talk.person])
        result, span = await meter.async_span(
            async_converse(
                home.hass,
                command.said,
                conversation_id,
                context,
                language="en",
                agent_id=f"conversation.{talk.agent}",
            )
        )
        conversation_id = result.conversation_id
        _check(command, result)
        samples.append(Sample(talk=talk, command=command, span=span))
        await home.hass.async_block_till_done()
    return samples


def _check(command: Command, result: ConversationResult) -> None:
    heard = result.response.speech["plain"]["speech"]
    if heard != command.answer:
        raise WrongAnswerError(f'"{command.said}" was answered with "{heard}"')


def _figures(samples: Sequence[Sample], cold: Sample, setup: Span) -> dict[str, Any]:
    """Return all figures; `cold` is the command after a change of the registry."""
    first, *later = [sample for sample in samples if sample.talk.agent != PAPER_FLOW]
    paper = [sample for sample in samples if sample.talk.agent == PAPER_FLOW]
    rows: dict[str, list[Sample]] = {f"first: {first.row}": [first]}
    for sample in (*later, *paper):
        rows.setdefault(sample.row, []).append(sample)
    rows[f"after a change of all rooms: {cold.row}"] = [cold]
    spans = [sample.span for sample in (*samples, cold)]
    direct = [sample for sample in (first, *later) if sample.command.kind == _DIRECT]
    figures = {
        "benchmark": "overhead",
        "entities": len(things()),
        "commands": len(later),
        "own_ms": _spread(later, _own),
        "processor_ms": _spread(later, _processor),
        "client_ms": _spread(later, _client),
        "own_without_client_ms": _spread(later, lambda span: _own(span) - _client(span)),
        "wall_ms": _spread(later, lambda span: span.wall_without_model * 1000),
        "garbage_collection_ms": _spread(later, lambda span: span.collected * 1000),
        "first_own_ms": round(_own(first.span), 1),
        "cold_own_ms": round(_own(cold.span), 1),
        "blocked_ms": _blocked(spans, ours=True),
        "blocked_by_others_ms": _blocked(spans, ours=False),
        "setup": {
            "own_ms": round(_own(setup), 1),
            "blocked_ms": _blocked([setup], ours=True),
            "blocked_by_others_ms": _blocked([setup], ours=False),
        },
        "calls": {
            "direct": max(sample.span.requests for sample in direct),
            "paper_flow": max(sample.span.requests for sample in paper),
        },
        "rows": {name: _row(row) for name, row in rows.items()},
    }
    return {**figures, "missed": missed_bounds(figures)}


def _row(samples: Sequence[Sample]) -> dict[str, Any]:
    return {
        "commands": len(samples),
        "calls": max(sample.span.requests for sample in samples),
        "own_ms": _spread(samples, _own),
        "processor_ms": _spread(samples, _processor),
        "client_ms": _spread(samples, _client),
        "wall_ms": _spread(samples, lambda span: span.wall_without_model * 1000),
        "blocked_ms": _blocked([sample.span for sample in samples], ours=True),
    }


def _own(span: Span) -> float:
    return span.own * 1000


def _processor(span: Span) -> float:
    return span.cpu * 1000


def _client(span: Span) -> float:
    return span.client * 1000


def _spread(samples: Sequence[Sample], of: Callable[[Span], float]) -> dict[str, float]:
    values = sorted(of(sample.span) for sample in samples)
    return {
        "median": round(statistics.median(values), 1),
        "p95": round(values[min(len(values) - 1, int(len(values) * 0.95))], 1),
        "max": round(values[-1], 1),
    }


def _blocked(spans: Iterable[Span], *, ours: bool) -> dict[str, Any]:
    """Return the longest callback: time of the processor, on the clock, whose it was."""
    found = [each for span in spans if (each := span.longest(ours=ours)) is not None]
    longest = max(found, key=lambda each: each.cpu, default=None)
    return _told(longest)


def _told(callback: Callback | None) -> dict[str, Any]:
    if callback is None:
        return {"cpu": 0.0, "wall": 0.0, "garbage_collection": 0.0, "in": "none over 2 ms"}
    return {
        "cpu": round(callback.cpu * 1000, 1),
        "wall": round(callback.wall * 1000, 1),
        "garbage_collection": round(callback.collection * 1000, 1),
        "in": callback.name,
    }


def missed_bounds(figures: dict[str, Any]) -> list[str]:
    """Return the bounds that do not hold."""
    held_ms = max(figures["blocked_ms"]["cpu"], figures["setup"]["blocked_ms"]["cpu"])
    held = {
        f"own time: median under {MEDIAN_BOUND:.0f} ms": figures["own_ms"]["median"] < MEDIAN_BOUND,
        f"own time: p95 under {P95_BOUND:.0f} ms": figures["own_ms"]["p95"] < P95_BOUND,
        f"event loop: never blocked by SAGE for over {BLOCKED_BOUND:.0f} ms": (
            held_ms <= BLOCKED_BOUND
        ),
        f"direct command: at most {CALLS_BOUND} model call": (
            figures["calls"]["direct"] <= CALLS_BOUND
        ),
    }
    return [bound for bound, holds in held.items() if not holds]


def show(figures: dict[str, Any]) -> None:
    """Print the table for people."""
    print(f"SAGE's own time, {figures['entities']} exposed entities, milliseconds\n")
    head = ("own median", "p95", "max", "processor", "of it client", "wall median", "loop held")
    print(f"{'command':<72}{'n':>4}{'calls':>7}" + "".join(f"{name:>14}" for name in head))
    for name, row in figures["rows"].items():
        own = row["own_ms"]
        cells = (
            own["median"],
            own["p95"],
            own["max"],
            row["processor_ms"]["median"],
            row["client_ms"]["median"],
            row["wall_ms"]["median"],
            row["blocked_ms"]["cpu"],
        )
        print(
            f"{name:<72}{row['commands']:>4}{row['calls']:>7}"
            + "".join(f"{cell:>14.1f}" for cell in cells)
        )
    own, client, processor = (figures[f"{part}_ms"] for part in ("own", "client", "processor"))
    print(
        f"\nAll after the first: own median {own['median']}, p95 {own['p95']}; of it processor "
        f"{processor['median']}, p95 {processor['p95']}; HTTP client {client['median']}; "
        f"without it {figures['own_without_client_ms']['median']}; "
        f"wall {figures['wall_ms']['median']}."
    )
    for name, where in (("commands", figures), ("set-up", figures["setup"])):
        print(f"Event loop held longest, {name}: {_sentence(where)}")
    print(
        f"Model calls of a direct command: {figures['calls']['direct']}; "
        f"in the paper's flow: {figures['calls']['paper_flow']}."
    )
    for missed in figures["missed"]:
        print(f"MISSED  {missed}")


def _sentence(where: dict[str, Any]) -> str:
    return "; ".join(
        f"by {who} {held['cpu']} (on the clock {held['wall']}, garbage collection "
        f"{held['garbage_collection']}) in {held['in']}"
        for who, held in (("SAGE", where["blocked_ms"]), ("others", where["blocked_by_others_ms"]))
    )


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.overhead", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--commands", type=int, default=60, help="after the first")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="sage-overhead-") as name,
        asyncio.Runner(loop_factory=create_event_loop) as runner,
    ):
        folder = Path(name)
        lay_out(folder)
        try:
            figures = runner.run(async_measure(folder, arguments.commands, arguments.seed))
        except WrongAnswerError as err:
            print(err, file=sys.stderr)
            return 2
    show(figures)
    print(json.dumps(figures))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
