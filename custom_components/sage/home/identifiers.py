"""Short, readable, stable ids of devices for models."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from homeassistant.util import slugify

from ..helpers.slices import Work

_LONGEST: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The texts from which the id of a device is made."""

    name: str
    area: str | None = None
    fallback: str = "device"
    """Text for the id if the name has no letters or digits."""


@lru_cache(maxsize=8192)
def slug(text: str) -> str:
    """Return the text as lower-case Latin letters, digits and underscores; may be empty."""
    found = slugify(text)
    if found == "unknown" and text.casefold() != "unknown":
        return ""
    return found[:_LONGEST].rstrip("_")


def identify(things: Iterable[Named]) -> Work[list[str]]:
    """Return one id for each thing, given oldest first.

    The id is the slug of the name. If an older thing has this id, it is area and name; if that is
    taken, too, name and a number. A new thing never changes an existing id.
    """
    taken: set[str] = set()
    made: list[str] = []
    for thing in things:
        name = slug(thing.name) or slug(thing.fallback) or "device"
        found = next(each for each in _candidates(name, thing.area) if each not in taken)
        taken.add(found)
        made.append(found)
        yield
    return made


def _candidates(name: str, area: str | None) -> Iterable[str]:
    yield name
    place = slug(area) if area else ""
    if place and not name.startswith(place):
        yield f"{place}_{name}"
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1
