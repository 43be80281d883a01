"""What is needed to put changes back, as JSON has it: it outlasts a restart (DESIGN 5 and 8).

Entities are kept by their id in the registry, so that a rename breaks nothing. What was
said to a device is not kept: it may have held a code.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.json import json_bytes
from homeassistant.util.json import json_loads

from ..home_types import PUT_BACK, Outcome, OutcomeKind, Source
from .undo_history import changes_in

_CHANGES: Final = "changes"
_REGISTRY_ID: Final = "registry_id"
_TEXTS: Final = ("device_id", "device_name", "component_id", "capability", "command")
_VALUES: Final = ("before", "after", "restore", "wanted")
_RAW_DEVICE: Final = "raw_device_id"
_AREA: Final = "area"


def undo_record(hass: HomeAssistant, outcomes: Iterable[Outcome]) -> dict[str, Any] | None:
    """Return what is needed to put back what these outcomes changed; None if that is nothing."""
    changes = [_written(hass, each) for each in changes_in(outcomes) if each.command != PUT_BACK]
    return {_CHANGES: changes} if changes else None


def outcomes_of(hass: HomeAssistant, record: Mapping[str, Any]) -> tuple[Outcome, ...]:
    """Return the outcomes that a record holds, with the entities as they are called now."""
    return tuple(_read(hass, each) for each in record[_CHANGES])


def _written(hass: HomeAssistant, outcome: Outcome) -> dict[str, Any]:
    written: dict[str, Any] = {"kind": outcome.kind.value, "source": outcome.source.value}
    written |= {name: getattr(outcome, name) for name in _TEXTS}
    written |= {name: _plain(getattr(outcome, name)) for name in _VALUES}
    if outcome.area is not None:
        written[_AREA] = outcome.area
    if outcome.raw_device_id is not None:
        written[_RAW_DEVICE] = outcome.raw_device_id
    if outcome.source is Source.HOME_ASSISTANT:
        row = er.async_get(hass).async_get(outcome.component_id)
        written |= {} if row is None else {_REGISTRY_ID: row.id}
    return written


def _read(hass: HomeAssistant, written: Mapping[str, Any]) -> Outcome:
    texts = {name: written[name] for name in _TEXTS}
    if registry_id := written.get(_REGISTRY_ID):
        row = er.async_get(hass).entities.get_entry(registry_id)
        # Where it is gone, another thing may have its entity id by now.
        nobody = f"{texts['component_id'].partition('.')[0]}.{registry_id}"
        texts["component_id"] = nobody if row is None else row.entity_id
    return Outcome(
        kind=OutcomeKind(written["kind"]),
        source=Source(written["source"]),
        raw_device_id=written.get(_RAW_DEVICE),
        area=written.get(_AREA),
        **texts,
        **{name: written.get(name, {}) for name in _VALUES},
    )


def _plain(values: Mapping[str, object]) -> dict[str, Any]:
    """Return the values as JSON has them, without those that it cannot have."""
    plain: dict[str, Any] = {}
    for name, value in values.items():
        try:
            plain[name] = json_loads(json_bytes(value))
        except TypeError, ValueError:
            continue
    return plain
