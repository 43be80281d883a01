"""Putting back what SAGE changed (DESIGN 5)."""

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..agent.tool_call import error_result, text_result
from ..home.outcome_text import describe_for_model
from .sage_tool import WRITES, HomeError, SageTool


class Undo(SageTool):
    """Restores what the person's last command changed."""

    name = "sage__undo"
    title = "Put back"
    description = (
        "Put back what the person's last command in the home changed ('undo that', 'put it back')."
    )
    annotations = WRITES
    parameters = probatio.Schema({})

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Restore through the gate, with confirmation where it is risky."""
        self.arguments(tool_input)
        situation = self.situation
        situation.run.act_intended = True
        try:
            outcomes = await situation.undo.async_undo(
                situation.authority, situation.run.utterance.conversation_id
            )
        except HomeError as err:
            return error_result(str(err))
        situation.evidence.record_outcomes(outcomes)
        return text_result(describe_for_model(outcomes))
