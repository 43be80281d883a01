"""Migrates older files to the present schema."""

import sqlite3
from collections.abc import Sequence


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
