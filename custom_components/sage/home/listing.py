"""All devices that a person may see, and look-up by id, name or group.

A listing contains no states, so text that is made from it changes rarely.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..helpers.slices import Work
from ..text.search import NameIndex, weigh
from ..text.words import content_words, id_words, key, words
from .home_types import Component, Device, HomeError
from .labels import label, part_label

_NEAREST: Final = 5
_NAMED: Final = 12
"""Maximum number of devices to list in an error, if they are not those of one area."""

NAME, ALIAS, PART, PLACE, KIND, CAPTION, RAW = 1.0, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5
"""Weight of a word by source: name, alias, component, place, kind, caption, SmartThings capability.

SmartThings capabilities have the lowest weight, because ids such as
`samsungce.dishwasherDelayStartTime` contain many common words.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """An area of the home."""

    name: str
    aliases: tuple[str, ...] = ()
    floor: str | None = None
    floor_aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The result of a look-up by name: a device, or one component of a device."""

    device: Device
    component: Component | None = None
    """The component; None for the whole device."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Listing:
    """The devices that people with the same rights may see, sorted by area, name and id."""

    devices: tuple[Device, ...]
    areas: Mapping[str, Area]
    """Name -> area; only areas with devices."""

    index: NameIndex
    """Word index of the devices, by their position in `devices`."""

    capabilities: Mapping[str, frozenset[int]]
    """Capability, such as `light` or `cover.blind` -> indices of devices in `devices`."""

    memo: dict[Any, Any] = field(default_factory=dict, repr=False)
    """Cache for values that other modules compute from this listing."""

    _names: tuple[Mapping[str, tuple[Found, ...]], ...]
    """One table (name -> matches) for each kind of name, the most reliable kind first."""

    def device(self, device_id: str) -> Device:
        """Return the device with this id, entity id, name or alias, ignoring case.

        Raises HomeError if no device or several devices match.
        """
        return self.find(device_id).device

    def find(self, text: str) -> Found:
        """Return the device or component with this id, entity id, name or alias, ignoring case.

        Raises HomeError if no device or several devices match.
        """
        for place, names in enumerate(self._names):
            # Ids are case-sensitive: `tv` may be an id, and `TV` the name of several devices.
            if found := names.get(key(text) if place else text.strip()):
                return _only(text, found)
        raise HomeError(self._not_found(text))

    def position(self, device: Device) -> int:
        """Return the index of the device in `devices`. Raises KeyError for an unlisted device."""
        if (positions := self.memo.get("positions")) is None:
            positions = {each.id: place for place, each in enumerate(self.devices)}
            self.memo["positions"] = positions
        place: int = positions[device.id]
        return place

    def nearest(self, text: str, count: int = _NEAREST) -> tuple[Device, ...]:
        """Return up to `count` devices with words similar to the text, best first."""
        scores: dict[int, float] = {}
        for word in content_words(text) or words(text):
            hits = self.index.hits(word)
            for place, worth in hits.items():
                scores[place] = scores.get(place, 0.0) + worth / len(hits)
        best = sorted(scores, key=lambda place: (-scores[place], place))[:count]
        return tuple(self.devices[place] for place in best)

    def _not_found(self, text: str) -> str:
        if place := next((area for area in self.areas if key(area) == key(text)), None):
            there = [device for device in self.devices if device.area == place]
            return f"{place} is an area, not a device. Its devices: {describe(there)}."
        if not self.devices:
            return f'There is no device "{text}": this person may use no device at all.'
        if places := self.capabilities.get(text.strip().casefold()):
            several = [self.devices[place] for place in sorted(places)]
            more = f", and {len(several) - _NAMED} more" if len(several) > _NAMED else ""
            return (
                f"{text} is a kind, not a device. Its devices: {describe(several[:_NAMED])}{more}."
            )
        near = self.nearest(text)
        if near:
            return (
                f'There is no device "{text}". The nearest: {describe(near)}. '
                "Call again with the id that the request means. If it means none of these, the "
                "home does not have it."
            )
        if len(self.devices) <= _NAMED:
            return f'There is no device "{text}". There are: {describe(self.devices)}.'
        return (
            f'There is no device "{text}", nor one like it. '
            "Use an id from the list of devices, or look one up by its area or kind."
        )


def component_of(
    device: Device, component_id: str | None = None, capability: str | None = None
) -> Component:
    """Return a component of the device by its id, name, alias or capability.

    Without arguments, return the only component. Raises HomeError unless exactly one matches.
    """
    found = device.components
    if component_id is not None:
        found = _named(device, component_id)
    if capability is not None and len(found) != 1:
        found = tuple(each for each in found if capability in each.capabilities)
    if len(found) == 1:
        return found[0]
    parts = ", ".join(
        (f'{each.id} "{each.name}"' if each.name else each.id)
        + f" ({', '.join(each.capabilities)})"
        for each in (*device.components, *device.raw_components)
    )
    if component_id is not None and not found:
        raise HomeError(f'{device.id} has no component "{component_id}". It has: {parts}.')
    if capability is not None and not found:
        raise HomeError(f"{device.id} has no capability {capability}. It has: {parts}.")
    raise HomeError(f"{device.id} has several components; name one of: {parts}.")


def describe(devices: Iterable[Device]) -> str:
    """Return the ids, names and areas of the devices as text for an error message."""
    return ", ".join(
        f'{each.id} "{each.name}"' + (f" ({each.area})" if each.area else "") for each in devices
    )


def build(devices: Sequence[Device], areas: Mapping[str, Area]) -> Work[Listing]:
    """Build the listing of these devices.

    A generator: it yields after each short step, and returns the listing.
    """
    ordered = tuple(sorted(devices, key=_order))
    yield
    names = yield from _index_names(ordered)
    index = yield from NameIndex.build(_words_of(device, areas) for device in ordered)
    capabilities: dict[str, set[int]] = {}
    for place, device in enumerate(ordered):
        for part in device.components:
            for capability in part.capabilities:
                capabilities.setdefault(capability, set()).add(place)
                if part.kind:
                    capabilities.setdefault(f"{capability}.{part.kind}", set()).add(place)
        yield
    return Listing(
        devices=ordered,
        areas=dict(sorted(areas.items())),
        index=index,
        capabilities={name: frozenset(places) for name, places in capabilities.items()},
        _names=names,
    )


def _order(device: Device) -> tuple[bool, str, str, str]:
    return (device.area is None, key(device.area or ""), key(device.name), device.id)


def _named(device: Device, text: str) -> tuple[Component, ...]:
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


def _only(text: str, found: Sequence[Found]) -> Found:
    devices = {each.device.id: each.device for each in found}
    if len(devices) > 1:
        raise HomeError(f'"{text}" may be any of: {describe(devices.values())}. Use an id.')
    return found[0] if len(found) == 1 else Found(device=found[0].device)


def _index_names(devices: Sequence[Device]) -> Work[tuple[Mapping[str, tuple[Found, ...]], ...]]:
    """Return one table (text -> matches) for each kind of name, the most reliable kind first.

    The kinds are: ids, entity ids, names, names of components, names with areas.
    """
    levels: tuple[dict[str, dict[tuple[str, str], Found]], ...] = ({}, {}, {}, {}, {})

    def add(level: int, text: str, found: Found) -> None:
        part = found.component.id if found.component else ""
        level_key = key(text) if level else text
        levels[level].setdefault(level_key, {})[found.device.id, part] = found

    for device in devices:
        whole = Found(device=device)
        add(0, device.id, whole)
        add(4, device.id, whole)
        alone = len(device.components) == 1
        parts = {alias for part in device.components for alias in (part.name, *part.aliases)}
        own = (alias for alias in device.aliases if alone or alias not in parts)
        names = (device.name, *own)
        for name in names:
            add(2, name, whole)
            if device.area:
                add(4, f"{name} {device.area}", whole)
                add(4, f"{device.area} {name}", whole)
        for part in device.components:
            found = whole if alone else Found(device=device, component=part)
            add(1, part.id, found)
            for shown in {device.id, label(device.id, device.name, device.area)}:
                add(1, part_label(shown, part.id), found)
            for alias in part.aliases:
                add(2, alias, found)
            if not alone:
                add(3, part.name, found)
                add(3, f"{device.name} {part.name}", found)
        for name in _raw_names(device):
            # The name leads to the whole device: entities may belong to the same component.
            add(3, name, whole)
            add(3, f"{device.name} {name}", whole)
        yield
    return tuple({name: tuple(found.values()) for name, found in level.items()} for level in levels)


def _raw_names(device: Device) -> list[str]:
    """Return the names of the SmartThings components except `main`, such as `freezer`."""
    return [part.name for part in device.raw_components if part.name]


def _words_of(device: Device, areas: Mapping[str, Area]) -> dict[str, float]:
    area = areas.get(device.area or "")
    places: list[str] = [text for text in (device.area, device.floor) if text]
    if area is not None:
        places += [*area.aliases, *area.floor_aliases]
    kinds = [text for part in device.components for text in (*part.capabilities, part.kind) if text]
    kinds += [part.kind or "" for part in device.raw_components]
    raw = (each for part in device.raw_components for each in part.capabilities)
    return weigh(
        (
            (NAME, (device.name,)),
            (ALIAS, device.aliases),
            (PART, (*(part.name for part in device.components), *_raw_names(device))),
            (PLACE, places),
            (KIND, (*kinds, device.model or "")),
            (CAPTION, (device.caption,)),
            (RAW, (" ".join(id_words(each)) for each in raw)),
        )
    )


_GROUP: Final = re.compile(
    r"all (?P<kind>\w+?)s?(?: in (?P<place>.+?))?(?: except (?P<exceptions>.+))?",
    re.IGNORECASE,
)
_APART: Final = (re.compile(r" ?, ?(?:and )?"), re.compile(r" and ", re.IGNORECASE))
"""Separators in a list of exceptions: commas first, because names may contain `and`."""


def groups_of(listing: Listing) -> tuple[str, ...]:
    """Return the names of all groups of devices, such as `all light` or `all light in Kitchen`."""
    known = listing.memo.get("groups")
    if known is None:
        found: dict[str, None] = {}
        for device in listing.devices:
            for part in device.components:
                for capability in part.capabilities:
                    found[f"all {capability}"] = None
                    if device.area:
                        found[f"all {capability} in {device.area}"] = None
        known = listing.memo["groups"] = tuple(sorted(found))
    groups: tuple[str, ...] = known
    return groups


def find_all(listing: Listing, names: Iterable[str]) -> tuple[Found, ...]:
    """Return the devices and components with these ids, names or groups, without duplicates.

    A group is "all KIND [in PLACE] [except NAMES]", such as "all light in Kitchen except Desk
    Lamp". KIND is a capability or device class, PLACE an area or floor. Raises HomeError for an
    unknown name or an empty group.
    """
    found: dict[tuple[str, str | None], Found] = {}
    for name in names:
        for each in _members(listing, name):
            part = each.component.id if each.component else None
            found[each.device.id, part] = each
    return tuple(found.values())


def _members(listing: Listing, name: str) -> tuple[Found, ...]:
    group = _GROUP.fullmatch(" ".join(name.split()))
    if group is None:
        return (listing.find(name),)
    place = group["place"]
    members = _of_kind(listing, group["kind"].lower(), place)
    if not members:
        return (_single(listing, name, place),)
    if group["exceptions"] is None:
        return members
    left_out = list(_left_out(listing, group["exceptions"]))
    remaining = tuple(
        each for each in members if not any(_holds(other, each) for other in left_out)
    )
    if not remaining:
        raise HomeError(f'"{name}" leaves no device: all of them are among the exceptions.')
    return remaining


def _single(listing: Listing, name: str, place: str | None) -> Found:
    """Return the device or group with this name. Raises HomeError, which lists the groups."""
    try:
        return listing.find(name)
    except HomeError:
        groups = groups_of(listing)
        near = [each for each in groups if place is None or key(place) in key(each)] or groups
        offered = ", ".join(f'"{each}"' for each in near[:8]) or "none"
        raise HomeError(f'There is no group "{name}". Groups: {offered}.') from None


def _of_kind(listing: Listing, kind: str, place: str | None) -> tuple[Found, ...]:
    """Return the components with `kind` as capability, or else with `kind` as device class.

    `place` is the name of an area or floor; None means the whole home.
    """
    known: dict[tuple[str, str | None], tuple[Found, ...]] = listing.memo.setdefault("of_kind", {})
    wanted = (kind, None if place is None else key(place))
    if (found := known.get(wanted)) is not None:
        return found
    found = _parts(listing, place, lambda part: kind in part.capabilities) or _parts(
        listing, place, lambda part: kind == part.kind
    )
    if found:
        # Cache only existing groups: a model may invent any number of other groups.
        known[wanted] = found
    return found


def _parts(
    listing: Listing, place: str | None, fits: Callable[[Component], bool]
) -> tuple[Found, ...]:
    return tuple(
        Found(device=device, component=part)
        for device in listing.devices
        if place is None or _is_in(device, place)
        for part in device.components
        if fits(part)
    )


def _is_in(device: Device, place: str) -> bool:
    return key(place) in {key(each) for each in (device.area, device.floor) if each}


def _left_out(listing: Listing, text: str, separators: int = 0) -> Iterable[Found]:
    """Yield the devices and components that `text` excludes from a group.

    `text` lists ids, names, areas, floors or groups. `separators` is the index of the first
    separator in `_APART` to use. Raises HomeError for an unknown name.
    """
    there = tuple(Found(device=each) for each in listing.devices if _is_in(each, text))
    try:
        yield from there or find_all(listing, (text,))
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
