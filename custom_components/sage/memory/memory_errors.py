"""Exceptions of the memory package; their messages never contain memory texts."""

import sqlite3
from enum import StrEnum
from typing import Final

from ..storage.file_fault import code_of


class MemoryStoreError(Exception):
    """Raised when a memory call fails; base class of all memory errors."""


class ClosedError(MemoryStoreError):
    """Raised when the memory file is closed, or was deleted with its user."""


class CorruptFileError(MemoryStoreError):
    """Raised when the memory file is damaged; `storage.recovery.recover` replaces it."""


class NewerFileError(MemoryStoreError):
    """Raised when a newer version of SAGE wrote the memory file; the file stays unchanged."""


class MemoryOffError(MemoryStoreError):
    """Raised when the person has switched memory off."""


class UnknownMemoryError(MemoryStoreError):
    """Raised when the person has no memory with the requested id."""


class ImportFormatError(MemoryStoreError):
    """Raised when imported data is not a valid SAGE export; the message names the invalid part."""


class MemoryFault(StrEnum):
    """Why a person's memory file is unusable."""

    FULL = "full"
    """The disk is full."""

    READ_ONLY = "read_only"
    NEWER = "newer"
    """A newer version of SAGE wrote the file."""

    UNUSABLE = "unusable"


_FAULTLESS: Final = (ClosedError, ImportFormatError, MemoryOffError, UnknownMemoryError)
"""Errors caused by an invalid call; the memory file itself works."""

_OF_SQLITE: Final = {
    sqlite3.SQLITE_FULL: MemoryFault.FULL,
    sqlite3.SQLITE_READONLY: MemoryFault.READ_ONLY,
    sqlite3.SQLITE_PERM: MemoryFault.READ_ONLY,
}


def fault_of(error: MemoryStoreError) -> MemoryFault | None:
    """Return why the memory file is unusable, or None if the file itself works.

    Example: UnknownMemoryError gives None.
    """
    if isinstance(error, _FAULTLESS):
        return None
    if isinstance(error, NewerFileError):
        return MemoryFault.NEWER
    return _OF_SQLITE.get(code_of(error.__cause__), MemoryFault.UNUSABLE)
