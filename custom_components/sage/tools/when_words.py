"""The condition in a person's words: "the door opens" out of "whenever the door opens, ..."."""

import re
from collections.abc import Iterable
from typing import Final

from ..home.words import content_words, forms
from ..speech import Sentences

_MINUTES: Final = {"hours": 60.0, "minutes": 1.0, "seconds": 1 / 60}
_LONGEST: Final = 1_000
"""Characters of a request that are read: patterns take the square of it."""

_END: Final = r"(?:[;!?]|(?<!\d),|,(?!\d)|\.(?=\s|$)|$)"
"""What ends a condition: not the comma of "19,5", nor the dot of "19.5" and "p.m"."""


def without_conjunction(when: str, sentences: Sentences) -> str:
    """Return "the door opens" for "whenever the door opens"."""
    text = _plain(when)
    found = re.match(_conjunction(sentences), text, re.IGNORECASE)
    return text[found.end() :] if found else text


def condition_in(request: str, command: str, sentences: Sentences) -> str:
    """Return "the door opens" of "when the door opens turn on the light"; may be empty.

    `command` is what is to be done: it is no part of the condition.
    """
    text = _flat(request)
    found = re.search(rf"\b(?:{_conjunction(sentences)})(.+?){_END}", text, re.IGNORECASE)
    if found is None:
        return ""
    condition, done = _plain(found[1]), _plain(command).lower()
    return (
        _plain(condition[: -len(done)]) if done and condition.lower().endswith(done) else condition
    )


def without_condition(command: str, when: str, sentences: Sentences) -> str:
    """Return "turn on the light" for "turn on the light when the door opens".

    Only the condition `when` goes: "tell me if a window is open" may be another one.
    "20 minutes after the door opens" stays whole: without the condition the wait means nothing.
    """
    text = " ".join(command.split())
    after = rf"\d\s*(?:{_units(sentences)})\s+(?:{_starts(sentences, 'after_words')})"
    if re.search(after, text, re.IGNORECASE):
        return text
    condition = condition_in(text, "", sentences)
    said = content_words(condition)
    known = {form for word in content_words(when) for form in forms(word)}
    shared = [word for word in said if not forms(word).isdisjoint(known)]
    if not said or len(shared) * 2 < len(said):
        return text
    pattern = rf",?\s*\b(?:{_conjunction(sentences)}){re.escape(condition)}[,;.!?]?\s*"
    return _plain(re.sub(pattern, " ", text, count=1, flags=re.IGNORECASE))


def wait_in(request: str, sentences: Sentences) -> float | None:
    """Return the minutes of "in 20 minutes turn it off".

    None where that cannot be read for sure: "every 20 minutes", "in 1 hour 30", "in 1/2 hour",
    several times, or a condition: "if it is open for 10 minutes".
    """
    request = _flat(request)
    named = re.findall(rf"\b(?:{_units(sentences)})\b", request, re.IGNORECASE)
    if len(named) != 1 or condition_in(request, "", sentences):
        return None
    starts = _either(sentences.words("wait_words"))
    more = rf"\W*(?:\w{{1,3}}\W+){{0,2}}(?:\d|(?:{_either(sentences.words('wait_more_words'))})\b)"
    for unit, minutes in _MINUTES.items():
        pattern = rf"\b(?:{starts})\s+(\d+(?:[.,]\d{{1,2}})?)\s*(?:{_unit(unit, sentences)})\b"
        if found := re.search(rf"{pattern}(?!{more})", request, re.IGNORECASE):
            return float(found[1].replace(",", ".")) * minutes
    return None


def _flat(request: str) -> str:
    """Return a request on one line; what is very long is read at its beginning only."""
    return " ".join(request[: 2 * _LONGEST].split())[:_LONGEST]


def _units(sentences: Sentences) -> str:
    """Return the pattern of all names of units of time."""
    return "|".join(_unit(each, sentences) for each in _MINUTES)


def _unit(unit: str, sentences: Sentences) -> str:
    names = (sentences.say(f"duration_{unit}_{each}", count="") for each in ("one", "many"))
    return _either({name.strip() for name in names})


def _conjunction(sentences: Sentences) -> str:
    """Return the pattern of all conjunctions, the longest first: "the next time when".

    What is said to be polite is none: "s'il te plaît".
    """
    polite = _either(sentences.words("courtesy_words")).replace("'", "['’]")
    return rf"(?!(?:{polite})\b)(?:{_starts(sentences, 'when_words')})"


def _starts(sentences: Sentences, key: str) -> str:
    starts = sorted(sentences.words(key), key=len, reverse=True)
    return "|".join(map(_start, starts))


def _start(start: str) -> str:
    """Return the pattern of a conjunction; of "s'il" the "il" belongs to the condition."""
    spoken, elided, rest = start.partition("'")
    pattern = r",?\s+".join(map(re.escape, spoken.split()))
    if not elided:
        return rf"{pattern},?\s+"
    return rf"{pattern}['’]" + (rf"(?={rest}\b)" if rest else "")


def _either(texts: Iterable[str]) -> str:
    return "|".join(re.escape(each) for each in sorted(texts, key=len, reverse=True))


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" .,!?")
