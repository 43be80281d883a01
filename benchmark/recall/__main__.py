"""Quality and cost of SAGE's recall of what people said.

    python -m benchmark.recall [--memories 100000] [--said]

Prints a table, then one line of JSON; exits with 1 when a bound is missed, with 2 when the kept
vectors of the original model do not belong to the texts.

Three people said 170 everyday things each; one or two of them answer a question, the rest is
noise, some of it misleading. Recall@5 is the share of those one or two among the best five,
the mean over the questions, in percent. Side by side:

- *builtin*: the model that comes with SAGE, by cosine;
- *minilm*: the original model, whose vectors are kept in a file (`benchmark.recall.reference`);
- *bm25*: shared words, without vectors;
- *hybrid*: the cosine of builtin plus BM25 with the product's weight;
- *hybrid, held out*: the same with a weight that each person's questions had no say in: the one
  that serves the other two best;
- *rank fusion*: builtin and BM25 by reciprocal ranks.

Differences are paired, question by question; their 95 % intervals come from a bootstrap over the
questions. All that is embedded is the words alone (*said*), which is compared with the paper's
form (*dated*: with the day before the words) and with the room before them (*placed*).

With `--said`, only the limit of what counts as said by the person (`benchmark.recall.said`).

Times are those of this machine, on the clock, and of the processor alone (cpu).
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from custom_components.sage.embeddings.minilm import MiniLM
from custom_components.sage.memory.recall import WORD_WEIGHT
from custom_components.sage.model.language_model import ModelError

from . import reference, said
from .corpus import FORMS, KINDS, Person, load, texts
from .cost import index_of_many, load_builtin
from .measures import (
    RESAMPLES,
    TOP,
    Difference,
    Recalls,
    difference,
    held_out,
    kind_of_each_question,
    of_each_question,
    recalls,
)
from .methods import Vectors, by_both, by_meaning, by_ranks, by_words

FORM: Final = "said"
"""The form of an utterance that the product embeds."""

BEHIND_BOUND: Final = 2.0
"""Points that the built-in model may recall less than the original."""

COSINE_BOUND: Final = 0.99
"""What the vectors of both must have in common on average."""

_WEIGHTS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_BATCH: Final = 256
_SPARSE: Final = 3
"""One of this number of utterances is timed."""

_PAIRS: Final = (
    ("builtin", "minilm"),
    ("builtin", "bm25"),
    ("hybrid", "builtin"),
    ("hybrid, held out", "builtin"),
    ("hybrid", "minilm"),
    ("rank fusion", "builtin"),
)


def measure(memories: int) -> dict[str, Any]:
    """Return all figures; raises StaleReferenceError and ModelError.

    `memories`: how many the index of words holds when its cost is measured.
    """
    people = load()
    every = texts(people)
    original = Vectors(every, reference.read(every))
    said = [utterance.text for person in people for utterance in person.utterances]
    model, cost = load_builtin(said[::_SPARSE])
    builtin = Vectors(every, _encode(model, every))
    cosines = np.einsum("ij,ij->i", builtin.rows, original.rows)
    methods, weights = _methods(people, builtin, original)
    figures = {
        "benchmark": "recall",
        "people": len(people),
        "utterances": sum(len(person.utterances) for person in people),
        "questions": sum(len(person.questions) for person in people),
        "top": TOP,
        "form": FORM,
        "weight": WORD_WEIGHT,
        "held_out_weights": weights,
        "recall": {name: _told(people, found) for name, found in methods.items()},
        "differences": {
            f"{one} - {other}": _differences(people, methods[one], methods[other])
            for one, other in _PAIRS
        },
        "forms": {
            name: _forms(people, vectors)
            for name, vectors in (("builtin", builtin), ("minilm", original))
        },
        "cosine": {
            "mean": round(float(cosines.mean()), 5),
            "lowest": round(float(cosines.min()), 5),
        },
        "builtin": cost,
        "index": index_of_many(people, memories),
    }
    return {**figures, "missed": missed_bounds(figures)}


def _encode(model: MiniLM, every: Sequence[str]) -> Any:
    """Return the vectors of all texts; report the progress."""
    rows = []
    for begin in range(0, len(every), _BATCH):
        rows.append(model.encode(every[begin : begin + _BATCH]))
        done = min(begin + _BATCH, len(every))
        print(f"embedded {done} of {len(every)} texts", file=sys.stderr, flush=True)
    return np.concatenate(rows)


def _methods(
    people: Sequence[Person], builtin: Vectors, original: Vectors
) -> tuple[dict[str, Recalls], dict[str, float]]:
    """Return the recalls of each method, and the weight that was held out for each person."""
    meaning = by_meaning(builtin, FORM)
    weighted = {weight: recalls(people, by_both(meaning, weight)) for weight in _WEIGHTS}
    fair, weights = held_out(people, weighted)
    methods = {
        "builtin": recalls(people, meaning),
        "minilm": recalls(people, by_meaning(original, FORM)),
        "bm25": recalls(people, by_words),
        "hybrid": recalls(people, by_both(meaning)),
        "hybrid, held out": fair,
        "rank fusion": recalls(people, by_ranks(meaning)),
    }
    return methods, weights


def _forms(people: Sequence[Person], vectors: Vectors) -> dict[str, Any]:
    """Return what each form of the utterances recalls, and gains over the one in use."""
    found = {form: recalls(people, by_meaning(vectors, form)) for form in FORMS}
    return {
        form: {
            "recall": _points(each),
            "gain": _rounded(difference(each, found[FORM])),
        }
        for form, each in found.items()
    }


def _told(people: Sequence[Person], found: Recalls) -> dict[str, float]:
    """Return the recall in percent: of all questions, of each person's and of each kind."""
    asked, kinds = of_each_question(people), kind_of_each_question(people)
    return {
        "all": _points(found),
        **{person.name: _points(found[asked == person.name]) for person in people},
        **{kind: _points(found[kinds == kind]) for kind in KINDS},
    }


def _differences(people: Sequence[Person], one: Recalls, other: Recalls) -> dict[str, Any]:
    asked = of_each_question(people)
    own = {person.name: asked == person.name for person in people}
    return {
        "all": _rounded(difference(one, other)),
        **{name: _rounded(difference(one[mine], other[mine])) for name, mine in own.items()},
    }


def _points(found: Recalls) -> float:
    return round(float(found.mean()) * 100, 1)


def _rounded(found: Difference) -> dict[str, float]:
    return {name: round(value, 2) for name, value in asdict(found).items()}


def missed_bounds(figures: Mapping[str, Any]) -> list[str]:
    """Return the bounds that do not hold."""
    differences = figures["differences"]
    held = {
        f"builtin: at most {BEHIND_BOUND:g} points behind minilm": (
            differences["builtin - minilm"]["all"]["mean"] >= -BEHIND_BOUND
        ),
        f"builtin: mean cosine to the original at least {COSINE_BOUND}": (
            figures["cosine"]["mean"] >= COSINE_BOUND
        ),
        "builtin: above bm25, the whole interval": (
            differences["builtin - bm25"]["all"]["low"] > 0
        ),
        "hybrid, held out: not below builtin, as the product adds both": (
            differences["hybrid, held out - builtin"]["all"]["mean"] >= 0
        ),
    }
    return [bound for bound, holds in held.items() if not holds]


def show(figures: Mapping[str, Any]) -> None:
    """Print the tables for people."""
    print(
        f"Recall@{figures['top']} in percent: {figures['questions']} questions on "
        f"{figures['utterances']} utterances of {figures['people']} people; embedded: "
        f"{figures['form']}\n"
    )
    columns = list(figures["recall"]["builtin"])
    _line("", columns)
    for name, row in figures["recall"].items():
        _line(name, [f"{row[column]:.1f}" for column in columns])
    print(f"\nPaired differences in points, 95 % intervals from {RESAMPLES} resamples\n")
    _line("", list(figures["differences"]["builtin - minilm"]), width=24)
    for name, row in figures["differences"].items():
        _line(name, [_interval(each) for each in row.values()], width=24)
    print("\nForms of the embedded text: recall, and gain over the one in use\n")
    _line("", list(FORMS), width=32)
    for name, row in figures["forms"].items():
        cells = [f"{each['recall']:.1f}  {_interval(each['gain'])}" for each in row.values()]
        _line(name, cells, width=32)
    _show_cost(figures)
    for missed in figures["missed"]:
        print(f"MISSED  {missed}")


def _show_cost(figures: Mapping[str, Any]) -> None:
    builtin, index, cosine = figures["builtin"], figures["index"], figures["cosine"]
    print(
        f"\nbuiltin: cosine to the original {cosine['mean']:.4f} on average, "
        f"{cosine['lowest']:.4f} at worst; an utterance takes "
        f"{_times(builtin['ms_per_utterance'])}, in batches "
        f"{builtin['cpu_ms_per_utterance_in_batches']} cpu ms; {builtin['file_mb']} MB file, "
        f"loaded in {builtin['load_ms']} ms, {builtin['loaded_mb']} MB of memory, "
        f"{builtin['in_use_mb']} MB after use; {builtin['bytes_per_vector']} bytes a vector."
    )
    print(
        f"index of words, {index['memories']} memories: a question takes "
        f"{_times(index['ms_per_question'])}; built in {index['build_cpu_s']} s, {index['mb']} MB."
    )


def _line(name: str, cells: Sequence[str], *, width: int = 12) -> None:
    print(f"{name:<28}" + "".join(f"{cell:>{width}}" for cell in cells))


def _interval(found: Mapping[str, float]) -> str:
    return f"{found['mean']:+.1f} [{found['low']:+.1f}, {found['high']:+.1f}]"


def _times(spread: Mapping[str, float]) -> str:
    return (
        f"{spread['median']} ms, p99 {spread['p99']} "
        f"(cpu {spread['cpu_median']}, p99 {spread['cpu_p99']})"
    )


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmark.recall", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--memories", type=int, default=100_000, help="in the index of words")
    parser.add_argument("--said", action="store_true", help="only what counts as said")
    arguments = parser.parse_args()
    try:
        figures = said.measure() if arguments.said else measure(arguments.memories)
    except (reference.StaleReferenceError, ModelError) as err:
        print(err, file=sys.stderr)
        return 2
    (said.show if arguments.said else show)(figures)
    print(json.dumps(figures))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
