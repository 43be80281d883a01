"""Convert a command request of the model into one validated command for an entity.

The command and its arguments must match the documentation of the entity.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er

from ..commands.pipeline import ValidatedCommand
from ..commands.validation import command_named, validated
from ..home_types import (
    Command,
    CommandDescription,
    Component,
    Device,
    Documentation,
    HomeError,
    NoCommandError,
)
from ..listing import Found, Listing
from ..resolver import component_of
from ..values import STATE
from .documentation import Documenter

_LOGGER = logging.getLogger(__name__)

_IF_MEANT: Final = (
    "Only if it is meant, call the tool again with it as device, without `component`."
)


RUN_SCRIPT: Final = ("script", "turn_on")
"""The action that runs a script; the arguments of the command are the fields of the script."""


def action_of(command: ValidatedCommand) -> tuple[str, str]:
    """Return the domain and the name of the Home Assistant action: `("light", "turn_on")`.

    The name of a command starts with the domain of the action only if the entity has another one.
    """
    domain, _, service = command.description.name.rpartition(".")
    return domain or command.capability, service


def state_to_set(command: ValidatedCommand) -> State:
    """Return the state that an undo sets; its arguments are the state and the attributes."""
    attributes = {name: value for name, value in command.arguments.items() if name != STATE}
    return State(command.component_id, command.arguments[STATE], attributes)


def _check_together(hass: HomeAssistant, command: ValidatedCommand) -> None:
    """Raise HomeError if arguments exclude each other, such as a colour and a colour temperature.

    Each is valid by itself; only the schema of the service knows that they exclude each other.
    """
    domain, name = action_of(command)
    if (domain, name) == RUN_SCRIPT:
        return
    service = hass.services.async_services_for_domain(domain).get(name)
    if service is None or service.schema is None:
        return
    try:
        service.schema({**command.arguments, "entity_id": [command.component_id]})
    except probatio.Invalid as err:
        raise HomeError(
            f"Home Assistant does not take these arguments of {command.name} together: {err}"
        ) from None
    except Exception as err:  # noqa: BLE001 - a validator of any integration
        _LOGGER.debug("The schema of %s failed: %r", command.name, err)


def registry_id_of(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return the registry id of an entity; None if it is not in the registry."""
    entry = er.async_get(hass).async_get(entity_id)
    return entry.id if entry is not None else None


def with_entity_ids(
    hass: HomeAssistant,
    listing: Listing,
    command: CommandDescription,
    domain: str,
    arguments: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the arguments with names of entities, devices and areas replaced by ids.

    A device name becomes the id of its only entity, or of its only entity in `domain`. Unknown and
    ambiguous names stay unchanged.
    """
    references = {each.name for each in command.arguments if each.is_reference}
    return {
        name: _resolved(hass, listing, domain, name, value) if name in references else value
        for name, value in arguments.items()
    }


def _resolved(hass: HomeAssistant, listing: Listing, domain: str, name: str, value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_resolved(hass, listing, domain, name, each) for each in value]
    if not isinstance(value, str):
        return value
    if "area" in name:
        area = ar.async_get(hass).async_get_area_by_name(value)
        return area.id if area is not None else value
    try:
        found = listing.find(value)
    except HomeError:
        return value
    return _entity_id(found, domain) or value


def _entity_id(found: Found, domain: str) -> str | None:
    if found.component is not None:
        return found.component.id
    components = found.device.components
    fitting = [each for each in components if domain in each.capabilities] or list(components)
    return fitting[0].id if len(fitting) == 1 else None


class EntityCommandFinder:
    """Finds and validates the entity command that the language model requests."""

    def __init__(self, hass: HomeAssistant, documents: Documenter) -> None:
        self._hass = hass
        self._documents = documents

    async def async_find(self, listing: Listing, request: Command) -> ValidatedCommand:
        """Return the validated command that a request asks for.

        `listing`: the devices that the person may see. Call `Documenter.async_refresh` first.
        Raises HomeError for an invalid request.
        """
        found = listing.find(request.device_id)
        device = found.device
        if request.component_id is None and found.component is not None:
            request = replace(request, component_id=found.component.id)
        try:
            part, document, command = await self._async_documented(device, request)
        except NoCommandError as err:
            raise await self._async_other(device, request, err) from None
        is_script = document.capability == "script"
        written = request.arguments
        arguments = validated(command, _script_fields(command, written) if is_script else written)
        if any(each.is_reference for each in command.arguments):
            arguments = with_entity_ids(
                self._hass, listing, command, document.capability, arguments
            )
        prepared = ValidatedCommand(
            device_id=device.id,
            device_name=device.spoken_name(part),
            area=device.area,
            component_id=document.component_id,
            registry_id=registry_id_of(self._hass, document.component_id),
            capability=document.capability,
            description=command,
            asked_for=request.asked_for,
            arguments=arguments,
        )
        if len(arguments) > 1:
            _check_together(self._hass, prepared)
        return prepared

    async def _async_other(
        self, device: Device, request: Command, error: NoCommandError
    ) -> HomeError:
        """Return the error, or one that names the other component that has the command."""
        if request.component_id is None:
            return error
        try:
            part, *_ = await self._async_documented(device, replace(request, component_id=None))
        except HomeError as other:
            return error if isinstance(other, NoCommandError) else other
        return NoCommandError(
            f"{request.component_id} has no command {request.name}. Another component of "
            f"{device.name} has it: {part.id}. {_IF_MEANT}"
        )

    async def _async_documented(
        self, device: Device, request: Command
    ) -> tuple[Component, Documentation, CommandDescription]:
        """Return the only component with this command, its documentation and the command.

        Raises HomeError if no component or several components have the command.
        """
        components = list(device.components)
        if request.capability is not None:
            components = [e for e in components if request.capability in e.capabilities]
        if request.component_id is not None or not components:
            # If none has the capability, the error lists the components.
            components = [component_of(device, request.component_id, request.capability)]
        found: list[tuple[Component, Documentation, CommandDescription]] = []
        error: HomeError | None = None
        takes_commands = False
        for component in components:
            document = await self._documents.async_document(
                device, component.id, only_commands=True
            )
            try:
                name = request.name
                if document.capability == "script":
                    name = _name_of_script(document, name)
                found.append((component, document, command_named(document, name)))
            except HomeError as err:
                # Prefer the error of a component with commands, because it lists the commands.
                if error is None or (document.commands and not takes_commands):
                    error, takes_commands = err, bool(document.commands)
        if len(found) == 1:
            return found[0]
        if not found and error is not None:
            raise error
        if not found:
            raise NoCommandError(f"{device.name} has no component that takes commands.")
        raise HomeError(_several(device, request, found))


def _name_of_script(document: Documentation, name: str) -> str:
    """Return the documented name of a command: `turn_on` for the action `script.<name>`."""
    is_known = any(each.name == name for each in document.commands)
    own = {document.component_id, document.component_id.removeprefix("script.")}
    return "turn_on" if name in own and not is_known else name


def _script_fields(command: CommandDescription, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of a command; those of `script.turn_on` may stand in `variables`."""
    variables = arguments.get("variables")
    is_own = any(each.name == "variables" for each in command.arguments)
    if is_own or not isinstance(variables, Mapping):
        return arguments
    return {**variables, **{name: each for name, each in arguments.items() if name != "variables"}}


def _several(
    device: Device,
    request: Command,
    found: Sequence[tuple[Component, Documentation, CommandDescription]],
) -> str:
    """Return the error for a command that several components have.

    It names those that accept the arguments, or all of them if none does. SAGE never chooses one
    itself: a valid value does not show which component the person means.
    """
    accepting = [part for part, _, command in found if _accepts(command, request.arguments)]
    names = (f"{each.id} ({each.name})" for each in accepting or [part for part, *_ in found])
    return (
        f"Several components of {device.name} have {request.name}. Call the tool again with the "
        f"one that is meant as device, without `component`: {', '.join(names)}."
    )


def _accepts(command: CommandDescription, arguments: Mapping[str, Any]) -> bool:
    with suppress(HomeError):
        validated(command, arguments)
        return True
    return False
