"""Routines: stored commands that run at a time, or when a condition becomes true."""

from .edge import advance
from .evaluation import (
    ConditionOwner,
    Evaluator,
    NotRecordedError,
    RepairError,
    Report,
    Snapshot,
    WithheldError,
)
from .firing_queue import FiringQueue
from .registry import RoutineEvent, RoutineEventKind, RoutineRegistry
from .routine_types import (
    WEEKDAYS,
    Commands,
    Condition,
    Daily,
    Decide,
    EdgeKind,
    Firing,
    FiringStep,
    Memo,
    Moment,
    Repeat,
    Routine,
    RoutineAction,
    RoutineError,
    RoutineKind,
    Status,
    StoredCommand,
    Trigger,
    UncheckableError,
    Watched,
    Words,
)
from .routines import Routines
from .sandbox.contract import LONGEST_SOURCE, MISSING_FEATURES
from .sandbox.sandbox import Sandbox
from .sandbox.sandbox_types import (
    EVERY_CHECK,
    CheckError,
    CheckOutcome,
    ConditionFunction,
    Fault,
    FunctionCall,
    FunctionResult,
    Parameter,
    SandboxError,
    Value,
)
from .scheduler import instant, next_due
