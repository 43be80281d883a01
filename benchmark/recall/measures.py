"""Recall at k, and the significance of a difference between two ways of recall."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from .corpus import Person, Question
from .methods import Method, Scores

type Recalls = npt.NDArray[np.float64]
"""Shape (questions,): the recall of each question, people in order."""

TOP: Final = 5
RESAMPLES: Final = 10_000
_SEED: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The mean of a paired difference with its 95 % interval, in points."""

    mean: float
    low: float
    high: float
    better: int
    """Questions on which the first is better."""

    worse: int


def recall(person: Person, question: Question, scores: Scores, top: int = TOP) -> float:
    """Return the share of the question's utterances that are among the best `top`."""
    best = np.argsort(-scores, kind="stable")[:top]
    found = {person.utterances[row].id for row in best if np.isfinite(scores[row])}
    return len(found & set(question.relevant)) / len(question.relevant)


def recalls(people: Sequence[Person], method: Method) -> Recalls:
    """Return the recall of every question."""
    found: list[float] = []
    for person in people:
        score = method(person)
        found.extend(recall(person, question, score(question)) for question in person.questions)
    return np.array(found)


def difference(one: Recalls, other: Recalls) -> Difference:
    """Return how much better `one` is: paired bootstrap over questions (Efron 1979)."""
    gains = (one - other) * 100
    drawn = np.random.default_rng(_SEED).integers(0, len(gains), (RESAMPLES, len(gains)))
    low, high = np.percentile(gains[drawn].mean(axis=1), [2.5, 97.5])
    return Difference(
        mean=float(gains.mean()),
        low=float(low),
        high=float(high),
        better=int((gains > 0).sum()),
        worse=int((gains < 0).sum()),
    )


def held_out(
    people: Sequence[Person], by_setting: Mapping[float, Recalls]
) -> tuple[Recalls, dict[str, float]]:
    """Return each person's recalls at the setting that serves the others best, and that setting.

    So no question has a say in the setting that it is measured with. Of equals the smallest wins.
    """
    asked = of_each_question(people)
    found = np.zeros(len(asked))
    chosen: dict[str, float] = {}
    for person in people:
        own = asked == person.name
        best = max(sorted(by_setting), key=lambda setting: by_setting[setting][~own].mean())
        found[own] = by_setting[best][own]
        chosen[person.name] = best
    return found, chosen


def of_each_question(people: Sequence[Person]) -> npt.NDArray[np.str_]:
    """Return the person of each question, shape (questions,)."""
    return np.array([person.name for person in people for _ in person.questions])


def kind_of_each_question(people: Sequence[Person]) -> npt.NDArray[np.str_]:
    """Return the kind of each question, shape (questions,)."""
    return np.array([question.kind for person in people for question in person.questions])
