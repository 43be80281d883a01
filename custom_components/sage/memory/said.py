"""Compares a text to remember with sentences of the conversation, in any language."""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from ..people import has_question_mark
from ..text import content_words, is_unspaced, related, words

GROUNDED: Final = 0.8
"""Minimum of `closeness` for a repetition, measured by `python -m benchmark.recall --said`."""

_WORDS: Final = 0.6  # minimum share of the text's words, without an embedding model
_SHARE: Final = 0.5  # weight of the share of the text's words, added to the cosine similarity
_END: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？؟])\s*|\n+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence of the conversation that a memory may come from."""

    text: str
    question: str | None = None
    """The question of SAGE that the sentence answers; None if it is no reply."""

    is_own: bool = True  # whether the words are the person's, not SAGE's
    needs_yes: bool = False
    """Whether the sentence states nothing: it is a question, or only SAGE said it."""


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [sentence.strip() for sentence in _END.split(text) if any(map(str.isalnum, sentence))]


def is_question(text: str) -> bool:
    """Return whether all sentences of a text end with a question mark, of any script."""
    ends = [sentence.rstrip("\"'”»)】 ")[-1:] for sentence in sentences_of(text)]
    return bool(ends) and all(map(has_question_mark, ends))


def contains(sentence: str, text: str) -> bool:
    """Return whether the words of the text stand together in the sentence.

    One word may stand in another place among them, as German verbs do in a subordinate clause.
    """
    own, said = words(text), words(sentence)
    if any(map(is_unspaced, own)):
        return "".join(own) in "".join(said)
    size = len(own)
    return any(
        _is_moved(own, said[start : start + size]) for start in range(len(said) - size + 1) if size
    )


def _is_moved(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether two lists of words are equal without one word that both have."""
    if one == other:
        return True
    without = {(word, (*other[:at], *other[at + 1 :])) for at, word in enumerate(other)}
    return any((word, (*one[:at], *one[at + 1 :])) in without for at, word in enumerate(one))


def closeness(sentence: str, text: str, cosine: float | None) -> float:
    """Return how much a text repeats a sentence; at least `GROUNDED` if it does.

    `cosine`: similarity of their embeddings; None without an embedding model.
    """
    share = shared(text, terms_of(sentence))
    return GROUNDED * share / _WORDS if cosine is None else cosine + _SHARE * share


def shared(text: str, terms: AbstractSet[str]) -> float:
    """Return the share of the text's words that are in `terms` of another text."""
    own = _terms(text)
    return sum(not related(word).isdisjoint(terms) for word in own) / (len(own) or 1)


def terms_of(text: str) -> frozenset[str]:
    """Return the words of a text, for `shared`."""
    return frozenset((*_terms(text), *words(text)))


def _terms(text: str) -> list[str]:
    """Return the words that carry meaning; of scripts without spaces, pairs of characters."""
    terms: dict[str, None] = {}
    for word in content_words(text) or words(text):
        pairs = (word[at : at + 2] for at in range(max(1, len(word) - 1)))
        terms.update(dict.fromkeys(pairs if is_unspaced(word) else (word,)))
    return list(terms)
