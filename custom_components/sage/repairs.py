"""Fix flows for SAGE's repair issues."""

from typing import Final

import probatio
from homeassistant.components.repairs import ConfirmRepairFlow, RepairsFlow, RepairsFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import AbortFlow
from homeassistant.helpers import issue_registry as ir

from .background.absent_owners import OWNER_ID, AbsentOwner, AbsentOwners
from .config.flow_forms import async_people
from .config.pipeline_check import PIPELINE_ID, async_ask_the_agent_first, async_check_pipelines
from .const import DOMAIN
from .delivery.routine_questions import QUESTION_ID
from .memory.memory_errors import MemoryStoreError
from .people.identity import async_user
from .routines.api.public_routines import ROUTINE_ID
from .routines.api.repair_flows import QuestionFlow, RoutineFixFlow
from .routines.routine_types import RoutineError
from .run.runtime import SageConfigEntry

_PERSON: Final = "person"


class _AskTheAgentFirst(RepairsFlow):
    """Fix flow that makes a voice pipeline ask SAGE before the built-in agent."""

    def __init__(self, pipeline_id: str) -> None:
        self._pipeline_id = pipeline_id

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Forward to the confirmation step."""
        return await self.async_step_confirm()

    async def async_step_confirm(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Ask for confirmation, then change the pipeline."""
        if user_input is None:
            issue = ir.async_get(self.hass).async_get_issue(DOMAIN, self.issue_id)
            return self.async_show_form(
                step_id="confirm",
                description_placeholders=issue.translation_placeholders if issue else None,
            )
        await async_ask_the_agent_first(self.hass, self._pipeline_id)
        async_check_pipelines(self.hass)
        return self.async_create_entry(data={})


class _AbsentOwnerFlow(RepairsFlow):
    """Fix flow that transfers or deletes the data of a person whose user no longer exists.

    Only administrators can open the flow. Closing it changes nothing.
    """

    def __init__(self, user_id: str) -> None:
        self._user_id = user_id

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Show a menu with the options transfer and delete."""
        if (owner := self._owner) is None:
            return self.async_create_entry(data={})
        return self.async_show_menu(
            step_id="init",
            menu_options=["give", "delete"],
            description_placeholders=_placeholders(owner),
        )

    async def async_step_give(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Ask for the receiving person, then transfer all data of the absent person."""
        if (owner := self._owner) is None:
            return self.async_create_entry(data={})
        if user_input is None:
            return self.async_show_form(
                step_id="give",
                data_schema=probatio.Schema(
                    {probatio.Required(_PERSON): await async_people(self.hass)}
                ),
                description_placeholders=_placeholders(owner),
            )
        person = await async_user(self.hass, user_input[_PERSON])
        if not person.is_known:
            return self._unchanged("There is no such person.")
        try:
            await self._owners.async_give(self._user_id, person)
        except (MemoryStoreError, RoutineError, OSError) as err:
            return self._unchanged(str(err))
        return self.async_create_entry(data={})

    async def async_step_delete(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Ask for confirmation, then delete all data of the absent person."""
        if (owner := self._owner) is None:
            return self.async_create_entry(data={})
        if user_input is None:
            return self.async_show_form(
                step_id="delete",
                data_schema=probatio.Schema({}),
                description_placeholders=_placeholders(owner),
            )
        try:
            await self._owners.async_purge(self._user_id)
        except (MemoryStoreError, RoutineError, OSError) as err:
            return self._unchanged(str(err))
        return self.async_create_entry(data={})

    def _unchanged(self, error: str) -> RepairsFlowResult:
        return self.async_abort(reason="unchanged", description_placeholders={"error": error})

    @property
    def _owners(self) -> AbsentOwners:
        entries: list[SageConfigEntry] = self.hass.config_entries.async_loaded_entries(DOMAIN)
        if not entries:
            raise AbortFlow("not_loaded")
        return entries[0].runtime_data.absent_owners

    @property
    def _owner(self) -> AbsentOwner | None:
        return self._owners.get(self._user_id)


def _placeholders(owner: AbsentOwner) -> dict[str, str]:
    day = "" if owner.purged_on is None else owner.purged_on.isoformat()
    return {"name": owner.name, "routines": str(owner.routines), "date": day}


async def async_create_fix_flow(
    hass: HomeAssistant,
    issue_id: str,
    data: dict[str, str | int | float | None] | None,
) -> RepairsFlow:
    """Return the fix flow for a repair issue, selected by a key in its `data`.

    Without a known key, the flow only asks for confirmation.
    """
    if data and PIPELINE_ID in data:
        return _AskTheAgentFirst(str(data[PIPELINE_ID]))
    if data and QUESTION_ID in data:
        return QuestionFlow(str(data[QUESTION_ID]))
    if data and ROUTINE_ID in data:
        return RoutineFixFlow(str(data[ROUTINE_ID]))
    if data and OWNER_ID in data:
        return _AbsentOwnerFlow(str(data[OWNER_ID]))
    return ConfirmRepairFlow()
