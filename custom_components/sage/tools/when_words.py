"""The condition in a person's words: "the door opens" out of "whenever the door opens, ..."."""

import re
from typing import Final

from ..home.words import content_words, forms
from ..speech import Sentences

_MINUTES: Final = {"hours": 60.0, "minutes": 1.0, "seconds": 1 / 60}


def without_conjunction(when: str, sentences: Sentences) -> str:
    """Return "the door opens" for "whenever the door opens"."""
    text = _plain(when)
    found = re.match(_conjunction(sentences), text, re.IGNORECASE)
    return text[found.end() :] if found else text


def condition_in(request: str, command: str, sentences: Sentences) -> str:
    """Return "the door opens" of "when the door opens turn on the light"; may be empty.

    `command` is what is to be done: it is no part of the condition.
    """
    found = re.search(rf"\b(?:{_conjunction(sentences)})(.+?)(?:[,;.!?]|$)", request, re.IGNORECASE)
    if found is None:
        return ""
    condition, done = _plain(found[1]), _plain(command).lower()
    return (
        _plain(condition[: -len(done)]) if done and condition.lower().endswith(done) else condition
    )


def without_condition(command: str, when: str, sentences: Sentences) -> str:
    """Return "turn on the light" for "turn on the light when the door opens".

    Only the condition `when` goes: "tell me if a window is open" may be another one.
    """
    text = " ".join(command.split())
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

    None where there are none or several, or a condition: "if it is open for 10 minutes".
    """
    if condition_in(request, "", sentences):
        return None
    found: list[float] = []
    for unit, minutes in _MINUTES.items():
        names = (sentences.say(f"duration_{unit}_{each}", count="#") for each in ("one", "many"))
        pattern = "|".join(re.escape(each.replace("#", "").strip()) for each in names)
        counts = re.findall(rf"\b(\d+(?:[.,]\d+)?)\s*(?:{pattern})\b", request, re.IGNORECASE)
        found += [float(each.replace(",", ".")) * minutes for each in counts]
    return found[0] if len(found) == 1 else None


def _conjunction(sentences: Sentences) -> str:
    """Return the pattern of all conjunctions, the longest first: "the next time when"."""
    starts = sorted(sentences.words("when_words"), key=len, reverse=True)
    return "|".join(
        r",?\s+".join(map(re.escape, start.split())) + ("" if start.endswith("'") else r",?\s+")
        for start in starts
    )


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" .,!?")
