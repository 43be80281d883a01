"""The fix flow for the repair issue about a stopped routine.

Only administrators can open repair issues. Only the owner of the routine sees its code and error;
every administrator sees those of the household's routines.
"""

import re
from typing import Final

from homeassistant.components.http.const import KEY_HASS_USER
from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import AbortFlow
from homeassistant.helpers.http import current_request

from ...const import DOMAIN
from ...run.runtime import SageConfigEntry
from ..routine_types import Condition, Routine, RoutineError, Status
from ..routines import Routines
from ..sandbox.sandbox_types import Fault
from .permissions import Caller, async_caller

_PRIVATE: Final = frozenset({Status.FAILING, Status.NOT_EXPOSED})
"""Statuses for which the fix flow shows private details: the error and the code."""


class RoutineFixFlow(RepairsFlow):
    """Shows why SAGE stopped a routine, and resumes or deletes the routine."""

    def __init__(self, routine_id: str) -> None:
        self._routine_id = routine_id

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Show the error if the user may see it, otherwise only the number of the routine."""
        if (routine := self._routine) is None:
            return self.async_create_entry(data={})
        caller = await async_looker(self.hass)
        if routine.status in _PRIVATE and not _may_read(caller, routine):
            return await self.async_step_others()
        return self._menu("init", routine, **_details(routine))

    async def async_step_others(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Show only the number of the routine, which belongs to another person."""
        if (routine := self._routine) is None:
            return self.async_create_entry(data={})
        return self._menu("others", routine)

    async def async_step_resume(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Resume the routine."""
        try:
            if self._routine is not None:
                await self._routines.async_resume(self._routine_id)
        except RoutineError as err:
            return self._unchanged(err)
        return self.async_create_entry(data={})

    async def async_step_delete(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Delete the routine."""
        try:
            if self._routine is not None:
                await self._routines.async_delete(self._routine_id)
        except RoutineError as err:
            return self._unchanged(err)
        return self.async_create_entry(data={})

    def _menu(self, step_id: str, routine: Routine, **details: str) -> RepairsFlowResult:
        return self.async_show_menu(
            step_id=step_id,
            menu_options=["resume", "delete"],
            description_placeholders={"number": str(routine.number), **details},
        )

    def _unchanged(self, err: RoutineError) -> RepairsFlowResult:
        return self.async_abort(reason="unchanged", description_placeholders={"error": str(err)})

    @property
    def _entry(self) -> SageConfigEntry:
        entries: list[SageConfigEntry] = self.hass.config_entries.async_loaded_entries(DOMAIN)
        if not entries:
            raise AbortFlow("not_loaded")
        return entries[0]

    @property
    def _routines(self) -> Routines:
        return self._entry.runtime_data.routines

    @property
    def _routine(self) -> Routine | None:
        try:
            watched = self._routines.get(self._routine_id)
        except RoutineError as err:
            raise AbortFlow("unchanged", {"error": str(err)}) from err
        return None if watched is None else watched.routine


async def async_looker(hass: HomeAssistant) -> Caller:
    """Return the user of the current HTTP request, who has opened the repair issue."""
    request = current_request.get()
    user = request.get(KEY_HASS_USER) if request is not None else None
    return await async_caller(hass, user.id if user is not None else None)


def _may_read(caller: Caller, routine: Routine) -> bool:
    return routine.owner is None or caller.owns(routine)


def _details(routine: Routine) -> dict[str, str]:
    if routine.status not in _PRIVATE:
        return {}
    conditions = (routine.trigger, routine.end)
    code = "\n".join(each.source for each in conditions if isinstance(each, Condition))
    trouble = routine.trouble
    error = trouble and (trouble.detail if trouble.fault is Fault.WITHHELD else str(trouble))
    return {"error": error or "", "code": _fenced(code)}


def _fenced(code: str) -> str:
    """Return code as a Markdown code block; backticks in the code cannot end the block."""
    longest = max((len(each) for each in re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{code}\n{fence}"
