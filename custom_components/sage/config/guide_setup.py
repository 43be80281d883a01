"""Create the TV guides, and the client for the weather away from home."""

from datetime import timedelta
from pathlib import Path
from typing import Final

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.start import async_at_started

from ..const import (
    CONF_BASE_URL,
    CONF_CHANNEL_NUMBERS,
    CONF_EMBEDDINGS,
    CONF_GEOCODING_URL,
    CONF_REFRESH_HOURS,
    CONF_SOURCE,
    DEFAULT_REFRESH_HOURS,
    DOMAIN,
    SUBENTRY_TV_GUIDE,
    SUBENTRY_WEATHER,
)
from ..embeddings.embedder import Embedder
from ..embeddings.minilm import BuiltinEmbedder
from ..external.place_weather import (
    FORECAST_URL,
    GEOCODING_URL,
    OpenMeteo,
    PlaceWeather,
    WeatherUnits,
)
from ..external.tv_guide.guide_file import discard
from ..external.tv_guide.tv_guide import GuideSettings, TvGuide
from ..external.tv_guide.xmltv import GuideError
from .embedders import async_server_embedder
from .flow_forms import escaped
from .guide_flow import channel_numbers

_FOLDER: Final = (DOMAIN, "guides")
"""Folder in Home Assistant's cache; excluded from backups, because guides are fetched again."""

_HOUR: Final = timedelta(hours=1)
_ISSUE: Final = "tv_guide_not_read"


def make_place_weather(hass: HomeAssistant, entry: ConfigEntry) -> PlaceWeather | None:
    """Return the client for the weather away from home; None if it is not configured.

    Sends no request.
    """
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_WEATHER:
            provider = OpenMeteo(
                async_get_clientsession(hass),
                forecast_url=subentry.data.get(CONF_BASE_URL, FORECAST_URL),
                geocoding_url=subentry.data.get(CONF_GEOCODING_URL, GEOCODING_URL),
            )
            units = hass.config.units
            return PlaceWeather(
                provider,
                WeatherUnits(
                    temperature=units.temperature_unit,
                    wind_speed=units.wind_speed_unit,
                    precipitation=units.accumulated_precipitation_unit,
                ),
            )
    return None


async def async_make_guides(hass: HomeAssistant, entry: ConfigEntry) -> tuple[TvGuide, ...]:
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
    if not subentries:
        return ()
    settings = entry.options.get(CONF_EMBEDDINGS)
    embedder: Embedder = BuiltinEmbedder(hass)
    if settings is not None:
        embedder = await async_server_embedder(hass, settings)
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
            refresh=timedelta(hours=int(data.get(CONF_REFRESH_HOURS, DEFAULT_REFRESH_HOURS))),
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
        discard(each)
    return [each.stem for each in others]
