"""The devices of a home as text for a prompt, without states."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from .home_types import Component, Device
from .listing import MAX_LISTINGS, Area, Listing
from .matching import requested, said_groups
from .prompt_text import quiet, titled
from .rendering import estimate
from .values import grouped
from .vocabulary import NO_SYNONYMS, Synonyms

_LISTED_PARTS: Final = 6  # maximum components listed one by one; more are grouped by capability
_INDEX_TOKENS: Final = 4_000
"""Maximum tokens of the full device list in a prompt; a longer list is replaced by numbers."""

_MATCHES_TOKENS: Final = 3_000

_MORE_INFO: Final = (
    "After `{sources}` stand a component of the device and further capabilities. Only where "
    "nothing before it on the line can do or tell what is wanted, such as to set a channel or a "
    "picture mode, a step names them as `capabilities`."
)


def render_index(listing: Listing, budget_tokens: int = _INDEX_TOKENS) -> str:
    """Return a text that lists all devices of the home, within a token budget.

    A longer list is replaced by the number of devices of each kind. Equal arguments give an
    identical text.
    """
    return _index(listing, budget_tokens)[0]


def render_matches(
    listing: Listing,
    query: str,
    synonyms: Synonyms = NO_SYNONYMS,
    *,
    index_tokens: int = _INDEX_TOKENS,
    budget_tokens: int = _MATCHES_TOKENS,
) -> str:
    """Return the devices that match a request, and the groups in it, as text; may be empty.

    The devices are left out if `render_index` lists all devices within `index_tokens`. Otherwise,
    every match is listed; a list of more than `budget_tokens` has only ids.
    """
    groups = said_groups(listing, query)
    if _index(listing, index_tokens)[1]:
        return groups
    devices = requested(listing, query, synonyms)
    text = _by_area(listing, devices, partial(map, _full))
    if estimate(text) > budget_tokens:
        text = _by_area(listing, devices, _ids_by_capability)
    return "\n".join(filter(None, (text, groups)))


# Equal arguments must give an identical text, so that prompt caches can reuse it.
@lru_cache(maxsize=MAX_LISTINGS)
def _index(listing: Listing, budget_tokens: int) -> tuple[str, bool]:
    """Return the device list as text (see `render_index`), and whether it has every device."""
    devices = sorted(listing.devices, key=lambda each: (each.area is None, each.floor or "\uffff"))
    if not devices:
        return "There are no devices.", True
    # Each line has at least 4 tokens: skip the full list if it cannot fit.
    can_fit = len(devices) * 4 <= budget_tokens
    text = _by_area(listing, devices, partial(map, _full)) if can_fit else ""
    is_whole = can_fit and estimate(text) <= budget_tokens
    if not is_whole:
        intro = f"{len(devices)} devices, too many to list. How many there are of a kind"
        by_area = _by_area(listing, devices, lambda those: [_counted(those)], apart=" ")
        text = f"{intro}, by area:\n{by_area}"
        if estimate(text) > budget_tokens:
            text = f"{intro}: {_counted(devices)}"
    if parts := [part for device in devices for part in device.more_components]:
        sources = "` or `".join(sorted({part.source for part in parts}))
        text = f"{_MORE_INFO.format(sources=sources)}\n{text}"
    return text, is_whole


def _by_area(
    listing: Listing,
    devices: Iterable[Device],
    lines: Callable[[Sequence[Device]], Iterable[str]],
    apart: str = "\n",
) -> str:
    areas = grouped((device.area, device) for device in devices)
    return "\n".join(
        apart.join((_heading(listing.areas.get(name or "")), *lines(there)))
        for name, there in areas.items()
    )


def _heading(area: Area | None) -> str:
    if area is None:
        return "No area:"
    also = f", also {', '.join(map(quiet, area.aliases))}" if area.aliases else ""
    floor = f" ({quiet(area.floor)})" if area.floor else ""
    return f"{quiet(area.name)}{also}{floor}:"


def _full(device: Device) -> str:
    also = f", also {', '.join(map(quiet, device.aliases))}" if device.aliases else ""
    contents = [_capabilities(device)]
    for part in device.more_components:
        kind = f" ({quiet(part.kind)})" if part.kind else ""
        contents.append(f"{part.source} {part.id}{kind}: {', '.join(part.capabilities)}")
    looks = f", photo: {quiet(device.caption)}" if device.caption else ""
    return f"- {titled(device.id, device.name, device.area)}{also}{looks}: {'; '.join(contents)}"


def _capabilities(device: Device) -> str:
    parts = device.components
    if len(parts) == 1:
        return _kinds(parts[0])
    if len(parts) <= _LISTED_PARTS:
        return ", ".join(
            part.id if part.name == device.name else f'{part.id} "{quiet(part.name)}"'
            for part in parts
        )
    names = grouped((", ".join(part.capabilities), quiet(part.name)) for part in parts)
    return "; ".join(f"{kind} ({', '.join(each)})" for kind, each in names.items())


def _kinds(part: Component) -> str:
    kinds = ", ".join(part.capabilities)
    return f"{kinds} ({part.kind})" if part.kind and part.kind not in part.capabilities else kinds


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
