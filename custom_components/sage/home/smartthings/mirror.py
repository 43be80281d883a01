"""A local copy of all SmartThings devices and their last reported values.

It follows the loaded config entries of Home Assistant's `smartthings` integration. Values are
fetched once, and then updated by events. They are fetched again if the event stream was
interrupted. An entry with unexpected internals is ignored.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from homeassistant.config_entries import (
    SIGNAL_CONFIG_ENTRY_CHANGED,
    ConfigEntry,
    ConfigEntryChange,
    ConfigEntryState,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.dispatcher import async_dispatcher_connect, async_dispatcher_send

from ..extension import MAIN
from ..home_types import Component
from .client import RawClient
from .raw import (
    SMARTTHINGS,
    AttributePlace,
    Attributes,
    CloudError,
    CloudErrorKind,
    RawDevice,
    RawValue,
    ReportListener,
)

_LOGGER: Final = logging.getLogger(__name__)

_OFFLINE: Final = "OFFLINE"
_REPORTED: Final = "sage_smartthings_report_{}"  # dispatcher signal of a device
_AT_ONCE: Final = 3  # maximum number of concurrent requests for values
_PAUSE: Final = 10.0  # seconds without requests after a failed fetch, by default
_GRACE: Final = 0.5  # additional seconds for the client to time out first, as on a slow cloud
_REMOTE_CONTROL: Final = ("remoteControlStatus", "remoteControlEnabled")
"""Capability and attribute that report whether an appliance accepts remote commands."""

type Remove = Callable[[], object]


@dataclass(slots=True, kw_only=True)
class _Attachment:
    """A loaded `smartthings` config entry with its devices."""

    subscription: object  # id of the event stream, which a reopened one changes; None if ended
    devices: dict[str, RawDevice] = field(default_factory=dict)
    removes: list[Remove] = field(default_factory=list)


class Mirror:
    """The local copy of all SmartThings devices, kept current by events."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start without devices; `async_setup` adds those of the loaded config entries."""
        self._hass = hass
        self.client = RawClient(hass)
        self.revision = 0  # a counter that grows when devices appear or disappear
        self._attachments: dict[str, _Attachment] = {}
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._stop_watching: Remove | None = None

    @callback
    def async_setup(self) -> None:
        """Start to follow all config entries, also those that are loaded later. Never raises."""
        self._stop_watching = async_dispatcher_connect(
            self._hass, SIGNAL_CONFIG_ENTRY_CHANGED, self._entry_changed
        )
        for entry in self._hass.config_entries.async_entries(SMARTTHINGS):
            self._follow(entry)

    @callback
    def close(self) -> None:
        """Drop all devices; the entries stay loaded."""
        if self._stop_watching is not None:
            self._stop_watching()
            self._stop_watching = None
        for entry_id in list(self._attachments):
            self._detach(entry_id)

    # ------------------------------------------------------------- devices and values

    def devices(self) -> tuple[RawDevice, ...]:
        """Return the devices of all loaded `smartthings` config entries."""
        attachments = reversed(self._attachments.values())
        devices = {each.id: each for one in attachments for each in one.devices.values()}
        return tuple(devices.values())

    def device(self, device_id: str | None) -> RawDevice | None:
        """Return the device with this SmartThings id, or None if it is unknown."""
        for attachment in self._attachments.values():
            if device_id is not None and device_id in attachment.devices:
                return attachment.devices[device_id]
        return None

    def has(self, device_id: str, component_id: str, capability: str) -> bool:
        """Return whether the device has the capability, and it is enabled."""
        device = self.device(device_id)
        component = device.component(component_id) if device is not None else None
        return component is not None and capability in component.capabilities

    def attributes(self, device_id: str, component_id: str, capability: str) -> Attributes:
        """Return the last reported values of a capability; empty if unknown."""
        device = self.device(device_id)
        return device.values.get(component_id, {}).get(capability, {}) if device else {}

    def is_online(self, device_id: str) -> bool:
        """Return whether the cloud reports the device as online; False if unknown."""
        device = self.device(device_id)
        return device is not None and device.online

    def is_fresh(self, device_id: str) -> bool:
        """Return whether the values are up to date: fetched, without a later interruption."""
        device = self.device(device_id)
        attachment = self._attachments.get(device.entry_id) if device else None
        is_streaming = attachment is not None and attachment.subscription is not None
        return is_streaming and device is not None and device.is_fetched

    async def async_refresh(self, device_id: str) -> None:
        """Fetch a device's values in one request. Raises CloudError, for seconds the same one."""
        device = self.device(device_id)
        if device is None:
            raise CloudError(
                CloudErrorKind.REFUSED, "this device is in no loaded SmartThings entry"
            )
        await self._async_fetch(device, even_if_fresh=True)

    async def async_make_fresh(self, device_ids: Iterable[str]) -> None:
        """Fetch outdated values, for about `client.timeout` seconds; then check `is_fresh`."""
        stale = [
            device
            for device_id in device_ids
            if not self.is_fresh(device_id) and (device := self.device(device_id)) is not None
        ]
        if stale:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.client.timeout + _GRACE):
                    await asyncio.gather(*map(self._async_fetch, stale), return_exceptions=True)

    async def _async_fetch(self, device: RawDevice, *, even_if_fresh: bool = False) -> None:
        """Fetch the values of one device; concurrent callers wait for each other."""
        async with device.fetching, self._at_once:
            if self.is_fresh(device.id) and not even_if_fresh:
                return
            if device.error is not None and time.monotonic() < device.not_before:
                raise device.error
            doubts = device.doubts
            device.reports.clear()
            try:
                values = await self.client.async_status(device.entry_id, device.id)
            except CloudError as error:
                _LOGGER.debug("No values of %s: %s", device.id, error)
                pause = _PAUSE if error.retry_after is None else error.retry_after
                device.error, device.not_before = error, time.monotonic() + pause
                raise
            device.error, device.values = None, values
            device.is_fetched = device.doubts == doubts
        for place, value in device.reports:
            device.take(place, value)

    def is_remote_control_off(self, device_id: str, component_id: str) -> bool:
        """Return whether the component, else `main`, reports that remote control is off."""
        capability, attribute = _REMOTE_CONTROL
        for component in (component_id, MAIN):
            current = self.attributes(device_id, component, capability).get(attribute)
            if current is not None and current.value is not None:
                return str(current.value).casefold() == "false"
        return False

    @callback
    def listen(self, device_id: str, listener: ReportListener) -> Callable[[], None]:
        """Call the callback for each report of the device; return a function that removes it."""
        return async_dispatcher_connect(self._hass, _REPORTED.format(device_id), listener)

    # ------------------------------------------------------------- config entries

    @callback
    def _entry_changed(self, change: ConfigEntryChange, entry: ConfigEntry[Any]) -> None:
        if entry.domain == SMARTTHINGS:
            self._follow(entry, is_removed=change is ConfigEntryChange.REMOVED)

    def _follow(self, entry: ConfigEntry[Any], *, is_removed: bool = False) -> None:
        """Listen exactly if the entry is loaded; a new event stream makes its values outdated."""
        if is_removed or entry.state is not ConfigEntryState.LOADED:
            self._detach(entry.entry_id)
        elif (attachment := self._attachments.get(entry.entry_id)) is None:
            self._attach(entry)
        elif (subscription := _subscription_of(entry)) != attachment.subscription:
            attachment.subscription = subscription
            for device in attachment.devices.values():
                device.distrust()

    def _attach(self, entry: ConfigEntry[Any]) -> None:
        """Add the devices of a config entry and start to fetch their values."""
        attachment = _Attachment(subscription=_subscription_of(entry))
        try:
            devices = (_device(entry.entry_id, e) for e in entry.runtime_data.devices.values())
            attachment.devices = {each.id: each for each in devices}
            self._listen(entry, attachment)
        except Exception as error:  # noqa: BLE001 - whatever another shape may raise
            _remove_all(attachment.removes)
            _LOGGER.warning(
                "SAGE does not know the internals of a SmartThings entry (%s: %s); its devices are "
                "available through their entities only",
                type(error).__name__,
                error,
            )
            return
        self._attachments[entry.entry_id] = attachment
        self.revision += 1
        fetching = self._hass.async_create_background_task(
            self.async_make_fresh(list(attachment.devices)), "SAGE SmartThings values"
        )
        attachment.removes.append(fetching.cancel)

    def _listen(self, entry: ConfigEntry[Any], attachment: _Attachment) -> None:
        client, removes = entry.runtime_data.client, attachment.removes
        if not callable(client.refresh_token_function):
            raise TypeError("the client has no function for the token")
        removes.append(client.add_unspecified_device_event_listener(_guarded(self._reported)))
        for device_id in attachment.devices:
            removes.append(
                client.add_device_availability_event_listener(
                    device_id, _guarded(self._availability_changed)
                )
            )
        for lifecycle, handle in (("DELETE", self._deleted), ("UPDATE", self._changed)):
            removes.append(client.add_device_lifecycle_event_listener(lifecycle, _guarded(handle)))

    def _detach(self, entry_id: str) -> None:
        if (attachment := self._attachments.pop(entry_id, None)) is not None:
            _remove_all(attachment.removes)
            self.revision += 1

    # ------------------------------------------------------------- events

    def _reported(self, event: Any) -> None:
        place = AttributePlace(
            *map(str, (event.device_id, event.component_id, event.capability, event.attribute))
        )
        if (device := self.device(place.device_id)) is not None:
            device.take(place, event.value)
            async_dispatcher_send(self._hass, _REPORTED.format(device.id), place, event.value)

    def _availability_changed(self, event: Any) -> None:
        if (device := self.device(str(event.device_id))) is not None:
            # Home Assistant's integration uses the same rule: anything else means online.
            device.online = str(event.status) != _OFFLINE

    def _changed(self, device_id: str) -> None:
        if (device := self.device(device_id)) is not None:
            device.distrust()

    def _deleted(self, device_id: str) -> None:
        for attachment in self._attachments.values():
            if attachment.devices.pop(device_id, None) is not None:
                self.revision += 1


def _guarded(handle: Callable[..., None]) -> Callable[..., None]:
    """Return a listener that logs exceptions; they would stop the stream of pysmartthings."""

    def listener(*arguments: Any) -> None:
        try:
            handle(*arguments)
        except Exception:
            _LOGGER.exception("SAGE cannot handle an event of SmartThings")

    return listener


def _remove_all(removes: list[Remove]) -> None:
    for remove in removes:
        with suppress(Exception):
            remove()


# ------------------------------------------------------------------ internals of the config entries


def _subscription_of(entry: ConfigEntry[Any]) -> object:
    """Return the id of the event stream; None if it has ended, "" if there never was one."""
    return entry.data.get("subscription_id", "")


def _device(entry_id: str, full: Any) -> RawDevice:
    # The status leaves out the components and capabilities that the device has disabled.
    components = [each for each in full.device.components.values() if each.id in full.status]
    device_id = str(full.device.device_id)
    return RawDevice(
        id=device_id,
        entry_id=entry_id,
        online=bool(full.online),
        components=tuple(_component(device_id, each, full.status[each.id]) for each in components),
        values={
            str(component): {
                str(capability): {
                    str(name): RawValue(value=each.value, unit=each.unit or "")
                    for name, each in attributes.items()
                }
                for capability, attributes in capabilities.items()
            }
            for component, capabilities in full.status.items()
        },
    )


def _component(device_id: str, component: Any, enabled: Container[str]) -> Component:
    category = component.user_category or component.manufacturer_category
    is_main = str(component.id) == MAIN
    return Component(
        id=str(component.id),
        name="" if is_main else str(component.label or component.id),
        capabilities=tuple(str(each) for each in component.capabilities if each in enabled),
        kind=str(category).replace(" ", "").casefold() if category else None,
        source=SMARTTHINGS,
        source_id=device_id,
    )
