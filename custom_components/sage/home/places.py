"""Where a text names an area or a floor of the home."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .listing import Listing
from .words import forms, words


@dataclass(frozen=True, slots=True)
class Place:
    """Where the name of an area or a floor stands in a text, and what is there."""

    start: int
    end: int
    devices: frozenset[int]


def said_places(listing: Listing, said: Sequence[str]) -> list[Place]:
    """Return the places that a text names, the longest name where several fit."""
    known = _known_places(listing)
    found: list[Place] = []
    number = 0
    while number < len(said):
        fitting = [
            (len(name), devices)
            for form in forms(said[number])
            for name, devices in known.get(form, ())
            if _is_said(name, said[number : number + len(name)])
        ]
        length = max((size for size, _ in fitting), default=0)
        if length:
            devices = [each for size, each in fitting if size == length]
            found.append(Place(number, number + length, frozenset().union(*devices)))
        number += length or 1
    return found


def _is_said(name: Sequence[str], said: Sequence[str]) -> bool:
    return len(name) == len(said) and all(
        not forms(own).isdisjoint(forms(word)) for own, word in zip(name, said, strict=True)
    )


type _Places = Mapping[str, Sequence[tuple[tuple[str, ...], frozenset[int]]]]


def _known_places(listing: Listing) -> _Places:
    """Return a form of the first word of a place -> its words and its devices."""
    if (known := listing.memo.get("places")) is None:
        known = listing.memo["places"] = _places_of(listing)
    places: _Places = known
    return places


def _places_of(listing: Listing) -> _Places:
    held: dict[str, set[int]] = {}
    for number, device in enumerate(listing.devices):
        if device.area:
            held.setdefault(device.area, set()).add(number)
    named: dict[tuple[str, ...], set[int]] = {}
    for area in listing.areas.values():
        for text in (area.name, *area.aliases, area.floor or "", *area.floor_aliases):
            named.setdefault(words(text), set()).update(held.get(area.name, ()))
    places: dict[str, list[tuple[tuple[str, ...], frozenset[int]]]] = {}
    for name, devices in named.items():
        for form in forms(name[0]) if name else ():
            places.setdefault(form, []).append((name, frozenset(devices)))
    return places
