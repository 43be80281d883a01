"""The schema and the errors of a kind of file."""

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
