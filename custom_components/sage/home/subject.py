"""An entity as the documentation sees it, from its state and its registry entry."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity import entity_sources

from .actions import Subject
from .model import HomeError


def subject_of(hass: HomeAssistant, entity_id: str) -> tuple[Subject, State | None]:
    """Return the entity and its state; raises HomeError when there is neither.

    What an entity can do is known from the registry while it is unavailable.
    """
    state = hass.states.get(entity_id)
    entry = er.async_get(hass).async_get(entity_id)
    if state is None and entry is None:
        raise HomeError(f"{entity_id} is no longer there. List the devices anew.")
    attributes: Mapping[str, Any] = state.attributes if state else {}
    domain, _ = split_entity_id(entity_id)
    source = entity_sources(hass).get(entity_id)
    integration = source["domain"] if source else domain
    if entry is None:
        return _subject(hass, entity_id, integration, attributes), state
    known: dict[str, Any] = {**(entry.capabilities or {})}
    known["device_class"] = entry.device_class or entry.original_device_class
    known["supported_features"] = entry.supported_features
    known["unit_of_measurement"] = entry.unit_of_measurement
    known = {name: value for name, value in known.items() if value is not None}
    merged = {**known, **attributes}
    return _subject(hass, entity_id, entry.platform, merged, entry.translation_key), state


def _subject(
    hass: HomeAssistant,
    entity_id: str,
    integration: str,
    attributes: Mapping[str, Any],
    translation_key: str | None = None,
) -> Subject:
    domain, object_id = split_entity_id(entity_id)
    entry = er.async_get(hass).async_get(entity_id)
    return Subject(
        entity_id=entity_id,
        domain=domain,
        integration=integration,
        own_action=entry.unique_id if entry else object_id,
        device_class=attributes.get("device_class"),
        features=int(attributes.get("supported_features") or 0),
        attributes=attributes,
        translation_key=translation_key,
        unit=attributes.get("unit_of_measurement"),
        temperature_unit=hass.config.units.temperature_unit,
    )
