"""Which entities a target names: by entity, device, area, floor or label."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.const import ENTITY_MATCH_ALL, ENTITY_MATCH_NONE
from homeassistant.core import HomeAssistant, valid_entity_id
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.target import TargetSelection, async_extract_referenced_entity_ids
from homeassistant.helpers.template import Template, is_template_string

TARGET_KEYS: Final = ("entity_id", "device_id", "area_id", "floor_id", "label_id")


def is_all(target: Mapping[str, Any]) -> bool:
    """Tell whether the target is everything of a domain."""
    entity_ids = target.get("entity_id")
    return entity_ids in (ENTITY_MATCH_ALL, [ENTITY_MATCH_ALL])


def targeted_entities(
    hass: HomeAssistant, target: Mapping[str, Any], domain: str
) -> frozenset[str] | None:
    """Return the ids of all entities a target names; None when it is made at run time.

    A name of a place counts with everything there, configuration entities
    included: rather too much than too little.
    """
    flat: dict[str, list[str]] = {}
    for name in TARGET_KEYS:
        values = _strings(target.get(name))
        if values is None:
            return None
        if values := [value for value in values if value != ENTITY_MATCH_NONE]:
            flat[name] = values
    if ENTITY_MATCH_ALL in flat.get("entity_id", ()):
        everything = None if domain == "homeassistant" else domain
        return frozenset(hass.states.async_entity_ids(everything))
    registry = er.async_get(hass)
    if "entity_id" in flat:
        resolved = [er.async_resolve_entity_id(registry, each) for each in flat["entity_id"]]
        if None in resolved:
            return None
        flat["entity_id"] = [each.lower() for each in resolved if each]
    selected = async_extract_referenced_entity_ids(
        hass, TargetSelection(flat), expand_group=False, primary_entities_only=False
    )
    return frozenset(
        each
        for each in selected.referenced | selected.indirectly_referenced
        if valid_entity_id(each)
    )


def _strings(value: Any) -> list[str] | None:
    """Return the ids in a value of a target; None when one is made at run time."""
    if value is None:
        return []
    if isinstance(value, str):
        value = [each.strip() for each in value.split(",") if each.strip()]
    if not isinstance(value, list | tuple | set | frozenset):
        return None
    for each in value:
        if isinstance(each, Template) or not isinstance(each, str) or is_template_string(each):
            return None
    return list(value)
