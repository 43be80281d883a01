"""Store a person's day summaries, profile, and corrections of the profile in the memory file."""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final

from ..storage.database import Database
from .memory_tables import EVER, ORIGINS, Row, clean, from_instant, json_list, to_instant
from .memory_types import Correction, Day, DaySummary, Memory, Profile

_SAID: Final = """
SELECT memory, text, question, sayings.at, sayings.place, sayings.origin, sayings.tainted
FROM sayings JOIN memories ON id = memory
WHERE sayings.at >= ? AND sayings.at < ?
ORDER BY sayings.at, memory, number
"""


class Summaries:
    """One person's day summaries, profile, and corrections of the profile."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # Days

    def changed_days(self, zone: tzinfo) -> tuple[Day, ...]:
        """Return the days that need a new summary, earliest first.

        Deletes the summaries of days without memories. `zone`: the time zone of the home.
        """
        with self._database.writing() as connection:
            rows = connection.execute("SELECT date, content_hash FROM days")
            made_from = {date.fromisoformat(day): content_hash for day, content_hash in rows}
            changed = [
                day for day in self._days(zone) if made_from.pop(day.date, None) != day.content_hash
            ]
            self._drop_days(made_from)
        return tuple(changed)

    def days(self) -> tuple[DaySummary, ...]:
        """Return all day summaries, earliest first."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT date, text, made_at, model FROM days ORDER BY date")
            return tuple(
                DaySummary(
                    date=date.fromisoformat(day),
                    text=text,
                    made_at=from_instant(made_at),
                    model=model,
                )
                for day, text, made_at, model in rows
            )

    def set_day(self, day: Day, text: str, *, made_at: datetime, model: str) -> bool:
        """Store `text` as the summary of `day`, and return True.

        Returns False and stores nothing if memories of the day have changed since `day` was read.
        """
        starts, ends = to_instant(day.starts), to_instant(day.ends)
        with self._database.writing() as connection:
            said = connection.execute(_SAID, (starts, ends)).fetchall()
            if _hash(_lines(said)) != day.content_hash:
                return False
            connection.execute(
                "INSERT OR REPLACE INTO days VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    day.date.isoformat(),
                    starts,
                    ends,
                    day.content_hash,
                    clean(text),
                    to_instant(made_at),
                    model,
                ),
            )
            return True

    # Profile

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

    def set_profile(self, profile: Profile, made_from: Sequence[DaySummary]) -> bool:
        """Store a profile that was written from the day summaries `made_from`, and return True.

        Returns False and stores nothing if one of these summaries has changed or was deleted.
        """
        dates = json_list(day.isoformat() for day in profile.dates)
        with self._database.writing() as connection:
            if not set(made_from) <= set(self.days()):
                return False
            connection.execute(
                "INSERT OR REPLACE INTO profile VALUES (1, ?, ?, ?, ?)",
                (clean(profile.text), to_instant(profile.made_at), profile.model, dates),
            )
            return True

    def corrections(self) -> tuple[Correction, ...]:
        """Return the person's corrections of the profile, earliest first."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT at, text FROM corrections ORDER BY at, id")
            return tuple(Correction(at=from_instant(at), text=text) for at, text in rows)

    def add_correction(self, text: str, at: datetime) -> None:
        """Store a correction of the profile; an identical one is not stored twice."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO corrections (at, text) SELECT ?1, ?2"
                " WHERE NOT EXISTS (SELECT 1 FROM corrections WHERE at = ?1 AND text = ?2)",
                (to_instant(at), clean(text)),
            )

    # Forgetting

    def drop_resting_on(self, instants: Iterable[int]) -> None:
        """Delete the day summaries and profile corrections that use utterances of these times.

        If any was deleted, also deletes the profile. `instants`: microseconds since 1970 (UTC).
        """
        instants = tuple(instants)
        with self._database.writing() as connection:
            deleted = connection.executemany(
                "DELETE FROM corrections WHERE at = ?", [(instant,) for instant in instants]
            )
            rows = connection.execute("SELECT starts, ends, date FROM days ORDER BY starts")
            hit = _hit(rows.fetchall(), instants)
            self._drop_days(hit)
            if hit or deleted.rowcount > 0:
                connection.execute("DELETE FROM profile")

    def clear(self) -> None:
        """Delete all day summaries, all corrections, and the profile."""
        with self._database.writing() as connection:
            for table in ("days", "profile", "corrections"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608

    def _days(self, zone: tzinfo) -> Iterator[Day]:
        """Yield each day that has utterances, earliest first."""
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
        place = bisect_right(spans, instant, key=lambda span: span[0]) - 1
        if place >= 0 and instant < spans[place][1]:
            hit.add(date.fromisoformat(spans[place][2]))
    return hit


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time.min, zone)


def _day(day: date, zone: tzinfo, said: Sequence[Row]) -> Day:
    lines = _lines(said)
    return Day(
        date=day,
        starts=from_instant(to_instant(_midnight(day, zone))),
        ends=from_instant(to_instant(_midnight(day + timedelta(days=1), zone))),
        lines=lines,
        content_hash=_hash(lines),
    )


def _lines(said: Iterable[Row]) -> tuple[Memory, ...]:
    """Return one line per memory from the utterances of one day, in the order of `said`."""
    by_memory: dict[int, list[Row]] = {}
    for row in said:
        by_memory.setdefault(row[0], []).append(row)
    return tuple(_line(rows) for rows in by_memory.values())


def _line(rows: Sequence[Row]) -> Memory:
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


def _hash(lines: Iterable[Memory]) -> str:
    entries = [
        (
            line.text,
            line.question,
            line.at.isoformat(),
            line.place,
            line.origin,
            line.tainted,
            line.count,
        )
        for line in lines
    ]
    return hashlib.blake2b(json.dumps(entries).encode(), digest_size=16).hexdigest()
