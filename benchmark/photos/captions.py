"""Finding a device by its caption: the held-out descriptions and the built-in text embeddings.

    python -m benchmark.photos.captions

No photo and no server is needed. Compares forms of the query and of the caption by how many of the
sixty descriptions find their device by the greatest cosine, then the quantities by which a
description that fits no device may be recognised. Prints two tables, the descriptions that are not
found, and one line of JSON; exits with 1 when the bound is missed.
"""

import json
import re
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from custom_components.sage.embeddings.embedder import Vectors
from custom_components.sage.embeddings.minilm import MODEL_FILE, MiniLM

from .descriptions import DESCRIPTIONS, NONE_FIT, Description
from .matching import Match, best_threshold, chance, quantities, wilson
from .scenes import Device, Room
from .vocabulary import DEVICE_NOUNS

BOUND: Final = 0.85
"""Part of the held-out descriptions that find their device."""

SCALES: Final = (10.0, 15.0, 20.0, 25.0, 30.0, 40.0)
"""Logit scales of the softmax over candidates."""

type Query = Callable[[Description], Sequence[str]]
"""Texts whose vectors are added."""

type Caption = Callable[[Room, Device], str]


def _whole(description: Description) -> Sequence[str]:
    return (description.text,)


def _surroundings(description: Description) -> Sequence[str]:
    """Return the description without its device word, as the model of an agent may give it."""
    nouns = DEVICE_NOUNS[description.kind]
    words = "|".join(re.escape(each) for each in sorted(nouns, key=len, reverse=True))
    return (" ".join(re.sub(rf"\b({words})s?\b", "", description.text).split()),)


QUERIES: Final[dict[str, Query]] = {
    "whole": _whole,
    "without device word": _surroundings,
    "both": lambda each: (*_whole(each), *_surroundings(each)),
    "a photo of ...": lambda each: (f"a photo of {each.text}",),
    "kind: whole": lambda each: (f"{each.kind}: {each.text}",),
}
CAPTIONS: Final[dict[str, Caption]] = {
    "caption": lambda _, device: device.caption,
    "room: caption": lambda room, device: f"{room.name}: {device.caption}",
    "kind and room": lambda room, device: f"{device.kind} in the {room.name}",
}


class CaptionMatcher:
    """Compares queries with captions."""

    def __init__(self, model: MiniLM) -> None:
        self._model = model

    def matches(
        self, descriptions: Sequence[Description], query: Query, caption: Caption
    ) -> list[Match]:
        """Return the cosines of the descriptions and the captions of their candidates."""
        return [
            Match(each, tuple((self._captions(each, caption) @ self._vector(query(each))).tolist()))
            for each in descriptions
        ]

    def _captions(self, description: Description, caption: Caption) -> Vectors:
        return self._model.encode([caption(*each) for each in description.candidates()])

    def _vector(self, texts: Sequence[str]) -> Vectors:
        total: Vectors = self._model.encode(texts).sum(axis=0)
        total /= np.linalg.norm(total)
        return total


def main() -> int:
    """Measure and print; return the exit code."""
    matcher = CaptionMatcher(MiniLM.load(MODEL_FILE))
    right: dict[str, int] = {}
    print(f"{'caption':16}{'query':22}{'found':>7}   95 % interval   chance {chance():.1%}")
    for caption_name, caption in CAPTIONS.items():
        for query_name, query in QUERIES.items():
            found = sum(each.is_right for each in matcher.matches(DESCRIPTIONS, query, caption))
            low, high = wilson(found, len(DESCRIPTIONS))
            right[f"{caption_name} / {query_name}"] = found
            print(f"{caption_name:16}{query_name:22}{found:7}   {low:.1%} to {high:.1%}")
    thresholds = {}
    for name, query in QUERIES.items():
        thresholds[name] = _show_none_fit(matcher, name, query)
    caption = CAPTIONS["caption"]
    for match in matcher.matches(DESCRIPTIONS, _whole, caption):
        if not match.is_right:
            said = match.description
            print(f"not found: {said.text!r} is {said.device_id}, found {match.found}")
    print(
        json.dumps(
            {
                "benchmark": "photos.captions",
                "right": right,
                "of": len(DESCRIPTIONS),
                "chance": round(chance(), 3),
                "none_fits": thresholds,
            }
        )
    )
    return int(right["caption / whole"] < BOUND * len(DESCRIPTIONS))


def _show_none_fit(matcher: CaptionMatcher, name: str, query: Query) -> dict[str, list[float]]:
    """Print how well each quantity separates what fits from what does not; return it."""
    caption = CAPTIONS["caption"]
    fitting = quantities(matcher.matches(DESCRIPTIONS, query, caption), SCALES)
    others = quantities(matcher.matches(NONE_FIT, query, caption), SCALES)
    print(f"\nnone fits, query {name}: threshold, fitting ones refused, others accepted")
    found = {}
    for quantity, values in fitting.items():
        best = best_threshold(values, others[quantity])
        print(
            f"  {quantity:14}{best.value:7.3f}{best.refused:8.0%}{best.accepted:8.0%}   medians "
            f"{statistics.median(values):.3f} and {statistics.median(others[quantity]):.3f}"
        )
        found[quantity] = [round(each, 3) for each in (best.value, best.refused, best.accepted)]
    return found


if __name__ == "__main__":
    sys.exit(main())
