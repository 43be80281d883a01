"""The ways of recall that are compared: each gives every utterance of a person a score."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from custom_components.sage.memory.recall import WORD_WEIGHT
from custom_components.sage.text.search import TextIndex

from .corpus import FORMS, Person, Question

type Scores = npt.NDArray[np.float32]
"""Shape (utterances,); minus infinity for what is not found at all."""

type Scorer = Callable[[Question], Scores]
type Method = Callable[[Person], Scorer]
"""Prepares a person's utterances, and returns how they are scored for a question."""


class Vectors:
    """The vectors of texts, of one model."""

    def __init__(self, texts: Sequence[str], rows: npt.NDArray[np.float32]) -> None:
        self.rows = rows
        self._row: Mapping[str, int] = {text: row for row, text in enumerate(texts)}

    def of(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one row for each text, shape (texts, dimensions)."""
        return self.rows[[self._row[text] for text in texts]]


def by_meaning(vectors: Vectors, form: str) -> Method:
    """Return the exact cosine between the question and utterances in this form."""

    def prepare(person: Person) -> Scorer:
        held = vectors.of([FORMS[form](utterance) for utterance in person.utterances])
        return lambda question: (held @ vectors.of([question.text])[0]).astype(np.float32)

    return prepare


def by_words(person: Person) -> Scorer:
    """Return BM25 between the question and the words of the utterances."""
    shared = _shared(person)

    def score(question: Question) -> Scores:
        scores = shared(question)
        scores[scores == 0] = -np.inf
        return scores

    return score


def by_both(meaning: Method, weight: float = WORD_WEIGHT) -> Method:
    """Return a cosine plus weighted BM25; the product's weight is the default."""

    def prepare(person: Person) -> Scorer:
        cosines, shared = meaning(person), _shared(person)
        return lambda question: cosines(question) + np.float32(weight) * shared(question)

    return prepare


def by_ranks(meaning: Method, constant: float = 60) -> Method:
    """Return reciprocal rank fusion of a cosine and BM25 (Cormack, Clarke and Büttcher 2009)."""

    def prepare(person: Person) -> Scorer:
        cosines, found = meaning(person), by_words(person)

        def score(question: Question) -> Scores:
            said = found(question)
            fused = 1 / (constant + _ranks(cosines(question)))
            fused += np.where(np.isfinite(said), 1 / (constant + _ranks(said)), 0)
            return fused.astype(np.float32)

        return score

    return prepare


def _shared(person: Person) -> Scorer:
    """Return BM25 as the product has it, and 0 where no word is shared."""
    index = TextIndex((utterance.id, utterance.text) for utterance in person.utterances)
    row = {utterance.id: row for row, utterance in enumerate(person.utterances)}

    def score(question: Question) -> Scores:
        ids, similar = index.score(question.text)
        scores = np.zeros(len(row), np.float32)
        scores[[row[memory_id] for memory_id in ids.tolist()]] = similar
        return scores

    return score


def _ranks(scores: Scores) -> npt.NDArray[np.float64]:
    """Return the rank of each utterance, the best is 1."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return ranks
