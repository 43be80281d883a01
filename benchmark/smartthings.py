"""SAGE in a home of 60 SmartThings devices: size of the planner's prompt, requests to the cloud.

    python -m benchmark.smartthings [--repeat 20]

Runs Home Assistant with its own `smartthings` integration against a simulated cloud on loopback.
Prints a table, then one line of JSON; exits with 1 when a bound is missed.

- *tokens*: of all that one request to the planner's model holds, the schema of its reply
  included. There is no tokenizer at hand, so a token is taken for three characters. Of this very
  request the tokens of GPT-4o have 3.9 characters, those of Llama 3 and Qwen 3 4.0, Gemma 3 3.7,
  Mistral 3.6, Llama 2 3.0.
- *requests at start*: SAGE's requests for one device, in addition to the integration's own.
- *requests when idle*: in ten minutes after the start in which nothing happens.
- *own time*: what the loop's thread computed, in milliseconds of the processor (so that a busy
  machine does not count). The cloud runs in a separate thread. `first` is the first time
  in this process, with all that has to be loaded; `later` the median of the times after it.
- *event loop held*: the longest callback of SAGE, the garbage collector not counted.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from homeassistant.components.conversation import async_converse
from homeassistant.core import Context
from homeassistant.runner import create_event_loop

from custom_components.sage.home.directory import render_index
from custom_components.sage.home.home import Home
from custom_components.sage.home.rendering import render_documentation
from custom_components.sage.people.person import HOUSEHOLD

from .fake_model_server import FakeModelServer
from .model_script import Call, Completion, Json
from .overhead_home import async_add_sage, lay_out
from .overhead_meter import Meter, Span
from .simulator.request_log import RecordedRequest, RequestKind
from .smartthings_home import SmartThingsHome, mirror_of, smartthings_home

TOKENS_BOUND: Final = 8_000
REQUESTS_BOUND: Final = 2
"""For one device at the start, in addition to those of the integration."""

LISTING_BOUND: Final = 150.0
"""Milliseconds of own time for the first listing with its text; of a later one `LATER_BOUND`."""

DOCUMENTATION_BOUND: Final = 100.0
"""The same for the documentation of six capabilities, their definitions fetched."""

LATER_BOUND: Final = 10.0
HELD_BOUND: Final = 20.0
"""Milliseconds that one callback of SAGE may hold the event loop."""

IDLE_MINUTES: Final = 10.0
_CHARACTERS: Final = 3
"""Of one token at least."""

SENTENCES: Final = (
    "turn everything off",
    "turn off all the lights, close the shades and lock the doors, we are leaving",
    "put channel 7 on the TV in the living room",
    "turn down the screen brightness on my dryer",
    "is any door or window open",
    "what is on",
)
WANTED: Final[Mapping[str, tuple[str, ...]]] = {
    "living_room_tv": ("tvChannel", "custom.launchapp", "mediaTrackControl"),
    "dryer": ("samsungce.displayBrightness", "samsungce.dryerDryingTime"),
    "oven": ("samsungce.ovenMode",),
}
"""Raw capabilities that are documented, by the device."""


def tokens_of_request(body: Json) -> int:
    """Return how many tokens a request for a completion takes at most, its schema included."""
    texts = [str(message.get("content") or "") for message in body["messages"]]
    told = {name: body[name] for name in ("tools", "response_format") if body.get(name)}
    texts.append(json.dumps(told, ensure_ascii=False) if told else "")
    return -(-sum(map(len, texts)) // _CHARACTERS)


async def async_measure(folder: Path, repeat: int) -> dict[str, Any]:
    """Return all figures, times in milliseconds; `folder` is a laid out configuration."""
    meter = Meter()
    async with smartthings_home(folder) as home:
        with FakeModelServer(_says, models=("measured",)) as server, meter.installed():
            own = per_device(home.cloud.requests)
            home.cloud.forget_requests()
            entry, setup = await meter.async_span(async_add_sage(home.hass, server.url))
            view: Home = entry.runtime_data.home
            _, values = await meter.async_span(_async_fetched(view))
            start = home.cloud.requests[:]
            idle = await _async_idle(home)
            listing = await _async_listed(meter, view, repeat)
            documentation = await _async_documented(meter, home, view, repeat)
            tokens = {each: await _async_tokens(home, server, each) for each in SENTENCES}
    return figures_of_run(
        devices=len(home.cloud.home.devices),
        tokens=tokens,
        own=own,
        start=start,
        idle=idle,
        spans={"set-up": [setup, values], "listing": listing, "documentation": documentation[0]},
        definitions=documentation[1],
    )


def per_device(requests: Iterable[RecordedRequest]) -> Counter[str]:
    """Return how many requests there were for each device, by its id."""
    return Counter(each.device_id for each in requests if each.device_id is not None)


async def _async_fetched(view: Home) -> None:
    """Return when the values of all devices are known."""
    mirror = mirror_of(view)
    await mirror.async_make_fresh(device.id for device in mirror.devices())


async def _async_idle(home: SmartThingsHome) -> list[RecordedRequest]:
    home.cloud.forget_requests()
    await home.async_pass(IDLE_MINUTES)
    return home.cloud.requests[:]


async def _async_listed(meter: Meter, view: Home, repeat: int) -> list[Span]:
    """Return what it takes to list all devices for the planner, in each run anew."""

    async def list_devices() -> str:
        return render_index(await view.of(HOUSEHOLD).async_listing())

    return [await _async_span(meter, list_devices) for _ in range(repeat + 1)]


async def _async_documented(
    meter: Meter, home: SmartThingsHome, view: Home, repeat: int
) -> tuple[list[Span], list[int]]:
    """Return what documentation takes, and how many definitions were fetched for it."""
    fetched: list[int] = []
    spans: list[Span] = []

    async def document() -> str:
        documents = [
            document
            for device, capabilities in WANTED.items()
            for document in await view.of(HOUSEHOLD).async_document([device], capabilities)
        ]
        return render_documentation(documents)

    for _ in range(repeat + 1):
        home.cloud.forget_requests()
        spans.append(await _async_span(meter, document))
        fetched.append(home.cloud.count_kind(*RequestKind))
    return spans, fetched


async def _async_span(meter: Meter, work: Callable[[], Awaitable[str]]) -> Span:
    text, span = await meter.async_span(work())
    assert text
    return span


async def _async_tokens(home: SmartThingsHome, server: FakeModelServer, sentence: str) -> int:
    """Return how many tokens the planner reads when somebody says this."""
    server.requests.clear()
    await async_converse(
        home.hass, sentence, None, Context(), language="en", agent_id="conversation.native"
    )
    (asked,) = [each for each in server.completions if not each.body.get("tools")]
    assert f"Task: {sentence}" in asked.prompt
    return tokens_of_request(asked.body)


def _says(body: Json) -> Completion:
    """Decide as a model that passes every request on, and plans nothing."""
    tools = {tool["function"]["name"] for tool in body.get("tools", ())}
    if not tools:
        return Completion(text=json.dumps({"steps": []}))
    is_first = not any(message["role"] == "assistant" for message in body["messages"])
    if is_first and "device_interaction" in tools:
        said = body["messages"][-1]["content"].rpartition("Request: ")[2]
        given = {"command": said, "timing": "now", "final": True}
        return Completion(calls=[Call(name="device_interaction", arguments=given)])
    given = {"kind": "could_not", "answer": "That is not possible."}
    return Completion(calls=[Call(name="finish", arguments=given)])


# ------------------------------------------------------------------ figures


def figures_of_run(
    *,
    devices: int,
    tokens: Mapping[str, int],
    own: Counter[str],
    start: Sequence[RecordedRequest],
    idle: Sequence[RecordedRequest],
    spans: Mapping[str, Sequence[Span]],
    definitions: Sequence[int],
) -> dict[str, Any]:
    added = per_device(start)
    listing, documentation = spans["listing"], spans["documentation"]
    figures = {
        "benchmark": "smartthings",
        "devices": devices,
        "planner_tokens": {"largest": max(tokens.values()), "sentences": dict(tokens)},
        "requests": {
            "start_per_device": max(added.values(), default=0),
            "start_total": len(start),
            "start_elsewhere": len(start) - added.total(),
            "integration_per_device": max(own.values(), default=0),
            "idle_minutes": IDLE_MINUTES,
            "idle": len(idle),
            "documentation_first": definitions[0],
            "documentation_later": sum(definitions[1:]),
        },
        "listing_ms": {"first": _ms(listing[:1]), "later": _ms(listing[1:])},
        "documentation_ms": {"first": _ms(documentation[:1]), "later": _ms(documentation[1:])},
        "held_ms": {name: _held(each) for name, each in spans.items()},
    }
    return {**figures, "missed": missed_bounds(figures)}


def _ms(spans: Sequence[Span]) -> float:
    return round(statistics.median(span.cpu for span in spans) * 1000, 2)


def _held(spans: Sequence[Span]) -> dict[str, Any]:
    found = [each for span in spans if (each := span.longest(ours=True)) is not None]
    longest = max(found, key=lambda each: each.cpu, default=None)
    if longest is None:
        return {"cpu": 0.0, "in": "none over 2 ms"}
    return {"cpu": round(longest.cpu * 1000, 1), "in": longest.name}


def missed_bounds(figures: Mapping[str, Any]) -> list[str]:
    """Return the bounds that do not hold."""
    requests, held = figures["requests"], figures["held_ms"]
    listing, documentation = figures["listing_ms"], figures["documentation_ms"]
    bounds = {
        f"planner: under {TOKENS_BOUND} tokens": (
            figures["planner_tokens"]["largest"] < TOKENS_BOUND
        ),
        f"start: at most {REQUESTS_BOUND} requests for a device, none for anything else": (
            requests["start_per_device"] <= REQUESTS_BOUND and requests["start_elsewhere"] == 0
        ),
        f"{IDLE_MINUTES:.0f} idle minutes: no request": requests["idle"] == 0,
        "documentation of known definitions: no request": requests["documentation_later"] == 0,
        f"first listing: under {LISTING_BOUND:.0f} ms": listing["first"] < LISTING_BOUND,
        f"first documentation: under {DOCUMENTATION_BOUND:.0f} ms": (
            documentation["first"] < DOCUMENTATION_BOUND
        ),
        f"later ones: under {LATER_BOUND:.0f} ms": (
            max(listing["later"], documentation["later"]) < LATER_BOUND
        ),
        f"event loop: never held by SAGE for over {HELD_BOUND:.0f} ms": (
            max(each["cpu"] for each in held.values()) <= HELD_BOUND
        ),
    }
    return [bound for bound, holds in bounds.items() if not holds]


def show(figures: Mapping[str, Any]) -> None:
    """Print the table for people."""
    requests, held = figures["requests"], figures["held_ms"]
    print(f"SAGE in a SmartThings home of {figures['devices']} devices\n")
    _row("what", "figure", "bound")
    for sentence, count in figures["planner_tokens"]["sentences"].items():
        shown = sentence if len(sentence) < 50 else f"{sentence[:46]} ..."
        _row(f'tokens of the planner: "{shown}"', count, f"< {TOKENS_BOUND}")
    _row("requests at start for a device, most", requests["start_per_device"], REQUESTS_BOUND)
    _row("  those of the integration itself, beside", requests["integration_per_device"], "")
    _row("requests at start in all", requests["start_total"], "")
    _row(f"requests in {IDLE_MINUTES:.0f} idle minutes", requests["idle"], 0)
    _row("requests for documentation, first time", requests["documentation_first"], "")
    _row("requests for documentation, later", requests["documentation_later"], 0)
    for name, first in (("listing", LISTING_BOUND), ("documentation", DOCUMENTATION_BOUND)):
        _row(f"own ms of the first {name}", figures[f"{name}_ms"]["first"], f"< {first:.0f}")
        _row(f"own ms of a later {name}", figures[f"{name}_ms"]["later"], f"< {LATER_BOUND:.0f}")
    for name, longest in held.items():
        _row(f"event loop held, {name} ({longest['in']})", longest["cpu"], f"<= {HELD_BOUND:.0f}")
    for missed in figures["missed"]:
        print(f"MISSED  {missed}")


def _row(name: str, figure: object, bound: object) -> None:
    print(f"{name:<84}{figure!s:>10}{bound!s:>10}")


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.smartthings", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--repeat", type=int, default=20, help="times after the first")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="sage-smartthings-") as name,
        asyncio.Runner(loop_factory=create_event_loop) as runner,
    ):
        folder = Path(name)
        lay_out(folder)
        figures = runner.run(async_measure(folder, max(1, arguments.repeat)))
    show(figures)
    print(json.dumps(figures))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
