"""Log of one person's commands; deleting or correcting a memory clears it."""

import json
from datetime import datetime
from typing import Any, Final

from ..storage import Database
from .memories import to_instant

MAX_ENTRIES: Final = 500  # maximum number of log entries; older ones are deleted
_ADD: Final = """
INSERT INTO commands (at, run, summary, trace) VALUES (:at, :run, :summary, :trace)
ON CONFLICT (run) DO NOTHING
"""
_DROP_OLDEST: Final = """
DELETE FROM commands WHERE id <= (SELECT max(id) FROM commands) - ?
"""
_PAGE: Final = """
SELECT summary FROM commands
WHERE :before IS NULL OR id < (SELECT id FROM commands WHERE run = :before)
ORDER BY id DESC LIMIT :limit
"""


class CommandLog:
    """The latest `MAX_ENTRIES` commands of one person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, run: str, at: datetime, summary: Any, trace: Any) -> None:
        """Add a command, and delete the oldest one if there are more than `MAX_ENTRIES`.

        - `run`: unique id of the command's execution; does nothing if the log has it already
        - `summary`: JSON object for one row in the panel's list of commands
        - `trace`: the full record of the execution, as a JSON object
        """
        values = {
            "at": to_instant(at),
            "run": run,
            "summary": json.dumps(summary, default=str),
            "trace": json.dumps(trace, default=str),
        }
        with self._database.writing() as connection:
            connection.execute(_ADD, values)
            connection.execute(_DROP_OLDEST, (MAX_ENTRIES,))

    def page(self, *, limit: int, before: str | None = None) -> tuple[dict[str, Any], ...]:
        """Return up to `limit` summaries (JSON), latest first; `before`: the last run seen."""
        with self._database.reading() as connection:
            rows = connection.execute(_PAGE, {"limit": limit, "before": before})
            return tuple(json.loads(summary) for (summary,) in rows)

    def trace(self, run: str) -> dict[str, Any] | None:
        """Return `LoggedCommand.trace` of the command with this run id; None if not logged."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT trace FROM commands WHERE run = ?", (run,)).fetchone()
        if row is None:
            return None
        trace: dict[str, Any] = json.loads(row[0])
        return trace

    def count(self) -> int:
        """Return the number of log entries."""
        with self._database.reading() as connection:
            count: int = connection.execute("SELECT count(*) FROM commands").fetchone()[0]
            return count

    def expire(self, before: datetime) -> None:
        """Delete entries older than `before`, and erase their bytes from the file."""
        with self._database.writing() as connection:
            gone = connection.execute("DELETE FROM commands WHERE at < ?", (to_instant(before),))
            if gone.rowcount > 0:
                self._database.owe_scrub()
        self._database.scrub()

    def clear(self) -> None:
        """Delete all entries; to erase their bytes, also call `Database.owe_scrub`."""
        # Called when a memory is deleted or corrected, because entries can quote memories.
        with self._database.writing() as connection:
            connection.execute("DELETE FROM commands")
