"""The memory of one person with very many memories: recall, loading, adding, forgetting.

    python -m benchmark.memory_store [--memories 100000] [--recalls 1000] [--seed 1]

Prints a table, then one line of JSON; exits with 1 when a bound is missed, with 2 when a recall
is not that of a full search.

- The *vectors* are those of real utterances by all-MiniLM-L6-v2 (those of `benchmark.recall`),
  blended in pairs to get so many; what is asked are other real utterances and questions.
- *Recall* is the whole of `RecallIndex.best`, words and texts included, once vectors and words are
  loaded. That the vectors are searched exactly is checked apart.
- *Loading* opens the file and makes the vectors ready, with the file in the cache of the system.
- Both compute and wait for nothing, so their bounds are on the time of the processor, of all
  threads: on a busy machine the time of other programs is not theirs. The clock is shown, too.
- *Written* is what one memory and its vector, added one after the other, write to all files, the
  log of writes and its copying into the file included. That it is the same in an empty memory
  shows that nothing is written again.
- *Memory* is the resident memory of this process that loading added.
"""

import argparse
import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np

from custom_components.sage.embeddings.embedder import Vectors
from custom_components.sage.memory.memories import Memory
from custom_components.sage.memory.person_memory import PersonMemory

from .recall.corpus import load, texts
from .recall.reference import read

RECALL_BOUNDS: Final = {20_000: 10.0, 100_000: 60.0}
"""Number of memories -> maximum of the 99th percentile, in milliseconds of processor time."""

LOAD_BOUND: Final = 1.0
"""Seconds of the processor, the median of some loadings."""

WRITTEN_BOUND: Final = 100.0
"""Kilobytes that a memory and its vector write."""

GROWTH_BOUND: Final = 1.5
"""Maximum factor compared with writing into an empty memory."""

ASKED: Final = 300
MODEL: Final = "all-MiniLM-L6-v2"
_BEGIN: Final = datetime(2016, 1, 1, tzinfo=UTC)
_ADDED: Final = 300
_LOADINGS: Final = 3


class WrongRecallError(Exception):
    """A recall is not that of a full search, so that its time means nothing."""


@dataclass(slots=True)
class Times:
    """What some calls took, in milliseconds; of the processor in all threads."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Measure the block."""
        clock, processor = time.perf_counter(), time.process_time()
        yield
        self.processor.append((time.process_time() - processor) * 1000)
        self.clock.append((time.perf_counter() - clock) * 1000)

    def figures(self) -> dict[str, Any]:
        """Return median and 99th percentile, on the clock and of the processor."""
        return {
            "median_ms": _quantile(self.clock, 0.5),
            "p99_ms": _quantile(self.clock, 0.99),
            "processor_median_ms": _quantile(self.processor, 0.5),
            "processor_p99_ms": _quantile(self.processor, 0.99),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """What is remembered and what is asked, with vectors."""

    said: Sequence[str]
    vectors: Vectors
    questions: Sequence[str]
    asked: Vectors


def speech(memories: int, seed: int) -> Speech:
    """Return `count` memories of two utterances each, and other utterances for queries."""
    rng = np.random.default_rng(seed)
    people = load()
    every = texts(people)
    rows = read(every)
    order = rng.permutation(len(every))
    asked, kept = order[:ASKED], order[ASKED:]
    one, two = rng.choice(kept, (2, memories))
    share = rng.uniform(0.5, 0.9, (memories, 1)).astype(np.float32)
    blended = share * rows[one] + (1 - share) * rows[two]
    blended /= np.linalg.norm(blended, axis=1, keepdims=True)
    said = [f"{every[a]} {every[b]} ({n})" for n, (a, b) in enumerate(zip(one, two, strict=True))]
    return Speech(
        said=said,
        vectors=blended,
        questions=[every[number] for number in asked],
        asked=rows[asked],
    )


def measure(path: Path, memories: int, recalls: int, seed: int) -> dict[str, Any]:
    """Return all figures; `path` is where the file is made."""
    spoken = speech(memories, seed)
    with closing(PersonMemory.open(path.with_name("empty.db"))) as empty:
        empty.recall.load_vectors(MODEL)
        adding_empty = _adding(empty, spoken)
    filling = _fill(path, spoken)
    loading, resident = _loading(path)
    with closing(PersonMemory.open(path)) as memory:
        memory.recall.load_vectors(MODEL)
        recall = _recall(memory, spoken, recalls)
        figures = {
            "benchmark": "memory_store",
            "memories": memories,
            "file_mb": round(path.stat().st_size / 1e6, 1),
            "filling_s": round(filling, 1),
            "loading": loading,
            "vectors_mb": round(memory.recall.vector_bytes / 1e6, 1),
            "resident_mb": round(resident, 1),
            "recall": recall,
            "adding_empty": adding_empty,
            "adding": _adding(memory, spoken),
            "forgetting_one": _forgetting(memory),
        }
    return {**figures, "missed": missed_bounds(figures)}


def _fill(path: Path, spoken: Speech) -> float:
    """Fill a new file; return the seconds."""
    begin = time.perf_counter()
    with closing(PersonMemory.open(path)) as memory:
        with memory.writing():
            for number, text in enumerate(spoken.said):
                at = _BEGIN + timedelta(minutes=50 * number)
                memory.add(Memory(text=text, at=at, place="Kitchen"))
        kept = memory.list()[::-1]
        for start in range(0, len(kept), 1000):
            part = slice(start, start + 1000)
            memory.recall.set_vectors(MODEL, kept[part], spoken.vectors[part])
    return time.perf_counter() - begin


def _loading(path: Path) -> tuple[dict[str, Any], float]:
    """Return what loading takes, and the memory that it added to the process."""
    times = Times()
    added = []
    for _ in range(_LOADINGS):
        before = _resident()
        with times.one():
            memory = PersonMemory.open(path)
            memory.recall.load_vectors(MODEL)
        added.append(_resident() - before)
        memory.close()
    return {
        "median_s": round(statistics.median(times.clock) / 1000, 3),
        "processor_median_s": round(statistics.median(times.processor) / 1000, 3),
    }, max(added)


def _recall(memory: PersonMemory, spoken: Speech, recalls: int) -> dict[str, Any]:
    for vector in spoken.asked[:recalls]:
        found = memory.recall.best(vector, MODEL)
        _check([each.score for each in found], spoken.vectors @ vector)
    times = Times()
    for number in range(recalls):
        place = number % ASKED
        with times.one():
            memory.recall.best(spoken.asked[place], MODEL, question=spoken.questions[place])
    return times.figures()


def _check(found: Sequence[float], scores: Vectors) -> None:
    if not np.allclose(found, np.sort(scores)[:-6:-1], atol=1e-5):
        raise WrongRecallError(f"{found} were recalled, {np.sort(scores)[:-6:-1]} are the best")


def _adding(memory: PersonMemory, spoken: Speech) -> dict[str, Any]:
    """Add memories one by one, each with its vector, and find the last of them."""
    times = Times()
    written = _written()
    for number in range(_ADDED):
        new = Memory(text=f"Only now: {spoken.said[number]}", at=_BEGIN, place="Kitchen")
        with times.one():
            added = memory.add(new)
            memory.recall.set_vectors(MODEL, [added], spoken.asked[number][None])
    memory.checkpoint()
    written = _written() - written
    if memory.recall.best(spoken.asked[_ADDED - 1], MODEL, 1)[0] != added:
        raise WrongRecallError("What was just added is not recalled.")
    return {**times.figures(), "written_kb": round(written / _ADDED / 1000, 1)}


def _forgetting(memory: PersonMemory) -> dict[str, Any]:
    """Forget one memory, which rewrites the file."""
    times = Times()
    written = _written()
    with times.one():
        memory.forget([memory.list(limit=1)[0].id])
    return {
        "s": round(times.clock[0] / 1000, 2),
        "processor_s": round(times.processor[0] / 1000, 2),
        "written_mb": round((_written() - written) / 1e6, 1),
    }


def _resident() -> float:
    """Return the resident memory of this process, in megabytes."""
    return _told_by_kernel("status", "VmRSS") / 1000


def _written() -> float:
    """Return the bytes that this process has written to files."""
    return _told_by_kernel("io", "wchar")


def _told_by_kernel(file: str, name: str) -> float:
    for line in Path("/proc/self", file).read_text(encoding="ascii").splitlines():
        if line.startswith(f"{name}:"):
            return float(line.split()[1])
    raise KeyError(name)


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 2)


def missed_bounds(figures: dict[str, Any]) -> list[str]:
    adding, empty = figures["adding"]["written_kb"], figures["adding_empty"]["written_kb"]
    recall_bound = next(
        (bound for count, bound in RECALL_BOUNDS.items() if figures["memories"] <= count), math.inf
    )
    bounds = {
        f"recall p99 in ms, at most {recall_bound}": (
            figures["recall"]["processor_p99_ms"],
            recall_bound,
        ),
        f"loading in s, at most {LOAD_BOUND}": (
            figures["loading"]["processor_median_s"],
            LOAD_BOUND,
        ),
        f"written per memory in kB, at most {WRITTEN_BOUND}": (adding, WRITTEN_BOUND),
        f"written, of that in an empty memory, at most {GROWTH_BOUND}": (
            round(adding / empty, 2),
            GROWTH_BOUND,
        ),
    }
    return [f"{name}: {value}" for name, (value, bound) in bounds.items() if value > bound]


def show(figures: dict[str, Any]) -> None:
    """Print the table."""
    print(f"{figures['memories']} memories of one person, {figures['file_mb']} MB on the disk\n")
    heads = ("median", "p99", "cpu median", "cpu p99")
    print(f"{'milliseconds':<44}" + "".join(f"{head:>12}" for head in heads))
    rows = {
        "recall": "recall",
        "adding a memory and its vector": "adding",
        "the same in an empty memory": "adding_empty",
    }
    for name, key in rows.items():
        each = figures[key]
        keys = ("median_ms", "p99_ms", "processor_median_ms", "processor_p99_ms")
        cells = [each[key] for key in keys]
        print(f"{name:<44}" + "".join(f"{cell:>12.1f}" for cell in cells))
    loading, forgetting = figures["loading"], figures["forgetting_one"]
    print(
        f"\nloading: {loading['median_s']} s (processor {loading['processor_median_s']} s); "
        f"memory: {figures['resident_mb']} MB, vectors of it {figures['vectors_mb']} MB\n"
        f"written per memory: {figures['adding']['written_kb']} kB, in an empty memory "
        f"{figures['adding_empty']['written_kb']} kB\n"
        f"forgetting one: {forgetting['s']} s (processor {forgetting['processor_s']} s), "
        f"{forgetting['written_mb']} MB written"
    )
    for missed in figures["missed"]:
        print(f"MISSED  {missed}")


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.memory_store", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--memories", type=int, default=100_000)
    parser.add_argument("--recalls", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sage-memory-") as name:
        path = Path(name) / "memory" / "one.db"
        try:
            figures = measure(path, arguments.memories, arguments.recalls, arguments.seed)
        except WrongRecallError as err:
            print(err, file=sys.stderr)
            return 2
    show(figures)
    print(json.dumps(figures))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
