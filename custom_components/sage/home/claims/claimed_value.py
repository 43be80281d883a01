"""Compare a value that an answer claims with the actual value.

The claimed value is a text: a state, a number with its unit, a list, a time or a duration. A
claimed unit that Home Assistant knows is part of the value; all other words are ignored.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from homeassistant.components.sensor.const import DEVICE_CLASS_UNITS
from homeassistant.const import PERCENTAGE, UnitOfTemperature
from homeassistant.util import dt as dt_util
from homeassistant.util import unit_conversion
from homeassistant.util.color import color_name_to_rgb, color_RGB_to_hs, rgb_hex_to_rgb_list

from ...model import read_json
from ..commands.expectation import HUES, Goal, as_number, fitted
from .number_words import with_digits

COLORS: Final = tuple(HUES)  # attributes with the color of a light


def is_same_value(
    claimed: str, actual: object, *, unit: str | None = None, language: str = "en"
) -> bool:
    """Return whether a claim is the value: rounded, with a unit, or in words of `language`."""
    if isinstance(actual, Mapping):
        own = actual.get("unit", unit)
        unit = own if isinstance(own, str) else unit
        return any(
            is_same_value(claimed, each, unit=unit, language=language) for each in actual.values()
        )
    if isinstance(actual, list | tuple):
        return _is_same_list(claimed, actual, language)
    if isinstance(actual, bool) or actual is None:
        return plain_name(claimed) in _BOOLEANS[actual]
    if (number := as_number(actual)) is not None:
        is_written = str(actual).strip() == claimed.strip()
        return is_written or is_same_number(claimed, number, unit, language)
    text = str(actual)
    if plain_name(text) in (told := plain_name(claimed), _AROUND_STATE.sub("", told)):
        return True
    if (duration := _DURATION.fullmatch(text)) is not None:
        return _is_same_duration(claimed, duration)
    start = claimed.strip().removesuffix("…")
    is_cut = start != claimed.strip() and len(start) >= _SHORTEST_CUT - 1
    is_start = is_cut and text.casefold().startswith(start.casefold())
    return is_start or _is_same_moment(claimed, text)


_AROUND_STATE: Final = re.compile("^(?:(?:is|now|turned|switched|turn|switch) )+")
"""Words that small models write before a state: `turned on`."""

_SHORTEST_CUT: Final = 60  # minimum length of the texts that prompts cut
_NO_ENTRIES: Final = frozenset({"[]", "none"})
_BOOLEANS: Final[Mapping[bool | None, frozenset[str]]] = {
    True: frozenset({"true", "on", "yes"}),
    False: frozenset({"false", "off", "no"}),
    None: frozenset({"none", "unknown", "null"}),
}
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?.*")


def _is_same_moment(claimed: str, actual: str) -> bool:
    match = _MOMENT.fullmatch(claimed.strip())
    if match is None or not _MOMENT.fullmatch(actual):
        return False
    moments = [dt_util.parse_datetime(each) for each in (match[0], actual)]
    told, own = (
        each and (dt_util.as_local(each) if each.tzinfo else each).replace(tzinfo=None)
        for each in moments
    )
    if told is None or own is None:
        return False
    return told == (own if match[1] else own.replace(second=0, microsecond=0))


def _is_same_list(claimed: str, actual: Sequence[object], language: str) -> bool:
    """Return whether `claimed` is the text of a list or of an entry that is no mere number."""
    if not actual:
        return plain_name(claimed) in _NO_ENTRIES
    items = _items(claimed)
    if len(items) == len(actual) and all(
        is_same_value(item, each, language=language)
        for item, each in zip(items, actual, strict=True)
    ):
        return True
    return any(
        is_same_value(claimed, each, language=language)
        for each in actual
        if not isinstance(each, int | float)
    )


def _items(claimed: str) -> list[str]:
    """Return the items of a claimed list: `[255, 0, 0]`, `(255, 0, 0)` or `255, 0, 0`."""
    bare = claimed.strip()
    if bare[:1] + bare[-1:] in ("[]", "()"):
        bare = bare[1:-1]
    return [each.strip().strip("\"'") for each in bare.split(",")]


def is_amount(value: object) -> bool:
    """Return whether a value is a number or a duration, e.g. the remaining time of a timer."""
    if isinstance(value, str):
        return _DURATION.fullmatch(value) is not None or as_number(value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_same_color(claimed: str, attribute: str, actual: object) -> bool:
    """Return whether a color is the actual one: a CSS name, `#ff0000` or the list of its parts.

    It may differ as much as the colors of lights do. `attribute`: one of `COLORS`.
    """
    numbers = [as_number(each) for each in _items(claimed)]
    try:
        told = color_RGB_to_hs(*_rgb(claimed)) if None in numbers else HUES[attribute](*numbers)
        own = HUES[attribute](*actual)  # type: ignore[misc]
    except TypeError, ValueError, ZeroDivisionError:
        return False
    goal = fitted(Goal(name="hs_color", values=(told,)), "light", {})
    return goal.is_near({}, {"hs_color": own})


def _rgb(text: str) -> Sequence[int]:
    if re.fullmatch(r"#[0-9a-fA-F]{6}", text.strip()):
        return rgb_hex_to_rgb_list(text.strip().lstrip("#"))
    return color_name_to_rgb(text)


def values_within(response: str) -> Iterator[tuple[str, object]]:
    """Yield the values of a response of an action: `("week.Monday", "green")`, path and value.

    A plain text is one value without a path.

    The response is JSON, or the beginning of it if it is too long.
    """
    for end in _ends(response):
        with suppress(ValueError):
            yield from _leaves("", read_json(response[:end])[0])
            return
    yield "", response


_MOST_ENDS: Final = 20


def _ends(response: str) -> Iterator[int]:
    """Yield the lengths of the response that may be complete: without its last values."""
    end = len(response)
    if response[:1] in ("{", "[", '"') or response.isdecimal():
        yield end
    for _ in range(_MOST_ENDS if response[:1] in ("{", "[") else 0):
        if (end := response.rfind(",", 0, end)) > 0:
            yield end


def _leaves(path: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _leaves(f"{path}.{key}" if path else str(key), each)
        return
    yield path, value
    for each in value if isinstance(value, list) else ():
        if isinstance(each, list | Mapping):
            yield from _leaves(path, each)


def _is_same_duration(claimed: str, actual: re.Match[str]) -> bool:
    """Return whether a duration (`7 minutes`, `6:58`, `418`) is the actual one, maybe rounded."""
    hours, minutes, seconds = (int(each) for each in actual.groups())
    total = hours * 3600 + minutes * 60 + seconds
    if clock := re.fullmatch(r"(?:(\d+):)?(\d+):(\d\d)", claimed.strip()):
        first, second, third = (int(each or 0) for each in clock.groups())
        told = first * 3600 + second * 60 + third
        # Two numbers are minutes and seconds, or hours and minutes.
        is_short = clock[1] is None and abs(told * 60 - total) < 60
        return is_short or abs(told - total) <= _LATENESS
    parts = [(float(number.replace(",", ".")), unit) for number, unit in _PART.findall(claimed)]
    if len(parts) == 1 and not parts[0][1]:
        return abs(parts[0][0] - total) <= _LATENESS or abs(parts[0][0] * 60 - total) < 60
    sizes = [
        next((size for unit, size in _DURATION_UNITS if own.casefold().startswith(unit)), 0)
        for _, own in parts
    ]
    if not parts or not all(sizes):
        return False
    amount = sum(number * size for (number, _), size in zip(parts, sizes, strict=True))
    return abs(amount - total) < {1: _LATENESS, 60: 60, 3600: 1800, 86_400: 43_200}[min(sizes)]


_PART: Final = re.compile(r"(\d+(?:[.,]\d+)?)\s*([^\d\s]{0,12})")
_DURATION: Final = re.compile(r"(\d+):(\d\d):(\d\d)")
_LATENESS: Final = 5  # seconds that may pass between the reading of a duration and the answer
_DURATION_UNITS: Final = (
    *(("st", 3600), ("h", 3600), ("m", 60), ("s", 1)),
    *(("d", 86_400), ("t", 86_400), ("j", 86_400)),
)
"""First letters of the units of a duration in the supported languages, and their seconds."""


def plain_name(text: str) -> str:
    """Return a name without case, `_`, `-` between words and a full stop; a sign stays."""
    return " ".join(re.sub(r"_|(?<=\w)-|-(?!\d)", " ", text.casefold()).split()).rstrip(".!")


# ------------------------------------------------------------ numbers and units

SHARE: Final = "share"
"""Unit of a number between 0 and 1 that people call in percent, such as a volume."""

_ROUNDING: Final = 0.01  # maximum relative difference of a rounded number and the actual one
_CONVERTED_ROUNDING: Final = 0.1  # the same after a conversion: 500 W are 0.5 kW, but not 1 kW
_SHARE_ROUNDING: Final = 0.05


def _normal(text: str) -> str:
    """Return a text with one form of equal signs: `℃`, `m³`, `−5` and digits of all scripts."""
    text = "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() else sign
        for sign in unicodedata.normalize("NFKC", text)
    )
    return re.sub(r"[\u2010-\u2015\u2212](?=\d)", "-", text).replace("\u066b", ".")


def _bare(unit: str) -> str:
    """Return a unit without the degree sign, which is often left out."""
    return _normal(unit).replace("°", "").strip()


_UNITS: Final[Mapping[str, str]] = {
    name: str(unit)
    for units in DEVICE_CLASS_UNITS.values()
    for unit in units
    if unit is not None and (name := _bare(str(unit)))
}
"""Written unit -> unit of Home Assistant."""

_FOLDED: Final[Mapping[str, str]] = {
    name.casefold(): unit
    for name, unit in _UNITS.items()
    # A single small letter is rather a word, but for the units of temperatures.
    if len(name) > 1 or unit in set(UnitOfTemperature)
} | {each.name.casefold(): each for each in UnitOfTemperature}

_CONVERTERS: Final = tuple(
    each
    for each in vars(unit_conversion).values()
    if isinstance(each, type)
    and issubclass(each, unit_conversion.BaseUnitConverter)
    # 20 K are 20 °C only as a difference.
    and each not in (unit_conversion.BaseUnitConverter, unit_conversion.TemperatureDeltaConverter)
)

_NUMBER: Final = re.compile(
    r"(?P<percent>%\s?)?(?P<sign>(?<![\w)])[-+])?"
    # The 3 of m3 and the 2.5 of PM2.5 are no numbers.
    r"(?<![A-Za-zμ/\d])(?<!\d[.,])"
    r"(?P<digits>\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*)"
)
_THOUSANDS: Final = re.compile(r"[1-9]\d{0,2}(?:([., '’])\d{3})(?:\1\d{3})*")
_UNIT: Final = re.compile(
    rf"\s*°?\s*({'|'.join(map(re.escape, sorted(_UNITS, key=len, reverse=True)))})"
    # A letter behind it makes it a word; scripts without spaces do not count.
    r"(?![A-Za-z0-9/\u00c0-\u024f\u0370-\u052f])",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Claimed:
    """One number of a text."""

    values: tuple[float, ...]  # the possible meanings: `1,234` may be 1.234 or 1234
    decimals: int
    unit: str | None  # the unit of Home Assistant; None without one


def is_same_number(
    claimed: str, actual: float, unit: str | None = None, language: str = "en"
) -> bool:
    """Return whether each number in a text is the actual number, which may be rounded.

    False if the text contains no number. `unit`: of the actual number, or `SHARE`. `language`: of
    number words, e.g. "twenty".
    """
    rounded = dict.fromkeys((round(actual), actual, round(actual, 1)))
    scaled = (actual * 100, round(actual * 100)) if unit == SHARE else ()
    numbers = tuple(_numbers(with_digits(_normal(claimed), (*scaled, *rounded), language)))
    return bool(numbers) and all(
        any(_fits(value, each, actual, unit) for value in each.values) for each in numbers
    )


def unit_named(name: str) -> str | None:
    """Return the unit that a name of a value is, e.g. `km`; None for other names."""
    return _UNITS.get(_bare(name))


def has_unit(claimed: str, unit: str | None) -> bool | None:
    """Return whether the units in a text fit `unit`; None if the text has no unit."""
    units = {each.unit for each in _numbers(_normal(claimed))} - {None}
    if not units:
        return None
    own = PERCENTAGE if unit == SHARE else unit
    return all(own is not None and _convert(1.0, own, each) is not None for each in units if each)


def _fits(value: float, claimed: _Claimed, actual: float, unit: str | None) -> bool:
    rounding: float = 0.5 * 10**-claimed.decimals
    if unit == SHARE:
        is_share = claimed.unit is None and abs(value - actual) <= min(rounding, _SHARE_ROUNDING)
        actual, unit = actual * 100, PERCENTAGE
        if is_share:
            return True
    if claimed.unit is None or claimed.unit == unit:
        tolerance = max(rounding, abs(actual) * _ROUNDING)
        return abs(value - actual) <= tolerance + 1e-9
    if unit is None or (converted := _convert(actual, unit, claimed.unit)) is None:
        return False
    if claimed.unit not in set(UnitOfTemperature):
        rounding = min(rounding, abs(converted) * _CONVERTED_ROUNDING)
    return abs(value - converted) <= rounding + 1e-9


def _convert(number: float, unit: str, other: str) -> float | None:
    """Return a number in another unit; None if Home Assistant has no single conversion."""
    if _bare(unit) == _bare(other):
        return number
    results = {
        round(converter.convert(number, unit, other), 9)
        for converter in _CONVERTERS
        if unit in converter.VALID_UNITS and other in converter.VALID_UNITS
    }
    return results.pop() if len(results) == 1 else None


def _numbers(text: str) -> Iterator[_Claimed]:
    matches = list(_NUMBER.finditer(text))
    for place, match in enumerate(matches, 1):
        end = matches[place].start() if place < len(matches) else len(text)
        digits = match["digits"]
        values = tuple(_values(digits, -1 if match["sign"] == "-" else 1))
        _, point, fraction = digits.replace(",", ".").rpartition(".")
        is_whole = _THOUSANDS.fullmatch(digits) and len(values) == 1
        decimals = len(fraction) if point and not is_whole else 0
        unit = PERCENTAGE if match["percent"] else _unit(text[match.end() : end])
        yield _Claimed(values, decimals, unit)


def _values(digits: str, sign: int) -> Iterator[float]:
    """Yield the numbers that digits may mean: `1.234,5` is 1234.5, `1,234` is 1.234 or 1234."""
    if _THOUSANDS.fullmatch(digits):
        yield sign * float(re.sub(r"\D", "", digits))
    whole, _, decimals = digits.replace(",", ".").rpartition(".")
    if not whole:
        if not re.search(r"\D", digits):
            yield sign * float(digits)
    elif "." not in whole or (
        _THOUSANDS.fullmatch(grouped := digits[: len(whole)]) and digits[len(whole)] not in grouped
    ):
        yield sign * float(f"{re.sub(r'\D', '', whole)}.{decimals}")


def _unit(text: str) -> str | None:
    """Return the unit at the start of the text behind a number, or the unit that a word names."""
    if match := _UNIT.match(text):
        written = match[1]
        if unit := _UNITS.get(written) or _FOLDED.get(written.casefold()):
            return unit
    words = (each.casefold() for each in _WORD.findall(text))
    return next((_FOLDED[each] for each in words if len(each) > 5 and each in _FOLDED), None)
