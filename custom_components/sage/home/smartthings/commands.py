"""Convert a command request of the model into one validated SmartThings command.

The documentation of the capability must allow the command. The cloud checks the parts of objects
and lists.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ...text import id_key, nearest
from ..commands.pipeline import ValidatedCommand
from ..commands.validation import command_named, validated
from ..home_types import (
    Command,
    CommandDescription,
    Component,
    Device,
    HomeError,
    NoCommandError,
)
from .definitions import DefinitionStore
from .documents import RawReader
from .raw import SMARTTHINGS

_SHOWN: Final = 30
"""Maximum number of candidates in the text of an error."""


def address_of(command: ValidatedCommand) -> tuple[str, str, str]:
    """Return the SmartThings device id, component and capability of a command."""
    return command.source_id or "", command.component_id, command.capability


class CommandFinder:
    """Finds and validates the SmartThings command for a request of the model."""

    def __init__(self, definitions: DefinitionStore, documents: RawReader) -> None:
        self._definitions = definitions
        self._documents = documents

    async def async_find(
        self, device: Device, parts: Sequence[Component], request: Command
    ) -> ValidatedCommand:
        """Return the validated command that a request asks for.

        `parts`: the components of the device with the capabilities that the person may use. Raises
        NoCommandError if none of them has the command. Raises HomeError if the request is
        ambiguous or its arguments are invalid.
        """
        component, capability = self._capability_of(device, parts, request)
        (document,) = await self._documents.async_document([(device, component, capability)])
        # An error must name the capability, because others may have a command of the same name.
        where = f"The capability {capability} on {component.id} of {device.name}"
        name = request.name.rpartition(".")[2].strip()
        command = command_named(replace(document, device_name=where), name)
        arguments = self._validated(capability, command, request.arguments)
        assert component.source_id is not None
        return ValidatedCommand(
            device_id=device.id,
            device_name=device.spoken_name(component),
            source_id=component.source_id,
            component_id=component.id,
            capability=capability,
            source=SMARTTHINGS,
            description=command,
            arguments=arguments,
            asked_for=request.asked_for,
            area=device.area,
        )

    def _capability_of(
        self, device: Device, parts: Sequence[Component], request: Command
    ) -> tuple[Component, str]:
        """Return the only component and capability that have the command of a request.

        The model may write them before the name of the command, separated by dots.
        """
        written, _, name = request.name.strip().rpartition(".")
        if request.component_id is not None:
            named = [part for part in parts if id_key(part.id) == id_key(request.component_id)]
        else:
            named = [part for part in parts if f"{written}.".startswith(f"{part.id}.")]
        parts = named or parts
        candidates = [(part, each) for part in parts for each in part.capabilities]
        for capability in (request.capability, written):
            if capability and capability not in {part.id for part in parts}:
                meant = capabilities_named(parts, capability)
                candidates = [each for each in candidates if each in meant]
        having = [each for each in candidates if name in self._commands(each[1])] or [
            each for each in candidates if id_key(name) in map(id_key, self._commands(each[1]))
        ]
        if not having:
            raise NoCommandError(
                f"No component of {device.name} in SmartThings has the command "
                f"{request.name}. {self._hint(parts, name)}"
            )
        if len(having) > 1:
            components = dict.fromkeys(part.id for part, _ in having)
            if len(components) > 1:
                raise HomeError(
                    f"Several components of {device.name} have {request.name}. Call the tool "
                    f"again with one of these as `component`: {', '.join(components)}."
                )
            options = ", ".join(f"{each}.{name}" for _, each in having)
            raise HomeError(
                f"Several capabilities of {having[0][0].id} of {device.name} have the command "
                f"{name}. Write one of: {options}."
            )
        return having[0]

    def _commands(self, capability: str) -> list[str]:
        """Return the names of the commands of a capability, as far as they are known."""
        return [command.name for command in self._definitions.known(capability).commands]

    def _hint(self, parts: Iterable[Component], name: str) -> str:
        """Return a hint for an unknown command `name`, e.g. `Nearest: audioMute.mute`."""
        full = {
            command.casefold(): f"{capability}.{command}"
            for part in parts
            for capability in part.capabilities
            for command in self._commands(capability)
        }
        if close := [full[each] for each in nearest(name, full, 4)]:
            return f"Nearest: {', '.join(close)}."
        more = f", and {len(full) - _SHOWN} more" if len(full) > _SHOWN else ""
        shown = ", ".join(list(full.values())[:_SHOWN])
        return f"It has: {shown}{more}." if full else "It takes no commands."

    def _validated(
        self, capability: str, command: CommandDescription, arguments: Mapping[str, object]
    ) -> dict[str, Any]:
        """Return the arguments in the order that the cloud expects.

        Raises HomeError if an argument before the last given one is missing.
        """
        definition = self._definitions.known(capability)
        if not definition.is_complete and arguments:
            raise HomeError(
                f"SmartThings does not give the definition of {capability} just now, so the "
                f"arguments of {command.name} cannot be checked and nothing was sent. "
                "Use an entity of the device, or try again in a minute."
            )
        values = validated(command, arguments)
        order = [each.name for each in command.arguments]
        length = max((place for place, name in enumerate(order, 1) if name in values), default=0)
        if gaps := [name for name in order[:length] if name not in values]:
            raise HomeError(
                f"{command.name} takes its arguments in the order {', '.join(order)}: "
                f"give {' and '.join(gaps)}, too, or leave out {order[length - 1]}."
            )
        return {name: values[name] for name in order[:length]}


def capabilities_named(parts: Iterable[Component], name: str) -> list[tuple[Component, str]]:
    """Return the capabilities that a name means: those with this id, else without a namespace.

    Example: `ovenMode` for `samsungce.ovenMode`. The component may stand before the id.
    """
    wanted = id_key(name)
    candidates = [(part, capability) for part in parts for capability in part.capabilities]
    full = [
        (part, capability)
        for part, capability in candidates
        if wanted in map(id_key, (capability, f"{part.id}.{capability}", f"{part.id} {capability}"))
    ]
    return full or [each for each in candidates if wanted == id_key(each[1].rpartition(".")[2])]
