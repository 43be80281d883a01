"""Watches values that condition code has read.

A watched value has a key: an entity id, or a key of an extension (`MoreAttribute.key`).
"""

from collections.abc import Callable, Collection
from typing import Any, Final

from homeassistant.auth import EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from ...home.extension import Extension
from ...home.home import Home
from ...home.safety.gate import ASSISTANT
from ..evaluation import Report

type Stop = Callable[[], None]

_TELLING: Final = frozenset({"entity_id", "disabled_by", "device_id", "area_id"})
"""Entity registry fields; a change of one can alter permissions or the meaning of device names."""


def watch(home: Home, keys: Collection[str], listener: Callable[[Report], None]) -> Stop:
    """Call `listener` when a watched value may have changed; return the unsubscribe function.

    `keys`: entity ids, and keys of extensions. `listener` gets the key

    - when the value changes;
    - when the entity is added, removed, disabled, moved or renamed (the key is the old id);
    - when exposed entities or user permissions change (a call for each key).

    The watched keys stay the same. After a change, the caller has to read the values again, and to
    call `watch` with the keys of the new results (`FunctionResult.keys`).
    """

    @callback
    def changed(key: str, before: object, after: object) -> None:
        listener(Report(key=key, at=dt_util.utcnow(), before=before, after=after))

    entity_ids: list[str] = []
    others: dict[Extension, list[str]] = {}
    for key in dict.fromkeys(keys):
        extension = home.extension_of(key)
        (entity_ids if extension is None else others.setdefault(extension, [])).append(key)
    stops = [
        _watch_entities(home.hass, entity_ids, listener),
        *(extension.watch(own, changed) for extension, own in others.items()),
        _watch_permissions(home.hass, tuple(keys), listener),
    ]
    return _joined(stops)


def _watch_entities(
    hass: HomeAssistant, entity_ids: Collection[str], listener: Callable[[Report], None]
) -> Stop:
    @callback
    def changed(event: Event[EventStateChangedData]) -> None:
        # If an automation made the change, the parent context is its cause.
        context, data = event.context, event.data
        listener(
            Report(
                key=data["entity_id"],
                at=event.time_fired,
                context_id=context.parent_id or context.id,
                before=data["old_state"],
                after=data["new_state"],
            )
        )

    return async_track_state_change_event(hass, entity_ids, changed)


def _watch_permissions(
    hass: HomeAssistant, keys: Collection[str], listener: Callable[[Report], None]
) -> Stop:
    @callback
    def tell_all(_: Event[Any] | None = None) -> None:
        for key in keys:
            listener(Report(key=key, at=dt_util.utcnow(), is_value=False))

    @callback
    def updated(event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        data = event.data
        before = data.get("old_entity_id", data["entity_id"])
        changed = data["action"] != "update" or _TELLING & data["changes"].keys()
        if before in keys and changed:
            listener(Report(key=str(before), at=dt_util.utcnow(), is_value=False))

    stops = [
        async_listen_entity_updates(hass, ASSISTANT, tell_all),
        hass.bus.async_listen(EVENT_USER_UPDATED, tell_all),
        hass.bus.async_listen(EVENT_USER_REMOVED, tell_all),
        hass.bus.async_listen(er.EVENT_ENTITY_REGISTRY_UPDATED, updated),
    ]
    return _joined(stops)


def _joined(stops: list[Stop]) -> Stop:
    """Return one unsubscribe function for several; a second call does nothing."""

    @callback
    def stop() -> None:
        while stops:
            stops.pop()()

    return stop
