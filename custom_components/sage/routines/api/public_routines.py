"""What people hear of changes of routines: switches, events, repair issues, notes to the owner.

Every user can see switches, events and issues. They contain no code, no owner and no values of
devices:

- Switch: a name such as "Routine 3"; with an option, its trigger and action in words. Numbers are
  never reused.
- Event on the bus: its kind, and the number and switch of the routine.
- Repair issue: the number of the routine.
"""

from enum import StrEnum
from hashlib import sha256
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import ATTR_ENTITY_ID, EntityCategory, Platform
from homeassistant.core import Context, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.device_registry import DeviceEntryType, DeviceInfo
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.ulid import bytes_to_ulid

from ...const import CONF_SATELLITES, DOMAIN
from ...delivery import AnswerDeliverer
from ...helpers import show_issue
from ...run import SageConfigEntry
from ...text import Sentences, async_load_sentences
from ...tools import RoutineWords
from ..registry import RoutineEvent, RoutineEventKind
from ..routine_types import EdgeKind, Firing, Routine, Status, Watched


def device_info(entry: ConfigEntry) -> DeviceInfo:
    """Return the device info that all entities of routines share."""
    return DeviceInfo(
        identifiers={(DOMAIN, f"{entry.entry_id}_routines")},
        translation_key="routines",
        manufacturer="SAGE",
        model="Routines",
        entry_type=DeviceEntryType.SERVICE,
    )


@callback
def async_switch_of(hass: HomeAssistant, entry: ConfigEntry, routine: Routine) -> str:
    """Return the entity id of a routine's switch; add it to the entity registry if missing."""
    row = er.async_get(hass).async_get_or_create(
        Platform.SWITCH,
        DOMAIN,
        routine.id,
        # The entity id is the same in every language.
        suggested_object_id=f"{DOMAIN}_routine_{routine.number}",
        config_entry=entry,
        entity_category=EntityCategory.CONFIG,
    )
    return row.entity_id


@callback
def async_forget_switch(hass: HomeAssistant, routine_id: str) -> None:
    """Remove the switch of a deleted routine, and its settings, from the entity registry."""
    registry = er.async_get(hass)
    entity_id = registry.async_get_entity_id(Platform.SWITCH, DOMAIN, routine_id)
    if entity_id is not None:
        registry.async_remove(entity_id)
    # Home Assistant keeps the settings of removed entities, but a deleted routine never returns.
    if registry.deleted_entities.pop((Platform.SWITCH, DOMAIN, routine_id), None) is not None:
        registry.async_schedule_save()


def routine_id_of(hass: HomeAssistant, named: str) -> str:
    """Return the routine id for a switch's entity id; return any other text unchanged."""
    row = er.async_get(hass).async_get(named)
    if row is None or row.platform != DOMAIN or row.domain != Platform.SWITCH:
        return named
    return row.unique_id


_SENTENCES: Final[HassKey[Sentences]] = HassKey(f"{DOMAIN}_routine_sentences")

_TIME_BYTES: Final = 6
_OTHER_BYTES: Final = 10  # of a ULID after its timestamp: https://github.com/ulid/spec


class PublicEventType(StrEnum):
    """The kind of a routine's event, as all users of Home Assistant can see it."""

    FIRED = "fired"
    DONE = "done"
    FAILED = "failed"  # the routine started its action, but did not complete it
    UNDONE = "undone"  # SAGE undid the changes that the routine had made in the home

    @property
    def event_name(self) -> str:
        """The name of the event on the bus, such as `sage_routine_fired`."""
        return f"{DOMAIN}_routine_{self}"

    def text(self, hass: HomeAssistant) -> str:
        """Return the translated logbook text of the event, such as "was triggered"."""
        sentences = hass.data.get(_SENTENCES)
        return self.value if sentences is None else sentences.say(f"routine_has_{self}")


_SETS_STATUS: Final = {RoutineEventKind.CREATED, RoutineEventKind.CHANGED}


def _public_type(event: RoutineEvent) -> PublicEventType | None:
    is_off = event.firing is not None and event.firing.edge is EdgeKind.OFF
    if event.kind is RoutineEventKind.FIRED:
        return None if is_off else PublicEventType.FIRED
    if event.firing is None:
        return None
    if event.firing.is_failure:
        return PublicEventType.FAILED
    return PublicEventType.UNDONE if is_off else PublicEventType.DONE


def firing_context_id(firing: Firing) -> str:
    """Return the context id (a ULID) of one execution, the same after a restart."""
    # Two contexts have this id: that of the routine's commands, with the user id of the owner, and
    # that of the public events, without a user id.
    milliseconds = int(firing.at.timestamp() * 1000)
    other = sha256(f"{firing.routine_id} {firing.id}".encode()).digest()[:_OTHER_BYTES]
    return bytes_to_ulid(milliseconds.to_bytes(_TIME_BYTES) + other)


_PREFIX: Final = "routine_"
_SANDBOX: Final = "no_sandbox"
_WORTH_AN_ISSUE: Final = {
    Status.FAILING: ir.IssueSeverity.ERROR,
    Status.TOO_OFTEN: ir.IssueSeverity.ERROR,
    Status.NOT_EXPOSED: ir.IssueSeverity.WARNING,
}


def issue_id(routine_id: str) -> str:
    """Return the id of the repair issue about a routine."""
    return f"{_PREFIX}{routine_id}"


async def async_publish_routines(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Report changes of routines until SAGE is unloaded.

    - All users: events such as `sage_routine_fired`, and repair issues.
    - The owner: a message when the routine stops because they may not read a device any more, and
      when it continues, because the device can be read again.
    """
    hass.data[_SENTENCES] = await async_load_sentences(hass, hass.config.language)
    _RoutineNews(hass, entry).start()


class _RoutineNews:
    """Reports changes of routines."""

    def __init__(self, hass: HomeAssistant, entry: SageConfigEntry) -> None:
        self._hass = hass
        self._entry = entry
        self._routines = entry.runtime_data.routines
        self._deliverer = AnswerDeliverer(hass, entry.options.get(CONF_SATELLITES, {}))
        self._statuses = {
            each.routine.id: each.routine.status for each in self._routines.list_all()
        }

    def start(self) -> None:
        for stop in (
            self._routines.listen(self._handle_event),
            self._routines.sandbox.listen(self._show_sandbox),
            self._clear,
        ):
            self._entry.async_on_unload(stop)
        self._show_sandbox()
        for each in self._routines.list_all():
            self._show(each)

    @callback
    def _handle_event(self, event: RoutineEvent) -> None:
        hass, routine, kind = self._hass, event.routine, event.kind
        before = self._statuses.get(routine.id, Status.WATCHING)
        if kind in _SETS_STATUS:
            self._statuses[routine.id] = routine.status
        elif kind is RoutineEventKind.REMOVED:
            self._statuses.pop(routine.id, None)
        if (event_type := _public_type(event)) is not None:
            switch = async_switch_of(hass, self._entry, routine)
            hass.bus.async_fire(
                event_type.event_name,
                {ATTR_ENTITY_ID: switch, "number": routine.number},
                # Without the user: the owner is private.
                context=Context(id=firing_context_id(event.firing) if event.firing else None),
            )
        if kind is RoutineEventKind.REMOVED:
            show_issue(hass, issue_id(routine.id), None)
        elif (watched := self._routines.get(routine.id)) is not None:
            self._show(watched)
        if kind is RoutineEventKind.CHANGED and before is not routine.status:
            if routine.status is Status.NOT_EXPOSED:
                self._notify(routine, "routine_is_not_exposed")
            elif before is Status.NOT_EXPOSED and routine.status is Status.WATCHING:
                self._notify(routine, "routine_goes_on")

    # ---------------------------------------------------------------- repair issues

    def _show(self, watched: Watched) -> None:
        routine = watched.routine
        what: str | None = f"{_PREFIX}{routine.status}"
        severity = _WORTH_AN_ISSUE.get(routine.status, ir.IssueSeverity.WARNING)
        if routine.status is Status.WATCHING and watched.memo.is_long_unknown(dt_util.utcnow()):
            what = f"{_PREFIX}unknown"
        elif routine.status not in _WORTH_AN_ISSUE:
            what = None
        show_issue(
            self._hass, issue_id(routine.id), what, severity, {"number": str(routine.number)}
        )

    @callback
    def _show_sandbox(self) -> None:
        if (error := self._routines.sandbox.error) is None:
            show_issue(self._hass, _SANDBOX, None)
        else:
            show_issue(self._hass, _SANDBOX, _SANDBOX, values={"error": error.detail})

    @callback
    def _clear(self) -> None:
        show_issue(self._hass, _SANDBOX, None)
        for each in self._routines.list_all():
            show_issue(self._hass, issue_id(each.routine.id), None)

    def _notify(self, routine: Routine, key: str) -> None:
        self._entry.async_create_background_task(
            self._hass, self._async_notify(routine, key), "SAGE notifies the owner of a routine"
        )

    async def _async_notify(self, routine: Routine, key: str) -> None:
        sentences = await async_load_sentences(self._hass, routine.language)
        gist = RoutineWords(sentences, dt_util.now()).gist(routine)
        text = f"{gist} {sentences.say(key)}"
        await self._deliverer.async_send(routine, text, f"sage_routine_{routine.id}")
