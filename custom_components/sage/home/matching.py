"""Find the devices that a request means; words that match fewer devices count more."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import Final

from ..helpers import in_one_go
from ..text import FORM, PART_OF_WORD, NameIndex, content_words, forms, key, related, words
from .home_types import Component, Device
from .listing import CAPTION, MAX_LISTINGS, NAME, Listing
from .prompt_text import quiet
from .values import grouped
from .vocabulary import AREA, NO_SYNONYMS, Synonyms

_KIND: Final = 0.9  # weight of a word for the kind of device; a word of its name has weight 1
_SELECTED: Final = 0.85  # a word selects devices with this share of the best score of its matches
MANY_COMPONENTS: Final = 6
"""Number of components. If a device has more, only those are shown that a request means."""

_HALF: Final = 0.5
_MOST_GROUPS: Final = 6
_MOST_OTHERS: Final = 3
_MOST_IN_PLACE: Final = 30
_MOST_WORDS: Final = 3  # unknown words up to which they are shown; more are another subject


def requested(
    listing: Listing, request: str, synonyms: Synonyms = NO_SYNONYMS, *, least: float = 0.0
) -> tuple[Device, ...]:
    """Return all devices that a request may mention, fully named ones first.

    `least` is the minimum weight of a match, such as 1 for a word in the name or 0.8 for the place.
    """
    said = words(request)
    # A device name of several words counts as one word.
    named_in_full = said_devices(listing, said)
    taken = {place for each in named_in_full for place in range(each.start, each.end)}
    rest = " ".join(word for place, word in enumerate(said) if place not in taken)
    hits: list[Mapping[int, float]] = [dict.fromkeys(each.devices, 1.0) for each in named_in_full]
    hits += [found for found in named_hits(listing, rest, synonyms, least=least) if found]
    scores: dict[int, float] = {}
    for found in hits:
        weight = log(1 + len(listing.devices) / len(found))
        for place, worth in found.items():
            scores[place] = scores.get(place, 0.0) + weight * worth
    # Each word selects, of the devices that it matches, those that match the whole request best:
    # "the kitchen light and the bedroom fan" selects these two, and no bedroom light.
    chosen: set[int] = set()
    for found in hits:
        best = max(scores[place] for place in found)
        chosen |= {place for place in found if scores[place] >= _SELECTED * best}
    for found in hits:
        named = {place for place, worth in found.items() if worth > _KIND}
        if named.isdisjoint(chosen):
            chosen |= named
    whole = f" {' '.join(said)} "
    in_full = _named(listing, chosen, whole)
    ranked = [(place not in in_full, -scores[place], place) for place in chosen]
    return tuple(listing.devices[place] for *_, place in sorted(ranked))


def _named(listing: Listing, places: Iterable[int], text: str) -> set[int]:
    """Return those of the devices at `places` of which a text, ` word word `, has a whole name."""
    devices = [(place, listing.devices[place]) for place in places]
    names = [(place, words(name)) for place, e in devices for name in (e.name, *e.aliases)]
    return {place for place, name in names if name and f" {' '.join(name)} " in text}


def matching_devices(
    listing: Listing,
    request: str,
    synonyms: Synonyms = NO_SYNONYMS,
    *,
    room: str | None,
    recent: Sequence[Device],
    most: int,
) -> tuple[tuple[Device, ...], int]:
    """Return up to `most` devices that a request may mention, and the number of further ones.

    The order is:

    - matching devices; first those in `room` (the speaker's area) if the request names no place
    - `recent` devices; of a single one also the few others of its kind in its area: "the other one"
    - all devices in `room`, only if there are no other devices
    """
    # `CAPTION` excludes matches with names of further capabilities (`MORE`).
    named = list(requested(listing, request, synonyms, least=CAPTION))
    if room is not None and not said_places(listing, words(request)):
        named.sort(key=lambda each: each.area != room)
    if not named and not recent:
        named = [each for each in listing.devices if each.area == room and room is not None]
    others = () if named else _others(listing, recent)
    chosen = tuple({each.id: each for each in (*named, *recent, *others)}.values())
    return chosen[:most], max(len(chosen) - most, 0)


def _others(listing: Listing, recent: Sequence[Device]) -> list[Device]:
    if len(recent) != 1 or not recent[0].components:
        return []
    area, kind = recent[0].area, recent[0].components[0].capabilities
    others = [
        device
        for device in listing.devices
        if device.area == area
        and device.components
        and device.components[0].capabilities == kind
        and device is not recent[0]
    ]
    return others if len(others) <= _MOST_OTHERS else []


def requested_components(
    listing: Listing, device: Device, request: str, synonyms: Synonyms = NO_SYNONYMS
) -> tuple[Component, ...]:
    """Return the components of a device that a request may mention; empty for the whole device.

    Applies to devices with more than 6 components that match only by a kind: "are all lights and
    switches off?" means the switches of a dishwasher, but not its cycles. The whole device is meant
    if the request contains a word of its name, alias, caption or components, or the kind of the
    component that has its name, such as the media player of a TV.
    """
    said, parts = content_words(request), device.components
    place, caption = listing.position(device), frozenset(words(device.caption))
    if len(parts) <= MANY_COMPONENTS or any(
        place in listing.index.hits(word, NAME) or not related(word).isdisjoint(caption)
        for word in said
    ):
        return ()
    names, kinds = component_indexes(parts)
    meant: set[int] = set()
    for word in said:
        wanted = kinds_meant(listing, word, synonyms)
        found = {number for number, part in enumerate(parts) if wanted & kinds_of(part)}
        found |= kinds.hits(word).keys()
        if not found and names.hits(word):
            return ()
        meant |= found
    if any(parts[number].name == device.name for number in meant):
        return ()
    return tuple(parts[number] for number in sorted(meant))


@lru_cache(maxsize=64)
def component_indexes(parts: tuple[Component, ...]) -> tuple[NameIndex, NameIndex]:
    """Return an index of the names, and one of the kinds of components."""
    return (
        _index_of((part.name, *part.aliases) for part in parts),
        _index_of((*part.capabilities, part.kind or "") for part in parts),
    )


def _index_of(texts: Iterable[Iterable[str]]) -> NameIndex:
    return in_one_go(NameIndex.build([(1.0, each)] for each in texts))


def kinds_of(part: Component) -> frozenset[str]:
    """Return the capabilities of a component, also with its kind: `sensor.temperature`."""
    classes = (f"{each}.{part.kind}" for each in part.capabilities if part.kind)
    return frozenset((*part.capabilities, *classes))


def hits_of(
    listing: Listing, word: str, synonyms: Synonyms, least: float = 0.0
) -> Mapping[int, float]:
    """Return device index -> score for the devices that a word matches, by name or kind.

    `synonyms` maps "lamp" to the kind `light`, and "open" to the state `state:open`.
    """
    kinds = kinds_meant(listing, word, synonyms)
    found = {place: _KIND for kind in kinds for place in listing.capabilities.get(kind, ())}
    rooms = (listing.place(kind.removeprefix(AREA)) for kind in kinds if kind.startswith(AREA))
    found |= {listing.position(part.device): 1.0 for room in rooms if room for part in room.parts}
    if not found:
        return listing.index.hits(word, least)
    if listing.index.knows(word):
        for place, worth in listing.index.hits(word, least).items():
            found[place] = max(found.get(place, 0.0), worth)
    return found


def kinds_meant(listing: Listing, word: str, synonyms: Synonyms) -> set[str]:
    """Return the kinds that a word means: `light` for "lamps", also `state:open` for "open"."""
    own = _own_kinds(listing)
    return {kind for form in forms(word) for kind in (*synonyms.get(form, ()), *own.get(form, ()))}


@lru_cache(maxsize=MAX_LISTINGS)
def _own_kinds(listing: Listing) -> Mapping[str, frozenset[str]]:
    """Return word -> capabilities and kinds of this home that contain the word in their id."""
    found: dict[str, set[str]] = {}
    for kind in listing.capabilities:
        for word in words(kind.rsplit(".", 1)[-1]):
            found.setdefault(word, set()).add(kind)
    return {word: frozenset(kinds) for word, kinds in found.items()}


def named_hits(
    listing: Listing,
    text: str,
    synonyms: Synonyms,
    skipped: frozenset[str] = frozenset(),
    *,
    least: float = 0.0,
) -> list[Mapping[int, float]]:
    """Return a mapping (device index -> score) for each word; a place name counts as one word.

    For example, `Bedroom 3` matches only this room, not every bedroom or every 3. Words in
    `skipped` and matches with a weight below `least` are ignored.
    """
    said = words(text)
    hits: list[Mapping[int, float]] = []
    used: set[str] = set()
    for place in said_places(listing, said):
        name = said[place.start : place.end]
        used.update(name)
        # A device elsewhere that matches all words of the name gets the score of its worst matching
        # word, halved if this score is below `FORM`.
        by_word = [listing.index.hits(word) for word in name]
        shared = set(by_word[0]).intersection(*by_word[1:])
        found = {each: min(own[each] for own in by_word) for each in shared}
        found = {each: worth if worth >= FORM else worth / 2 for each, worth in found.items()}
        hits.append({**found, **dict.fromkeys(place.devices, 1.0)})
    left = (word for word in dict.fromkeys(content_words(text)) if word not in used | skipped)
    hits.extend(hits_of(listing, word, synonyms, least) for word in left)
    return hits


def possibly_meant(
    listing: Listing, text: str, synonyms: Synonyms = NO_SYNONYMS, *, seen: Container[str] = ()
) -> tuple[Device, ...]:
    """Return the devices that match every word of `text`, by name, kind or place.

    Empty proves that the home has nothing that is called like `text`. `seen`: ids of devices that
    the model has seen, and still says that it is none of them: a word that is only similar, as
    "skylight" to "light", then means none.
    """
    hits = named_hits(listing, text, synonyms)
    shared = set(hits[0]).intersection(*hits[1:]) if hits else set[int]()
    found = {listing.devices[place]: min(own[place] for own in hits) for place in sorted(shared)}
    is_seen = any(device.id in seen for device in found)
    return tuple(each for each, worth in found.items() if not is_seen or worth > PART_OF_WORD)


def equally_meant(
    listing: Listing, request: str, chosen: Collection[str], synonyms: Synonyms, room: str | None
) -> tuple[Device, ...]:
    """Return the devices that fit a request exactly as well as one of the `chosen` (device ids).

    They match the same words, are of the same kind, and both or neither are in `room` and named in
    full. If a request, such as "turn on the", has no words for a device, it means any of them.
    """
    hits, whole = named_hits(listing, request, synonyms), f" {' '.join(words(request))} "

    in_full = _named(listing, range(len(listing.devices)), whole)

    def fit(place: int) -> tuple[object, ...]:
        device, by_word = listing.devices[place], [own.get(place, 0.0) for own in hits]
        kind = device.components[0].capabilities if hits and device.components else ()
        is_here = room is not None and device.area == room
        return (*by_word, kind, is_here, place in in_full)

    own = {fit(listing.position(listing.device(each))) for each in chosen}
    others = (place for place, each in enumerate(listing.devices) if each.id not in chosen)
    return tuple(listing.devices[place] for place in others if fit(place) in own)


# ------------------------------------------------------------ places and device names in a text

type _Names = Mapping[str, Sequence[tuple[tuple[str, ...], frozenset[int]]]]
"""First word of a name -> [(all words of the name, positions of devices in `Listing.devices`)]."""


@dataclass(frozen=True, slots=True)
class SaidName:
    """A name in a list of words, from position `start` to `end` (exclusive)."""

    name: str  # the name in lower case, without accents
    start: int
    end: int
    devices: frozenset[int]
    """Positions in `Listing.devices` of the devices with this name or in this place."""


def said_groups(listing: Listing, text: str) -> str:
    """Return a line such as `Groups: "all Christmas decorations" (label).`; may be empty.

    It names the labels of which the text has at least half of the words, and the areas and floors
    that it calls by an alias.
    """
    said = frozenset(form for word in words(text) for form in forms(word))
    groups: list[str] = []
    for label in listing.labels:
        own = content_words(label) or words(label)
        hits = sum(not forms(word).isdisjoint(said) for word in own)
        # A label that is called like a kind names no group of its own.
        if hits >= max(1, _HALF * len(own)) and not listing.of_kind(key(label)):
            groups.append(f'"all {quiet(label)}" (label)')
    for each in said_places(listing, words(text)):
        place = listing.place(each.name)
        if place is not None and place.kind != "label" and key(place.name) != each.name:
            groups.append(f'"all ... in {each.name}" ({place.kind} {quiet(place.name)})')
    shown = ", ".join(list(dict.fromkeys(groups))[:_MOST_GROUPS])
    return f"Groups: {shown}." if shown else ""


def render_surroundings(
    listing: Listing, request: str, shown: Collection[str], synonyms: Synonyms = NO_SYNONYMS
) -> str:
    """Return a line that shows what the home lacks for a request; may be empty.

    `shown`: ids of the devices that the prompt documents. The line has

    - for each place in the request where no other word means anything: all its devices
    - without a place: the words that nothing is called like; and all rooms if the devices are in
      several and are not only named by their kind, or the kinds of devices if there are none
    """
    said = words(request)
    places = said_places(listing, said)
    in_names = {word for each in places for word in said[each.start : each.end]}
    others = [word for word in dict.fromkeys(content_words(request)) if word not in in_names]
    hits = {word: hits_of(listing, word, synonyms, CAPTION) for word in others}
    if places:
        matched = frozenset[int]().union(*hits.values())
        alone = (each for each in places if each.devices and each.devices.isdisjoint(matched))
        return " ".join(filter(None, (_all_in(listing, each, shown) for each in alone)))
    unknown = [word for word, own in hits.items() if not own and not word.isdigit()]
    is_clear = 0 < len(unknown) <= _MOST_WORDS
    lines = [f"Nothing here is called {' or '.join(unknown)}."] if is_clear else []
    if unknown and not shown:
        parts = (part for device in listing.devices for part in device.components)
        kinds = sorted({part.capabilities[0] for part in parts})
        lines.append(f"Kinds of devices here: {', '.join(kinds)}.")
    elif unknown and len(unknown) == len(hits):
        lines += _others_of(listing, shown)
    elif len({listing.device(each).area for each in shown}) > 1 and not all(
        kinds_meant(listing, word, synonyms) for word in hits
    ):
        lines.append(f"All rooms: {_all_rooms(listing)}.")
    return " ".join(lines)


def _others_of(listing: Listing, shown: Collection[str]) -> Iterator[str]:
    devices = map(listing.device, shown)
    kinds = {(each.area, part.capabilities[0]) for each in devices for part in each.components[:1]}
    for area, kind in kinds if len(kinds) == 1 else ():
        own = (found.device.id for found in listing.of_kind(kind, area) if area)
        if others := [each for each in dict.fromkeys(own) if each not in shown]:
            yield f"Other {kind} in {quiet(area or '')}: {', '.join(others[:_MOST_IN_PLACE])}."


def _all_in(listing: Listing, place: SaidName, shown: Collection[str]) -> str:
    """Return a sentence that has all devices of a place; empty for too many."""
    there = [listing.devices[position].id for position in sorted(place.devices)]
    held = listing.place(place.name)
    name = quiet(held.name if held else place.name)
    if all(each in shown for each in there):
        return f"Nothing else is in {name}."
    return f"All of {name}: {', '.join(there)}." if len(there) <= _MOST_IN_PLACE else ""


def _all_rooms(listing: Listing) -> str:
    areas = listing.areas.values()
    floors = grouped((quiet(area.floor or ""), quiet(area.name)) for area in areas)
    rooms = ((floor, ", ".join(own)) for floor, own in floors.items())
    return "; ".join(": ".join(filter(None, each)) for each in rooms)


def said_places(listing: Listing, said: Sequence[str]) -> list[SaidName]:
    """Return the areas, floors and labels in a text, in order; of two names the longer."""
    return _said(said, _known_places(listing), forms)


def said_devices(listing: Listing, said: Sequence[str]) -> list[SaidName]:
    """Return the complete device names that occur in a text; names of one word are ignored.

    `said` are the words of the text. `SaidName.devices` also has the devices with a longer name
    that contains the found name: for the name Front Door, also the device Front Door Sensor.
    """
    texts, names = _device_names(listing)
    return [
        replace(each, devices=frozenset(place for place, text in texts if f" {each.name} " in text))
        for each in _said(said, names, lambda word: frozenset((word,)))
    ]


def _said(
    said: Sequence[str], names: _Names, forms_of: Callable[[str], frozenset[str]]
) -> list[SaidName]:
    """Return the names that stand in the words `said`, where `forms_of` are the forms of a word."""
    result: list[SaidName] = []
    start = 0
    while start < len(said):
        fitting = [
            (name, devices)
            for form in forms_of(said[start])
            for name, devices in names.get(form, ())
            if len(name) <= len(said) - start
            and not any(
                forms_of(own).isdisjoint(forms_of(word))
                for own, word in zip(name, said[start:], strict=False)
            )
        ]
        longest = max((name for name, _ in fitting), key=len, default=())
        if longest:
            devices = [there for name, there in fitting if len(name) == len(longest)]
            end = start + len(longest)
            result.append(SaidName(" ".join(longest), start, end, frozenset().union(*devices)))
        start += len(longest) or 1
    return result


@lru_cache(maxsize=MAX_LISTINGS)
def _known_places(listing: Listing) -> _Names:
    named: dict[tuple[str, ...], frozenset[int]] = {}
    for _, text, place in listing.named_places:
        devices = frozenset(listing.position(part.device) for part in place.parts)
        named[words(text)] = named.get(words(text), frozenset()) | devices
    return _by_first_word(named, forms)


@lru_cache(maxsize=MAX_LISTINGS)
def _device_names(listing: Listing) -> tuple[Sequence[tuple[int, str]], _Names]:
    """Return the position of each device with its names as text, and the names of several words."""
    names = [
        (number, words(name))
        for number, device in enumerate(listing.devices)
        for name in (device.name, *device.aliases)
    ]
    # A single word may also mean a kind of device. `said_places` finds the names of places.
    several = {
        name: frozenset[int]()
        for _, name in names
        if len(name) > 1
        and not any(each.end - each.start == len(name) for each in said_places(listing, name))
    }
    texts = [(number, f" {' '.join(name)} ") for number, name in names]
    return texts, _by_first_word(several, lambda word: frozenset((word,)))


def _by_first_word(
    names: Mapping[tuple[str, ...], frozenset[int]], forms_of: Callable[[str], frozenset[str]]
) -> _Names:
    return grouped(
        (form, named) for named in names.items() if named[0] for form in forms_of(named[0][0])
    )
