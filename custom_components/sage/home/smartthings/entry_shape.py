"""Read the internals of Home Assistant's `smartthings` config entries.

Only this file depends on these internals. It raises an exception if they are not as expected.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from homeassistant.config_entries import ConfigEntry

from .raw import RawComponent, RawDevice, RawEvent

SMARTTHINGS: Final = "smartthings"

_SUBSCRIPTION: Final = "subscription_id"
"""Key in the data of the config entry; its value changes when the event stream is reopened."""

_OFFLINE: Final = "OFFLINE"
_DELETED: Final = "DELETE"
_CHANGED: Final = "UPDATE"

type Remove = Callable[[], None]


class ShapeError(Exception):
    """Raised when a `smartthings` config entry has unexpected internals."""


class Client(Protocol):
    """The methods of the pysmartthings client that SAGE uses."""

    @property
    def refresh_token_function(self) -> Callable[[], Awaitable[str]]:
        """Async function that returns a valid access token."""

    async def get_raw_device_status(self, device_id: str) -> dict[str, Any]:
        """Return the cloud's JSON with all values of a device.

        It may also return the JSON of an error response instead of raising an exception.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDevice:
    """A device of a `smartthings` config entry, with its state when the entry was loaded."""

    device: RawDevice
    online: bool
    in_use: Mapping[str, frozenset[str]]
    """Component id -> capabilities that were enabled when the entry was loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedEntry:
    """The parts of a loaded `smartthings` config entry that SAGE uses."""

    entry_id: str
    client: Client
    devices: tuple[ListedDevice, ...]


class EntryListener(Protocol):
    """Listener for `smartthings` config entries and for the events of their devices."""

    def attached(self, entry: LoadedEntry) -> None:
        """Handle a config entry that was loaded."""

    def detached(self, entry_id: str) -> None:
        """Handle a config entry that is being unloaded; stop using its client."""

    def stream_changed(self, entry_id: str) -> None:
        """Handle an event stream that ended or was reopened; events may have been missed."""

    def reported(self, entry_id: str, event: RawEvent) -> None:
        """Handle the report of an attribute value by a device."""

    def availability_changed(self, entry_id: str, device_id: str, online: bool) -> None:
        """Handle a device that went online or offline."""

    def device_changed(self, entry_id: str, device_id: str) -> None:
        """Handle a device that was renamed or got another device profile."""

    def device_deleted(self, entry_id: str, device_id: str) -> None:
        """Handle a device that was deleted."""


type Tell = Callable[[Callable[[EntryListener], None]], None]
"""A function that calls its argument once for each listener, with the listener. Never raises."""


def read_entry(entry: ConfigEntry[Any]) -> LoadedEntry:
    """Return the parts of a loaded `smartthings` config entry that SAGE uses.

    Raises ShapeError or another exception if the entry has unexpected internals.
    """
    data = entry.runtime_data
    client = data.client
    for name in ("refresh_token_function", "get_raw_device_status"):
        if not callable(getattr(client, name, None)):
            raise ShapeError(f"the client has no {name}")
    if not isinstance(data.devices, Mapping):
        raise ShapeError("the devices are not a mapping")
    return LoadedEntry(
        entry_id=entry.entry_id,
        client=client,
        devices=tuple(_listed(entry.entry_id, each) for each in data.devices.values()),
    )


def listen(
    entry: LoadedEntry, tell: Tell, misread: Callable[[Exception], None], removes: list[Remove]
) -> None:
    """Pass the events of a config entry on to all listeners. May raise any exception.

    - `tell(function)`: calls `function(listener)` for each listener
    - `misread`: receives the exception if an event has unexpected internals
    - `removes`: a list; `listen` appends its functions for unsubscribing
    """
    client: Any = entry.client
    entry_id = entry.entry_id

    def reported(event: Any) -> None:
        known = _event(event)
        tell(lambda each: each.reported(entry_id, known))

    def available(event: Any) -> None:
        device_id, online = _availability(event)
        tell(lambda each: each.availability_changed(entry_id, device_id, online))

    def deleted(device_id: str) -> None:
        tell(lambda each: each.device_deleted(entry_id, device_id))

    def changed(device_id: str) -> None:
        tell(lambda each: each.device_changed(entry_id, device_id))

    def guarded(handle: Callable[[Any], None]) -> Callable[[Any], None]:
        def listener(event: Any) -> None:
            try:
                handle(event)
            # An exception would stop other callbacks or the event stream of pysmartthings.
            except Exception as error:  # noqa: BLE001 - whatever another shape may raise
                misread(error)

        return listener

    removes.append(client.add_unspecified_device_event_listener(guarded(reported)))
    on_available = guarded(available)
    for listed in entry.devices:
        remove = client.add_device_availability_event_listener(listed.device.id, on_available)
        removes.append(remove)
    for lifecycle, handle in ((_DELETED, deleted), (_CHANGED, changed)):
        removes.append(client.add_device_lifecycle_event_listener(lifecycle, guarded(handle)))


def _listed(entry_id: str, full: Any) -> ListedDevice:
    device = full.device
    return ListedDevice(
        device=RawDevice(
            id=str(device.device_id),
            label=str(device.label),
            components=tuple(_component(each) for each in device.components.values()),
            entry_id=entry_id,
        ),
        online=bool(full.online),
        in_use={
            str(component): frozenset(map(str, capabilities))
            for component, capabilities in full.status.items()
        },
    )


def _component(component: Any) -> RawComponent:
    category = component.user_category or component.manufacturer_category
    return RawComponent(
        id=str(component.id),
        label=str(component.label or component.id),
        capabilities=tuple(map(str, component.capabilities)),
        category=str(category) if category else None,
    )


def _event(event: Any) -> RawEvent:
    return RawEvent(
        device_id=str(event.device_id),
        component_id=str(event.component_id),
        capability=str(event.capability),
        attribute=str(event.attribute),
        value=event.value,
    )


def _availability(event: Any) -> tuple[str, bool]:
    """Return the device id, and whether the device is online.

    Home Assistant's integration uses the same rule: any status except `OFFLINE` means online.
    """
    return str(event.device_id), str(event.status) != _OFFLINE


def subscription_of(entry: ConfigEntry[Any]) -> object:
    """Return the id of the entry's event stream.

    None: the stream has ended. Empty text: the entry has never had a stream.
    """
    return entry.data.get(_SUBSCRIPTION, "")
