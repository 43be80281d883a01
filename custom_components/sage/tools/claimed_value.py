"""Compare a value that an answer claims with the actual value.

The claimed value is a text: a state, a number with its unit, a list or a duration.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

_NUMBER: Final = re.compile(r"([-+]?\d+(?:[.,]\d+)?)\s*([^\d\s]{0,12})")
_ROUNDING: Final = 0.01
"""Maximum relative difference between a rounded number and the actual number."""


def is_same_value(claimed: str, actual: object) -> bool:
    """Return whether a claimed value equals the actual value.

    A claimed number may be rounded and have a unit.
    """
    if isinstance(actual, Mapping):
        return any(is_same_value(claimed, each) for each in actual.values())
    if isinstance(actual, list | tuple):
        return _is_same_list(claimed, actual)
    if isinstance(actual, bool) or actual is None:
        return plain_name(claimed) in _BOOLEANS[actual]
    if isinstance(actual, int | float):
        return _is_same_number(claimed, float(actual))
    text, wanted = plain_name(str(actual)), plain_name(claimed)
    if text == wanted:
        return True
    if (duration := _DURATION.fullmatch(str(actual))) is not None:
        return _is_same_duration(claimed, duration)
    if (number := _NUMBER.fullmatch(str(actual).strip())) is not None:
        return _is_same_number(claimed, float(number[1].replace(",", ".")))
    # The claim may omit the seconds of a time, or shorten a text.
    return len(wanted) >= _SHORTEST_START and text.startswith(wanted)


_SHORTEST_START: Final = 10
_NO_ENTRIES: Final = frozenset({"[]", "none"})
_BOOLEANS: Final[Mapping[bool | None, frozenset[str]]] = {
    True: frozenset({"true", "on", "yes"}),
    False: frozenset({"false", "off", "no"}),
    None: frozenset({"none", "unknown", "null"}),
}


def _is_same_list(claimed: str, actual: Sequence[object]) -> bool:
    """Return whether `claimed` is the text of the list `actual`, or of one item of it."""
    if not actual:
        return plain_name(claimed) in _NO_ENTRIES
    items = _items(claimed)
    if len(items) == len(actual) and all(
        is_same_value(item, each) for item, each in zip(items, actual, strict=True)
    ):
        return True
    return any(is_same_value(claimed, each) for each in actual)


def _items(claimed: str) -> list[str]:
    """Return the items of a claimed list: `[255, 0, 0]`, `(255, 0, 0)` or `255, 0, 0`."""
    bare = claimed.strip()
    if bare[:1] + bare[-1:] in ("[]", "()"):
        bare = bare[1:-1]
    return [each.strip().strip("\"'") for each in bare.split(",")]


def _is_same_number(claimed: str, actual: float) -> bool:
    found = _NUMBER.fullmatch(claimed.strip())
    if found is None:
        return False
    number = found[1].replace(",", ".")
    decimals = len(number.partition(".")[2])
    tolerance = max(0.5 * 10**-decimals, abs(actual) * _ROUNDING)
    return bool(abs(float(number) - actual) <= tolerance + 1e-9)


def is_amount(value: object) -> bool:
    """Return whether a value is a number or a duration, e.g. the remaining time of a timer."""
    if isinstance(value, str):
        return _DURATION.fullmatch(value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_same_duration(claimed: str, actual: re.Match[str]) -> bool:
    """Return whether a duration such as `7 minutes`, `6:58` or `418` is the actual one.

    The last unit may be rounded up or down.
    """
    hours, minutes, seconds = (int(each) for each in actual.groups())
    total = hours * 3600 + minutes * 60 + seconds
    if clock := re.fullmatch(r"(?:(\d+):)?(\d+):(\d\d)", claimed.strip()):
        first, second, third = (int(each or 0) for each in clock.groups())
        told = first * 3600 + second * 60 + third
        # Two numbers are minutes and seconds, or hours and minutes.
        is_short = clock[1] is None and abs(told * 60 - total) < 60
        return is_short or abs(told - total) <= _LATENESS
    parts = [(float(number.replace(",", ".")), unit) for number, unit in _NUMBER.findall(claimed)]
    if len(parts) == 1 and not parts[0][1]:
        return abs(parts[0][0] - total) <= _LATENESS or abs(parts[0][0] * 60 - total) < 60
    sizes = [
        next((size for unit, size in _UNITS if own.casefold().startswith(unit)), 0)
        for _, own in parts
    ]
    if not parts or not all(sizes):
        return False
    amount = sum(number * size for (number, _), size in zip(parts, sizes, strict=True))
    return abs(amount - total) < {1: _LATENESS, 60: 60, 3600: 1800}[min(sizes)]


_DURATION: Final = re.compile(r"(\d+):(\d\d):(\d\d)")
_LATENESS: Final = 5
"""Seconds that may pass between the reading of a duration and the answer."""

_UNITS: Final = (("st", 3600), ("h", 3600), ("m", 60), ("s", 1))
"""First letters of the units of a duration in the supported languages, and their seconds."""


def plain_name(text: str) -> str:
    """Return a name without case, with spaces instead of `_` and `-`."""
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())
