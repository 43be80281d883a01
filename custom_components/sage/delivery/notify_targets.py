"""Notify entities, and the older actions of `notify`."""

from typing import Final

from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from .errors import NoSuchWayError, WayClosedError
from .service_call import async_call

NOTIFY: Final = "notify"
_SECONDS: Final = 30.0
_NO_TARGETS: Final = frozenset({"send_message", "persistent_notification"})
"""Actions of `notify` that reach nobody by themselves."""


def targets(hass: HomeAssistant) -> dict[str, str]:
    """Return what can be chosen, and how to call it: registry ids of entities, actions."""
    registry = er.async_get(hass)
    entities = {
        (row.id if (row := registry.async_get(state.entity_id)) else state.entity_id): state.name
        for state in hass.states.async_all(NOTIFY)
    }
    actions = {
        f"{NOTIFY}.{name}": f"{NOTIFY}.{name}"
        for name in hass.services.async_services_for_domain(NOTIFY)
        if name not in _NO_TARGETS
    }
    return actions | entities


async def async_notify(hass: HomeAssistant, target: str, message: str, title: str) -> None:
    """Send the words to a target. Raises NoSuchWayError and WayClosedError."""
    row = er.async_get(hass).entities.get_entry(target)
    entity_id = row.entity_id if row is not None else target
    words = {"message": message, "title": title}
    if (state := hass.states.get(entity_id)) is not None:
        if state.state == STATE_UNAVAILABLE:
            raise WayClosedError(f"{entity_id} is not available")
        data = {"entity_id": entity_id, **words}
        await async_call(hass, NOTIFY, "send_message", data, seconds=_SECONDS)
        return
    name = target.removeprefix(f"{NOTIFY}.")
    if row is not None or not hass.services.has_service(NOTIFY, name):
        raise NoSuchWayError(f"there is no {entity_id}")
    await async_call(hass, NOTIFY, name, words, seconds=_SECONDS)
