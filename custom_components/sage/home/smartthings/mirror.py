"""A local copy of all SmartThings devices and their last reported values.

Values are fetched once, and then updated by events. They are fetched again if the event stream was
interrupted.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from homeassistant.core import HomeAssistant, callback

from .client import TIMEOUT, async_status
from .entry_shape import LoadedEntry, Remove
from .loaded_entries import LoadedEntries
from .mirrored_device import MirroredDevice
from .protocols import Attributes, EventListener
from .raw import CloudError, CloudErrorKind, RawComponent, RawDevice, RawEvent

_LOGGER: Final = logging.getLogger(__name__)

_AT_ONCE: Final = 3
"""Maximum number of concurrent requests for values."""

_ENOUGH: Final = 3
"""Number of consecutive failures after which the first fetch of all devices stops.

The values of the remaining devices are fetched when they are needed.
"""

_NO_ATTRIBUTES: Final[Attributes] = {}


class LiveMirror:
    """The local copy of all SmartThings devices, kept current by events.

    Implements `protocols.Mirror`.
    """

    def __init__(self, hass: HomeAssistant, entries: LoadedEntries) -> None:
        """Start to follow all `smartthings` config entries, including those loaded later."""
        self._hass = hass
        self._entries = entries
        self._homes: dict[str, dict[str, MirroredDevice]] = {}
        self._streams: dict[str, int] = {}
        self._seeding: dict[str, asyncio.Task[None]] = {}
        self._listeners: dict[str, list[EventListener]] = {}
        self._revision = 0
        self._stop_listening: Remove | None = entries.listen(self)

    @callback
    def close(self) -> None:
        """Drop all devices and cancel running fetches."""
        if self._stop_listening is not None:
            self._stop_listening()
            self._stop_listening = None
        for entry_id in list(self._homes):
            self.detached(entry_id)

    # Interface for readers (`protocols.Mirror`).

    @property
    def revision(self) -> int:
        """A counter that grows when devices, components or enabled capabilities change."""
        return self._revision

    def devices(self) -> tuple[RawDevice, ...]:
        """Return the devices of all loaded `smartthings` config entries."""
        mirrored = {
            device_id: each.device
            for home in reversed(self._homes.values())
            for device_id, each in home.items()
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
                CloudErrorKind.NOT_FOUND, "this device is in no loaded SmartThings entry"
            )
        if mirrored.error is not None:
            raise mirrored.error
        await self._async_fetch(mirrored)

    async def async_make_fresh(self, device_ids: Iterable[str]) -> None:
        """Fetch the outdated values of the devices, for at most `client.TIMEOUT` seconds.

        Never raises, even if fetches fail; check `is_fresh` afterwards.
        """
        wanted = deque(device_id for device_id in device_ids if not self.is_fresh(device_id))

        async def async_work() -> None:
            while wanted:
                if (mirrored := self._mirrored(wanted.popleft())) is not None:
                    await self._async_fetched(mirrored)

        with suppress(TimeoutError):
            async with asyncio.timeout(TIMEOUT):
                await asyncio.gather(*(async_work() for _ in range(min(_AT_ONCE, len(wanted)))))

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

    # Events of entries and devices (`EntryListener`).

    def attached(self, entry: LoadedEntry) -> None:
        """Add the devices of a config entry and start to fetch their values."""
        self.detached(entry.entry_id)
        self._homes[entry.entry_id] = {
            listed.device.id: MirroredDevice(listed) for listed in entry.devices
        }
        self._streams[entry.entry_id] = self._streams.get(entry.entry_id, 0) + 1
        self._revision += 1
        self._seeding[entry.entry_id] = self._hass.async_create_background_task(
            self._async_seed(entry.entry_id), "SAGE SmartThings values"
        )

    def detached(self, entry_id: str) -> None:
        """Drop the devices of a config entry and cancel their fetches."""
        if (seeding := self._seeding.pop(entry_id, None)) is not None:
            seeding.cancel()
        if (home := self._homes.pop(entry_id, None)) is None:
            return
        self._revision += 1
        for mirrored in home.values():
            if mirrored.fetching is not None:
                mirrored.fetching.cancel()

    def stream_changed(self, entry_id: str) -> None:
        """Mark all values of the config entry as outdated, because events may be missing."""
        self._streams[entry_id] = self._streams.get(entry_id, 0) + 1

    def reported(self, entry_id: str, event: RawEvent) -> None:
        """Store a reported value, then call the listeners of the device."""
        mirrored = self._homes.get(entry_id, {}).get(event.device_id)
        if mirrored is None:
            return
        if mirrored.take(event):
            self._revision += 1
        for listener in list(self._listeners.get(event.device_id, ())):
            try:
                listener(event)
            except Exception:
                _LOGGER.exception("A listener of a SmartThings device failed")

    def availability_changed(self, entry_id: str, device_id: str, online: bool) -> None:
        """Store whether the device is online."""
        if (mirrored := self._homes.get(entry_id, {}).get(device_id)) is not None:
            mirrored.online = online

    def device_changed(self, entry_id: str, device_id: str) -> None:
        """Mark the values of the device as outdated, because its profile may have changed."""
        if (mirrored := self._homes.get(entry_id, {}).get(device_id)) is not None:
            mirrored.distrust()

    def device_deleted(self, entry_id: str, device_id: str) -> None:
        """Remove a deleted device from the copy."""
        if self._homes.get(entry_id, {}).pop(device_id, None) is not None:
            self._revision += 1

    # Fetching.

    def _mirrored(self, device_id: str) -> MirroredDevice | None:
        for home in self._homes.values():
            if (mirrored := home.get(device_id)) is not None:
                return mirrored
        return None

    def _is_fresh(self, mirrored: MirroredDevice) -> bool:
        entry_id = mirrored.device.entry_id
        return self._entries.is_streaming(entry_id) and mirrored.is_fetched_since(
            self._streams.get(entry_id, 0)
        )

    async def _async_seed(self, entry_id: str) -> None:
        """Fetch the values of all devices of a config entry once, with a few requests at a time."""
        waiting = deque(self._homes[entry_id].values())
        failures = 0

        async def async_work() -> None:
            nonlocal failures
            while waiting and failures < _ENOUGH:
                fetched = await self._async_fetched(waiting.popleft())
                failures = 0 if fetched else failures + 1

        await asyncio.gather(*(async_work() for _ in range(_AT_ONCE)))

    async def _async_fetched(self, mirrored: MirroredDevice) -> bool:
        """Wait until the values of a device are fetched; return whether they are up to date.

        Concurrent callers share one fetch, which continues if a caller is cancelled.
        """
        if self._is_fresh(mirrored):
            return True
        if mirrored.fetching is None or mirrored.fetching.done():
            if not mirrored.may_ask:
                return False
            mirrored.fetching = self._hass.async_create_background_task(
                self._async_try_fetch(mirrored), "SAGE SmartThings status"
            )
        await asyncio.wait([mirrored.fetching])
        return not mirrored.fetching.cancelled() and mirrored.fetching.result()

    async def _async_try_fetch(self, mirrored: MirroredDevice) -> bool:
        try:
            await self._async_fetch(mirrored)
        except CloudError as error:
            _LOGGER.debug("No values of SmartThings device %s: %s", mirrored.device.id, error)
            return False
        return True

    async def _async_fetch(self, mirrored: MirroredDevice) -> None:
        entry_id = mirrored.device.entry_id
        client = self._entries.client(entry_id)
        if client is None:
            raise CloudError(
                CloudErrorKind.CONNECTION,
                "Home Assistant's SmartThings integration is not loaded",
            )
        stream = self._streams.get(entry_id, 0)
        try:
            with mirrored.begin() as fetch:
                values = await async_status(self._hass, client, mirrored.device.id)
                if fetch.bring(values, stream):
                    self._revision += 1
        except CloudError as error:
            mirrored.failed(error)
            raise
