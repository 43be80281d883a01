"""Which tools of other integrations SAGE takes."""

import probatio
import pytest
from homeassistant.helpers import llm

from custom_components.sage.tools.foreign import NEVER_TAKEN, bypasses_gate


class Own(llm.Tool):
    """A tool of another integration."""

    name = "other__tool"
    integration = "other"
    parameters = probatio.Schema({})

    async def async_call(self, hass, tool_input, llm_context) -> llm.ToolResult:
        return llm.ToolResult(data={})


class OfAssist(Own):
    """Tools in the style of Home Assistant's integrations."""


OfAssist.__module__ = "homeassistant.components.light.llm"


class OfAnIntegration(Own):
    """A tool that an integration of Home Assistant offers by itself."""


OfAnIntegration.__module__ = "homeassistant.components.mcp"


@pytest.mark.parametrize(
    ("tool", "refused"),
    [
        (Own(), False),
        (OfAnIntegration(), False),
        (OfAssist(), True),
        (llm.NamespacedTool("x", Own()), False),
        (llm.NamespacedTool("x", OfAssist()), True),
        (llm.NamespacedTool("y", llm.NamespacedTool("x", OfAssist())), True),
    ],
)
def test_tools_of_home_assistant_are_known_through_every_wrapping(tool, refused) -> None:
    assert bypasses_gate(tool) is refused


def test_apis_that_are_never_taken() -> None:
    assert {"assist", "homeassistant", "sage"} <= NEVER_TAKEN
