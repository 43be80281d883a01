"""Convert a command request of the model into one validated command for an entity.

The command and its arguments must match the documentation of the entity.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er

from ..commands.steps import Step
from ..commands.validation import command_named, validated
from ..home_types import (
    Command,
    CommandRequest,
    Component,
    Device,
    Documentation,
    HomeError,
    NoCommandError,
)
from ..listing import Found, Listing, component_of
from .documentation import Documenter

_LOGGER = logging.getLogger(__name__)

_IF_MEANT: Final = (
    "Only if it is meant, call the tool again with it as device, without `component`."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCommand(Step):
    """A validated command for one entity.

    SAGE's documentation of the entity contains this command with these arguments.
    """

    command: Command
    registry_id: str | None = None
    """Registry id of the entity; None if it is not in the registry."""

    @property
    def name(self) -> str:
        """The name of the command as the model reads it, e.g. `turn_on`.

        It starts with the domain of the service only if the entity has a different domain.
        """
        return self.command.name

    @property
    def batch(self) -> tuple[str, str]:
        """Entity domain and command name, e.g. `("light", "turn_on")`.

        Consecutive commands with an equal `batch` run concurrently.
        """
        return self.capability, self.name

    @property
    def joint(self) -> str | None:
        """Key of the service call, e.g. `light.turn_on [('brightness_pct', 50)]`.

        Commands with an equal key share one service call. None if the command needs its own call.
        """
        if self.component_id.partition(".")[0] != self.domain or self.is_script:
            return None
        return f"{self.domain}.{self.service} {sorted(self.arguments.items())}"

    @property
    def target(self) -> str:
        """The entity id."""
        return self.component_id

    @property
    def domain(self) -> str:
        """The domain of the service."""
        domain, _, service = self.command.name.rpartition(".")
        return domain if service and domain else self.capability

    @property
    def is_script(self) -> bool:
        """Whether the command runs a script; its arguments are then the fields of the script."""
        return (self.domain, self.service) == ("script", "turn_on")

    @property
    def service(self) -> str:
        """The name of the service without its domain."""
        return self.command.name.rpartition(".")[2]


def _check_together(hass: HomeAssistant, command: PreparedCommand) -> None:
    """Raise HomeError if arguments exclude each other, such as a colour and a colour temperature.

    Each is valid by itself; only the schema of the service knows that they exclude each other.
    """
    service = hass.services.async_services_for_domain(command.domain).get(command.service)
    if len(command.arguments) < 2 or service is None or service.schema is None or command.is_script:
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
    command: Command,
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

    async def async_find(self, listing: Listing, request: CommandRequest) -> PreparedCommand:
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
        arguments = validated(command, _fields_of_script(document, command, request.arguments))
        prepared = PreparedCommand(
            device_id=device.id,
            device_name=device.spoken_name(part),
            area=device.area,
            component_id=document.component_id,
            registry_id=registry_id_of(self._hass, document.component_id),
            capability=document.capability,
            command=command,
            arguments=with_entity_ids(self._hass, listing, command, document.capability, arguments),
        )
        _check_together(self._hass, prepared)
        return prepared

    async def _async_other(
        self, device: Device, request: CommandRequest, error: NoCommandError
    ) -> HomeError:
        """Return the error, or one that names the other component that has the command."""
        if request.component_id is None:
            return error
        try:
            part, *_ = await self._async_documented(device, replace(request, component_id=None))
        except HomeError as other:
            return error if isinstance(other, NoCommandError) else other
        return NoCommandError(
            f"{request.component_id} has no command {request.command}. Another component of "
            f"{device.name} has it: {part.id}. {_IF_MEANT}"
        )

    async def _async_documented(
        self, device: Device, request: CommandRequest
    ) -> tuple[Component, Documentation, Command]:
        """Return the only component with this command, its documentation and the command.

        Raises HomeError if no component or several components have the command.
        """
        components = _candidates(device, request)
        found: list[tuple[Component, Documentation, Command]] = []
        error: HomeError | None = None
        takes_commands = False
        for component in components:
            document = await self._documents.async_document(
                device, component.id, only_commands=True
            )
            try:
                name = _own_name(document, request.command)
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


def _own_name(document: Documentation, name: str) -> str:
    """Return the documented name of a command: `turn_on` for the action `script.<name>`."""
    is_known = any(each.name == name for each in document.commands)
    own = {document.component_id, document.component_id.removeprefix("script.")}
    return "turn_on" if document.capability == "script" and name in own and not is_known else name


def _fields_of_script(
    document: Documentation, command: Command, arguments: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the arguments of a command; those of `script.turn_on` may stand in `variables`."""
    variables = arguments.get("variables")
    is_own = any(each.name == "variables" for each in command.arguments)
    if document.capability != "script" or is_own or not isinstance(variables, Mapping):
        return arguments
    return {**variables, **{name: each for name, each in arguments.items() if name != "variables"}}


def _several(
    device: Device,
    request: CommandRequest,
    found: Sequence[tuple[Component, Documentation, Command]],
) -> str:
    """Return the error for a command that several components have.

    It names those that accept the arguments, or all of them if none does. SAGE never chooses one
    itself: a valid value does not show which component the person means.
    """
    accepting = [part for part, _, command in found if _accepts(command, request.arguments)]
    names = (f"{each.id} ({each.name})" for each in accepting or [part for part, *_ in found])
    return (
        f"Several components of {device.name} have {request.command}. Call the tool again with the "
        f"one that is meant as device, without `component`: {', '.join(names)}."
    )


def _accepts(command: Command, arguments: Mapping[str, Any]) -> bool:
    with suppress(HomeError):
        validated(command, arguments)
        return True
    return False


def _candidates(device: Device, request: CommandRequest) -> list[Component]:
    """Return the components that a request may refer to. Raises HomeError if there is none."""
    if request.component_id is not None:
        return [component_of(device, request.component_id, request.capability)]
    if request.capability is None:
        return list(device.components)
    fitting = [each for each in device.components if request.capability in each.capabilities]
    # If none fits, `component_of` raises the error that lists the components.
    return fitting or [component_of(device, None, request.capability)]
