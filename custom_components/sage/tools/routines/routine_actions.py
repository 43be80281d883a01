"""Validates the device commands of routines, and converts them to the stored form and back.

A routine is a stored command for a time or a condition.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from ...home import (
    ENTITIES,
    Command,
    HomeError,
    HomeView,
    RiskClass,
    RiskyAction,
    ValidatedCommand,
    render_documentation,
    say_commands,
    say_names,
)
from ...routines import (
    Commands,
    Decide,
    Routine,
    RoutineAction,
    StoredCommand,
    WithheldError,
    Words,
)
from ...routines.conditions import ENTITY, device_of, entity_of, reference_of, reference_of_entity
from ...text import Sentences


class ActionKind(StrEnum):
    """The kind of action of a new routine, as the model chooses it."""

    DO = "do"
    """The model chooses commands now; SAGE executes them each time the routine runs."""
    TELL = "tell"
    """The model writes a text now; SAGE delivers it each time the routine runs."""
    DECIDE = "decide"
    """The model decides what to do each time the routine runs."""


COMMANDS: Final = [
    probatio.Schema(
        {
            probatio.Required("devices"): [str],
            probatio.Required("command"): str,
            probatio.Optional("arguments"): dict,
            probatio.Optional("component"): str,
            probatio.Optional("doubt"): bool,
        }
    )
]
"""Schema of the commands of a routine, with the same fields as the tool `execute_command`.

`doubt`: the person means only one of the devices but did not say which one.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidatedAction:
    """The validated action of a routine, in the form that is stored."""

    action: RoutineAction
    asks_first: bool = False
    """Whether the person must confirm a command each time the routine runs."""

    doubt: tuple[str, ...] = ()
    """Names of the devices of which the person means only one; empty if nothing is unclear."""


class RoutineActions:
    """Validates the actions of new routines, and prepares stored device commands for execution."""

    def __init__(self, hass: HomeAssistant, home: HomeView) -> None:
        self._hass = hass
        self._home = home

    async def async_validated(
        self, kind: ActionKind, words: str, commands: Sequence[Mapping[str, Any]]
    ) -> ValidatedAction:
        """Return the action of a routine in the form to store; nothing is executed.

        - For the kind TELL, `words` is the text to deliver.
        - For the kind DO, `commands` are the device commands in the schema `COMMANDS`.

        Raises HomeError for invalid commands; its text says how to fix them and documents the
        devices.
        """
        match kind:
            case ActionKind.TELL:
                return ValidatedAction(action=Words(text=words))
            case ActionKind.DECIDE:
                return ValidatedAction(action=Decide())
        if not commands:
            raise HomeError("Kind `do` needs `commands`.")
        stored: list[StoredCommand] = []
        asks_first = False
        for each in commands:
            rehearsed = await self._async_rehearsed(each)
            if each.get("doubt") and len(rehearsed) > 1:
                names = tuple(command.device_name for command, _ in rehearsed)
                return ValidatedAction(action=Decide(), doubt=names)
            stored += [await self._async_stored(command) for command, _ in rehearsed]
            asks_first = asks_first or any(asks for _, asks in rehearsed)
        return ValidatedAction(action=Commands(commands=tuple(stored)), asks_first=asks_first)

    async def async_requests(self, action: Commands) -> tuple[Command, ...]:
        """Return stored device commands as `Command` objects, ready for execution.

        The commands are validated with the current permissions of the person. Raises HomeError if a
        device or a command no longer exists.
        """
        listing = await self._home.async_listing()
        requests: list[Command] = []
        for each in action.commands:
            try:
                entity = entity_of(self._hass, each.target)
                device = None if entity else device_of(self._hass, listing, each.target)
            except WithheldError:
                raise HomeError(f"{each.name} is gone.") from None
            target = device.id if device is not None else entity or ""
            requests.append(
                Command(
                    device_id=target,
                    component_id=each.component or target,
                    capability=each.capability or None,
                    name=each.command,
                    arguments=_with_strings(each.arguments, self._entity_id),
                )
            )
        await self._home.async_prepare(requests)
        return tuple(requests)

    async def _async_rehearsed(
        self, given: Mapping[str, Any]
    ) -> tuple[tuple[ValidatedCommand, bool], ...]:
        devices = tuple(dict.fromkeys(given["devices"]))
        requests = [
            Command(
                device_id=device,
                name=given["command"],
                component_id=given.get("component") or None,
                arguments=given.get("arguments") or {},
            )
            for device in devices
        ]
        if not requests:
            raise HomeError("`devices` of a command needs the id of at least one device.")
        try:
            return await self._home.async_rehearse(requests)
        except HomeError as err:
            documents, _ = await self._home.async_document_matching("", recent=devices)
            raise HomeError(f"{err}\n{render_documentation(documents)}") from err

    async def _async_stored(self, command: ValidatedCommand) -> StoredCommand:
        if command.source == ENTITIES:
            target, part = reference_of_entity(self._hass, command.component_id), {}
        else:
            listing = await self._home.async_listing()
            target = reference_of(self._hass, listing.find(command.device_id))
            part = {"component": command.component_id, "capability": command.capability}
        return StoredCommand(
            target=target,
            name=command.device_name,
            command=command.name,
            arguments=_with_strings(command.arguments, self._reference),
            **part,
        )

    def _reference(self, text: str) -> str:
        row = er.async_get(self._hass).async_get(text)
        return text if row is None else f"{ENTITY}:{row.id}"

    def _entity_id(self, text: str) -> str:
        kind, _, rest = text.partition(":")
        row = er.async_get(self._hass).entities.get_entry(rest) if kind == ENTITY else None
        return text if row is None else row.entity_id


def say_action(sentences: Sentences, routine: Routine, most_names: int | None) -> str:
    """Return the action of a routine in words, such as "I'll switch on Hall Light".

    `most_names`: maximum number of devices that are named in a command; None: all.
    """
    match routine.action:
        case Commands(commands=commands):
            named = [
                RiskyAction(
                    risk=RiskClass.OUTSIDE,
                    thing=f"{each.target} {each.component}",
                    device_name=each.name,
                    command=each.command,
                    arguments=each.arguments,
                )
                for each in commands
            ]
            return sentences.say("routine_do", actions=say_commands(sentences, named, most_names))
        case Words(text=text):
            return sentences.say("routine_say", words=text)
    return routine.command.strip().rstrip(".! ")


def say_which(sentences: Sentences, names: Iterable[str]) -> str:
    """Return a question that asks the person to choose one of these devices."""
    return sentences.say("routine_which", devices=say_names(sentences, names))


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
