"""Crash-safe SQLite files, the base of SAGE's stores for memories, routines, photos and others."""

from .async_file import BACKUP_UNDER_WAY, AsyncFile, async_read_store
from .database import Database, FileKind, new_file, remove_files, remove_set_aside, replace_file
from .small_store import SmallStore
from .store_error import FileFault, StoreError
