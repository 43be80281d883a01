"""The base class of tools that read untrusted text, such as mail or a TV guide."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final, final

from homeassistant.helpers import llm

from ...agent import text_result
from ...home import RunEvent, RunEventKind
from ...text import fenced
from ..sage_tool import WRITES, Arguments, SageTool

READS_OUTSIDE: Final = llm.ToolAnnotations(
    read_only=True, destructive=False, idempotent=True, open_world=True
)
"""Annotations of a tool that changes nothing and reads untrusted text."""

MAIL_AGENT: Final = "email_and_calendar"
"""Name of the agent that has the tools for mail, calendars and contacts."""

START: Final = "start, ISO local time 2026-03-02T20:15, or 2026-03-02 for the whole day"
END: Final = "end, like start"
"""Description of the tool argument `end` for the model; `time_span` parses its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalText:
    """The result of a tool that reads untrusted text."""

    text: str = ""  # the text from the source; empty if nothing was found
    ids: tuple[str, ...] = ()  # ids in `text` for the model's tools, such as `m1` for a message
    note: str = ""  # a trusted sentence for the model, written by SAGE
    is_checked: bool = False
    """Whether `text` has only numbers and words written by SAGE.

    Such text is safe: it is not marked as untrusted and causes no additional confirmations.
    """


class ExternalTool(SageTool):
    """Base class of tools that read untrusted text from outside the home.

    After such a read, SAGE asks for a confirmation before each action that the text may have
    caused, until the person's current request has been processed. A subclass implements
    `async_look`.
    """

    annotations = READS_OUTSIDE
    details: ClassVar[str]  # translation key of the sentence that reports this read in the chat

    @final
    async def async_use(self, given: Arguments) -> llm.ToolResult:
        """Read the source; return its text, after a note by SAGE if there is one.

        Unless the text is safe (`ExternalText.is_checked`), SAGE then asks for a confirmation
        before each action that the text may have caused, until the person's current request has
        been processed.
        """
        found: ExternalText | None = None
        try:
            found = await self.async_look(given)
        finally:
            if found is None or not found.is_checked:
                self.situation.run.taint()
        self.situation.run.record.add(
            RunEvent(
                kind=RunEventKind.EXTERNAL_TEXT,
                text=found.text,
                key=self.details,
                ids=frozenset(found.ids),
            )
        )
        outside = fenced(found.text) if found.text and not found.is_checked else found.text
        return text_result("\n".join(filter(None, (found.note, outside))))

    @abstractmethod
    async def async_look(self, given: Arguments) -> ExternalText:
        """Return the source's text for the validated arguments. Raises ExternalError."""


class PersonalTool(SageTool):
    """Base class of tools that change the mail, the calendars or the contacts of a person."""

    annotations = WRITES

    async def async_unwanted(
        self, given: Arguments, question: str, outcome: str = "Nothing was changed"
    ) -> llm.ToolResult | None:
        """Ask the person, unless the model makes the call without untrusted text, too."""
        is_own = partial(self.is_same_call, given)
        if await self.situation.run.async_asked_for(is_own, MAIL_AGENT):
            return None
        return await self.async_declined(question, outcome)

    def done(self, kind: RunEventKind, text: str) -> None:
        """Record what was done outside the home, as a sentence for the person."""
        self.situation.run.record.add(RunEvent(kind=kind, text=text))
