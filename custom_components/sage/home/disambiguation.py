"""Which device is meant, with the states of those that may be (DESIGN 9)."""

from collections.abc import Sequence

from ..people.person import Person
from .entities.reading import Reader
from .home_types import Device
from .listing import Listing
from .matching import Ranking, rank
from .vocabulary import Synonyms


async def async_rank(
    listing: Listing,
    reader: Reader,
    person: Person,
    description: str,
    candidates: Sequence[Device] | None = None,
    *,
    state: str = "",
    synonyms: Synonyms,
    room: str | None = None,
) -> Ranking:
    """Return the devices that a description may mean, with their present states.

    First by names, places and kinds; only what these leave is read, so that a
    large home costs no more than the devices in question. Where a description names
    none of them ("the one"), the `state` of all decides.
    """
    named = rank(listing, (), description, candidates, state=state, synonyms=synonyms, room=room)
    everything = listing.devices if candidates is None else candidates
    possible = [match.device for match in named] or list(everything)
    readings = await reader.async_survey(person, possible)
    return Ranking(
        description=description,
        matches=rank(
            listing, readings, description, possible, state=state, synonyms=synonyms, room=room
        ),
        readings=readings,
    )
