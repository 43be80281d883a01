"""The commands of a routine: in the form that is stored, and again ready for execution."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from ...home import Command, HomeError, HomeView, ValidatedCommand
from ..evaluation import WithheldError
from ..routine_types import Commands, StoredCommand
from .calls import ENTITY, device_of, entity_of, reference_of, reference_of_entity


async def async_stored(
    hass: HomeAssistant, home: HomeView, commands: Iterable[ValidatedCommand]
) -> Commands:
    """Return validated commands in the form that a routine stores."""

    def reference(text: str) -> str:
        row = er.async_get(hass).async_get(text)
        return text if row is None else f"{ENTITY}:{row.id}"

    stored: list[StoredCommand] = []
    for command in commands:
        if command.is_entity:
            target, part = reference_of_entity(hass, command.component_id), {}
        else:
            listing = await home.async_listing()
            target = reference_of(hass, listing, command.device_id)
            part = {"component": command.component_id, "capability": command.capability}
        stored.append(
            StoredCommand(
                target=target,
                name=command.device_name,
                command=command.name,
                arguments=_with_strings(command.arguments, reference),
                **part,
            )
        )
    return Commands(commands=tuple(stored))


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
