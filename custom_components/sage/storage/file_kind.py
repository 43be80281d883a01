"""What a kind of file holds, its errors, and how older files become new ones."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FileErrors:
    """The errors of the package that the file belongs to."""

    failed: type[Exception]
    """It cannot be read or written; the others are kinds of it."""

    closed: type[Exception]
    corrupt: type[Exception]
    """It is damaged, empty or missing; `recovery.recover` sets it aside."""

    newer: type[Exception]
    """It is of a newer version of SAGE; it is left as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file. One of its tables is `settings (name, value)`, both text."""

    subject: str
    """What it is, for the words of errors: "memory"."""

    errors: FileErrors
    steps: Sequence[str]
    """Step n makes a file of version n one of version n + 1; the version of a new file is 0."""

    counted: str
    """The table whose rows a report of a recovery counts."""

    mend: Sequence[str] = ()
    """Statements that make what was taken over whole in itself again."""


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of the schema of a file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(connection: sqlite3.Connection, steps: Sequence[str]) -> None:
    """Take the steps that the file has not had, each whole or not at all."""
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
