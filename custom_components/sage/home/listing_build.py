"""Build the listing of the home: short ids for its devices, and the tables that find them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from ..helpers import Work
from ..text import NameIndex, id_words, key
from .home_types import Device
from .listing import ALIAS, CAPTION, KIND, MORE, NAME, PART, PLACE, Area, Found, Listing
from .prompt_text import called, label, part_label, slug


def identify(things: Iterable[tuple[str, str | None, str]]) -> list[str]:
    """Return a unique id for each of `things`, which must be sorted by age, oldest first.

    Each is the name of a device, its area, and the text for the id if the name has no letters or
    digits.

    The id is the first of these that no older device has:

    - the slug of the name: `lamp`;
    - with the area, unless the name starts with it: `kitchen_lamp`;
    - with a number: `lamp_2`.
    """
    taken: set[str] = set()
    made: list[str] = []
    for thing, area, fallback in things:
        name = slug(thing) or slug(fallback) or "device"
        found = next(each for each in _candidates(name, area) if each not in taken)
        taken.add(found)
        made.append(found)
    return made


def _candidates(name: str, area: str | None) -> Iterable[str]:
    yield name
    place = slug(area) if area else ""
    if place and not name.startswith(place):
        yield f"{place}_{name}"
    yield from (f"{name}_{number}" for number in count(2))


# ------------------------------------------------------------ names


def build(devices: Sequence[Device], areas: Mapping[str, Area]) -> Work[Listing]:
    """Build the listing of these devices; a generator that yields after each short step."""
    ordered = tuple(
        sorted(devices, key=lambda e: (e.area is None, key(e.area or ""), key(e.name), e.id))
    )
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


def _index_names(devices: Sequence[Device]) -> Work[tuple[Mapping[str, tuple[Found, ...]], ...]]:
    """Return tables (text -> matches): ids, entity ids, names, those of components, with areas."""
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
    return [part.name for part in device.more_components if part.name]


def _texts_of(device: Device, areas: Mapping[str, Area]) -> Sequence[tuple[float, Iterable[str]]]:
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
