"""The resolver of names: devices and components by id or name, and groups such as "all light".

A group is "all KIND [in PLACE] [except NAMES]". KIND is a capability, a device class or a label;
PLACE an area, floor or label, by name or alias. If several places have the same name, an area comes
before a floor, a name before an alias, and a label last.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar

from ..text import content_words, is_unspaced, key, words
from .home_types import CommandDescription, Component, Device, HomeError
from .listing import MAX_LISTINGS, Found, Listing

TELLING_ONLY: Final = frozenset({"sensor", "binary_sensor", "update", "event", "button", "number"})
"""Domains of entities that are usually secondary parts of a device, such as its battery."""

_GROUP: Final = re.compile(
    r"all (?P<kind>.+?)(?: in (?P<place>.+?))?(?: except (?P<exceptions>.+))?", re.IGNORECASE
)
_SEPARATORS: Final = (re.compile(r" ?, ?(?:and )?"), re.compile(r" and ", re.IGNORECASE))
"""Separators in a list of exceptions: commas first, because names may contain `and`."""


# ------------------------------------------------------------ names of devices and groups


def find_all(listing: Listing, names: Iterable[str]) -> tuple[Found, ...]:
    """Return the devices and components with these ids, names, labels or groups.

    There are no duplicates. Raises HomeError for an unknown name or an empty group.
    """
    members = (member for name in names for member in _members(listing, name))
    return tuple({(member.device.id, member.id): member for member in members}.values())


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


def _members(listing: Listing, name: str) -> Sequence[Found]:
    group = _GROUP.fullmatch(" ".join(name.split()))
    if group is None:
        try:
            return (listing.find(name),)
        except HomeError:
            if members := _with_label(listing, name):
                return members
            raise
    kind, place, exceptions = group["kind"], group["place"], group["exceptions"]
    members = of_kind(listing, kind.lower(), place)
    if not members:
        with suppress(HomeError):
            return (listing.find(name),)
        # The name of a label may contain "in" and "except".
        if members := _with_label(listing, name.strip().partition(" ")[2]):
            return members
        members = _with_label(listing, kind, place)
    if not members:
        raise HomeError(f'There is no group "{name}". Groups: {_groups_near(listing, place)}.')
    if exceptions is None:
        return members
    left_out = [*_exceptions(listing, exceptions)]
    members = [each for each in members if not any(other.covers(each) for other in left_out)]
    if not members:
        raise HomeError(f'"{name}" leaves no device: all of them are among the exceptions.')
    return members


@lru_cache(maxsize=256)
def of_kind(listing: Listing, kind: str, place: str | None = None) -> Sequence[Found]:
    """Return the components with `kind` as capability, or else with `kind` as device class.

    `kind` may be a plural, such as `lights`, or both: `binary_sensor.door`. `place` is the name of
    an area, floor or label; None means the whole home.
    """
    kinds = {kind, kind.removesuffix("s")}
    parts = _parts(listing, place)
    return [each for each, part in parts if not kinds.isdisjoint(part.capabilities)] or [
        each
        for each, part in parts
        if part.kind and not kinds.isdisjoint((part.kind, f"{part.capabilities[0]}.{part.kind}"))
    ]


def _with_label(listing: Listing, label: str, place: str | None = None) -> Sequence[Found]:
    """Return the components with a label in a place.

    Those of secondary parts, such as a battery, are left out if there are others.
    """
    wanted = key(label)
    parts = [each for each in _parts(listing, place) if wanted in map(key, each[1].labels)]
    main = [each for each, part in parts if TELLING_ONLY.isdisjoint(part.capabilities)]
    return main or [each for each, _ in parts]


def _parts(listing: Listing, place: str | None) -> Sequence[tuple[Found, Component]]:
    if place is None:
        return _all_parts(listing)
    found = place_named(listing, place)
    return (
        [] if found is None else [(each, each.component) for each in found.parts if each.component]
    )


@lru_cache(maxsize=MAX_LISTINGS)
def _all_parts(listing: Listing) -> Sequence[tuple[Found, Component]]:
    return [
        (Found(device=device, component=part), part)
        for device in listing.devices
        for part in device.components
    ]


def _groups_near(listing: Listing, place: str | None) -> str:
    """Return the names of groups for an error: of those in a place with such a name, or of all."""
    groups = {f"all {label}" for label in labels_of(listing)}
    for each, part in _all_parts(listing):
        for capability in part.capabilities:
            groups.add(f"all {capability}")
            if each.device.area:
                groups.add(f"all {capability} in {each.device.area}")
    near = [each for each in sorted(groups) if place is None or key(place) in key(each)]
    return ", ".join(f'"{each}"' for each in (near or sorted(groups))[:8]) or "none"


def _exceptions(listing: Listing, text: str, separators: int = 0) -> Iterator[Found]:
    """Yield the devices and components that `text` excludes from a group.

    `text` lists ids, names, areas, floors, labels or groups. `separators` is the index of the first
    separator in `_SEPARATORS` to use. Raises HomeError for an unknown name.
    """
    try:
        place = place_named(listing, text)
        yield from place.parts if place and place.parts else find_all(listing, (text,))
    except HomeError:
        for number, separator in enumerate(_SEPARATORS[separators:], start=separators):
            if len(names := separator.split(text)) > 1:
                for name in names:
                    yield from _exceptions(listing, name, number)
                return
        raise


# ------------------------------------------------------------ places


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
    places: dict[str, tuple[int, GroupPlace]] = {}
    for level, name, place in named_places(listing):
        before = places.setdefault(key(name), (level, place))
        if before[0] == level and before[1] is not place:
            parts = (*before[1].parts, *place.parts)
            places[key(name)] = (level, replace(before[1], parts=parts))
    return {name: place for name, (_, place) in places.items()}


def named_places(listing: Listing) -> Iterator[tuple[int, str, GroupPlace]]:
    """Yield the rank of a name, the name and its place, sorted by rank; 0 is the highest rank."""
    there: dict[str, list[Found]] = {}
    for each, _ in _all_parts(listing):
        there.setdefault(each.device.area or "", []).append(each)
    areas = [
        (each, GroupPlace(kind="area", name=each.name, parts=tuple(there.get(each.name, ()))))
        for each in listing.areas.values()
    ]
    floors = [
        (each, GroupPlace(kind="floor", name=each.floor, parts=place.parts))
        for each, place in areas
        if each.floor
    ]
    yield from ((0, place.name, place) for _, place in areas)
    yield from ((1, place.name, place) for _, place in floors)
    yield from ((2, alias, place) for each, place in areas for alias in dict.fromkeys(each.aliases))
    for area, place in floors:
        yield from ((3, alias, place) for alias in dict.fromkeys(area.floor_aliases))
    for name in labels_of(listing):
        held = tuple(each for each, part in _all_parts(listing) if name in part.labels)
        yield 4, name, GroupPlace(kind="label", name=name, parts=held)


@lru_cache(maxsize=MAX_LISTINGS)
def labels_of(listing: Listing) -> tuple[str, ...]:
    """Return the names of the labels of all components, sorted."""
    return tuple(sorted({name for _, part in _all_parts(listing) for name in part.labels}))


# ------------------------------------------------------------ components


def component_of(
    device: Device, component_id: str | None = None, capability: str | None = None
) -> Component:
    """Return a component of the device by its id, name, alias or capability.

    Without arguments, return the only component. Raises HomeError unless exactly one matches.
    """
    found = device.components
    if component_id is not None:
        found = _components_named(device, component_id)
    if capability is not None and len(found) != 1:
        found = tuple(each for each in found if capability in each.capabilities)
    if len(found) == 1:
        return found[0]
    parts = ", ".join(
        (f'{each.id} "{each.name}"' if each.name else each.id)
        + f" ({', '.join(each.capabilities)})"
        for each in (*device.components, *device.more_components)
    )
    if component_id is not None and not found:
        raise HomeError(f'{device.id} has no component "{component_id}". It has: {parts}.')
    if capability is not None and not found:
        raise HomeError(f"{device.id} has no capability {capability}. It has: {parts}.")
    raise HomeError(f"{device.id} has several components; name one of: {parts}.")


def _components_named(device: Device, text: str) -> tuple[Component, ...]:
    wanted = key(text)
    for matches in (
        lambda each: each.id == text,
        lambda each: wanted in {key(each.id), key(each.name), *map(key, each.aliases)},
        lambda each: wanted == key(f"{device.name} {each.name}"),
        lambda each: text in each.capabilities or text == each.kind,
    ):
        if found := tuple(each for each in device.components if matches(each)):
            return found
    return device.components if wanted in {key(device.id), key(device.name), "main"} else ()


def main_component(device: Device) -> Component | None:
    """Return the main entity of a device; None if there is none.

    The main entity is the only entity, else the only one with the name of the device, else the only
    one outside the domains in `TELLING_ONLY`.
    """
    for group in (
        device.components,
        [part for part in device.components if part.name == device.name],
        [part for part in device.components if TELLING_ONLY.isdisjoint(part.capabilities)],
    ):
        if len(group) == 1:
            return group[0]
    return None


# ------------------------------------------------------------ names in a text

type Phrase = tuple[tuple[str, ...], Found]
"""The words of a name, and the device or component with the name."""


def names_in(listing: Listing, text: Sequence[str]) -> Iterator[Phrase]:
    """Yield the names and aliases of devices and components that are in the words of a text."""
    phrases = _phrases(listing)
    for start, word in enumerate(text):
        for phrase, found in phrases.get(word, ()):
            if tuple(text[start : start + len(phrase)]) == phrase:
                yield phrase, found
    # Scripts without spaces: a name is a part of a word.
    if unspaced := [word for word in text if is_unspaced(word)]:
        for phrase, found in phrases.get("", ()):
            if any(phrase[0] in word for word in unspaced):
                yield phrase, found


@lru_cache(maxsize=MAX_LISTINGS)
def _phrases(listing: Listing) -> Mapping[str, Sequence[Phrase]]:
    """Return first word -> names that begin with it; the empty word has those without spaces."""
    phrases: dict[str, list[Phrase]] = {}
    for device in listing.devices:
        for name, found in _names(device):
            if phrase := words(name):
                first = "" if is_unspaced("".join(phrase)) else phrase[0]
                phrase = phrase if first else ("".join(phrase),)
                phrases.setdefault(first, []).append((phrase, found))
    return phrases


def _names(device: Device) -> Iterator[tuple[str, Found]]:
    whole = Found(device=device)
    parts = {alias for part in device.components for alias in part.aliases}
    yield device.name, whole
    yield from ((alias, whole) for alias in device.aliases if alias not in parts)
    for part in device.components:
        found = Found(device=device, component=part)
        yield device.spoken_name(part), found
        yield from ((alias, found) for alias in part.aliases)


def with_entity_ids(
    hass: HomeAssistant,
    listing: Listing,
    command: CommandDescription,
    domain: str,
    arguments: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the arguments with names of entities, devices and areas replaced by ids.

    A device name becomes the id of its only entity, or of its only entity in `domain`. Unknown and
    ambiguous names stay unchanged.
    """
    references = {each.name for each in command.arguments if each.is_reference}
    return {
        name: _resolved(hass, listing, domain, name, value) if name in references else value
        for name, value in arguments.items()
    }


def _resolved(hass: HomeAssistant, listing: Listing, domain: str, name: str, value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_resolved(hass, listing, domain, name, each) for each in value]
    if not isinstance(value, str):
        return value
    if "area" in name:
        area = ar.async_get(hass).async_get_area_by_name(value)
        return area.id if area is not None else value
    try:
        found = listing.find(value)
    except HomeError:
        return value
    return _entity_id(found, domain) or value


def _entity_id(found: Found, domain: str) -> str | None:
    if found.component is not None:
        return found.component.id
    components = found.device.components
    fitting = [each for each in components if domain in each.capabilities] or list(components)
    return fitting[0].id if len(fitting) == 1 else None
