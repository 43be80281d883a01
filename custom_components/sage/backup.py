"""Freezes SAGE's files during a backup; new data stays in the SQLite write-ahead logs."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from homeassistant.core import HomeAssistant

from .const import DOMAIN
from .storage import BACKUP_UNDER_WAY, AsyncFile, StoreError

_LOGGER: Final = logging.getLogger(__name__)


async def async_pre_backup(hass: HomeAssistant) -> None:
    """Write pending changes to SAGE's files, then freeze the files for the backup."""
    hass.data[BACKUP_UNDER_WAY] = True
    await _async_each(hass, AsyncFile.async_hold)


async def async_post_backup(hass: HomeAssistant) -> None:
    """Allow writes to SAGE's files again, after the backup."""
    hass.data.pop(BACKUP_UNDER_WAY, None)
    await _async_each(hass, AsyncFile.async_release)


async def _async_each(
    hass: HomeAssistant, step: Callable[[AsyncFile[Any]], Awaitable[None]]
) -> None:
    """Take a step with each file; only log an error, so that the backup continues."""
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        runtime = entry.runtime_data
        for file in (*runtime.memory.files, runtime.routines.registry, runtime.photos):
            try:
                await step(file)
            except StoreError as err:
                _LOGGER.warning("A file is copied without its latest changes. %s", err)
