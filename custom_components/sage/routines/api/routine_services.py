"""The Home Assistant actions for routines, such as `sage.pause_routine`, and their permissions.

- A person can read and change their own routines.
- Administrators can also read the routines of the household, and pause, resume and delete all
  routines.
- An automation, or another call without a user, can read and change the routines of the household.

Errors must contain no data of a routine, because Home Assistant logs them.
"""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

import probatio
from homeassistant.core import ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.util import dt as dt_util
from homeassistant.util.ulid import ulid_now

from ...delivery import questions_of
from ...run import ActionRequest, SageAction, refusal
from ...tools import written_time
from ..conditions import async_would_have_fired
from ..routine_types import (
    WEEKDAYS,
    Condition,
    Daily,
    Moment,
    Repeat,
    Routine,
    RoutineError,
    RoutineKind,
    Trigger,
    UncheckableError,
    Watched,
)
from ..sandbox.contract import Value
from ..sandbox.python_subset import LONGEST_SOURCE
from .public_routines import async_switch_of, routine_id_of
from .routine_json import local_json, public_json, routine_as_json, trial_json


def owns(request: ActionRequest, routine: Routine) -> bool:
    """Return whether the caller owns the routine."""
    return routine.owner == request.person.user_id


def may_read(request: ActionRequest, routine: Routine) -> bool:
    """Return whether the caller may read the routine's content."""
    return owns(request, routine) or (request.is_admin and routine.owner is None)


def may_change(request: ActionRequest, routine: Routine) -> bool:
    """Return whether the caller may pause, resume and delete the routine."""
    return request.is_admin or owns(request, routine)


def named(request: ActionRequest, is_allowed: Callable[[ActionRequest, Routine], bool]) -> Watched:
    """Return the routine in the call's field `routine`, if the caller is allowed to.

    `is_allowed`: `owns`, `may_read` or `may_change`. Raises ServiceValidationError.
    """
    watched = request.routines.get(routine_id_of(request.hass, request.data["routine"]))
    if watched is None or not is_allowed(request, watched.routine):
        raise refusal("unknown_routine")
    return watched


def as_json(request: ActionRequest, watched: Watched) -> dict[str, Any]:
    """Return a routine as JSON, with only the data that the caller may see."""
    switch = async_switch_of(request.hass, request.entry, watched.routine)
    if not may_read(request, watched.routine):
        return public_json(watched, switch)
    asked = (
        each.text
        for each in questions_of(request.hass)
        if each.routine_id == watched.routine.id and not each.reply.done()
    )
    return {**routine_as_json(watched, switch), "question": next(asked, None)}


async def _async_list(request: ActionRequest) -> ServiceResponse:
    own = request.routines.list(request.person.user_id)
    return {
        "routines": [as_json(request, each) for each in own],
        "unreadable": len(request.routines.unreadable),
    }


async def _async_delete(request: ActionRequest) -> ServiceResponse:
    watched = named(request, may_change)
    shown = as_json(request, watched)
    await request.routines.async_delete(watched.routine.id)
    return shown


async def _async_pause(request: ActionRequest) -> ServiceResponse:
    routine = named(request, may_change).routine
    until = request.data.get("until")
    if until is not None and until <= dt_util.utcnow():
        raise refusal("routine_past")
    return as_json(request, await request.routines.async_pause(routine.id, until))


async def _async_resume(request: ActionRequest) -> ServiceResponse:
    routine = named(request, may_change).routine
    return as_json(request, await request.routines.async_resume(routine.id))


_WAYS: Final = ("code", "at", "daily")
_FUNCTION: Final = re.compile(r"^def\s+(\w+)\s*\(\s*\)", re.MULTILINE)


async def _async_create(request: ActionRequest) -> ServiceResponse:
    """Create the caller's routine; return it as JSON. Raises ServiceValidationError."""
    data = request.data
    if sum(way in data for way in _WAYS) != 1:
        raise refusal("routine_one_way")
    agents = request.entry.runtime_data.agents
    if not agents:
        raise refusal("routine_no_agent")
    trigger = _trigger(data)
    if not isinstance(trigger, Condition):
        when = written_time(trigger)
    elif (when := data.get("when", "")) == "":
        raise refusal("routine_when")
    routine = _routine_of(
        request,
        trigger,
        agent_id=next(iter(agents)),
        request=f"{when}: {data['action']}",
        when=when,
        command=data["action"],
        kind=RoutineKind(data["kind"]),
        # The text of an automation may come from an untrusted source.
        tainted=not request.person.is_known,
    )
    try:
        return as_json(request, await request.routines.async_create(routine))
    except UncheckableError as err:
        raise refusal("routine_uncheckable") from err
    except RoutineError as err:
        if err.code is None:
            raise
        # Home Assistant logs the refusal and its cause. The text of the error may contain any value
        # that the code reads, so only `sage.test_routine` returns it.
        raise refusal("routine_code_refused") from None


async def _async_test(request: ActionRequest) -> ServiceResponse:
    """Test the Python code of a condition; return its result now and in the last 24 hours.

    The code is in the field `code`, or in the caller's own routine that the field `routine` names.
    Raises ServiceValidationError for invalid fields.
    """
    data = request.data
    if ("routine" in data) == ("code" in data):
        raise refusal("routine_or_code")
    state: Mapping[str, Value] = {}
    if "code" in data:
        routine = _routine_of(request, _condition(data))
    else:
        watched = named(request, owns)
        routine = watched.routine
        # Until the end condition is True, the state dict belongs to the code of that condition.
        state = {} if watched.memo.is_acting else watched.memo.state
    shown: dict[str, Any] = {"value": None, "error": None}
    if isinstance(routine.trigger, Condition):
        try:
            trial = await request.routines.evaluator.async_try(
                routine.trigger, routine.person, routine.bindings, state
            )
        except RoutineError as err:
            # Do not raise: Home Assistant logs errors of actions, and this one may contain names.
            shown["error"] = {"kind": "refused", "message": str(err)}
        else:
            shown = trial_json(trial)
    day = await async_would_have_fired(request.hass, request.routines.evaluator, routine)
    last_day: dict[str, Any] = {
        "since": local_json(day.since),
        "true": [[local_json(start), local_json(end)] for start, end in day.true],
        "would_have_fired": [local_json(each) for each in day.times],
    }
    if day.problem is not None:
        last_day = {"problem": day.problem.value}
    return {**shown, "last_24_hours": last_day}


def _routine_of(request: ActionRequest, trigger: Trigger, /, **fields: Any) -> Routine:
    """Return a routine of the caller, without words and an agent except for those in `fields`."""
    person = request.person
    words = {"agent_id": "", "request": "", "when": "", "command": ""}
    return Routine(
        id=ulid_now(),
        owner=person.user_id,
        known_by=person.known_by,
        language=request.hass.config.language,
        trigger=trigger,
        repeat=Repeat.ONCE if isinstance(trigger, Moment) else Repeat.ALWAYS,
        created_at=dt_util.utcnow(),
        **(words | fields),
    )


def _trigger(data: Mapping[str, Any]) -> Trigger:
    if "code" in data:
        return _condition(data)
    if "at" in data:
        if data["at"] <= dt_util.utcnow():
            raise refusal("routine_past")
        return Moment(at=data["at"])
    days = data.get("weekdays") or WEEKDAYS
    return Daily(at=data["daily"], weekdays=frozenset(map(WEEKDAYS.index, days)))


def _condition(data: Mapping[str, Any]) -> Condition:
    functions: list[str] = _FUNCTION.findall(data["code"])
    if not functions:
        raise refusal("routine_no_function")
    return Condition(
        function=functions[-1], source=data["code"], hold=data.get("hold", timedelta(0))
    )


def _time(value: Any) -> Any:
    return dt_util.as_utc(cv.datetime(value))


LONGEST_WORDS: Final = 1_000  # maximum length of a text field in characters
_LONGEST_HOLD: Final = timedelta(days=31)

ID: Final = probatio.All(cv.string, str.strip, probatio.Length(min=1, max=255))
_WORDS: Final = probatio.All(cv.string, str.strip, probatio.Length(min=1, max=LONGEST_WORDS))
_CODE: Final = probatio.All(cv.string, probatio.Length(min=1, max=LONGEST_SOURCE))
ROUTINE: Final = {probatio.Required("routine"): ID}

ROUTINE_SERVICES: Final[Mapping[str, SageAction]] = {
    "create_routine": SageAction(
        handle=_async_create,
        fields={
            probatio.Required("action"): _WORDS,
            probatio.Optional("kind", default=RoutineKind.DO.value): probatio.In(
                [each.value for each in RoutineKind]
            ),
            probatio.Optional("when"): _WORDS,
            probatio.Optional("code"): _CODE,
            probatio.Optional("hold"): probatio.All(
                cv.positive_time_period, probatio.Range(max=_LONGEST_HOLD)
            ),
            probatio.Optional("at"): _time,
            probatio.Optional("daily"): cv.time,
            probatio.Optional("weekdays"): probatio.All(
                cv.ensure_list, probatio.Length(min=1), [probatio.In(WEEKDAYS)]
            ),
        },
    ),
    "test_routine": SageAction(
        handle=_async_test,
        fields={probatio.Optional("routine"): ID, probatio.Optional("code"): _CODE},
        response=SupportsResponse.ONLY,
    ),
    "list_routines": SageAction(handle=_async_list, response=SupportsResponse.ONLY),
    "delete_routine": SageAction(handle=_async_delete, fields=ROUTINE),
    "pause_routine": SageAction(
        handle=_async_pause, fields={**ROUTINE, probatio.Optional("until"): _time}
    ),
    "resume_routine": SageAction(handle=_async_resume, fields=ROUTINE),
}
