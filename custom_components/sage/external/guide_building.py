"""Builds the SQLite file of a TV guide from an XMLTV file."""

import hashlib
import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from ..storage import new_file
from ..text import fold
from .guide_file import FILE, LONGEST_PROGRAMME, ROWS_AT_ONCE, SEPARATOR, seconds
from .xmltv import Channel, GuideError, Item, Programme

_REST: Final = 0.001  # pause in seconds after each parsed piece, so that other threads can run
_AHEAD: Final = timedelta(days=366)
"""Time from now to the start of a programme from which on it is left out: its date is wrong."""

_RETENTION: Final = timedelta(hours=6)
"""Time from the end of a programme until a new build leaves it out."""

_LONGEST_RUN: Final = timedelta(hours=6)
"""Assumed duration of the last programme of a channel, if the guide does not give its end."""

_BUILDING: Final = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA secure_delete = OFF",
    "PRAGMA cache_size = -32000",
    "BEGIN",
)
"""SQLite settings during the build: a crash leaves only an unfinished file, so no journal."""

_BUILT: Final = ("COMMIT", "PRAGMA journal_mode = WAL")


def build(items: Iterable[Item], target: Path, now: datetime) -> int:
    """Write a guide to the new file `target`, and return its number of programmes.

    `items`: from `xmltv.parse`. Call this in an executor thread, because it sleeps. Raises
    GuideError if all programmes ended more than 6 hours before `now`, or if there are none.
    """
    with new_file(target, FILE) as connection:
        for setting in _BUILDING:
            connection.execute(setting)
        _fill(connection, items, now)
        connection.execute("DELETE FROM programmes WHERE stop <= ?", (seconds(now - _RETENTION),))
        connection.execute("DELETE FROM texts WHERE text NOT IN (SELECT text FROM programmes)")
        _index(connection)
        count: int = connection.execute("SELECT count(*) FROM programmes").fetchone()[0]
        if not count:
            raise GuideError("it has no programmes that are still to come")
        built = str(seconds(now))
        connection.execute("INSERT INTO settings VALUES ('built', ?)", (built,))
        for setting in _BUILT:
            connection.execute(setting)
    return count


def _fill(connection: Connection, items: Iterable[Item], now: datetime) -> None:
    """Write channels and programmes; the start of the next programme replaces a missing end."""
    numbers: dict[str, int] = {}
    named: set[int] = set()
    waiting: list[tuple[int, Programme]] = []

    def number_of(channel_id: str) -> int:
        return numbers.setdefault(channel_id, len(numbers))

    def write() -> None:
        _write(connection, waiting, now)
        waiting.clear()

    for item in items:
        if isinstance(item, Programme):
            waiting.append((number_of(item.channel), item))
        elif isinstance(item, Channel):
            number = number_of(item.id)
            named.add(number)
            row = (number, item.id, SEPARATOR.join(item.names), item.number)
            connection.execute("INSERT OR REPLACE INTO channels VALUES (?, ?, ?, ?)", row)
        else:
            # Let other threads run.
            time.sleep(_REST)
        if len(waiting) >= ROWS_AT_ONCE:
            write()
    write()
    unnamed = ((number, name) for name, number in numbers.items() if number not in named)
    for number, name in unnamed:
        connection.execute("INSERT INTO channels VALUES (?, ?, ?, '')", (number, name, name))
    connection.execute(
        "UPDATE programmes SET stop = coalesce((SELECT min(n.start) FROM programmes n"
        " WHERE n.channel = programmes.channel AND n.start > programmes.start),"
        " programmes.start + ?) WHERE stop = start",
        (int(_LONGEST_RUN.total_seconds()),),
    )


def _write(
    connection: Connection, programmes: Sequence[tuple[int, Programme]], now: datetime
) -> None:
    past, texts, rows = now - _RETENTION, [], []
    for channel, programme in programmes:
        start, stop = programme.start, programme.stop or programme.start
        if start > now + _AHEAD or (programme.stop is not None and stop <= past):
            continue
        if seconds(stop) - seconds(start) > LONGEST_PROGRAMME:
            continue
        written = (programme.title, programme.subtitle, programme.description, programme.category)
        digest = hashlib.blake2b(SEPARATOR.join(written).encode(), digest_size=8).digest()
        text = int.from_bytes(digest, signed=True)
        texts.append((text, *written))
        rows.append((channel, seconds(start), seconds(stop), text))
    connection.executemany("INSERT OR IGNORE INTO texts VALUES (?, ?, ?, ?, ?)", texts)
    connection.executemany("INSERT OR REPLACE INTO programmes VALUES (?, ?, ?, ?)", rows)


def _index(connection: Connection) -> None:
    rows = connection.execute("SELECT text, title, subtitle, description, category FROM texts")
    while some := rows.fetchmany(ROWS_AT_ONCE):
        connection.executemany(
            "INSERT INTO words (rowid, title, subtitle, description, category)"
            " VALUES (?, ?, ?, ?, ?)",
            [(text, *map(fold, texts)) for text, *texts in some],
        )
        time.sleep(_REST)
