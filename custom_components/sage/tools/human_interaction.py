"""The tool with which the model asks the person (SAGE paper, section III-A.4).

The question ends the conversation turn; the reply continues the same command.
"""

from typing import Final

import probatio
from homeassistant.helpers import llm

from ..agent import async_ask_person
from .sage_tool import READ_ONLY, Arguments, SageTool

_CLAIMS: Final = "only if the question says something of devices: as in `finish`"


class HumanInteraction(SageTool):
    """Asks the person one question and returns the reply."""

    name = "sage__human_interaction"
    title = "Ask"
    description = (
        "Ask the person one short question and wait for the reply: only when neither the request "
        "nor a tool can settle it, or if they want to be asked first."
    )
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {
            probatio.Required("question", description="in the person's language"): str,
            probatio.Optional("claims", description=_CLAIMS): [dict],
        }
    )

    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Ask the person one question and return the reply (`async_ask_person`)."""
        return await async_ask_person(self.situation.run, given["question"], given.get("claims"))
