"""All devices that a person may see, and look-up by id or name.

A listing contains no states, so text that is made from it changes rarely.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..helpers import Work
from ..text import NameIndex, content_words, id_words, key, words
from .home_types import Component, Device, HomeError
from .labels import alias_of, called, label, part_label

MAX_LISTINGS: Final = 8
"""Maximum number of cached listings, one for each set of visible entities."""

_NEAREST: Final = 5
_NAMED: Final = 12
"""Maximum number of devices to list in an error, if they are not those of one area."""

NAME, ALIAS, PART, PLACE, KIND, CAPTION, MORE = 1.0, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5
"""Weight of a word by source: name, alias, component, place, kind, caption, further capability.

Capabilities of extensions have the lowest weight, because ids such as
`custom.dishwasherDelayStartTime` contain many common words.
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

    @property
    def id(self) -> str:
        """Id of the component, or of the device if no component is meant."""
        return self.component.id if self.component else self.device.id

    def covers(self, other: Found) -> bool:
        """Return whether `other` is the same, or a component of this device."""
        is_same = self.component is None or self.component == other.component
        return is_same and self.device.id == other.device.id


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class Listing:
    """The devices that people with the same rights may see, sorted by area, name and id."""

    devices: tuple[Device, ...]
    areas: Mapping[str, Area]
    """Name -> area; only areas with devices."""

    index: NameIndex
    """Word index of the devices, by their position in `devices`."""

    capabilities: Mapping[str, frozenset[int]]
    """Capability, such as `light` or `cover.blind` -> indices of devices in `devices`."""

    _positions: Mapping[str, int]
    """Device id -> index of the device in `devices`."""

    _names: tuple[Mapping[str, tuple[Found, ...]], ...]
    """One table (name -> matches) for each kind of name, the most reliable kind first."""

    @property
    def has_more_components(self) -> bool:
        """Whether at least one device has capabilities that no entity offers."""
        return any(device.more_components for device in self.devices)

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
        return self._positions[device.id]

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
        areas = self.areas.values()
        named = (each.name for each in areas if key(text) in map(key, (each.name, *each.aliases)))
        if place := next(named, None):
            there = [device for device in self.devices if device.area == place]
            return f"{place} is an area, not a device. Its devices: {describe(there)}."
        if not self.devices:
            return f'There is no device "{text}": this person may use no device at all.'
        if places := self.capabilities.get(text.strip().casefold()):
            several = [self.devices[place] for place in sorted(places)[:_NAMED]]
            return f"{text} is a kind, not a device. Some of its devices: {describe(several)}."
        near = self.nearest(text)
        if near:
            return (
                f'There is no device "{text}". The nearest: {describe(near, text)}. '
                "Call again with the id that the request means. If it means none of these, the "
                "home does not have it."
            )
        if len(self.devices) <= _NAMED:
            return f'There is no device "{text}". There are: {describe(self.devices)}.'
        return (
            f'There is no device "{text}", nor one like it. '
            "Use an id from the list of devices, or look one up by its area or kind."
        )


def describe(devices: Iterable[Device], text: str = "") -> str:
    """Return the ids, names and areas of the devices as text for an error message.

    The alias that `text` uses for a device stands before its name.
    """
    return ", ".join(
        f'{each.id} "{called(each.name, alias_of(each, None, text))}"'
        + (f" ({each.area})" if each.area else "")
        for each in devices
    )


def build(devices: Sequence[Device], areas: Mapping[str, Area]) -> Work[Listing]:
    """Build the listing of these devices.

    A generator: it yields after each short step, and returns the listing.
    """
    ordered = tuple(sorted(devices, key=_order))
    yield
    names = yield from _index_names(ordered)
    index = yield from NameIndex.build(_texts_of(device, areas) for device in ordered)
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
        _positions={device.id: place for place, device in enumerate(ordered)},
        _names=names,
    )


def _order(device: Device) -> tuple[bool, str, str, str]:
    return (device.area is None, key(device.area or ""), key(device.name), device.id)


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
            add(4, called(device.name, name), whole)
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
                add(4, called(device.name, alias), found)
                add(4, called(device.spoken_name(part), alias), found)
            if not alone:
                add(3, part.name, found)
                add(3, f"{device.name} {part.name}", found)
        for name in _more_names(device):
            # The name leads to the whole device: entities may belong to the same component.
            add(3, name, whole)
            add(3, f"{device.name} {name}", whole)
        yield
    return tuple({name: tuple(found.values()) for name, found in level.items()} for level in levels)


def _more_names(device: Device) -> list[str]:
    """Return the names of the components of extensions, such as `freezer`."""
    return [part.name for part in device.more_components if part.name]


def _texts_of(device: Device, areas: Mapping[str, Area]) -> Sequence[tuple[float, Iterable[str]]]:
    """Return the texts that find a device, with their weights."""
    area = areas.get(device.area or "")
    places: list[str] = [text for text in (device.area, device.floor) if text]
    places += [name for part in device.components for name in part.labels]
    if area is not None:
        places += [*area.aliases, *area.floor_aliases]
    kinds = [text for part in device.components for text in (*part.capabilities, part.kind) if text]
    kinds += [part.kind or "" for part in device.more_components]
    more = (each for part in device.more_components for each in part.capabilities)
    return (
        (NAME, (device.name,)),
        (ALIAS, device.aliases),
        (PART, (*(part.name for part in device.components), *_more_names(device))),
        (PLACE, places),
        (KIND, (*kinds, device.model or "")),
        (CAPTION, (device.caption,)),
        (MORE, (" ".join(id_words(each)) for each in more)),
    )
