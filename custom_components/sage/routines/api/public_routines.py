"""The public data of routines: switches, events and repair issues.

Every user can see this data. It contains no code, no owner and no values of devices:

- Switch: a name such as "Routine 3"; with an option, its trigger and action in words. Numbers are
  never reused.
- Event on the bus: its kind, and the number and switch of the routine.
- Repair issue: the number of the routine.
"""

from collections.abc import Collection
from datetime import datetime
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

from ...const import DOMAIN
from ...run import SageConfigEntry
from ...text import Sentences, async_load_sentences
from ..registry import RoutineEvent, RoutineEventKind
from ..routine_types import EdgeKind, Firing, Routine, Status, Watched
from ..sandbox.sandbox_types import SandboxError


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


@callback
def async_forget_strange_switches(
    hass: HomeAssistant, entry: ConfigEntry, there: Collection[str]
) -> None:
    """Remove the switches of routines that no longer exist.

    `there`: ids of the existing routines; if empty, all switches are removed.
    """
    for row in _switches(er.async_get(hass), entry):
        if row.unique_id not in there:
            async_forget_switch(hass, row.unique_id)


def routine_id_of(hass: HomeAssistant, named: str) -> str:
    """Return the routine id for a switch's entity id; return any other text unchanged."""
    row = er.async_get(hass).async_get(named)
    if row is None or row.platform != DOMAIN or row.domain != Platform.SWITCH:
        return named
    return row.unique_id


def _switches(registry: er.EntityRegistry, entry: ConfigEntry) -> list[er.RegistryEntry]:
    return [
        row
        for row in er.async_entries_for_config_entry(registry, entry.entry_id)
        if row.platform == DOMAIN and row.domain == Platform.SWITCH
    ]


_SENTENCES: Final[HassKey[Sentences]] = HassKey(f"{DOMAIN}_routine_sentences")

_TIME_BYTES: Final = 6
_OTHER_BYTES: Final = 10
"""Number of bytes in a ULID after its timestamp: https://github.com/ulid/spec."""


class PublicEventType(StrEnum):
    """The kind of a routine's event, as all users of Home Assistant can see it."""

    CREATED = "created"
    FIRED = "fired"
    DONE = "done"
    FAILED = "failed"
    """The routine started its action, but did not complete it."""
    UNDONE = "undone"
    """SAGE undid the changes that the routine had made in the home."""
    INTERRUPTED = "interrupted"
    """A restart interrupted the action of the routine."""
    PAUSED = "paused"
    RESUMED = "resumed"
    STOPPED = "stopped"
    """SAGE stopped the routine, e.g. because its code fails; `Routine.status` has the reason."""
    REPAIRED = "repaired"
    ENDED = "ended"
    DELETED = "deleted"

    @property
    def event_name(self) -> str:
        """The name of the event on the bus, such as `sage_routine_fired`."""
        return f"{DOMAIN}_routine_{self}"

    def text(self, hass: HomeAssistant) -> str:
        """Return the translated logbook text of the event, such as "was triggered"."""
        sentences = hass.data.get(_SENTENCES)
        return self.value if sentences is None else sentences.say(f"routine_has_{self}")


_PLAIN: Final = {
    RoutineEventKind.CREATED: PublicEventType.CREATED,
    RoutineEventKind.INTERRUPTED: PublicEventType.INTERRUPTED,
    RoutineEventKind.REPAIRED: PublicEventType.REPAIRED,
}
_SETS_STATUS: Final = {
    RoutineEventKind.CREATED,
    RoutineEventKind.LOADED,
    RoutineEventKind.CHANGED,
}
_NOW: Final = {
    Status.WATCHING: PublicEventType.RESUMED,
    Status.PAUSED: PublicEventType.PAUSED,
    Status.ENDED: PublicEventType.ENDED,
}


def _public_type(event: RoutineEvent, before: Status) -> PublicEventType | None:
    """Return the kind of an event for all users; None if SAGE does not publish the event.

    `before`: the status of the routine before the event.
    """
    status = event.routine.status
    is_off = event.firing is not None and event.firing.edge is EdgeKind.OFF
    match event.kind:
        case RoutineEventKind.REMOVED if status is not Status.ENDED:
            return PublicEventType.DELETED
        case RoutineEventKind.REMOVED | RoutineEventKind.CHANGED:
            # An ended routine is removed automatically.
            return None if status is before else _NOW.get(status, PublicEventType.STOPPED)
        case RoutineEventKind.FIRED:
            return None if is_off else PublicEventType.FIRED
        case RoutineEventKind.DONE:
            if event.firing is not None and event.firing.is_failure:
                return PublicEventType.FAILED
            return PublicEventType.UNDONE if is_off else PublicEventType.DONE
    return _PLAIN.get(event.kind)


async def async_publish_routines(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Fire events such as `sage_routine_fired`, and show repair issues, until SAGE is unloaded."""
    hass.data[_SENTENCES] = await async_load_sentences(hass, hass.config.language)
    routines = entry.runtime_data.routines
    statuses = {each.routine.id: each.routine.status for each in routines.list_all()}

    @callback
    def handle_event(event: RoutineEvent) -> None:
        routine = event.routine
        event_type = _public_type(event, statuses.get(routine.id, Status.WATCHING))
        if event.kind in _SETS_STATUS:
            statuses[routine.id] = routine.status
        elif event.kind is RoutineEventKind.REMOVED:
            statuses.pop(routine.id, None)
        if event_type is None:
            return
        hass.bus.async_fire(
            event_type.event_name,
            {ATTR_ENTITY_ID: async_switch_of(hass, entry, routine), "number": routine.number},
            # Without the user: the owner is private.
            context=Context(id=firing_context_id(event.firing) if event.firing else None),
        )

    entry.async_on_unload(routines.listen(handle_event))
    _watch_issues(hass, entry)


def firing_context_id(firing: Firing) -> str:
    """Return the context id (a ULID) for one execution of a routine's action.

    The same execution has the same id after a restart.
    """
    # Two contexts have this id: that of the routine's commands, with the user id of the owner, and
    # that of the public events, without a user id.
    milliseconds = int(firing.at.timestamp() * 1000)
    other = sha256(f"{firing.routine_id} {firing.id}".encode()).digest()[:_OTHER_BYTES]
    return bytes_to_ulid(milliseconds.to_bytes(_TIME_BYTES) + other)


_PREFIX: Final = "routine_"
_UNKNOWN: Final = "unknown"
_SANDBOX: Final = "no_sandbox"
_WORTH_AN_ISSUE: Final = {
    Status.FAILING: ir.IssueSeverity.ERROR,
    Status.LOOPING: ir.IssueSeverity.ERROR,
    Status.TOO_OFTEN: ir.IssueSeverity.ERROR,
    Status.NOT_EXPOSED: ir.IssueSeverity.WARNING,
}


@callback
def _forget(hass: HomeAssistant, routine: Routine) -> None:
    """Delete the repair issues about a removed routine; a routine that has ended keeps some."""
    ir.async_delete_issue(hass, DOMAIN, issue_id(routine.id))
    if routine.status is not Status.ENDED:
        for kind in (RoutineEventKind.INTERRUPTED, RoutineEventKind.MISSED):
            ir.async_delete_issue(hass, DOMAIN, issue_id(f"{kind}_{routine.id}"))


@callback
def _report_not_done(
    hass: HomeAssistant, kind: RoutineEventKind, routine: Routine, at: datetime
) -> None:
    """Create a repair issue that stays until it is confirmed, also after a restart.

    Every user can read issues, so action and owner are only in the message to the person.
    """
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id(f"{kind}_{routine.id}"),
        is_fixable=True,
        is_persistent=True,
        severity=ir.IssueSeverity.WARNING,
        translation_key=f"{_PREFIX}{kind}",
        translation_placeholders={
            "number": str(routine.number),
            "time": f"{dt_util.as_local(at):%Y-%m-%d %H:%M}",
        },
    )


@callback
def _watch_issues(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Create and delete repair issues about routines and the sandbox until SAGE is unloaded."""
    routines = entry.runtime_data.routines

    @callback
    def handle_event(event: RoutineEvent) -> None:
        if event.kind is RoutineEventKind.REMOVED:
            _forget(hass, event.routine)
        elif event.at is not None:
            _report_not_done(hass, event.kind, event.routine, event.at)
        elif (watched := routines.get(event.routine.id)) is not None:
            _show(hass, watched)

    @callback
    def sandbox_changed() -> None:
        _show_sandbox(hass, routines.sandbox.error)

    @callback
    def clear() -> None:
        _show_sandbox(hass, None)
        for each in routines.list_all():
            ir.async_delete_issue(hass, DOMAIN, issue_id(each.routine.id))

    sandbox_changed()
    for each in routines.list_all():
        _show(hass, each)
    entry.async_on_unload(routines.listen(handle_event))
    entry.async_on_unload(routines.sandbox.listen(sandbox_changed))
    entry.async_on_unload(clear)


def issue_id(routine_id: str) -> str:
    """Return the id of the repair issue about a routine."""
    return f"{_PREFIX}{routine_id}"


@callback
def _show(hass: HomeAssistant, watched: Watched) -> None:
    routine, memo = watched.routine, watched.memo
    what: str = routine.status
    severity = _WORTH_AN_ISSUE.get(routine.status)
    if routine.status is Status.WATCHING and memo.is_long_unknown(dt_util.utcnow()):
        what, severity = _UNKNOWN, ir.IssueSeverity.WARNING
    if severity is None:
        ir.async_delete_issue(hass, DOMAIN, issue_id(routine.id))
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id(routine.id),
        is_fixable=False,
        severity=severity,
        translation_key=f"{_PREFIX}{what}",
        translation_placeholders={"number": str(routine.number)},
    )


@callback
def _show_sandbox(hass: HomeAssistant, error: SandboxError | None) -> None:
    """Create the repair issue that condition code cannot run; delete it if `error` is None."""
    if error is None:
        ir.async_delete_issue(hass, DOMAIN, _SANDBOX)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _SANDBOX,
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR,
        translation_key=f"{_SANDBOX}_{error.cause}",
        translation_placeholders={"error": error.detail},
    )
