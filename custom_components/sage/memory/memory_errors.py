"""Errors of a person's memory; none contains the text of a memory."""

import errno
import sqlite3
from enum import StrEnum
from typing import Final


class MemoryStoreError(Exception):
    """The memory of a person cannot be read or written."""


class ClosedError(MemoryStoreError):
    """The memory was closed, or its person was deleted."""


class CorruptFileError(MemoryStoreError):
    """The file is damaged; `storage.recovery.recover` sets it aside."""


class NewerFileError(MemoryStoreError):
    """The file was written by a newer version of SAGE; it was not changed."""


class MemoryOffError(MemoryStoreError):
    """The person switched memory off."""


class UnknownMemoryError(MemoryStoreError):
    """The person has no memory with that id."""


class ImportFormatError(MemoryStoreError):
    """The imported data is not an export of SAGE; the text says which part is wrong."""


class MemoryFault(StrEnum):
    """The reason why a memory cannot be used."""

    FULL = "full"
    """The disk is full."""

    READ_ONLY = "read_only"
    NEWER = "newer"
    """The file was written by a newer version of SAGE."""

    UNUSABLE = "unusable"


_FAULTLESS: Final = (ClosedError, ImportFormatError, MemoryOffError, UnknownMemoryError)
"""Errors of wrong calls; the memory itself works."""

_OF_SQLITE: Final = {
    sqlite3.SQLITE_FULL: MemoryFault.FULL,
    sqlite3.SQLITE_READONLY: MemoryFault.READ_ONLY,
    sqlite3.SQLITE_PERM: MemoryFault.READ_ONLY,
}
_OF_SYSTEM: Final = {
    errno.ENOSPC: MemoryFault.FULL,
    errno.EDQUOT: MemoryFault.FULL,
    errno.EROFS: MemoryFault.READ_ONLY,
    errno.EACCES: MemoryFault.READ_ONLY,
    errno.EPERM: MemoryFault.READ_ONLY,
}


def fault_of(error: MemoryStoreError) -> MemoryFault | None:
    """Return why a memory failed; None if it works and the call was wrong."""
    if isinstance(error, _FAULTLESS):
        return None
    if isinstance(error, NewerFileError):
        return MemoryFault.NEWER
    match error.__cause__:
        case sqlite3.Error() as cause:
            code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            return _OF_SQLITE.get(code, MemoryFault.UNUSABLE)
        case OSError() as cause:
            return _OF_SYSTEM.get(cause.errno or 0, MemoryFault.UNUSABLE)
    return MemoryFault.UNUSABLE
