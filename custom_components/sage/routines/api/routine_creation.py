"""Handlers of the actions `sage.create_routine` and `sage.test_routine`.

They do not use the language model.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.core import ServiceResponse
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from ...run.service_caller import refusal
from ...tools.routines.routine_timing import written_time
from ..conditions.condition_functions import ConditionFunctions
from ..conditions.dry_run import async_would_have_fired
from ..conditions.replay import ReplayProblem
from ..firing_limits import MOST_PER_PERSON
from ..interfaces import ConditionOwner
from ..routine_types import (
    DEFAULT_INTERVAL,
    WEEKDAYS,
    Condition,
    Daily,
    Moment,
    Repeat,
    Routine,
    RoutineError,
    RoutineKind,
    RoutineStoreError,
    Status,
    Trigger,
    UncheckableError,
    Watched,
)
from ..sandbox.sandbox_types import CheckError, Value
from .permissions import RoutineRequest
from .routine_json import local_json, trial_json

_WAYS: Final = ("code", "at", "daily", "in_minutes")
_ONLY_WITH_CODE: Final = ("function", "interval", "hold", "undo_after")
_FUNCTION: Final = re.compile(r"^def\s+(\w+)\s*\(\s*\)", re.MULTILINE)


async def async_create(request: RoutineRequest) -> ServiceResponse:
    """Create a routine for the caller; return it as JSON.

    Raises ServiceValidationError for invalid data, or if the Python code of the condition fails.
    """
    data = request.data
    given = [way for way in _WAYS if way in data]
    if len(given) != 1:
        raise refusal("routine_one_way")
    if given != ["code"] and any(key in data for key in _ONLY_WITH_CODE):
        raise refusal("routine_only_with_code")
    if "weekdays" in data and given != ["daily"]:
        raise refusal("routine_weekdays")
    routine = _routine(request, _trigger(request, given[0]))
    if not isinstance(routine.trigger, Condition):
        return request.as_json(await request.routines.async_create(routine))
    await _async_check_code(request, routine.trigger)
    return request.as_json(await _async_made(request, routine, routine.trigger))


async def async_test(request: RoutineRequest) -> ServiceResponse:
    """Test the Python code of a condition; return its result now and in the last 24 hours.

    The code is in the field `code`, or in the caller's own routine that the field `routine` names.
    Raises ServiceValidationError for invalid fields.
    """
    data = request.data
    if ("routine" in data) == ("code" in data) or ("function" in data and "code" not in data):
        raise refusal("routine_or_code")
    if "code" in data:
        condition = Condition(function=function_of(data), source=data["code"])
        return await _async_tried(request, _probe(request, condition), {})
    watched = request.own()
    # Until the end condition is True, the state dict belongs to the code of that condition.
    state = {} if watched.memo.is_acting else watched.memo.state
    return await _async_tried(request, watched.routine, state)


def _probe(request: RoutineRequest, condition: Condition) -> Routine:
    """Return a routine of the caller for a test run; it is never stored."""
    person = request.caller.person
    return Routine(
        id=ulid_now(),
        owner=person.user_id,
        known_by=person.known_by,
        agent_id="",
        language=request.request.hass.config.language,
        request="",
        when="",
        command="",
        trigger=condition,
        repeat=Repeat.ALWAYS,
        created_at=dt_util.utcnow(),
    )


async def _async_tried(
    request: RoutineRequest, routine: Routine, state: Mapping[str, Value]
) -> dict[str, Any]:
    shown: dict[str, Any] = {"value": None, "error": None}
    condition = routine.trigger
    if isinstance(condition, Condition):
        owner = ConditionOwner.of(routine)
        try:
            trial = await request.routines.async_try(condition, owner, state)
        except RoutineError as err:
            # Do not raise: Home Assistant logs errors of actions, and this one may contain names.
            shown["error"] = {"kind": "refused", "message": str(err)}
        else:
            shown = trial_json(trial)
    return {**shown, "last_24_hours": await _async_last_day(request, routine)}


async def _async_last_day(request: RoutineRequest, routine: Routine) -> dict[str, Any]:
    """Return the result of a dry run over the last 24 hours as JSON.

    The JSON has the periods in which the code was true, and the times at which the routine would
    have fired. If the dry run is impossible, the JSON has only its
    `ReplayProblem`.
    """
    functions = request.routines.answers
    if not isinstance(routine.trigger, Condition):
        problem = ReplayProblem.NO_CONDITION
    elif not isinstance(functions, ConditionFunctions):
        problem = ReplayProblem.NO_SANDBOX
    else:
        dry_run = await async_would_have_fired(
            request.request.hass, functions, request.routines.sandbox, routine
        )
        if dry_run.problem is None:
            return {
                "since": local_json(dry_run.since),
                "true": [[local_json(start), local_json(end)] for start, end in dry_run.true],
                "would_have_fired": [local_json(each) for each in dry_run.times],
            }
        problem = dry_run.problem
    return {"problem": problem.value}


async def _async_check_code(request: RoutineRequest, condition: Condition) -> None:
    """Raise ServiceValidationError unless the condition code runs with the caller's permissions.

    Home Assistant logs the exception. So it does not contain the error text of the code, which may
    contain any value that the code reads. `sage.test_routine` returns the error text.
    """
    owner = ConditionOwner(person=request.caller.person)
    try:
        trial = await request.routines.async_try(condition, owner)
    except UncheckableError as err:
        raise refusal("routine_uncheckable") from err
    except RoutineError as err:
        raise refusal("routine_code_refused") from err
    if (error := trial.outcome.error) is not None:
        raise _faulty(error)


async def _async_made(request: RoutineRequest, routine: Routine, condition: Condition) -> Watched:
    """Create a routine after `_async_check_code`; its condition code runs again and may fail.

    Raises ServiceValidationError. Like in `_async_check_code`, the exception does not contain the
    error text of the code.
    """
    own = request.routines.list(routine.owner)
    is_full = sum(each.routine.status is not Status.ENDED for each in own) >= MOST_PER_PERSON
    first = routine.created_at + condition.hold
    is_over = routine.expires is not None and routine.expires <= first
    try:
        return await request.routines.async_create(routine)
    except RoutineStoreError:
        raise
    except RoutineError:
        if is_full or is_over:
            raise
        # Suppress the cause: Home Assistant may log it.
        raise refusal("routine_code_fails_again") from None


def _faulty(error: CheckError) -> Exception:
    if error.line is None:
        return refusal("routine_code_fails", kind=error.fault.value)
    return refusal("routine_code_fails_at", kind=error.fault.value, line=str(error.line))


def _routine(request: RoutineRequest, trigger: Trigger) -> Routine:
    data, person = request.data, request.caller.person
    agents = request.request.entry.runtime_data.agents
    if not agents:
        raise refusal("routine_no_agent")
    when = _when(data, trigger)
    repeat = Repeat.ONCE if isinstance(trigger, Moment) else Repeat(data["repeat"])
    return Routine(
        id=ulid_now(),
        owner=person.user_id,
        known_by=person.known_by,
        agent_id=next(iter(agents)),
        language=request.request.hass.config.language,
        request=f"{when}: {data['action']}",
        when=when,
        command=data["action"],
        trigger=trigger,
        repeat=repeat,
        created_at=dt_util.utcnow(),
        kind=RoutineKind(data["kind"]),
        notify=data.get("notify", False),
        undo_after=data.get("undo_after", False),
        expires=data.get("until"),
        # The text of an automation may come from an untrusted source.
        tainted=not person.is_known,
    )


def _trigger(request: RoutineRequest, way: str) -> Trigger:
    data = request.data
    match way:
        case "code":
            return Condition(
                function=function_of(data),
                source=data["code"],
                interval=data.get("interval", DEFAULT_INTERVAL),
                hold=data.get("hold", timedelta(0)),
            )
        case "at":
            return Moment(at=_ahead(data["at"]))
        case "daily":
            days = data.get("weekdays") or WEEKDAYS
            return Daily(at=data["daily"], weekdays=frozenset(map(WEEKDAYS.index, days)))
    return Moment(at=dt_util.utcnow() + timedelta(minutes=data["in_minutes"]))


def _ahead(at: datetime) -> datetime:
    if at <= dt_util.utcnow():
        raise refusal("routine_past")
    return at


def function_of(data: Mapping[str, Any]) -> str:
    """Return the name of the entry function of condition code.

    This is the field `function` in `data`, or else the last function without parameters in the
    field `code`. Raises ServiceValidationError if there is none.
    """
    if named := data.get("function"):
        return str(named)
    found: list[str] = _FUNCTION.findall(data["code"])
    if not found:
        raise refusal("routine_no_function")
    return found[-1]


def _when(data: dict[str, Any], trigger: Trigger) -> str:
    if given := data.get("when"):
        return str(given)
    if isinstance(trigger, Condition):
        raise refusal("routine_when")
    return written_time(trigger)
