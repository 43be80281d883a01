"""Find the device that a description means, using current states (DESIGN 9)."""

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
    """Return the devices that a description may mean, with their current states.

    First names, places and kinds are compared, then only the remaining devices are read, so that a
    large home costs no more. If the description matches none ("the one"), the `state` of all
    devices decides.
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
