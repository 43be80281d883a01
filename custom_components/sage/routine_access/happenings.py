"""What happens to routines, as everybody may see it: kinds and numbers, nothing else.

Read by the event entity and the logbook. Words, code and values of a routine, and whose it
is, never get here.
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

from ..const import DOMAIN
from ..routines.model import EdgeKind, Firing, Routine, RoutineEvent, RoutineEventKind, Status
from ..routines.routines import Watched
from ..runtime import SageConfigEntry
from ..speech import Sentences, async_load_sentences
from .switches import async_switch_of

_SENTENCES: Final[HassKey[Sentences]] = HassKey(f"{DOMAIN}_routine_sentences")

_TIME_BYTES: Final = 6
_OTHER_BYTES: Final = 10
"""What a ULID is made of: https://github.com/ulid/spec."""


class Happening(StrEnum):
    """What happened to a routine."""

    CREATED = "created"
    FIRED = "fired"
    DONE = "done"
    FAILED = "failed"
    """It fired, but did not do what it was to do."""
    UNDONE = "undone"
    """What it had changed was put back."""
    INTERRUPTED = "interrupted"
    """A restart broke off what it did."""
    PAUSED = "paused"
    RESUMED = "resumed"
    STOPPED = "stopped"
    """It stopped by itself; the status of its switch says why."""
    REPAIRED = "repaired"
    ENDED = "ended"
    DELETED = "deleted"


_PLAIN: Final = {
    RoutineEventKind.INTERRUPTED: Happening.INTERRUPTED,
    RoutineEventKind.REPAIRED: Happening.REPAIRED,
}
_NOW: Final = {
    Status.WATCHING: Happening.RESUMED,
    Status.PAUSED: Happening.PAUSED,
    Status.ENDED: Happening.ENDED,
}


class HappeningReader:
    """Tells what an event of a routine means, given what the routine was before."""

    def __init__(self, there: Iterable[Watched]) -> None:
        """Begin with the routines that are there."""
        self._statuses = {each.routine.id: each.routine.status for each in there}

    def read(self, event: RoutineEvent) -> Happening | None:
        """Return what happened; None for what nobody needs to see."""
        routine = event.routine
        before = self._statuses.get(routine.id, Status.WATCHING)
        if event.kind is RoutineEventKind.REMOVED:
            self._statuses.pop(routine.id, None)
            if routine.status is Status.ENDED:
                # A routine that is over goes by itself.
                return None if before is Status.ENDED else Happening.ENDED
            return Happening.DELETED
        if event.kind in (RoutineEventKind.CREATED, RoutineEventKind.LOADED):
            self._statuses[routine.id] = routine.status
            return Happening.CREATED if event.kind is RoutineEventKind.CREATED else None
        if event.kind is RoutineEventKind.CHANGED:
            self._statuses[routine.id] = routine.status
            if routine.status is before:
                return None
            return _NOW.get(routine.status, Happening.STOPPED)
        return _PLAIN.get(event.kind) or _of_firing(event)


def _of_firing(event: RoutineEvent) -> Happening | None:
    is_off = event.firing is not None and event.firing.edge is EdgeKind.OFF
    if event.kind is RoutineEventKind.FIRED:
        return None if is_off else Happening.FIRED
    if event.firing is not None and event.firing.is_failure:
        return Happening.FAILED
    return Happening.UNDONE if is_off else Happening.DONE


def event_name(happening: Happening) -> str:
    """Return the name of the event on the bus, such as `sage_routine_fired`."""
    return f"{DOMAIN}_routine_{happening}"


async def async_announce_routines(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Tell the bus of all that happens to routines, until the entry is unloaded."""
    hass.data[_SENTENCES] = await async_load_sentences(hass, hass.config.language)
    routines = entry.runtime_data.routines
    reader = HappeningReader(routines.list_all())

    @callback
    def heard(event: RoutineEvent) -> None:
        if (happening := reader.read(event)) is None:
            return
        hass.bus.async_fire(
            event_name(happening),
            public_data(hass, entry, event.routine),
            # Without the person: whose routine it is, is nobody's business.
            context=Context(id=firing_context_id(event.firing) if event.firing else None),
        )

    entry.async_on_unload(routines.listen(heard))


def happening_words(hass: HomeAssistant, happening: Happening) -> str:
    """Return what to say of a routine in the logbook, such as "fired"."""
    sentences = hass.data.get(_SENTENCES)
    if sentences is None:
        return happening.value
    return sentences.say(f"routine_has_{happening}")


@callback
def public_data(hass: HomeAssistant, entry: ConfigEntry, routine: Routine) -> dict[str, str | int]:
    """Return what may be said of a routine: its switch and its number."""
    switch = async_switch_of(hass, entry, routine)
    return {ATTR_ENTITY_ID: switch.entity_id, "number": switch.number}


def firing_context_id(firing: Firing) -> str:
    """Return the id of the context in which all happens that a firing leads to.

    The same for the same firing, also after a restart; a ULID, as the recorder wants it.
    The commands of the routine have this id and the user id of its person; what everybody
    is told about the firing has this id alone.
    """
    milliseconds = int(firing.at.timestamp() * 1000)
    other = sha256(f"{firing.routine_id} {firing.id}".encode()).digest()[:_OTHER_BYTES]
    return bytes_to_ulid(milliseconds.to_bytes(_TIME_BYTES) + other)
