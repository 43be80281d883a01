"""Find the names of areas and floors in a text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..text.words import forms, words
from .listing import Listing

type _Places = Mapping[str, Sequence[tuple[tuple[str, ...], frozenset[int]]]]


@dataclass(frozen=True, slots=True)
class SaidPlace:
    """The position of a place name (area or floor) in a text, and its device indices."""

    start: int
    end: int
    devices: frozenset[int]


def said_places(listing: Listing, said: Sequence[str]) -> list[SaidPlace]:
    """Return the areas and floors named in `said`; at each position only the longest name."""
    known = _known_places(listing)
    found: list[SaidPlace] = []
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
            found.append(SaidPlace(number, number + length, frozenset().union(*devices)))
        number += length or 1
    return found


def _is_said(name: Sequence[str], said: Sequence[str]) -> bool:
    return len(name) == len(said) and all(
        not forms(own).isdisjoint(forms(word)) for own, word in zip(name, said, strict=True)
    )


def _known_places(listing: Listing) -> _Places:
    """Return first word of a place name -> [(all words of the name, device indices)]."""
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
