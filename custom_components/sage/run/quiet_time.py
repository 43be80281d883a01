"""Executes background jobs while SAGE processes no command."""

import asyncio
import contextvars
import logging
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HassJob, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later

from .run_registry import RunRegistry

_LOGGER = logging.getLogger(__name__)

QUIET_AFTER: Final = timedelta(minutes=5)
"""Time without a command after which background jobs start."""


class QuietTime:
    """Executes a background job once in each idle period of SAGE.

    The job starts some minutes after the last command. A new command cancels it.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry[Any],
        runs: RunRegistry,
        work: Callable[[], Coroutine[Any, Any, object]],
        *,
        name: str,
        after: timedelta = QUIET_AFTER,
    ) -> None:
        """Prepare the job `work`, which will run as a background task of the config entry.

        `after`: the duration of the timer. `name`: the name of the job in the log.
        """
        self._hass = hass
        self._entry = entry
        self._runs = runs
        self._work = work
        self._name = name
        self._after = after
        self._stop_listening: Callable[[], None] | None = None
        self._stop_timer: Callable[[], None] | None = None
        self._task: asyncio.Task[None] | None = None
        self._has_failed = False

    @callback
    def start(self) -> None:
        """Start to watch for idle periods, until `stop` is called."""
        self._stop_listening = self._runs.listen(self.restart)

    @callback
    def stop(self) -> None:
        """Stop watching for idle periods; cancel the timer and the job."""
        if self._stop_listening is not None:
            self._stop_listening()
            self._stop_listening = None
        self._end()

    @callback
    def request(self) -> None:
        """Start the job's timer now.

        Does nothing if the timer already runs, or a command is in progress.
        """
        if not self._runs.is_active and self._stop_timer is None:
            self._wait(self._after)

    @callback
    def restart(self, after: timedelta | None = None) -> None:
        """Cancel timer and job; restart the timer if no run is active.

        `after`: the duration of the timer, if it is not the usual one.
        """
        self._end()
        if not self._runs.is_active:
            self._wait(after or self._after)

    def _end(self) -> None:
        if self._stop_timer is not None:
            self._stop_timer()
            self._stop_timer = None
        task = self._task
        # The job itself may restart the timer.
        if task is not None and task is not asyncio.current_task() and not task.cancelling():
            # A local model server handles one request at a time.
            task.cancel()

    def _wait(self, after: timedelta) -> None:
        job = HassJob(self.begin, f"sage quiet time: {self._name}", cancel_on_shutdown=True)
        self._stop_timer = async_call_later(self._hass, after, job)

    @callback
    def begin(self, _: datetime | None = None) -> None:
        """Execute the job now, if no command is in progress."""
        self._stop_timer = None
        if not self._hass.is_running or self._runs.is_active:
            return
        if self._task is not None and not self._task.done():
            # The cancelled task has not ended yet.
            self._wait(self._after)
            return
        # Use an empty context, so that the job does not inherit context variables of a run.
        self._task = contextvars.Context().run(
            self._entry.async_create_background_task,
            self._hass,
            self._async_work(),
            f"sage quiet time: {self._name}",
        )
        self._task.add_done_callback(self._ended)

    @callback
    def _ended(self, task: asyncio.Task[None]) -> None:
        """Drop the finished task, whose exception would keep this object alive."""
        if self._task is task:
            self._task = None

    async def _async_work(self) -> None:
        try:
            await self._work()
        except Exception:
            level = logging.DEBUG if self._has_failed else logging.WARNING
            _LOGGER.log(level, "Failed in a quiet time: %s", self._name, exc_info=True)
            self._has_failed = True
        else:
            self._has_failed = False
