"""The devices of a home as text for a prompt, without states.

If the full list exceeds a token budget, the text contains only the number of devices of each kind.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from .home_types import Component, Device
from .labels import alias_of, called, quiet, titled
from .listing import MAX_LISTINGS, Area, Listing
from .matching import requested
from .vocabulary import Synonyms

_CHARACTERS: Final = 4
"""Approximate characters per token."""

_LISTED_PARTS: Final = 6
"""Maximum number of components listed one by one; more are grouped by capability."""

_NO_AREA: Final = "No area"

_RAW_INFO: Final = (
    "After `smartthings` stand a component of the device and further capabilities. Only where "
    "nothing before it on the line can do or tell what is wanted, such as to set a channel or a "
    "picture mode, a step names them as `capabilities`."
)
_NO_SYNONYMS: Final[Synonyms] = {}


def render_index(listing: Listing, budget_tokens: int) -> str:
    """Return a text that lists all devices of the home, within a token budget.

    A longer list is replaced by the number of devices of each kind. Equal arguments give an
    identical text.
    """
    return _index(listing, budget_tokens)[0]


def names_all(listing: Listing, budget_tokens: int) -> bool:
    """Return whether the text of `render_index` lists every device.

    False if the list exceeds the budget: the text then has only the number of devices of each kind.
    """
    return _index(listing, budget_tokens)[1]


def has_raw_parts(listing: Listing) -> bool:
    """Return whether at least one device has SmartThings capabilities that no entity covers."""
    return any(device.raw_components for device in listing.devices)


def render_matches(
    listing: Listing,
    query: str,
    budget_tokens: int,
    synonyms: Synonyms = _NO_SYNONYMS,
) -> str:
    """Return the devices that match a request as text; empty if none matches.

    Every match is listed: a long list gets less detail, down to ids only.
    """
    return render_devices(listing, requested(listing, query, synonyms), budget_tokens, query)


def render_devices(
    listing: Listing, devices: Sequence[Device], budget_tokens: int, query: str = ""
) -> str:
    """Return the devices as text, by area, with as much detail as the budget allows.

    The long form has all aliases, the short one those that `query` uses. The shortest form has only
    ids and may exceed the budget.
    """
    for lines in (_all_full, partial(_all_short, query)):
        text = _by_area(listing, devices, lines)
        if estimate(text) <= budget_tokens:
            return text
    return _by_area(listing, devices, _ids_by_capability)


def estimate(text: str) -> int:
    """Return the approximate number of tokens in a text."""
    return len(text) // _CHARACTERS


# Equal arguments must give an identical text, so that prompt caches can reuse it.
@lru_cache(maxsize=MAX_LISTINGS)
def _index(listing: Listing, budget_tokens: int) -> tuple[str, bool]:
    """Return the device list as text (see `render_index`), and whether it has every device."""
    if not listing.devices:
        return "There are no devices.", True
    text, is_whole = _devices(listing, budget_tokens)
    if has_raw_parts(listing):
        text = f"{_RAW_INFO}\n{text}"
    return text, is_whole


def _devices(listing: Listing, budget_tokens: int) -> tuple[str, bool]:
    # Each line has at least 4 tokens: skip the full list if it cannot fit.
    if len(listing.devices) * 4 <= budget_tokens:
        text = _by_area(listing, _by_floor(listing), _all_full)
        if estimate(text) <= budget_tokens:
            return text, True
    return _counted_index(listing, budget_tokens), False


def _counted_index(listing: Listing, budget_tokens: int) -> str:
    intro = f"{len(listing.devices)} devices, too many to list. How many there are of a kind"
    text = f"{intro}, by area:\n{_by_area(listing, _by_floor(listing), _counts, apart=' ')}"
    return text if estimate(text) <= budget_tokens else f"{intro}: {_counted(listing.devices)}"


def _by_floor(listing: Listing) -> list[Device]:
    """Return all devices sorted by floor, devices without an area last."""
    return sorted(listing.devices, key=lambda each: (each.area is None, each.floor or "\uffff"))


def _by_area(
    listing: Listing,
    devices: Iterable[Device],
    lines: Callable[[Sequence[Device]], Iterable[str]],
    apart: str = "\n",
) -> str:
    """Return the devices below the headings of their areas, in the given order."""
    areas: dict[str | None, list[Device]] = {}
    for device in devices:
        areas.setdefault(device.area, []).append(device)
    return "\n".join(
        apart.join((_heading(listing.areas.get(name or "")), *lines(there)))
        for name, there in areas.items()
    )


def _heading(area: Area | None) -> str:
    if area is None:
        return f"{_NO_AREA}:"
    also = f", also {', '.join(map(quiet, area.aliases))}" if area.aliases else ""
    floor = f" ({quiet(area.floor)})" if area.floor else ""
    return f"{quiet(area.name)}{also}{floor}:"


def _all_full(devices: Sequence[Device]) -> Iterator[str]:
    yield from map(_full, devices)


def _all_short(query: str, devices: Sequence[Device]) -> Iterator[str]:
    yield from (_short(each, query) for each in devices)


def _full(device: Device) -> str:
    also = f", also {', '.join(map(quiet, device.aliases))}" if device.aliases else ""
    contents = "; ".join((_capabilities(device), *map(_raw_part, device.raw_components)))
    looks = f", photo: {quiet(device.caption)}" if device.caption else ""
    return f"- {titled(device.id, device.name, device.area)}{also}{looks}: {contents}"


def _raw_part(part: Component) -> str:
    kind = f" ({quiet(part.kind)})" if part.kind else ""
    return f"{part.source} {part.id}{kind}: {', '.join(part.capabilities)}"


def _short(device: Device, query: str) -> str:
    capabilities = dict.fromkeys(name for part in device.components for name in part.capabilities)
    capabilities |= dict.fromkeys(part.source for part in device.raw_components)
    name = called(device.name, alias_of(device, None, query))
    return f"- {titled(device.id, name, device.area)}: {', '.join(capabilities)}"


def _capabilities(device: Device) -> str:
    parts = device.components
    if len(parts) == 1:
        return _kinds(parts[0])
    if len(parts) <= _LISTED_PARTS:
        return ", ".join(_part(part, device) for part in parts)
    names: dict[str, list[str]] = {}
    for part in parts:
        names.setdefault(", ".join(part.capabilities), []).append(quiet(part.name))
    return "; ".join(f"{kind} ({', '.join(each)})" for kind, each in names.items())


def _kinds(part: Component) -> str:
    kinds = ", ".join(part.capabilities)
    return f"{kinds} ({part.kind})" if part.kind and part.kind not in part.capabilities else kinds


def _part(part: Component, device: Device) -> str:
    name = "" if part.name == device.name else f' "{quiet(part.name)}"'
    return f"{part.id}{name}"


def _counts(devices: Sequence[Device]) -> Iterator[str]:
    yield _counted(devices)


def _counted(devices: Sequence[Device]) -> str:
    counted = Counter(
        name for device in devices for name in {_kinds(part) for part in device.components}
    )
    return ", ".join(f"{number} {name}" for name, number in sorted(counted.items()))


def _ids_by_capability(devices: Sequence[Device]) -> Iterator[str]:
    by_kind: dict[str, list[str]] = {}
    for device in devices:
        kinds = dict.fromkeys(name for part in device.components for name in part.capabilities)
        by_kind.setdefault("+".join(kinds), []).append(device.id)
    for kind, ids in by_kind.items():
        yield f" {kind}: {' '.join(ids)}"
