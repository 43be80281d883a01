"""Summary lines for prompts: the devices of a domain by state, such as the lights that are on.

Small models need these lines after a device list, because they miscount states in long lists.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from .home_types import Reading
from .values import STATE

_FEW_STATES: Final = 4

type StateOf = tuple[str, str, str]
"""(Capability, name of the device with its area, state)."""


def _state_of(content: Reading) -> StateOf | None:
    """Return (domain, device name with area, state) of an available entity, else None.

    None if the state may be untrusted text, which may appear only inside its fence.
    """
    state = content.fact(STATE)
    if not content.available or not content.is_entity or state is None or state.is_free_text:
        return None
    return content.capability, _named(content.device_name, content.area), str(state.shown)


def states_by_kind(contents: Iterable[Reading]) -> list[str]:
    """Return lines such as "All light devices above with state on: Desk".

    There is one line for each domain and state, but none for a domain with:

    - only one device, or two devices of the same name
    - more than 4 states, or a state that is a number
    """
    kinds: dict[str, dict[str, list[str]]] = {}
    for capability, name, state in filter(None, map(_state_of, contents)):
        kinds.setdefault(capability, {}).setdefault(state, []).append(name)
    return [
        line
        for capability, found in kinds.items()
        if len(found) <= _FEW_STATES and _are_distinct(found.values())
        if not any(map(_is_number, found))
        for line in _lines(capability, found)
    ]


def _lines(capability: str, found: Mapping[str, Sequence[str]]) -> list[str]:
    if len(found) == 1:
        [(state, names)] = found.items()
        return [f"All {len(names)} {capability} devices above: state {state}."]
    return [
        f"All {capability} devices above with state {state}: {', '.join(names)}."
        for state, names in sorted(found.items(), reverse=True)
    ]


def _is_number(state: str) -> bool:
    try:
        float(state)
    except ValueError:
        return False
    return True


def _are_distinct(groups: Collection[Sequence[str]]) -> bool:
    """Return whether there are several names and all differ.

    Names can be equal, for example, for the doors of one refrigerator, which are its components.
    """
    names = [name for group in groups for name in group]
    return len(names) == len({*names}) > 1


def _named(name: str, area: str | None) -> str:
    """Return the name, with the area unless the name contains it."""
    return f"{name} ({area})" if area and area.casefold() not in name.casefold() else name
