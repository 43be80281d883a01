"""Reports changes that may alter the results of functions that condition code calls.

These are changes of values, names and permissions. Each value has a key: the entity id, or
`smartthings:<device>/<component>/<capability>/<attribute>`.
"""

from collections.abc import Callable, Collection
from typing import Any, Final

from homeassistant.auth import EVENT_USER_REMOVED, EVENT_USER_UPDATED
from homeassistant.components.homeassistant.exposed_entities import async_listen_entity_updates
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_track_state_change_event

from ...home.home_types import Outcome, Source
from ...home.safety.gate import ASSISTANT
from ...home.smartthings.raw import RawEvent
from ...home.smartthings.readings import AttributePlace, SingleValues
from ..interfaces import ChangeListener

type Stop = Callable[[], None]

_TELLING: Final = frozenset({"entity_id", "disabled_by", "device_id", "area_id"})
"""Entity registry fields; their change can alter a permission, or the entity that a name means."""

_RAW: Final = "smartthings:"


def watch(
    hass: HomeAssistant, cloud: SingleValues, keys: Collection[str], listener: ChangeListener
) -> Stop:
    """Call `listener` when one of the watched values changes; return the unsubscribe function.

    `keys`: the watched values, each an entity id or a SmartThings attribute (`key_of`).

    Also calls the listener with every key when exposed entities or user permissions change, and
    with the key of an entity when its registry entry changes. After a change of the entity id, the
    listener gets the old id as key; later results of condition functions have the new id as key.
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
    hass: HomeAssistant, entity_ids: Collection[str], listener: ChangeListener
) -> Stop:
    @callback
    def changed(event: Event[EventStateChangedData]) -> None:
        # If an automation made the change, the parent context is its cause.
        context = event.context
        listener(event.data["entity_id"], context.parent_id or context.id)

    return async_track_state_change_event(hass, entity_ids, changed)


def _watch_raw(
    cloud: SingleValues, places: Collection[AttributePlace], listener: ChangeListener
) -> list[Stop]:
    by_device: dict[str, dict[AttributePlace, object]] = {}
    for place in places:
        by_device.setdefault(place.device_id, {})[place] = cloud.peek(place)

    def ear(last: dict[AttributePlace, object]) -> Callable[[RawEvent], None]:
        @callback
        def reported(event: RawEvent) -> None:
            place = AttributePlace(
                event.device_id, event.component_id, event.capability, event.attribute
            )
            # Not every report is a change.
            if place in last and last[place] != event.value:
                last[place] = event.value
                listener(key_of(place), None)

        return reported

    return [cloud.listen(device_id, ear(last)) for device_id, last in by_device.items()]


def _watch_permissions(
    hass: HomeAssistant, keys: Collection[str], listener: ChangeListener
) -> Stop:
    @callback
    def tell_all(_: Event[Any] | None = None) -> None:
        for key in keys:
            listener(key, None)

    @callback
    def updated(event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        data = event.data
        before = data.get("old_entity_id", data["entity_id"])
        changed = data["action"] != "update" or _TELLING & data["changes"].keys()
        if before in keys and changed:
            listener(str(before), None)

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


def keys_of(outcome: Outcome) -> list[str]:
    """Return the keys (as in `watch`) of the values that an executed command may have changed."""
    if outcome.source is Source.HOME_ASSISTANT or outcome.raw_device_id is None:
        return [outcome.component_id]
    names = {*outcome.before, *outcome.after, *outcome.restore}
    place = (outcome.raw_device_id, outcome.component_id, outcome.capability)
    return [key_of(AttributePlace(*place, name)) for name in names]


def key_of(place: AttributePlace) -> str:
    """Return the text that identifies a SmartThings attribute among the `keys` of `watch`."""
    return f"{_RAW}{'/'.join(place)}"


def place_of(key: str) -> AttributePlace | None:
    """Return the SmartThings attribute that a key of `watch` means; None for an entity id."""
    return AttributePlace(*key.removeprefix(_RAW).split("/")) if key.startswith(_RAW) else None
