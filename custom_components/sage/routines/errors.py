"""What can go wrong with the stored routines; no words of a routine are in any of these."""

from .model import RoutineError


class RoutineStoreError(RoutineError):
    """The routines cannot be read or written."""


class StoreClosedError(RoutineStoreError):
    """The store was closed."""


class CorruptStoreError(RoutineStoreError):
    """The file is damaged; what can be read is taken over into a new one."""


class NewerStoreError(RoutineStoreError):
    """The file is of a newer version of SAGE; it was left as it is."""


class UnknownRoutineError(RoutineStoreError):
    """There is no routine of that id, or no more."""


class UnreadableError(RoutineStoreError):
    """A row is damaged or of a newer version of SAGE; it was left as it is."""
