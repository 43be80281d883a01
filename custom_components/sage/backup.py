"""Freezes SAGE's files during a backup; new data stays in the SQLite write-ahead logs."""

import logging
from collections.abc import Awaitable

from homeassistant.core import HomeAssistant

from .const import DOMAIN
from .photos import PhotoAlbum, PhotoError
from .routines import RoutineError, Routines
from .run import SageConfigEntry
from .storage import BACKUP_UNDER_WAY

_LOGGER = logging.getLogger(__name__)


async def async_pre_backup(hass: HomeAssistant) -> None:
    """Write pending changes to SAGE's files, then freeze the files for the backup."""
    hass.data[BACKUP_UNDER_WAY] = True
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        await entry.runtime_data.memory.async_hold_all()
        for name, file in _files_of(entry).items():
            await _async_logged(name, file.async_hold())


async def async_post_backup(hass: HomeAssistant) -> None:
    """Allow writes to SAGE's files again, after the backup."""
    hass.data.pop(BACKUP_UNDER_WAY, None)
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        await entry.runtime_data.memory.async_release_all()
        for name, file in _files_of(entry).items():
            await _async_logged(name, file.async_release())


async def _async_logged(name: str, step: Awaitable[None]) -> None:
    """Only log an error, so that the backup continues."""
    try:
        await step
    except (RoutineError, PhotoError) as err:
        _LOGGER.warning("The %s is copied without its latest changes. %s", name, err)


def _files_of(entry: SageConfigEntry) -> dict[str, Routines | PhotoAlbum]:
    runtime = entry.runtime_data
    return {"file of the routines": runtime.routines, "file of the photos": runtime.photos}
