"""Find the device that a description means, by names, places, kinds and state.

Words that match fewer candidates count more. Words without a match lower all scores.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import Final, Protocol

from ..helpers.slices import in_one_go
from ..text.search import FORM, NameIndex, weigh
from ..text.words import content_words, forms, key, related, words
from .groups import said_devices, said_places
from .home_types import Component, Device, Reading
from .listing import CAPTION, MAX_LISTINGS, NAME, Listing
from .vocabulary import Synonyms

CLEAR_MARGIN: Final = 0.15
"""Minimum lead of the best score over the second for a clear match."""

_NAMED: Final = 0.15
"""Maximum reduction of a score, as a fraction, if the text contains no word of the name.

If the text contains some words of the name, the reduction is smaller.
"""

_KIND: Final = 0.9
"""Weight of a word for the kind of device; a word of its name has weight 1."""

_ELSEWHERE: Final = 0.8
"""Score factor for devices outside the speaker's room, if the text names no place."""

_CONSIDERED: Final = 0.5
"""Matches below this share of the best score are dropped."""

_SELECTED: Final = 0.85
"""A word selects the devices with at least this share of the best score among its matches."""

_LOOKS: Final = 0.5
"""Minimum weight of the photo comparison in a score."""

_WELL: Final = 0.5
"""Minimum score of a good match; with a lower score, the described device may not exist."""

MANY_COMPONENTS: Final = 6
"""Number of components. If a device has more, only those are shown that a request means."""

_NO_SYNONYMS: Final[Synonyms] = {}


class PhotoMatch(Protocol):
    """The result of comparing a description with photos of devices, or with their captions."""

    @property
    def by(self) -> str:
        """The compared objects: `photos` or `captions`."""

    @property
    def shares(self) -> Mapping[str, float]:
        """The score of each device's photos, as a dict: device id -> score.

        Each score is between 0 and 1; all scores add up to 1.
        """

    @property
    def fits(self) -> bool:
        """Whether one device has a clearly higher score than the others."""

    @property
    def trouble(self) -> str:
        """Sentence that says why photos could not be compared; empty if they were compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A device that a description may mean."""

    device: Device
    score: float
    """0 to 1; 1 means that the description is exactly the id, a name or an alias."""

    component_id: str | None = None
    """Id of the component that the description names; None if it names no component."""

    @property
    def is_exact(self) -> bool:
        """Whether the description is exactly the id, a name or an alias of the device."""
        return self.score == 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The devices that a description may mean, best first."""

    description: str
    matches: tuple[Match, ...]
    readings: tuple[Reading, ...] = ()
    """The states that were compared with the description."""

    photo_match: PhotoMatch | None = None
    """Result of the comparison with photos or captions; None if not compared."""

    other_state: str = ""
    """The given state, if the best match is not in it; else empty."""

    unknown: tuple[str, ...] = ()
    """Given candidates that are no device or group."""

    @property
    def margin(self) -> float:
        """Score of the best match minus the score of the second, 0 to 1.

        A missing match counts as a score of 0.
        """
        return margin(self.matches)

    @property
    def fits(self) -> bool:
        """Whether the best match fits the whole description, as far as SAGE can see."""
        return (
            bool(self.matches)
            and self.matches[0].score >= _WELL
            and (self.photo_match is None or self.photo_match.fits or self.matches[0].is_exact)
        )

    @property
    def is_clear(self) -> bool:
        """Whether the best match fits, and fits clearly better than the second."""
        return self.fits and self.margin >= CLEAR_MARGIN


def rank(
    listing: Listing,
    readings: Iterable[Reading],
    description: str,
    candidates: Sequence[Device] | None = None,
    *,
    state: str = "",
    synonyms: Synonyms = _NO_SYNONYMS,
    room: str | None = None,
    photo_match: PhotoMatch | None = None,
) -> tuple[Match, ...]:
    """Return the candidates that match a description, best first.

    - `candidates`: devices to compare; None means all
    - `state`: state of the described device, such as "on", to compare with `readings`; without
      readings it is not compared
    - `room`: the speaker's area, preferred if the description names no place
    - `photo_match`: result of a comparison with photos

    Candidates with less than half of the best score are left out.
    """
    places = _places(listing, candidates)
    hits: list[Mapping[int, float]] = [
        {place: worth for place, worth in found.items() if place in places}
        for found in (
            *_named_hits(listing, description, synonyms, frozenset(words(state))),
            *_state_hits(listing, readings, state, synonyms),
        )
    ]
    weights = [_weight(len(places), len(found)) for found in hits]
    if photo_match is not None:
        unexplained = sum(weight for found, weight in zip(hits, weights, strict=True) if not found)
        weights = [weight if found else 0.0 for found, weight in zip(hits, weights, strict=True)]
        hits.append(_looks(listing, places, photo_match))
        # Words that match no device may describe the appearance.
        weights.append(max(unexplained, sum(weights) / max(len(weights), 1), _LOOKS))
    scores: dict[int, float] = {}
    for found, weight in zip(hits, weights, strict=True):
        for place, worth in found.items():
            scores[place] = scores.get(place, 0.0) + weight * worth
    total = sum(weights) or 1.0
    said = frozenset(form for word in words(description) for form in forms(word))
    favoured = None if said_places(listing, words(description)) else room
    least = _CONSIDERED * max(scores.values(), default=0.0)
    matches = [
        _match(listing.devices[place], score / total, said, description, favoured)
        for place, score in scores.items()
        if score >= least
    ]
    return tuple(sorted(matches, key=lambda each: (-each.score, listing.position(each.device))))


def is_in_state(
    listing: Listing,
    readings: Iterable[Reading],
    device: Device,
    state: str,
    synonyms: Synonyms = _NO_SYNONYMS,
) -> bool:
    """Return whether a word of `state`, such as "on", is among the values of a device."""
    place = listing.position(device)
    return any(place in found for found in _state_hits(listing, readings, state, synonyms))


def margin(matches: Sequence[Match]) -> float:
    """Return the score of the first match minus the score of the second.

    A missing match counts as a score of 0.
    """
    if not matches:
        return 0.0
    return matches[0].score - (matches[1].score if len(matches) > 1 else 0.0)


def requested(
    listing: Listing, request: str, synonyms: Synonyms = _NO_SYNONYMS, *, least: float = 0.0
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
    hits += [found for found in _named_hits(listing, rest, synonyms, least=least) if found]
    scores: dict[int, float] = {}
    for found in hits:
        weight = _weight(len(listing.devices), len(found))
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

    def order(place: int) -> tuple[bool, float, int]:
        device = listing.devices[place]
        names = (" ".join(words(name)) for name in (device.name, *device.aliases))
        return not any(f" {name} " in whole for name in names if name), -scores[place], place

    return tuple(listing.devices[place] for place in sorted(chosen, key=order))


def matching_devices(
    listing: Listing,
    request: str,
    synonyms: Synonyms = _NO_SYNONYMS,
    *,
    room: str | None,
    recent: Sequence[Device],
    most: int,
) -> tuple[tuple[Device, ...], int]:
    """Return up to `most` devices that a request may mention, and the number of further ones.

    The order is:

    - matching devices; first those in `room` (the speaker's area) if the request names no place
    - `recent` devices
    - all devices in `room`, only if there are no other devices
    """
    # `CAPTION` excludes matches with names of SmartThings capabilities (`RAW`).
    named = list(requested(listing, request, synonyms, least=CAPTION))
    if room is not None and not said_places(listing, words(request)):
        named.sort(key=lambda each: each.area != room)
    if not named and not recent:
        named = [each for each in listing.devices if each.area == room and room is not None]
    chosen = tuple({each.id: each for each in (*named, *recent)}.values())
    return chosen[:most], max(len(chosen) - most, 0)


def requested_components(
    listing: Listing, device: Device, request: str, synonyms: Synonyms = _NO_SYNONYMS
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
    names, kinds = _component_indexes(parts)
    meant: set[int] = set()
    for word in said:
        wanted = _kinds(listing, word, synonyms)
        found = {number for number, part in enumerate(parts) if wanted & _kinds_of(part)}
        found |= kinds.hits(word).keys()
        if not found and names.hits(word):
            return ()
        meant |= found
    if any(parts[number].name == device.name for number in meant):
        return ()
    return tuple(parts[number] for number in sorted(meant))


@lru_cache(maxsize=64)
def _component_indexes(parts: tuple[Component, ...]) -> tuple[NameIndex, NameIndex]:
    """Return the word index of the names of components, and that of their kinds."""
    return (
        _index_of((part.name, *part.aliases) for part in parts),
        _index_of((*part.capabilities, part.kind or "") for part in parts),
    )


def _index_of(texts: Iterable[Iterable[str]]) -> NameIndex:
    return in_one_go(NameIndex.build(weigh([(1.0, each)]) for each in texts))


def _kinds_of(part: Component) -> frozenset[str]:
    classes = (f"{each}.{part.kind}" for each in part.capabilities if part.kind)
    return frozenset((*part.capabilities, *classes))


def _places(listing: Listing, candidates: Sequence[Device] | None) -> frozenset[int]:
    if candidates is None:
        return frozenset(range(len(listing.devices)))
    return frozenset(listing.position(device) for device in candidates)


def _weight(count: int, fitting: int) -> float:
    if not fitting:
        return log(1 + count) / 2
    return log(1 + count / fitting)


def _hits(
    listing: Listing, word: str, synonyms: Synonyms, least: float = 0.0
) -> Mapping[int, float]:
    """Return device index -> score for the devices that a word matches, by name or kind.

    `synonyms` maps "lamp" to the kind `light`, and "open" to the state `state:open`.
    """
    kinds = _kinds(listing, word, synonyms)
    found = {place: _KIND for kind in kinds for place in listing.capabilities.get(kind, ())}
    if not found:
        return listing.index.hits(word, least)
    if listing.index.knows(word):
        for place, worth in listing.index.hits(word, least).items():
            found[place] = max(found.get(place, 0.0), worth)
    return found


def _kinds(listing: Listing, word: str, synonyms: Synonyms) -> set[str]:
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


def _named_hits(
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
        used.update(said[place.start : place.end])
        hits.append(_place_hits(listing, said[place.start : place.end], place.devices))
    left = (word for word in dict.fromkeys(content_words(text)) if word not in used | skipped)
    hits.extend(_hits(listing, word, synonyms, least) for word in left)
    return hits


def _place_hits(
    listing: Listing, name: Sequence[str], devices: frozenset[int]
) -> Mapping[int, float]:
    """Return device index -> score for the name of a place.

    A device in the place gets 1. A device elsewhere that matches all words of the name gets the
    score of its worst matching word, halved if this score is below `FORM`.
    """
    by_word = [listing.index.hits(word) for word in name]
    shared = set(by_word[0]).intersection(*by_word[1:])
    found = {each: min(hits[each] for hits in by_word) for each in shared}
    found = {each: worth if worth >= FORM else worth / 2 for each, worth in found.items()}
    return {**found, **dict.fromkeys(devices, 1.0)}


def _looks(
    listing: Listing, places: frozenset[int], photo_match: PhotoMatch
) -> Mapping[int, float]:
    """Return device index -> photo score; devices without photos get the average score."""
    chance = 1 / len(places)
    shares = {place: photo_match.shares.get(listing.devices[place].id) for place in places}
    known = sum(share is not None for share in shares.values())
    return {
        place: chance if share is None else share * known * chance
        for place, share in shares.items()
    }


def _is_state(meaning: str) -> bool:
    return meaning.startswith("state:")


def _state_hits(
    listing: Listing, readings: Iterable[Reading], state: str, synonyms: Synonyms
) -> list[Mapping[int, float]]:
    """Return, for each word of `state`, the devices with this word in their values.

    Words without a match are left out. If no word matches, return one empty mapping; without
    readings, return none.
    """
    said = [word for word in words(state) if len(word) > 1]
    by_id = {device.id: place for place, device in enumerate(listing.devices)}
    texts = [
        (by_id[each.device_id], _state_words(each)) for each in readings if each.device_id in by_id
    ]
    if not said or not texts:
        return []
    found: list[Mapping[int, float]] = []
    for word in said:
        wanted = {word} | {
            meaning.removeprefix("state:")
            for meaning in synonyms.get(word, ())
            if _is_state(meaning)
        }
        # Ignore words without a match, such as "turned" in "turned on".
        if places := {place: 1.0 for place, words_ in texts if not wanted.isdisjoint(words_)}:
            found.append(places)
    return found or [{}]


def _state_words(reading: Reading) -> frozenset[str]:
    texts = [each for each in reading.values.values() if isinstance(each, str)]
    return frozenset(word for text in (*texts, *reading.meanings.values()) for word in words(text))


def _match(
    device: Device, score: float, said: frozenset[str], description: str, room: str | None
) -> Match:
    if room is not None and device.area != room:
        score *= _ELSEWHERE
    names = (device.name, *device.aliases)
    if key(description) in {key(name) for name in (device.id, *names)}:
        return Match(device=device, score=1.0)
    named = max(_share(words(name), said) for name in names)
    score *= 1 - _NAMED + _NAMED * named
    return Match(device=device, score=round(min(score, 0.99), 3), component_id=_part(device, said))


def _share(name: Sequence[str], said: frozenset[str]) -> float:
    """Return the fraction of the words of `name` that are in `said`, 0 to 1."""
    if not name:
        return 0.0
    return sum(not forms(word).isdisjoint(said) for word in name) / len(name)


def _part(device: Device, said: frozenset[str]) -> str | None:
    """Return the id of the only component whose full name is in `said`, else None."""
    if len(device.components) < 2:
        return None
    is_said: Callable[[str], bool] = lambda text: _share(words(text), said) == 1.0  # noqa: E731
    named = [
        each.id
        for each in device.components
        if any(is_said(text) for text in (each.name, *each.aliases))
    ]
    return named[0] if len(named) == 1 else None
