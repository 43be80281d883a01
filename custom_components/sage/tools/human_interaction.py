"""The tool with which the model asks the person (SAGE paper, section III-A.4).

The question ends the conversation turn; the reply continues the same command.
"""

from dataclasses import replace
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..agent import (
    About,
    DecisionError,
    Finish,
    FinishKind,
    claims_from,
    error_result,
    final_result,
    text_result,
)
from ..text import plain
from .sage_tool import READ_ONLY, SageTool

_CLAIMS: Final = "only if the question says something of devices: as in `finish`"


class HumanInteraction(SageTool):
    """Asks the person one question and returns the reply."""

    name = "sage__human_interaction"
    title = "Ask"
    description = (
        "Ask the person one short question and wait for the reply. The last resort: only when "
        "neither the request nor a tool can settle it."
    )
    annotations = READ_ONLY
    parameters = probatio.Schema(
        {
            probatio.Required("question", description="in the person's language"): str,
            probatio.Optional("claims", description=_CLAIMS): [dict],
        }
    )

    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Ask the person one question and return the reply.

        A question with unproven claims about devices is not asked: the first time, the model gets
        an error and can correct the question; the second time, SAGE's code writes the final answer.
        """
        run = self.situation.run
        try:
            asked = _asked(self.arguments(tool_input))
        except DecisionError as err:
            return error_result(str(err))
        if run.answer_check is not None:
            judged = await run.answer_check.async_judge(asked)
            if isinstance(judged, str):
                return error_result(judged)
            if judged.kind is not FinishKind.ASKED:
                return final_result(replace(judged, about=frozenset(), claims=()))
            asked = judged
        return text_result(await run.async_ask(asked.answer))


def _asked(given: dict[str, Any]) -> Finish:
    claims = claims_from(given.get("claims"))
    about = About.HOME if claims else About.OTHER
    return Finish(
        kind=FinishKind.ASKED,
        answer=plain(given["question"]),
        about=frozenset({about}),
        claims=claims,
    )
