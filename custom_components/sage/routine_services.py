"""The actions of SAGE about routines, each for whoever calls (DESIGN 8).

A caller reaches their own routines; an automation, which has no user, those of the household.
An administrator can pause, resume and delete the routines of others, and can read none of
them. Errors hold nothing of a routine, since Home Assistant logs them; what is wrong with
code is in responses only.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import probatio
from homeassistant.core import HomeAssistant, ServiceResponse, SupportsResponse, callback
from homeassistant.helpers import config_validation as cv
from homeassistant.util import dt as dt_util

from .const import DOMAIN
from .routine_authority import Caller, async_caller, check_resuming
from .routine_json import public_json, routine_json
from .routine_switches import async_switch_of, routine_id_of
from .routines.model import RoutineError
from .routines.routines import Routines, Watched
from .service_caller import Request, refusal, serving


@dataclass(frozen=True, slots=True, kw_only=True)
class _RoutineRequest:
    """A call of an action about routines by somebody."""

    request: Request
    caller: Caller

    @property
    def data(self) -> dict[str, Any]:
        """The checked fields of the call."""
        return self.request.data

    @property
    def routines(self) -> Routines:
        """The routines of all people; to be reached by `own` and `reached` only."""
        return self.request.entry.runtime_data.routines

    def own(self) -> Watched:
        """Return the routine that is named; raises ServiceValidationError for others' ones."""
        watched = self._named()
        if watched is None or not self.caller.owns(watched.routine):
            raise refusal("unknown_routine")
        return watched

    def reached(self) -> Watched:
        """Return the routine that is named, if the caller may change it; else raises."""
        watched = self._named()
        if watched is None or not self.caller.may_change(watched.routine):
            raise refusal("unknown_routine")
        return watched

    def told(self, watched: Watched) -> dict[str, Any]:
        """Return the routine as the caller may see it."""
        switch = async_switch_of(self.request.hass, self.request.entry, watched.routine.id)
        if self.caller.owns(watched.routine):
            return routine_json(watched, switch)
        return public_json(watched, switch)

    def _named(self) -> Watched | None:
        return self.routines.get(routine_id_of(self.request.hass, self.data["routine"]))


type _Handler = Callable[[_RoutineRequest], Awaitable[ServiceResponse]]


@callback
def async_register_routine_services(hass: HomeAssistant) -> None:
    """Register the actions; they say so when SAGE is not loaded."""
    for name, service in ROUTINE_SERVICES.items():
        hass.services.async_register(
            DOMAIN,
            name,
            serving(_handling(service.handle)),
            schema=probatio.Schema(dict(service.fields)),
            supports_response=service.response,
        )


def _handling(handle: _Handler) -> Callable[[Request], Awaitable[ServiceResponse]]:
    async def async_handle(request: Request) -> ServiceResponse:
        caller = await async_caller(request.hass, request.call.context.user_id)
        try:
            return await handle(_RoutineRequest(request=request, caller=caller))
        except RoutineError as err:
            raise refusal("routine_refused", error=str(err)) from err

    return async_handle


async def _async_list(request: _RoutineRequest) -> ServiceResponse:
    own = request.routines.list(request.caller.person.user_id)
    return {"routines": [request.told(each) for each in own]}


async def _async_delete(request: _RoutineRequest) -> ServiceResponse:
    watched = request.reached()
    told = request.told(watched)
    await request.routines.async_delete(watched.routine.id)
    return told


async def _async_pause(request: _RoutineRequest) -> ServiceResponse:
    routine = request.reached().routine
    until = request.data.get("until")
    if until is not None and until <= dt_util.utcnow():
        raise refusal("routine_past")
    return request.told(await request.routines.async_pause(routine.id, until))


async def _async_resume(request: _RoutineRequest) -> ServiceResponse:
    routine = request.reached().routine
    check_resuming(request.caller, routine)
    return request.told(await request.routines.async_resume(routine.id))


def _time(value: Any) -> Any:
    """Return a point in time in UTC; one without a zone is by the clocks of the home."""
    return dt_util.as_utc(cv.datetime(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Service:
    """An action: what it does, what it takes and whether it answers."""

    handle: _Handler
    fields: Mapping[Any, Any]
    response: SupportsResponse


_ROUTINE: Final = {probatio.Required("routine"): probatio.All(cv.string, str.strip)}

ROUTINE_SERVICES: Final[Mapping[str, _Service]] = {
    "list_routines": _Service(handle=_async_list, fields={}, response=SupportsResponse.ONLY),
    "delete_routine": _Service(
        handle=_async_delete, fields=_ROUTINE, response=SupportsResponse.OPTIONAL
    ),
    "pause_routine": _Service(
        handle=_async_pause,
        fields={**_ROUTINE, probatio.Optional("until"): _time},
        response=SupportsResponse.OPTIONAL,
    ),
    "resume_routine": _Service(
        handle=_async_resume, fields=_ROUTINE, response=SupportsResponse.OPTIONAL
    ),
}
