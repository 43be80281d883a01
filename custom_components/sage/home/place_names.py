"""Find the names of areas, floors, labels and devices in a text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..text.words import forms, words
from .listing import Listing

type _Names = Mapping[str, Sequence[tuple[str, ...]]]
type _Places = Mapping[str, Sequence[tuple[tuple[str, ...], frozenset[int]]]]


@dataclass(frozen=True, slots=True)
class SaidPlace:
    """A name found in a list of words, from position `start` to `end` (exclusive).

    `name` is the name in lower case, without accents. `devices` are positions in `Listing.devices`:
    the devices with this name or in this place.
    """

    name: str
    start: int
    end: int
    devices: frozenset[int]


def said_places(listing: Listing, said: Sequence[str]) -> list[SaidPlace]:
    """Return the areas, floors and labels that a text names, in the order of the text.

    `said` are the words of the text. If two names start at the same word, the longer one counts.
    """
    known = _known_places(listing)
    found: list[SaidPlace] = []
    number = 0
    while number < len(said):
        fitting = [
            (name, devices)
            for form in forms(said[number])
            for name, devices in known.get(form, ())
            if _is_said(name, said[number : number + len(name)])
        ]
        name = max((each for each, _ in fitting), key=len, default=())
        if name:
            devices = [each for other, each in fitting if len(other) == len(name)]
            end = number + len(name)
            found.append(SaidPlace(" ".join(name), number, end, frozenset().union(*devices)))
        number += len(name) or 1
    return found


def said_devices(listing: Listing, said: Sequence[str]) -> list[SaidPlace]:
    """Return the complete device names that occur in a text; names of one word are ignored.

    `said` are the words of the text. `SaidPlace.devices` also has the devices with a longer name
    that contains the found name: for the name Front Door, also the device Front Door Sensor.
    """
    known = _known_names(listing)
    found: list[SaidPlace] = []
    number = 0
    while number < len(said):
        fitting = [
            name
            for name in known.get(said[number], ())
            if tuple(said[number : number + len(name)]) == name
        ]
        name = max(fitting, key=len, default=())
        if name:
            devices = _devices_named(listing, name)
            found.append(SaidPlace(" ".join(name), number, number + len(name), devices))
        number += len(name) or 1
    return found


def _devices_named(listing: Listing, name: Sequence[str]) -> frozenset[int]:
    wanted = f" {' '.join(name)} "
    return frozenset(
        number
        for number, device in enumerate(listing.devices)
        if any(wanted in f" {' '.join(words(each))} " for each in (device.name, *device.aliases))
    )


def _known_names(listing: Listing) -> _Names:
    """Return first word -> device names of several words that start with it."""
    if (known := listing.memo.get("device_names")) is None:
        found: dict[str, set[tuple[str, ...]]] = {}
        for device in listing.devices:
            for name in map(words, (device.name, *device.aliases)):
                places = said_places(listing, name)
                # A single word may also mean a kind of device. `said_places` finds place names.
                if len(name) > 1 and not any(each.end - each.start == len(name) for each in places):
                    found.setdefault(name[0], set()).add(name)
        known = {first: tuple(names) for first, names in found.items()}
        listing.memo["device_names"] = known
    names: _Names = known
    return names


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
    for number, device in enumerate(listing.devices):
        for text in {label for part in device.components for label in part.labels}:
            named.setdefault(words(text), set()).add(number)
    places: dict[str, list[tuple[tuple[str, ...], frozenset[int]]]] = {}
    for name, devices in named.items():
        for form in forms(name[0]) if name else ():
            places.setdefault(form, []).append((name, frozenset(devices)))
    return places
