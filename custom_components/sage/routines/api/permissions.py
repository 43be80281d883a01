"""Permissions for routines: who may read and change which routine.

A routine is a command that SAGE stores and executes later.

- A person can read and change their own routines.
- Administrators can also read the routines of the household, and pause, resume and delete all
  routines.
- An automation, or another call without a user, can read and change the routines of the household.
- With the switch of a routine, an automation can pause every routine, and resume every paused one.
  It cannot resume a routine that SAGE stopped, for example because it fired too often.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from homeassistant.core import HomeAssistant

from ...delivery.routine_questions import questions_of
from ...people.identity import async_user
from ...people.person import Person
from ...run.service_caller import ActionRequest, refusal
from ..routine_types import Routine, Status, Watched
from ..routines import Routines
from .public_routines import async_switch_of, routine_id_of
from .routine_json import public_json, routine_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of a Home Assistant action, or the user of a routine's switch."""

    person: Person
    is_admin: bool

    def owns(self, routine: Routine) -> bool:
        """Return whether the caller owns the routine.

        A call without a user, such as from an automation, owns the routines of the household.
        """
        return routine.owner == self.person.user_id

    def may_read(self, routine: Routine) -> bool:
        """Return whether the caller may read the routine's content.

        True for the owner, and for an administrator if the household owns the routine.
        """
        return self.owns(routine) or (self.is_admin and routine.owner is None)

    def may_change(self, routine: Routine) -> bool:
        """Return whether the caller may pause, resume and delete the routine."""
        return self.is_admin or self.owns(routine)


async def async_caller(hass: HomeAssistant, user_id: str | None) -> Caller:
    """Return the caller with this user id; the household if there is no such active user.

    `user_id` is None for calls of automations.
    """
    person = await async_user(hass, user_id)
    if person.user_id is None:
        return Caller(person=person, is_admin=False)
    user = await hass.auth.async_get_user(person.user_id)
    return Caller(person=person, is_admin=user is not None and user.is_admin)


def check_switching_off(caller: Caller, routine: Routine) -> None:
    """Raise ServiceValidationError unless the caller may pause the routine with its switch.

    Automations may pause every routine.
    """
    if caller.person.is_known and not caller.may_change(routine):
        raise refusal("routine_of_others")


def check_switching_on(caller: Caller, routine: Routine) -> None:
    """Raise ServiceValidationError unless the caller may resume the routine with its switch.

    Automations may resume every routine that was paused, but no routine that SAGE stopped.
    """
    if caller.person.is_known:
        if not caller.may_change(routine):
            raise refusal("routine_of_others")
    elif routine.status not in (Status.PAUSED, Status.WATCHING):
        raise refusal("routine_needs_person")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineRequest:
    """A call of an action such as `sage.pause_routine`, with its caller."""

    request: ActionRequest
    caller: Caller

    @property
    def data(self) -> dict[str, Any]:
        """The validated fields of the call."""
        return self.request.data

    @property
    def routines(self) -> Routines:
        """Access to all routines, without permission checks.

        The methods `own`, `reached` and `readable` check permissions.
        """
        return self.request.entry.runtime_data.routines

    def own(self) -> Watched:
        """Return the routine in the call's field `routine`, if the caller owns it.

        Otherwise raises ServiceValidationError, as do `reached` and `readable`.
        """
        return self._named(self.caller.owns)

    def reached(self) -> Watched:
        """Return the routine in the call's field `routine`, if the caller may change it."""
        return self._named(self.caller.may_change)

    def readable(self) -> Watched:
        """Return the routine in the call's field `routine`, if the caller may read its content."""
        return self._named(self.caller.may_read)

    def as_json(self, watched: Watched) -> dict[str, Any]:
        """Return a routine as JSON, with only the data that the caller may see."""
        switch = async_switch_of(self.request.hass, self.request.entry, watched.routine)
        if self.caller.may_read(watched.routine):
            return {**routine_json(watched, switch), "question": self._question(watched)}
        return public_json(watched, switch)

    def _question(self, watched: Watched) -> str | None:
        """Return the open question of the routine; None if there is none."""
        asked = (
            each.text
            for each in questions_of(self.request.hass).all
            if each.routine_id == watched.routine.id and not each.reply.done()
        )
        return next(asked, None)

    def _named(self, is_allowed: Callable[[Routine], bool]) -> Watched:
        watched = self.routines.get(routine_id_of(self.request.hass, self.data["routine"]))
        if watched is None or not is_allowed(watched.routine):
            raise refusal("unknown_routine")
        return watched
