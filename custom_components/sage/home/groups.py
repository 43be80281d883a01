"""All devices of a kind at once: "all light", "all light in Kitchen".

A model that names forty lamps one by one forgets some, or makes some up.
"""

import re
from collections.abc import Iterable
from typing import Final

from .listing import Found, Listing
from .model import HomeError
from .words import key

_GROUP: Final = re.compile(
    r"^\s*all\s+(?P<capability>\w+?)s?(?:\s+in\s+(?P<area>.+))?\s*$", re.IGNORECASE
)


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

    Raises HomeError for a name that stands for nothing.
    """
    found: dict[tuple[str, str | None], Found] = {}
    for name in names:
        for each in _members(listing, name):
            part = each.component.id if each.component else None
            found[each.device.id, part] = each
    return tuple(found.values())


def _members(listing: Listing, name: str) -> tuple[Found, ...]:
    group = _GROUP.match(name)
    if group is None:
        return (listing.find(name),)
    capability, area = group["capability"].lower(), group["area"]
    members = tuple(
        Found(device=device, component=part)
        for device in listing.devices
        if area is None or key(device.area or "") == key(area)
        for part in device.components
        if capability in part.capabilities
    )
    if members:
        return members
    try:
        return (listing.find(name),)
    except HomeError:
        near = [each for each in groups_of(listing) if area is None or key(area) in key(each)]
        offered = ", ".join(f'"{each}"' for each in near[:8]) or "none"
        raise HomeError(f'There is no group "{name}". Groups: {offered}.') from None
