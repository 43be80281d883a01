"""Decide which entities a person may see and use.

- A person sees the entities that are exposed to Assist and that the person may read.
- `HOUSEHOLD` (an unidentified speaker) may see and use all exposed entities.
- A calendar that SAGE's options assign to one person is visible only to that person, even without
  exposure.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Final

from homeassistant.auth import EVENT_USER_ADDED, EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
    async_should_expose,
)
from homeassistant.const import EVENT_STATE_CHANGED, Platform
from homeassistant.core import (
    CALLBACK_TYPE,
    Event,
    EventStateChangedData,
    HomeAssistant,
    callback,
)
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ...const import DOMAIN
from ...helpers.slices import Breaks
from ...people.person import Person

ASSISTANT: Final = "conversation"
"""The assistant whose exposure settings SAGE uses."""

_PERMISSION_CHANGES: Final = frozenset({"device_id", "area_id"})
"""Registry fields that a user's policy may depend on."""


class Gate:
    """Decides what a person may see, read and control."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Create the gate; call `async_setup` before use."""
        self._hass = hass
        self._users: dict[str, User] = {}
        self._owners: Mapping[str, str] = {}
        self._exposed: frozenset[str] = frozenset()
        self._stale: set[str] = set()
        self._wanted_round = 1
        self._known_round = 0
        self._preparing = asyncio.Lock()
        self._asking = False
        self._visible: dict[str, tuple[int, frozenset[str]]] = {}
        self._version = 0
        self._unsubscribe: list[CALLBACK_TYPE] = []

    async def async_setup(self) -> None:
        """Load the users and listen for changes of users, entities and exposure."""
        for user in await self._hass.auth.async_get_users():
            self._users[user.id] = user
        bus = self._hass.bus
        self._unsubscribe = [
            async_listen_entity_updates(self._hass, ASSISTANT, self._exposure_changed),
            bus.async_listen(
                EVENT_STATE_CHANGED, self._entity_came_or_went, event_filter=_comes_or_goes
            ),
            bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, self._entity_updated),
            bus.async_listen(dr.EVENT_DEVICE_REGISTRY_UPDATED, self._device_updated),
            bus.async_listen(EVENT_USER_ADDED, self._user_changed),
            bus.async_listen(EVENT_USER_UPDATED, self._user_changed),
            bus.async_listen(EVENT_USER_REMOVED, self._user_removed),
        ]
        self._exposure_changed()

    @callback
    def close(self) -> None:
        """Stop listening and clear the cache."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        self._visible.clear()
        self._exposure_changed()

    def assign(self, owners: Mapping[str, str]) -> None:
        """Assign entities to single people; all other entities belong to the household.

        `owners` maps the registry id or entity id of an entity to the user id of its owner.
        """
        self._owners = dict(owners)
        self._exposure_changed()

    def owner(self, entity_id: str) -> str | None:
        """Return the user id of the only person who may see an entity; None if it has no owner."""
        if not self._owners:
            return None
        row = er.async_get(self._hass).async_get(entity_id)
        return self._owners.get(entity_id if row is None else row.id)

    @property
    def version(self) -> int:
        """A number that grows when the entities that people may see have changed."""
        self._settle()
        return self._version

    async def async_load_rights(self, person: Person) -> None:
        """Reload the Home Assistant user and permissions of a person.

        Await this before each request of the person, and again before the actions are called. It
        does not block the event loop.
        """
        if person.user_id is not None:
            user = await self._hass.auth.async_get_user(person.user_id)
            if user is None:
                self._forget(person.user_id)
            elif self._users.get(user.id) is not user:
                self._users[user.id] = user
                self._changed()
        await self._async_settle()

    def visible(self, person: Person) -> frozenset[str]:
        """Return the ids of the entities that the person may see."""
        self._settle()
        if person.user_id is None:
            return self._exposed
        if (user := self._active_user(person)) is None:
            return frozenset()
        own = self._owned(user)
        if _reads_all(user) and not own:
            return self._exposed
        version, known = self._visible.get(user.id, (-1, frozenset()))
        if version == self._version:
            return known
        allowed = frozenset(
            entity_id
            for entity_id in self._exposed | own
            if user.permissions.check_entity(entity_id, POLICY_READ)
        )
        self._visible[user.id] = (self._version, allowed)
        return allowed

    def is_visible_to_anyone(self, domain: str) -> bool:
        """Return whether at least one person may see at least one entity of the domain."""
        self._settle()
        registry = er.async_get(self._hass)
        owned = (er.async_resolve_entity_id(registry, key) for key in self._owners)
        return any(each and each.startswith(f"{domain}.") for each in (*self._exposed, *owned))

    def may_read(self, person: Person, entity_id: str) -> bool:
        """Return whether the person may read this entity now; does not use the cache."""
        return self._is_allowed(person, entity_id, POLICY_READ)

    def may_control(self, person: Person, entity_id: str) -> bool:
        """Return whether the person may control this entity now; does not use the cache."""
        return self._is_allowed(person, entity_id, POLICY_READ) and self._is_allowed(
            person, entity_id, POLICY_CONTROL
        )

    def _is_allowed(self, person: Person, entity_id: str, policy: str) -> bool:
        # `async_should_expose` stores a setting for any id, so ask only for existing entities.
        if self._hass.states.get(entity_id) is None:
            return False
        if (owner := self.owner(entity_id)) is not None:
            if owner != person.user_id:
                return False
        elif not self._is_exposed(entity_id):
            return False
        if person.user_id is None:
            return True
        user = self._active_user(person)
        return user is not None and user.permissions.check_entity(entity_id, policy)

    def _active_user(self, person: Person) -> User | None:
        user = self._users.get(person.user_id or "")
        return user if user is not None and user.is_active else None

    def _owned(self, user: User) -> frozenset[str]:
        """Return the ids of the existing entities that are assigned to this user."""
        if user.id not in self._owners.values():
            return frozenset()
        registry = er.async_get(self._hass)
        found = (
            er.async_resolve_entity_id(registry, key)
            for key, owner in self._owners.items()
            if owner == user.id
        )
        return frozenset(each for each in found if each and self._hass.states.get(each))

    def _is_exposed(self, entity_id: str) -> bool:
        """Return whether an entity is exposed to everybody."""
        if self._is_own_switch(entity_id) or self.owner(entity_id) is not None:
            return False
        self._asking = True
        try:
            return async_should_expose(self._hass, ASSISTANT, entity_id)
        finally:
            self._asking = False

    def _is_own_switch(self, entity_id: str) -> bool:
        """Return whether this is the switch of a routine.

        Such a switch is never exposed as a device. Otherwise, anybody who talks to SAGE could pause
        the routine. The owner pauses it with the routine tools.
        """
        row = er.async_get(self._hass).async_get(entity_id)
        return row is not None and row.platform == DOMAIN and row.domain == Platform.SWITCH

    # ------------------------------------------------------------- the cache

    def _settle(self) -> None:
        """Update the set of exposed entities now; this may block the event loop."""
        if self._known_round != self._wanted_round:
            self._known_round = self._wanted_round
            self._stale.clear()
            self._keep(frozenset(filter(self._is_exposed, self._hass.states.async_entity_ids())))
        elif self._stale:
            asked, self._stale = self._stale, set()
            self._merge(asked)

    async def _async_settle(self) -> None:
        """Update the set of exposed entities; start again if the exposure changes.

        Yields to the event loop between slices of the work.
        """
        async with self._preparing:
            while self._known_round != (wanted := self._wanted_round):
                self._stale.clear()
                exposed: set[str] = set()
                breaks = Breaks()
                for entity_id in self._hass.states.async_entity_ids():
                    if self._is_exposed(entity_id):
                        exposed.add(entity_id)
                    await breaks.async_take()
                # `_settle` may have updated the set during a slice; its result is newer.
                if wanted == self._wanted_round != self._known_round:
                    self._known_round = wanted
                    self._keep(frozenset(exposed))
        self._settle()

    def _merge(self, entity_ids: Iterable[str]) -> None:
        exposed = set(self._exposed)
        for entity_id in entity_ids:
            there = self._hass.states.get(entity_id) is not None
            if there and self._is_exposed(entity_id):
                exposed.add(entity_id)
            else:
                exposed.discard(entity_id)
        self._keep(frozenset(exposed))

    def _keep(self, exposed: frozenset[str]) -> None:
        # `exposed` never contains entities of single people, but these may have changed, too.
        if exposed != self._exposed or self._owners:
            self._exposed = exposed
            self._changed()

    def _changed(self) -> None:
        self._version += 1
        self._visible.clear()

    def _forget(self, user_id: str) -> None:
        if self._users.pop(user_id, None) is not None:
            self._changed()

    # ------------------------------------------------------------- listeners

    @callback
    def _exposure_changed(self) -> None:
        self._wanted_round += 1

    @callback
    def _entity_came_or_went(self, event: Event[EventStateChangedData]) -> None:
        self._stale.add(event.data["entity_id"])

    @callback
    def _entity_updated(self, event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        # The first `async_should_expose` for an entity stores its default: no change.
        if self._asking or event.data["action"] != "update":
            return
        self._stale.add(event.data["entity_id"])
        if _PERMISSION_CHANGES & event.data["changes"].keys():
            self._changed()

    @callback
    def _device_updated(self, event: Event[dr.EventDeviceRegistryUpdatedData]) -> None:
        if event.data["action"] == "update" and _PERMISSION_CHANGES & event.data["changes"].keys():
            self._changed()

    async def _user_changed(self, event: Event) -> None:
        user_id: str = event.data["user_id"]
        user = await self._hass.auth.async_get_user(user_id)
        if user is None:
            self._forget(user_id)
            return
        self._users[user_id] = user
        self._changed()

    @callback
    def _user_removed(self, event: Event) -> None:
        self._forget(event.data["user_id"])


@callback
def _comes_or_goes(data: EventStateChangedData) -> bool:
    return data["old_state"] is None or data["new_state"] is None


def _reads_all(user: User) -> bool:
    return user.permissions.access_all_entities(POLICY_READ)
