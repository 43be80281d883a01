"""The human interaction tool: ask the person (paper, section III-A.4).

The question is the answer of the turn; the reply resumes the run where it stood.
"""

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..agent.tool_call import text_result
from .sage_tool import READ_ONLY, SageTool


class HumanInteraction(SageTool):
    """Asks the person one question and gives their reply."""

    name = "sage__human_interaction"
    title = "Ask"
    description = (
        "Ask the person one short question and wait for the reply. The last resort: only when "
        "neither the request nor a tool can settle it."
    )
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {probatio.Required("question", description="in the person's language"): str}
    )

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Put the question to the person; several questions queue."""
        question = self.arguments(tool_input)["question"]
        return text_result(await self.situation.run.async_ask(question))
