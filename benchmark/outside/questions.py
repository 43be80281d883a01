"""Whether an answer says the value that a question of the data asks for.

The data expects a call that reads a value, not the words of the answer. The words here are ours.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from homeassistant.util import dt as dt_util

from ..commands.case import Seen, says_any
from .expected import DATE, TIME, Reading

_UNKNOWN: Final = ("unavailable", "unknown")
_SAYS_UNKNOWN: Final = re.compile(
    r"unavailable|unknown|not available|not known|offline|not report|no (?:data|reading|state)"
    r"|(?:can't|can’t|cannot|couldn't|couldn’t|could not|unable|don't|don’t|do not|doesn't)",
    re.IGNORECASE,
)

_ON: Final = r"\b(?:on|running|active)\b"
_OFF: Final = r"\b(?:off|inactive|stopped)\b"
_OPEN: Final = (rf"\bopen\b|{_ON}", rf"\b(?:closed|shut)\b|{_OFF}")
_YES_OR_NO: Final[Mapping[str, tuple[str, str]]] = {
    "motion": (
        rf"\b(?:motion|movement|detected)\b|{_ON}",
        rf"\b(?:clear|still)\b|{_OFF}",
    ),
    "anyone": (
        rf"\b(?:occupied|occupancy|someone|somebody|detected)\b|{_ON}",
        rf"\b(?:clear|empty|unoccupied|vacant)\b|{_OFF}",
    ),
    "smoke": (
        rf"\b(?:alarming|smoke|detected)\b|{_ON}",
        rf"\b(?:clear|quiet|normal|safe)\b|{_OFF}",
    ),
    "leak": (rf"\b(?:leak|wet|moisture|detected)\b|{_ON}", rf"\b(?:dry|clear)\b|{_OFF}"),
    "noise": (rf"\b(?:noise|noisy|sound|detected)\b|{_ON}", rf"\b(?:quiet|clear|silent)\b|{_OFF}"),
    "battery is getting low": (rf"\blow\b|{_ON}", rf"\b(?:normal|fine|ok|okay|good)\b|{_OFF}"),
    "locked": (r"\blocked\b", r"\bunlocked\b"),
    "open": _OPEN,
    "running": (_ON, _OFF),
    "on": (_ON, _OFF),
}
"""A word at the end or in the middle of a question -> patterns of words for yes and for no."""

_NEGATION: Final = re.compile(
    r"\b(?:no|not|isn't|isn’t|aren't|aren’t|none|nobody|nothing|no one)\b|n['’]t\b", re.IGNORECASE
)
_ASKS: Final = re.compile(r"^(?:is|are|tell me if)\b")
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "closed": ("closed", "shut", "0%", "0 percent", "0 %", "not open"),
    "open": ("open", "100"),
    "heat_cool": ("heat_cool", "heat/cool", "heat and cool", "heat cool", "heating and cooling"),
    "heat": ("heat",),
    "cool": ("cool",),
    "docked": ("dock", "charging"),
    "rainy": ("rain",),
    "cloudy": ("cloud",),
    "sunny": ("sun", "clear"),
}
"""State -> beginnings of words for it; other states are said as they are."""


def says(said: str, reading: Reading, seen: Seen | None, answer: str, asked: datetime) -> bool:
    """Return whether the answer to the question `said` says the value.

    `asked`: local time at which it was asked; the answer may be later.
    """
    if reading.attribute in {TIME, DATE}:
        return says_any(_moments(reading.attribute, asked), answer)
    value = _value(reading, seen)
    if value in _UNKNOWN:
        return bool(_SAYS_UNKNOWN.search(answer))
    if (words := _yes_or_no(said, reading)) is not None:
        return _affirms(words, answer) is _is_so(said, value)
    return says_any(_texts(reading, seen), answer)


def right_answer(said: str, reading: Reading, seen: Seen | None) -> str:
    """Return a right answer, for the ideal method."""
    if reading.attribute in {TIME, DATE}:
        return _moments(reading.attribute, dt_util.now())[0]
    value = _value(reading, seen)
    if value in _UNKNOWN or _yes_or_no(said, reading) is None:
        return value
    return "Yes." if _is_so(said, value) else "No."


def _value(reading: Reading, seen: Seen | None) -> str:
    if seen is None:
        return "unknown"
    if reading.attribute == "state":
        return seen.state
    return str(seen.attributes.get(reading.attribute, "unknown"))


def _yes_or_no(said: str, reading: Reading) -> tuple[str, str] | None:
    """Return the words for yes and no; None for a question of another kind."""
    if not _ASKS.search(said):
        return None
    is_lock = reading.entity_id.startswith("lock.")
    if is_lock and "locked" not in said:
        # That a door is locked does not say whether it is open, but the data accepts it.
        return None
    return next(words for word, words in _YES_OR_NO.items() if word in said)


def _is_so(said: str, value: str) -> bool:
    return value == "locked" if "locked" in said else value in {"on", "open"}


def _affirms(words: tuple[str, str], answer: str) -> bool | None:
    """Return whether an answer says yes; None if it says neither yes nor no."""
    if re.match(r"\W*(?:yes|yep|yeah)\b", answer, re.IGNORECASE):
        return True
    if _NEGATION.search(answer) or re.search(words[1], answer, re.IGNORECASE):
        return False
    return True if re.search(words[0], answer, re.IGNORECASE) else None


def _texts(reading: Reading, seen: Seen | None) -> list[str]:
    value = _value(reading, seen)
    texts = [*_WORDS.get(value, (value, value.replace("_", " ")))]
    try:
        texts += [f"{float(value):g}", f"{float(value):.0f}"]
    except ValueError:
        target = seen.attributes.get("temperature") if seen else None
        if reading.entity_id.startswith("climate.") and target is not None:
            # What a thermostat is set to is a mode and a temperature.
            texts += [f"{target:g}"]
    return texts


def _moments(attribute: str, asked: datetime) -> Sequence[str]:
    """Return the forms of the time or the date of a moment, and of those shortly after it."""
    if attribute == DATE:
        day = asked.day
        months = (f"{asked:%B}", f"{asked:%b}")
        return [
            f"{asked:%B} {day}",
            *(f"{month} {form}" for month in months for form in (day, f"{day:02}")),
            *(f"{form} {month}" for month in months for form in (day, f"{day}th of", f"{day:02}")),
            f"{asked:%Y-%m-%d}",
            f"{asked.month}/{day}",
        ]
    moments = [asked + timedelta(minutes=minutes) for minutes in range(15)]
    return [
        form
        for each in moments
        for form in (f"{each:%H:%M}", f"{each.hour % 12 or 12}:{each:%M}", f"{each:%I:%M}")
    ]
