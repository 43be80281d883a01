"""Whether a second model answers while the first one is killed, slow, over its limit or lost.

A real Home Assistant with the demo home, in this process. The first model is on an
OpenAI-compatible server on loopback; the second one is on another server, behind the AI Task
entity of Home Assistant's Ollama integration, with another decision format. Five requests at a
time set lights, each in two decisions; the first model fails at the first or at the second of
them, after the command was sent. With `--pause`, SAGE leaves the first model alone for a while
after an error, as it does in a home; without, each request meets the fault.

Prints a table, then one line of JSON; exits with 1 if less than 99 % of the requests are answered
rightly, or if a command is executed twice or not at all.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from homeassistant.config_entries import ConfigSubentryData
from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Event
from homeassistant.helpers import config_validation as cv

from custom_components.sage.config.agents import offered_ai_tasks
from custom_components.sage.model import two_models

from .commands.home import DEMO, CommandsHome, commands_home
from .commands.methods import SageMethod, Sentence
from .fake_model_server import FakeModelServer
from .model_script import Answer, Call, Completion, Fault, FaultKind, Json
from .overhead_home import async_add_sage, config_entry
from .soak_model import Asked

BOUND: Final = 0.99
_LIGHTS: Final = ("kitchen light", "bedroom light", "dresser light", "floor lamp", "bathroom light")
_MODELS: Final = ("measured", "second")
_SECONDS: Final = 24
"""Limit of a command; a sixth of it is the time of the first word."""

KILLED: Final = "killed"
FAULTS: Final[dict[str, Sequence[Answer]]] = {
    KILLED: (Fault(kind=FaultKind.DROPPED), Fault(kind=FaultKind.CUT)),
    "slow": (Fault(kind=FaultKind.HANG), Fault(kind=FaultKind.HANG_MIDWAY)),
    "limited": (
        Fault(kind=FaultKind.RATE_LIMITED),
        Fault(kind=FaultKind.RATE_LIMITED, retry_after="120"),
        Fault(kind=FaultKind.NO_QUOTA),
    ),
    "garbage": (
        Completion(text='{"thought": "I would'),
        Fault(kind=FaultKind.INVALID_JSON),
        Completion(calls=[Call(name="finish", arguments='{"kind": "answ')]),
        Fault(kind=FaultKind.HTML),
        Fault(kind=FaultKind.EMPTY),
    ),
}


class Models:
    """Both models: they set lights; the first one makes the faults of its requests."""

    def __init__(self) -> None:
        self.faults: dict[str, tuple[int, Answer]] = {}
        """Request -> the first decision that fails, and how."""

        self.replies: Counter[str] = Counter()

    def __call__(self, body: Json) -> Answer:
        """Return the decision about one request, or its fault."""
        asked, name = Asked(body), str(body["model"])
        at, fault = self.faults.get(asked.text, (99, Completion()))
        if name == _MODELS[0] and asked.turn >= at:
            return fault
        self.replies[name] += 1
        light, level = _parts(asked.text)
        acted = any("brightness_pct" in str(each) for each in body["messages"][1:] if _is_own(each))
        given: dict[str, Any] = {"kind": "acted", "answer": f"It is at {level} percent."}
        call = Call(name="finish", arguments=given)
        if not acted:
            given = {
                "devices": [light.replace(" ", "_")],
                "command": "turn_on",
                "arguments": {"brightness_pct": int(level)},
                "timing": "now",
                "final": False,
            }
            call = Call(name="execute_command", arguments=given)
        if body.get("tools"):
            return Completion(calls=[call])
        action = {"tool": call.name, "input": given}
        return Completion(text=json.dumps({"thought": "Next.", "actions": [action]}))


def _parts(text: str) -> tuple[str, str]:
    """Return light and level of a sentence."""
    light, level = text.removeprefix("set the ").removesuffix(" percent").split(" to ")
    return light, level


def _is_own(message: Json) -> bool:
    return bool(message["role"] == "assistant")


async def async_measure(requests: int, *, pause: bool) -> dict[str, Any]:
    """Return the figures of so many requests."""
    models = Models()
    if not pause:
        two_models._SHORTEST_PAUSE = two_models._PAUSE_AFTER_TIMEOUT = 0.0  # type: ignore[misc] # noqa: SLF001
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(FakeModelServer(models, models=_MODELS[:1]))
        second = await stack.enter_async_context(FakeModelServer(models, models=_MODELS[1:]))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sage-second-")))
        home = await stack.enter_async_context(commands_home(folder, DEMO))
        method = await _async_set_up(home, first, second)
        rows: list[dict[str, Any]] = []
        texts = [
            f"set the {light} to {10 + number // len(_LIGHTS) % 90} percent"
            for number, light in enumerate(islice(cycle(_LIGHTS), requests))
        ]
        kinds = cycle(FAULTS)
        for begin in range(0, requests, len(_LIGHTS)):
            said = texts[begin : begin + len(_LIGHTS)]
            rows += await _async_batch(home, method, models, first, next(kinds), said, begin)
    wrong = [row for row in rows if not row["answered"]]
    figures = {
        "benchmark": "second_model",
        "requests": requests,
        "pause": pause,
        "answered": requests - len(wrong),
        "twice": sum(row["sent"] > 1 for row in rows),
        "lost": sum(row["sent"] < 1 for row in rows),
        "told": sum("language model" in row["answer"] for row in rows),
        "longest": round(max(row["seconds"] for row in rows), 1),
        "replies": dict(models.replies),
        "kinds": {
            kind: Counter(row["kind"] for row in rows if row["answered"])[kind] for kind in FAULTS
        },
        "examples": [f"{row['kind']}: {row['answer']}" for row in wrong[:5]],
    }
    passed = len(wrong) <= requests * (1 - BOUND) and not (figures["twice"] or figures["lost"])
    return {**figures, "passed": passed}


async def _async_set_up(
    home: CommandsHome, first: FakeModelServer, second: FakeModelServer
) -> SageMethod:
    task = ConfigSubentryData(
        subentry_type="ai_task_data", title="Ollama", unique_id=None, data={"model": _MODELS[1]}
    )
    ollama = config_entry("ollama", {"url": second.ollama_url}, [task], version=(3, 3))
    await home.hass.config_entries.async_add(ollama)
    await home.hass.async_block_till_done()
    (key,) = offered_ai_tasks(home.hass)
    other = {"ai_task": key, "model": "Ollama", "formats": ["constrained"], "structure": "open"}
    settings = {"decision_format": "native", "max_seconds": _SECONDS, "second_model": other}
    await async_add_sage(home.hass, first.url, {"SAGE": settings})
    return SageMethod(
        home.hass, name="sage", decision_format="native", agent_id="conversation.sage"
    )


async def _async_batch(
    home: CommandsHome,
    method: SageMethod,
    models: Models,
    first: FakeModelServer,
    kind: str,
    texts: Sequence[str],
    number: int,
) -> list[dict[str, Any]]:
    """Say these sentences at the same time, while the first model fails in one way."""
    sent: Counter[str] = Counter()

    def note(event: Event) -> None:
        data = event.data["service_data"]
        for entity_id in cv.ensure_list(data.get("entity_id")):
            sent[f"{entity_id} {data.get('brightness_pct')}"] += 1

    faults = cycle(FAULTS[kind])
    models.faults = {text: (place % 2, next(faults)) for place, text in enumerate(texts, number)}
    is_stopped = kind == KILLED and number % 8 == 0
    if is_stopped:
        await first.async_stop()
    stop = home.hass.bus.async_listen(EVENT_CALL_SERVICE, note)
    said = [Sentence(text=text, language="en", user_id=home.user_id) for text in texts]
    heard = await asyncio.gather(*map(method.async_say, said))
    await home.hass.async_block_till_done()
    stop()
    if is_stopped:
        await first.async_start()
    rows: list[dict[str, Any]] = []
    for text, each in zip(texts, heard, strict=True):
        name, level = _parts(text)
        sentence = f"It is at {level} percent."
        rows.append(
            {
                "kind": kind,
                "answer": each.answer,
                "answered": sentence in each.answer,
                "seconds": each.last,
                "sent": sent[f"light.{name.replace(' ', '_')} {level}"],
            }
        )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.second_model", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--pause", action="store_true", help="leave the first model alone a while")
    given = parser.parse_args(arguments)
    figures = asyncio.run(async_measure(given.requests, pause=given.pause))
    share = f"{figures['answered']} of {figures['requests']}"
    print(f"{'answered':>12}{'twice':>8}{'lost':>8}{'told':>8}{'longest':>10}")
    print(
        f"{share:>12}{figures['twice']:>8}{figures['lost']:>8}{figures['told']:>8}"
        f"{figures['longest']:>8.1f} s"
    )
    for example in figures["examples"]:
        print(f"WRONG   {example}")
    print(json.dumps(figures))
    return 0 if figures["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
