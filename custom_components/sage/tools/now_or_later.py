"""Checks whether a request is for now or for later, before a command is sent."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

import probatio
from homeassistant.helpers import llm

from ..agent.sampling import async_sample
from ..agent.tool_call import error_result
from ..agent.trace import TraceNode
from ..model.language_model import ChatMessage, ModelRequest
from ..model.partial_json import first_object
from .situation import Situation


class Timing(StrEnum):
    """When a request should be executed."""

    NOW = "now"
    LATER = "later"
    """After an event, or at a time."""


TIMING: Final = probatio.Required(
    "timing",
    description=(
        "now: also if only on a condition about now; later: something has to happen first, or a "
        "time has to come"
    ),
)
"""The argument `timing` of the tools that act immediately."""

TIMINGS: Final = probatio.In([each.value for each in Timing])

_NOTHING: Final = "nothing"
_WAITS_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"waits_for": {"type": "string", "enum": ["event", "time", _NOTHING]}},
    "required": ["waits_for"],
    "additionalProperties": False,
}
"""What a request waits for. Small models answer this more reliably than "now or later"."""

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
    """Decides for one run whether its request is for later; shared by its tools that act now."""

    def __init__(self, situation: Situation) -> None:
        """Start without an answer."""
        self._situation = situation
        self._is_later: bool | None = None
        """The answer of a model that confuses now and later; None before it was asked."""

    async def async_refusal(
        self, given: Mapping[str, Any], trace: TraceNode
    ) -> llm.ToolResult | None:
        """Return the result of a tool that must not act now; None if it may act."""
        if not await self._async_is_later(trace, says_later=given.get("timing") == Timing.LATER):
            return None
        fired = self._situation.run.utterance.routine
        return error_result(_LATER if fired is None else _ITS_TIME)

    async def _async_is_later(self, trace: TraceNode, *, says_later: bool) -> bool:
        """Return whether the request is for later, according to `timing`.

        A model that confuses now and later is asked in a separate call, once per run, and no
        longer after a condition was written or a routine was set up.
        """
        run, evidence = self._situation.run, self._situation.evidence
        if not run.settings.confuses_later or run.settings.paper_flow:
            return says_later
        if (
            run.utterance.routine is not None
            or self._situation.routines.written
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
