"""A probe that runs while a flow shows its progress."""

import asyncio
from typing import Any

from homeassistant.core import HomeAssistant

from .agent.openai_model import async_create_client
from .agent.probe import Probe, async_probe
from .connection import Connection


class PendingProbe:
    """At most one probe at a time."""

    def __init__(self) -> None:
        """Begin with none."""
        self._task: asyncio.Task[Probe] | None = None

    def run(self, hass: HomeAssistant, connection: Connection) -> asyncio.Task[Any] | None:
        """Return the task of the probe while it runs, None once it is done."""
        if self._task is None:
            self._task = hass.async_create_task(
                _async_probe(hass, connection), "SAGE model probe", eager_start=False
            )
        return None if self._task.done() else self._task

    def take(self) -> Probe:
        """Return the result and forget it; raises `ModelError`."""
        assert self._task is not None
        task, self._task = self._task, None
        return task.result()


async def _async_probe(hass: HomeAssistant, connection: Connection) -> Probe:
    client = await async_create_client(hass, connection.base_url, connection.api_key)
    return await async_probe(client, connection.model)
