"""Whom a household takes a voice for, and the threshold and margin that this needs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""One row for each utterance."""

ENROLLED: Final = 4
"""People of a household; everybody else is a stranger to it."""

STRANGERS_WANTED: Final = 0.008
"""Of the tuning: less than what the test allows, since its speakers are others."""

_THRESHOLDS: Final = np.arange(0.3, 0.901, 0.01)
_MARGINS: Final = np.arange(0.0, 0.101, 0.01)


@dataclass(frozen=True, slots=True)
class Trial:
    """One utterance, compared with the people of one household."""

    speaker: str
    enrolled: bool
    best: str
    score: float
    """The cosine to the nearest vector of the best person; 0: the encoder refused the utterance."""

    margin: float
    """The distance to the score of the second person."""


@dataclass(frozen=True, slots=True)
class Rule:
    """When a voice counts as recognized."""

    threshold: float
    margin: float

    def taken_for(self, trial: Trial) -> str | None:
        """Return the person; None stands for the household."""
        sure = trial.score >= self.threshold and trial.margin >= self.margin
        return trial.best if sure else None


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
                person: float((enrolled[person] @ vector).max()) if vector is not None else 0.0
                for person in household
            }
            first, second = sorted(scores, key=scores.__getitem__)[:-3:-1]
            margin = scores[first] - scores[second]
            made.append(Trial(name, name in household, first, scores[first], margin))
    return made


def right_and_taken(rule: Rule, all_trials: Iterable[Trial]) -> tuple[list[bool], list[bool]]:
    """Return whether those of the enrolled are right, and those of strangers are taken for one."""
    right, taken = [], []
    for trial in all_trials:
        person = rule.taken_for(trial)
        if trial.enrolled:
            right.append(person == trial.speaker)
        else:
            taken.append(person is not None)
    return right, taken


def best_rule(all_trials: Sequence[Trial]) -> Rule:
    """Return the rule that recognizes most people and takes few enough strangers for somebody."""
    rules = []
    for threshold in _THRESHOLDS:
        for margin in _MARGINS:
            rule = Rule(round(float(threshold), 3), round(float(margin), 2))
            right, taken = right_and_taken(rule, all_trials)
            if np.mean(taken) <= STRANGERS_WANTED:
                rules.append((np.mean(right), rule.threshold, rule))
    return max(rules, key=lambda each: each[:2])[2]


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
                    (same if person == name else others).append(float((known @ vector).max()))
    thresholds = np.unique(same + others)
    missed = np.searchsorted(np.sort(same), thresholds) / len(same)
    accepted = 1 - np.searchsorted(np.sort(others), thresholds) / len(others)
    place = int(np.argmin(np.abs(missed - accepted)))
    return float((missed[place] + accepted[place]) / 2), float(thresholds[place])
