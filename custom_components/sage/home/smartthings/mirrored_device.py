"""The devices of Home Assistant's `smartthings` config entries, and their cached state.

Only this file depends on the internals of these entries. It raises an exception if they are not as
expected.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry

from .client import Token, Values
from .raw import Attributes, CloudError, RawComponent, RawDevice, RawEvent, RawValue

_LOGGER: Final = logging.getLogger(__name__)

SMARTTHINGS: Final = "smartthings"

_SUBSCRIPTION: Final = "subscription_id"
"""Key in the data of the config entry; its value changes when the event stream is reopened."""

_OFFLINE: Final = "OFFLINE"

type Remove = Callable[[], None]

PAUSE: Final = 10.0
"""Seconds without requests after a failed fetch, if the cloud specifies no waiting time."""

_NO_ATTRIBUTES: Final[Attributes] = {}


@dataclass(slots=True)
class Fetch:
    """A fetch of all values of a device."""

    values: Values = field(default_factory=dict)
    events: list[RawEvent] = field(default_factory=list)
    """Reports that arrived during the fetch."""

    is_outdated: bool = False
    """Whether the values were marked as outdated during the fetch."""


class MirroredDevice:
    """The cached state of one device: enabled capabilities, values and availability."""

    def __init__(
        self, device: RawDevice, usable: tuple[RawComponent, ...], *, online: bool
    ) -> None:
        """Store the device as its config entry lists it; its values are unknown until a fetch.

        `usable`: the components and capabilities that Home Assistant's integration found enabled
        when it loaded the entry.
        """
        self.device = device
        self.usable = usable
        self.online = online
        self.fetching = asyncio.Lock()
        self.is_fetched = False
        """Whether the values were fetched since they were last marked as outdated."""

        self._values: Values = {}
        self._fetch: Fetch | None = None
        self._not_before = 0.0
        self._error: CloudError | None = None

    def attributes(self, component_id: str, capability: str) -> Attributes:
        """Return the last reported values of a capability; empty if unknown."""
        return self._values.get(component_id, {}).get(capability, _NO_ATTRIBUTES)

    def take(self, event: RawEvent) -> None:
        """Store a reported value."""
        if self._fetch is not None:
            # It is newer than the values that are being fetched.
            self._fetch.events.append(event)
        component = self._values.setdefault(event.component_id, {})
        attributes = component.setdefault(event.capability, {})
        before = attributes.get(event.attribute)
        unit = before.unit if before else ""
        attributes[event.attribute] = RawValue(value=event.value, unit=unit)

    @property
    def error(self) -> CloudError | None:
        """The error of the last fetch, while the pause after it lasts; else None."""
        return self._error if time.monotonic() < self._not_before else None

    @contextmanager
    def collecting(self) -> Iterator[Fetch]:
        """Return a new fetch of all values, which collects the reports that arrive meanwhile."""
        self._fetch = fetch = Fetch()
        try:
            yield fetch
        finally:
            self._fetch = None

    def put(self, fetch: Fetch) -> None:
        """Store the result of a fetch."""
        self._not_before = 0.0
        self._values = fetch.values
        self.is_fetched = not fetch.is_outdated
        for event in fetch.events:
            self.take(event)

    def failed(self, error: CloudError) -> None:
        """Store the error of a fetch and pause requests for the device."""
        self._error = error
        pause = PAUSE if error.retry_after is None else error.retry_after
        self._not_before = time.monotonic() + pause

    def distrust(self) -> None:
        """Mark the values as outdated, so that they are fetched at their next use."""
        self.is_fetched = False
        if self._fetch is not None:
            self._fetch.is_outdated = True


# ------------------------------------------------------------------ config entries


def read_devices(entry: ConfigEntry[Any]) -> dict[str, MirroredDevice]:
    """Return the devices of a loaded config entry, by their SmartThings ids."""
    devices = (_device(entry.entry_id, each) for each in entry.runtime_data.devices.values())
    return {each.device.id: each for each in devices}


def token_of(entry: ConfigEntry[Any]) -> Token:
    """Return the function of a loaded config entry that returns a valid access token."""
    client = entry.runtime_data.client
    if not callable(client.refresh_token_function):
        raise TypeError("the client has no function for the token")

    async def async_token() -> str:
        token: str = await client.refresh_token_function()
        return token

    return async_token


def subscription_of(entry: ConfigEntry[Any]) -> object:
    """Return the id of the entry's event stream.

    None: the stream has ended. Empty text: the entry has never had a stream.
    """
    return entry.data.get(_SUBSCRIPTION, "")


def listen(
    entry: ConfigEntry[Any],
    device_ids: Iterable[str],
    *,
    reported: Callable[[RawEvent], None],
    available: Callable[[str, bool], None],
    changed: Callable[[str], None],
    deleted: Callable[[str], None],
    removes: list[Remove],
) -> None:
    """Pass the events of a config entry on.

    - `reported`: gets each report of an attribute value
    - `available`: gets the id of a device, and whether it is online
    - `changed`: gets the id of a device that was renamed or got another device profile
    - `deleted`: gets the id of a deleted device
    - `removes`: a list; `listen` appends its functions for unsubscribing
    """
    client = entry.runtime_data.client

    def guarded(handle: Callable[[Any], None]) -> Callable[[Any], None]:
        def listener(event: Any) -> None:
            try:
                handle(event)
            # An exception would stop other callbacks or the event stream of pysmartthings.
            except Exception:
                _LOGGER.exception("SAGE cannot handle an event of SmartThings")

        return listener

    on_available = guarded(
        # Home Assistant's integration uses the same rule: anything else means online.
        lambda event: available(str(event.device_id), str(event.status) != _OFFLINE)
    )
    removes.append(
        client.add_unspecified_device_event_listener(guarded(lambda event: reported(_event(event))))
    )
    removes += [
        client.add_device_availability_event_listener(device_id, on_available)
        for device_id in device_ids
    ]
    for lifecycle, handle in (("DELETE", deleted), ("UPDATE", changed)):
        removes.append(client.add_device_lifecycle_event_listener(lifecycle, guarded(handle)))


def _device(entry_id: str, full: Any) -> MirroredDevice:
    components = tuple(_component(each) for each in full.device.components.values())
    # The integration leaves out the components and capabilities that the device has disabled.
    enabled = {
        str(component): frozenset(map(str, capabilities))
        for component, capabilities in full.status.items()
    }
    return MirroredDevice(
        RawDevice(
            id=str(full.device.device_id),
            label=str(full.device.label),
            components=components,
            entry_id=entry_id,
        ),
        tuple(
            replace(
                each,
                capabilities=tuple(name for name in each.capabilities if name in enabled[each.id]),
            )
            for each in components
            if each.id in enabled
        ),
        online=bool(full.online),
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
