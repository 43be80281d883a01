"""Routines: stored commands that run at a time, or when a condition becomes true."""

from .registry import RoutineEvent, RoutineEventKind
from .routine_types import (
    WEEKDAYS,
    Commands,
    Condition,
    Daily,
    Decide,
    Firing,
    Moment,
    Repeat,
    Routine,
    RoutineAction,
    RoutineError,
    RoutineKind,
    Status,
    StoredCommand,
    Trigger,
    Watched,
    Words,
)
from .routines import Routines
from .sandbox.sandbox_types import CheckOutcome
from .scheduler import instant, next_due
