"""Repair issues of the household and their fix flows."""

from typing import Final

from homeassistant.components.repairs import ConfirmRepairFlow, RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .absent_owner_flow import AbsentOwnerFlow
from .absent_owners import OWNER_ID
from .agent.language_model import ModelErrorKind
from .connection import household_connection
from .const import DOMAIN
from .delivery.question_issue import QUESTION_ID
from .pipeline_check import PIPELINE_ID, async_ask_the_agent_first, async_check_pipelines
from .routine_access.fix_flow import RoutineFixFlow
from .routine_access.issues import ROUTINE_ID
from .routine_access.question_flow import QuestionFlow

_MODEL_ISSUE: Final = "model_error_"

_WORTH_AN_ISSUE: Final = frozenset(
    {
        ModelErrorKind.UNREACHABLE,
        ModelErrorKind.TIMEOUT,
        ModelErrorKind.NO_SUCH_MODEL,
        ModelErrorKind.NOT_A_CHAT_MODEL,
        ModelErrorKind.RATE_LIMITED,
        ModelErrorKind.SERVER_ERROR,
    }
)
"""Errors that stay until somebody acts or the server is back."""


@callback
def async_report_model_error(hass: HomeAssistant, entry: ConfigEntry, kind: ModelErrorKind) -> None:
    """Create an issue for a failed model; start reauthentication if the key was refused."""
    if kind is ModelErrorKind.KEY_REFUSED:
        entry.async_start_reauth(hass)
        return
    if kind not in _WORTH_AN_ISSUE:
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        _MODEL_ISSUE + entry.entry_id,
        is_fixable=False,
        severity=ir.IssueSeverity.ERROR,
        translation_key=f"model_{kind.value}",
        translation_placeholders={"model": household_connection(entry).model},
    )


@callback
def async_clear_model_error(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """Delete the issue: the model has answered, or the entry is removed."""
    ir.async_delete_issue(hass, DOMAIN, _MODEL_ISSUE + entry.entry_id)


class _AskTheAgentFirst(RepairsFlow):
    """Changes a pipeline so that its agent gets sentences before the built-in agent."""

    def __init__(self, pipeline_id: str) -> None:
        """Keep the pipeline to change."""
        self._pipeline_id = pipeline_id

    async def async_step_init(self, user_input: dict[str, str] | None = None) -> RepairsFlowResult:
        """Show the confirmation step."""
        return await self.async_step_confirm()

    async def async_step_confirm(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Ask, then change the pipeline."""
        if user_input is None:
            issue = ir.async_get(self.hass).async_get_issue(DOMAIN, self.issue_id)
            return self.async_show_form(
                step_id="confirm",
                description_placeholders=issue.translation_placeholders if issue else None,
            )
        await async_ask_the_agent_first(self.hass, self._pipeline_id)
        async_check_pipelines(self.hass)
        return self.async_create_entry(data={})


async def async_create_fix_flow(
    hass: HomeAssistant,
    issue_id: str,
    data: dict[str, str | int | float | None] | None,
) -> RepairsFlow:
    """Return the flow that fixes an issue."""
    if data and PIPELINE_ID in data:
        return _AskTheAgentFirst(str(data[PIPELINE_ID]))
    if data and QUESTION_ID in data:
        return QuestionFlow(str(data[QUESTION_ID]))
    if data and ROUTINE_ID in data:
        return RoutineFixFlow(str(data[ROUTINE_ID]))
    if data and OWNER_ID in data:
        return AbsentOwnerFlow(str(data[OWNER_ID]))
    return ConfirmRepairFlow()
