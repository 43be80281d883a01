"""Shapes of values held against the lists and ranges that a device offers."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..shape import Shape
from .possibilities import Offer, Span

NUMBERS: Final = frozenset({"number", "integer"})
_UNITS: Final = {"C": "°C", "F": "°F"}


def readable_unit(unit: str | None) -> str | None:
    """Return a unit as people write it."""
    return _UNITS.get(unit, unit) if unit else None


def fitting(shape: Shape, values: Sequence[object]) -> dict[str, None]:
    """Return those values that the schema allows, each once, in their order."""
    wanted: type | tuple[type, ...] = str
    if shape.type in NUMBERS:
        wanted = (int, float)
    elif shape.type == "object":
        wanted = (str, int, float)
    return {
        str(each): None
        for each in values
        if isinstance(each, wanted)
        and not isinstance(each, bool)
        and each != ""
        and (not shape.values or str(each) in shape.values)
    }


def as_reported(offer: Offer, value: object) -> tuple[object, ...]:
    """Return the values as the attribute reports them.

    Some devices list `1C` and report `Table_00_Course_1C`, some list ids and report names.
    """
    if not isinstance(value, str) or value in offer.values or not offer.values:
        return offer.values
    if value in offer.names.values():
        return tuple(offer.names.values())
    for item in offer.values:
        if isinstance(item, str) and value.endswith(f"_{item}"):
            before = value.removesuffix(item)
            return tuple(f"{before}{each}" for each in offer.values)
    return offer.values


def preferred(offers: Sequence[Offer], value: object) -> Offer:
    """Return the list to go by of several about the same: one that has the value, that is plain."""
    return max(
        offers,
        key=lambda each: (bool(each.values), value in each.values, not each.names),
    )


def holds(span: Span, value: object) -> bool:
    """Tell whether a value lies within; an unknown one may."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return value is None
    low, high = span.minimum, span.maximum
    return (low is None or value >= low) and (high is None or value <= high)


def within(shape: Shape, span: Span, unit: str | None) -> Shape:
    """Return the shape within the range of the device."""
    width = (span.maximum or 0) - (span.minimum or 0)
    step = span.step if span.step and 0 < span.step <= width else shape.step
    return replace(
        shape,
        minimum=shape.minimum if span.minimum is None else span.minimum,
        maximum=shape.maximum if span.maximum is None else span.maximum,
        step=step,
        unit=unit,
    )


def taken_over(shape: Shape, other: Shape, *, is_narrowed: bool) -> Shape:
    """Return the shape of an argument with what is known of the attribute that it sets."""
    if shape.type in NUMBERS and other.type in NUMBERS:
        return _numbers_taken_over(shape, other, is_narrowed=is_narrowed)
    if not other.values or other.type not in {"string", shape.type}:
        return shape
    if not shape.values:
        return replace(shape, values=other.values, names=other.names, note="")
    both = tuple(each for each in other.values if each in shape.values)
    return replace(shape, values=both, names=other.names) if both and is_narrowed else shape


def _numbers_taken_over(shape: Shape, other: Shape, *, is_narrowed: bool) -> Shape:
    unit = shape.unit or other.unit
    if not is_narrowed:
        return replace(shape, unit=unit)
    return replace(
        shape,
        values=other.values or shape.values,
        minimum=shape.minimum if other.minimum is None else other.minimum,
        maximum=shape.maximum if other.maximum is None else other.maximum,
        step=shape.step or other.step,
        unit=unit,
    )


def kind_of(offer: Offer) -> str:
    """Return the type of the values of a list."""
    if offer.values and all(isinstance(each, int) for each in offer.values):
        return "integer"
    is_number = offer.values and all(isinstance(each, int | float) for each in offer.values)
    return "number" if is_number else "string"
