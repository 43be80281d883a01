"""The base class of tools that read text from outside the home; texts in their questions."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ...agent.tool import text_result
from ...home.commands.spoken_names import cleaned
from ...text.fence import fenced
from ..sage_tool import SageTool

READS_OUTSIDE: Final = llm.ToolAnnotations(
    read_only=True, destructive=False, idempotent=True, open_world=True
)
"""A tool that changes nothing and reads text from outside the home."""

START: Final = "start, ISO local time 2026-03-02T20:15, or 2026-03-02 for the whole day"
END: Final = "end, like start"
"""Descriptions of the arguments of `iso_times.time_span`."""

_PIECE: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalText:
    """The result of a tool that reads outside text."""

    text: str = ""
    """Text that others wrote, or checked text. Empty if nothing was found."""

    note: str = ""
    """A sentence of SAGE for the model; contains no text of others."""

    is_checked: bool = False
    """Whether code made `text` of numbers and words of SAGE only; then it can contain no orders."""


class ExternalTool(SageTool):
    """A tool that reads text from outside the home.

    This class taints the run, fences the text and records the read, so that no tool can forget it.
    Text that code has checked is neither fenced nor does it taint.
    A subclass reports failures with `ExternalError`.
    """

    annotations = READS_OUTSIDE
    details: ClassVar[str]
    """Key of the sentence that says in the chat that this source was read."""

    @final
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return the text; it is fenced and taints the run unless it is checked."""
        given = self.arguments(tool_input)
        found: ExternalText | None = None
        try:
            found = await self.async_look(given)
        finally:
            if found is None or not found.is_checked:
                self.situation.run.taint()
        self.situation.evidence.record_external_read(self.details, found.text)
        outside = fenced(found.text) if found.text and not found.is_checked else found.text
        return text_result("\n".join(filter(None, (found.note, outside))))

    @abstractmethod
    async def async_look(self, given: Mapping[str, Any]) -> ExternalText:
        """Return the text for checked arguments. Raises ExternalError."""


def whole_text(text: str) -> str:
    """Return a text for a question: complete, on one line, without invisible characters."""
    # `cleaned` shortens, so it gets one word after the other.
    return " ".join(filter(None, map(cleaned, _pieces(text))))


def _pieces(text: str) -> Iterator[str]:
    for word in text.split():
        yield from (word[at : at + _PIECE] for at in range(0, len(word), _PIECE))
