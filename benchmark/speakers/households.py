"""Whom a household takes a voice for, and the threshold that this needs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from custom_components.sage.people import MARGIN
from custom_components.sage.run.speakers import similarity

Vectors = npt.NDArray[np.float32]
"""One row for each utterance."""

ENROLLED: Final = 4
"""People of a household; everybody else is a stranger to it."""

STRANGERS_WANTED: Final = 0.005
"""Of the tuning: less than what the test allows, since its speakers are others."""

_THRESHOLDS: Final = np.arange(0.3, 0.901, 0.005)


@dataclass(frozen=True, slots=True)
class Trial:
    """One utterance, compared with the people of one household."""

    speaker: str
    enrolled: bool
    best: str
    score: float
    """The similarity to the best person; 0: not sure, or the encoder refused the utterance."""


def trials(
    enrolled: Mapping[str, Vectors], spoken: Mapping[str, Sequence[Vectors | None]]
) -> list[Trial]:
    """Compare each utterance with one household: every speaker is in some, a stranger to others.

    The households are neighbours in the order of the speakers; utterance n goes to household n, so
    that none is compared twice.
    """
    names = list(enrolled)
    made = []
    for name in names:
        for number, vector in enumerate(spoken[name]):
            start = number % len(names)
            household = [names[(start + place) % len(names)] for place in range(ENROLLED)]
            scores = {
                person: similarity(enrolled[person], vector) if vector is not None else 0.0
                for person in household
            }
            first, second = sorted(scores, key=scores.__getitem__)[:-3:-1]
            score = scores[first] if scores[first] - scores[second] >= MARGIN else 0.0
            made.append(Trial(name, name in household, first, score))
    return made


def right_and_taken(threshold: float, all_trials: Iterable[Trial]) -> tuple[list[bool], list[bool]]:
    """Return whether those of the enrolled are right, and those of strangers are taken for one."""
    right, taken = [], []
    for trial in all_trials:
        is_sure = trial.score >= threshold
        if trial.enrolled:
            right.append(is_sure and trial.best == trial.speaker)
        else:
            taken.append(is_sure)
    return right, taken


def best_threshold(all_trials: Sequence[Trial]) -> float:
    """Return the lowest threshold at which few enough strangers are taken for somebody."""
    return next(
        threshold
        for threshold in map(float, _THRESHOLDS.round(3))
        if np.mean(right_and_taken(threshold, all_trials)[1]) <= STRANGERS_WANTED
    )


def equal_error_rate(
    enrolled: Mapping[str, Vectors], spoken: Mapping[str, Sequence[Vectors | None]]
) -> tuple[float, float]:
    """Return the rate at which both errors of "is this that person?" are equal, and its threshold.

    Every utterance is compared with every enrolled person.
    """
    same: list[float] = []
    others: list[float] = []
    for name, vectors in spoken.items():
        for vector in vectors:
            for person, known in enrolled.items():
                if vector is not None:
                    (same if person == name else others).append(similarity(known, vector))
    thresholds = np.unique(same + others)
    missed = np.searchsorted(np.sort(same), thresholds) / len(same)
    accepted = 1 - np.searchsorted(np.sort(others), thresholds) / len(others)
    place = int(np.argmin(np.abs(missed - accepted)))
    return float((missed[place] + accepted[place]) / 2), float(thresholds[place])
