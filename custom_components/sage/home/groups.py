"""Look-up of places, and of groups of devices: "all light", "all Christmas decorations in Kitchen".

The place of a group is an area, a floor or a label, by name or alias. If several have the same
name, an area comes before a floor, a name before an alias, and a label last.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ..text.words import content_words, forms, key, words
from .home_types import Component, Device, HomeError
from .labels import quiet
from .listing import MAX_LISTINGS, Found, Listing

TELLING_ONLY: Final = frozenset({"sensor", "binary_sensor", "update", "event", "button", "number"})
"""Domains of entities that are usually secondary parts of a device, such as its battery."""

_GROUP: Final = re.compile(
    r"all (?P<kind>.+?)(?: in (?P<place>.+?))?(?: except (?P<exceptions>.+))?", re.IGNORECASE
)
_APART: Final = (re.compile(r" ?, ?(?:and )?"), re.compile(r" and ", re.IGNORECASE))
"""Separators in a list of exceptions: commas first, because names may contain `and`."""

_HALF: Final = 0.5
_MOST_SAID: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPlace:
    """An area, floor or label, with its components."""

    kind: str
    """`area`, `floor` or `label`."""

    name: str
    parts: tuple[Found, ...]


def place_named(listing: Listing, text: str) -> GroupPlace | None:
    """Return the area, floor or label with this name or alias; None if there is none.

    Of several, the first in this order: area, floor, alias of an area, alias of a floor, label.
    """
    places = _places(listing)
    return places.get(key(text)) or places.get(" ".join(content_words(text)))


@lru_cache(maxsize=MAX_LISTINGS)
def _places(listing: Listing) -> Mapping[str, GroupPlace]:
    places: dict[str, GroupPlace] = {}
    for level in _levels(listing):
        names: dict[str, GroupPlace] = {}
        for said, place in level:
            before = names.get(key(said))
            parts = place.parts if before is None else (*before.parts, *place.parts)
            names[key(said)] = GroupPlace(kind=place.kind, name=place.name, parts=parts)
        places = names | places
    return places


@lru_cache(maxsize=MAX_LISTINGS)
def _levels(listing: Listing) -> tuple[Iterable[tuple[str, GroupPlace]], ...]:
    """Return pairs of name and place, for one kind of name after the other."""
    held: dict[str, list[Found]] = {}
    for device in listing.devices:
        parts = (Found(device=device, component=part) for part in device.components)
        held.setdefault(device.area or "", []).extend(parts)
    areas = [
        (each, GroupPlace(kind="area", name=each.name, parts=tuple(held.get(each.name, ()))))
        for each in listing.areas.values()
    ]
    floors = [
        (each, GroupPlace(kind="floor", name=each.floor, parts=place.parts))
        for each, place in areas
        if each.floor
    ]
    return (
        [(each.name, place) for each, place in areas],
        [(place.name, place) for _, place in floors],
        [(alias, place) for each, place in areas for alias in dict.fromkeys(each.aliases)],
        [(alias, place) for each, place in floors for alias in dict.fromkeys(each.floor_aliases)],
        labels_of(listing).items(),
    )


@lru_cache(maxsize=MAX_LISTINGS)
def labels_of(listing: Listing) -> Mapping[str, GroupPlace]:
    """Return the labels of the components, as a dict: comparison key of the name -> label."""
    held: dict[str, list[Found]] = {}
    for device in listing.devices:
        for part in device.components:
            for name in part.labels:
                held.setdefault(name, []).append(Found(device=device, component=part))
    return {
        key(name): GroupPlace(kind="label", name=name, parts=tuple(parts))
        for name, parts in sorted(held.items())
    }


def said_groups(listing: Listing, text: str) -> str:
    """Return a line such as `Groups: "all Christmas decorations" (label).`; may be empty.

    It names the labels of which the text has at least half of the words, and the areas and floors
    that it calls by an alias.
    """
    said = frozenset(form for word in words(text) for form in forms(word))
    groups: list[str] = []
    for name, label in labels_of(listing).items():
        own = content_words(label.name) or words(label.name)
        # A label that is called like a kind names no group of its own.
        if not _of_kind(listing, name, None) and sum(
            not forms(word).isdisjoint(said) for word in own
        ) >= max(1, _HALF * len(own)):
            groups.append(f'"all {quiet(label.name)}" (label)')
    for each in said_places(listing, words(text)):
        place = place_named(listing, each.name)
        if place is not None and place.kind != "label" and key(place.name) != each.name:
            groups.append(f'"all ... in {each.name}" ({place.kind} {quiet(place.name)})')
    shown = ", ".join(list(dict.fromkeys(groups))[:_MOST_SAID])
    return f"Groups: {shown}." if shown else ""


@lru_cache(maxsize=MAX_LISTINGS)
def groups_of(listing: Listing) -> tuple[str, ...]:
    """Return the names of all groups of devices, such as `all light` or `all light in Kitchen`."""
    found = {f"all {label.name}" for label in labels_of(listing).values()}
    for device in listing.devices:
        for part in device.components:
            for capability in part.capabilities:
                found.add(f"all {capability}")
                if device.area:
                    found.add(f"all {capability} in {device.area}")
    return tuple(sorted(found))


def find_all(listing: Listing, names: Iterable[str]) -> tuple[Found, ...]:
    """Return the devices and components with these ids, names or groups, without duplicates.

    A group is "all KIND [in PLACE] [except NAMES]", such as "all light in Kitchen except Desk
    Lamp". KIND is a capability, a device class or a label, PLACE an area, floor or label. Raises
    HomeError for an unknown name or an empty group.
    """
    found: dict[tuple[str, str | None], Found] = {}
    for name in names:
        for each in _members(listing, name):
            part = each.component.id if each.component else None
            found[each.device.id, part] = each
    return tuple(found.values())


def devices_named(
    listing: Listing, names: Iterable[str]
) -> tuple[tuple[Device, ...], tuple[str, ...]]:
    """Return the devices with these ids, names or groups, and the names that are unknown."""
    devices: dict[str, Device] = {}
    unknown: list[str] = []
    for name in names:
        try:
            devices |= {each.device.id: each.device for each in find_all(listing, (name,))}
        except HomeError:
            unknown.append(name)
    return tuple(devices.values()), tuple(unknown)


def _members(listing: Listing, name: str) -> tuple[Found, ...]:
    group = _GROUP.fullmatch(" ".join(name.split()))
    if group is None:
        return _named(listing, name)
    place = group["place"]
    members = _of_kind(listing, group["kind"].lower(), place)
    if not members:
        members = _single_or_label(listing, name, group["kind"], place)
    if group["exceptions"] is None:
        return members
    left_out = list(_left_out(listing, group["exceptions"]))
    remaining = tuple(
        each for each in members if not any(_holds(other, each) for other in left_out)
    )
    if not remaining:
        raise HomeError(f'"{name}" leaves no device: all of them are among the exceptions.')
    return remaining


def _named(listing: Listing, name: str) -> tuple[Found, ...]:
    """Return the device or component with this name, else the components with this label."""
    try:
        return (listing.find(name),)
    except HomeError:
        if members := _labelled(listing, name):
            return members
        raise


def _single_or_label(
    listing: Listing, name: str, kind: str, place: str | None
) -> tuple[Found, ...]:
    """Return the device, label or group with this name. Raises HomeError, which lists the groups.

    The name of a label may contain "in" and "except".
    """
    try:
        return (listing.find(name),)
    except HomeError:
        whole = name.strip().partition(" ")[2]
        if members := _labelled(listing, whole) or _labelled(listing, kind, place):
            return members
        groups = groups_of(listing)
        near = [each for each in groups if place is None or key(place) in key(each)] or groups
        offered = ", ".join(f'"{each}"' for each in near[:8]) or "none"
        raise HomeError(f'There is no group "{name}". Groups: {offered}.') from None


def _labelled(listing: Listing, label: str, place: str | None = None) -> tuple[Found, ...]:
    """Return the components with a label in a place, as far as there are any.

    Those of secondary parts, such as a battery, are left out if there are others.
    """
    if (found := labels_of(listing).get(key(label))) is None:
        return ()
    members = found.parts if place is None else _both(found.parts, _in(listing, place))
    main = tuple(
        each
        for each in members
        if each.component and TELLING_ONLY.isdisjoint(each.component.capabilities)
    )
    return main or members


def _both(some: Iterable[Found], others: Iterable[Found]) -> tuple[Found, ...]:
    ids = {each.component.id for each in others if each.component}
    return tuple(each for each in some if each.component and each.component.id in ids)


def _in(listing: Listing, place: str) -> tuple[Found, ...]:
    found = place_named(listing, place)
    return () if found is None else found.parts


@lru_cache(maxsize=256)
def _of_kind(listing: Listing, kind: str, place: str | None) -> tuple[Found, ...]:
    """Return the components with `kind` as capability, or else with `kind` as device class.

    `kind` may be a plural, such as `lights`. `place` is the name of an area, floor or label; None
    means the whole home.
    """
    kinds = {kind, kind.removesuffix("s")}
    return _parts(listing, place, lambda part: not kinds.isdisjoint(part.capabilities)) or _parts(
        listing, place, lambda part: part.kind in kinds
    )


def _parts(
    listing: Listing, place: str | None, fits: Callable[[Component], bool]
) -> tuple[Found, ...]:
    if place is not None:
        return tuple(e for e in _in(listing, place) if e.component and fits(e.component))
    return tuple(
        Found(device=device, component=part)
        for device in listing.devices
        for part in device.components
        if fits(part)
    )


def _left_out(listing: Listing, text: str, separators: int = 0) -> Iterable[Found]:
    """Yield the devices and components that `text` excludes from a group.

    `text` lists ids, names, areas, floors, labels or groups. `separators` is the index of the first
    separator in `_APART` to use. Raises HomeError for an unknown name.
    """
    try:
        yield from _in(listing, text) or find_all(listing, (text,))
    except HomeError:
        for place, apart in enumerate(_APART[separators:], start=separators):
            if len(parts := apart.split(text)) > 1:
                for part in parts:
                    yield from _left_out(listing, part, place)
                return
        raise


def _holds(whole: Found, member: Found) -> bool:
    """Return whether `member` is equal to `whole`, or a component of `whole`."""
    if whole.device.id != member.device.id:
        return False
    return whole.component is None or whole.component == member.component


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


@lru_cache(maxsize=MAX_LISTINGS)
def _known_names(listing: Listing) -> _Names:
    """Return first word -> device names of several words that start with it."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for device in listing.devices:
        for name in map(words, (device.name, *device.aliases)):
            places = said_places(listing, name)
            # A single word may also mean a kind of device. `said_places` finds place names.
            if len(name) > 1 and not any(each.end - each.start == len(name) for each in places):
                found.setdefault(name[0], set()).add(name)
    return {first: tuple(names) for first, names in found.items()}


def _is_said(name: Sequence[str], said: Sequence[str]) -> bool:
    return len(name) == len(said) and all(
        not forms(own).isdisjoint(forms(word)) for own, word in zip(name, said, strict=True)
    )


@lru_cache(maxsize=MAX_LISTINGS)
def _known_places(listing: Listing) -> _Places:
    """Return first word of a place name -> [(all words of the name, device indices)]."""
    named: dict[tuple[str, ...], set[int]] = {}
    for level in _levels(listing):
        for text, place in level:
            devices = {listing.position(part.device) for part in place.parts}
            named.setdefault(words(text), set()).update(devices)
    places: dict[str, list[tuple[tuple[str, ...], frozenset[int]]]] = {}
    for name, numbers in named.items():
        for form in forms(name[0]) if name else ():
            places.setdefault(form, []).append((name, frozenset(numbers)))
    return places
