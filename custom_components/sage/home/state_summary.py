"""Which of several devices are in which state, said once more by state.

Device by device it is told already; small models lose count over a dozen lights.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from .model import Documentation, Reading, Source

_FEW_STATES: Final = 4

type StateOf = tuple[str, str, str, str]
"""Capability, name of the device with its area, id of the component, state."""


def states_of_readings(readings: Iterable[Reading]) -> list[StateOf]:
    """Return the state of each component that was read."""
    return [
        (
            reading.component_id.partition(".")[0],
            _named(reading.device_name, reading.area),
            reading.component_id,
            str(reading.meanings.get("state") or reading.values["state"]),
        )
        for reading in readings
        if reading.available and reading.capability is None and "state" in reading.values
    ]


def states_of_documents(documents: Iterable[Documentation]) -> list[StateOf]:
    """Return the state of each component that was documented."""
    return [
        (
            document.capability,
            _named(document.device_name, document.area),
            document.component_id,
            str(attribute.value),
        )
        for document in documents
        if document.available and document.source is Source.HOME_ASSISTANT
        for attribute in document.attributes
        if attribute.name == "state"
    ]


def states_by_kind(states: Iterable[StateOf]) -> list[str]:
    """Return a line for each state that devices of one kind are in; none for single devices."""
    told = tuple(states)
    named = Counter((capability, name) for capability, name, _, _ in told)
    kinds: dict[str, dict[str, list[str]]] = {}
    for capability, name, component_id, state in told:
        # Several parts of one device, such as the doors of a refrigerator.
        whole = named[capability, name] == 1
        thing = name if whole else f"{name} {component_id}"
        kinds.setdefault(capability, {}).setdefault(state, []).append(thing)
    return [
        f"All {capability} devices above with state {state}: {', '.join(names)}."
        for capability, found in kinds.items()
        if sum(map(len, found.values())) > 1 and len(found) <= _FEW_STATES
        for state, names in sorted(found.items(), reverse=True)
    ]


def _named(name: str, area: str | None) -> str:
    """Return the name, with the area where the name does not tell it."""
    return f"{name} ({area})" if area and area.casefold() not in name.casefold() else name
