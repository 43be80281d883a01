"""Convert a command request of the model into one validated SmartThings command.

The documentation of the capability must allow the command and its arguments.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ...text.words import id_key, id_words, nearest
from ..commands.steps import Step
from ..commands.validation import command_named, validated
from ..home_types import (
    PUT_BACK,
    Command,
    CommandRequest,
    Component,
    Device,
    HomeError,
    NoCommandError,
    Source,
)
from .documents import RawDocumenter
from .protocols import Definitions
from .schemas import check_shape, parsed

_SHOWN: Final = 30
"""Maximum number of candidates in the text of an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCommand(Step):
    """A validated command of one SmartThings capability.

    SAGE's documentation of the capability contains this command with these arguments.
    """

    command: str
    source: Source = Source.SMARTTHINGS
    raw_device_id: str
    positional: tuple[object, ...] = ()
    """Argument values, in the order that the cloud expects."""

    puts_back: Mapping[str, object] | None = None
    """For an undo: attribute -> value to restore; None for all other commands."""

    @property
    def batch(self) -> str:
        """The `full_name` of the command.

        Consecutive commands with an equal `batch` run concurrently on different devices.
        """
        return self.full_name

    @property
    def target(self) -> str:
        """SmartThings device id; commands to the same device run one after the other."""
        return self.raw_device_id

    @property
    def full_name(self) -> str:
        """Capability and command, such as `tvChannel.setTvChannel`."""
        return f"{self.capability}.{self.command}"

    @property
    def name(self) -> str:
        """Name of the command for `Outcome.command`; `put_back` for an undo."""
        return self.command if self.puts_back is None else PUT_BACK

    @property
    def shown_arguments(self) -> Mapping[str, Any]:
        """The arguments to store in `Outcome.arguments`.

        For an undo, this is a dict of the values to restore: attribute -> value.
        """
        return self.arguments if self.puts_back is None else self.puts_back


class CommandFinder:
    """Finds and validates the SmartThings command for a request of the model."""

    def __init__(self, definitions: Definitions, documents: RawDocumenter) -> None:
        self._definitions = definitions
        self._documents = documents

    def has_command(self, component: Component, command_name: str) -> bool:
        """Return whether a capability of the component has the command.

        Sends no request: only cached definitions are searched.
        """
        try:
            capability, name = self._split(component, None, command_name)
        except HomeError:
            return False
        return bool(
            self._having(component.capabilities if capability is None else [capability], name)
        )

    async def async_find(
        self, device: Device, component: Component, request: CommandRequest
    ) -> RawCommand:
        """Return the validated command that a request asks for.

        Raises NoCommandError if the component does not have the command. Raises HomeError if the
        request is ambiguous or its arguments are invalid.
        """
        if component.raw_device_id is None:
            raise HomeError(f"{component.id} of {device.name} takes no raw commands.")
        capability, name = self._split(component, request.capability, request.command)
        if capability is None:
            capability = self._only(device, component, name)
        document = await self._documents.async_document(device, component, capability)
        # An error must name the capability, because others may have a command of the same name.
        command = command_named(
            replace(document, device_name=_place(device, component, capability)), name
        )
        arguments = self._validated(capability, command, request.arguments)
        positional = self._positional(capability, command, arguments)
        return RawCommand(
            device_id=device.id,
            device_name=device.spoken_name(component),
            raw_device_id=component.raw_device_id,
            component_id=component.id,
            capability=capability,
            command=command.name,
            arguments=arguments,
            positional=positional,
            area=device.area,
        )

    # ------------------------------------------------------------- capability

    def _split(
        self, component: Component, capability: str | None, command: str
    ) -> tuple[str | None, str]:
        """Return the capability that the request names, and the name of the command.

        The model may write the capability as a prefix of `command`. The capability is None if the
        request names none.
        """
        before, _, name = command.strip().rpartition(".")
        before = before.removeprefix(f"{component.id}.")
        written = _capability(component, before) if before and before != component.id else None
        given = _capability(component, capability) if capability else None
        if written is not None and given is not None and written != given:
            raise HomeError(
                f"{command} is of the capability {written}, but {given} is given as the "
                "capability. Name only one of them."
            )
        return given or written, name

    def _having(self, capabilities: Iterable[str], name: str) -> list[str]:
        """Return the given capabilities that have the command, according to cached definitions."""
        known = {
            each: [command.name for command in self._definitions.known(each).commands]
            for each in capabilities
        }
        exact = [each for each, names in known.items() if name in names]
        wanted = id_key(name)
        return exact or [
            each for each, names in known.items() if wanted in {id_key(other) for other in names}
        ]

    def _only(self, device: Device, component: Component, name: str) -> str:
        found = self._having(component.capabilities, name)
        if len(found) == 1:
            return found[0]
        where = f"{component.id} of {device.name}"
        if found:
            options = ", ".join(f"{each}.{name}" for each in found)
            raise HomeError(
                f"Several capabilities of {where} have the command {name}. Write one of: {options}."
            )
        raise NoCommandError(f"{where} has no command {name}. {self.nearest(component, name)}")

    def nearest(self, component: Component, name: str) -> str:
        """Return a hint for an unknown command `name`, e.g. `Nearest: audioMute.mute`.

        Without similar commands, the hint lists the first commands of the component.
        """
        full = {
            command.name.casefold(): f"{each}.{command.name}"
            for each in component.capabilities
            for command in self._definitions.known(each).commands
        }
        close = list(nearest(name, full, 4))
        # Also match by words: `setChannel` and `setTvChannel` differ in spelling but share a word.
        wanted = set(id_words(name)) - {"set"}
        close += [
            each for each, written in full.items() if wanted & set(id_words(written)) - {"set"}
        ][:4]
        if close:
            return f"Nearest: {', '.join(full[each] for each in dict.fromkeys(close))}."
        if full:
            return f"It has: {_listed(full.values())}."
        return "It takes no commands."

    # ------------------------------------------------------------- arguments

    def _validated(
        self, capability: str, command: Command, arguments: Mapping[str, object]
    ) -> dict[str, Any]:
        definition = self._definitions.known(capability)
        defined = definition.command(command.name)
        if not definition.is_complete and arguments:
            raise HomeError(
                f"SmartThings does not give the definition of {capability} just now, so the "
                f"arguments of {command.name} cannot be checked and nothing was sent. "
                "Use an entity of the device, or try again in a minute."
            )
        values = validated(command, _prepared(command, arguments))
        for each in defined.arguments if defined is not None else ():
            if each.name in values:
                check_shape(each.name, each.schema, values[each.name])
        return {name: values[name] for name in self._order(capability, command) if name in values}

    def _order(self, capability: str, command: Command) -> list[str]:
        """Return the names of a command's arguments in the order of the capability's definition."""
        defined = self._definitions.known(capability).command(command.name)
        return [
            each.name for each in (defined.arguments if defined is not None else command.arguments)
        ]

    def _positional(
        self, capability: str, command: Command, arguments: Mapping[str, object]
    ) -> tuple[object, ...]:
        """Return the values in the order of the definition.

        Raises HomeError if an argument before the last given one is missing.
        """
        order = self._order(capability, command)
        given = [place for place, name in enumerate(order) if name in arguments]
        length = max(given, default=-1) + 1
        gaps = [name for name in order[:length] if name not in arguments]
        if gaps:
            raise HomeError(
                f"{command.name} takes its arguments in the order {', '.join(order)}: "
                f"give {' and '.join(gaps)}, too, or leave out {order[length - 1]}."
            )
        return tuple(arguments[name] for name in order[:length])


def _place(device: Device, component: Component, capability: str) -> str:
    return f"The capability {capability} on {component.id} of {device.name}"


def _capability(component: Component, name: str) -> str:
    """Return the exact id of the component's capability that `name` means.

    Raises HomeError if no capability or several capabilities match.
    """
    name = name.strip()
    if name in component.capabilities:
        return name
    same = [each for each in component.capabilities if id_key(each) == id_key(name)]
    # Compare the whole name: a prefix may be the name of another component.
    same = same or [
        each for each in component.capabilities if id_key(each.rpartition(".")[2]) == id_key(name)
    ]
    if len(same) == 1:
        return same[0]
    close = same or nearest(name, component.capabilities, 4)
    hint = f"Nearest: {', '.join(close)}. " if close else ""
    raise HomeError(
        f"The component {component.id} has no capability {name}. {hint}"
        f"It has: {_listed(component.capabilities)}."
    )


def _prepared(command: Command, arguments: Mapping[str, object]) -> dict[str, object]:
    """Convert arguments to the types that the command expects.

    JSON texts become objects or lists. Booleans become text where the command expects `true` or
    `false`.
    """
    kinds = {id_key(each.name): each for each in command.arguments}
    prepared: dict[str, object] = {}
    for name, value in arguments.items():
        argument = kinds.get(id_key(name))
        if argument is None:
            prepared[name] = value
        elif argument.type in {"object", "list"}:
            prepared[name] = parsed(value)
        elif isinstance(value, bool) and {"true", "false"} <= set(argument.values):
            prepared[name] = str(value).lower()
        else:
            prepared[name] = value
    return prepared


def _listed(values: Iterable[str]) -> str:
    shown = list(values)
    more = f", and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return ", ".join(shown[:_SHOWN]) + more
