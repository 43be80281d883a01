"""Work that can wait until nobody talks to SAGE."""

import asyncio
import contextvars
import logging
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HassJob, HomeAssistant, callback
from homeassistant.helpers.event import async_call_later

from .runs import Runs

_LOGGER = logging.getLogger(__name__)

QUIET_AFTER: Final = timedelta(minutes=5)
"""The home is quiet when the last run has been over for so long."""


class QuietTime:
    """Does a piece of work whenever the home has become quiet.

    Never at start, unless it is requested: only after runs, once each time. A run that begins
    meanwhile ends the work, since a model server at home serves one request after the other
    and the person comes first; it is then begun anew at the next quiet time. So the work must
    bear being cancelled.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry[Any],
        runs: Runs,
        work: Callable[[], Coroutine[Any, Any, object]],
        *,
        name: str,
        after: timedelta = QUIET_AFTER,
    ) -> None:
        """Prepare `work` as a task of the config entry; `name` tells it in logs."""
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
        """Begin to wait for runs; `stop` has to be called in the end."""
        self._stop_listening = self._runs.listen(self._look)

    @callback
    def stop(self) -> None:
        """Wait no longer, and end the work if it is under way."""
        if self._stop_listening is not None:
            self._stop_listening()
            self._stop_listening = None
        self._end()

    @callback
    def request(self) -> None:
        """Have the work done soon, also without a run before."""
        if not self._runs.is_active and self._stop_timer is None:
            self._wait()

    @callback
    def _look(self) -> None:
        """Wait anew when the last run is over; let go when one begins."""
        self._end()
        if not self._runs.is_active:
            self._wait()

    def _end(self) -> None:
        if self._stop_timer is not None:
            self._stop_timer()
            self._stop_timer = None
        if self._task is not None and not self._task.cancelling():
            self._task.cancel()

    def _wait(self) -> None:
        job = HassJob(self._begin, f"sage quiet time: {self._name}", cancel_on_shutdown=True)
        self._stop_timer = async_call_later(self._hass, self._after, job)

    @callback
    def _begin(self, _: datetime) -> None:
        self._stop_timer = None
        if not self._hass.is_running:
            return
        if self._task is not None and not self._task.done():
            # It takes its time to end.
            self._wait()
            return
        # The turn that began the last run must not lend the work its context.
        self._task = contextvars.Context().run(
            self._entry.async_create_background_task,
            self._hass,
            self._async_work(),
            f"sage quiet time: {self._name}",
        )

    async def _async_work(self) -> None:
        try:
            await self._work()
        except Exception:
            level = logging.DEBUG if self._has_failed else logging.WARNING
            _LOGGER.log(level, "Failed in a quiet time: %s", self._name, exc_info=True)
            self._has_failed = True
        else:
            self._has_failed = False
