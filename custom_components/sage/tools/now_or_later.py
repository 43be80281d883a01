"""Whether a request is to be carried out now or later, before a device is touched."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

import probatio
from homeassistant.helpers import llm

from ..agent.language_model import ChatMessage, ModelRequest
from ..agent.partial_json import first_object
from ..agent.sampling import async_sample
from ..agent.tool_call import error_result
from ..agent.trace import TraceNode
from .situation import Situation


class Timing(StrEnum):
    """When a request is to be carried out."""

    NOW = "now"
    LATER = "later"
    """Something has to happen first, or a time has to come."""


TIMING: Final = probatio.Required(
    "timing",
    description=(
        "now: also if only on a condition about now; later: something has to happen first, or a "
        "time has to come"
    ),
)
"""The argument of the tools that act at once."""

TIMINGS: Final = probatio.In([each.value for each in Timing])

_NOTHING: Final = "nothing"
_WAITS_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"waits_for": {"type": "string", "enum": ["event", "time", _NOTHING]}},
    "required": ["waits_for"],
    "additionalProperties": False,
}
"""What a request waits for: small models tell that better than whether it is for later."""

_LATER: Final = (
    "Nothing was done: this tool acts at once. For a time call `condition_polling`; if something "
    "has to happen first, `condition_code_writing`, then `condition_polling`. What is for now "
    "goes here, by itself."
)
_ITS_TIME: Final = (
    "Nothing was done, but the time of this routine has come: call this again with `timing` now. "
    "Only for what waits for something else still: `condition_polling`."
)


class NowOrLater:
    """Says of one run whether its request is for later; shared by the tools that act at once."""

    def __init__(self, situation: Situation) -> None:
        """Start without having asked."""
        self._situation = situation
        self._is_later: bool | None = None
        """What a model that confuses the two said when it was asked."""

    async def async_refusal(
        self, given: Mapping[str, Any], trace: TraceNode
    ) -> llm.ToolResult | None:
        """Return what a tool with `timing` among its arguments says if it must not act now."""
        if not await self._async_is_later(trace, says_later=given.get("timing") == Timing.LATER):
            return None
        fired = self._situation.run.utterance.routine
        return error_result(_LATER if fired is None else _ITS_TIME)

    async def _async_is_later(self, trace: TraceNode, *, says_later: bool) -> bool:
        """Return whether the request is for later: as the model says in `timing`.

        A model that confuses the two is asked in a call of its own, once in a run, and not
        any more once something was watched, or set up for later.
        """
        run, evidence = self._situation.run, self._situation.evidence
        if not run.settings.confuses_later or run.settings.paper_flow:
            return says_later
        if (
            run.utterance.routine is not None
            or self._situation.conditions.names
            or evidence.routines
        ):
            return False
        if self._is_later is None:
            self._is_later = await self._async_ask(trace)
            return self._is_later
        return self._is_later and says_later

    def question(self, request: str) -> ModelRequest:
        """Return the call that asks what a request waits for."""
        messages = (
            ChatMessage(role="system", content=self._situation.prompt("later")),
            ChatMessage(role="user", content=f"Request: {request}"),
        )
        works = self._situation.run.settings.schema_works
        return ModelRequest(messages=messages, response_schema=_WAITS_SCHEMA if works else None)

    async def _async_ask(self, trace: TraceNode) -> bool:
        run = self._situation.run
        reply = await async_sample(run, trace, self.question(run.utterance.text))
        return (first_object(reply.text) or {}).get("waits_for") in ("event", "time")
