"""Websocket commands for the first steps on the page: sentences to try, and SAGE in Assist."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

import probatio
from homeassistant.const import STATE_OFF, STATE_ON, Platform

from ..config import async_use_sage, open_assistants
from ..home import Device, HomeError, Level, Listing
from ..run import ActionRequest, SageAction, refusal

_DOMAINS: Final = (Platform.LIGHT, Platform.SWITCH)
"""Domains of the devices in the sentences, the preferred one first."""

_READ_ONLY: Final = {Platform.SENSOR, Platform.BINARY_SENSOR}
_MOST_TRIED: Final = 8
"""Maximum number of devices to choose from."""


async def _async_get(request: ActionRequest) -> dict[str, Any]:
    """Return sentences to try, and the assistants in which SAGE could answer.

    - `sentences`: `{"kind", "device"}` each, which the page puts into words; SAGE answers all of
      them without a confirmation. Fewer than three, or none, in a home with few devices
    - `assistants`: `{"id", "name"}` each, as long as no assistant uses SAGE; None if one does, or
      for a person who is not an administrator
    """
    hass, assistants = request.hass, None
    if request.entry.runtime_data.agents and request.is_admin:
        names = open_assistants(hass) or {}
        assistants = [{"id": key, "name": name} for key, name in names.items()] or None
    return {"sentences": await _async_sentences(request), "assistants": assistants}


async def _async_sentences(request: ActionRequest) -> list[dict[str, str]]:
    """Return a command, a request for later and a question, with names of devices."""
    if not request.entry.runtime_data.agents:
        return []
    listing = await request.entry.runtime_data.home.of(request.person).async_listing()
    devices = dict(islice(_usable(request, listing), _MOST_TRIED))
    if not devices:
        return []
    first = next((name for name, state in devices.items() if state == STATE_OFF), None)
    kind = "turn_off" if first is None else "turn_on"
    first = first or next(iter(devices))
    other = next((name for name in devices if name != first), first)
    said = ((kind, first), ("is_on", other), ("turn_off_later", first))
    return [{"kind": kind, "device": name} for kind, name in said]


def _usable(request: ActionRequest, listing: Listing) -> Iterator[tuple[str, str]]:
    """Yield the names and states of devices that the person may switch without a confirmation."""
    home, states = request.entry.runtime_data.home, request.hass.states
    for domain in _DOMAINS:
        for device in listing.devices:
            for part in device.components:
                if part.capabilities[:1] != (domain,):
                    continue
                state, name = states.get(part.id), _unique_name(listing, device, part.id)
                if name is None or state is None or state.state not in (STATE_ON, STATE_OFF):
                    continue
                is_free = home.level_of(part.id).level is Level.FREE
                if is_free and home.gate.may_control(request.person, part.id):
                    yield name, state.state


def _unique_name(listing: Listing, device: Device, entity_id: str) -> str | None:
    """Return a name that means only this entity of a device; None if there is none."""
    part = next(part for part in device.components if part.id == entity_id)
    others = {other.capabilities[0] for other in device.components if other is not part}
    spoken = device.spoken_name(part)
    for name in (spoken, f"{device.area} {spoken}"):
        try:
            meant = listing.find(name)
        except HomeError:
            continue
        if meant.id == entity_id or (meant.id == device.id and others <= _READ_ONLY):
            return name
    return None


async def _async_use_in_assistant(request: ActionRequest) -> dict[str, Any]:
    """Let SAGE answer in an assistant: one that exists, or a new one."""
    if not await async_use_sage(request.hass, request.data["assistant"]):
        raise refusal("no_such_assistant")
    return {}


START_COMMANDS: Final[Mapping[str, SageAction]] = {
    "start/get": SageAction(handle=_async_get),
    "start/use_in_assistant": SageAction(
        handle=_async_use_in_assistant,
        fields={probatio.Required("assistant"): probatio.All(str, probatio.Length(max=255))},
        needs_admin=True,
    ),
}
"""The websocket commands of the first steps, by name."""
