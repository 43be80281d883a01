"""Find the device that a description means, by names, current states and photos."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ..people.person import Person
from .entities.reading import Reader
from .home_types import Device, Reading
from .listing import Listing
from .matching import PhotoMatch, Ranking, is_in_state, rank
from .vocabulary import Synonyms


class Appearance(Protocol):
    """Interface to the photos of devices and their captions."""

    @property
    def version(self) -> object:
        """Cache key that changes when the result of `caption` may change."""

    @property
    def has_photos(self) -> bool:
        """Whether at least one device has a photo."""

    def caption(self, registry_ids: Sequence[str]) -> str:
        """Return the captions of a device's photos on one line; empty without captions.

        `registry_ids` are the registry ids of the device and its entities.
        """

    async def async_compare(
        self, description: str, subjects: Mapping[str, Sequence[str]], kind: str = ""
    ) -> PhotoMatch | None:
        """Compare a description with photos (or captions) of devices; return the scores.

        - `subjects`: device id -> registry ids of the device and its entities
        - `kind`: kind of device in English, such as "lamp", or empty

        None if no device has a photo or caption, or if the comparison fails.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """The words with which a person describes a device."""

    text: str
    state: str = ""
    """State of the described device, such as "on"; empty if the person named none."""

    in_english: str = ""
    """`text` in English, for the model that compares photos; may be empty."""

    kind: str = ""
    """Kind of the device in English, such as "lamp"; may be empty."""


async def async_rank(
    listing: Listing,
    reader: Reader,
    person: Person,
    description: Description,
    candidates: Sequence[Device] | None = None,
    *,
    synonyms: Synonyms,
    room: str | None = None,
    appearance: Appearance | None = None,
) -> Ranking:
    """Return the devices that a description may mean, best first, with their current states.

    - `candidates`: the devices to compare; None means all
    - `appearance`: access to the photos; None: photos are not compared

    If the description is the exact name of a device, photos are not compared either. The state
    counts only if the description alone does not tell the devices apart.
    """
    text, state = description.text, description.state
    named = rank(listing, (), text, candidates, state=state, synonyms=synonyms, room=room)
    everything = listing.devices if candidates is None else candidates
    # Without `candidates`, compare photos of devices with a match, or of all if none matches.
    possible = [match.device for match in named] or list(everything)
    is_named = bool(named) and named[0].is_exact
    if appearance is not None and candidates is not None and not is_named:
        possible = list(candidates)
    readings = await reader.async_survey(person, possible)
    photo_match: PhotoMatch | None = None
    if appearance is not None and len(possible) > 1 and not is_named:
        subjects = {each.id: each.registry_ids for each in possible}
        photo_match = await appearance.async_compare(
            description.in_english or text, subjects, description.kind
        )

    def ranking(compared: Sequence[Reading]) -> Ranking:
        return Ranking(
            description=text,
            matches=rank(
                listing,
                compared,
                text,
                possible,
                state=state,
                synonyms=synonyms,
                room=room,
                photo_match=photo_match,
            ),
            readings=readings,
            photo_match=photo_match,
        )

    # Models often give the state that the device is to have.
    described = ranking(())
    if not state or not described.is_clear:
        return ranking(readings)
    best = described.matches[0].device
    if is_in_state(listing, readings, best, state, synonyms):
        return described
    return replace(described, other_state=state)
