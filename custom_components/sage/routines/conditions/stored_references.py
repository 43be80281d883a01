"""References to entities and devices, which routines store instead of names.

A reference stays valid when the entity or device is renamed. A reference has one of these forms:

- `entity:<registry id>`: an entity;
- `id:<entity id>`: an entity without a registry entry;
- `device:<registry id>`: a device with all its entities;
- `device:<registry id>/<registry id of an entity>`: the entities of a device that are in the same
  area as the given entity;
- `raw:<registry id>/<component>/<capability>/<attribute>`: a SmartThings attribute of a device.
"""

from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ...home.home_types import Device
from ...home.listing import Found, Listing
from ...home.smartthings.coverage import PLATFORM
from ...home.smartthings.raw import AttributePlace
from ..interfaces import WithheldError

ENTITY: Final = "entity"
UNREGISTERED: Final = "id"
DEVICE: Final = "device"
RAW: Final = "raw"

_REGISTRY_DEVICES: Final[WeakKeyDictionary[Listing, dict[str | None, list[Device]]]] = (
    WeakKeyDictionary()
)
"""Listing -> its devices by their id in the device registry."""

HANDLES: Final = (f"{ENTITY}:", f"{DEVICE}:")
"""Prefixes of the references that condition code may use in place of a device name."""


@dataclass(frozen=True, slots=True)
class EntityTarget:
    """The entity that a stored reference means."""

    entity_id: str
    """The current entity id."""
    is_registered: bool
    """Whether the entity is in the entity registry."""


@dataclass(frozen=True, slots=True)
class RawTarget:
    """A SmartThings attribute of a device."""

    device_id: str
    """The id in Home Assistant's device registry."""

    component: str
    capability: str
    attribute: str


def reference_of_entity(hass: HomeAssistant, entity_id: str) -> str:
    """Return the reference that a routine stores for an entity, such as `entity:<registry id>`."""
    entry = er.async_get(hass).async_get(entity_id)
    return f"{UNREGISTERED}:{entity_id}" if entry is None else f"{ENTITY}:{entry.id}"


def reference_of_raw(place: RawTarget) -> str:
    """Return the reference that a routine stores for a SmartThings attribute."""
    parts = (place.device_id, place.component, place.capability, place.attribute)
    return f"{RAW}:{'/'.join(parts)}"


def reference_of(hass: HomeAssistant, listing: Listing, found: Found) -> str:
    """Return the reference that a routine stores for a device or one of its entities.

    `found`: the device or entity, from `listing`. A device with only one entity gets the reference
    of this entity.
    """
    device = found.device
    if found.component is not None:
        return reference_of_entity(hass, found.component.id)
    if len(device.components) == 1 and not device.raw_components:
        return reference_of_entity(hass, device.components[0].id)
    device_id = registry_device_of(hass, device)
    if device_id is None:
        return reference_of_entity(hass, device.components[0].id)
    if len(_parts_of(hass, listing, device_id)) == 1:
        return f"{DEVICE}:{device_id}"
    anchor = er.async_get(hass).async_get(device.components[0].id)
    assert anchor is not None
    return f"{DEVICE}:{device_id}/{anchor.id}"


def registry_device_of(hass: HomeAssistant, device: Device) -> str | None:
    """Return the device registry id of a device in SAGE's list.

    None if `device` is only an entity that belongs to no registry device, such as a helper.
    """
    registry = er.async_get(hass)
    entries = (registry.async_get(each.id) for each in device.components)
    return next((entry.device_id for entry in entries if entry and entry.device_id), None)


def _parts_of(hass: HomeAssistant, listing: Listing, device_id: str) -> list[Device]:
    """Return the devices in `listing` that belong to one device of the device registry.

    A listing has one device for each area in which the registry device has entities.
    """
    if (known := _REGISTRY_DEVICES.get(listing)) is None:
        known = _REGISTRY_DEVICES[listing] = {}
        for each in listing.devices:
            known.setdefault(registry_device_of(hass, each), []).append(each)
    return known.get(device_id, [])


def entity_of(hass: HomeAssistant, reference: str) -> EntityTarget | None:
    """Return the entity that a stored reference means; None if it does not mean an entity.

    Raises WithheldError if the entity no longer exists or is disabled.
    """
    kind, _, rest = reference.partition(":")
    if kind == UNREGISTERED:
        # Registered meanwhile or not, it is still the same entity.
        return EntityTarget(rest, is_registered=er.async_get(hass).async_get(rest) is not None)
    if kind != ENTITY:
        return None
    entry = er.async_get(hass).entities.get_entry(rest)
    if entry is None or entry.disabled:
        raise WithheldError
    return EntityTarget(entry.entity_id, is_registered=True)


def raw_of(hass: HomeAssistant, reference: str) -> RawTarget | None:
    """Return the SmartThings attribute that a stored reference means; None for other references.

    Raises WithheldError if the device no longer exists.
    """
    kind, _, rest = reference.partition(":")
    if kind != RAW:
        return None
    parts = rest.split("/")
    if len(parts) != 4 or dr.async_get(hass).async_get(parts[0]) is None:
        raise WithheldError
    return RawTarget(*parts)


def device_of(hass: HomeAssistant, listing: Listing, reference: str) -> Device:
    """Return the device in `listing` that a stored reference means.

    Raises WithheldError if `reference` does not mean a device (`device:...`), or if `listing` does
    not contain the device.
    """
    kind, _, rest = reference.partition(":")
    if kind != DEVICE:
        raise WithheldError
    device_id, _, anchor = rest.partition("/")
    found = _parts_of(hass, listing, device_id)
    if anchor and (entry := er.async_get(hass).entities.get_entry(anchor)) is not None:
        there = [each for each in found if entry.entity_id in {part.id for part in each.components}]
        found = there or found
    if not found:
        raise WithheldError
    return found[0]


def cloud_place_of(hass: HomeAssistant, target: RawTarget) -> AttributePlace | None:
    """Return the address of an attribute in SmartThings; None if the device no longer exists."""
    entry = dr.async_get(hass).async_get(target.device_id)
    identifiers = entry.identifiers if entry is not None else ()
    ids = [raw_id for domain, raw_id, *_ in identifiers if domain == PLATFORM]
    if not ids:
        return None
    return AttributePlace(ids[0], target.component, target.capability, target.attribute)
