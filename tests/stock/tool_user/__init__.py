"""Another agent, reduced to its hands: an action that uses a tool of any LLM API."""

import probatio
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.helpers import llm
from homeassistant.helpers.typing import ConfigType

DOMAIN = "tool_user"
SCHEMA = probatio.Schema(
    {
        probatio.Required("apis"): [str],
        probatio.Required("tool"): str,
        probatio.Required("arguments"): dict,
    }
)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Register the action."""

    async def use(call: ServiceCall) -> ServiceResponse:
        """Use the tool with this ending of its name, for the caller."""
        context = llm.LLMContext(
            platform=DOMAIN,
            context=call.context,
            language="en",
            assistant="conversation",
            device_id=None,
        )
        instance = await llm.async_get_api(hass, call.data["apis"], context)
        (tool,) = [each for each in instance.tools if each.name.endswith(call.data["tool"])]
        given = llm.ToolInput(tool_name=tool.name, tool_args=call.data["arguments"])
        result = await instance.async_call_tool(given)
        return {
            "prompt": instance.api_prompt,
            "read_only": tool.annotations.read_only,
            "integration": tool.integration,
            "error": result.error,
            "data": result.data,
        }

    hass.services.async_register(DOMAIN, "use", use, SCHEMA, SupportsResponse.ONLY)
    return True
