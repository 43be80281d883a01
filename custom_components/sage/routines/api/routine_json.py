"""Converts routines to JSON for actions and diagnostics; times in the home's time zone."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from homeassistant.util import dt as dt_util

from ...home import without_codes
from ..routine_types import (
    WEEKDAYS,
    Commands,
    Condition,
    Daily,
    Decide,
    Moment,
    RoutineAction,
    Trigger,
    Watched,
    Words,
)
from ..routines import Routines
from ..sandbox.contract import CheckError, CheckOutcome, SandboxError, Value


def routine_as_json(watched: Watched, entity_id: str) -> dict[str, Any]:
    """Return all data of a routine as JSON, for callers who may read it."""
    routine, memo = watched.routine, watched.memo
    return {
        **public_json(watched, entity_id),
        "request": routine.request,
        "when": routine.when,
        "kind": routine.kind.value,
        "action": routine.command,
        "does": action_json(routine.action),
        "notify": routine.notify,
        **_trigger_json(routine.trigger),
        "repeat": routine.repeat.value,
        "until": local_json(routine.expires),
        "undo_after": routine.undo_after,
        "end_when": routine.end_when or None,
        "end_code": None if routine.end is None else routine.end.source,
        "is_tainted": routine.tainted,
        "is_repaired": routine.is_repaired,
        "bindings": dict(routine.bindings),
        "trouble": error_json(watched.uncheckable or routine.trouble),
        "paused_until": local_json(routine.paused_until),
        "created_at": local_json(routine.created_at),
        "is_true": memo.before,
        "true_since": local_json(memo.true_since),
        "state": value_json(memo.state),
    }


def action_json(action: RoutineAction | None) -> dict[str, Any] | None:
    """Return the stored action of a routine as JSON; None if the model has not chosen it yet."""
    match action:
        case Commands(commands=commands):
            return {
                "commands": [
                    {
                        "device": each.name,
                        "command": each.command,
                        "arguments": without_codes(each.arguments),
                        **({"component": each.component} if each.component else {}),
                    }
                    for each in commands
                ]
            }
        case Words(text=text):
            return {"words": text}
        case Decide():
            return {"decide": True}
    return None


def public_json(watched: Watched, entity_id: str) -> dict[str, Any]:
    """Return the data of a routine for callers who may change it but not read its content."""
    return {
        "id": watched.routine.id,
        "entity_id": entity_id,
        "number": watched.routine.number,
        "status": watched.status.value,
        "last_fired": local_json(watched.memo.last_fired),
        "next_check": local_json(watched.next_check),
        "fired": watched.memo.fired,
    }


def trial_json(outcome: CheckOutcome) -> dict[str, Any]:
    """Return a test run of condition code as JSON, with the values that the code read."""
    return {
        "value": outcome.value,
        "is_unknown": outcome.is_unknown,
        "error": error_json(outcome.error),
        "reads": [
            {
                "function": question.function,
                "arguments": list(question.arguments),
                "value": value_json(answered.value),
                "is_unknown": answered.is_unknown,
                "error": answered.error or None,
            }
            for question, answered in sorted(outcome.answers.items(), key=lambda each: str(each[0]))
        ],
        "bindings": outcome.bindings,
    }


def error_json(error: CheckError | SandboxError | None) -> dict[str, Any] | None:
    """Return an error as JSON with the key `kind`, `message` and `hint` in English, or None."""
    if error is None:
        return None
    if isinstance(error, SandboxError):
        shown = {"message": str(error), "detail": error.detail}
        return {"kind": "no_sandbox", "line": None, "hint": None, **shown}
    return {
        "kind": error.fault.value,
        "line": error.line,
        "message": error.message,
        "hint": error.hint or None,
        "detail": error.detail or None,
    }


def value_json(value: Value) -> Any:
    """Return a value of condition code as JSON; times are ISO 8601 texts in local time."""
    if isinstance(value, datetime):
        return local_json(value)
    if isinstance(value, Mapping):
        return {key: value_json(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [value_json(each) for each in value]
    return value


def _trigger_json(trigger: Trigger) -> dict[str, Any]:
    match trigger:
        case Condition():
            return {
                "code": trigger.source,
                "function": trigger.function,
                "interval": trigger.interval,
                "hold": trigger.hold.total_seconds(),
            }
        case Moment():
            return {"at": local_json(trigger.at)}
        case Daily():
            return {
                "daily": trigger.at.isoformat(),
                "weekdays": [WEEKDAYS[day] for day in sorted(trigger.weekdays)],
            }


def local_json(at: datetime | None) -> str | None:
    """Return a time as ISO 8601 in the time zone of the home; None if `at` is None."""
    return None if at is None else dt_util.as_local(at).isoformat()


def routine_figures(routines: Routines) -> dict[str, Any]:
    """Return statistics about all routines, for the diagnostics.

    `sandbox` is "running", "failed" after an error, or None. If the file of the routines cannot
    be read, the dict has only the key `error`.
    """
    if routines.trouble is not None:
        return {"error": routines.trouble}
    there = routines.list_all()
    sandbox = routines.sandbox
    return {
        "unreadable": len(routines.unreadable),
        "count": len(there),
        "by_status": dict(Counter(each.status.value for each in there)),
        "by_trigger": dict(Counter(type(each.routine.trigger).__name__.lower() for each in there)),
        "owners": len({each.routine.owner for each in there}),
        "fired": sum(each.memo.fired for each in there),
        "failing_checks": sum(each.memo.failures > 0 for each in there),
        "repaired": sum(each.routine.is_repaired for each in there),
        "sandbox": "running" if sandbox.is_running else sandbox.error and "failed",
    }
