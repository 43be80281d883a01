"""The data with which a routine undoes its changes, also after a restart."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.json import json_encoder_default

from ..home_types import Outcome, OutcomeKind
from .undo_history import may_have_changed

_CHANGES: Final = "changes"
_REGISTRY_ID: Final = "registry_id"
_STORED: Final = (
    *("kind", "source", "device_id", "device_name", "component_id", "capability", "command"),
    *("before", "after", "restore", "wanted", "source_id", "area"),
)
"""Fields of `Outcome` in an undo record. The arguments are missing: they may contain codes."""


def undo_record(hass: HomeAssistant, outcomes: Iterable[Outcome]) -> dict[str, Any] | None:
    """Return the JSON data for undoing these outcomes later; None if nothing changed.

    Outcomes of commands that were themselves an undo are left out.
    """
    changes: list[dict[str, Any]] = []
    for outcome in outcomes:
        if outcome.is_put_back or not may_have_changed(outcome):
            continue
        values = {name: getattr(outcome, name) for name in _STORED}
        if outcome.is_entity:
            row = er.async_get(hass).async_get(outcome.component_id)
            values |= {} if row is None else {_REGISTRY_ID: row.id}
        options = orjson.OPT_NON_STR_KEYS
        changes.append(orjson.loads(orjson.dumps(values, default=_encoded, option=options)))
    return {_CHANGES: changes} if changes else None


def _encoded(value: object) -> object:
    try:
        return json_encoder_default(value)
    except TypeError:
        return str(value)


def outcomes_of(hass: HomeAssistant, record: Mapping[str, Any]) -> tuple[Outcome, ...]:
    """Return the outcomes in an `undo_record`; renamed entities get their current ids."""
    outcomes: list[Outcome] = []
    for stored in record[_CHANGES]:
        values = {name: stored[name] for name in _STORED if name in stored}
        # Earlier versions stored it under this name.
        values.setdefault("source_id", stored.get("raw_device_id"))
        values["kind"] = OutcomeKind(stored["kind"])
        if registry_id := stored.get(_REGISTRY_ID):
            row = er.async_get(hass).entities.get_entry(registry_id)
            # The entity id of a deleted entity may belong to a different entity now.
            nobody = f"{stored['component_id'].partition('.')[0]}.{registry_id}"
            values["component_id"] = nobody if row is None else row.entity_id
        outcomes.append(Outcome(**values))
    return tuple(outcomes)
