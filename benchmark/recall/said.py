"""Measure the limit above which a text that a model wants to store counts as said by the person.

`said.json` holds texts with the sentences that they repeat in other words, in five languages, and
everyday sentences with texts that nobody said. A memory holds the person's own sentence where the
model used other words, so that a wrong yes stores no false fact, but a request.
"""

import json
from pathlib import Path
from typing import Any, Final

from custom_components.sage.embeddings.minilm import MODEL_FILE, MiniLM
from custom_components.sage.memory.said import GROUNDED, closeness

_LIMITS: Final = (0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)
_LEAST_SAID: Final = 75.0
"""Percent of the said texts that have to be known as such."""

_MOST_NONSENSE: Final = 0.5
"""Percent of the other pairs that may count as said."""


def measure() -> dict[str, Any]:
    """Return the percentages of accepted pairs by limit, with the vectors and with words alone."""
    data = json.loads((Path(__file__).parent / "said.json").read_text(encoding="utf-8"))
    pairs = {
        "said": [(text, sentence) for text, sentence in data["said"]],
        "nonsense": [
            (text, sentence) for sentence in data["everyday"] for text in data["nonsense"]
        ],
    }
    every = sorted({one for found in pairs.values() for pair in found for one in pair})
    rows = dict(zip(every, MiniLM.load(MODEL_FILE).encode(every), strict=True))

    def accepted(kind: str, limit: float, *, by_words: bool) -> float:
        hits = 0
        for text, sentence in pairs[kind]:
            cosine = None if by_words else float(rows[text] @ rows[sentence])
            hits += closeness(sentence, text, cosine) >= limit
        return round(100 * hits / len(pairs[kind]), 2)

    figures: dict[str, Any] = {
        "benchmark": "recall --said",
        "pairs": {kind: len(found) for kind, found in pairs.items()},
        "limit": GROUNDED,
        "accepted": {
            name: {
                str(limit): {kind: accepted(kind, limit, by_words=by_words) for kind in pairs}
                for limit in _LIMITS
            }
            for name, by_words in (("vectors and words", False), ("words alone", True))
        },
    }
    used = {name: row[str(GROUNDED)] for name, row in figures["accepted"].items()}
    bounds = {
        f"said: at least {_LEAST_SAID:g} %": used["vectors and words"]["said"] >= _LEAST_SAID,
        f"nonsense: at most {_MOST_NONSENSE:g} %": all(
            row["nonsense"] <= _MOST_NONSENSE for row in used.values()
        ),
    }
    return {**figures, "missed": [bound for bound, holds in bounds.items() if not holds]}


def show(figures: dict[str, Any]) -> None:
    """Print the table for people."""
    print(f"Accepted in percent of {figures['pairs']}; the product's limit is {figures['limit']}\n")
    print(f"{'limit':<10}{'said':>10}{'nonsense':>10}")
    for name, by_limit in figures["accepted"].items():
        print(name)
        for limit, row in by_limit.items():
            print(f"{limit:<10}{row['said']:>10.1f}{row['nonsense']:>10.2f}")
    for missed in figures["missed"]:
        print(f"MISSED  {missed}")
