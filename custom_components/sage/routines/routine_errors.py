"""Errors about the storage of routines and the sandbox; they quote no words of a routine."""

from .routine_types import RoutineError
from .sandbox.sandbox_types import SandboxError


class UncheckableError(RoutineError):
    """Condition code cannot run on this machine."""

    def __init__(self, cause: SandboxError) -> None:
        """Keep the reason."""
        super().__init__(
            f"Conditions cannot be checked on this machine: {cause} "
            "Only the clock can trigger something here."
        )


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
