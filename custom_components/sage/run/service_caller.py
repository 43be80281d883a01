"""Registers SAGE's actions (services), finds the calling person, and translates errors."""

import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import probatio
from homeassistant.auth.models import User
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers.service import async_register_admin_service

from ..const import DOMAIN
from ..memory import LongTermMemory, MemoryStoreError
from ..people import HOUSEHOLD, Person, async_user
from ..photos import PhotoError, RefusedPictureError
from ..routines import RoutineError, Routines
from .runtime import SageConfigEntry

HOUSEHOLD_NAME: Final = "household"  # value of an action's field `user` that means the household
_PERSON: Final = re.compile(r"person\.\w+")
_USER_OF_PERSON: Final = "user_id"  # attribute of a person entity that contains the user id


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest:
    """A call of a SAGE action, with the calling person."""

    hass: HomeAssistant
    entry: SageConfigEntry
    call: ServiceCall
    person: Person  # the calling person; HOUSEHOLD for a call without a user
    is_admin: bool  # whether the caller is an administrator

    @property
    def data(self) -> dict[str, Any]:
        """The validated fields of the call."""
        return self.call.data

    @property
    def memory(self) -> LongTermMemory:
        """The long-term memory of all people; actions must read only the memories of `person`."""
        return self.entry.runtime_data.memory

    @property
    def routines(self) -> Routines:
        """The routines of all people; actions must check what `person` may read and change."""
        return self.entry.runtime_data.routines

    async def async_whose(self, named: str | None) -> Person:
        """Return the person that an action is about; the caller if `named` is None.

        `named`: a user id, a person entity or `household`. Raises ServiceValidationError for an
        unknown user, or if the caller names another person and is no administrator.
        """
        if named is None:
            return self.person
        user = await self.async_named_user(named)
        if user is not None and user.id == self.person.user_id:
            return self.person
        if named == HOUSEHOLD_NAME and not self.person.is_known:
            return self.person
        if not self.is_admin:
            raise refusal("not_admin")
        if named == HOUSEHOLD_NAME:
            return HOUSEHOLD
        if user is None:
            raise refusal("unknown_user")
        # Deactivated and system users are allowed, so that their memories can be deleted.
        return Person(user_id=user.id, name="")

    async def async_named_user(self, named: str) -> User | None:
        """Return the user with this id, or of this person entity; None without one."""
        if not _PERSON.fullmatch(named):
            return await self.hass.auth.async_get_user(named)
        state = self.hass.states.get(named)
        user_id = state.attributes.get(_USER_OF_PERSON) if state is not None else None
        return await self.hass.auth.async_get_user(user_id) if user_id else None


type Handler = Callable[[ActionRequest], Awaitable[ServiceResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SageAction:
    """The definition of a SAGE action: handler, fields and response."""

    handle: Handler
    fields: Mapping[Any, Any] = field(default_factory=dict)
    response: SupportsResponse = SupportsResponse.OPTIONAL
    needs_admin: bool = False  # whether only administrators and automations may call the action


@callback
def async_register_actions(hass: HomeAssistant, actions: Mapping[str, SageAction]) -> None:
    """Register SAGE's actions: name -> definition. They fail while SAGE is not loaded."""
    for name, action in actions.items():
        register = (
            partial(async_register_admin_service, hass)
            if action.needs_admin
            else hass.services.async_register
        )
        register(
            DOMAIN,
            name,
            async_serving(action.handle),
            schema=probatio.Schema(dict(action.fields)),
            supports_response=action.response,
        )


def async_serving(handle: Handler) -> Callable[[ServiceCall], Coroutine[Any, Any, ServiceResponse]]:
    """Return a Home Assistant action handler that calls `handle` with an `ActionRequest`.

    The handler raises a translated HomeAssistantError if SAGE is not loaded, and for errors of the
    memory, of routines and of photos.
    """

    async def async_serve(call: ServiceCall) -> ServiceResponse:
        entries: list[SageConfigEntry] = call.hass.config_entries.async_loaded_entries(DOMAIN)
        if not entries:
            raise refusal("not_loaded")
        person = await async_user(call.hass, call.context.user_id)
        user = await call.hass.auth.async_get_user(person.user_id or "")
        is_admin = user is not None and user.is_admin
        request = ActionRequest(
            hass=call.hass, entry=entries[0], call=call, person=person, is_admin=is_admin
        )
        try:
            return await handle(request)
        except MemoryStoreError as err:
            raise _service_error(err) from err
        except RoutineError as err:
            raise refusal("routine_refused", error=str(err)) from err
        except RefusedPictureError as err:
            raise refusal(err.key) from err
        except PhotoError as err:
            raise failure("photo_not_stored", error=str(err)) from err

    return async_serve


def refusal(key: str, **placeholders: str) -> ServiceValidationError:
    """Return an exception for an error of the caller; `key` is its translation key."""
    return ServiceValidationError(
        translation_domain=DOMAIN, translation_key=key, translation_placeholders=placeholders
    )


def failure(key: str, **placeholders: str) -> HomeAssistantError:
    """Return an exception for a failure of SAGE; `key` is its translation key."""
    return HomeAssistantError(
        translation_domain=DOMAIN, translation_key=key, translation_placeholders=placeholders
    )


def _service_error(err: MemoryStoreError) -> HomeAssistantError:
    if err.key is not None:
        return refusal(err.key, error=str(err))
    if err.fault is None:
        return refusal("not_loaded")
    return failure(f"memory_{err.fault}", error=str(err))
