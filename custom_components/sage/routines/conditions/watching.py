"""Watches values that condition code has read.

A watched value has a key: an entity id, or
`smartthings:<device>/<component>/<capability>/<attribute>`.
"""

from collections.abc import Callable, Collection
from typing import Any, Final

from homeassistant.auth import EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from ...home.safety.gate import ASSISTANT
from ...home.smartthings.documents import RawReader
from ...home.smartthings.raw import AttributePlace, ReportListener
from ..evaluation import Report

type Stop = Callable[[], None]

_TELLING: Final = frozenset({"entity_id", "disabled_by", "device_id", "area_id"})
"""Entity registry fields; a change of one can alter permissions or the meaning of device names."""

_RAW: Final = "smartthings:"


def watch(
    hass: HomeAssistant, cloud: RawReader, keys: Collection[str], listener: Callable[[Report], None]
) -> Stop:
    """Call `listener` when a watched value may have changed; return the unsubscribe function.

    `keys`: entity ids, and keys of SmartThings attributes (`key_of`). `listener` gets the key

    - when the value changes;
    - when the entity is added, removed, disabled, moved or renamed (the key is the old id);
    - when exposed entities or user permissions change (a call for each key).

    The watched keys stay the same. After a change, the caller has to read the values again, and to
    call `watch` with the keys of the new results (`FunctionResult.keys`).
    """
    places = {key: place_of(key) for key in keys}
    entity_ids = [key for key, place in places.items() if place is None]
    raw = [place for place in places.values() if place is not None]
    stops = [
        _watch_entities(hass, entity_ids, listener),
        *_watch_raw(cloud, raw, listener),
        _watch_permissions(hass, tuple(places), listener),
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


def _watch_raw(
    cloud: RawReader, places: Collection[AttributePlace], listener: Callable[[Report], None]
) -> list[Stop]:
    by_device: dict[str, dict[AttributePlace, object]] = {}
    for place in places:
        by_device.setdefault(place.device_id, {})[place] = cloud.peek(place)

    def ear(last: dict[AttributePlace, object]) -> ReportListener:
        @callback
        def reported(place: AttributePlace, value: object) -> None:
            # Not every report is a change.
            if place in last and last[place] != value:
                before, last[place] = last[place], value
                now = dt_util.utcnow()
                listener(Report(key=key_of(place), at=now, before=before, after=value))

        return reported

    return [cloud.listen(device_id, ear(last)) for device_id, last in by_device.items()]


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


def key_of(place: AttributePlace) -> str:
    """Return the key of a SmartThings attribute, for `watch`."""
    return f"{_RAW}{'/'.join(place)}"


def place_of(key: str) -> AttributePlace | None:
    """Return the SmartThings attribute with this key; None if the key is an entity id."""
    return AttributePlace(*key.removeprefix(_RAW).split("/")) if key.startswith(_RAW) else None
