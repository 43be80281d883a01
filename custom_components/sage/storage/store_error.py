"""Errors of SAGE's files: the base class, and the cause in words."""

import errno
import sqlite3
from enum import StrEnum
from typing import Final


class FileFault(StrEnum):
    """Why a file is unusable."""

    FULL = "full"  # the disk is full
    READ_ONLY = "read_only"
    NEWER = "newer"  # a newer version of SAGE wrote the file; this version leaves it unchanged
    UNUSABLE = "unusable"


class StoreError(Exception):
    """Base of errors of files that are unusable; the message has no text from the file."""

    is_damaged = False  # whether `async_file.recover` can replace the file

    def __init__(self, text: str, fault: FileFault | None = FileFault.UNUSABLE) -> None:
        """Set the message and the cause; `fault` is None if the file itself works."""
        super().__init__(text)
        self.fault = fault


_OF_SYSTEM: Final = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.EACCES: sqlite3.SQLITE_PERM,
    errno.EPERM: sqlite3.SQLITE_PERM,
    errno.EIO: sqlite3.SQLITE_IOERR,
}
"""Error number of the operating system -> primary result code of SQLite."""

_WORDS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it is read-only",
    sqlite3.SQLITE_PERM: "Home Assistant has no permission to use it",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_BUSY: "another program is using it",
    sqlite3.SQLITE_LOCKED: "another program is using it",
    sqlite3.SQLITE_NOMEM: "there is not enough free memory",
}

_FAULTS: Final = {
    sqlite3.SQLITE_FULL: FileFault.FULL,
    sqlite3.SQLITE_READONLY: FileFault.READ_ONLY,
    sqlite3.SQLITE_PERM: FileFault.READ_ONLY,
}


def code_of(error: BaseException) -> int:
    """Return the primary result code of SQLite for an error; SQLITE_ERROR if there is none."""
    match error:
        case sqlite3.Error():
            code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
            return code & 0xFF
        case OSError(errno=int() as number):
            return _OF_SYSTEM.get(number, sqlite3.SQLITE_ERROR)
    return sqlite3.SQLITE_ERROR


def words_of(error: sqlite3.Error | OSError) -> str:
    """Return why a file is unusable, as the end of a sentence, such as "the disk is full"."""
    text = error.strerror if isinstance(error, OSError) else None
    return _WORDS.get(code_of(error)) or text or "the database reports an error"


def fault_of(error: sqlite3.Error | OSError) -> FileFault:
    """Return the cause of an error."""
    return _FAULTS.get(code_of(error), FileFault.UNUSABLE)
