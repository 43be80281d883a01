"""Routines: their storage, the evaluation of their triggers, and the queue of their firings."""

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
