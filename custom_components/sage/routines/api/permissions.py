"""Permissions for routines (DESIGN 8 and 10).

A routine acts and speaks for its person, so they can read and change it. Administrators may
pause, resume and delete it, but cannot read it.

An automation has no user. For the actions of SAGE it counts as the household and reaches the
routines of the household. With switches it may pause any routine and resume paused ones, because
the author of the automation chose that ("pause all while we are away"). A routine that stopped
by itself, because it fails or fires too often, has to be resumed by a person.
"""

from dataclasses import dataclass

from homeassistant.core import HomeAssistant

from ...people.identity import async_user
from ...people.person import Person
from ...run.service_caller import refusal
from ..routine_types import Routine, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of an action or a switch."""

    person: Person
    is_admin: bool

    def owns(self, routine: Routine) -> bool:
        """Return whether the routine belongs to them; an unknown caller is the household."""
        return routine.owner == self.person.user_id

    def may_change(self, routine: Routine) -> bool:
        """Return whether they may pause, resume and delete it."""
        return self.is_admin or self.owns(routine)


async def async_caller(hass: HomeAssistant, user_id: str | None) -> Caller:
    """Return the caller; an automation, which has no user, is the household."""
    person = await async_user(hass, user_id)
    if person.user_id is None:
        return Caller(person=person, is_admin=False)
    user = await hass.auth.async_get_user(person.user_id)
    return Caller(person=person, is_admin=user is not None and user.is_admin)


def check_switching_off(caller: Caller, routine: Routine) -> None:
    """Raise ServiceValidationError unless the caller may pause the routine by its switch."""
    if caller.person.is_known and not caller.may_change(routine):
        raise refusal("routine_of_others")


def check_switching_on(caller: Caller, routine: Routine) -> None:
    """Raise ServiceValidationError unless the caller may resume the routine by its switch."""
    if caller.person.is_known:
        if not caller.may_change(routine):
            raise refusal("routine_of_others")
    elif routine.status not in (Status.PAUSED, Status.WATCHING):
        raise refusal("routine_needs_person")
    check_resuming(caller, routine)


def check_resuming(caller: Caller, routine: Routine) -> None:
    """Raise ServiceValidationError if the owner of the routine is not a user."""
    if routine.status is Status.OWNER_GONE and not caller.owns(routine):
        raise refusal("routine_owner_gone")
