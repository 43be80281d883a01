"""Memories and routines (stored commands) of people whose Home Assistant user no longer exists.

- SAGE deactivates the data; a repair issue lets an administrator transfer or delete it.
- SAGE reactivates the data if the user exists again.
- SAGE deletes the data 30 days after it observed the removal of the user.
"""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.util import dt as dt_util

from ..const import DOMAIN
from ..memory.long_term_memory import LongTermMemory
from ..memory.memory_errors import MemoryStoreError
from ..people.person import Person
from ..routines.routine_types import RoutineError
from ..routines.routines import Routines
from ..storage.small_store import SmallStore

_LOGGER = logging.getLogger(__name__)

GRACE: Final = timedelta(days=30)
"""Time between the removal of a user and the deletion of the user's data."""

STORAGE_KEY: Final = "sage.owners"
"""Key of the file with users' names and removal times, in the folder `.storage`."""

OWNER_ID: Final = "owner_id"
"""Key of the user id in the data of a repair issue."""

_PREFIX: Final = "owner_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """What SAGE stores about a user: name and time of removal."""

    name: str = ""
    """Display name; empty if unknown."""

    removed_at: datetime | None = None
    """Time of the removal in UTC; None if SAGE observed no removal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsentOwner:
    """An owner of memories or routines whose Home Assistant user no longer exists."""

    user_id: str
    name: str
    """Name of the person; if unknown, the first characters of the user id."""

    purged_on: date | None
    """Local date of the automatic deletion of the data; None if no deletion is planned."""

    routines: int
    """Number of the person's routines."""


class AbsentOwners:
    """Manages the data of people whose Home Assistant user no longer exists.

    The data are memories and routines (stored commands). They are deactivated, and later
    reactivated, transferred to another person or deleted.
    """

    def __init__(self, hass: HomeAssistant, memory: LongTermMemory, routines: Routines) -> None:
        """Create the object without reading the file of removed users; call `async_load` next."""
        self._hass = hass
        self._memory = memory
        self._routines = routines
        self._store = SmallStore(hass, 1, STORAGE_KEY, private=True, atomic_writes=True)
        self._owners: dict[str, Owner] = {}
        self._stored: dict[str, Owner] = {}
        self._absent: set[str] = set()
        self._turn = asyncio.Lock()

    async def async_load(self) -> None:
        """Load the stored names and removal times of users.

        If they are unreadable, no user counts as removed.
        """
        stored = await self._store.async_load()
        self._stored = {user_id: _owner(data) for user_id, data in stored.items()}
        self._owners = dict(self._stored)

    async def async_check(self) -> None:
        """Check whether the Home Assistant users who own memories and routines still exist.

        - The user is missing: deactivate the data; delete it 30 days after SAGE observed the
          removal.
        - The user exists again: reactivate the data.
        """
        async with self._turn:
            # List owners before users, so that a user added meanwhile does not count as absent.
            owners = await self._async_owners()
            users = {user.id: user for user in await self._hass.auth.async_get_users()}
            for user in users.values():
                self.async_note(user)
            if self._routines.trouble is None:
                for user_id in self._owners.keys() - users.keys() - owners:
                    del self._owners[user_id]
            await self._async_save()
            for user_id in sorted(owners):
                if user_id in users:
                    await self._async_bring_back(user_id)
                elif self._is_due(user_id):
                    await self._async_purge_due(user_id)
                else:
                    await self._async_set_aside(user_id)

    async def async_removed(self, user_id: str) -> None:
        """Store that a user was removed now, and deactivate the user's memories and routines."""
        async with self._turn:
            known = self._owners.get(user_id, Owner())
            self._owners[user_id] = replace(known, removed_at=dt_util.utcnow())
            await self._async_save()
            if user_id in await self._async_owners():
                await self._async_set_aside(user_id)

    @callback
    def async_note(self, user: User) -> None:
        """Remember the name of an existing user, and forget an earlier removal of this user.

        The next `async_check` or `async_removed` writes the change to the file.
        """
        # Home Assistant deletes the name together with the user.
        self._owners[user.id] = Owner(name=user.name or "")

    def get(self, user_id: str) -> AbsentOwner | None:
        """Return the owner of stored data whose Home Assistant user no longer exists.

        None if the user exists, or if SAGE stores no memories or routines of this user.
        """
        return self._described(user_id) if user_id in self._absent else None

    async def async_give(self, user_id: str, person: Person) -> None:
        """Transfer the memories and routines of `user_id` to `person`.

        Does nothing if the user exists again. Raises MemoryStoreError, RoutineError or
        OSError; a second call then transfers the rest.
        """
        async with self._turn:
            if user_id not in self._absent:
                return
            if user_id in await self._memory.files.async_users():
                await self._memory.async_hand_over(user_id, person)
            await self._routines.async_hand_over(user_id, person)
            # Do not purge routines: unreadable routines have not been transferred.
            await self._async_purge_memory(user_id)
            _LOGGER.info(
                "The data of the absent user %s was transferred to another person", user_id
            )

    async def async_purge(self, user_id: str) -> None:
        """Delete the memories and routines of `user_id`.

        Does nothing if the user exists again. Raises MemoryStoreError, RoutineError or
        OSError.
        """
        async with self._turn:
            if user_id in self._absent:
                await self._async_purge(user_id)

    @callback
    def async_clear(self) -> None:
        """Delete the repair issues about people whose Home Assistant user no longer exists.

        Call this when the config entry is unloaded.
        """
        for user_id in self._absent:
            ir.async_delete_issue(self._hass, DOMAIN, _issue_id(user_id))

    async def _async_owners(self) -> set[str]:
        remembered = await self._memory.files.async_users()
        watched = [each.routine.owner for each in self._routines.list_all()]
        return {user_id for user_id in (*remembered, *watched) if user_id is not None}

    def _described(self, user_id: str) -> AbsentOwner:
        owner = self._owners.get(user_id, Owner())
        removed_at = owner.removed_at
        return AbsentOwner(
            user_id=user_id,
            name=owner.name or user_id[:8],
            purged_on=None if removed_at is None else dt_util.as_local(removed_at + GRACE).date(),
            routines=sum(each.routine.owner == user_id for each in self._routines.list_all()),
        )

    def _is_due(self, user_id: str) -> bool:
        # A missing user was not necessarily removed: `.storage/auth` may be damaged.
        removed_at = self._owners.get(user_id, Owner()).removed_at
        return removed_at is not None and dt_util.utcnow() - removed_at >= GRACE

    async def _async_set_aside(self, user_id: str) -> None:
        await self._routines.async_owner_gone(user_id)
        owner = self._described(user_id)
        if user_id not in self._absent:
            _LOGGER.warning(
                "There is no user %s, so their memories and routines are set aside, %s",
                user_id,
                f"until {owner.purged_on}" if owner.purged_on else "and not deleted automatically",
            )
        self._absent.add(user_id)
        placeholders = {"name": owner.name}
        if owner.purged_on is not None:
            placeholders["date"] = owner.purged_on.isoformat()
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            _issue_id(user_id),
            is_fixable=True,
            severity=ir.IssueSeverity.WARNING,
            translation_key="owner_absent" if owner.purged_on is None else "owner_removed",
            translation_placeholders=placeholders,
            data={OWNER_ID: user_id},
        )

    async def _async_bring_back(self, user_id: str) -> None:
        await self._routines.async_owner_back(user_id)
        self._forget(user_id)

    async def _async_purge_due(self, user_id: str) -> None:
        try:
            await self._async_purge(user_id)
        except (MemoryStoreError, RoutineError, OSError) as err:
            _LOGGER.warning("The data of a removed user could not be purged yet: %s", err)
        else:
            _LOGGER.warning("The data of the removed user %s was deleted", user_id)

    async def _async_purge(self, user_id: str) -> None:
        await self._routines.async_purge(user_id)
        await self._async_purge_memory(user_id)

    async def _async_purge_memory(self, user_id: str) -> None:
        await self._memory.async_purge(user_id)
        self._forget(user_id)
        if self._owners.pop(user_id, None) is not None:
            await self._async_save()

    def _forget(self, user_id: str) -> None:
        self._absent.discard(user_id)
        ir.async_delete_issue(self._hass, DOMAIN, _issue_id(user_id))

    async def _async_save(self) -> None:
        """Write names and removal times of users to the file, if they have changed.

        If writing fails, SAGE forgets the removal of a user at the next restart.
        """
        owners = dict(self._owners)
        if owners == self._stored:
            return
        await self._store.async_save(_as_json(owners))
        self._stored = owners


def _issue_id(user_id: str) -> str:
    return f"{_PREFIX}{user_id}"


def _owner(data: Any) -> Owner:
    """Return the user stored as `data` in the file; without removal time if `data` is invalid."""
    if not isinstance(data, Mapping):
        return Owner()
    removed_at = None
    with contextlib.suppress(ValueError, TypeError):
        removed_at = datetime.fromisoformat(data["removed_at"]) if data.get("removed_at") else None
    if removed_at is not None and removed_at.tzinfo is None:
        removed_at = None
    return Owner(name=str(data.get("name", "")), removed_at=removed_at)


def _as_json(owners: Mapping[str, Owner]) -> dict[str, Any]:
    data: dict[str, dict[str, str]] = {}
    for user_id, owner in owners.items():
        data[user_id] = {"name": owner.name}
        if owner.removed_at is not None:
            data[user_id]["removed_at"] = owner.removed_at.isoformat()
    return data
