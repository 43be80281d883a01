"""The server under load: `scripts/models --load --seconds 120`.

Starts the server as a process of its own. Clients ask for texts and photos without a pause; every
tenth photo is a bad one, which has to be refused. By default the photos go to a small CLIP with
random weights; `--weights FOLDER --clip NAME` measures another one.

Prints a table, then one line of JSON; exits with 1 when a bound is missed.
"""

import argparse
import asyncio
import contextlib
import json
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

import aiohttp

from .pictures import data_uri, encoded, picture
from .tiny_clip import NAME, write_tiny_clip

MINILM: Final = "all-MiniLM-L6-v2"
GROWTH_BOUND: Final = 100.0
"""MB by which the resident memory may grow: medians of the second and of the last quarter.

It varies by as much from one batch to the next, since longer texts need more.
"""

_SAMPLE_SECONDS: Final = 0.5
_TEXTS: Final = 16
_IMAGES: Final = 4
_GOOD: Final = [
    data_uri(encoded(picture(seed, 1024, 768), "JPEG", quality=90), "image/jpeg")
    for seed in range(12)
]
_BAD: Final = [
    data_uri(encoded(picture(1), "JPEG")[:-40], "image/jpeg"),
    data_uri(encoded(picture(1, 8165, 6124, "L"), "JPEG"), "image/jpeg"),
    data_uri(encoded(picture(1)) + b"PK\x03\x04"),
]


@dataclass(slots=True)
class Figures:
    """What the clients saw."""

    seconds: dict[str, list[float]] = field(
        default_factory=lambda: {"texts": [], "photos": [], "bad photos": []}
    )
    errors: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The result in one line."""

    clients: int
    seconds: float
    requests: int
    errors: int
    p50: dict[str, float]
    p95: dict[str, float]
    rss_mb: float
    growth_mb: float
    passed: bool


async def async_client(
    session: aiohttp.ClientSession, clip: str, number: int, end: float, figures: Figures
) -> None:
    """Send requests until the end."""
    chance = random.Random(number)
    while time.monotonic() < end:
        kind, body, expected = _request(chance, clip)
        begin = time.monotonic()
        try:
            async with session.post("/v1/embeddings", json=body) as response:
                await response.read()
                if response.status != expected:
                    figures.errors.append(f"{kind}: {response.status} {await response.text()}")
        except (aiohttp.ClientError, TimeoutError) as err:
            figures.errors.append(f"{kind}: {err!r}")
        figures.seconds[kind].append(time.monotonic() - begin)


def _request(chance: random.Random, clip: str) -> tuple[str, dict[str, Any], int]:
    if chance.random() < 0.5:
        texts = [f"the lamp {chance.random()} " * chance.randint(1, 3) for _ in range(_TEXTS)]
        return "texts", {"model": chance.choice((MINILM, clip)), "input": texts}, 200
    if chance.random() < 0.1:
        uris = [chance.choice(_BAD)]
        return "bad photos", {"model": clip, "input": uris, "modality": "image"}, 400
    uris = chance.sample(_GOOD, _IMAGES)
    return "photos", {"model": clip, "input": uris, "modality": "image"}, 200


@contextlib.asynccontextmanager
async def server_process(weights: Path) -> AsyncIterator[tuple[int, str]]:
    """Run the server; yield its process id and address."""
    arguments = ("--port", "0", "--weights", str(weights), "--offline")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sage_models", *arguments, stderr=asyncio.subprocess.PIPE
    )
    assert process.stderr is not None
    address = ""
    while not address:
        line = (await process.stderr.readline()).decode()
        if not line:
            raise RuntimeError("the server ended at its start")
        address = line.partition("Listening on ")[2].strip()
    # The log has to be read on, or the server would wait.
    log = asyncio.create_task(process.stderr.read())
    try:
        yield process.pid, address
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
        await log


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ValueError("the process has ended")


def quantile(values: Sequence[float], share: float) -> float:
    """Return a quantile in milliseconds; 0 without values."""
    ordered = sorted(values)
    return round(1000 * ordered[int(share * (len(ordered) - 1))], 1) if ordered else 0.0


async def async_measure(weights: Path, clip: str, clients: int, seconds: float) -> Summary:
    """Return the figures of the given number of clients."""
    async with (
        server_process(weights) as (pid, address),
        aiohttp.ClientSession(address, timeout=aiohttp.ClientTimeout(total=120)) as session,
    ):
        for model in (MINILM, clip):
            while True:
                async with session.post(
                    "/v1/embeddings", json={"model": model, "input": "x"}
                ) as response:
                    if response.status == 200:
                        break
        figures, samples = Figures(), [resident_mb(pid)]
        sampling = asyncio.create_task(_async_sample(pid, samples))
        end = time.monotonic() + seconds
        await asyncio.gather(
            *(async_client(session, clip, number, end, figures) for number in range(clients))
        )
        sampling.cancel()
    for error in figures.errors[:5]:
        print(error)
    quarter = len(samples) // 4 or 1
    growth = round(median(samples[-quarter:]) - median(samples[quarter : 2 * quarter + 1]), 1)
    return Summary(
        clients=clients,
        seconds=seconds,
        requests=sum(map(len, figures.seconds.values())),
        errors=len(figures.errors),
        p50={kind: quantile(values, 0.5) for kind, values in figures.seconds.items()},
        p95={kind: quantile(values, 0.95) for kind, values in figures.seconds.items()},
        rss_mb=round(max(samples), 1),
        growth_mb=growth,
        passed=not figures.errors and all(figures.seconds.values()) and growth <= GROWTH_BOUND,
    )


async def _async_sample(pid: int, samples: list[float]) -> None:
    while True:
        await asyncio.sleep(_SAMPLE_SECONDS)
        samples.append(resident_mb(pid))


def report(summary: Summary) -> None:
    """Print the table and the line of JSON."""
    print(f"{summary.clients} clients for {summary.seconds:.0f} s: {summary.requests} requests")
    print(f"{'':12}{'p50 ms':>10}{'p95 ms':>10}")
    for kind in summary.p50:
        print(f"{kind:12}{summary.p50[kind]:10.1f}{summary.p95[kind]:10.1f}")
    print(f"errors {summary.errors} (bound 0)")
    print(f"memory at most {summary.rss_mb} MB")
    print(f"grown by {summary.growth_mb} MB (bound {GROWTH_BOUND})")
    print(json.dumps(asdict(summary)))


def main() -> None:
    """Measure, report, exit."""
    parser = argparse.ArgumentParser(prog="scripts/models --load")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--weights", type=Path, help="folder of models (default: a small CLIP)")
    parser.add_argument("--clip", default=NAME, help="model of the photos in this folder")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        weights = options.weights
        if weights is None:
            weights = Path(made)
            write_tiny_clip(weights)
        summary = asyncio.run(
            async_measure(weights, options.clip, options.clients, options.seconds)
        )
    report(summary)
    sys.exit(not summary.passed)


if __name__ == "__main__":
    main()
