"""The entity backend of the command pipeline: which command is meant and allowed, and its undo.

The command and its arguments must match the documentation of the entity.
"""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import probatio
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State, SupportsResponse
from homeassistant.helpers import entity_registry as er

from ...people import Person
from ..commands.confirmation_text import ConfirmationNames
from ..commands.pipeline import (
    FAILED_ERROR,
    FAILED_GONE,
    FAILED_UNAVAILABLE,
    REFUSED_CHANGED,
    REFUSED_NOT_PERMITTED,
    REFUSED_REFERENCE,
    CommandWaits,
    ValidatedCommand,
)
from ..commands.validation import command_named, validated
from ..commands.value_comparison import (
    SET_BY_PEOPLE,
    UNKNOWN,
    cannot_go_back,
    is_changed_since,
    reported_values,
)
from ..home_types import (
    PUT_BACK,
    Command,
    CommandDescription,
    Component,
    Device,
    Documentation,
    HomeError,
    NoCommandError,
    Outcome,
    OutcomeKind,
)
from ..listing import Listing
from ..resolver import component_of, with_entity_ids
from ..safety.consequences import effects_of, effects_of_state
from ..safety.fields import check_fields, without_hidden
from ..safety.gate import Gate
from ..safety.risk import Effects
from ..values import STATE
from .documentation import Documenter
from .entity_watch import RUN_SCRIPT, action_of, state_to_set
from .sending import EntitySender, async_can_restore

_LOGGER = logging.getLogger(__name__)

_IF_MEANT: Final = (
    "Only if it is meant, call the tool again with it as device, without `component`."
)


class EntityBackend(EntitySender):
    """Checks, sends and undoes commands to entities, called by the command pipeline."""

    def __init__(
        self, hass: HomeAssistant, gate: Gate, documenter: Documenter, waits: CommandWaits
    ) -> None:
        super().__init__(hass, gate, waits)
        self._documenter = documenter

    # ------------------------------------------------------------- validation

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
            registry_id=_registry_id_of(self._hass, document.component_id),
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
            document = await self._documenter.async_document(
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

    # ------------------------------------------------------------- the gate

    def refused(self, person: Person, command: ValidatedCommand) -> Outcome | None:
        """Return an outcome `REFUSED` or `FAILED` if the command must not be sent, else None."""
        entity_id = command.component_id
        if self._hass.states.get(entity_id) is None:
            return command.outcome(
                OutcomeKind.FAILED, "The device no longer exists.", reason=FAILED_GONE
            )
        if command.registry_id not in {None, _registry_id_of(self._hass, entity_id)}:
            return command.outcome(
                OutcomeKind.REFUSED,
                f"{entity_id} is now the id of another entity. List the devices again.",
                reason=REFUSED_CHANGED,
            )
        if not self._gate.may_control(person, entity_id):
            return command.outcome(
                OutcomeKind.REFUSED,
                f"{person.name} may not control this device. Do not try another way.",
                reason=REFUSED_NOT_PERMITTED,
            )
        if command.restores is not None or not command.arguments:
            return None
        try:
            check_fields(
                self._hass,
                self._gate,
                person,
                command.description,
                command.arguments,
                is_script=action_of(command) == RUN_SCRIPT,
            )
        except HomeError as err:
            return command.outcome(OutcomeKind.REFUSED, str(err), reason=REFUSED_REFERENCE)
        return None

    def out_of_reach(self, command: ValidatedCommand) -> Outcome | None:
        """Return an outcome `FAILED` if the entity is unavailable, else None."""
        state = self._hass.states.get(command.component_id)
        if state is None or state.state != STATE_UNAVAILABLE:
            return None
        return command.outcome(
            OutcomeKind.FAILED,
            "The device is not reachable right now, so nothing was sent.",
            reason=FAILED_UNAVAILABLE,
        )

    def effects(self, command: ValidatedCommand) -> Effects:
        """Return the entities that the command affects, with their risks."""
        if command.restores is not None:
            state = state_to_set(command)
            return effects_of_state(self._hass, command.component_id, state.state, state.attributes)
        return effects_of(self._hass, command.component_id, *action_of(command), command.arguments)

    def is_read(self, command: ValidatedCommand) -> bool:
        """Return whether the command changes nothing and only returns a response.

        False for free text, such as a search term: it may leave the home.
        """
        if self._response(command) is not SupportsResponse.ONLY:
            return False
        texts = {each.name for each in command.description.arguments if not each.values}
        return not any(
            isinstance(value, str | list | Mapping) and name in texts
            for name, value in command.arguments.items()
        )

    def name(self, command: ValidatedCommand, names: ConfirmationNames) -> str:
        """Return a unique name of the entity, for a confirmation question."""
        return names.of_entity(
            command.component_id, command.registry_id, command.device_name, command.alias
        )

    def disclosed(self, person: Person, _command: ValidatedCommand, outcome: Outcome) -> Outcome:
        """Replace the error text if it names an entity that the person may not read."""
        if outcome.reason != FAILED_ERROR or without_hidden(
            self._hass, self._gate, person, outcome.detail
        ):
            return outcome
        return replace(
            outcome, detail="Home Assistant reports an error.", reason=None, reason_placeholders={}
        )

    # ------------------------------------------------------------- putting back

    async def async_steps_back(
        self, outcomes: Sequence[Outcome]
    ) -> list[ValidatedCommand | Outcome]:
        """Return the command that undoes the commands of an entity, else an outcome `FAILED`."""
        changed, entity_id = outcomes[0], outcomes[0].component_id
        state = state_to_restore(outcomes, self._hass.states.get(entity_id))
        if (
            state is None
            or changed.kind is OutcomeKind.SENT
            or not await async_can_restore(self._hass, state)
        ):
            return [cannot_go_back(changed, f"What {changed.command} did cannot be put back.")]
        command = ValidatedCommand(
            device_id=changed.device_id,
            device_name=changed.device_name,
            component_id=entity_id,
            capability=changed.capability,
            description=CommandDescription(name=PUT_BACK),
            arguments={**state.attributes, STATE: state.state},
            restores={STATE: state.state},
            area=changed.area,
            registry_id=_registry_id_of(self._hass, entity_id),
        )
        return [command]

    async def async_is_changed_since(self, person: Person, outcomes: Sequence[Outcome]) -> bool:
        """Return whether somebody has changed the entity; False while it is unavailable."""
        now = self._hass.states.get(outcomes[0].component_id)
        if now is None or not self._gate.may_control(person, now.entity_id):
            return False
        restore = state_to_restore(outcomes, now)
        values = reported_values(now)
        if restore is None or not values:
            return False
        # A value that the entity no longer reports counts as changed.
        names = {name for each in outcomes for name in (*each.after, *each.wanted)}
        return is_changed_since(
            outcomes,
            {name: each for name, each in reported_values(restore).items() if each is not None},
            {**dict.fromkeys(names), **values},
            relevant=SET_BY_PEOPLE,
        )


def state_to_restore(outcomes: Sequence[Outcome], now: State | None = None) -> State | None:
    """Return the state that undo should set; None if it is unknown.

    - `outcomes`: results of commands to one entity, oldest first
    - `now`: the current state of the entity

    If the commands changed only attributes, e.g. the volume, the result has the earlier attributes
    and the current state value, e.g. "off".
    """
    first = outcomes[0]
    state = first.restore.get("state", first.before.get("state"))
    if not isinstance(state, str) or state in UNKNOWN:
        return None
    changed = {name for outcome in outcomes for name in (*outcome.before, *outcome.after)}
    differs = {
        name
        for outcome in outcomes
        for name in changed
        if outcome.before.get(name) != outcome.after.get(name)
    }
    if differs and "state" not in differs and now is not None and now.state not in UNKNOWN:
        # Undo of a volume change must not switch the TV on.
        state = now.state
    # The colour of a light is only valid together with its colour mode.
    everything = first.component_id.startswith("light.")
    values = {**first.before, **first.restore}
    # Other attributes would start the media of a player again.
    attributes = {
        name: value
        for name, value in values.items()
        if name != "state" and value is not None and (everything or name in changed)
    }
    return State(first.component_id, state, attributes)


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


def _registry_id_of(hass: HomeAssistant, entity_id: str) -> str | None:
    """Return the registry id of an entity; None if it is not in the registry."""
    entry = er.async_get(hass).async_get(entity_id)
    return entry.id if entry is not None else None
