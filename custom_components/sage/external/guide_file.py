"""Read and search the SQLite file that caches a TV guide."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from ..embeddings import Vectors, cosines, from_blobs, to_blob
from ..storage import replace_file
from ..text import content_words, is_unspaced, key, related
from .guide_building import (
    LONGEST_PROGRAMME,
    ROWS_AT_ONCE,
    SEPARATOR,
    GuideDatabase,
    seconds,
)
from .xmltv import Channel, GuideError

_TITLE_MATCH: Final = (10.0, 4.0, 1.0, 3.0)
"""Search weights of a word in title, subtitle, description and category."""

_WORD_WEIGHT: Final = 0.7
"""Maximum word score of a programme.

The rank of a programme is the sum of its word score and of the cosine similarity (at most 1) of its
text and the searched words.
"""

_MOST_TIMES: Final = 3
"""Maximum number of showings of one programme in a result.

The best match may have more showings.
"""

_LEAST_COSINE: Final = 0.3
"""Minimum cosine similarity of a result without a matching word."""

_FTS_SIGN: Final = re.compile(r'"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """One showing of a programme on a channel."""

    channel: Channel
    start: datetime
    stop: datetime
    """The end of the showing; `start` and `stop` are in UTC."""

    title: str
    subtitle: str
    description: str
    category: str

    has_words: bool = True
    """Whether the text contains a word of the search; if not, only the meaning is alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideQuery:
    """The parameters of a search."""

    start: datetime
    end: datetime
    """Programmes match if they run at any time from `start` to `end` (aware times)."""

    words: str = ""
    channel: str = ""
    """Name or number of a channel, for `search_guides`; empty for all channels."""

    channels: tuple[str, ...] | None = None
    """Ids of the channels that a guide searches; None for all."""

    title_only: bool = False
    """Whether all words must be in the title or the subtitle."""

    most: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The result of a search."""

    showings: tuple[Showing, ...]
    """The showings, best match first; in a search without words, earliest first."""

    more: int = 0
    """Number of further matches that were found; there may be more."""


# The file is opened for each call, so that a new file can replace it in between.
class GuideFile:
    """Access to the SQLite file of a TV guide; each method opens and closes the file."""

    def __init__(self, path: Path, numbers: Mapping[str, str]) -> None:
        """`numbers`: id or name of a channel (`text.tokens.key`) -> number in the household."""
        self.path = path
        self._numbers = numbers

    def replace(self, built: Path) -> None:
        """Replace the file with the new file `built`."""
        replace_file(self.path, built)

    def built(self) -> datetime | None:
        """Return the time in UTC when the file was built; None if there is no file.

        Raises GuideError.
        """
        if not self.path.exists():
            return None
        with self._open() as connection:
            row = connection.execute("SELECT value FROM settings WHERE name = 'built'").fetchone()
        return None if row is None else datetime.fromtimestamp(int(row[0]), UTC)

    def channels(self) -> tuple[Channel, ...]:
        """Return all channels in the order of the guide. Raises GuideError."""
        with self._open() as connection:
            return tuple(self._channels(connection).values())

    def search(self, wanted: GuideQuery, model: str = "", query: Vectors | None = None) -> Shown:
        """Return the showings that match `wanted`. Raises GuideError.

        `query`: embedding vector of `wanted.words`, computed with the embedding model `model`; None
        compares only words, not meanings.
        """
        with self._open() as connection:
            channels = self._channels(connection)
            if not wanted.words.strip():
                return _by_time(connection, wanted, channels)
            return _by_words(connection, wanted, channels, model, query)

    def without_vectors(
        self, model: str, span: tuple[datetime, datetime], most: int
    ) -> list[tuple[int, str]]:
        """Return up to `most` texts without an embedding vector of `model`, as (key, text).

        Only programmes in the period `span` count, the earliest first.
        """
        begin = seconds(span[0])
        with self._open() as connection:
            rows = connection.execute(
                "SELECT t.text, t.title, t.subtitle, t.category, substr(t.description, 1, 160)"
                " FROM programmes p JOIN texts t USING (text)"
                " WHERE p.start > ? AND p.start < ? AND p.stop > ? AND NOT EXISTS"
                " (SELECT 1 FROM vectors v WHERE v.text = t.text AND v.model = ?)"
                " GROUP BY t.text ORDER BY min(p.start) LIMIT ?",
                (begin - LONGEST_PROGRAMME, seconds(span[1]), begin, model, most),
            )
            return [(text, ". ".join(filter(None, parts))) for text, *parts in rows]

    def add_vectors(self, model: str, texts: Sequence[int], vectors: Vectors) -> None:
        """Store embedding vectors; `texts` are the keys that `without_vectors` returned."""
        rows = [(text, model, to_blob(row)) for text, row in zip(texts, vectors, strict=True)]
        with self._open() as connection:
            connection.execute("BEGIN")
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            connection.execute("COMMIT")

    def _channels(self, connection: Connection) -> dict[int, Channel]:
        channels: dict[int, Channel] = {}
        for row, own_id, joined, number in connection.execute(
            "SELECT channel, id, names, number FROM channels ORDER BY channel"
        ):
            names = tuple(joined.split(SEPARATOR))
            own = (self._numbers.get(key(name)) for name in (own_id, *names))
            channels[row] = Channel(id=own_id, names=names, number=next(filter(None, own), number))
        return channels

    @contextlib.contextmanager
    def _open(self) -> Iterator[Connection]:
        if not self.path.exists():
            raise GuideError("The TV guide has not been fetched yet.")
        database = GuideDatabase.open(self.path)
        try:
            with database.reading() as connection:
                yield connection
        finally:
            database.close()


def _within(wanted: GuideQuery, channels: Mapping[int, Channel]) -> tuple[str, list[object]]:
    """Return an SQL condition for the period and the channels of a search, and its parameters."""
    begin, end = (
        seconds(wanted.start),
        max(seconds(wanted.end), seconds(wanted.start) + 1),
    )
    values: list[object] = [begin - LONGEST_PROGRAMME, end, begin]
    condition = "p.start > ? AND p.start < ? AND p.stop > ?"
    if wanted.channels is not None:
        chosen = [number for number, each in channels.items() if each.id in wanted.channels]
        condition += f" AND p.channel IN ({', '.join('?' * len(chosen))})"
        values += chosen
    return condition, values


_COLUMNS: Final = "p.channel, p.start, p.stop, t.title, t.subtitle, t.description, t.category"


def _showing(channels: Mapping[int, Channel], row: Sequence[object]) -> Showing:
    channel, start, stop, title, subtitle, description, category = row
    assert isinstance(channel, int)
    assert isinstance(start, int)
    assert isinstance(stop, int)
    return Showing(
        channel=channels[channel],
        start=datetime.fromtimestamp(start, UTC),
        stop=datetime.fromtimestamp(stop, UTC),
        title=str(title),
        subtitle=str(subtitle),
        description=str(description),
        category=str(category),
    )


def _by_time(connection: Connection, wanted: GuideQuery, channels: Mapping[int, Channel]) -> Shown:
    condition, values = _within(wanted, channels)
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM programmes p JOIN texts t USING (text)"  # noqa: S608
        f" WHERE {condition} ORDER BY max(p.start, ?), p.channel, p.start LIMIT ?",
        (*values, seconds(wanted.start), wanted.most),
    ).fetchall()
    total = len(rows)
    if total == wanted.most:
        counted = f"SELECT count(*) FROM programmes p WHERE {condition}"  # noqa: S608
        total = connection.execute(counted, values).fetchone()[0]
    showings = tuple(_showing(channels, row) for row in rows)
    return Shown(showings=showings, more=total - len(showings))


def _by_words(
    connection: Connection,
    wanted: GuideQuery,
    channels: Mapping[int, Channel],
    model: str,
    query: Vectors | None,
) -> Shown:
    condition, values = _within(wanted, channels)
    scores = _word_scores(connection, wanted, condition, values)
    literal = frozenset(scores)
    if query is not None and not wanted.title_only:
        for text, cosine in _cosines(connection, model, query, condition, values):
            if text in scores or cosine >= _LEAST_COSINE:
                scores[text] = scores.get(text, 0.0) + cosine
    best = sorted(scores, key=lambda text: (-scores[text], text))
    showings: list[Showing] = []
    left = max(0, len(best) - wanted.most)
    for text in best[: wanted.most]:
        # Limit repeats, so that other programmes also appear.
        most_times = _MOST_TIMES if showings else wanted.most // min(len(best), 2)
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM programmes p JOIN texts t USING (text)"  # noqa: S608
            f" WHERE p.text = ? AND {condition} ORDER BY p.start, p.channel LIMIT ?",
            (text, *values, most_times + 1),
        ).fetchall()
        showings += (
            replace(_showing(channels, row), has_words=text in literal) for row in rows[:most_times]
        )
        left += len(rows) > most_times
    left += max(0, len(showings) - wanted.most)
    return Shown(showings=tuple(showings[: wanted.most]), more=left)


def _word_scores(
    connection: Connection, wanted: GuideQuery, condition: str, values: Sequence[object]
) -> dict[int, float]:
    """Return key of each matching text -> score of its words, at most `_WORD_WEIGHT`."""
    terms = content_words(wanted.words) or tuple(key(wanted.words).split())
    spaced = [each for each in terms if not is_unspaced(each)]
    found: dict[int, float] = {}
    if spaced:
        rows = connection.execute(
            f"SELECT words.rowid, -bm25(words, {', '.join(map(str, _TITLE_MATCH))}) AS score"  # noqa: S608
            " FROM words WHERE words MATCH ? AND EXISTS"
            f" (SELECT 1 FROM programmes p WHERE p.text = words.rowid AND {condition})"
            " ORDER BY score DESC LIMIT 500",
            (_match(spaced, title_only=wanted.title_only), *values),
        ).fetchall()
        top = max((score for _, score in rows), default=0.0)
        found = {text: _WORD_WEIGHT * score / top if top > 0 else 0.01 for text, score in rows}
    for term in terms:
        if is_unspaced(term):
            # FTS5 does not split scripts without spaces into words.
            like = f"%{term}%"
            rows = connection.execute(
                "SELECT DISTINCT t.text FROM programmes p JOIN texts t USING (text)"  # noqa: S608
                f" WHERE {condition} AND (t.title LIKE ? OR t.subtitle LIKE ? OR t.category LIKE ?"
                " OR (t.description LIKE ? AND NOT ?)) LIMIT 500",
                (*values, like, like, like, like, wanted.title_only),
            ).fetchall()
            found |= {text: _WORD_WEIGHT for (text,) in rows}
    return found


def _match(terms: Sequence[str], *, title_only: bool) -> str:
    """Return the FTS5 query, with all word forms of each term."""
    alternatives = (
        "(" + " OR ".join(f'"{_FTS_SIGN.sub("", each)}"' for each in sorted(related(term))) + ")"
        for term in terms
    )
    if title_only:
        return "{title subtitle} : (" + " AND ".join(alternatives) + ")"
    return " OR ".join(alternatives)


def _cosines(
    connection: Connection, model: str, query: Vectors, condition: str, values: Sequence[object]
) -> Iterator[tuple[int, float]]:
    rows = connection.execute(
        "SELECT v.text, v.vector FROM vectors v WHERE v.model = ? AND v.text IN"  # noqa: S608
        f" (SELECT p.text FROM programmes p WHERE {condition})",
        (model, *values),
    )
    while some := rows.fetchmany(ROWS_AT_ONCE):
        vectors = from_blobs([vector for _, vector in some])
        if vectors.shape[1] != len(query):
            return
        yield from zip((text for text, _ in some), cosines(vectors, query).tolist(), strict=True)
