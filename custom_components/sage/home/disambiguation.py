"""Find the device that a description means, using current states (DESIGN 9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..people.person import Person
from .entities.reading import Reader
from .home_types import Device
from .listing import Listing
from .matching import Likeness, Ranking, rank
from .vocabulary import Synonyms


class Appearance(Protocol):
    """What is known of how devices look, by their registry ids."""

    @property
    def version(self) -> object:
        """A value that is equal as long as `caption` returns the same."""

    @property
    def has_photos(self) -> bool:
        """Whether any device has a photo."""

    def caption(self, registry_ids: Sequence[str]) -> str:
        """Return what the photos of a device show, on one line; empty without any."""

    async def async_compare(
        self, description: str, subjects: Mapping[str, Sequence[str]]
    ) -> Likeness | None:
        """Return how well a description fits devices, given as id -> registry ids.

        None if there is nothing to compare it with.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """The words for a device."""

    text: str
    state: str = ""
    """What it is, such as "on"."""

    in_english: str = ""
    """The text in the language of the models that compare photos, if it is in another one."""


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
    """Return the devices that a description may mean, with their current states.

    First names, places and kinds are compared. Only the remaining devices are read and compared by
    their photos, so that a large home costs no more. Several `candidates` are all compared. If the
    description matches none ("the one"), the state and the photos of all devices decide. An
    exact name needs no photo.
    """
    text, state = description.text, description.state
    named = rank(listing, (), text, candidates, state=state, synonyms=synonyms, room=room)
    everything = listing.devices if candidates is None else candidates
    possible = [match.device for match in named] or list(everything)
    is_named = bool(named) and named[0].is_exact
    if appearance is not None and candidates is not None and not is_named:
        possible = list(candidates)
    readings = await reader.async_survey(person, possible)
    likeness: Likeness | None = None
    if appearance is not None and len(possible) > 1 and not is_named:
        subjects = {each.id: each.registry_ids for each in possible}
        likeness = await appearance.async_compare(description.in_english or text, subjects)
    return Ranking(
        description=text,
        matches=rank(
            listing,
            readings,
            text,
            possible,
            state=state,
            synonyms=synonyms,
            room=room,
            likeness=likeness,
        ),
        readings=readings,
        likeness=likeness,
    )
