"""The tables of the SQLite file of a TV guide.

Programmes with the same text, such as repeats, share one row of the table `texts`.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from sqlite3 import Connection
from typing import Final

from ...storage.database import SETTINGS_TABLE, FileErrors, FileKind
from .xmltv import GuideError

_FIRST: Final = """
CREATE TABLE channels (
    channel INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    names TEXT NOT NULL,
    number TEXT NOT NULL
) STRICT;
CREATE TABLE texts (
    text INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    subtitle TEXT NOT NULL,
    description TEXT NOT NULL,
    category TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE words USING fts5(
    title, subtitle, description, category,
    content = '', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE programmes (
    channel INTEGER NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    text INTEGER NOT NULL,
    PRIMARY KEY (channel, start)
) STRICT, WITHOUT ROWID;
CREATE INDEX by_start ON programmes (start, stop);
CREATE INDEX by_text ON programmes (text);
CREATE TABLE vectors (
    text INTEGER NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (text, model)
) STRICT, WITHOUT ROWID;
"""
"""The schema.

In all tables, the column `text` is a hash of title, subtitle, description and category. The table
`words` is the full-text index; it contains texts in lower case without accents. Times are seconds
since 1970.
"""


class GuideFileError(GuideError):
    """The file of a TV guide cannot be read or written."""


FILE: Final = FileKind(
    subject="TV guide",
    errors=FileErrors.below(GuideFileError),
    steps=(_FIRST + SETTINGS_TABLE,),
    counted="programmes",
)

ROWS_AT_ONCE: Final = 500
"""Number of rows in one transaction."""

LONGEST_PROGRAMME: Final = 2 * 24 * 60 * 60
"""Maximum duration of a programme in seconds; longer ones are not stored."""
# A search must also find programmes that began before its period and are still running. The maximum
# limits how far back it looks.

SEPARATOR: Final = "\n"
"""Separator between the names of a channel, and between texts that are hashed together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideSize:
    """The number of channels and programmes in a TV guide, and the end of the last programme.

    Channels without programmes are not counted.
    """

    channels: int
    programmes: int
    until: datetime | None = None
    """End of the last programme, UTC; None if there is none."""


def size_of(connection: Connection) -> GuideSize:
    """Return the size of the guide in an open file."""
    channels = connection.execute(
        "SELECT count(*) FROM channels WHERE channel IN (SELECT channel FROM programmes)"
    ).fetchone()[0]
    programmes, until = connection.execute("SELECT count(*), max(stop) FROM programmes").fetchone()
    end = None if until is None else datetime.fromtimestamp(until, UTC)
    return GuideSize(channels=channels, programmes=programmes, until=end)


@contextlib.contextmanager
def transaction(connection: Connection) -> Iterator[None]:
    """Run the block as one transaction; roll back if the block raises."""
    connection.execute("BEGIN")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def seconds(at: datetime) -> int:
    """Return an aware time as seconds since 1970, as the tables store it."""
    return int(at.timestamp())
