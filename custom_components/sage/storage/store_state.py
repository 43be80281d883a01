"""Read stores at startup, with retries and repair issues; check whether a backup is running.

A store is an SQLite file of SAGE, such as that of the contacts.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN
from .async_file import OnReplaced

_LOGGER: Final = logging.getLogger(__name__)

RETRY: Final = timedelta(seconds=10)
"""Interval at which SAGE tries again to read a store."""

BACKUP_UNDER_WAY: Final[HassKey[bool]] = HassKey(f"{DOMAIN}_backup_under_way")


def is_backup_under_way(hass: HomeAssistant) -> bool:
    """Return whether a backup is copying files; stores must then be opened with `held=True`."""
    return BACKUP_UNDER_WAY in hass.data


def damage_report(hass: HomeAssistant, name: str) -> OnReplaced:
    """Return a callback that creates a repair issue after a damaged file was replaced.

    The issue's translation key is `<name>_damaged`.
    """

    @callback
    def on_replaced(aside: Path, rows: int) -> None:
        ir.async_create_issue(
            hass,
            DOMAIN,
            f"{name}_damaged_{aside.name}",
            is_fixable=False,
            is_persistent=True,
            severity=ir.IssueSeverity.ERROR,
            translation_key=f"{name}_damaged",
            translation_placeholders={"file": aside.name, "rows": str(rows)},
        )

    return on_replaced


async def async_read_store(
    hass: HomeAssistant,
    entry: ConfigEntry,
    *,
    issue: str,
    read: Callable[[], Awaitable[None]],
    errors: type[Exception],
    read_late: Callable[[], Awaitable[None]] | None = None,
) -> bool:
    """Read an SQLite file during setup; on failure, return False and try again in the background.

    `issue`: id and translation key of a repair issue, which exists until reading succeeds; its text
    has the placeholder `{error}`. `read` raises one of `errors` on failure. `read_late` is called
    after `read` succeeded, but only if the first attempt failed.
    """
    is_over = False

    async def async_attempt() -> Exception | None:
        try:
            await read()
        except errors as err:
            if not is_over:
                ir.async_create_issue(
                    hass,
                    DOMAIN,
                    issue,
                    is_fixable=False,
                    severity=ir.IssueSeverity.ERROR,
                    translation_key=issue,
                    translation_placeholders={"error": str(err)},
                )
            return err
        ir.async_delete_issue(hass, DOMAIN, issue)
        return None

    async def async_again() -> None:
        if is_over or await async_attempt() is not None or is_over:
            return
        stop()
        _LOGGER.info("A store of SAGE can be read again (%s)", issue)
        if read_late is not None:
            await read_late()

    @callback
    def stop() -> None:
        nonlocal is_over
        is_over = True
        stop_retrying()
        ir.async_delete_issue(hass, DOMAIN, issue)

    if (error := await async_attempt()) is None:
        return True
    _LOGGER.warning("A store of SAGE cannot be read (%s): %s", issue, error)

    @callback
    def begin(_: datetime) -> None:
        # Unloading the entry waits for its tasks.
        entry.async_create_task(hass, async_again(), f"SAGE reads {issue}")

    stop_retrying = async_track_time_interval(hass, begin, RETRY, cancel_on_shutdown=True)
    entry.async_on_unload(stop)
    return False
