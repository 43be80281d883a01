"""References to entities and devices, which routines store instead of names.

A reference stays valid when the entity or device is renamed. A reference has one of these forms:

- `entity:<registry id>`: an entity;
- `id:<entity id>`: an entity without a registry entry;
- `device:<registry id of an entity>`: the device in SAGE's list that has this entity;
- the key of an attribute that no entity offers (`MoreAttribute.key`).
"""

from contextlib import suppress
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from ...home.home_types import Device, HomeError
from ...home.listing import Found, Listing
from ..evaluation import WithheldError

ENTITY: Final = "entity"
_UNREGISTERED: Final = "id"
_DEVICE: Final = "device"


def reference_of_entity(hass: HomeAssistant, entity_id: str) -> str:
    """Return the reference that a routine stores for an entity, such as `entity:<registry id>`."""
    entry = er.async_get(hass).async_get(entity_id)
    return f"{_UNREGISTERED}:{entity_id}" if entry is None else f"{ENTITY}:{entry.id}"


def reference_of(hass: HomeAssistant, found: Found) -> str:
    """Return the reference that a routine stores for a device or one of its entities.

    A device with only one entity gets the reference of this entity.
    """
    device, part = found.device, found.component
    if part is None and (len(device.components) > 1 or device.more_components):
        entry = er.async_get(hass).async_get(device.components[0].id)
        if entry is not None and entry.device_id is not None:
            return f"{_DEVICE}:{entry.id}"
    return reference_of_entity(hass, (part or device.components[0]).id)


def entity_of(hass: HomeAssistant, reference: str) -> str | None:
    """Return the entity id that a stored reference means; None if it does not mean an entity.

    Raises WithheldError if the entity no longer exists or is disabled.
    """
    kind, _, rest = reference.partition(":")
    if kind == _UNREGISTERED:
        # Registered meanwhile or not, it is still the same entity.
        return rest
    return _entry(hass, rest).entity_id if kind == ENTITY else None


def device_of(hass: HomeAssistant, listing: Listing, reference: str) -> Device:
    """Return the device in `listing` that a stored reference means.

    Raises WithheldError if `reference` does not mean a device (`device:...`), or if `listing` does
    not contain the device.
    """
    kind, _, rest = reference.partition(":")
    if kind != _DEVICE:
        raise WithheldError
    entry = _entry(hass, rest)
    rows = er.async_entries_for_device(er.async_get(hass), entry.device_id or "")
    for entity_id in (entry.entity_id, *(row.entity_id for row in rows)):
        with suppress(HomeError):
            return listing.find(entity_id).device
    raise WithheldError


def _entry(hass: HomeAssistant, registry_id: str) -> er.RegistryEntry:
    entry = er.async_get(hass).entities.get_entry(registry_id)
    if entry is None or entry.disabled:
        raise WithheldError
    return entry
