"""Format memories and profiles as text for a language model, and parse its replies.

Memories with untrusted content (tainted) are never used for a profile.
"""

import json
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Any, Final

from homeassistant.util import dt as dt_util

from ..model.language_model import object_schema
from .memory_types import Correction, Day, DaySummary, Memory, Origin

_DAY_CHARACTERS: Final = 6_000
"""Maximum length of one day's text; drops requests first, then rare and short utterances."""

_LINE_CHARACTERS: Final = 400
"""Maximum length of one utterance, and of the question that it answers."""

_NOTES_CHARACTERS: Final = 16_000
"""Maximum total length of the day summaries; older ones are dropped."""

_SUMMARY_CHARACTERS: Final = 1_500
_CORRECTIONS: Final = 40
"""Maximum number of corrections in the prompt; older ones are dropped."""

_CLAIMS: Final = 20
_NOTHING: Final = re.compile(r"\W*nothing\W*", re.IGNORECASE)
_CLAIM_LINE: Final = re.compile(r"- (.+) \(([0-9, -]+)\)")
_CLAIM: Final = re.compile(r'\{\s*"(?:claim|dates)"')
_NO_CLAIMS: Final = re.compile(r'"claims"\s*:\s*\[\s*\]')

_CLAIM_SCHEMA: Final = object_schema(
    {
        "claim": {"type": "string"},
        "dates": {"type": "array", "items": {"type": "string"}},
    }
)
CLAIMS_SCHEMA: Final = object_schema(
    {"claims": {"type": "array", "maxItems": _CLAIMS, "items": _CLAIM_SCHEMA}}
)
"""JSON schema of a reply in which the language model writes a profile: sentences with dates."""

type Claim = tuple[str, tuple[date, ...]]
"""A sentence about the person, and the dates of the memories that support it."""


def memory_line(memory: Memory) -> str:
    """Return a memory as one line for a language model, such as `2026-05-01: "I like tea"`.

    The date is the local date of the latest utterance.
    """
    date_said = dt_util.as_local(memory.at).date().isoformat()
    asked = f' asked "{_quotable(memory.question)}",' if memory.question else ""
    how = " (corrected)" if memory.origin is Origin.CORRECTED else ""
    often = f", said {memory.count} times" if memory.count > 1 else ""
    return f'{date_said}{often}{how}:{asked} "{_quotable(memory.text)}"'


def said_on(day: Day) -> str:
    """Return a day's utterances as text for a language model, one line each, earliest first.

    Omits untrusted utterances and, if the text is too long, unimportant ones. Empty if none
    remains.
    """
    room = _DAY_CHARACTERS
    selected: list[tuple[Memory, str]] = []
    for line in sorted(day.lines, key=_weight, reverse=True):
        if line.tainted:
            continue  # a profile cannot be marked as tainted
        text = _line(line)
        if (room := room - len(text) - 1) < 0:
            break
        selected.append((line, text))
    selected.sort(key=lambda each: each[0].at)
    return "\n".join([f"Said on {day.date}:", *(text for _, text in selected)]) if selected else ""


def summary_of(text: str) -> str:
    """Return the day summary in a language model's reply; empty if the reply is "nothing"."""
    if _NOTHING.fullmatch(text.strip()):
        return ""
    lines = "\n".join(line.strip() for line in text.splitlines() if line.strip())
    return lines[:_SUMMARY_CHARACTERS]


def notes_of(summaries: Sequence[DaySummary], corrections: Sequence[Correction]) -> str:
    """Return day summaries and corrections as one text for a language model; may be empty.

    The oldest are left out if the text would be too long.
    """
    notes: list[str] = []
    room = _NOTES_CHARACTERS
    for each in reversed(summaries):
        note = f"{each.date}:\n{each.text}"
        if (room := room - len(note)) < 0:
            break
        notes.append(note)
    return "\n".join([*reversed(notes), *set_right(corrections)])


def set_right(corrections: Sequence[Correction]) -> list[str]:
    """Return the latest 40 corrections as lines for a language model, each with its local date."""
    return [
        f"Corrected by the person on {day_of(each)}: {_bounded(each.text)}"
        for each in corrections[-_CORRECTIONS:]
    ]


def day_of(correction: Correction) -> date:
    """Return the local date of a correction."""
    return dt_util.as_local(correction.at).date()


def claims_of(text: str, known: Collection[date]) -> list[Claim]:
    """Return the sentences about the person in a model's reply, each with its dates.

    Keeps only dates in `known`, and only sentences with such a date.
    """
    claims: list[Claim] = []
    for each in _claims_in(text):
        match each:
            case {"claim": str() as claim, "dates": list() as dates} if claim.strip():
                days = {dt_util.parse_date(day) for day in dates if isinstance(day, str)}
                rests_on = tuple(sorted(day for day in days if day is not None and day in known))
                if rests_on:
                    claims.append((_bounded(claim).rstrip("."), rests_on))
    return claims[:_CLAIMS]


def has_no_claims(text: str) -> bool:
    """Return whether the model's reply states no facts about the person: `"claims": []`."""
    return _NO_CLAIMS.search(text) is not None


def profile_text(claims: Iterable[Claim]) -> str:
    """Return a profile as text, one line for each sentence: `- Likes tea (2026-05-01)`."""
    return "\n".join(f"- {claim} ({', '.join(map(str, dates))})" for claim, dates in claims)


def sentences_of(profile: str) -> list[str]:
    """Return the sentences of a profile without their dates, newest date first.

    `profile`: a text from `profile_text`.
    """
    lines = [(_CLAIM_LINE.fullmatch(line), line) for line in profile.splitlines() if line.strip()]
    dated = [(found[2][-10:], found[1]) if found else ("", line) for found, line in lines]
    dated.sort(key=lambda each: each[0], reverse=True)
    return [claim for _, claim in dated]


def _claims_in(text: str) -> Iterable[Any]:
    decoder = json.JSONDecoder()
    for begin in _CLAIM.finditer(text):
        try:
            yield decoder.raw_decode(text, begin.start())[0]
        except ValueError:
            continue


def _weight(line: Memory) -> tuple[bool, bool, int, int]:
    is_meant_to_stay = line.origin in (Origin.TOLD, Origin.CORRECTED)
    return is_meant_to_stay, line.origin is not Origin.REQUEST, line.count, len(line.text)


def _line(line: Memory) -> str:
    at = dt_util.as_local(line.at)
    asked = f'asked "{_bounded(line.question)}": ' if line.question else ""
    how = {Origin.TOLD: " (to be remembered)", Origin.CORRECTED: " (corrected)"}.get(
        line.origin, ""
    )
    where = f" in {_bounded(line.place)}" if line.place else ""
    often = f" ({line.count} times)" if line.count > 1 else ""
    return f"- {at:%H:%M}{where}{how}{often}: {asked}{_bounded(line.text)}"


def _quotable(text: str) -> str:
    return " ".join(text.replace('"', "'").split())


def _bounded(text: str) -> str:
    return " ".join(text[: 2 * _LINE_CHARACTERS].split())[:_LINE_CHARACTERS]
