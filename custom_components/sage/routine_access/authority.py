"""Who may do what with whose routine (DESIGN 8 and 10).

A routine acts and speaks for its person. So it is theirs to read and to change. An
administrator may pause, resume and delete it, and can read nothing of it.

An automation has no user. To the actions of SAGE it is the household, and reaches the
routines of the household. By a switch it may pause any routine, and resume what is merely
paused: somebody who may write automations chose that, as "pause all while we are away".
What stopped by itself, because it fails or fires too often, needs a person to resume it.
"""

from dataclasses import dataclass

from homeassistant.core import HomeAssistant

from ..people.identity import async_user
from ..people.person import Person
from ..routines.model import Routine, Status
from ..service_caller import refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Somebody who wants something of a routine."""

    person: Person
    is_admin: bool

    def owns(self, routine: Routine) -> bool:
        """Tell whether the routine is theirs; that of the household, where nobody is known."""
        return routine.owner == self.person.user_id

    def may_change(self, routine: Routine) -> bool:
        """Tell whether they may pause, resume and delete it."""
        return self.is_admin or self.owns(routine)


async def async_caller(hass: HomeAssistant, user_id: str | None) -> Caller:
    """Return who calls; an automation, whose calls have no user, is the household."""
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
    """Raise ServiceValidationError where nobody is left to act for."""
    if routine.status is Status.OWNER_GONE and not caller.owns(routine):
        raise refusal("routine_owner_gone")
