"""Public events of routines, for the event entity and the logbook.

An event contains only its kind, and the number and switch of the routine: no text, code, values or
person.
"""

from collections.abc import Iterable
from enum import StrEnum
from hashlib import sha256
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import bytes_to_ulid

from ...const import DOMAIN
from ...run.runtime import SageConfigEntry
from ...text.speech import Sentences, async_load_sentences
from ..registry import RoutineEvent, RoutineEventKind
from ..routine_types import EdgeKind, Firing, Routine, Status, Watched
from .switch_numbers import async_switch_of

_SENTENCES: Final[HassKey[Sentences]] = HassKey(f"{DOMAIN}_routine_sentences")

_TIME_BYTES: Final = 6
_OTHER_BYTES: Final = 10
"""Length in bytes of the part of a ULID after the time: https://github.com/ulid/spec."""


class PublicEventType(StrEnum):
    """The kind of a public event of a routine."""

    CREATED = "created"
    FIRED = "fired"
    DONE = "done"
    FAILED = "failed"
    """The routine started its action, but did not complete it."""
    UNDONE = "undone"
    """The changes of the routine were undone."""
    INTERRUPTED = "interrupted"
    """A restart interrupted the action of the routine."""
    PAUSED = "paused"
    RESUMED = "resumed"
    STOPPED = "stopped"
    """SAGE stopped the routine, for example because its code fails; the status has the reason."""
    REPAIRED = "repaired"
    ENDED = "ended"
    DELETED = "deleted"


_PLAIN: Final = {
    RoutineEventKind.INTERRUPTED: PublicEventType.INTERRUPTED,
    RoutineEventKind.REPAIRED: PublicEventType.REPAIRED,
}
_NOW: Final = {
    Status.WATCHING: PublicEventType.RESUMED,
    Status.PAUSED: PublicEventType.PAUSED,
    Status.ENDED: PublicEventType.ENDED,
}


class PublicEventReader:
    """Converts the events of the registry of routines to public events.

    It remembers the status of each routine, to find changes of the status.
    """

    def __init__(self, there: Iterable[Watched]) -> None:
        """`there`: all existing routines."""
        self._statuses = {each.routine.id: each.routine.status for each in there}

    def read(self, event: RoutineEvent) -> PublicEventType | None:
        """Return the type of the public event; None if the event is not public."""
        routine = event.routine
        before = self._statuses.get(routine.id, Status.WATCHING)
        if event.kind is RoutineEventKind.REMOVED:
            self._statuses.pop(routine.id, None)
            if routine.status is Status.ENDED:
                # An ended routine is removed automatically.
                return None if before is Status.ENDED else PublicEventType.ENDED
            return PublicEventType.DELETED
        if event.kind in (RoutineEventKind.CREATED, RoutineEventKind.LOADED):
            self._statuses[routine.id] = routine.status
            return PublicEventType.CREATED if event.kind is RoutineEventKind.CREATED else None
        if event.kind is RoutineEventKind.CHANGED:
            self._statuses[routine.id] = routine.status
            if routine.status is before:
                return None
            return _NOW.get(routine.status, PublicEventType.STOPPED)
        return _PLAIN.get(event.kind) or _of_firing(event)


def _of_firing(event: RoutineEvent) -> PublicEventType | None:
    is_off = event.firing is not None and event.firing.edge is EdgeKind.OFF
    if event.kind is RoutineEventKind.FIRED:
        return None if is_off else PublicEventType.FIRED
    if event.firing is not None and event.firing.is_failure:
        return PublicEventType.FAILED
    return PublicEventType.UNDONE if is_off else PublicEventType.DONE


def event_name(event_type: PublicEventType) -> str:
    """Return the name of the event on the bus, such as `sage_routine_fired`."""
    return f"{DOMAIN}_routine_{event_type}"


async def async_announce_routines(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Fire a public event on the bus at each event of a routine, until the entry is unloaded."""
    hass.data[_SENTENCES] = await async_load_sentences(hass, hass.config.language)
    routines = entry.runtime_data.routines
    reader = PublicEventReader(routines.list_all())

    @callback
    def heard(event: RoutineEvent) -> None:
        if (event_type := reader.read(event)) is None:
            return
        hass.bus.async_fire(
            event_name(event_type),
            public_data(hass, entry, event.routine),
            # Without the user: the owner is private.
            context=Context(id=firing_context_id(event.firing) if event.firing else None),
        )

    entry.async_on_unload(routines.listen(heard))


def event_text(hass: HomeAssistant, event_type: PublicEventType) -> str:
    """Return the translated logbook text of an event, such as "fired"."""
    sentences = hass.data.get(_SENTENCES)
    if sentences is None:
        return event_type.value
    return sentences.say(f"routine_has_{event_type}")


@callback
def public_data(hass: HomeAssistant, entry: ConfigEntry, routine: Routine) -> dict[str, str | int]:
    """Return the public data of a routine: the entity id of its switch, and its number."""
    switch = async_switch_of(hass, entry, routine)
    return {ATTR_ENTITY_ID: switch.entity_id, "number": switch.number}


def firing_context_id(firing: Firing) -> str:
    """Return the id of the Home Assistant context for one execution of a routine's action.

    The id is a ULID that is the same after a restart. The context of the routine's commands has
    this id and the user id of the routine's person. The context of public events has this id and no
    user id.
    """
    milliseconds = int(firing.at.timestamp() * 1000)
    other = sha256(f"{firing.routine_id} {firing.id}".encode()).digest()[:_OTHER_BYTES]
    return bytes_to_ulid(milliseconds.to_bytes(_TIME_BYTES) + other)
