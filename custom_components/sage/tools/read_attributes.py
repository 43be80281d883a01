"""The tools that return attribute values and the documentation of devices to the model.

They are the attribute and API documentation retrieval tools of the SAGE paper, section III-B.
"""

import probatio
from homeassistant.helpers import llm

from ..agent import error_result, text_result
from ..home import HomeError, render_documentation, render_readings
from .sage_tool import READ_ONLY, Arguments, SageTool


class ReadAttributes(SageTool):
    """Reads attribute values of devices."""

    name = "sage__read_attributes"
    title = "Read"
    description = (
        "Read current values of devices, also texts not shown, or those before their last change."
    )
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {
            probatio.Required("devices", description="ids or groups"): [str],
            probatio.Optional("attributes", description="names of attributes; leave out for all"): [
                str
            ],
            probatio.Optional(
                "before",
                description="true: what they were before their last change, and until when",
            ): bool,
        }
    )

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Return the attribute values of devices as text for the model.

        These are the current values, or with the argument `before`, the values that the devices
        had before their last change. Returns an error for a device that the person may not read.
        """
        home, devices, attributes = self.situation.home, given["devices"], given.get("attributes")
        try:
            if given.get("before"):
                earlier = await home.async_read_earlier(
                    devices, attributes or None, outcomes=self.situation.evidence.outcomes
                )
                return text_result(render_readings(earlier))
            readings = await home.async_read(devices, attributes or None)
        except HomeError as err:
            return error_result(str(err))
        return text_result(render_readings(readings))


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

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Return the documentation of devices as text for the model, with current values.

        Returns an error for a device that is unknown or that the person may not read.
        """
        try:
            documents = await self.situation.home.async_document(
                given["devices"], given.get("capabilities") or None
            )
        except HomeError as err:
            return error_result(str(err))
        return text_result(render_documentation(documents))
