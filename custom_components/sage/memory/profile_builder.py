"""The profile of a person: a summary a day, then a summary of the summaries (paper; DESIGN 7).

Only days that changed are summarized anew. The work stops at a budget of tokens and goes
on the next time: what was made is kept.
"""

import json
import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from homeassistant.util import dt as dt_util

from .memories import AsyncPersonMemory
from .model import Origin
from .person_memory import PersonMemory
from .summaries import Correction, Day, DayLine, DaySummary, Profile
from .writer import TextWriter, WriterError

_LOGGER = logging.getLogger(__name__)

NIGHTLY_TOKENS: Final = 30_000
"""What one night may cost for one person."""

_DAY_TOKENS: Final = 250
_PROFILE_TOKENS: Final = 1_200
_DAY_CHARACTERS: Final = 6_000
"""Of what was said on a day; of more, what was said most often and in the most words stays."""

_NOTES_CHARACTERS: Final = 16_000
"""Of all summaries together; of more, the latest stay."""

_CLAIMS: Final = 20
_NOTHING: Final = re.compile(r"^\W*nothing\W*$", re.IGNORECASE)
_CHARACTERS: Final = 3
"""Of one token, at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What became of the building of a profile."""

    days: int
    """Days that were summarized anew."""

    days_left: int
    """Days for which the budget was too small, or the model away."""

    tokens: int
    has_changed: bool
    """Whether there is another profile than before."""

    error: str = ""
    """Why it is not finished; empty if it is."""


class ProfileBuilder:
    """Builds the profile of one person."""

    def __init__(
        self, handle: AsyncPersonMemory, writer: TextWriter, *, tokens: int = NIGHTLY_TOKENS
    ) -> None:
        """Work on this memory with so many tokens at most."""
        self._handle = handle
        self._writer = writer
        self._left = tokens
        self._budget = tokens

    async def async_build(self) -> Built:
        """Bring summaries and profile up to date. Raises MemoryStoreError."""
        zone = dt_util.get_default_time_zone()
        changed = await self._handle.async_run(PersonMemory.changed_days, zone)
        done = 0
        error = ""
        try:
            # The latest days first: they tell most, should the budget not do for all.
            for day in reversed(changed):
                if not await self._async_summarize(day):
                    error = "the budget of tokens is used up"
                    break
                done += 1
            has_changed = await self._async_build_profile(any_day=bool(done))
        except WriterError as err:
            error, has_changed = str(err), False
        return Built(
            days=done,
            days_left=len(changed) - done,
            tokens=self._budget - self._left,
            has_changed=has_changed,
            error=error,
        )

    async def _async_summarize(self, day: Day) -> bool:
        """Summarize a day; False if there are not enough tokens."""
        text = await self._async_write("day_summary", _said(day), _DAY_TOKENS)
        if text is None:
            return False
        kept = "" if _NOTHING.match(text) else _lines(text)
        await self._handle.async_run(
            PersonMemory.set_day_summary,
            day,
            kept,
            made_at=dt_util.utcnow(),
            model=self._writer.model,
        )
        return True

    async def _async_build_profile(self, *, any_day: bool) -> bool:
        before = await self._handle.async_run(PersonMemory.profile)
        corrections = await self._handle.async_run(PersonMemory.corrections)
        is_corrected = before is not None and any(each.at > before.made_at for each in corrections)
        if before is not None and not any_day and not is_corrected:
            return False
        summaries = [
            each for each in await self._handle.async_run(PersonMemory.day_summaries) if each.text
        ]
        if not summaries and not corrections:
            return False
        text = await self._async_write("profile", _notes(summaries, corrections), _PROFILE_TOKENS)
        if text is None:
            return False
        claims = _claims(text, _known_dates(summaries, corrections))
        if not claims:
            raise WriterError("the model wrote no profile that can be read")
        profile = Profile(
            text="\n".join(f"- {claim} ({', '.join(map(str, dates))})" for claim, dates in claims),
            made_at=dt_util.utcnow(),
            model=self._writer.model,
            dates=tuple(sorted({each for _, dates in claims for each in dates})),
        )
        return await self._handle.async_run(PersonMemory.set_profile, profile, summaries)

    async def _async_write(self, name: str, given: str, max_tokens: int) -> str | None:
        """Return what the model writes; None if it might cost more than there is left."""
        instructions = self._writer.instructions(name)
        if (len(instructions) + len(given)) // _CHARACTERS + max_tokens > self._left:
            return None
        written = await self._writer.async_write(instructions, given, max_tokens=max_tokens)
        self._left -= written.tokens
        return written.text.strip()


def _said(day: Day) -> str:
    """Return what was said on a day, within bounds, in its order."""
    room = _DAY_CHARACTERS
    kept: list[DayLine] = []
    for line in sorted(day.lines, key=_weight, reverse=True):
        if (room := room - len(_line(line)) - 1) < 0:
            break
        kept.append(line)
    kept.sort(key=lambda each: each.at)
    return "\n".join([f"Said on {day.date}:", *map(_line, kept)])


def _weight(line: DayLine) -> tuple[bool, int, int]:
    return line.origin is not Origin.SAID, line.times, len(line.text)


def _line(line: DayLine) -> str:
    at = dt_util.as_local(line.at)
    asked = f'asked "{line.question}": ' if line.question else ""
    how = {Origin.TOLD: " (to be remembered)", Origin.CORRECTED: " (set right)"}.get(
        line.origin, ""
    )
    where = f" in {line.place}" if line.place else ""
    often = f" ({line.times} times)" if line.times > 1 else ""
    return f"- {at:%H:%M}{where}{how}{often}: {asked}{' '.join(line.text.split())}"


def _notes(summaries: Sequence[DaySummary], corrections: Sequence[Correction]) -> str:
    lines = [
        f"Set right by the person on {_day(each)}: {' '.join(each.text.split())}"
        for each in corrections
    ]
    notes: list[str] = []
    room = _NOTES_CHARACTERS
    for each in reversed(summaries):
        note = f"{each.date}:\n{each.text}"
        if (room := room - len(note)) < 0:
            break
        notes.append(note)
    return "\n".join([*reversed(notes), *lines])


def _day(correction: Correction) -> date:
    return dt_util.as_local(correction.at).date()


def _known_dates(
    summaries: Iterable[DaySummary], corrections: Iterable[Correction]
) -> frozenset[date]:
    return frozenset((*(each.date for each in summaries), *map(_day, corrections)))


def _claims(text: str, known: frozenset[date]) -> list[tuple[str, tuple[date, ...]]]:
    """Return claims with the days they rest on; without a true day there is no claim."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        data: Any = json.loads(text[begin : end + 1])
    except ValueError:
        return []
    given = data.get("claims") if isinstance(data, dict) else None
    claims: list[tuple[str, tuple[date, ...]]] = []
    for each in given if isinstance(given, list) else ():
        match each:
            case {"claim": str() as claim, "dates": list() as dates} if claim.strip():
                days = {dt_util.parse_date(day) for day in dates if isinstance(day, str)}
                rests_on = tuple(sorted(day for day in days if day is not None and day in known))
                if rests_on:
                    claims.append((" ".join(claim.split()).rstrip("."), rests_on))
    return claims[:_CLAIMS]


def _lines(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
