"""The SQLite file that caches a TV guide: tables and search; equal texts share a row."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from homeassistant.util import dt as dt_util

from ..storage import Database, FileKind
from ..text import content_words, is_unspaced, related, words
from .xmltv import Channel, GuideError

_TITLE_MATCH: Final = (10.0, 4.0, 1.0, 3.0)
"""Search weights of a word in title, subtitle, description and category."""

_MOST_TIMES: Final = 3  # maximum showings of one programme in a result, except for the best match
_LONGEST: Final = 160  # maximum length of a description in a line for the model, in characters
FILE: Final = FileKind(
    subject="TV guide",
    error=GuideError,
    schema=Path(__file__).with_suffix(".sql"),
    counted="programmes",
)


ROWS_AT_ONCE: Final = 500  # number of rows that are read or written at once
LONGEST_PROGRAMME: Final = 2 * 24 * 60 * 60
"""Maximum duration of a programme in seconds; longer ones are not stored."""
# A search must also find programmes that began before its period and are still running. The maximum
# limits how far back it looks.

SEPARATOR: Final = "\n"
"""Separator between the names of a channel, and between texts that are hashed together."""


def seconds(at: datetime) -> int:
    """Return an aware time as seconds since 1970, as the tables store it."""
    return int(at.timestamp())


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """One showing of a programme on a channel."""

    channel: Channel
    start: datetime
    stop: datetime  # the end of the showing; `start` and `stop` are in UTC
    title: str
    subtitle: str
    description: str
    category: str

    def line(self, sources: Sequence[str]) -> str:
        """Return the showing on one line for the model; `sources` as for `Channel.source_in`."""
        start, stop = dt_util.as_local(self.start), dt_util.as_local(self.stop)
        source = self.channel.source_in(sources)
        number = self.channel.number_in(source) or self.channel.number
        channel = self.channel.names[0] + (f", channel {number}" if number else "")
        if source:
            channel += f', source "{source}"'
        title = " – ".join(filter(None, (self.title, self.subtitle)))
        kind = f" ({self.category})" if self.category else ""
        text = self.description
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        when = f"{start:%a %Y-%m-%d %H:%M}-{stop:%H:%M}"
        return f"- {when}, {channel}: {title}{kind}{f'. {short}' if short else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideQuery:
    """The parameters of a search."""

    start: datetime
    end: datetime  # programmes match if they run at any time from `start` to `end` (aware times)
    words: str = ""
    channel: str = ""  # name or number of a channel, for `search_guides`; empty for all channels
    channels: tuple[str, ...] | None = None
    """Ids of the channels that a guide searches; None for all."""

    title_only: bool = False  # whether all words must be in the title or the subtitle
    most: int = 20


class GuideDatabase(Database):
    """The open file of a TV guide. All methods may raise GuideError."""

    kind = FILE

    def built(self) -> datetime | None:
        """Return the time in UTC when the file was built."""
        with self.reading() as connection:
            row = connection.execute("SELECT value FROM settings WHERE name = 'built'").fetchone()
        return None if row is None else datetime.fromtimestamp(int(row[0]), UTC)

    def channels(self) -> list[Channel]:
        """Return all channels in the order of the guide."""
        with self.reading() as connection:
            rows = connection.execute("SELECT id, names, number FROM channels ORDER BY channel")
            return [
                Channel(id=channel, names=tuple(names.split(SEPARATOR)), number=number)
                for channel, names, number in rows
            ]

    def search(
        self, query: GuideQuery, channels: Mapping[str, Channel]
    ) -> tuple[list[Showing], int]:
        """Return the best matches, and the number of further ones; there may be more.

        Without words, the earliest come first. `channels`: the channels by id.
        """
        with self.reading() as connection:
            search = _Search(connection, query, channels)
            return search.by_words() if query.words.strip() else search.by_time()


class _Search:
    """One search in the open file."""

    def __init__(
        self, connection: Connection, query: GuideQuery, channels: Mapping[str, Channel]
    ) -> None:
        self._connection = connection
        self._query = query
        self._channels = channels
        begin = seconds(query.start)
        self._values: list[object] = [
            begin - LONGEST_PROGRAMME,
            max(seconds(query.end), begin + 1),
            begin,
        ]
        self._condition = "p.start > ? AND p.start < ? AND p.stop > ?"
        """An SQL condition for the period and the channels; `_values` are its parameters."""

        if query.channels is not None:
            self._condition += (
                " AND p.channel IN (SELECT channel FROM channels"
                " WHERE id IN (SELECT value FROM json_each(?)))"
            )
            self._values.append(json.dumps(query.channels))

    def by_time(self) -> tuple[list[Showing], int]:
        query = self._query
        showings = self._showings(
            "ORDER BY max(p.start, ?), p.channel, p.start", [seconds(query.start)], query.most
        )
        total = len(showings)
        if total == query.most:
            counted = f"SELECT count(*) FROM programmes p WHERE {self._condition}"  # noqa: S608
            total = self._connection.execute(counted, self._values).fetchone()[0]
        return showings, total - len(showings)

    def by_words(self) -> tuple[list[Showing], int]:
        scores, most = self._word_scores(), self._query.most
        best = sorted(scores, key=lambda text: (-scores[text], text))
        showings: list[Showing] = []
        left = max(0, len(best) - most)
        for text in best[:most]:
            # Limit repeats, so that other programmes also appear.
            most_times = _MOST_TIMES if showings else most // min(len(best), 2)
            times = self._showings(
                "AND p.text = ? ORDER BY p.start, p.channel", [text], most_times + 1
            )
            showings += times[:most_times]
            left += len(times) > most_times
        left += max(0, len(showings) - most)
        return showings[:most], left

    def _showings(self, rest: str, values: Sequence[object], most: int) -> list[Showing]:
        rows = self._connection.execute(
            "SELECT c.id, p.start, p.stop, t.title, t.subtitle, t.description, t.category"  # noqa: S608
            " FROM programmes p JOIN texts t USING (text) JOIN channels c USING (channel)"
            f" WHERE {self._condition} {rest} LIMIT ?",
            (*self._values, *values, most),
        )
        return [
            Showing(
                channel=self._channels[channel],
                start=datetime.fromtimestamp(start, UTC),
                stop=datetime.fromtimestamp(stop, UTC),
                title=title,
                subtitle=subtitle,
                description=description,
                category=category,
            )
            for channel, start, stop, title, subtitle, description, category in rows
            if channel in self._channels
        ]

    def _word_scores(self) -> dict[int, float]:
        """Return the key of each matching text -> its score; the highest is the best."""
        query = self._query
        terms = content_words(query.words) or words(query.words)
        spaced = [term for term in terms if not is_unspaced(term)]
        scores: dict[int, float] = {}
        if spaced:
            scores |= self._connection.execute(
                f"SELECT words.rowid, -bm25(words, {', '.join(map(str, _TITLE_MATCH))}) AS score"  # noqa: S608
                " FROM words WHERE words MATCH ? AND EXISTS"
                f" (SELECT 1 FROM programmes p WHERE p.text = words.rowid AND {self._condition})"
                " ORDER BY score DESC LIMIT 500",
                (_match(spaced, title_only=query.title_only), *self._values),
            )
        for term in terms:
            if is_unspaced(term):
                # FTS5 does not split scripts without spaces into words.
                like = f"%{term}%"
                rows = self._connection.execute(
                    "SELECT DISTINCT t.text FROM programmes p JOIN texts t USING (text)"  # noqa: S608
                    f" WHERE {self._condition} AND (t.title LIKE ? OR t.subtitle LIKE ?"
                    " OR t.category LIKE ? OR (t.description LIKE ? AND NOT ?)) LIMIT 500",
                    (*self._values, like, like, like, like, query.title_only),
                ).fetchall()
                scores |= {text: math.inf for (text,) in rows}
        return scores


def _match(terms: Sequence[str], *, title_only: bool) -> str:
    """Return the FTS5 query, with all word forms of each term."""
    alternatives = (
        "(" + " OR ".join(f'"{form}"' for form in sorted(related(term))) + ")" for term in terms
    )
    if title_only:
        return "{title subtitle} : (" + " AND ".join(alternatives) + ")"
    return " OR ".join(alternatives)
