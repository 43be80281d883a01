"""The Home Assistant actions for routines, such as `sage.pause_routine`.

`permissions.py` checks what a caller can access. Errors must contain no data of a routine, because
Home Assistant logs them.
"""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any, Final

import probatio
from homeassistant.core import ServiceResponse, SupportsResponse
from homeassistant.helpers import config_validation as cv
from homeassistant.util import dt as dt_util

from ...run.service_caller import ActionRequest, SageAction, refusal
from ..routine_types import SHORTEST_INTERVAL, WEEKDAYS, Repeat, RoutineError, RoutineKind
from ..sandbox.contract import LONGEST_SOURCE
from .permissions import RoutineRequest, async_caller
from .routine_creation import async_create, async_test


def routine_action(
    handle: Callable[[RoutineRequest], Awaitable[ServiceResponse]],
    fields: Mapping[Any, Any],
    response: SupportsResponse = SupportsResponse.OPTIONAL,
) -> SageAction:
    """Return a Home Assistant action that calls `handle` with the call and its caller.

    `fields`: the schema of the call's data. Converts RoutineError to ServiceValidationError.
    """

    async def async_handle(request: ActionRequest) -> ServiceResponse:
        caller = await async_caller(request.hass, request.call.context.user_id)
        try:
            return await handle(RoutineRequest(request=request, caller=caller))
        except RoutineError as err:
            raise refusal("routine_refused", error=str(err)) from err

    return SageAction(handle=async_handle, fields=fields, response=response)


async def _async_list(request: RoutineRequest) -> ServiceResponse:
    own = request.routines.list(request.caller.person.user_id)
    return {
        "routines": [request.as_json(each) for each in own],
        "unreadable": len(request.routines.unreadable),
    }


async def _async_delete(request: RoutineRequest) -> ServiceResponse:
    watched = request.reached()
    shown = request.as_json(watched)
    await request.routines.async_delete(watched.routine.id)
    return shown


async def _async_pause(request: RoutineRequest) -> ServiceResponse:
    routine = request.reached().routine
    until = request.data.get("until")
    if until is not None and until <= dt_util.utcnow():
        raise refusal("routine_past")
    return request.as_json(await request.routines.async_pause(routine.id, until))


async def _async_resume(request: RoutineRequest) -> ServiceResponse:
    routine = request.reached().routine
    return request.as_json(await request.routines.async_resume(routine.id))


def _time(value: Any) -> Any:
    """Return a datetime in UTC; a value without a time zone is local time."""
    return dt_util.as_utc(cv.datetime(value))


LONGEST_WORDS: Final = 1_000
"""Maximum length of a text field in characters."""

_LONGEST_MINUTES: Final = 366 * 24 * 60
_LONGEST_INTERVAL: Final = 24 * 60 * 60
_LONGEST_HOLD: Final = timedelta(days=31)

ID: Final = probatio.All(cv.string, str.strip, probatio.Length(min=1, max=255))
_WORDS: Final = probatio.All(cv.string, str.strip, probatio.Length(min=1, max=LONGEST_WORDS))
CODE: Final = probatio.All(cv.string, probatio.Length(min=1, max=LONGEST_SOURCE))
NAME: Final = probatio.All(cv.string, str.strip, probatio.Match(r"^[^\W\d]\w{0,99}$"))
ROUTINE: Final = {probatio.Required("routine"): ID}

ROUTINE_SERVICES: Final[Mapping[str, SageAction]] = {
    "create_routine": routine_action(
        async_create,
        {
            probatio.Required("action"): _WORDS,
            probatio.Optional("kind", default=RoutineKind.DO.value): probatio.In(
                [each.value for each in RoutineKind]
            ),
            probatio.Optional("notify"): cv.boolean,
            probatio.Optional("when"): _WORDS,
            probatio.Optional("code"): CODE,
            probatio.Optional("function"): NAME,
            probatio.Optional("interval"): probatio.All(
                probatio.Coerce(float),
                probatio.Range(min=SHORTEST_INTERVAL, max=_LONGEST_INTERVAL),
            ),
            probatio.Optional("hold"): probatio.All(
                cv.positive_time_period, probatio.Range(max=_LONGEST_HOLD)
            ),
            probatio.Optional("undo_after"): cv.boolean,
            probatio.Optional("at"): _time,
            probatio.Optional("daily"): cv.time,
            probatio.Optional("weekdays"): probatio.All(
                cv.ensure_list, probatio.Length(min=1), [probatio.In(WEEKDAYS)]
            ),
            probatio.Optional("in_minutes"): probatio.All(
                probatio.Coerce(float), probatio.Range(min=0.1, max=_LONGEST_MINUTES)
            ),
            probatio.Optional("repeat", default=Repeat.ALWAYS.value): probatio.In(
                [each.value for each in Repeat]
            ),
            probatio.Optional("until"): _time,
        },
    ),
    "test_routine": routine_action(
        async_test,
        {
            probatio.Optional("routine"): ID,
            probatio.Optional("code"): CODE,
            probatio.Optional("function"): NAME,
        },
        SupportsResponse.ONLY,
    ),
    "list_routines": routine_action(_async_list, {}, SupportsResponse.ONLY),
    "delete_routine": routine_action(_async_delete, ROUTINE),
    "pause_routine": routine_action(_async_pause, {**ROUTINE, probatio.Optional("until"): _time}),
    "resume_routine": routine_action(_async_resume, ROUTINE),
}
