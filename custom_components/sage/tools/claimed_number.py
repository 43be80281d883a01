"""Compare a number that an answer claims, with its unit and sign, with the actual number.

A claimed unit that Home Assistant knows is part of the value. All other words are ignored.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from homeassistant.components.sensor.const import DEVICE_CLASS_UNITS
from homeassistant.const import PERCENTAGE, UnitOfTemperature
from homeassistant.util import unit_conversion

from ..text.number_words import with_digits

SHARE: Final = "share"
"""Unit of a number between 0 and 1 that people call in percent, such as a volume."""

_ROUNDING: Final = 0.01
"""Maximum relative difference between a rounded number and the actual number."""

_CONVERTED_ROUNDING: Final = 0.1
"""The same after a conversion: 500 W are 0.5 kW, but not 1 kW."""

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

    values: tuple[float, ...]
    """The possible meanings: `1,234` may be 1.234 or 1234."""

    decimals: int
    unit: str | None
    """The unit of Home Assistant; None without one."""


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
        is_whole = _THOUSANDS.fullmatch(digits) and len(values) == 1
        decimals = 0 if is_whole else len(re.split(r"[.,]", digits)[-1]) if _point(digits) else 0
        unit = PERCENTAGE if match["percent"] else _unit(text[match.end() : end])
        yield _Claimed(values, decimals, unit)


def _point(digits: str) -> bool:
    return "." in digits or "," in digits


def _values(digits: str, sign: int) -> Iterator[float]:
    """Yield the numbers that digits may mean: `1.234,5` is 1234.5, `1,234` is 1.234 or 1234."""
    if _THOUSANDS.fullmatch(digits):
        yield sign * float(re.sub(r"\D", "", digits))
    whole, _, decimals = digits.replace(",", ".").rpartition(".")
    if not whole:
        if not re.search(r"\D", digits):
            yield sign * float(digits)
    elif "." not in whole or _is_grouped(digits[: len(whole)], digits[len(whole)]):
        yield sign * float(f"{re.sub(r'\D', '', whole)}.{decimals}")


def _is_grouped(whole: str, point: str) -> bool:
    return bool(_THOUSANDS.fullmatch(whole)) and point not in whole


def _unit(text: str) -> str | None:
    """Return the unit at the start of the text behind a number, or the unit that a word names."""
    if match := _UNIT.match(text):
        written = match[1]
        if unit := _UNITS.get(written) or _FOLDED.get(written.casefold()):
            return unit
    words = (each.casefold() for each in _WORD.findall(text))
    return next((_FOLDED[each] for each in words if len(each) > 5 and each in _FOLDED), None)
