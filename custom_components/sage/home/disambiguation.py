"""Find the device that a description means; words that match fewer candidates count more."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import log
from typing import Final

from ..embeddings import Likeness
from ..text import forms, key, words
from .home_types import Device, Fact, Reading
from .listing import Listing, alias_of
from .matching import named_hits, said_places
from .prompt_text import called, label, part_label, quiet
from .rendering import assigned, free_line, with_texts
from .values import STATE, grouped
from .vocabulary import NO_SYNONYMS, Synonyms

CLEAR_MARGIN: Final = 0.15  # minimum lead of the best score over the second for a clear match
_NAMED: Final = 0.15
"""Maximum reduction of a score, as a fraction, if the text contains no word of the name.

If the text contains some words of the name, the reduction is smaller.
"""

_ELSEWHERE: Final = 0.8  # factor for devices outside the speaker's room, if no place is named
_CONSIDERED: Final = 0.5  # matches below this share of the best score are dropped
_MOST_MATCHES: Final = 6
_LOOKS: Final = 0.5  # minimum weight of the photo comparison in a score
_WELL: Final = 0.5  # minimum score of a good match; below it, there may be no such device


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A device that a description may mean."""

    device: Device
    score: float  # 0 to 1; 1 means that the description is exactly the id, a name or an alias
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
    readings: tuple[Reading, ...] = ()  # the states that were compared with the description
    photo_match: Likeness | None = None
    """Result of the comparison with photos or captions; None if not compared."""

    unknown: tuple[str, ...] = ()  # given candidates that are no device or group

    @property
    def margin(self) -> float:
        """Score of the best match minus that of the second, which is 0 if missing; 0 to 1."""
        scores = [*(each.score for each in self.matches[:2]), 0.0, 0.0]
        return scores[0] - scores[1]

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

    @property
    def text(self) -> str:
        """The best matches for the model, and whether the first is clearly better."""
        if not self.matches:
            return (
                f'No device fits "{quiet(self.description)}". '
                "Ask the person, or say that the home has none."
            )
        states = grouped((each.device_id, each) for each in self.readings)
        lines: list[str] = []
        texts: list[str] = []
        for number, match in enumerate(islice(self.matches, _MOST_MATCHES), 1):
            device = match.device
            alias = alias_of(device, match.component_id, self.description)
            named = label(device.id, called(device.name, alias), device.area)
            named = part_label(named, match.component_id) if match.component_id else named
            shown = states.get(device.id, [])[:3]
            state = ", ".join(filter(None, map(_state, shown)))
            texts += [
                free_line(each, fact)
                for each in shown
                if each.available and (fact := each.fact(STATE)) and fact.is_free_text
            ]
            lines.append(
                f"{number}. {named}, score {match.score:.2f}{_photo(self, device)}"
                + (f", {state}" if state else "")
            )
        if (more := len(self.matches) - _MOST_MATCHES) > 0:
            lines.append(f"{more} more fit less.")
        if self.unknown:
            unknown = ", ".join(f'"{quiet(each)}"' for each in self.unknown[:_MOST_MATCHES])
            lines.append(f"Candidates that are no device or group: {unknown}.")
        best = self.matches[0].device.id
        clear = f"is clear: {best}" if self.is_clear else "is not clear: ask, or read more"
        lines.append(f"Margin of the first: {self.margin:.2f}; it {clear}.")
        if not self.fits:
            lines.append("It fits only in part. If it is not the one, say that the home has none.")
        lines += _about_photos(self)
        return with_texts("\n".join(lines), texts)


@dataclass(slots=True, kw_only=True)
class Looks:
    """What the home asks about the photos of devices."""

    caption: Callable[[Sequence[str]], str]
    """Returns the captions of a device on one line, by the registry ids of its parts."""

    async_compare: Callable[[str, Mapping[str, Sequence[str]], str], Awaitable[Likeness | None]]
    """Compares a description with photos; see `photos.device_looks.DeviceLooks`."""

    has_photos: bool = False  # whether at least one device has a photo
    version: int = 0  # a counter that grows whenever a caption may have changed


def rank(
    listing: Listing,
    readings: Iterable[Reading],
    description: str,
    candidates: Sequence[Device] | None = None,
    *,
    state: str = "",
    synonyms: Synonyms = NO_SYNONYMS,
    room: str | None = None,
    photo_match: Likeness | None = None,
) -> tuple[Match, ...]:
    """Return the candidates that match a description, best first.

    - `candidates`: devices to compare; None means all
    - `state`: state of the described device, such as "on", to compare with `readings`; without
      readings it is not compared
    - `room`: the speaker's area, preferred if the description names no place
    - `photo_match`: result of a comparison with photos

    Candidates with less than half of the best score are left out.
    """
    devices = listing.devices if candidates is None else candidates
    places = frozenset(map(listing.position, devices))
    hits: list[Mapping[int, float]] = [
        {place: worth for place, worth in found.items() if place in places}
        for found in (
            *named_hits(listing, description, synonyms, frozenset(words(state))),
            *_state_hits(listing, readings, state, synonyms),
        )
    ]
    # A word that matches no device counts half as much as one that matches a single device.
    most = len(places)
    weights = [log(1 + most / len(found)) if found else log(1 + most) / 2 for found in hits]
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


def _looks(listing: Listing, places: frozenset[int], photo_match: Likeness) -> Mapping[int, float]:
    """Return device index -> photo score; devices without photos get the average score."""
    chance = 1 / len(places)
    shares = {place: photo_match.shares.get(listing.devices[place].id) for place in places}
    known = sum(share is not None for share in shares.values())
    return {
        place: chance if share is None else share * known * chance
        for place, share in shares.items()
    }


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
            if meaning.startswith("state:")
        }
        # Ignore words without a match, such as "turned" in "turned on".
        if places := {place: 1.0 for place, words_ in texts if not wanted.isdisjoint(words_)}:
            found.append(places)
    return found or [{}]


def _state_words(reading: Reading) -> frozenset[str]:
    texts = (text for fact in reading.attributes for text in (fact.value, fact.meaning))
    return frozenset(word for text in texts if isinstance(text, str) for word in words(text))


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
    if not name:
        return 0.0
    return sum(not forms(word).isdisjoint(said) for word in name) / len(name)


def _part(device: Device, said: frozenset[str]) -> str | None:
    if len(device.components) < 2:
        return None
    named = [
        each.id
        for each in device.components
        if any(_share(words(text), said) == 1.0 for text in (each.name, *each.aliases))
    ]
    return named[0] if len(named) == 1 else None


# ------------------------------------------------------------ the ranking as text


def _photo(ranking: Ranking, device: Device) -> str:
    caption = f', photo: "{quiet(device.caption)}"' if device.caption else ""
    if ranking.photo_match is None:
        return caption
    share = ranking.photo_match.shares.get(device.id)
    return caption + (", no photo" if share is None else f", {ranking.photo_match.by} {share:.2f}")


def _about_photos(ranking: Ranking) -> Iterator[str]:
    photo_match = ranking.photo_match
    if photo_match is None:
        if not ranking.is_clear:
            yield "There are no photos of these devices to compare with."
        return
    if not photo_match.fits:
        yield f"The {photo_match.by} do not show clearly which one it is."
    if photo_match.trouble:
        yield quiet(photo_match.trouble)


def _state(reading: Reading) -> str:
    """Return the state of a component as text; empty for text from an untrusted source."""
    if not reading.available:
        return "unavailable"
    state = reading.fact(STATE) or Fact(name=STATE)
    return "" if state.is_free_text else assigned(state)
