"""Backups of memories and routines: their files stay unchanged while they are copied.

Changes during the backup go to the write-ahead log, so that neither the files nor the backup lose
anything (DESIGN 7 and 8).
"""

import logging

from homeassistant.core import HomeAssistant

from .const import DOMAIN
from .memory.long_term_memory import LongTermMemory
from .routines.routine_types import RoutineError
from .storage.store_state import BACKUP_UNDER_WAY, is_backup_under_way

_LOGGER = logging.getLogger(__name__)


async def async_pre_backup(hass: HomeAssistant) -> None:
    """Make each file self-contained and hold it; an error in a file does not stop the backup."""
    hass.data[BACKUP_UNDER_WAY] = True
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        await async_hold_while_copied(hass, entry.runtime_data.memory)
        try:
            await entry.runtime_data.routines.async_hold()
        except RoutineError as err:
            _LOGGER.warning(
                "The file of the routines is copied without its latest changes. %s", err
            )


async def async_post_backup(hass: HomeAssistant) -> None:
    """Release the files."""
    hass.data.pop(BACKUP_UNDER_WAY, None)
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        await entry.runtime_data.memory.files.async_release_all()
        try:
            await entry.runtime_data.routines.async_release()
        except RoutineError as err:
            _LOGGER.warning(
                "The file of the routines was copied without its latest changes. %s", err
            )


async def async_hold_while_copied(hass: HomeAssistant, memory: LongTermMemory) -> None:
    """Hold the files of a memory if a backup began before the memory was set up."""
    if is_backup_under_way(hass):
        await memory.files.async_hold_all()
