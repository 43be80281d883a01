"""Errors of a database say in words why the file is unusable, never with a code of SQLite."""

import errno
import os
import sqlite3

import pytest

from custom_components.sage.external.guide_file import FILE as GUIDE
from custom_components.sage.memory.memories import FILE as MEMORY
from custom_components.sage.memory.memories import MemoryStoreError
from custom_components.sage.photos.photo_album import FILE as PHOTOS
from custom_components.sage.routines.store import FILE as ROUTINES
from custom_components.sage.storage.database import FileKind, raising_store_errors
from custom_components.sage.storage.store_error import FileFault, StoreError

CODES = sorted(
    {
        getattr(sqlite3, name)
        for name in dir(sqlite3)
        if name.startswith("SQLITE_") and isinstance(getattr(sqlite3, name), int)
    }
    - {sqlite3.SQLITE_OK}
)
KINDS = [MEMORY, ROUTINES, PHOTOS, GUIDE]


def error_of(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("secret text of a row")
    error.sqlite_errorcode = code
    error.sqlite_errorname = f"SQLITE_{code}"
    return error


def raised(kind: FileKind, error: Exception) -> StoreError:
    with pytest.raises(kind.error) as failure, raising_store_errors(kind):
        raise error
    return failure.value


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.subject)
def test_no_code_of_sqlite_reaches_a_sentence(kind: FileKind):
    said = [str(raised(kind, error_of(code))) for code in CODES]

    assert not [text for text in said if "SQLITE" in text or "secret" in text]
    assert all(kind.subject in text and text.endswith(".") for text in said)


@pytest.mark.parametrize(
    ("error", "words", "fault"),
    [
        (error_of(sqlite3.SQLITE_BUSY), "another program is using it", FileFault.UNUSABLE),
        (error_of(sqlite3.SQLITE_FULL), "the disk is full", FileFault.FULL),
        (error_of(sqlite3.SQLITE_IOERR_WRITE), "the disk reports an error", FileFault.UNUSABLE),
        (error_of(sqlite3.SQLITE_READONLY_DBMOVED), "it is read-only", FileFault.READ_ONLY),
        (sqlite3.ProgrammingError("?"), "the database reports an error", FileFault.UNUSABLE),
        (OSError(errno.EDQUOT, "?"), "the disk is full", FileFault.FULL),
        (OSError(errno.EROFS, "?"), "it is read-only", FileFault.READ_ONLY),
        (PermissionError(errno.EACCES, "?"), "has no permission to use it", FileFault.READ_ONLY),
        (OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)), "Not a dir", FileFault.UNUSABLE),
        (OSError(), "the database reports an error", FileFault.UNUSABLE),
    ],
)
def test_errors_of_sqlite_and_of_the_system_mean_the_same(
    error: Exception, words: str, fault: FileFault
):
    failure = raised(MEMORY, error)

    assert words in str(failure)
    assert isinstance(failure, MemoryStoreError)
    assert failure.fault is fault
