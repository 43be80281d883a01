"""What a kind of file holds, its errors, and how older files become new ones."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FileErrors:
    """The errors of the package that the file belongs to."""

    failed: type[Exception]
    """It cannot be read or written; the base class of the others."""

    closed: type[Exception]
    corrupt: type[Exception]
    """It is damaged, empty or missing; `recovery.recover` sets it aside."""

    newer: type[Exception]
    """It is from a newer version of SAGE and is not changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file. One of its tables is `settings (name, value)`, both text."""

    subject: str
    """What it contains, for the texts of errors: "memory"."""

    errors: FileErrors
    steps: Sequence[str]
    """Step n makes a file of version n one of version n + 1; the version of a new file is 0."""

    counted: str
    """The table whose rows a report of a recovery counts."""

    mend: Sequence[str] = ()
    """Statements that restore consistency after a recovery."""


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of the schema of a file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, steps: Sequence[str]) -> None:
    """Apply the steps that the file lacks, each in one transaction."""
    for number in range(version_of(connection), len(steps)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            for statement in filter(str.strip, steps[number].split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
