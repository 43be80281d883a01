"""The TV guides, and the weather away from home: their subentry flows and their set-up."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import probatio
from aiohttp import ClientError, ClientTimeout
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigSubentry,
    ConfigSubentryFlow,
    SubentryFlowResult,
)
from homeassistant.const import CONF_NAME
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.selector import (
    TextSelector,
    TextSelectorConfig,
)
from homeassistant.helpers.start import async_at_started

from ..const import (
    CONF_BASE_URL,
    CONF_CHANNEL_NUMBERS,
    CONF_GEOCODING_URL,
    CONF_SOURCE,
    DOMAIN,
    SUBENTRY_TV_GUIDE,
    SUBENTRY_WEATHER,
)
from ..embeddings.embedder import Embedder
from ..external.place_weather import FORECAST_URL, GEOCODING_URL, PlaceWeather
from ..external.tv_guide.tv_guide import GuideSettings, TvGuide, async_open_guide
from ..external.tv_guide.xmltv import GuideError
from ..storage.database import remove_files
from ..text.words import key
from .flow_forms import escaped

_FOLDER: Final = (DOMAIN, "guides")
"""Folder in Home Assistant's cache; excluded from backups, because guides are fetched again."""

_HOUR: Final = timedelta(hours=1)
_ISSUE: Final = "tv_guide_not_read"
_NAME: Final = "TV guide"
_PROVIDER: Final = "Open-Meteo"
_TIMEOUT: Final = ClientTimeout(total=15.0)
_LINES: Final = TextSelector(TextSelectorConfig(multiline=True))


def make_place_weather(hass: HomeAssistant, entry: ConfigEntry) -> PlaceWeather | None:
    """Return the client for the weather away from home; None if it is not configured.

    Sends no request.
    """
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_WEATHER:
            return PlaceWeather(
                async_get_clientsession(hass),
                hass.config.units,
                forecast_url=subentry.data.get(CONF_BASE_URL, FORECAST_URL),
                geocoding_url=subentry.data.get(CONF_GEOCODING_URL, GEOCODING_URL),
            )
    return None


async def async_make_guides(
    hass: HomeAssistant, entry: ConfigEntry, embedder: Embedder
) -> tuple[TvGuide, ...]:
    """Return the TV guides of the entry; downloads nothing.

    Deletes the files of guides that were removed from the entry.
    """
    subentries = [
        each for each in entry.subentries.values() if each.subentry_type == SUBENTRY_TV_GUIDE
    ]
    folder = Path(hass.config.cache_path(*_FOLDER))
    known = {f"{each.subentry_id}.db" for each in subentries}
    for removed in await hass.async_add_executor_job(_discard_others, folder, known):
        ir.async_delete_issue(hass, DOMAIN, f"{_ISSUE}_{removed}")
    return tuple(_guide(hass, each, folder, embedder) for each in subentries)


@callback
def async_keep_guides(hass: HomeAssistant, entry: ConfigEntry, guides: tuple[TvGuide, ...]) -> None:
    """Refresh outdated TV guides: after the start of Home Assistant, and then every hour.

    Stops when the entry is unloaded.
    """

    async def async_look() -> None:
        for guide in guides:
            await guide.async_keep()

    @callback
    def look(_: object = None) -> None:
        entry.async_create_background_task(hass, async_look(), "TV guides of SAGE")

    if guides:
        entry.async_on_unload(async_at_started(hass, look))
        entry.async_on_unload(async_track_time_interval(hass, look, _HOUR))


def _guide(
    hass: HomeAssistant, subentry: ConfigSubentry, folder: Path, embedder: Embedder
) -> TvGuide:
    data = subentry.data
    issue = f"{_ISSUE}_{subentry.subentry_id}"

    @callback
    def report(error: GuideError | None) -> None:
        if error is None:
            ir.async_delete_issue(hass, DOMAIN, issue)
            return
        ir.async_create_issue(
            hass,
            DOMAIN,
            issue,
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=_ISSUE,
            translation_placeholders={
                "name": escaped(subentry.title),
                "error": escaped(str(error)),
            },
        )

    return TvGuide(
        hass,
        GuideSettings(
            id=subentry.subentry_id,
            title=subentry.title,
            source=data[CONF_SOURCE],
            numbers=channel_numbers(data.get(CONF_CHANNEL_NUMBERS, "")) or {},
        ),
        folder,
        async_get_clientsession(hass),
        embedder,
        report,
    )


def _discard_others(folder: Path, known: set[str]) -> list[str]:
    """Delete the files of removed guides; return the ids of these guides."""
    others = [each for each in folder.glob("*.db") if each.name not in known]
    for each in others:
        remove_files(each)
    return [each.stem for each in others]


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
