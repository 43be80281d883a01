"""Build a person's profile: a summary of each day, then a summary of these summaries.

If the token budget is used up, the next call continues.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, Protocol

from homeassistant.util import dt as dt_util

from .memories import AsyncPersonMemory
from .memory_types import Correction, Day, DaySummary, Profile
from .person_memory import PersonMemory
from .profile_text import (
    CLAIMS_SCHEMA,
    claims_of,
    day_of,
    has_no_claims,
    notes_of,
    profile_text,
    said_on,
    summary_of,
)

NIGHTLY_TOKENS: Final = 30_000
"""Token budget per person and night."""

_DAY_TOKENS: Final = 250
_PROFILE_TOKENS: Final = 1_200
_PROFILE_SHARE: Final = 4
"""Divisor of the token budget: one quarter is reserved for writing the profile."""

_BYTES: Final = 3
"""Lower bound for the number of bytes per token, to estimate the length of a prompt."""

_USED_UP: Final = "the budget of tokens is used up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A reply of the language model, and its token usage."""

    text: str = field(repr=False)
    """The reply; never empty."""

    tokens: int
    """Total number of prompt and completion tokens."""


class WriterError(Exception):
    """Raised when the language model returns no text; the log contains the cause."""


class TextWriter(Protocol):
    """A language model that writes texts, such as summaries of what a person said."""

    @property
    def model(self) -> str:
        """The name of the language model."""

    def instructions(self, name: str) -> str:
        """Return the prompt text with this name, such as "profile"."""

    async def async_write(
        self,
        instructions: str,
        given: str,
        *,
        max_tokens: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Written:
        """Return the model's reply to `instructions` (system prompt) and `given` (user message).

        `schema`: JSON schema of the reply; the model may ignore it. Raises WriterError if there is
        no reply.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """The result of one update of a person's profile."""

    days: int
    """Number of days that were summarized."""

    days_left: int
    """Number of days that still need a summary, e.g. because the token budget is used up."""

    tokens: int
    has_changed: bool
    """Whether a new profile was stored."""

    error: str = ""
    """Why the profile is incomplete; empty on success."""


class ProfileBuilder:
    """Builds or updates the profile of one person."""

    def __init__(
        self, handle: AsyncPersonMemory, writer: TextWriter, *, tokens: int = NIGHTLY_TOKENS
    ) -> None:
        """Set the person's memory, the language model, and the token budget."""
        self._handle = handle
        self._writer = writer
        self._left = tokens
        self._budget = tokens

    async def async_build(self) -> Built:
        """Update the day summaries and the profile, and return the result.

        Errors of the model are in `Built.error`. Raises MemoryStoreError.
        """
        changed = await self._handle.async_run(_changed_days, dt_util.get_default_time_zone())
        done: set[date] = set()
        has_changed = False
        error = ""
        try:
            # Latest days first: they matter most if the budget is too small.
            for day, said in reversed(changed):
                if not self._affords("day_summary", said, _DAY_TOKENS, keep=self._for_profile):
                    error = _USED_UP
                    break
                if await self._async_summarize(day, said):
                    done.add(day.date)
            has_changed, refused = await self._async_build_profile(done)
            error = error or refused
        except WriterError as err:
            error = str(err)
        return Built(
            days=len(done),
            days_left=len(changed) - len(done),
            tokens=self._budget - self._left,
            has_changed=has_changed,
            error=error,
        )

    @property
    def _for_profile(self) -> int:
        return self._budget // _PROFILE_SHARE

    async def _async_summarize(self, day: Day, said: str) -> bool:
        """Store a summary of a day; return False if the day's memories changed meanwhile."""
        text = ""
        if said:
            text = summary_of(await self._async_write("day_summary", said, _DAY_TOKENS))
        made_at, model = dt_util.utcnow(), self._writer.model
        return await self._handle.async_run(
            lambda memory: memory.summaries.set_day(day, text, made_at=made_at, model=model)
        )

    async def _async_build_profile(self, done: Collection[date]) -> tuple[bool, str]:
        """Update the profile if it is outdated; return whether a profile was stored, and an error.

        The error is a text; it is empty unless the token budget is too small for the profile.
        """
        before, summaries, corrections = await self._handle.async_run(_made)
        if before is not None and not _is_behind(before, summaries, corrections, done):
            return False, ""
        noted = [each for each in summaries if each.text]
        given = notes_of(noted, corrections)
        if not given and before is None:
            return False, ""
        claims: list[tuple[str, tuple[date, ...]]] = []
        if given:
            if not self._affords("profile", given, _PROFILE_TOKENS):
                return False, _USED_UP
            claims = await self._async_claims(given, _known_dates(noted, corrections))
        profile = Profile(
            text=profile_text(claims),
            made_at=dt_util.utcnow(),
            model=self._writer.model,
            dates=tuple(sorted({each for _, dates in claims for each in dates})),
        )
        has_changed = await self._handle.async_run(
            lambda memory: memory.summaries.set_profile(profile, noted)
        )
        return has_changed, ""

    async def _async_claims(
        self, given: str, known: Collection[date]
    ) -> list[tuple[str, tuple[date, ...]]]:
        """Let the model write statements about the person; return the text and the dates of each.

        `given`: the day summaries and corrections as text. `known`: the dates that the statements
        may cite.

        Raises WriterError if the reply cannot be parsed.
        """
        text = await self._async_write("profile", given, _PROFILE_TOKENS, CLAIMS_SCHEMA)
        claims = claims_of(text, known)
        if not claims and not has_no_claims(text):
            raise WriterError("the profile that the model wrote could not be parsed")
        return claims

    def _affords(self, name: str, given: str, max_tokens: int, *, keep: int = 0) -> bool:
        """Return whether the token budget covers a prompt and a reply of maximum length.

        `name`: name of the prompt. `given`: its input. `keep`: tokens that must remain afterwards.
        """
        if not given:
            return True
        sent = len(self._writer.instructions(name).encode()) + len(given.encode())
        return sent // _BYTES + max_tokens + keep <= self._left

    async def _async_write(
        self, name: str, given: str, max_tokens: int, schema: Mapping[str, Any] | None = None
    ) -> str:
        written = await self._writer.async_write(
            self._writer.instructions(name), given, max_tokens=max_tokens, schema=schema
        )
        self._left -= written.tokens
        return written.text


def _changed_days(memory: PersonMemory, zone: Any) -> list[tuple[Day, str]]:
    """Return each day that needs a summary, with its text for the language model."""
    return [(day, said_on(day)) for day in memory.summaries.changed_days(zone)]


def _made(
    memory: PersonMemory,
) -> tuple[Profile | None, tuple[DaySummary, ...], tuple[Correction, ...]]:
    made = memory.summaries
    return made.profile(), made.days(), made.corrections()


def _is_behind(
    profile: Profile,
    summaries: Sequence[DaySummary],
    corrections: Sequence[Correction],
    done: Collection[date],
) -> bool:
    """Return whether the profile must be written again: summaries or corrections have changed.

    `done` contains the days whose summaries were just written.
    """
    if not _known_dates(summaries, corrections).issuperset(profile.dates):
        return True
    return any(each.at > profile.made_at for each in corrections) or any(
        each.text or each.date in profile.dates
        for each in summaries
        if each.date in done or each.made_at > profile.made_at
    )


def _known_dates(
    summaries: Sequence[DaySummary], corrections: Sequence[Correction]
) -> frozenset[date]:
    return frozenset((*(each.date for each in summaries), *map(day_of, corrections)))
