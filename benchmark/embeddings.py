"""The built-in embedding model: its time, its memory, and how near it is to the original.

    python -m benchmark.embeddings [--rounds 3]

Prints a table, then one line of JSON; exits with 1 when a bound is missed.

The vectors are compared with those of the original all-MiniLM-L6-v2, which are kept in
`embedding_reference/`. Times are milliseconds for each utterance, on the clock and of the
processor: what other programs take counts on the clock only. "Everyday utterances" have at most
100 characters; "the longest" fills all 256 pieces that the model reads.
Memory is what the process holds beyond what it held with numpy and Home Assistant imported.
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import batched
from pathlib import Path
from typing import Any, Final

import numpy as np

from custom_components.sage.embeddings.embedder import Vectors
from custom_components.sage.embeddings.minilm import MODEL_FILE, MODEL_ID, MiniLM

from .reference_vectors import read_utterances

COSINE_BOUND: Final = 0.99
"""Mean cosine with the original's vectors, at least."""

BYTES_BOUND: Final = 24_000_000
LOAD_BOUND: Final = 0.5
"""Seconds of the processor."""

_BATCH: Final = 32
_EVERYDAY_CHARACTERS: Final = 100
_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What one utterance took, milliseconds."""

    wall: float
    cpu: float


def measure(rounds: int) -> dict[str, Any]:
    """Return all figures; times in milliseconds, memory in megabytes."""
    utterances, original = read_utterances()
    before = _resident()
    (model,), load = _timed(lambda _: MiniLM.load(MODEL_FILE), [None])
    after_load = _resident()
    model.encode(utterances[:1])
    after_one = _resident()
    vectors = model.encode(utterances)
    figures: dict[str, Any] = {
        "benchmark": "embeddings",
        "model_id": MODEL_ID,
        "file_bytes": MODEL_FILE.stat().st_size,
        "load_ms": {"wall": round(load[0].wall, 1), "cpu": round(load[0].cpu, 1)},
        "memory_mb": {
            "loaded": round(after_load - before, 1),
            "after_one": round(after_one - before, 1),
            "after_all": round(_resident() - before, 1),
        },
        "utterances": len(utterances),
        **_nearness(vectors, original),
        "rows": dict(_rows(model, utterances, rounds)),
    }
    return {**figures, "missed": missed_bounds(figures)}


def _nearness(vectors: Vectors, original: Vectors) -> dict[str, Any]:
    """Return how near the vectors are to the original's, and whether they rank alike."""
    cosines = np.einsum("ij,ij->i", vectors, original)
    return {
        "cosine": {
            "mean": round(float(cosines.mean()), 5),
            "p5": round(float(np.quantile(cosines, 0.05)), 5),
            "min": round(float(cosines.min()), 5),
        },
        "same_nearest": round(float((_nearest(vectors) == _nearest(original)).mean()), 4),
    }


def _nearest(vectors: Vectors) -> Vectors:
    """Return for each text the place of the text that is most like it."""
    between = vectors @ vectors.T
    np.fill_diagonal(between, -1)
    found: Vectors = between.argmax(axis=1)
    return found


def _rows(
    model: MiniLM, utterances: Sequence[str], rounds: int
) -> Iterator[tuple[str, dict[str, Any]]]:
    everyday = [text for text in utterances if len(text) <= _EVERYDAY_CHARACTERS] * rounds
    longest = [max(utterances, key=len)] * 10 * rounds
    batches = [
        list(batch) for batch in batched(everyday, _BATCH, strict=False) if len(batch) == _BATCH
    ]

    def alone(text: str) -> Vectors:
        return model.encode([text])

    yield "everyday, one by one", _spread(_timed(alone, everyday)[1])
    yield f"everyday, batches of {_BATCH}", _spread(_timed(model.encode, batches)[1], _BATCH)
    yield "the longest", _spread(_timed(alone, longest)[1])


def _timed[T, R](work: Callable[[T], R], items: Sequence[T]) -> tuple[list[R], list[Timing]]:
    """Return the results, and what each took."""
    results: list[R] = []
    timings: list[Timing] = []
    for item in items:
        wall, cpu = time.perf_counter(), time.process_time()
        results.append(work(item))
        timings.append(
            Timing(wall=(time.perf_counter() - wall) * 1000, cpu=(time.process_time() - cpu) * 1000)
        )
    return results, timings


def _spread(timings: Sequence[Timing], texts: int = 1) -> dict[str, Any]:
    """Return the spread of the time per text, for calls with this number of texts."""
    walls = sorted(timing.wall / texts for timing in timings)
    return {
        "utterances": len(timings) * texts,
        "wall_ms": {
            "median": round(statistics.median(walls), 2),
            "p95": round(walls[min(len(walls) - 1, int(len(walls) * 0.95))], 2),
        },
        "cpu_ms": round(statistics.median(timing.cpu / texts for timing in timings), 2),
    }


def _resident() -> float:
    """Return the memory that the process holds, megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE


def missed_bounds(figures: dict[str, Any]) -> list[str]:
    """Return the bounds that do not hold."""
    held = {
        f"cosine with the original: mean at least {COSINE_BOUND}": (
            figures["cosine"]["mean"] >= COSINE_BOUND
        ),
        f"file: at most {BYTES_BOUND / _MEGABYTE:.0f} MB": figures["file_bytes"] <= BYTES_BOUND,
        f"loading: under {LOAD_BOUND} s of the processor": (
            figures["load_ms"]["cpu"] < LOAD_BOUND * 1000
        ),
    }
    return [bound for bound, holds in held.items() if not holds]


def show(figures: dict[str, Any]) -> None:
    """Print the table for people."""
    print(f"{figures['model_id']}, milliseconds for each utterance\n")
    head = ("wall median", "p95", "processor")
    print(f"{'':<36}{'n':>6}" + "".join(f"{name:>14}" for name in head))
    for name, row in figures["rows"].items():
        cells = (row["wall_ms"]["median"], row["wall_ms"]["p95"], row["cpu_ms"])
        print(f"{name:<36}{row['utterances']:>6}" + "".join(f"{cell:>14.2f}" for cell in cells))
    cosine, memory, load = figures["cosine"], figures["memory_mb"], figures["load_ms"]
    print(
        f"\nFile: {figures['file_bytes'] / _MEGABYTE:.1f} MB. Loading: {load['wall']} ms "
        f"({load['cpu']} of the processor)."
        f"\nMemory: {memory['loaded']} MB loaded, {memory['after_one']} after one utterance, "
        f"{memory['after_all']} after all."
        f"\nCosine with the original, {figures['utterances']} utterances: mean {cosine['mean']}, "
        f"5 % below {cosine['p5']}, least {cosine['min']}; "
        f"{figures['same_nearest']:.1%} have the same nearest utterance."
    )
    for missed in figures["missed"]:
        print(f"MISSED  {missed}")


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.embeddings", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--rounds", type=int, default=3, help="how often each utterance is timed")
    figures = measure(parser.parse_args().rounds)
    show(figures)
    print(json.dumps(figures))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
