"""A TV guide of 100 MB: fetching and reading it, and searching in it.

    python -m benchmark.tv_guide [--megabytes 100]

Prints a table, then one line of JSON; exits with 1 when a bound is missed.

- *Refresh* is the whole of `TvGuide.async_refresh`: the download from a server on loopback, which
  is a process of its own, reading and storing. Its bound is on the time of the processor: on a busy
  machine the time of other programs is not its own. The clock is shown, too.
- *Memory* is what the process held at most meanwhile, beyond what it held before.
- *Loop* is how late the event loop was, at most and usually; *idle* is the same before, which is
  the work of other programs.
- *Search* is `TvGuide.async_search`, the median of some; by words also in all that is to come.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession
from homeassistant.core import HomeAssistant

from custom_components.sage.external.guide_file import GuideQuery
from custom_components.sage.external.tv_guide import TvGuide

from .xmltv_text import write_large_guide

SECONDS_BOUND: Final = 60.0
"""Of the processor."""

MEMORY_BOUND: Final = 200.0
"""Megabytes."""

_MEGABYTE: Final = 1_000_000
_TICK: Final = 0.002
_SEARCHES: Final = 15
_IDLE: Final = 5.0
"""Seconds in which nothing is done, to compare with."""


@dataclass(slots=True)
class _Resident:
    """The most memory that the process held."""

    peak: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Look every few milliseconds until the block ends."""
        thread = threading.Thread(target=self._watch)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.02):
            self.peak = max(self.peak, resident())


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(each for each in status.splitlines() if each.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


@contextlib.asynccontextmanager
async def _held() -> AsyncIterator[list[float]]:
    """Collect how late the event loop is, in milliseconds, until the block ends."""
    late: list[float] = []

    async def tick() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(_TICK)
            late.append((time.perf_counter() - began - _TICK) * 1000)

    task = asyncio.create_task(tick())
    try:
        yield late
    finally:
        task.cancel()


@contextlib.contextmanager
def _served(folder: Path) -> Iterator[str]:
    server = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    try:
        # Serving HTTP on 127.0.0.1 port 40123 (http://127.0.0.1:40123/) ...
        yield server.stdout.readline().rpartition("(")[2].partition("/)")[0]
    finally:
        server.terminate()
        server.wait()


async def async_measure(folder: Path, url: str, programmes: int) -> dict[str, Any]:
    """Return the figures of a refresh from `url` and of searches."""
    hass = HomeAssistant(str(folder))
    async with ClientSession() as session:
        guide = TvGuide(
            hass,
            session,
            folder / "guides" / "guide.db",
            title="Guide",
            source=f"{url}/guide.xml",
            numbers={},
            report=lambda _: None,
        )
        before, held = resident(), _Resident()
        async with _held() as idle:
            await asyncio.sleep(_IDLE)
        began, computed = time.perf_counter(), time.process_time()
        async with _held() as late:
            with held.watched():
                stored = await guide.async_refresh()
        seconds, computed = time.perf_counter() - began, time.process_time() - computed
        figures = {
            "programmes": programmes,
            "stored": stored,
            "refresh_s": round(computed, 1),
            "refresh_clock_s": round(seconds, 1),
            "memory_mb": round(max(0, held.peak - before) / _MEGABYTE, 1),
            "loop_longest_ms": round(max(late), 1),
            "loop_longest_idle_ms": round(max(idle), 1),
            "loop_p99_ms": round(statistics.quantiles(late, n=100)[-1], 1),
            "loop_p99_idle_ms": round(statistics.quantiles(idle, n=100)[-1], 1),
            "file_mb": round((folder / "guides" / "guide.db").stat().st_size / _MEGABYTE, 1),
        }
        figures |= await _async_search(guide)
        await guide.async_close()
    await hass.async_stop(force=True)
    return figures


async def _async_search(guide: TvGuide) -> dict[str, Any]:
    now = datetime.now(UTC)
    evening, all_of_it = now + timedelta(hours=5), now + timedelta(days=30)
    some, _ = await guide.async_search(GuideQuery(start=now, end=all_of_it, words="ka lo", most=1))
    words = some[0].title if some else "Kamilo"
    wishes = {
        "search_now_ms": GuideQuery(start=now, end=now),
        "search_evening_ms": GuideQuery(start=now, end=evening),
        "search_words_ms": GuideQuery(start=now, end=all_of_it, words=words),
        "search_title_ms": GuideQuery(start=now, end=all_of_it, words=words, title_only=True),
    }
    return {name: await _async_median(guide, wanted) for name, wanted in wishes.items()}


async def _async_median(guide: TvGuide, wanted: GuideQuery) -> float:
    times = []
    for _ in range(_SEARCHES):
        began = time.perf_counter()
        await guide.async_search(wanted)
        times.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(times), 1)


def main() -> int:
    """Write the guide, measure, print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=100.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
        size = int(given.megabytes * _MEGABYTE)
        programmes = write_large_guide(folder / "guide.xml", size, start)
        with _served(folder) as url:
            figures = asyncio.run(async_measure(folder, url, programmes))
    bounds = {"refresh_s": SECONDS_BOUND, "memory_mb": MEMORY_BOUND}
    for name, value in figures.items():
        bound = f"at most {bounds[name]:g}" if name in bounds else ""
        print(f"{name:<20}{value:>12}  {bound}")
    missed = [name for name, bound in bounds.items() if figures[name] > bound]
    print(json.dumps({**figures, "missed": missed}))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
