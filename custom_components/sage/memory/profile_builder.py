"""Build a person's profile: a summary of each day, then a summary of these summaries."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from homeassistant.util import dt as dt_util

from ..model import object_schema
from .async_memory import AsyncPersonMemory
from .memories import Day, Profile
from .profile import CLAIMS, claims_of, has_no_claims, profile_text, summary_of

DAYS_AT_ONCE: Final = 12
"""Maximum number of days that one update summarizes, which bounds its cost; the next continues."""

_DAY_TOKENS: Final = 250
_PROFILE_TOKENS: Final = 1_200

_CLAIM: Final = object_schema(
    {"claim": {"type": "string"}, "dates": {"type": "array", "items": {"type": "string"}}}
)
_SCHEMA: Final = object_schema({"claims": {"type": "array", "maxItems": CLAIMS, "items": _CLAIM}})
"""JSON schema of a reply in which the language model writes a profile: sentences with dates."""

type Writer = Callable[..., Awaitable[str]]
"""A language model that writes a text: `config.memory_setup.ModelWriter.async_write`."""


class WriterError(Exception):
    """Raised when the language model returns no text; the log contains the cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """The result of one update of a person's profile."""

    days: int = 0  # number of days that were summarized
    days_left: int = 0  # number of days that still need a summary
    has_changed: bool = False  # whether a new profile was stored
    error: str = ""  # why the profile is incomplete; empty on success


async def async_build_profile(memory: AsyncPersonMemory, write: Writer, model: str) -> Built:
    """Update the day summaries and the profile of a person, and return the result.

    `model`: name of the model of `write`. Its errors are in `Built.error`. Raises MemoryStoreError.
    """
    zone = dt_util.get_default_time_zone()
    changed = await memory.async_run(lambda file: file.summaries.changed_days(zone))
    done, has_changed, error = 0, False, ""
    try:
        # The latest days matter most.
        for day in changed[: -DAYS_AT_ONCE - 1 : -1]:
            done += await _async_summarize(memory, write, day)
        has_changed = await _async_write_profile(memory, write, model)
    except WriterError as err:
        error = str(err)
    return Built(days=done, days_left=len(changed) - done, has_changed=has_changed, error=error)


async def _async_summarize(memory: AsyncPersonMemory, write: Writer, day: Day) -> bool:
    """Store a summary of a day; return False if the day's memories changed meanwhile."""
    text = ""
    if day.text:
        text = summary_of(await write("day_summary", day.text, max_tokens=_DAY_TOKENS))
    return await memory.async_run(lambda file: file.summaries.set_day(day, text))


async def _async_write_profile(memory: AsyncPersonMemory, write: Writer, model: str) -> bool:
    """Write an outdated profile again; return whether it was stored. Raises WriterError."""
    if await memory.async_run(lambda file: file.summaries.is_current()):
        return False
    notes: str = await memory.async_run(lambda file: file.summaries.notes())
    claims: list[Any] = []
    if notes:
        text = await write("profile", notes, max_tokens=_PROFILE_TOKENS, schema=_SCHEMA)
        claims = claims_of(text, notes)
        if not claims and not has_no_claims(text):
            raise WriterError("the profile that the model wrote could not be parsed")
    profile = Profile(
        text=profile_text(claims),
        made_at=dt_util.utcnow(),
        model=model,
        dates=tuple(sorted({each for _, dates in claims for each in dates})),
    )
    return await memory.async_run(lambda file: file.summaries.set_profile(profile, notes))
