"""The log of a person's commands, in their memory file: what was said, answered and done.

A log entry may repeat any memory, so deleting or correcting memories empties the log. Nothing is
added while memory is switched off.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from ..storage.database import Database
from .rows import to_instant

KEPT: Final = 500
"""Number of commands that are kept, the latest ones."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedCommand:
    """A command to store."""

    run: str
    """Id of the run."""

    at: datetime
    summary: Mapping[str, Any] = field(repr=False)
    """The JSON object that a list of commands shows."""

    trace: Mapping[str, Any] = field(repr=False)
    """The whole trace, as a JSON object."""


class CommandLog:
    """The latest commands of one person."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, command: LoggedCommand) -> None:
        """Add a command unless it is there already; delete the oldest ones beyond `KEPT`."""
        values = {
            "at": to_instant(command.at),
            "run": command.run,
            "summary": json.dumps(command.summary, default=str),
            "trace": json.dumps(command.trace, default=str),
        }
        with self._database.writing() as connection:
            connection.execute(_ADD, values)
            connection.execute(_DROP_OLDEST, (KEPT,))

    def page(self, *, limit: int, before: str | None = None) -> tuple[dict[str, Any], ...]:
        """Return the summaries of commands, latest first.

        `before`: the run of the last command of the previous page.
        """
        with self._database.reading() as connection:
            rows = connection.execute(_PAGE, {"limit": limit, "before": before})
            return tuple(json.loads(summary) for (summary,) in rows)

    def trace(self, run: str) -> dict[str, Any] | None:
        """Return the trace of a command; None if it is not in the log."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT trace FROM commands WHERE run = ?", (run,)).fetchone()
        if row is None:
            return None
        trace: dict[str, Any] = json.loads(row[0])
        return trace

    def count(self) -> int:
        """Return the number of commands in the log."""
        with self._database.reading() as connection:
            count: int = connection.execute("SELECT count(*) FROM commands").fetchone()[0]
            return count

    def expire(self, before: datetime) -> None:
        """Delete commands said before a time."""
        with self._database.writing() as connection:
            gone = connection.execute("DELETE FROM commands WHERE at < ?", (to_instant(before),))
            if gone.rowcount > 0:
                self._database.owe_scrub()
        self._database.scrub()

    def clear(self) -> None:
        """Empty the log; the caller schedules the scrub."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM commands")
