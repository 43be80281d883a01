"""Days of the week as models write them, in the languages of SAGE; 0 is Monday."""

import re
from typing import Final

EVERY_DAY: Final = frozenset(range(7))

_NAMES: Final = (
    "mon monday montag mo lundi",
    "tue tues tuesday dienstag di mardi",
    "wed weds wednesday mittwoch mi mercredi",
    "thu thur thurs thursday donnerstag do jeudi",
    "fri friday freitag fr vendredi",
    "sat saturday samstag sonnabend sa samedi",
    "sun sunday sonntag so dimanche",
)
_DAYS: Final = {name: day for day, names in enumerate(_NAMES) for name in names.split()}
_WORKING: Final = frozenset(range(5))
_WEEKEND: Final = frozenset({5, 6})
_SETS: Final = {
    "weekday": _WORKING,
    "workday": _WORKING,
    "weekend": _WEEKEND,
    "wochenende": _WEEKEND,
    **dict.fromkeys(("all", "daily", "everyday", "day"), EVERY_DAY),
    **dict.fromkeys(("täglich", "tag", "tage", "jour"), EVERY_DAY),
}
_FILLER_TEXT: Final = "every each on the and & und et jeden am du le les tous chaque"
_FILLERS: Final = frozenset(_FILLER_TEXT.split())
_RANGE: Final = re.compile(r"\s*[-\N{EN DASH}]\s*|\s+(?:to|through|thru|bis|à|au)\s+")
_TWO_WORDS: Final = re.compile(r"\b(?:week|work)(?:ing)?[ -](?=days?\b|ends?\b)")


def weekday(name: str) -> int | None:
    """Return the day of "Monday", "mon" or "Montag"; None where it is none."""
    name = name.strip(" .").casefold()
    return _DAYS.get(name, _DAYS.get(name.removesuffix("s")))


def weekdays(names: list[str]) -> frozenset[int]:
    """Return the days of ["mon", "Thu-Sat"] or ["weekend"]; all where nothing is named.

    Raises ValueError with the mend.
    """
    days: set[int] = set()
    for name in filter(str.strip, names):
        found = _listed(name)
        if not found:
            raise ValueError(
                f'"{name}" is no day. `weekdays` takes: mon, tue, wed, thu, fri, sat, sun.'
            )
        days |= found
    return frozenset(days) or EVERY_DAY


def _listed(text: str) -> set[int]:
    """Return the days of "mon, wed and fri"; none if any part is no day."""
    text = _TWO_WORDS.sub(lambda found: found[0][:4], text.casefold())
    parts = [part for part in re.split(r"[\s,;/+]+", _RANGE.sub("-", text)) if part]
    days = [_part(part) for part in parts if part not in _FILLERS]
    return set[int]().union(*days) if all(days) else set()


def _part(part: str) -> frozenset[int]:
    """Return the days of one word, or of a range such as "fri-mon"."""
    if (several := _SETS.get(part) or _SETS.get(part.removesuffix("s"))) is not None:
        return several
    ends = [weekday(each) for each in part.split("-")]
    match ends:
        case [int(day)]:
            return frozenset({day})
        case [int(first), int(last)]:
            return frozenset((first + ahead) % 7 for ahead in range((last - first) % 7 + 1))
    return frozenset()
