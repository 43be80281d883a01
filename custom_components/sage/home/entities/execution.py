"""The entity backend of the command pipeline: what a command may do, and how it is undone."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import State, SupportsResponse

from ...people.person import Person
from ..commands.confirmation_text import ConfirmationNames
from ..commands.pipeline import (
    FAILED_ERROR,
    FAILED_GONE,
    FAILED_UNAVAILABLE,
    REFUSED_CHANGED,
    REFUSED_NOT_PERMITTED,
    REFUSED_REFERENCE,
    ValidatedCommand,
)
from ..commands.value_comparison import (
    SET_BY_PEOPLE,
    UNKNOWN,
    cannot_go_back,
    is_changed_since,
    reported_values,
)
from ..home_types import PUT_BACK, CommandDescription, HomeError, Outcome, OutcomeKind
from ..safety.consequences import effects_of, effects_of_state
from ..safety.fields import check_fields, without_hidden
from ..safety.risk import Effects
from ..values import STATE
from .entity_commands import RUN_SCRIPT, action_of, registry_id_of, state_to_set
from .sending import EntitySender, async_can_restore


class EntityBackend(EntitySender):
    """Checks, sends and undoes commands to entities, called by the command pipeline."""

    # ------------------------------------------------------------- the gate

    def refused(self, person: Person, command: ValidatedCommand) -> Outcome | None:
        """Return an outcome `REFUSED` or `FAILED` if the command must not be sent, else None."""
        entity_id = command.component_id
        if self._hass.states.get(entity_id) is None:
            return command.outcome(
                OutcomeKind.FAILED, "The device no longer exists.", reason=FAILED_GONE
            )
        if command.registry_id not in {None, registry_id_of(self._hass, entity_id)}:
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
        """Return one item per entity: the command that undoes, or an outcome `FAILED`."""
        return [await self._async_step_back(group) for group in _by_entity(outcomes)]

    async def _async_step_back(self, outcomes: tuple[Outcome, ...]) -> ValidatedCommand | Outcome:
        """Return the command that undoes the commands of one entity, else an outcome `FAILED`."""
        changed, entity_id = outcomes[0], outcomes[0].component_id
        state = state_to_restore(outcomes, self._hass.states.get(entity_id))
        if (
            state is None
            or changed.kind is OutcomeKind.SENT
            or not await async_can_restore(self._hass, state)
        ):
            return cannot_go_back(changed, f"What {changed.command} did cannot be put back.")
        return ValidatedCommand(
            device_id=changed.device_id,
            device_name=changed.device_name,
            component_id=entity_id,
            capability=changed.capability,
            description=CommandDescription(name=PUT_BACK),
            arguments={**state.attributes, STATE: state.state},
            restores={STATE: state.state},
            area=changed.area,
            registry_id=registry_id_of(self._hass, entity_id),
        )

    async def async_changed_since(
        self, person: Person, outcomes: Sequence[Outcome]
    ) -> tuple[Outcome, ...]:
        """Return the outcomes whose entities somebody has changed since the command.

        Entities that are unavailable, or that the person may no longer control, count as unchanged.
        """
        return tuple(
            each
            for group in _by_entity(outcomes)
            if self._is_changed_since(person, group)
            for each in group
        )

    def _is_changed_since(self, person: Person, outcomes: tuple[Outcome, ...]) -> bool:
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


def _by_entity(outcomes: Sequence[Outcome]) -> list[tuple[Outcome, ...]]:
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.component_id, []).append(outcome)
    return [tuple(each) for each in found.values()]


def state_to_restore(outcomes: tuple[Outcome, ...], now: State | None = None) -> State | None:
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
