"""The device disambiguation tool: finds the device of a description (SAGE paper, III-B)."""

import probatio
from homeassistant.helpers import llm

from ..agent import text_result
from .sage_tool import READ_ONLY, Arguments, SageTool


class DeviceDisambiguation(SageTool):
    """Finds the device that best matches a description, such as "the lamp by the bed"."""

    name = "sage__device_disambiguation"
    title = "Find the device"
    description = (
        "Find which device a description means, such as 'the lamp by the bed', by names, places, "
        "states and photos, or that the home has none. Not needed if names, places and photos "
        "that you see show it."
    )
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {
            probatio.Required(
                "description", description="the person's words for it, without its state"
            ): str,
            probatio.Optional(
                "in_english", description="the description in English, if it is not"
            ): str,
            probatio.Optional("kind", description="only its kind, in English: lamp, TV, ..."): str,
            probatio.Optional("state", description="on, playing, unlocked, ..."): str,
            probatio.Optional(
                "candidates",
                description="ids, or groups such as 'all light', to choose from; else all",
            ): [str],
        }
    )

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Return the best matches with their scores, and the difference of the two best scores."""
        ranking = await self.situation.home.async_rank(
            given["description"],
            given.get("candidates") or None,
            state=given.get("state") or "",
            in_english=given.get("in_english") or "",
            kind=given.get("kind") or "",
        )
        return text_result(ranking.text)
