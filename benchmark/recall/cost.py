"""The cost of recall: the built-in model for each utterance, the index of words for many."""

import os
import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from custom_components.sage.embeddings.minilm import DIMENSIONS, MODEL_FILE, MiniLM
from custom_components.sage.text.search import TextIndex

from .corpus import Person

_BATCH: Final = 32
_NUMBERS: Final = 20_000
_REPLACED: Final = 1000
_SEED: Final = 1


def resident_mb() -> float:
    """Return the memory of this process that is in use, in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def load_builtin(utterances: Sequence[str]) -> tuple[MiniLM, dict[str, Any]]:
    """Return the built-in model, and the cost of loading and running it."""
    before, began = resident_mb(), time.perf_counter()
    model = MiniLM.load(MODEL_FILE)
    loaded, seconds = resident_mb(), time.perf_counter() - began
    model.encode(utterances[:1])
    alone = _spread([_timed(partial(model.encode, [text])) for text in utterances])
    began = time.thread_time()
    for begin in range(0, len(utterances), _BATCH):
        model.encode(utterances[begin : begin + _BATCH])
    batched = (time.thread_time() - began) / len(utterances)
    return model, {
        "ms_per_utterance": alone,
        "cpu_ms_per_utterance_in_batches": round(batched * 1000, 2),
        "load_ms": round(seconds * 1000),
        "file_mb": round(MODEL_FILE.stat().st_size / 1e6, 1),
        "loaded_mb": round(loaded - before, 1),
        "in_use_mb": round(resident_mb() - before, 1),
        "bytes_per_vector": DIMENSIONS * 4,
    }


def index_of_many(people: Sequence[Person], memories: int) -> dict[str, Any]:
    """Return what the index of words costs for this number of memories of a person."""
    spoken = [utterance.text for person in people for utterance in person.utterances]
    said = _memories(spoken, memories)
    asked = [question.text for person in people for question in person.questions]
    before, began = resident_mb(), time.thread_time()
    index = TextIndex(enumerate(said, start=1))
    built, grown = time.thread_time() - began, resident_mb() - before
    index.score(asked[0])
    times = [_timed(partial(index.score, text)) for text in asked]
    replaced = [
        _timed(partial(index.add, at, said[at])) for at in range(1, min(_REPLACED, memories))
    ]
    return {
        "memories": len(index),
        "build_cpu_s": round(built, 2),
        "mb": round(grown, 1),
        "ms_per_question": _spread(times),
        "ms_per_replaced_memory": _spread(replaced),
    }


def _memories(said: Sequence[str], number: int) -> list[str]:
    """Return many texts, all different, of the words that people say."""
    chance = random.Random(_SEED)
    spoken = [word for text in said for word in text.split()]
    texts: list[str] = []
    for text in chance.choices(said, k=number):
        own = chance.sample(text.split(), k=len(text.split()))
        texts.append(
            " ".join([*own, *chance.choices(spoken, k=3), str(chance.randrange(_NUMBERS))])
        )
    return texts


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds on the clock and of the processor."""
    wall, cpu = time.perf_counter(), time.thread_time()
    work()
    return time.perf_counter() - wall, time.thread_time() - cpu


def _spread(times: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Return percentiles in ms: on the clock, and of the processor (a busy machine's own)."""
    wall, cpu = (statistics.quantiles(each, n=100) for each in zip(*times, strict=True))
    return {
        "median": round(wall[49] * 1000, 2),
        "p99": round(wall[98] * 1000, 2),
        "cpu_median": round(cpu[49] * 1000, 2),
        "cpu_p99": round(cpu[98] * 1000, 2),
    }
