"""Day summaries and the profile of a person: stored in the memory file, and as text for a model.

Memories with untrusted content (tainted) are never used for a profile.
"""

import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, Final

from homeassistant.util import dt as dt_util

from ..storage import Database
from .memories import (
    COLUMNS,
    EVER,
    NUMBERS,
    ORIGINS,
    Day,
    Memory,
    Origin,
    Profile,
    Row,
    clean,
    from_instant,
    json_list,
    local_json,
    memory_of,
    to_instant,
)
from .said import shared, terms_of

_SAID: Final = """
SELECT memory, text, question, sayings.at, sayings.place, sayings.origin, sayings.tainted
FROM sayings JOIN memories ON id = memory
WHERE sayings.at >= ? AND sayings.at < ?
ORDER BY sayings.at, memory, number
"""
_CORRECTIONS: Final = f"""
SELECT {COLUMNS} FROM memories WHERE origin = ? AND NOT tainted ORDER BY at, id
"""  # noqa: S608


class Summaries:
    """One person's day summaries, and the profile that is written from them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Days

    def changed_days(self, zone: tzinfo) -> tuple[Day, ...]:
        """Return days that need a summary, earliest first; delete those without memories."""
        with self._database.writing() as connection:
            rows = connection.execute("SELECT date, content_hash FROM days")
            made_from = {date.fromisoformat(day): content_hash for day, content_hash in rows}
            changed = [
                day for day in self._days(zone) if made_from.pop(day.date, None) != _hash(day.text)
            ]
            self._drop_days(made_from)
        return tuple(changed)

    def days(self) -> dict[date, str]:
        """Return all day summaries, earliest first; empty texts of days without facts."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT date, text FROM days ORDER BY date")
            return {date.fromisoformat(day): text for day, text in rows}

    def set_day(self, day: Day, text: str) -> bool:
        """Store the summary of `day`; return False if its memories have changed since."""
        starts, ends = to_instant(day.starts), to_instant(day.ends)
        with self._database.writing() as connection:
            said = connection.execute(_SAID, (starts, ends)).fetchall()
            if said_on(day.date, _lines(said)) != day.text:
                return False
            connection.execute(
                "INSERT OR REPLACE INTO days VALUES (?, ?, ?, ?, ?)",
                (day.date.isoformat(), starts, ends, _hash(day.text), clean(text)),
            )
            return True

    # Profile

    def corrections(self) -> tuple[Memory, ...]:
        """Return trusted statements that corrected SAGE, earliest first: a profile has no taint."""
        with self._database.reading() as connection:
            rows = connection.execute(_CORRECTIONS, (NUMBERS[Origin.CORRECTED],))
            return tuple(map(memory_of, rows))

    def notes(self) -> str:
        """Return all that a profile is written from, as text for a language model."""
        return notes_of(self.days(), self.corrections())

    def profile(self) -> Profile | None:
        """Return the stored profile, or None if no profile was written yet."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT text, made_at, model, dates FROM profile").fetchone()
        if row is None:
            return None
        text, made_at, model, dates = row
        return Profile(
            text=text,
            made_at=from_instant(made_at),
            model=model,
            dates=tuple(map(date.fromisoformat, json.loads(dates))),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the profile and corrections as JSON; `text` is empty if there is no profile."""
        profile = self.profile()
        return {
            "text": profile.text if profile else "",
            "made_at": local_json(profile.made_at) if profile else None,
            "model": profile.model if profile else None,
            "dates": [day.isoformat() for day in profile.dates] if profile else [],
            "corrections": [
                {"text": each.text, "at": local_json(each.at)} for each in self.corrections()
            ],
        }

    def profile_text(self) -> str:
        """Return as text the profile, and the corrections that are newer than the profile."""
        profile, corrections = self.profile(), self.corrections()
        since = [each for each in corrections if profile is None or each.at > profile.made_at]
        lines = [profile.text] if profile is not None and profile.text else []
        return "\n".join([*lines, *set_right(since)])

    def is_current(self) -> bool:
        """Return whether the profile was written from the present notes; True without both."""
        notes = self.notes()
        with self._database.reading() as connection:
            row = connection.execute("SELECT notes_hash FROM profile").fetchone()
        return not notes if row is None else row[0] == _hash(notes)

    def set_profile(self, profile: Profile, notes: str) -> bool:
        """Store a profile written from `notes`; return False if the notes have changed."""
        dates = json_list(day.isoformat() for day in profile.dates)
        with self._database.writing() as connection:
            if self.notes() != notes:
                return False
            connection.execute(
                "INSERT OR REPLACE INTO profile VALUES (1, ?, ?, ?, ?, ?)",
                (
                    clean(profile.text),
                    to_instant(profile.made_at),
                    profile.model,
                    dates,
                    _hash(notes),
                ),
            )
            return True

    # Forgetting

    def drop_resting_on(self, instants: Collection[int]) -> None:
        """Delete summaries and profile made from these `instants` (microseconds since 1970)."""
        with self._database.writing() as connection:
            rows = connection.execute("SELECT starts, ends, date FROM days ORDER BY starts")
            hit = _hit(rows.fetchall(), instants)
            self._drop_days(hit)
            connection.execute(
                "DELETE FROM profile WHERE ? OR made_at >= ?", (bool(hit), min(instants))
            )

    def clear(self) -> None:
        """Delete all day summaries and the profile."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM days")
            connection.execute("DELETE FROM profile")

    def _days(self, zone: tzinfo) -> Iterator[Day]:
        said: list[Row] = []
        today: date | None = None
        ends = EVER[0]
        for row in self._database.connection.execute(_SAID, EVER):
            if row[3] >= ends:
                if today is not None:
                    yield _day(today, zone, said)
                today, said = from_instant(row[3]).astimezone(zone).date(), []
                ends = to_instant(_midnight(today + timedelta(days=1), zone))
            said.append(row)
        if today is not None:
            yield _day(today, zone, said)

    def _drop_days(self, dates: Iterable[date]) -> None:
        self._database.connection.executemany(
            "DELETE FROM days WHERE date = ?", [(day.isoformat(),) for day in dates]
        )


def _hit(spans: Sequence[tuple[int, int, str]], instants: Iterable[int]) -> set[date]:
    """Return the days that contain one of the instants; spans are (start, end, date), ascending."""
    hit: set[date] = set()
    for instant in instants:
        index = bisect_right(spans, instant, key=lambda span: span[0]) - 1
        if index >= 0 and instant < spans[index][1]:
            hit.add(date.fromisoformat(spans[index][2]))
    return hit


def whole_days(first: str | None, last: str | None) -> tuple[datetime, datetime]:
    """Return the start of the first day and the end (excluded) of the last day, in UTC.

    The arguments are ISO dates in the home's time zone. Without `last`, the period is one day.
    Raises ValueError for other arguments; its text says how to fix them.
    """
    begin, end = (dt_util.parse_date(each or "") for each in (first, last or first))
    if begin is None or end is None or end < begin:
        raise ValueError(_DAYS)
    zone = dt_util.get_default_time_zone()
    try:
        return (
            dt_util.as_utc(_midnight(begin, zone)),
            dt_util.as_utc(_midnight(end + timedelta(days=1), zone)),
        )
    except OverflowError:
        raise ValueError(_DAYS) from None


_DAYS: Final = (
    "`first_day` and `last_day` must be dates such as 2026-11-22, the first not later; for one "
    "day `first_day` alone."
)


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time.min, zone)


def _day(day: date, zone: tzinfo, said: Sequence[Row]) -> Day:
    return Day(
        date=day,
        starts=from_instant(to_instant(_midnight(day, zone))),
        ends=from_instant(to_instant(_midnight(day + timedelta(days=1), zone))),
        text=said_on(day, _lines(said)),
    )


def _lines(said: Iterable[Row]) -> tuple[Memory, ...]:
    """Return one line per memory from the utterances of one day, in the order of `said`."""
    by_memory: dict[int, list[Row]] = {}
    for row in said:
        by_memory.setdefault(row[0], []).append(row)
    return tuple(_joint(rows) for rows in by_memory.values())


def _joint(rows: Sequence[Row]) -> Memory:
    _, text, question, at, place, *_ = rows[0]
    return Memory(
        text=text,
        question=question,
        at=from_instant(at),
        place=place,
        origin=ORIGINS[max(row[5] for row in rows)],
        tainted=all(row[6] for row in rows),
        count=len(rows),
    )


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


_DAY_CHARACTERS: Final = 6_000
"""Maximum length of one day's text; drops requests first, then rare and short utterances."""

_LINE_CHARACTERS: Final = 400  # maximum length of one utterance, and of the question before it
_NOTES_CHARACTERS: Final = 16_000  # maximum length of all day summaries; older ones are dropped
_SUMMARY_CHARACTERS: Final = 1_500
_MOST_CORRECTIONS: Final = 40  # maximum number of corrections in the prompt; older ones are dropped
CLAIMS: Final = 20  # maximum number of sentences of a profile
_NOTHING: Final = re.compile(r"\W*nothing\W*", re.IGNORECASE)
_CLAIM: Final = re.compile(r'\{\s*"(?:claim|dates)"')
_DATE: Final = re.compile(r"^(?:Corrected by the person on )?(\d{4}-\d\d-\d\d):", re.MULTILINE)
"""The date at the beginning of a note."""

_NO_CLAIMS: Final = re.compile(r'"claims"\s*:\s*\[\s*\]')

type Claim = tuple[str, tuple[date, ...]]
"""A sentence about the person, and the dates of the memories that support it."""


def said_on(day: date, lines: Iterable[Memory]) -> str:
    """Return a day's utterances as text for a language model, one line each, earliest first.

    Omits untrusted utterances and, if the text is too long, unimportant ones. Empty if none
    remains.
    """
    room = _DAY_CHARACTERS
    selected: list[tuple[Memory, str]] = []
    for line in sorted(lines, key=_weight, reverse=True):
        if line.tainted:
            continue  # a profile cannot be marked as tainted
        text = _line(line)
        if (room := room - len(text) - 1) < 0:
            break
        selected.append((line, text))
    selected.sort(key=lambda each: each[0].at)
    return "\n".join([f"Said on {day}:", *(text for _, text in selected)]) if selected else ""


def summary_of(text: str) -> str:
    """Return the day summary in a language model's reply; empty if the reply is "nothing"."""
    if _NOTHING.fullmatch(text.strip()):
        return ""
    lines = "\n".join(line.strip() for line in text.splitlines() if line.strip())
    return lines[:_SUMMARY_CHARACTERS]


def notes_of(days: Mapping[date, str], corrections: Sequence[Memory]) -> str:
    """Return summaries and corrections as text for a model, without the oldest if too long."""
    notes: list[str] = []
    room = _NOTES_CHARACTERS
    for day, text in reversed(tuple(days.items())):
        note = f"{day}:\n{text}" if text else ""
        if (room := room - len(note)) < 0:
            break
        notes.append(note)
    return "\n".join([*filter(None, reversed(notes)), *set_right(corrections)])


def set_right(corrections: Sequence[Memory]) -> list[str]:
    """Return the latest 40 corrections as lines for a language model, each with its local date."""
    return [
        f"Corrected by the person on {dt_util.as_local(each.at).date()}: {_bounded(each.text)}"
        for each in corrections[-_MOST_CORRECTIONS:]
    ]


def claims_of(text: str, notes: str) -> list[Claim]:
    """Return the sentences about the person in a model's reply, each with its dates.

    Keeps only dates that are in the notes which the model was given, and only sentences with such
    a date that have a word in common with the notes.
    """
    known, noted = frozenset(_DATE.findall(notes)), terms_of(notes)
    claims: list[Claim] = []
    for each in _claims_in(text):
        match each:
            case {"claim": str() as claim, "dates": list() as dates} if claim.strip():
                cited = {day for day in dates if isinstance(day, str) and day in known}
                rests_on = tuple(sorted(date.fromisoformat(day) for day in cited))
                if rests_on and shared(claim, noted):
                    claims.append((_bounded(claim).rstrip("."), rests_on))
    return claims[:CLAIMS]


def has_no_claims(text: str) -> bool:
    """Return whether the model's reply states no facts about the person: `"claims": []`."""
    return _NO_CLAIMS.search(text) is not None


def profile_text(claims: Iterable[Claim]) -> str:
    """Return a profile as text, one line for each sentence: `- Likes tea (2026-05-01)`."""
    return "\n".join(f"- {claim} ({', '.join(map(str, dates))})" for claim, dates in claims)


def _claims_in(text: str) -> Iterable[Any]:
    decoder = json.JSONDecoder()
    for begin in _CLAIM.finditer(text):
        try:
            yield decoder.raw_decode(text, begin.start())[0]
        except ValueError:
            continue


def _weight(line: Memory) -> tuple[bool, bool, int, int]:
    is_meant_to_stay = line.origin in (Origin.TOLD, Origin.CORRECTED)
    return is_meant_to_stay, line.origin is not Origin.REQUEST, line.count, len(line.text)


def _line(line: Memory) -> str:
    at = dt_util.as_local(line.at)
    asked = f'asked "{_bounded(line.question)}": ' if line.question else ""
    how = {Origin.TOLD: " (to be remembered)", Origin.CORRECTED: " (corrected)"}.get(
        line.origin, ""
    )
    where = f" in {_bounded(line.place)}" if line.place else ""
    often = f" ({line.count} times)" if line.count > 1 else ""
    return f"- {at:%H:%M}{where}{how}{often}: {asked}{_bounded(line.text)}"


def _bounded(text: str) -> str:
    return " ".join(text[: 2 * _LINE_CHARACTERS].split())[:_LINE_CHARACTERS]
