"""A Home Assistant in this process with a large SmartThings home, whose cloud has its own thread.

Minutes pass at once: the clock of the event loop and the one that Home Assistant's timers look
at are moved on, so that whatever is due is done.
"""

import asyncio
import gc
import logging
import threading
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self

from homeassistant.bootstrap import async_setup_hass
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import event as timers
from homeassistant.runner import RuntimeConfig
from homeassistant.util import dt as dt_util

from custom_components.sage.home.home import Home
from custom_components.sage.home.smartthings.mirror import Mirror
from custom_components.sage.home.smartthings.provider import SmartThings

from .simulator.cloud import SimulatedCloud
from .simulator.connection import async_add_smartthings, async_point_at
from .simulator.home import load_home
from .simulator.stream import KEEPALIVE_EVERY

_PATIENCE: Final = 60.0
"""Seconds for what takes a moment on loopback."""

_AWHILE: Final = 0.05
"""Seconds in which what is due begins."""


class Clock:
    """A clock of the event loop and of Home Assistant's timers that can be moved on."""

    def __init__(self) -> None:
        self._ahead = 0.0

    @contextmanager
    def installed(self) -> Iterator[Clock]:
        """Let the running loop go by this clock."""
        loop = asyncio.get_running_loop()
        before = loop.time, timers.time_tracker_utcnow, timers.time_tracker_timestamp
        loop.time = self._monotonic  # type: ignore[method-assign]
        timers.time_tracker_utcnow = self._utcnow  # type: ignore[assignment]
        timers.time_tracker_timestamp = self._timestamp
        try:
            yield self
        finally:
            loop.time, timers.time_tracker_utcnow, timers.time_tracker_timestamp = before  # type: ignore[method-assign]

    async def async_pass(self, seconds: float) -> None:
        """Advance the clock, and start what is due."""
        self._ahead += seconds
        await asyncio.sleep(_AWHILE)

    def _monotonic(self) -> float:
        return time.monotonic() + self._ahead

    def _timestamp(self) -> float:
        return time.time() + self._ahead

    def _utcnow(self) -> datetime:
        return dt_util.utcnow() + timedelta(seconds=self._ahead)


class CloudThread(threading.Thread):
    """A thread in which the cloud is served, so that its time is not counted in the loop."""

    def __init__(self, home: str) -> None:
        super().__init__(name="simulated cloud", daemon=True)
        self.cloud = SimulatedCloud(load_home(home))
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()

    def __enter__(self) -> Self:
        self.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self.cloud.stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self.join()

    def run(self) -> None:
        """Serve until the loop is stopped."""
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self.cloud.start())
        self._ready.set()
        self._loop.run_forever()
        self._loop.close()

    def do(self, what: Callable[[], None]) -> None:
        """Let something happen at the cloud."""
        self._loop.call_soon_threadsafe(what)


@dataclass(frozen=True, slots=True, kw_only=True)
class SmartThingsHome:
    """The running home, all of it exposed to Assist."""

    hass: HomeAssistant
    thread: CloudThread
    entry: ConfigEntry[Any]
    """Of Home Assistant's integration."""

    clock: Clock

    @property
    def cloud(self) -> SimulatedCloud:
        """The cloud; what changes it has to be done in its thread."""
        return self.thread.cloud

    async def async_pass(self, minutes: float) -> None:
        """Let minutes pass in which nothing happens but the keepalives of the stream."""
        for _ in range(int(minutes * 60 / KEEPALIVE_EVERY)):
            await self.clock.async_pass(KEEPALIVE_EVERY)
            self.thread.do(self.cloud.stream.keep_alive)
            await self.async_settle()

    async def async_settle(self) -> None:
        """Return when all that the cloud has sent so far was handled."""
        # A word about a device that nobody knows comes after everything before it.
        marker, arrived = str(uuid.uuid4()), asyncio.Event()
        client = self.entry.runtime_data.client
        remove = client.add_device_availability_event_listener(marker, lambda _: arrived.set())
        self.thread.do(lambda: self.cloud.stream.publish_health(marker, online=True))
        async with asyncio.timeout(_PATIENCE):
            await arrived.wait()
        remove()
        await self.hass.async_block_till_done(wait_background_tasks=False)


@asynccontextmanager
async def smartthings_home(folder: Path) -> AsyncGenerator[SmartThingsHome]:
    """Run a Home Assistant with 60 SmartThings devices; `folder` is a laid out configuration."""
    # What Home Assistant misses on a machine without cameras is not of interest.
    logging.disable(logging.ERROR)
    thread = await asyncio.to_thread(CloudThread, "large")
    with thread, Clock().installed() as clock:
        hass = await async_setup_hass(RuntimeConfig(config_dir=str(folder), skip_pip=True))
        assert hass is not None
        try:
            await hass.async_start()
            logging.disable(logging.NOTSET)
            entry = await _async_connect(hass, thread.cloud)
            _expose(hass)
            # As in a home that has run for a while: what was made at the start is not collected
            # in the middle of what is measured.
            gc.collect()
            yield SmartThingsHome(hass=hass, thread=thread, entry=entry, clock=clock)
        finally:
            await hass.async_stop(force=True)


async def _async_connect(hass: HomeAssistant, cloud: SimulatedCloud) -> ConfigEntry[Any]:
    await async_point_at(hass, cloud)
    entry = await async_add_smartthings(hass, cloud)
    if entry.state is not ConfigEntryState.LOADED:
        raise RuntimeError(f"SmartThings could not be set up: {entry.reason}")
    async with asyncio.timeout(_PATIENCE):
        while not cloud.stream.connections:  # noqa: ASYNC110 - it is of another thread
            await asyncio.sleep(_AWHILE)
    await hass.async_block_till_done(wait_background_tasks=False)
    return entry


def _expose(hass: HomeAssistant) -> None:
    """Expose what SmartThings brought, and nothing else."""
    ours = {
        row.entity_id
        for row in er.async_get(hass).entities.values()
        if row.platform == "smartthings"
    }
    for entity_id in {*ours, *hass.states.async_entity_ids()}:
        async_expose_entity(hass, "conversation", entity_id, entity_id in ours)


def mirror_of(home: Home) -> Mirror:
    """Return SAGE's copy of the devices in the cloud."""
    extension = home.extension
    assert isinstance(extension, SmartThings)
    return extension.mirror
