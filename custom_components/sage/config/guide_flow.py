"""Subentry flows for a TV guide, and for the weather away from home."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import probatio
from aiohttp import ClientError, ClientTimeout
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntryState,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_NAME
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.selector import (
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    TextSelector,
    TextSelectorConfig,
)

from ..const import (
    CONF_CHANNEL_NUMBERS,
    CONF_REFRESH_HOURS,
    CONF_SOURCE,
    DEFAULT_REFRESH_HOURS,
    SUBENTRY_WEATHER,
)
from ..external.tv_guide.tv_guide import async_open_guide
from ..text.words import key

_NAME: Final = "TV guide"
_PROVIDER: Final = "Open-Meteo"
_TIMEOUT: Final = ClientTimeout(total=15.0)
_HOURS: Final = NumberSelector(
    NumberSelectorConfig(min=1, max=24 * 7, step=1, mode=NumberSelectorMode.BOX)
)
_LINES: Final = TextSelector(TextSelectorConfig(multiline=True))


class GuideSubentryFlow(ConfigSubentryFlow):
    """Adds or changes a TV guide in one form.

    The guide's file must exist, or its URL must respond; otherwise, the form shows an error.
    """

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Add a TV guide."""
        return await self._async_step_form("user", {CONF_NAME: _NAME}, user_input)

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Change a TV guide."""
        subentry = self._get_reconfigure_subentry()
        known = {CONF_NAME: subentry.title, **subentry.data}
        return await self._async_step_form("reconfigure", known, user_input)

    async def _async_step_form(
        self, step_id: str, known: Mapping[str, Any], user_input: dict[str, Any] | None
    ) -> SubentryFlowResult:
        if self._get_entry().state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        errors: dict[str, str] = {}
        if user_input is not None:
            errors = await self._async_errors(user_input)
            if not errors:
                return self._finish(user_input)
        return self.async_show_form(
            step_id=step_id, data_schema=_form({**known, **(user_input or {})}), errors=errors
        )

    async def _async_errors(self, user_input: Mapping[str, Any]) -> dict[str, str]:
        errors: dict[str, str] = {}
        if error := await _async_source_error(self.hass, user_input[CONF_SOURCE].strip()):
            errors[CONF_SOURCE] = error
        if channel_numbers(user_input.get(CONF_CHANNEL_NUMBERS, "")) is None:
            errors[CONF_CHANNEL_NUMBERS] = "channel_numbers_invalid"
        return errors

    def _finish(self, user_input: Mapping[str, Any]) -> SubentryFlowResult:
        data = {each: value for each, value in user_input.items() if each != CONF_NAME}
        data[CONF_SOURCE] = data[CONF_SOURCE].strip()
        title = user_input[CONF_NAME].strip() or _NAME
        if self.source == SOURCE_RECONFIGURE:
            return self.async_update_and_abort(
                self._get_entry(), self._get_reconfigure_subentry(), title=title, data=data
            )
        return self.async_create_entry(title=title, data=data)


class WeatherSubentryFlow(ConfigSubentryFlow):
    """Asks whether SAGE may send place names to the weather provider."""

    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> SubentryFlowResult:
        """Ask for consent, and add the weather provider."""
        entry = self._get_entry()
        if any(each.subentry_type == SUBENTRY_WEATHER for each in entry.subentries.values()):
            return self.async_abort(reason="already_configured")
        if user_input is None:
            return self.async_show_form(step_id="user", data_schema=probatio.Schema({}))
        return self.async_create_entry(title=_PROVIDER, data={})


def _form(shown: Mapping[str, Any]) -> probatio.Schema:
    numbers = {"suggested_value": shown.get(CONF_CHANNEL_NUMBERS, "")}
    return probatio.Schema(
        {
            probatio.Required(CONF_NAME, default=shown[CONF_NAME]): str,
            probatio.Required(CONF_SOURCE, default=shown.get(CONF_SOURCE, "")): str,
            probatio.Required(
                CONF_REFRESH_HOURS, default=shown.get(CONF_REFRESH_HOURS, DEFAULT_REFRESH_HOURS)
            ): _HOURS,
            probatio.Optional(CONF_CHANNEL_NUMBERS, description=numbers): _LINES,
        }
    )


async def _async_source_error(hass: HomeAssistant, source: str) -> str:
    """Return the translation key of an error for an unusable guide source; empty if usable."""
    if "://" in source:
        return await _async_address_error(hass, source)
    if not source.startswith("/"):
        return "source_invalid"
    if not await hass.async_add_executor_job(hass.config.is_allowed_path, source):
        return "path_not_allowed"
    return "" if await hass.async_add_executor_job(Path(source).is_file) else "no_such_file"


async def _async_address_error(hass: HomeAssistant, url: str) -> str:
    try:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return "source_invalid"
        session = async_get_clientsession(hass)
        async with async_open_guide(session, url, _TIMEOUT) as response:
            return "" if response.status == 200 else "source_refused"
    except ClientError, TimeoutError:
        return "source_unreachable"
    except ValueError:
        return "source_invalid"


def channel_numbers(text: str) -> dict[str, str] | None:
    """Parse lines `name = number`; return normalized name -> number.

    "BBC-One = 101" becomes {"bbc one": "101"}. Returns None if a line has another form.
    """
    numbers: dict[str, str] = {}
    for line in filter(str.strip, text.splitlines()):
        name, equals, number = line.rpartition("=")
        if not equals or not name.strip() or not number.strip():
            return None
        numbers[key(name)] = number.strip()
    return numbers
