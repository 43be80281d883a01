"""Repair issues about routines, and about the sandbox that runs their condition code.

A routine has an issue if SAGE stopped it, or if its condition has been unknown for LONG_UNKNOWN.

Home Assistant shows the text of an issue to every user, so an issue names a routine only by its
number. The fix flow shows the code and the error (`repair_flows.py`).
"""

from typing import Final

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.util import dt as dt_util

from ...const import DOMAIN
from ...run.runtime import SageConfigEntry
from ..registry import RoutineEvent, RoutineEventKind
from ..routine_types import Memo, Routine, Status
from ..sandbox.sandbox_types import SandboxError

ROUTINE_ID: Final = "routine_id"
"""Key of the routine id in the data of a repair issue."""

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
def async_watch_routine_issues(hass: HomeAssistant, entry: SageConfigEntry) -> None:
    """Create and delete repair issues about routines and the sandbox until SAGE is unloaded."""
    routines = entry.runtime_data.routines

    @callback
    def heard(event: RoutineEvent) -> None:
        if event.kind is RoutineEventKind.REMOVED:
            ir.async_delete_issue(hass, DOMAIN, issue_id(event.routine.id))
        elif event.kind is not RoutineEventKind.FIRED:
            _show(hass, event.routine, event.memo)

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
        _show(hass, each.routine, each.memo)
    entry.async_on_unload(routines.listen(heard))
    entry.async_on_unload(routines.sandbox.listen(sandbox_changed))
    entry.async_on_unload(clear)


def issue_id(routine_id: str) -> str:
    """Return the id of the repair issue about a routine."""
    return f"{_PREFIX}{routine_id}"


@callback
def _show(hass: HomeAssistant, routine: Routine, memo: Memo) -> None:
    what: str = routine.status
    severity = _WORTH_AN_ISSUE.get(routine.status)
    if routine.status is Status.WATCHING and memo.is_long_unknown(dt_util.utcnow()):
        # The routine is still active, so there is nothing to resume: the issue has no fix flow.
        what, severity = _UNKNOWN, ir.IssueSeverity.WARNING
    if severity is None:
        ir.async_delete_issue(hass, DOMAIN, issue_id(routine.id))
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id(routine.id),
        is_fixable=what is not _UNKNOWN,
        severity=severity,
        translation_key=f"{_PREFIX}{what}",
        translation_placeholders={"number": str(routine.number)},
        data={ROUTINE_ID: routine.id},
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
