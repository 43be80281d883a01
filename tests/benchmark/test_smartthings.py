"""The benchmark in a SmartThings home runs, prints its results, and can miss its bounds."""

import asyncio
import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers.event import async_track_point_in_utc_time, async_track_time_interval
from homeassistant.util import dt as dt_util

from benchmark import smartthings
from benchmark.overhead_meter import Span
from benchmark.simulator.request_log import RecordedRequest, RequestKind
from benchmark.smartthings import TOKENS_BOUND
from benchmark.smartthings_home import Clock
from tests.benchmark.running import run_benchmark


@pytest.fixture(scope="module")
def printed() -> list[str]:
    """Return what a short run prints; how fast this machine is does not matter here."""
    run = run_benchmark("smartthings", "--repeat", "2")
    # 1 is a missed bound, which a busy machine may cause.
    assert run.returncode in (0, 1), run.stderr
    lines = run.stdout.strip().splitlines()
    assert run.returncode == bool(json.loads(lines[-1])["missed"])
    return lines


@pytest.mark.slow
def test_last_line_is_json_with_all_figures(printed: list[str]) -> None:
    figures = json.loads(printed[-1])
    assert figures["devices"] == 60
    assert 1000 < figures["planner_tokens"]["largest"] < TOKENS_BOUND
    requests = figures["requests"]
    assert 0 < requests["start_per_device"] <= smartthings.REQUESTS_BOUND
    assert (requests["idle"], requests["documentation_later"]) == (0, 0)
    assert requests["documentation_first"] > 0
    for name in ("listing_ms", "documentation_ms"):
        assert min(figures[name]["first"], figures[name]["later"]) > 0


def figures_of(*, start: int, idle: int, tokens: int, ms: float) -> dict[str, Any]:
    request = RecordedRequest(method="GET", path="/v1/devices/one/status", kind=RequestKind.STATUS)
    return smartthings.figures_of_run(
        devices=60,
        tokens={"help": tokens},
        own=smartthings.per_device([request]),
        start=[request] * start,
        idle=[request] * idle,
        spans=dict.fromkeys(("listing", "documentation"), [Span(cpu=ms / 1000)] * 2),
        definitions=[3, idle],
    )


def test_each_bound_can_be_missed() -> None:
    assert figures_of(start=2, idle=0, tokens=7_999, ms=1)["missed"] == []
    assert len(figures_of(start=3, idle=0, tokens=1, ms=1)["missed"]) == 1
    assert len(figures_of(start=1, idle=1, tokens=1, ms=1)["missed"]) == 2
    assert len(figures_of(start=1, idle=0, tokens=8_000, ms=1)["missed"]) == 1
    assert len(figures_of(start=1, idle=0, tokens=1, ms=500)["missed"]) == 3


async def test_clock_lets_minutes_pass_at_once(hass: HomeAssistant) -> None:
    rung: list[str] = []
    with Clock().installed() as clock:
        loop = asyncio.get_running_loop()
        began = loop.time()
        loop.call_later(100, rung.append, "later")

        def ring(_: datetime) -> None:
            rung.append("interval")

        stop = async_track_time_interval(hass, ring, timedelta(seconds=40))
        moment = dt_util.utcnow() + timedelta(seconds=70)
        async_track_point_in_utc_time(hass, lambda _: rung.append("point"), moment)
        await clock.async_pass(30)
        assert rung == []
        for _ in range(3):
            await clock.async_pass(30)
        stop()
        assert 120 <= loop.time() - began < 150
    assert sorted(set(rung)) == ["interval", "later", "point"]
    assert loop.time() - began < 100
