"""The tool that returns the attributes and commands of devices to the model.

It is the API documentation retrieval tool of the SAGE paper, section III-B.
"""

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..agent.tool import error_result, text_result
from ..home.home_types import HomeError
from ..home.rendering import render_documentation
from .sage_tool import READ_ONLY, SageTool


class ApiDocumentation(SageTool):
    """Returns the attributes, current values and commands of devices, from the running system."""

    name = "sage__api_documentation"
    title = "Read documentation"
    description = "Get the documentation of devices: attributes with current values, commands."
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {
            probatio.Required("devices", description="ids or groups"): [str],
            probatio.Optional(
                "capabilities", description="only these capabilities; leave out for all"
            ): [str],
        }
    )

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return the documentation of devices as text for the model, with current values.

        Returns an error for a device that is unknown or that the person may not read.
        """
        given = self.arguments(tool_input)
        try:
            documents = await self.situation.home.async_document(
                given["devices"], given.get("capabilities") or None
            )
        except HomeError as err:
            return error_result(str(err))
        return text_result(render_documentation(documents))
