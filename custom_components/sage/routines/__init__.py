"""Routines: their storage, the evaluation of their triggers, and the queue of their firings."""

from .edge import next_due
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
    RoutineError,
    RoutineKind,
    Status,
    Watched,
    Words,
)
from .routines import Routines
from .sandbox.contract import CheckOutcome
