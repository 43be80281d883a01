"""Restore an earlier state of an entity, like Home Assistant does for scenes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers.state import async_reproduce_state
from homeassistant.loader import IntegrationNotFound, async_get_integration

from ..commands.changed_since import cannot_go_back
from ..commands.goals import STATE
from ..home_types import PUT_BACK, Command, Outcome, OutcomeKind
from .entity_commands import PreparedCommand, registry_id_of

_UNKNOWN: Final = frozenset({"unavailable", "unknown"})

_SERVICES: Final[Mapping[str, Mapping[str, str]]] = {
    "valve": {"open": "open_valve", "closed": "close_valve"},
    "lawn_mower": {"mowing": "start_mowing", "docked": "dock", "paused": "pause"},
    "siren": {"on": "turn_on", "off": "turn_off"},
    "script": {"off": "turn_off"},
}
"""Domain without `reproduce_state` -> (state -> service that sets this state)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restoration(PreparedCommand):
    """A step that restores the state of an entity."""

    state: State

    @property
    def batch(self) -> tuple[str, str]:
        """The same key for all restorations; commands with equal keys run concurrently."""
        return "", PUT_BACK

    @property
    def joint(self) -> None:
        """None: each restoration needs its own service call."""
        return


async def async_restoration(
    hass: HomeAssistant, outcomes: tuple[Outcome, ...]
) -> Restoration | Outcome:
    """Return the step that undoes the commands of `outcomes`, else an outcome `FAILED`.

    All outcomes must belong to the same entity.
    """
    changed, entity_id = outcomes[0], outcomes[0].component_id
    state = state_to_restore(outcomes, hass.states.get(entity_id))
    if (
        state is None
        or changed.kind is OutcomeKind.SENT
        or not await async_can_restore(hass, state)
    ):
        return cannot_go_back(changed, f"What {changed.command} did cannot be put back.")
    return Restoration(
        device_id=changed.device_id,
        device_name=changed.device_name,
        component_id=entity_id,
        capability=changed.capability,
        command=Command(name=PUT_BACK),
        arguments={STATE: state.state},
        area=changed.area,
        registry_id=registry_id_of(hass, entity_id),
        state=state,
    )


def state_to_restore(outcomes: tuple[Outcome, ...], now: State | None = None) -> State | None:
    """Return the state that undo should set; None if it is unknown.

    - `outcomes`: results of commands to one entity, oldest first
    - `now`: the current state of the entity

    If the commands changed only attributes, e.g. the volume, the result has the earlier attributes
    and the current state value, e.g. "off".
    """
    first = outcomes[0]
    state = first.restore.get("state", first.before.get("state"))
    if not isinstance(state, str) or state in _UNKNOWN:
        return None
    changed = {name for outcome in outcomes for name in (*outcome.before, *outcome.after)}
    differs = {
        name
        for outcome in outcomes
        for name in changed
        if outcome.before.get(name) != outcome.after.get(name)
    }
    if differs and "state" not in differs and now is not None and now.state not in _UNKNOWN:
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


async def async_can_restore(hass: HomeAssistant, state: State) -> bool:
    """Return whether the entity can be set to this state."""
    if state.state in _SERVICES.get(state.domain, {}):
        return True
    try:
        integration = await async_get_integration(hass, state.domain)
    except IntegrationNotFound:
        return False
    return bool(integration.platforms_exists(("reproduce_state",)))


async def async_restore(hass: HomeAssistant, state: State, context: Context) -> None:
    """Set the entity of `state` to this state, by a service call or `async_reproduce_state`."""
    service = _SERVICES.get(state.domain, {}).get(state.state)
    if service is None:
        await async_reproduce_state(hass, state, context=context)
        return
    await hass.services.async_call(
        state.domain,
        service,
        blocking=True,
        context=context,
        target={"entity_id": state.entity_id},
    )
