"""Errors of stored routines; none of them contains text of a routine."""

from .model import RoutineError


class RoutineStoreError(RoutineError):
    """The routines cannot be read or written."""


class StoreClosedError(RoutineStoreError):
    """The store was closed."""


class CorruptStoreError(RoutineStoreError):
    """The file is damaged; a recovery moves what can be read to a new one."""


class NewerStoreError(RoutineStoreError):
    """The file is from a newer version of SAGE; it was not changed."""


class UnknownRoutineError(RoutineStoreError):
    """There is no routine with this id."""


class UnreadableError(RoutineStoreError):
    """A row is damaged or from a newer version of SAGE; it was not changed."""
