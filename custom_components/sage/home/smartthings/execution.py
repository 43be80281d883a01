"""Find, send and observe SmartThings commands: a backend of the command pipeline.

The documentation of the capability must allow the command. The cloud checks the parts of objects
and lists. Only a report of the device proves that a command succeeded.
"""

import asyncio
import logging
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from homeassistant.core import HomeAssistant

from ...people import Person
from ...text import id_key, nearest
from ..commands.pipeline import (
    FAILED_GONE,
    FAILED_UNAVAILABLE,
    REFUSED_NOT_PERMITTED,
    Backend,
    CommandWaits,
    ValidatedCommand,
)
from ..commands.undo_history import cannot_go_back, is_changed_since
from ..commands.validation import command_named, validated
from ..home_types import (
    PUT_BACK,
    Command,
    CommandDescription,
    CommandTarget,
    Component,
    Device,
    DevicePart,
    HomeError,
    NoCommandError,
    Outcome,
    OutcomeKind,
)
from ..safety.authority import Authority
from ..safety.risk import Effects
from .command_outcomes import (
    AFTER_FAILURE,
    DEVICE_FAILED,
    FAILED_DEVICE,
    NOT_CONFIRMED_NO_ANSWER,
    REFUSED_AFTER_FAILURE,
    REFUSED_REMOTE_CONTROL,
    REMOTE_CONTROL_OFF,
    SentCommand,
    address_of,
    expectation_of,
    failed_outcome,
)
from .coverage import Coverage, RawExposure
from .definitions import DefinitionStore
from .documents import RawReader
from .mirror import Mirror
from .raw import CloudError, CloudErrorKind, Definition
from .risk import effects_of_command

_LOGGER = logging.getLogger(__name__)

_FAILED: Final = "FAILED"
_SHOWN: Final = 30  # maximum number of candidates in the text of an error
_ALIKE: Final = 0.58  # from here on a name is likely meant; turn_on and setArtOn are at 0.53


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
        named = capabilities_named(
            parts, request.capability or request.name.strip().rpartition(".")[0]
        )
        # Only a definition that was fetched has the names of all commands.
        await self._documents.async_document([(device, *each) for each in named])
        component, capability = self._capability_of(device, parts, request)
        (document,) = await self._documents.async_document([(device, component, capability)])
        # An error must name the capability, because others may have a command of the same name.
        where = f"The capability {capability} on {component.id} of {device.name}"
        name = request.name.rpartition(".")[2].strip()
        command = command_named(replace(document, device_name=where), name)
        arguments = self._validated(capability, command, request.arguments)
        assert component.source_id is not None
        return ValidatedCommand(
            **document.fields_of(DevicePart) | {"device_name": device.spoken_name(component)},
            source_id=component.source_id,
            description=command,
            arguments=arguments,
            asked_for=request.asked_for,
        )

    def _capability_of(
        self, device: Device, parts: Sequence[Component], request: Command
    ) -> tuple[Component, str]:
        """Return the only component and capability of a command, which may precede its name."""
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
        return [command.name for command in self._definitions.known(capability).commands]

    def _hint(self, parts: Iterable[Component], name: str) -> str:
        """Return a hint for an unknown command `name`, e.g. `Nearest: audioMute.mute`."""
        full = {
            command.casefold(): f"{capability}.{command}"
            for part in parts
            for capability in part.capabilities
            for command in self._commands(capability)
        }
        if close := [full[each] for each in nearest(name, full, 4, _ALIKE)]:
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


class SmartThingsBackend(Backend):
    """Checks, sends and observes SmartThings commands, called by the command pipeline."""

    def __init__(
        self,
        hass: HomeAssistant,
        mirror: Mirror,
        definitions: DefinitionStore,
        exposure: RawExposure,
        coverage: Coverage,
        waits: CommandWaits,
    ) -> None:
        self._hass = hass
        self._mirror = mirror
        self._definitions = definitions
        self._exposure = exposure
        self._coverage = coverage
        self._waits = waits

    # ------------------------------------------------------------- the gate

    def refused(self, person: Person, command: ValidatedCommand) -> Outcome | None:
        """Return an outcome `REFUSED` or `FAILED` if the command must not be sent, else None."""
        if not self._mirror.has(*address_of(command)):
            return command.outcome(
                OutcomeKind.FAILED, "The device no longer exists.", reason=FAILED_GONE
            )
        if not self._exposure.may_command(person, *address_of(command)):
            return command.outcome(
                OutcomeKind.REFUSED,
                f"{person.name} may not control this device. Do not try another way.",
                reason=REFUSED_NOT_PERMITTED,
            )
        if self._mirror.is_online(address_of(command)[0]):
            return None
        return command.outcome(
            OutcomeKind.FAILED,
            "The device is offline in SmartThings, so nothing was sent: tell the person to "
            "look at its power and its network.",
            reason=FAILED_UNAVAILABLE,
        )

    def effects(self, command: ValidatedCommand) -> Effects:
        """Return the component that the command affects, and the risk of the command."""
        return effects_of_command(self._hass, self._mirror, self._coverage, command)

    # ------------------------------------------------------------- restoring

    async def async_steps_back(
        self, outcomes: Sequence[Outcome]
    ) -> list[ValidatedCommand | Outcome]:
        """Return the commands that undo those of a capability, or also an outcome `FAILED`."""
        changed, last = outcomes[0], outcomes[-1]
        if (device := self._mirror.device(changed.source_id)) is not None:
            await self._definitions.async_fetch(device.entry_id, [changed.capability])
        definition = self._definitions.known(changed.capability)
        back = [_back(changed, definition, *each) for each in _restore_of(outcomes).items()]
        steps: list[ValidatedCommand | Outcome] = [*filter(None, back)]
        if None in back or not back:
            detail = f"What {last.command} did cannot be put back: no command sets it."
            steps.append(cannot_go_back(last, detail))
        return steps

    async def async_is_changed_since(self, person: Person, outcomes: Sequence[Outcome]) -> bool:
        """Return whether somebody has changed the values of the capability."""
        changed = outcomes[0]
        address = changed.source_id or "", changed.component_id, changed.capability
        await self._mirror.async_make_fresh(address[:1])
        attributes = self._mirror.attributes(*address).items()
        values = {name: each.value for name, each in attributes if each.value is not None}
        return self._exposure.may_command(person, *address) and is_changed_since(
            outcomes, _restore_of(outcomes), values
        )

    # ------------------------------------------------------------- sending

    def follows_failure(self, step: ValidatedCommand, earlier: Outcome) -> Outcome | None:
        """Return `REFUSED` if one of `earlier` on the device failed or is unanswered, else None."""
        is_unanswered = (
            earlier.kind is OutcomeKind.NOT_CONFIRMED and earlier.reason == NOT_CONFIRMED_NO_ANSWER
        )
        if earlier.kind is not OutcomeKind.FAILED and not is_unanswered:
            return None
        return step.outcome(OutcomeKind.REFUSED, AFTER_FAILURE, reason=REFUSED_AFTER_FAILURE)

    async def async_send(
        self, authority: Authority, commands: Sequence[ValidatedCommand]
    ) -> tuple[Outcome, ...]:
        """Send each command once; return one outcome for each, in the same order."""
        return tuple(await asyncio.gather(*map(self._async_send, commands)))

    async def _async_send(self, command: ValidatedCommand) -> Outcome:
        expectation = expectation_of(
            self._definitions.known(command.capability), command.description.name, command.arguments
        )
        sent = SentCommand(self._mirror, command, expectation)
        try:
            if command.restores is not None and sent.is_already_so:
                return command.outcome(OutcomeKind.ALREADY, after=command.restores)
            failed = await self._async_post(command)
            if isinstance(failed, Outcome):
                return failed
            return await sent.async_outcome(failed, self._waits.report_seconds)
        finally:
            sent.close()

    async def _async_post(self, command: ValidatedCommand) -> Outcome | CloudError | None:
        """Send a command once; return None, a CloudError if unknown, an outcome if not executed."""
        device = self._mirror.device(command.source_id)
        assert device is not None
        try:
            status = await self._mirror.client.async_command(
                device.entry_id,
                *address_of(command),
                command.description.name,
                list(command.arguments.values()),
            )
        except CloudError as error:
            _LOGGER.debug("%s was not taken: %s", command.description.name, error.message)
            return error if error.may_have_been_done else self._not_taken(command, error)
        if status == _FAILED:
            return command.outcome(OutcomeKind.FAILED, DEVICE_FAILED, reason=FAILED_DEVICE)
        return None

    def _not_taken(self, command: ValidatedCommand, error: CloudError) -> Outcome:
        if error.kind is CloudErrorKind.DEVICE_STATE and self._mirror.is_remote_control_off(
            *address_of(command)[:2]
        ):
            return command.outcome(
                OutcomeKind.FAILED, REMOTE_CONTROL_OFF, reason=REFUSED_REMOTE_CONTROL
            )
        return failed_outcome(command, error)

    def disclosed(self, person: Person, command: ValidatedCommand, outcome: Outcome) -> Outcome:
        """Return the outcome without values that the person may not read.

        Only the field `restore` keeps all values: it is for undo and must not be shown.
        """
        wanted = outcome.arguments if outcome.command == PUT_BACK else {}
        hidden = {
            name
            for name in (*outcome.before, *outcome.after, *wanted)
            if not self._exposure.may_read(person, *address_of(command), name)
        }
        return replace(
            outcome,
            before=_without(outcome.before, hidden),
            after=_without(outcome.after, hidden),
            wanted=_without(outcome.wanted, hidden),
            arguments=_without(wanted, hidden) if wanted else outcome.arguments,
        )


def _without[V](values: Mapping[str, V], hidden: Container[str]) -> dict[str, V]:
    return {name: value for name, value in values.items() if name not in hidden}


# ------------------------------------------------------------------ undo


def _restore_of(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the values to restore: attribute name -> value before the first change."""
    restore: dict[str, object] = {}
    for each in outcomes:
        for name, value in each.restore.items():
            restore.setdefault(name, value)
    return restore


def _back(
    changed: Outcome, definition: Definition, name: str, value: object
) -> ValidatedCommand | None:
    """Return the command that sets an attribute as before; None without one or for ""."""
    attribute = definition.attribute(name)
    if attribute is None or value == "":
        return None
    arguments: dict[str, object] | None = None
    command = definition.command(attribute.setter or "")
    if command is not None:
        arguments = _only_argument(command, value)
    if arguments is None:
        leading = [each for each, led_to in attribute.enum_commands.items() if led_to == value]
        command, arguments = definition.command(leading[0]) if leading else None, {}
    if command is None or changed.source_id is None:
        return None
    return ValidatedCommand(
        **changed.fields_of(CommandTarget),
        description=command,
        arguments=arguments,
        restores={name: value},
    )


def _only_argument(command: CommandDescription, value: object) -> dict[str, object] | None:
    """Return the value as a command's only argument; None if it does not fit."""
    if not command.arguments or any(each.required for each in command.arguments[1:]):
        return None
    first = command.arguments[0]
    if first.values and str(value) not in first.values:
        return None
    return {first.name: str(value) if first.type == "string" else value}
