"""What a person decided about their memory."""

import json
import sqlite3
from dataclasses import asdict, dataclass
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """Kept in the file of the person."""

    enabled: bool = True
    """Whether anything new is remembered."""

    retention_days: int | None = None
    """How long; None as long as the household's options say."""

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Self:
        """Return what is stored; what is not is as it is for everybody."""
        stored = dict(connection.execute("SELECT name, value FROM settings").fetchall())
        known = {name: json.loads(stored[name]) for name in asdict(cls()) if name in stored}
        return cls(**known)

    def write(self, connection: sqlite3.Connection) -> None:
        """Store all of it; the caller holds the transaction."""
        connection.executemany(
            "INSERT OR REPLACE INTO settings VALUES (?, ?)",
            [(name, json.dumps(value)) for name, value in asdict(self).items()],
        )
