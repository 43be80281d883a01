"""The weather of places: which one is meant, what is cached, and what is said without it."""

from datetime import timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util.unit_system import METRIC_SYSTEM, US_CUSTOMARY_SYSTEM, UnitSystem

from benchmark.open_meteo_server import OpenMeteoServer
from custom_components.sage.external import ExternalError, place_weather
from custom_components.sage.external.place_weather import PlaceWeather
from tests.guide_house import open_meteo

__all__ = ["open_meteo"]


def weather_of(
    hass: HomeAssistant, server: OpenMeteoServer, units: UnitSystem = METRIC_SYSTEM
) -> PlaceWeather:
    return PlaceWeather(
        async_get_clientsession(hass), units, forecast_url=server.url, geocoding_url=server.url
    )


@pytest.fixture
async def weather(hass: HomeAssistant, open_meteo: OpenMeteoServer) -> PlaceWeather:
    return weather_of(hass, open_meteo)


@pytest.mark.parametrize(
    ("named", "labels"),
    [
        ("Bremen", ["Bremen, Bremen, Germany"]),
        ("bremen, germany", ["Bremen, Bremen, Germany"]),
        ("Bremen, US", ["Bremen, Georgia, United States"]),
        ("Springfield, Illinois", ["Springfield, Illinois, United States"]),
        ("Springfield, Illinois, US", ["Springfield, Illinois, United States"]),
        (
            "Springfield",
            [
                f"Springfield, {each}, United States"
                for each in ("Missouri", "Massachusetts", "Illinois")
            ],
        ),
        ("Springfield, France", []),
        ("Atlantis", []),
        (" , Germany", []),
    ],
)
async def test_which_place_is_meant(weather: PlaceWeather, named: str, labels: list[str]) -> None:
    assert [each.label for each in await weather.async_places(named, "en")] == labels


async def test_now_by_the_hour_and_by_the_day(weather: PlaceWeather) -> None:
    (bremen,) = await weather.async_places("Bremen", "en")
    forecast = await weather.async_weather(bremen)
    assert forecast.now is not None
    assert (forecast.now["condition"], forecast.now["temperature"]) == ("rainy", 9.0)
    assert len(forecast.hours) == 192
    assert forecast.hours[0]["precipitation_probability"] == 90
    assert forecast.hours[0]["at"].tzinfo is not None
    assert [each["templow"] for each in forecast.days] == [4.0] * 8
    assert forecast.days[1]["at"] - forecast.days[0]["at"] == timedelta(days=1)


async def test_units_of_the_home(hass: HomeAssistant, open_meteo: OpenMeteoServer) -> None:
    weather = weather_of(hass, open_meteo, US_CUSTOMARY_SYSTEM)
    (bremen,) = await weather.async_places("Bremen", "en")
    forecast = await weather.async_weather(bremen)
    assert forecast.now is not None
    assert forecast.now["temperature"] == pytest.approx(48.2)
    query = open_meteo.requests[-1].query
    assert (query["wind_speed_unit"], query["precipitation_unit"]) == ("mph", "inch")


async def test_places_and_forecasts_are_cached(
    weather: PlaceWeather, open_meteo: OpenMeteoServer, freezer: FrozenDateTimeFactory
) -> None:
    for _ in range(3):
        (bremen,) = await weather.async_places("Bremen", "en")
        await weather.async_weather(bremen)
    assert len(open_meteo.requests) == 2
    freezer.tick(timedelta(minutes=16))
    (bremen,) = await weather.async_places("Bremen", "en")
    await weather.async_weather(bremen)
    assert [each.path for each in open_meteo.requests[2:]] == ["/v1/forecast"]


@pytest.mark.parametrize(
    ("status", "body", "why"),
    [
        (500, None, "cannot be reached"),
        (429, None, "no more requests"),
        (200, "<html>", "could not be read"),
        (200, "[]", "could not be read"),
    ],
)
async def test_failures_are_sentences(
    weather: PlaceWeather, open_meteo: OpenMeteoServer, status: int, body: str | None, why: str
) -> None:
    open_meteo.status, open_meteo.body = status, body
    with pytest.raises(ExternalError, match=why):
        await weather.async_places("Bremen", "en")
    open_meteo.status, open_meteo.body = 200, None
    assert await weather.async_places("Bremen", "en")


async def test_a_server_that_is_gone_or_hangs(
    weather: PlaceWeather, open_meteo: OpenMeteoServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place_weather, "TIMEOUT", 0.2)
    open_meteo.hangs = True
    with pytest.raises(ExternalError, match="cannot be reached"):
        await weather.async_places("Bremen", "en")
    await open_meteo.async_stop()
    with pytest.raises(ExternalError, match="cannot be reached"):
        await weather.async_places("Bremen", "en")
