"""The base class of tools that read untrusted text, such as mail or a TV guide."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, ClassVar, Final, final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from ...agent import text_result
from ...external import ExternalError, end_of, start_of
from ...home import RunEvent, RunEventKind
from ...text import fenced
from ..sage_tool import SageTool

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

    text: str = ""
    """The text from the source; empty if nothing was found."""

    ids: tuple[str, ...] = ()
    """Ids in `text` for the model's tools, such as `m1` for a message."""

    note: str = ""
    """A trusted sentence for the model, written by SAGE."""

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
    details: ClassVar[str]
    """Translation key of the sentence that reports this read in the chat."""

    @final
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Read the source; return its text, after a note by SAGE if there is one.

        Unless the text is safe (`ExternalText.is_checked`), SAGE then asks for a confirmation
        before each action that the text may have caused, until the person's current request has
        been processed.
        """
        given = self.arguments(tool_input)
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
    async def async_look(self, given: Mapping[str, Any]) -> ExternalText:
        """Read the source with the validated arguments `given`, and return its text.

        Raises ExternalError.
        """


def day_or_moment(name: str, text: str) -> date | datetime:
    """Parse an ISO date such as 2026-11-30, or a date with a time such as 2026-11-30T14:30.

    A time is returned in the home's time zone. `name`: name of the tool argument, for the error
    text. Raises ExternalError for other texts.
    """
    text = text.strip()
    try:
        if (day := dt_util.parse_date(text)) is not None and len(text) == 10:
            return day
        at = dt_util.parse_datetime(text)
    except ValueError:
        at = None
    if at is None:
        raise ExternalError(
            f"{name} must be an ISO date such as 2026-11-30, or a date with a time such as "
            f'2026-11-30T14:30, not "{text[:40]}".'
        )
    zone = dt_util.get_default_time_zone()
    if at.tzinfo is not None:
        return at.astimezone(zone)
    # Through UTC, so that a time that the change of the clocks leaves out becomes the next one.
    return at.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


def time_span(given_start: str, given_end: str) -> tuple[datetime, datetime] | None:
    """Return start and end of a period in the home's time zone; None if both texts are empty.

    Each text is an ISO date, with or without a time:
    - start: without a time, the beginning of the day; empty: now
    - end: without a time, the end of the day; empty: the text of `given_start` is the end, too,
      e.g. "2026-11-26" is that whole day

    Raises ExternalError if a text is invalid or the end is before the start.
    """
    if not given_start and not given_end:
        return None
    start = start_of(day_or_moment("start", given_start) if given_start else dt_util.now())
    end = end_of(day_or_moment("end", given_end or given_start))
    if end < start:
        raise ExternalError("`end` is before `start`. Give both as local times of the home.")
    return dt_util.as_local(start), dt_util.as_local(end)
