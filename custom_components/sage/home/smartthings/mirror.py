"""A local copy of all SmartThings devices and their last reported values.

It follows the loaded config entries of Home Assistant's `smartthings` integration. Values are
fetched once, and then updated by events. They are fetched again if the event stream was
interrupted. An entry with unexpected internals is ignored and causes a repair issue.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
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
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.dispatcher import async_dispatcher_connect

from ...const import DOMAIN
from .client import RawClient, Token
from .mirrored_device import (
    SMARTTHINGS,
    MirroredDevice,
    Remove,
    listen,
    read_devices,
    subscription_of,
    token_of,
)
from .raw import (
    MAIN,
    Attributes,
    CloudError,
    CloudErrorKind,
    EventListener,
    RawComponent,
    RawDevice,
    RawEvent,
)

_LOGGER: Final = logging.getLogger(__name__)

ISSUE: Final = "smartthings_changed"

_AT_ONCE: Final = 3
"""Maximum number of concurrent requests for values."""

_ENOUGH: Final = 3
"""Number of consecutive failures after which no further devices are fetched.

Their values are fetched when they are needed.
"""

_GRACE: Final = 0.5
"""Additional seconds for the client to time out first: then it is known that the cloud is slow."""

_NO_ATTRIBUTES: Final[Attributes] = {}

_REMOTE_CONTROL: Final = ("remoteControlStatus", "remoteControlEnabled")
"""Capability and attribute that report whether an appliance accepts remote commands."""


@dataclass(slots=True, kw_only=True)
class _Attachment:
    """A loaded `smartthings` config entry with its devices."""

    subscription: object
    """Id of the event stream; None if it has ended."""

    devices: dict[str, MirroredDevice]
    removes: list[Remove] = field(default_factory=list)
    seeding: asyncio.Task[None] | None = None


class Mirror:
    """The local copy of all SmartThings devices, kept current by events."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Start without devices; `async_setup` adds those of the loaded config entries."""
        self._hass = hass
        self.tokens: dict[str, Token] = {}
        self.client = RawClient(hass, self.tokens)
        self._attachments: dict[str, _Attachment] = {}
        self._listeners: dict[str, list[EventListener]] = {}
        self._revision = 0
        self._stop_watching: Remove | None = None

    @callback
    def async_setup(self) -> None:
        """Start to follow all config entries, also those that are loaded later. Never raises."""
        if self._stop_watching is not None:
            return
        self._stop_watching = async_dispatcher_connect(
            self._hass, SIGNAL_CONFIG_ENTRY_CHANGED, self._entry_changed
        )
        for entry in self._hass.config_entries.async_entries(SMARTTHINGS):
            self._follow(entry)

    @callback
    def close(self) -> None:
        """Drop all devices, and delete the repair issue; the entries stay loaded."""
        if self._stop_watching is not None:
            self._stop_watching()
            self._stop_watching = None
        for entry_id in list(self._attachments):
            self._detach(entry_id)
        ir.async_delete_issue(self._hass, DOMAIN, ISSUE)

    # ------------------------------------------------------------- devices and values

    @property
    def revision(self) -> int:
        """A counter that grows when devices appear or disappear."""
        return self._revision

    def devices(self) -> tuple[RawDevice, ...]:
        """Return the devices of all loaded `smartthings` config entries."""
        mirrored = {
            device_id: each.device
            for attachment in reversed(self._attachments.values())
            for device_id, each in attachment.devices.items()
        }
        return tuple(mirrored.values())

    def device(self, device_id: str) -> RawDevice | None:
        """Return the device with this SmartThings id, or None if it is unknown."""
        mirrored = self._mirrored(device_id)
        return mirrored.device if mirrored else None

    def usable(self, device_id: str) -> tuple[RawComponent, ...]:
        """Return the device's enabled components with their enabled capabilities.

        Empty if the device is unknown.
        """
        mirrored = self._mirrored(device_id)
        return mirrored.usable if mirrored else ()

    def attributes(self, device_id: str, component_id: str, capability: str) -> Attributes:
        """Return the last reported values of a capability; empty if unknown."""
        mirrored = self._mirrored(device_id)
        return mirrored.attributes(component_id, capability) if mirrored else _NO_ATTRIBUTES

    def is_online(self, device_id: str) -> bool:
        """Return whether the cloud reports the device as online; False if unknown."""
        mirrored = self._mirrored(device_id)
        return mirrored is not None and mirrored.online

    def is_fresh(self, device_id: str) -> bool:
        """Return whether the device's values are up to date.

        False before the first fetch, and after an interruption of the event stream.
        """
        mirrored = self._mirrored(device_id)
        return mirrored is not None and self._is_fresh(mirrored)

    async def async_refresh(self, device_id: str) -> None:
        """Fetch all values of a device with one request to the cloud. Raises CloudError.

        After a failure, it raises the same error for some seconds, without a request.
        """
        mirrored = self._mirrored(device_id)
        if mirrored is None:
            raise CloudError(
                CloudErrorKind.REFUSED, "this device is in no loaded SmartThings entry"
            )
        await self._async_fetch(mirrored, even_if_fresh=True)

    async def async_make_fresh(self, device_ids: Iterable[str]) -> None:
        """Fetch the outdated values of the devices, for about `client.timeout` seconds at most.

        Never raises, even if fetches fail; check `is_fresh` afterwards.
        """
        stale = deque(
            mirrored
            for device_id in device_ids
            if (mirrored := self._mirrored(device_id)) is not None
            and not self._is_fresh(mirrored)
            and mirrored.error is None
        )
        if stale:
            with suppress(TimeoutError):
                async with asyncio.timeout(self.client.timeout + _GRACE):
                    await self._async_fetch_all(stale)

    def is_remote_control_off(self, device_id: str, component_id: str) -> bool:
        """Return whether the appliance reports that remote control is off; False if unknown.

        Without a value of the component, the value of the component `main` counts.
        """
        capability, attribute = _REMOTE_CONTROL
        for component in dict.fromkeys((component_id, MAIN)):
            current = self.attributes(device_id, component, capability).get(attribute)
            if current is not None and current.value is not None:
                return str(current.value).casefold() == "false"
        return False

    @callback
    def listen(self, device_id: str, listener: EventListener) -> Callable[[], None]:
        """Call the listener for each report of the device; return a function that removes it."""
        self._listeners.setdefault(device_id, []).append(listener)

        def end() -> None:
            listeners = self._listeners.get(device_id, [])
            with suppress(ValueError):
                listeners.remove(listener)
            if not listeners:
                self._listeners.pop(device_id, None)

        return end

    # ------------------------------------------------------------- config entries

    @callback
    def _entry_changed(self, change: ConfigEntryChange, entry: ConfigEntry[Any]) -> None:
        if entry.domain == SMARTTHINGS:
            self._follow(entry, is_removed=change is ConfigEntryChange.REMOVED)

    def _follow(self, entry: ConfigEntry[Any], *, is_removed: bool = False) -> None:
        """Start listening if the entry is loaded, and stop if it is not.

        If it is already listened to, its values are outdated if it has a new event stream.
        """
        if is_removed or entry.state is not ConfigEntryState.LOADED:
            self._detach(entry.entry_id)
            ir.async_delete_issue(self._hass, DOMAIN, ISSUE)
        elif (attachment := self._attachments.get(entry.entry_id)) is None:
            self._attach(entry)
        elif (subscription := subscription_of(entry)) != attachment.subscription:
            attachment.subscription = subscription
            for mirrored in attachment.devices.values():
                mirrored.distrust()

    def _attach(self, entry: ConfigEntry[Any]) -> None:
        """Add the devices of a config entry and start to fetch their values."""
        removes: list[Remove] = []
        try:
            token = token_of(entry)
            attachment = _Attachment(
                subscription=subscription_of(entry),
                devices=read_devices(entry),
                removes=removes,
            )
            listen(
                entry,
                attachment.devices,
                reported=self._reported,
                available=self._availability_changed,
                changed=self._device_changed,
                deleted=self._device_deleted,
                removes=removes,
            )
        except Exception as error:  # noqa: BLE001 - whatever another shape may raise
            _remove_all(removes)
            self._report_unfit(error)
            return
        ir.async_delete_issue(self._hass, DOMAIN, ISSUE)
        self._attachments[entry.entry_id] = attachment
        self.tokens[entry.entry_id] = token
        self._revision += 1
        attachment.seeding = self._hass.async_create_background_task(
            self._async_fetch_all(deque(attachment.devices.values())), "SAGE SmartThings values"
        )

    def _detach(self, entry_id: str) -> None:
        """Drop the devices of a config entry; nothing of an unloaded entry may be used."""
        if (attachment := self._attachments.pop(entry_id, None)) is None:
            return
        del self.tokens[entry_id]
        _remove_all(attachment.removes)
        if attachment.seeding is not None:
            attachment.seeding.cancel()
        self._revision += 1

    def _report_unfit(self, error: Exception) -> None:
        """Create the repair issue about an entry with unexpected internals, and log the error."""
        if ir.async_get(self._hass).async_get_issue(DOMAIN, ISSUE) is not None:
            return
        _LOGGER.warning(
            "SAGE does not know the internals of a SmartThings entry (%s: %s); its devices are "
            "available through their entities only",
            type(error).__name__,
            error,
        )
        ir.async_create_issue(
            self._hass,
            DOMAIN,
            ISSUE,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=ISSUE,
        )

    # ------------------------------------------------------------- events

    def _reported(self, event: RawEvent) -> None:
        mirrored = self._mirrored(event.device_id)
        if mirrored is None:
            return
        mirrored.take(event)
        for listener in list(self._listeners.get(event.device_id, ())):
            try:
                listener(event)
            except Exception:
                _LOGGER.exception("A listener of a SmartThings device failed")

    def _availability_changed(self, device_id: str, online: bool) -> None:
        if (mirrored := self._mirrored(device_id)) is not None:
            mirrored.online = online

    def _device_changed(self, device_id: str) -> None:
        if (mirrored := self._mirrored(device_id)) is not None:
            mirrored.distrust()

    def _device_deleted(self, device_id: str) -> None:
        for attachment in self._attachments.values():
            if attachment.devices.pop(device_id, None) is not None:
                self._revision += 1

    # ------------------------------------------------------------- fetching

    def _mirrored(self, device_id: str) -> MirroredDevice | None:
        for attachment in self._attachments.values():
            if (mirrored := attachment.devices.get(device_id)) is not None:
                return mirrored
        return None

    def _is_fresh(self, mirrored: MirroredDevice) -> bool:
        attachment = self._attachments.get(mirrored.device.entry_id)
        is_streaming = attachment is not None and attachment.subscription is not None
        return is_streaming and mirrored.is_fetched

    async def _async_fetch_all(self, waiting: deque[MirroredDevice]) -> None:
        """Fetch the outdated values of these devices, with a few requests at a time."""
        failures = 0

        async def async_work() -> None:
            nonlocal failures
            while waiting and failures < _ENOUGH:
                mirrored = waiting.popleft()
                try:
                    await self._async_fetch(mirrored)
                except CloudError as error:
                    _LOGGER.debug("No values of %s: %s", mirrored.device.label, error)
                    failures += 1
                else:
                    failures = 0

        await asyncio.gather(*(async_work() for _ in range(min(_AT_ONCE, len(waiting)))))

    async def _async_fetch(self, mirrored: MirroredDevice, *, even_if_fresh: bool = False) -> None:
        """Fetch the values of one device; concurrent callers wait for each other."""
        async with mirrored.fetching:
            if self._is_fresh(mirrored) and not even_if_fresh:
                return
            if (last := mirrored.error) is not None:
                raise last
            with mirrored.collecting() as fetch:
                try:
                    fetch.values = await self.client.async_status(
                        mirrored.device.entry_id, mirrored.device.id
                    )
                except CloudError as error:
                    mirrored.failed(error)
                    raise
            mirrored.put(fetch)


def _remove_all(removes: list[Remove]) -> None:
    for remove in removes:
        with suppress(Exception):
            remove()
