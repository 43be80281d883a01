"""Read stores at startup, with retries and repair issues; check whether a backup is running.

A store is one SQLite file of SAGE, such as the file of the contacts.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HassJob, HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_call_later
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from .recovery import SetAside

_LOGGER: Final = logging.getLogger(__name__)

FIRST_PAUSE: Final = 5.0
LONGEST_PAUSE: Final = 300.0
"""Maximum pause between two attempts to read a store, in seconds."""

BACKUP_UNDER_WAY: Final[HassKey[bool]] = HassKey(f"{DOMAIN}_backup_under_way")


def is_backup_under_way(hass: HomeAssistant) -> bool:
    """Return whether a backup is copying files; stores must then be opened with `held=True`."""
    return BACKUP_UNDER_WAY in hass.data


def damage_report(hass: HomeAssistant, name: str) -> Callable[[SetAside], None]:
    """Return a callback that creates a repair issue after a damaged file was replaced.

    The issue's translation key is `<name>_missing` if the database file was missing or empty,
    otherwise `<name>_damaged`.
    """

    @callback
    def on_replaced(aside: SetAside) -> None:
        ir.async_create_issue(
            hass,
            DOMAIN,
            f"{name}_damaged_{aside.path.name}",
            is_fixable=False,
            is_persistent=True,
            severity=ir.IssueSeverity.ERROR,
            translation_key=f"{name}_missing" if aside.is_missing else f"{name}_damaged",
            translation_placeholders=aside.placeholders,
        )

    return on_replaced


class StoreReader:
    """Reads one store (an SQLite file) during setup; if this fails, retries in the background.

    A repair issue exists until reading succeeds.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        entry: ConfigEntry,
        *,
        issue: str,
        read: Callable[[], Awaitable[None]],
        errors: type[Exception],
        read_late: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Set the callbacks; `async_read` reads the store.

        `issue`: id and translation key of the repair issue; its text has the placeholder `{error}`.
        `read` raises one of `errors` on failure. `read_late` is called after `read` succeeded, but
        only if the first attempt failed.
        """
        self._hass = hass
        self._entry = entry
        self._issue = issue
        self._read = read
        self._errors = errors
        self._read_late = read_late
        self._pause = FIRST_PAUSE
        self._stop_timer: Callable[[], None] | None = None
        self._is_over = False

    async def async_read(self) -> bool:
        """Read the store; on failure, return False and try again in the background."""
        self._entry.async_on_unload(self._stop)
        if (error := await self._async_attempt()) is None:
            return True
        _LOGGER.warning("A store of SAGE cannot be read (%s): %s", self._issue, error)
        self._wait()
        return False

    async def _async_attempt(self) -> Exception | None:
        """Read once and update the repair issue; return the error, or None on success."""
        try:
            await self._read()
        except self._errors as err:
            if not self._is_over:
                ir.async_create_issue(
                    self._hass,
                    DOMAIN,
                    self._issue,
                    is_fixable=False,
                    severity=ir.IssueSeverity.ERROR,
                    translation_key=self._issue,
                    translation_placeholders={"error": str(err)},
                )
            return err
        ir.async_delete_issue(self._hass, DOMAIN, self._issue)
        return None

    def _wait(self) -> None:
        job = HassJob(self._begin, f"SAGE reads a store: {self._issue}", cancel_on_shutdown=True)
        self._stop_timer = async_call_later(self._hass, self._pause, job)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)

    @callback
    def _begin(self, _: datetime) -> None:
        self._stop_timer = None
        # Unloading the entry waits for its tasks.
        self._entry.async_create_task(self._hass, self._async_again(), f"SAGE reads {self._issue}")

    async def _async_again(self) -> None:
        error = await self._async_attempt()
        if self._is_over:
            return
        if error is not None:
            self._wait()
            return
        _LOGGER.info("A store of SAGE can be read again (%s)", self._issue)
        if self._read_late is not None:
            await self._read_late()

    @callback
    def _stop(self) -> None:
        self._is_over = True
        if self._stop_timer is not None:
            self._stop_timer()
            self._stop_timer = None
        ir.async_delete_issue(self._hass, DOMAIN, self._issue)
