"""All devices that a person may see, and the resolver of names: of devices, components and groups.

A listing contains no states, so text that is made from it changes rarely.

A group is "all KIND [in PLACE] [except NAMES]". KIND is a capability, a device class or a label;
PLACE an area, floor or label, by name or alias. If several places have the same name, an area comes
before a floor, a name before an alias, and a label last.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from ..text import NameIndex, content_words, key, words
from .home_types import Component, Device, HomeError
from .prompt_text import called, said_alias
from .values import grouped

MAX_LISTINGS: Final = 8  # maximum number of cached listings, one for each set of visible entities
_NEAREST: Final = 5
_NAMED: Final = 12  # maximum devices to list in an error, if they are not those of one area

NAME, ALIAS, PART, PLACE, KIND, CAPTION, MORE = 1.0, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5
"""Weight of a word by source: name, alias, component, place, kind, caption, further capability.

Capabilities of extensions have the lowest weight, because ids such as
`custom.dishwasherDelayStartTime` contain many common words.
"""


TELLING_ONLY: Final = frozenset({"sensor", "binary_sensor", "update", "event", "button", "number"})
"""Domains of entities that are usually secondary parts of a device, such as its battery."""

_GROUP: Final = re.compile(
    r"all (?P<kind>.+?)(?: in (?P<place>.+?))?(?: except (?P<exceptions>.+))?", re.IGNORECASE
)
_SEPARATORS: Final = (re.compile(r" ?, ?(?:and )?"), re.compile(r" and ", re.IGNORECASE))
"""Separators in a list of exceptions: commas first, because names may contain `and`."""


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
    component: Component | None = None  # the component; None for the whole device

    @property
    def id(self) -> str:
        """Id of the component, or of the device if no component is meant."""
        return self.component.id if self.component else self.device.id

    def covers(self, other: Found) -> bool:
        """Return whether `other` is the same, or a component of this device."""
        is_same = self.component is None or self.component == other.component
        return is_same and self.device.id == other.device.id


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPlace:
    """An area, floor or label, with its components."""

    kind: str  # `area`, `floor` or `label`
    name: str
    parts: tuple[Found, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Listing:
    """The devices that people with the same rights may see, sorted by area, name and id."""

    devices: tuple[Device, ...]
    areas: Mapping[str, Area]  # name -> area; only areas with devices
    index: NameIndex  # word index of the devices, by their position in `devices`
    capabilities: Mapping[str, frozenset[int]]
    """Capability, such as `light` or `cover.blind` -> indices of devices in `devices`."""

    _positions: Mapping[str, int]  # device id -> index of the device in `devices`
    _names: tuple[Mapping[str, tuple[Found, ...]], ...]
    """One table (name -> matches) for each kind of name, the most reliable kind first."""

    # ------------------------------------------------------------ devices and components

    def device(self, device_id: str) -> Device:
        """Return the device with this id, entity id, name or alias. Raises HomeError."""
        return self.find(device_id).device

    def find(self, text: str) -> Found:
        """Return the device or component with this id, entity id, name or alias, ignoring case.

        Raises HomeError if no device or several devices match.
        """
        for level, names in enumerate(self._names):
            # Ids are case-sensitive: `tv` may be an id, and `TV` the name of several devices.
            if found := names.get(key(text) if level else text.strip()):
                devices = {each.device.id: each.device for each in found}
                if len(devices) > 1:
                    listed = describe(devices.values())
                    raise HomeError(f'"{text}" may be any of: {listed}. Use an id.')
                return found[0] if len(found) == 1 else Found(device=found[0].device)
        raise HomeError(self._not_found(text))

    def find_all(self, names: Iterable[str]) -> tuple[Found, ...]:
        """Return the devices and components with these ids, names, labels or groups.

        There are no duplicates. Raises HomeError for an unknown name or an empty group.
        """
        members = (member for name in names for member in self._members(name))
        return tuple({(member.device.id, member.id): member for member in members}.values())

    def devices_named(self, names: Iterable[str]) -> tuple[tuple[Device, ...], tuple[str, ...]]:
        """Return the devices with these ids, names or groups, and the names that are unknown."""
        devices: dict[str, Device] = {}
        unknown: list[str] = []
        for name in names:
            try:
                devices |= {each.device.id: each.device for each in self.find_all((name,))}
            except HomeError:
                unknown.append(name)
        return tuple(devices.values()), tuple(unknown)

    def position(self, device: Device) -> int:
        """Return the index of the device in `devices`. Raises KeyError for an unlisted device."""
        return self._positions[device.id]

    def nearest(self, text: str) -> tuple[Device, ...]:
        """Return up to 5 devices with words similar to the text, best first."""
        scores: dict[int, float] = {}
        for word in content_words(text) or words(text):
            hits = self.index.hits(word)
            for position, worth in hits.items():
                scores[position] = scores.get(position, 0.0) + worth / len(hits)
        best = sorted(scores, key=lambda position: (-scores[position], position))[:_NEAREST]
        return tuple(self.devices[position] for position in best)

    def _not_found(self, text: str) -> str:
        areas = self.areas.values()
        named = (each.name for each in areas if key(text) in map(key, (each.name, *each.aliases)))
        if place := next(named, None):
            there = [device for device in self.devices if device.area == place]
            return f"{place} is an area, not a device. Its devices: {describe(there)}."
        if not self.devices:
            return f'There is no device "{text}": this person may use no device at all.'
        if places := self.capabilities.get(text.strip().casefold()):
            several = [self.devices[place] for place in sorted(places)[:_NAMED]]
            example = several[0].id
            return (
                f"{text} is a kind, not a device. Some of its devices: {describe(several)}. Call "
                f"again with the id that the request means, such as `{example}`."
            )
        if near := self.nearest(text):
            return (
                f'There is no device "{text}". The nearest: {describe(near, text)}. '
                "Call again with the id that the request means. If it means none of these, the "
                "home does not have it."
            )
        if len(self.devices) <= _NAMED:
            return f'There is no device "{text}". There are: {describe(self.devices)}.'
        return (
            f'There is no device "{text}", nor one like it. '
            "If the request means another one, use its id; else the home does not have it."
        )

    # ------------------------------------------------------------ groups

    def _members(self, name: str) -> Sequence[Found]:
        group = _GROUP.fullmatch(" ".join(name.split()))
        if group is None:
            try:
                return (self.find(name),)
            except HomeError:
                if members := self._with_label(name):
                    return members
                if len(members := self.of_kind(name.strip().casefold())) == 1:
                    return members
                raise
        kind, place, exceptions = group["kind"], group["place"], group["exceptions"]
        members = self.of_kind(kind.lower(), place)
        if not members:
            with suppress(HomeError):
                return (self.find(name),)
            # The name of a label may contain "in" and "except".
            if members := self._with_label(name.strip().partition(" ")[2]):
                return members
            members = self._with_label(kind, place)
        if not members:
            raise HomeError(f'There is no group "{name}". Groups: {self._groups_near(place)}.')
        if exceptions is None:
            return members
        left_out = [*self._exceptions(exceptions)]
        members = [each for each in members if not any(other.covers(each) for other in left_out)]
        if not members:
            raise HomeError(f'"{name}" leaves no device: all of them are among the exceptions.')
        return members

    def of_kind(self, kind: str, place: str | None = None) -> Sequence[Found]:
        """Return the components with `kind` as capability, or else with `kind` as device class.

        `kind` may be a plural, such as `lights`, or both: `binary_sensor.door`. `place` is the name
        of an area, floor or label; None means the whole home.
        """
        kinds = {kind, kind.removesuffix("s")}
        parts = self._parts(place)
        return [each for each, part in parts if not kinds.isdisjoint(part.capabilities)] or [
            each
            for each, part in parts
            if part.kind
            and not kinds.isdisjoint((part.kind, f"{part.capabilities[0]}.{part.kind}"))
        ]

    def _with_label(self, label: str, place: str | None = None) -> Sequence[Found]:
        """Return a place's components with a label, without secondary parts if others have it."""
        parts = [each for each in self._parts(place) if key(label) in map(key, each[1].labels)]
        main = [each for each, part in parts if TELLING_ONLY.isdisjoint(part.capabilities)]
        return main or [each for each, _ in parts]

    def _parts(self, place: str | None) -> Sequence[tuple[Found, Component]]:
        if place is None:
            return self._all_parts
        held = self.place(place)
        return [(each, each.component) for each in held.parts if each.component] if held else []

    @cached_property
    def _all_parts(self) -> Sequence[tuple[Found, Component]]:
        return [
            (Found(device=device, component=part), part)
            for device in self.devices
            for part in device.components
        ]

    def _groups_near(self, place: str | None) -> str:
        """Return the names of groups for an error: those in a place with such a name, or all."""
        groups = {f"all {label}" for label in self.labels}
        for each, part in self._all_parts:
            for capability in part.capabilities:
                groups.add(f"all {capability}")
                if each.device.area:
                    groups.add(f"all {capability} in {each.device.area}")
        near = [each for each in sorted(groups) if place is None or key(place) in key(each)]
        return ", ".join(f'"{each}"' for each in (near or sorted(groups))[:8]) or "none"

    def _exceptions(self, text: str, separators: int = 0) -> Iterator[Found]:
        """Yield the devices and components that `text` excludes from a group.

        `text` lists ids, names, areas, floors, labels or groups. `separators` is the index of the
        first separator in `_SEPARATORS` to use. Raises HomeError for an unknown name.
        """
        try:
            place = self.place(text)
            yield from place.parts if place and place.parts else self.find_all((text,))
        except HomeError:
            for number, separator in enumerate(_SEPARATORS[separators:], start=separators):
                if len(names := separator.split(text)) > 1:
                    for name in names:
                        yield from self._exceptions(name, number)
                    return
            raise

    # ------------------------------------------------------------ places

    def place(self, text: str) -> GroupPlace | None:
        """Return the area, floor or label with this name or alias; None if there is none.

        Of several, the first in this order: area, floor, alias of an area, alias of a floor, label.
        """
        return self._places.get(key(text)) or self._places.get(" ".join(content_words(text)))

    @cached_property
    def _places(self) -> Mapping[str, GroupPlace]:
        places: dict[str, tuple[int, GroupPlace]] = {}
        for rank, name, place in self.named_places:
            before = places.setdefault(key(name), (rank, place))
            if before[0] == rank and before[1] is not place:
                parts = (*before[1].parts, *place.parts)
                places[key(name)] = (rank, replace(before[1], parts=parts))
        return {name: place for name, (_, place) in places.items()}

    @cached_property
    def named_places(self) -> Sequence[tuple[int, str, GroupPlace]]:
        """The names of places, sorted by rank: (rank, name, place); 0 is the highest rank."""
        there = grouped((each.device.area or "", each) for each, _ in self._all_parts)
        ranked: list[tuple[int, str, GroupPlace]] = []
        for area in self.areas.values():
            place = GroupPlace(kind="area", name=area.name, parts=tuple(there.get(area.name, ())))
            ranked.append((0, place.name, place))
            ranked += [(2, alias, place) for alias in dict.fromkeys(area.aliases)]
            if area.floor:
                floor = replace(place, kind="floor", name=area.floor)
                ranked.append((1, floor.name, floor))
                ranked += [(3, alias, floor) for alias in dict.fromkeys(area.floor_aliases)]
        for label in self.labels:
            own = tuple(each for each, part in self._all_parts if label in part.labels)
            ranked.append((4, label, GroupPlace(kind="label", name=label, parts=own)))
        return sorted(ranked, key=lambda each: each[0])

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the labels of all components, sorted."""
        return tuple(sorted({name for _, part in self._all_parts for name in part.labels}))


def alias_of(device: Device, component_id: str | None, text: str) -> str:
    """Return the alias that a text uses for a component or the whole device; may be empty."""
    part = next((each for each in device.components if each.id == component_id), None)
    if part is None or len(device.components) == 1:
        return said_alias(device.name, device.aliases, text)
    return said_alias(device.spoken_name(part), part.aliases, text)


def describe(devices: Iterable[Device], text: str = "") -> str:
    """Return ids, aliases used in `text`, names and areas of devices for an error message."""
    return ", ".join(
        f'{each.id} "{called(each.name, alias_of(each, None, text))}"'
        + (f" ({each.area})" if each.area else "")
        for each in devices
    )
