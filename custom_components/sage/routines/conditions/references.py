"""References, by which a routine stores devices and commands, so that a rename changes nothing.

A reference has one of these forms:

- `entity:<registry id>`: an entity;
- `id:<entity id>`: an entity without a registry entry;
- `device:<registry id of an entity>`: the device in SAGE's list that has this entity;
- the key of an attribute that no entity offers (`MoreAttribute.key`).
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from ...home import Command, Device, HomeError, HomeView, Listing, ValidatedCommand
from ..evaluation import WithheldError
from ..routine_types import Commands, StoredCommand

ENTITY: Final = "entity"
_UNREGISTERED: Final = "id"
_DEVICE: Final = "device"


async def async_stored(
    hass: HomeAssistant, home: HomeView, command: ValidatedCommand
) -> StoredCommand:
    """Return a validated command in the form that a routine stores."""

    def reference(text: str) -> str:
        row = er.async_get(hass).async_get(text)
        return text if row is None else f"{ENTITY}:{row.id}"

    if command.is_entity:
        target, part = reference_of_entity(hass, command.component_id), {}
    else:
        listing = await home.async_listing()
        target = reference_of(hass, listing, command.device_id)
        part = {"component": command.component_id, "capability": command.capability}
    return StoredCommand(
        target=target,
        name=command.device_name,
        command=command.name,
        arguments=_with_strings(command.arguments, reference),
        **part,
    )


async def async_commands(
    hass: HomeAssistant, home: HomeView, action: Commands
) -> tuple[Command, ...]:
    """Return the stored commands of a routine, ready for execution.

    They are validated with the current permissions of the person. Raises HomeError if a device or
    a command no longer exists.
    """

    def entity_id(text: str) -> str:
        kind, _, rest = text.partition(":")
        row = er.async_get(hass).entities.get_entry(rest) if kind == ENTITY else None
        return text if row is None else row.entity_id

    listing = await home.async_listing()
    commands: list[Command] = []
    for stored in action.commands:
        try:
            target = entity_of(hass, stored.target) or device_of(hass, listing, stored.target).id
        except WithheldError:
            raise HomeError(f"{stored.name} is gone.") from None
        commands.append(
            Command(
                device_id=target,
                component_id=stored.component or target,
                capability=stored.capability or None,
                name=stored.command,
                arguments=_with_strings(stored.arguments, entity_id),
            )
        )
    await home.async_prepare(commands)
    return tuple(commands)


def _with_strings(arguments: Mapping[str, object], change: Callable[[str], str]) -> dict[str, Any]:
    """Return the arguments with `change` applied to each string in the values, at any depth."""
    return {name: _changed(each, change) for name, each in arguments.items()}


def _changed(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return _with_strings(value, change)
    if isinstance(value, list | tuple):
        return [_changed(each, change) for each in value]
    return value


def reference_of_entity(hass: HomeAssistant, entity_id: str) -> str:
    """Return the reference that a routine stores for an entity, such as `entity:<registry id>`."""
    entry = er.async_get(hass).async_get(entity_id)
    return f"{_UNREGISTERED}:{entity_id}" if entry is None else f"{ENTITY}:{entry.id}"


def reference_of(hass: HomeAssistant, listing: Listing, name: str) -> str:
    """Return the reference that a routine stores for a device or one of its entities.

    A device with only one entity gets the reference of this entity. Raises HomeError if no device
    or several devices have the name.
    """
    found = listing.find(name)
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
