"""All devices of a kind at once: "all light", "all light in Kitchen except kitchen_light".

A model that names forty lamps one by one forgets some, or makes some up.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

from ..text.words import key
from .home_types import Component, Device, HomeError
from .listing import Found, Listing

_GROUP: Final = re.compile(
    r"all (?P<kind>\w+?)s?(?: in (?P<place>.+?))?(?: except (?P<exceptions>.+))?",
    re.IGNORECASE,
)
_APART: Final = (re.compile(r" ?, ?(?:and )?"), re.compile(r" and ", re.IGNORECASE))
"""What separates exceptions; tried in this order, since names may hold an `and`."""


def groups_of(listing: Listing) -> tuple[str, ...]:
    """Return the groups that the devices of a listing form, in a stable order."""
    known = listing.memo.get("groups")
    if known is None:
        found: dict[str, None] = {}
        for device in listing.devices:
            for part in device.components:
                for capability in part.capabilities:
                    found[f"all {capability}"] = None
                    if device.area:
                        found[f"all {capability} in {device.area}"] = None
        known = listing.memo["groups"] = tuple(sorted(found))
    groups: tuple[str, ...] = known
    return groups


def find_all(listing: Listing, names: Iterable[str]) -> tuple[Found, ...]:
    """Return what the names stand for: ids, names, or groups; each thing once.

    A group is "all", a capability or kind ("light", "blind"), an area or floor, and what is
    left out of it: ids, areas or groups. Raises HomeError for a name that stands for nothing.
    """
    found: dict[tuple[str, str | None], Found] = {}
    for name in names:
        for each in _members(listing, name):
            part = each.component.id if each.component else None
            found[each.device.id, part] = each
    return tuple(found.values())


def _members(listing: Listing, name: str) -> tuple[Found, ...]:
    group = _GROUP.fullmatch(" ".join(name.split()))
    if group is None:
        return (listing.find(name),)
    place = group["place"]
    members = _of_kind(listing, group["kind"].lower(), place)
    if not members:
        return (_single(listing, name, place),)
    if group["exceptions"] is None:
        return members
    left_out = list(_left_out(listing, group["exceptions"]))
    kept = tuple(each for each in members if not any(_holds(other, each) for other in left_out))
    if not kept:
        raise HomeError(f'"{name}" leaves no device: all of them are among the exceptions.')
    return kept


def _single(listing: Listing, name: str, place: str | None) -> Found:
    """Return the one thing that has a name like a group; else HomeError with the groups."""
    try:
        return listing.find(name)
    except HomeError:
        near = [each for each in groups_of(listing) if place is None or key(place) in key(each)]
        offered = ", ".join(f'"{each}"' for each in near[:8]) or "none"
        raise HomeError(f'There is no group "{name}". Groups: {offered}.') from None


def _of_kind(listing: Listing, kind: str, place: str | None) -> tuple[Found, ...]:
    """Return what has the capability `kind` in an area or on a floor, else what is such a kind."""
    known: dict[tuple[str, str | None], tuple[Found, ...]] = listing.memo.setdefault("of_kind", {})
    wanted = (kind, None if place is None else key(place))
    if (found := known.get(wanted)) is not None:
        return found
    found = _parts(listing, place, lambda part: kind in part.capabilities) or _parts(
        listing, place, lambda part: kind == part.kind
    )
    if found:
        # Only groups that there are: a model may make up any number of others.
        known[wanted] = found
    return found


def _parts(
    listing: Listing, place: str | None, fits: Callable[[Component], bool]
) -> tuple[Found, ...]:
    return tuple(
        Found(device=device, component=part)
        for device in listing.devices
        if place is None or _is_in(device, place)
        for part in device.components
        if fits(part)
    )


def _is_in(device: Device, place: str) -> bool:
    return key(place) in {key(each) for each in (device.area, device.floor) if each}


def _left_out(listing: Listing, text: str, separators: int = 0) -> Iterable[Found]:
    """Yield what a group leaves out: ids, names, areas, floors or groups.

    Raises HomeError for what is none of these.
    """
    there = tuple(Found(device=each) for each in listing.devices if _is_in(each, text))
    try:
        yield from there or find_all(listing, (text,))
    except HomeError:
        for place, apart in enumerate(_APART[separators:], start=separators):
            if len(parts := apart.split(text)) > 1:
                for part in parts:
                    yield from _left_out(listing, part, place)
                return
        raise


def _holds(whole: Found, member: Found) -> bool:
    """Return whether a member of a group is this device, or this part of it."""
    if whole.device.id != member.device.id:
        return False
    return whole.component is None or whole.component == member.component
