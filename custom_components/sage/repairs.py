"""Fix flows for SAGE's repair issues."""

from homeassistant.components.repairs import ConfirmRepairFlow, RepairsFlow, RepairsFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from .config.pipeline_check import PIPELINE_ID, async_ask_the_agent_first, async_check_pipelines
from .const import DOMAIN


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
    return ConfirmRepairFlow()
