"""Why a file is unusable: the error codes of SQLite and of the operating system, in words."""

import errno
import sqlite3
from typing import Final

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
    sqlite3.SQLITE_AUTH: "Home Assistant has no permission to use it",
    sqlite3.SQLITE_CANTOPEN: "its file cannot be opened",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_BUSY: "another program is using it",
    sqlite3.SQLITE_LOCKED: "another program is using it",
    sqlite3.SQLITE_PROTOCOL: "another program is using it",
    sqlite3.SQLITE_NOMEM: "there is not enough free memory",
    sqlite3.SQLITE_NOLFS: "its file is too large for the disk",
    sqlite3.SQLITE_TOOBIG: "a text is too long",
    sqlite3.SQLITE_INTERRUPT: "the access was interrupted",
}


def code_of(error: BaseException | None) -> int:
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
