"""From the change of a state to the light that a routine has changed, without a model server."""

import asyncio
import time
from typing import Any, Final

from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from custom_components.sage.people.person import HOUSEHOLD, KnownBy
from custom_components.sage.routines.routine_types import Condition, Repeat, Routine, RoutineAction
from custom_components.sage.tools.routines.condition_polling import async_stored_commands

from .custom_components.sage_large_home.layout import things
from .loopback import free_port
from .overhead_home import AGENTS, async_add_sage

_APART: Final = 0.4
"""Seconds between two changes; further ones would be measured together."""

_PATIENCE: Final = 30.0


async def async_change_to_light(hass: HomeAssistant, number: int) -> list[float]:
    """Return the seconds from each change to its light, in real time.

    SAGE is set up with a model server that refuses every connection. Each of `number`
    routines of the household watches one light, and switches on another one by a stored
    command.
    """
    name = next(iter(AGENTS))
    entry = await async_add_sage(hass, f"http://127.0.0.1:{free_port()}/v1", {name: AGENTS[name]})
    lights = [each.entity_id for each in things() if each.domain == "light"]
    pairs = list(zip(lights[0::2], lights[1::2], strict=False))[:number]
    await _async_all_off(hass, [light for pair in pairs for light in pair])
    home = entry.runtime_data.home.of(HOUSEHOLD)
    for watched, lit in pairs:
        command: dict[str, Any] = {"devices": [lit], "command": "turn_on"}
        action, _, _ = await async_stored_commands(hass, home, [command])
        await entry.runtime_data.routines.async_create(_routine(watched, action))
    await hass.async_block_till_done()
    found = []
    for watched, lit in pairs:
        await asyncio.sleep(_APART)
        found.append(await _async_seconds(hass, watched, lit))
    await hass.config_entries.async_unload(entry.entry_id)
    return found


async def _async_seconds(hass: HomeAssistant, watched: str, lit: str) -> float:
    """Switch `watched` on; return after how many seconds `lit` is on."""
    is_on: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    @callback
    def changed(event: Event[EventStateChangedData]) -> None:
        new = event.data["new_state"]
        if new is not None and new.state == "on" and not is_on.done():
            is_on.set_result(time.perf_counter())

    stop = async_track_state_change_event(hass, lit, changed)
    before = hass.states.get(watched)
    assert before is not None
    began = time.perf_counter()
    hass.states.async_set(watched, "on", before.attributes)
    try:
        async with asyncio.timeout(_PATIENCE):
            return await is_on - began
    finally:
        stop()


async def _async_all_off(hass: HomeAssistant, lights: list[str]) -> None:
    await hass.services.async_call("light", "turn_off", {"entity_id": lights}, blocking=True)
    for each in lights:
        assert hass.states.is_state(each, "off"), each


def _routine(watched: str, action: RoutineAction) -> Routine:
    source = f'def is_on():\n    return get_state("{watched}") == "on"\n'
    return Routine(
        id=ulid_now(),
        owner=None,
        known_by=KnownBy.SIGN_IN,
        agent_id="",
        language="en",
        request="Light for light",
        when="the light is on",
        command="switch on the other light",
        trigger=Condition(function="is_on", source=source),
        repeat=Repeat.ALWAYS,
        created_at=dt_util.utcnow(),
        action=action,
    )
