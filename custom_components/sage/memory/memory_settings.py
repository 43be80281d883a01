"""What a person decided about their memory."""

import json
import sqlite3
from dataclasses import asdict, dataclass
from typing import Final, Self

REQUEST_DAYS: Final = 90
"""How long requests about the moment stay, unless the household or a person decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Days after which memories are forgotten; 0 for never."""

    days: int = 0
    request_days: int = REQUEST_DAYS
    """Of requests about the moment; they never stay longer than `days`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySettings:
    """Kept in the file of the person."""

    enabled: bool = True
    """Whether anything new is remembered."""

    retention_days: int | None = None
    """How long; None as long as the household's options say."""

    request_days: int | None = None
    """How long requests about the moment; None as long as the household's options say."""

    @property
    def has_own_retention(self) -> bool:
        """Whether the person decided how long any memories stay."""
        return self.retention_days is not None or self.request_days is not None

    def retention(self, household: Retention) -> Retention:
        """Return how long memories stay: the person's choice counts before the household's."""
        days, request_days = self.retention_days, self.request_days
        return Retention(
            days=household.days if days is None else days,
            request_days=household.request_days if request_days is None else request_days,
        )

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
