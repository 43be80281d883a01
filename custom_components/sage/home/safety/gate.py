"""Decide which entities a person may see and use.

- A person sees the entities that are exposed to Assist and that the person may read.
- `HOUSEHOLD` (an unidentified speaker) may see and use all exposed entities.
- A calendar that SAGE's options assign to one person is visible only to that person, even without
  exposure.
"""

from collections.abc import Mapping
from typing import Final

from homeassistant.auth import EVENT_USER_REMOVED
from homeassistant.auth.models import User
from homeassistant.auth.permissions import AbstractPermissions
from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
    async_should_expose,
)
from homeassistant.const import EVENT_STATE_CHANGED, Platform
from homeassistant.core import CALLBACK_TYPE, Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er

from ...const import DOMAIN
from ...people import Person

ASSISTANT: Final = "conversation"  # the assistant whose exposure settings SAGE uses


class Gate:
    """Decides what a person may see, read and control."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Create the gate; call `async_setup` before use."""
        self.hass = hass
        self._users: dict[str, User] = {}
        self._owners: Mapping[str, str] = {}
        self._exposed: frozenset[str] = frozenset()
        self._stale: set[str] | None = None
        """Ids of the entities whose exposure may have changed; None: all."""

        self._visible: dict[
            str, tuple[frozenset[str], AbstractPermissions, frozenset[str], frozenset[str]]
        ] = {}
        """User id -> exposed entities, permissions and own entities, and what they make visible."""

        self._unsubscribe: list[CALLBACK_TYPE] = []

    async def async_setup(self) -> None:
        """Load the users and listen for changes of users, entities and exposure."""
        for user in await self.hass.auth.async_get_users():
            self._users[user.id] = user
        bus = self.hass.bus
        self._unsubscribe = [
            async_listen_entity_updates(self.hass, ASSISTANT, self._all_changed),
            bus.async_listen(
                EVENT_STATE_CHANGED, self._entity_changed, event_filter=_comes_or_goes
            ),
            bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, self._entity_changed),
            # Permissions may be for all entities in an area.
            bus.async_listen(dr.EVENT_DEVICE_REGISTRY_UPDATED, self._device_changed),
            bus.async_listen(EVENT_USER_REMOVED, self._user_removed),
        ]
        self._all_changed()

    @callback
    def close(self) -> None:
        """Stop listening and clear the cache."""
        while self._unsubscribe:
            self._unsubscribe.pop()()
        self._all_changed()

    def assign(self, owners: Mapping[str, str]) -> None:
        """Assign entities (registry or entity id) to user ids; the others are the household's."""
        self._owners = dict(owners)
        self._all_changed()

    def owner(self, entity_id: str) -> str | None:
        """Return the user id of the only person who may see an entity; None if it has no owner."""
        if not self._owners:
            return None
        row = er.async_get(self.hass).async_get(entity_id)
        return self._owners.get(entity_id if row is None else row.id)

    async def async_load_rights(self, person: Person) -> None:
        """Reload a person's user and permissions; await it before each request and action."""
        if person.user_id is None:
            return
        user = await self.hass.auth.async_get_user(person.user_id)
        if user is None:
            self._users.pop(person.user_id, None)
        else:
            self._users[user.id] = user

    def visible(self, person: Person) -> frozenset[str]:
        """Return the ids of the entities that the person may see."""
        exposed = self._all_exposed()
        if person.user_id is None:
            return exposed
        if (user := self._active_user(person)) is None:
            return frozenset()
        own = self._owned(user)
        if user.permissions.access_all_entities(POLICY_READ):
            return exposed | own if own else exposed
        permissions, known = user.permissions, self._visible.get(user.id)
        if known is None or known[0] is not exposed or known[1:3] != (permissions, own):
            allowed = (
                entity_id
                for entity_id in exposed | own
                if permissions.check_entity(entity_id, POLICY_READ)
            )
            self._visible[user.id] = known = exposed, permissions, own, frozenset(allowed)
        return known[3]

    def is_visible_to_anyone(self, domain: str) -> bool:
        """Return whether at least one person may see at least one entity of the domain."""
        registry = er.async_get(self.hass)
        owned = (er.async_resolve_entity_id(registry, key) for key in self._owners)
        shown = (*self._all_exposed(), *owned)
        return any(each and each.startswith(f"{domain}.") for each in shown)

    def readable(self, person: Person, domain: str) -> list[str]:
        """Return the ids of the entities of a domain that the person may read now, sorted."""
        visible = (each for each in self.visible(person) if each.startswith(f"{domain}."))
        return sorted(each for each in visible if self.may_read(person, each))

    def may_read(self, person: Person, entity_id: str) -> bool:
        """Return whether the person may read this entity now; does not use the cache."""
        return self._is_allowed(person, entity_id, POLICY_READ)

    def may_control(self, person: Person, entity_id: str) -> bool:
        """Return whether the person may control this entity now; does not use the cache."""
        return self._is_allowed(person, entity_id, POLICY_READ, POLICY_CONTROL)

    def may_own(self, person: Person, entity_id: str) -> bool:
        """Return whether an existing entity belongs to the person, or may be assigned to them.

        Everybody may have an entity that they may read, unless it is another person's, or exposed
        and so the household's.
        """
        owner, user = self.owner(entity_id), self._active_user(person)
        is_free = owner == person.user_id or (owner is None and not self._is_exposed(entity_id))
        return (
            is_free and user is not None and user.permissions.check_entity(entity_id, POLICY_READ)
        )

    def _is_allowed(self, person: Person, entity_id: str, *policies: str) -> bool:
        # `async_should_expose` stores a setting for any id, so ask only for existing entities.
        if self.hass.states.get(entity_id) is None:
            return False
        owner = self.owner(entity_id)
        is_shown = self._is_exposed(entity_id) if owner is None else owner == person.user_id
        if not is_shown:
            return False
        if person.user_id is None:
            return True
        user = self._active_user(person)
        return user is not None and all(
            user.permissions.check_entity(entity_id, policy) for policy in policies
        )

    def _active_user(self, person: Person) -> User | None:
        user = self._users.get(person.user_id or "")
        return user if user is not None and user.is_active else None

    def _owned(self, user: User) -> frozenset[str]:
        registry, owners = er.async_get(self.hass), self._owners.items()
        found = (er.async_resolve_entity_id(registry, key) for key, own in owners if own == user.id)
        return frozenset(each for each in found if each and self.hass.states.get(each))

    def _is_exposed(self, entity_id: str) -> bool:
        row = er.async_get(self.hass).async_get(entity_id)
        if row is not None and row.platform == DOMAIN and row.domain == Platform.SWITCH:
            # The switch of a routine: otherwise, anybody who talks to SAGE could pause the routine.
            return False
        if self.owner(entity_id) is not None:
            return False
        return async_should_expose(self.hass, ASSISTANT, entity_id)

    # ------------------------------------------------------------- the cache

    def _all_exposed(self) -> frozenset[str]:
        stale, self._stale = self._stale, set()
        if stale is None:
            self._exposed = frozenset(filter(self._is_exposed, self.hass.states.async_entity_ids()))
        elif stale:
            there = (each for each in stale if self.hass.states.get(each) is not None)
            self._exposed = self._exposed - stale | set(filter(self._is_exposed, there))
        return self._exposed

    @callback
    def _all_changed(self) -> None:
        self._stale = None

    @callback
    def _entity_changed(
        self, event: Event[EventStateChangedData] | Event[er.EventEntityRegistryUpdatedData]
    ) -> None:
        if self._stale is not None:
            self._stale.add(event.data["entity_id"])

    @callback
    def _device_changed(self, _: Event[dr.EventDeviceRegistryUpdatedData]) -> None:
        self._visible.clear()

    @callback
    def _user_removed(self, event: Event) -> None:
        self._users.pop(event.data["user_id"], None)
        self._visible.pop(event.data["user_id"], None)


@callback
def _comes_or_goes(data: EventStateChangedData) -> bool:
    return data["old_state"] is None or data["new_state"] is None
