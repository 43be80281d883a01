"""Small JSON files in the folder `.storage`; a file that cannot be used never stops SAGE."""

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from homeassistant.exceptions import UnsupportedStorageVersionError
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.json import json_bytes
from homeassistant.helpers.storage import Store
from homeassistant.util import dt as dt_util
from homeassistant.util.json import json_loads_object

from ..helpers import show_issue
from .store_error import FileFault, StoreError, words_of

_LOGGER: Final = logging.getLogger(__name__)


class SmallStore(Store[dict[str, Any]]):
    """A JSON file in `.storage`; `async_load` renames an unusable one, with a repair issue."""

    async def async_load(self) -> dict[str, Any]:
        """Return the stored data, or an empty dict if there is none. Never raises."""
        try:
            await self.hass.async_add_executor_job(_check, Path(self.path))
            data = await super().async_load()
            if data is not None and not isinstance(data, Mapping):
                raise TypeError  # noqa: TRY301
        except Exception as err:  # noqa: BLE001
            await self._async_set_aside(_reason(err))
            return {}
        return data or {}

    async def async_save_now(self, data: dict[str, Any]) -> None:
        """Store data. Raises StoreError if it could not be written; `async_save` only logs it."""
        await self.async_save(data)
        if await self.async_load() != json_loads_object(json_bytes(data)):
            raise StoreError(
                "Nothing was stored: the disk is full or read-only. Free space on the disk of Home "
                "Assistant, then try again.",
                FileFault.FULL,
            )

    async def _async_set_aside(self, reason: str) -> None:
        """Rename the file, unchanged, and report the new name in a repair issue."""
        aside = Path(f"{self.path}.corrupt-{dt_util.utcnow():%Y%m%dT%H%M%S%fZ}")
        try:
            await self.hass.async_add_executor_job(os.rename, self.path, aside)
        except OSError as err:
            self.make_read_only()
            aside = Path(self.path)
            reason = f"{reason} It could not be renamed: {words_of(err)}."
        _LOGGER.warning("SAGE starts without its file %s. %s", self.key, reason)
        show_issue(
            self.hass,
            f"store_set_aside_{self.key}",
            "store_set_aside",
            ir.IssueSeverity.WARNING,
            {"file": self.key, "aside": aside.name, "error": reason},
            is_persistent=True,
        )


def _check(path: Path) -> None:
    """Raise an error for invalid JSON, which `Store` would rename without SAGE's knowledge."""
    if path.exists():
        json_loads_object(path.read_bytes())


def _reason(error: Exception) -> str:
    match error:
        case UnsupportedStorageVersionError():
            return "The file is of a newer version of SAGE."
        case OSError():
            return f"The file could not be read: {words_of(error)}."
    return "The file is damaged."
