"""Notification targets that the options offer: apps, notify entities, older actions."""

from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from .apps import APP_ACTION, MOBILE_APP, app_entry_id, app_names, app_of, async_tell
from .errors import NoSuchWayError
from .notify_entity import NOTIFY, NOTIFY_SECONDS, async_notify_entity
from .service_call import async_call

_NO_TARGETS: Final = frozenset({"send_message", "persistent_notification", NOTIFY})
"""Actions of `notify` that are no target by themselves, or have no fixed recipient."""


def targets(hass: HomeAssistant, user_id: str) -> dict[str, str]:
    """Return the targets that can be chosen for a person -> their names.

    Their own apps by config entry id, other notify entities by registry id, actions by name.
    """
    registry = er.async_get(hass)
    entities: dict[str, str] = {}
    for state in hass.states.async_all(NOTIFY):
        row = registry.async_get(state.entity_id)
        if row is None or row.platform != MOBILE_APP:
            entities[row.id if row is not None else state.entity_id] = state.name
    actions = {
        f"{NOTIFY}.{name}": f"{NOTIFY}.{name}"
        for name in hass.services.async_services_for_domain(NOTIFY)
        if _is_target(name)
    }
    return actions | entities | app_names(hass, user_id)


def as_offered(hass: HomeAssistant, target: str, user_id: str) -> str:
    """Return the key of a stored target in `targets`.

    Earlier versions stored apps by the name of their action or by their notify entity. Such a
    name refers to an app only if the app belongs to the person.
    """
    row = er.async_get(hass).entities.get_entry(target)
    if row is not None and row.platform == MOBILE_APP:
        return row.config_entry_id or target
    name = target.removeprefix(f"{NOTIFY}.")
    if name.startswith(APP_ACTION):
        return app_entry_id(hass, name, user_id) or target
    return target


async def async_notify(
    hass: HomeAssistant, target: str, user_id: str, message: str, title: str
) -> None:
    """Send the text to a target of a person. Raises NoSuchWayError and WayClosedError."""
    target = as_offered(hass, target, user_id)
    entry = hass.config_entries.async_get_entry(target)
    if entry is not None and entry.domain == MOBILE_APP:
        await async_tell(hass, [app_of(hass, target, user_id)], message, title)
        return
    if (entity_id := _entity_id(hass, target)) is not None:
        await async_notify_entity(hass, entity_id, message, title)
        return
    name = target.removeprefix(f"{NOTIFY}.")
    if not _is_target(name) or not hass.services.has_service(NOTIFY, name):
        raise NoSuchWayError("there is no such target")
    words = {"message": message, "title": title}
    await async_call(hass, NOTIFY, name, words, seconds=NOTIFY_SECONDS)


def _is_target(action: str) -> bool:
    return action not in _NO_TARGETS and not action.startswith(APP_ACTION)


def _entity_id(hass: HomeAssistant, target: str) -> str | None:
    """Return the entity id of a target that is a notify entity; None for an action.

    Raises NoSuchWayError if it is disabled.
    """
    registry = er.async_get(hass)
    row = registry.entities.get_entry(target)
    if row is not None:
        if row.disabled_by is not None:
            raise NoSuchWayError(f"{row.entity_id} is disabled")
        # Its state is not checked: it is missing while its integration reloads.
        return row.entity_id
    named = registry.async_get(target)
    if named is not None and named.platform == MOBILE_APP:
        # An app with the same name as the target.
        return None
    return target if hass.states.get(target) is not None else None
