"""A call of an action about routines: the caller, and the routines they may use (DESIGN 8)."""

from dataclasses import dataclass
from typing import Any

from ...delivery.open_questions import questions_of
from ...run.service_caller import ActionRequest, refusal
from ..routines import Routines, Watched
from .permissions import Caller
from .routine_json import public_json, routine_json
from .switch_numbers import async_switch_of, routine_id_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineRequest:
    """A call of an action about routines."""

    request: ActionRequest
    caller: Caller

    @property
    def data(self) -> dict[str, Any]:
        """The validated fields of the call."""
        return self.request.data

    @property
    def routines(self) -> Routines:
        """The routines of all people; use only `own` and `reached` to get one."""
        return self.request.entry.runtime_data.routines

    def own(self) -> Watched:
        """Return the named routine of the caller; otherwise raises ServiceValidationError."""
        watched = self._named()
        if watched is None or not self.caller.owns(watched.routine):
            raise refusal("unknown_routine")
        return watched

    def reached(self) -> Watched:
        """Return the named routine if the caller may change it; otherwise raises."""
        watched = self._named()
        if watched is None or not self.caller.may_change(watched.routine):
            raise refusal("unknown_routine")
        return watched

    def told(self, watched: Watched) -> dict[str, Any]:
        """Return the routine as the caller may see it."""
        switch = async_switch_of(self.request.hass, self.request.entry, watched.routine)
        if self.caller.owns(watched.routine):
            return {**routine_json(watched, switch), "question": self._question(watched)}
        return public_json(watched, switch)

    def _question(self, watched: Watched) -> str | None:
        """Return the open question of the routine; None for none."""
        asked = (
            each.text
            for each in questions_of(self.request.hass).all
            if each.routine_id == watched.routine.id and not each.reply.done()
        )
        return next(asked, None)

    def _named(self) -> Watched | None:
        return self.routines.get(routine_id_of(self.request.hass, self.data["routine"]))
