"""Sentences in many scripts, made up from the lists in `words.txt`, to compare tokenizers with.

    python -m scripts.embedding_model.sentences

prints them as a JSON list. Every run makes the same ones. Needs Python 3.11 and nothing else.
"""

import json
import random
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

_EACH = 56
"""Sentences of each kind."""

_BETWEEN = (" ", " ", " ", "  ", ", ", ". ", "! ", "? ", " - ", "/", "; ")
_SPACES = (
    *("\t", "\n", "\r\n", "\u00a0", "\u2003", "\u3000", "\u2028", "\u202f", "\u1680", "\u205f"),
    *("\x0b", "\x0c", "\x1c", "\x1f", "\x85"),
)
_INVISIBLE = (
    *("\x00", "\x01", "\x07", "\x08", "\x1b", "\x7f", "\x9f", "\u00ad", "\u200b", "\u200c"),
    *("\u200d", "\u200e", "\u202e", "\u2060", "\ufeff", "\ufffd", "\ue000", "\u0301", "\u0378"),
)


def sentences() -> list[str]:
    """Return all sentences, each once."""
    source = random.Random(4)
    text = Path(__file__).with_name("words.txt").read_text(encoding="utf-8")
    # Not `splitlines`: some words hold what it would split at.
    lists = [line.partition(": ")[2].split() for line in text.removesuffix("\n").split("\n")]
    every = [word for words in lists for word in words]
    found = [*_edges(), *_scripts(source, lists, every), *_odd(source, every)]
    return list(dict.fromkeys(found))


def _scripts(source: random.Random, lists: list[list[str]], every: list[str]) -> Iterator[str]:
    """Yield sentences within each list, and some across lists."""
    for words in (*lists, every):
        for _ in range(_EACH):
            yield _sentence(source, words)


def _sentence(source: random.Random, words: list[str]) -> str:
    text = source.choice(words)
    for _ in range(source.randint(0, 11)):
        text += source.choice(_BETWEEN) + source.choice(words)
    forms: tuple[Callable[[str], str], ...] = (str, str, str.upper, str.title, str.casefold)
    return source.choice(forms)(text)


def _odd(source: random.Random, every: list[str]) -> Iterator[str]:
    """Yield sentences with odd spaces, invisible characters, and other normal forms."""
    for _ in range(_EACH):
        words = source.choices(every, k=source.randint(1, 9))
        yield "".join(word + source.choice(_SPACES) * source.randint(1, 3) for word in words)
    for _ in range(_EACH):
        characters = list(" ".join(source.choices(every, k=source.randint(1, 9))))
        for _ in range(source.randint(1, 6)):
            characters.insert(source.randint(0, len(characters)), source.choice(_INVISIBLE))
        yield "".join(characters)
    for form in ("NFD", "NFKD", "NFKC"):
        for _ in range(_EACH // 4):
            text = " ".join(source.choices(every, k=source.randint(1, 9)))
            yield unicodedata.normalize(form, text)


def _edges() -> Iterator[str]:
    """Yield what stands at a limit."""
    yield from ("", " ", "\t\n", "a", ".", "…", "\u0301", "\u200b", "\x00", "[SEP]", "[SEP][SEP]")
    for length in (99, 100, 101, 500):
        yield "a" * length
        yield "é" * length
        yield "ab." * (length // 3)
    for count in (253, 254, 255, 256, 400):
        yield "lamp " * count
        yield "." * count
        yield "灯" * count
    yield "antidisestablishmentarianism " * 60
    yield "lamp " * 253 + "antidisestablishmentarianism"
    yield "lamp " * 254 + "[SEP] lamp"


if __name__ == "__main__":
    print(json.dumps(sentences(), ensure_ascii=False))
