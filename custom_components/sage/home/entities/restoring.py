"""Restore the state of an entity that it had before commands."""

from collections.abc import Mapping, Sequence
from typing import Final

from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers.state import async_reproduce_state
from homeassistant.loader import IntegrationNotFound, async_get_integration

from ..commands.pipeline import ValidatedCommand
from ..home_types import Outcome
from ..values import NOT_KNOWN, STATE

_SERVICES: Final[Mapping[str, Mapping[str, str]]] = {
    "valve": {"open": "open_valve", "closed": "close_valve"},
    "lawn_mower": {"mowing": "start_mowing", "docked": "dock", "paused": "pause"},
    "siren": {"on": "turn_on", "off": "turn_off"},
    "script": {"off": "turn_off"},
}
"""Domain without `reproduce_state` -> (state -> service that sets this state)."""


GROUP: Final = "group_members"
"""Attribute with the players that play together, which no `reproduce_state` sets."""


def state_to_restore(outcomes: Sequence[Outcome], now: State | None = None) -> State | None:
    """Return the state that undo should set; None if it is unknown.

    - `outcomes`: results of commands to one entity, oldest first
    - `now`: the current state of the entity

    If the commands changed only attributes, e.g. the volume, the result has the earlier attributes
    and the current state value, e.g. "off".
    """
    first = outcomes[0]
    state = first.restore.get(STATE, first.before.get(STATE))
    if not isinstance(state, str) or state in NOT_KNOWN:
        return None
    changed = {name for outcome in outcomes for name in (*outcome.before, *outcome.after)}
    differs = {
        name
        for outcome in outcomes
        for name in changed
        if outcome.before.get(name) != outcome.after.get(name)
    }
    if differs and STATE not in differs and now is not None and now.state not in NOT_KNOWN:
        # Undo of a volume change must not switch the TV on.
        state = now.state
    # The colour of a light is only valid together with its colour mode.
    everything = first.component_id.startswith("light.")
    values = {**first.before, **first.restore}
    if GROUP in changed and values.get(GROUP) is None:
        values[GROUP] = []
    # Other attributes would start the media of a player again.
    attributes = {
        name: value
        for name, value in values.items()
        if name != STATE and value is not None and (everything or name in changed)
    }
    return State(first.component_id, state, attributes)


def state_to_set(command: ValidatedCommand) -> State:
    """Return the state that an undo sets; its arguments are the state and the attributes."""
    attributes = {name: value for name, value in command.arguments.items() if name != STATE}
    return State(command.component_id, command.arguments[STATE], attributes)


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
    """Set the entity of `state` to this state, like Home Assistant does for scenes."""
    data: dict[str, object] = {}
    service = _SERVICES.get(state.domain, {}).get(state.state)
    if service is None:
        await async_reproduce_state(hass, state, context=context)
        if (members := state.attributes.get(GROUP)) is None:
            return
        data = {GROUP: [each for each in members if each != state.entity_id]}
        service, data = ("join", data) if data[GROUP] else ("unjoin", {})
    await hass.services.async_call(
        state.domain,
        service,
        data,
        blocking=True,
        context=context,
        target={"entity_id": state.entity_id},
    )
