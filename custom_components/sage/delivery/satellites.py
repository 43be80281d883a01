"""Speak to a person and ask questions at voice satellites (`assist_satellite`)."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Final

from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_UNAVAILABLE
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, State, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event

from ..home.rooms import room_of
from ..routines.routine_types import Routine
from .delivery_method import DeliveryUnavailableError, async_call

SATELLITE: Final = "assist_satellite"
SPEAKS: Final = 1
"""Value of `AssistSatelliteEntityFeature.ANNOUNCE`: the satellite can speak a text."""
ASKS: Final = 2
"""Value of `AssistSatelliteEntityFeature.START_CONVERSATION`: the satellite can ask."""

_IDLE: Final = "idle"
IDLE_SECONDS: Final = 60.0
"""Maximum seconds to wait for the end of the satellite's current conversation."""
_SPEAK_SECONDS: Final = 90.0
REPLY_SECONDS: Final = 45.0
"""Maximum seconds for asking a question and getting the reply.

The action `assist_satellite.ask_question` has no timeout.
"""


def satellite_for(
    hass: HomeAssistant,
    routine: Routine,
    owners: Mapping[str, str],
    feature: int,
    *,
    in_room: bool = False,
) -> str | None:
    """Return the entity id of the satellite at which to speak to a routine's person, or None.

    The order of preference: the satellite where the routine was requested; a satellite of the
    person; if `in_room` is true, a satellite in the room of the request. Satellites of other people
    are never used. `owners` maps registry ids of satellites to user ids. `feature` is `SPEAKS` or
    `ASKS`.
    """
    registry = er.async_get(hass)
    for each in _candidates(hass, routine, owners, in_room=in_room):
        row = registry.async_get(each)
        if row is not None and is_of_another(row.id, routine, owners):
            continue
        if _can(hass.states.get(each), feature):
            return each
    return None


def is_of_another(registry_id: str, routine: Routine, owners: Mapping[str, str]) -> bool:
    """Return whether a satellite belongs to a person who is not the owner of the routine.

    `owners` maps registry ids of satellites to user ids. A satellite that is not in `owners`
    belongs to nobody.
    """
    return owners.get(registry_id, routine.owner) != routine.owner


def satellite_named(hass: HomeAssistant, registry_id: str, feature: int) -> str | None:
    """Return the entity id of the satellite with this registry id.

    None if there is no such satellite, or it is unavailable or lacks the feature (`SPEAKS`,
    `ASKS`).
    """
    row = er.async_get(hass).entities.get_entry(registry_id)
    return (
        row.entity_id if row is not None and _can(hass.states.get(row.entity_id), feature) else None
    )


async def async_announce(hass: HomeAssistant, entity_id: str, words: str) -> None:
    """Speak a text at a satellite, after its current conversation.

    Raises DeliveryUnavailableError.
    """
    await _async_wait_until_idle(hass, entity_id)
    data = {"entity_id": entity_id, "message": words}
    await async_call(hass, SATELLITE, "announce", data, seconds=_SPEAK_SECONDS)


async def async_ask(hass: HomeAssistant, entity_id: str, question: str) -> str:
    """Ask a question at a satellite, after its current conversation; return the spoken reply.

    Raises DeliveryUnavailableError, also if nobody replies.
    """
    await _async_wait_until_idle(hass, entity_id)
    data = {"entity_id": entity_id, "question": question}
    answer = await async_call(
        hass, SATELLITE, "ask_question", data, seconds=REPLY_SECONDS, answers=True
    )
    sentence = str((answer or {}).get("sentence") or "").strip()
    if not sentence:
        raise DeliveryUnavailableError(f"{entity_id} heard nothing")
    return sentence


def _candidates(
    hass: HomeAssistant, routine: Routine, owners: Mapping[str, str], *, in_room: bool
) -> Iterator[str]:
    registry = er.async_get(hass)
    if routine.satellite_id:
        yield routine.satellite_id
    if routine.device_id:
        # Look the satellite up by its device, because the entity may have been renamed.
        for row in er.async_entries_for_device(registry, routine.device_id):
            if row.domain == SATELLITE:
                yield row.entity_id
    for registry_id, owner in owners.items():
        if owner == routine.owner and (own := registry.entities.get_entry(registry_id)):
            yield own.entity_id
    if in_room and routine.room:
        for state in hass.states.async_all(SATELLITE):
            if room_of(hass, state.entity_id) == routine.room:
                yield state.entity_id


def _can(state: State | None, feature: int) -> bool:
    if state is None or state.state == STATE_UNAVAILABLE:
        return False
    return bool(state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & feature)


async def _async_wait_until_idle(hass: HomeAssistant, entity_id: str) -> None:
    idle = asyncio.Event()

    @callback
    def look(_: Event[EventStateChangedData] | None = None) -> None:
        state = hass.states.get(entity_id)
        if state is not None and state.state == _IDLE:
            idle.set()

    stop = async_track_state_change_event(hass, [entity_id], look)
    try:
        look()
        async with asyncio.timeout(IDLE_SECONDS):
            await idle.wait()
    except TimeoutError:
        raise DeliveryUnavailableError(f"a conversation at {entity_id} did not end") from None
    finally:
        stop()
