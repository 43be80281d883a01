"""Condition functions for the TV guide and the weather of other places."""

from datetime import timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util import dt as dt_util
from homeassistant.util.unit_system import METRIC_SYSTEM

from benchmark.open_meteo_server import OpenMeteoServer
from custom_components.sage.external import External
from custom_components.sage.external.place_weather import PlaceWeather
from custom_components.sage.home.home import Home
from tests.guide_house import GuideSource, guide_source, make_guide, on_air, open_meteo
from tests.routines.conditions.calling import Asking

__all__ = ["guide_source", "open_meteo"]


@pytest.fixture
async def outside(
    hass: HomeAssistant,
    home: Home,
    guide_source: GuideSource,
    open_meteo: OpenMeteoServer,
    freezer: FrozenDateTimeFactory,
) -> Asking:
    """Ask in a household with a guide and the weather of other places."""
    freezer.move_to("2026-03-02T12:00:00+00:00")
    weather = PlaceWeather(
        async_get_clientsession(hass),
        METRIC_SYSTEM,
        forecast_url=open_meteo.url,
        geocoding_url=open_meteo.url,
    )
    guide = make_guide(hass, guide_source.url)
    external = External(place_weather=weather, guides=(guide,))
    guide_source.show(
        on_air("bbc1.uk", "EastEnders", minutes=30),
        on_air("abc.us", "Jeopardy!", begins=60, minutes=30),
    )
    await guide.async_refresh()
    return Asking(hass, home, external=external)


async def test_a_programme_is_on_from_its_start_to_its_end(
    outside: Asking, freezer: FrozenDateTimeFactory
) -> None:
    start = dt_util.utcnow()
    answers = {}
    for minutes in (0, 59, 60, 89, 90):
        freezer.move_to(start + timedelta(minutes=minutes))
        answers[minutes] = await outside.value("is_on_tv", "Jeopardy")
    assert answers == {0: False, 59: False, 60: True, 89: True, 90: False}


async def test_it_is_asked_again_when_the_programme_starts(
    outside: Asking, freezer: FrozenDateTimeFactory
) -> None:
    start = dt_util.utcnow() + timedelta(minutes=60)
    freezer.move_to(start - timedelta(minutes=10))
    answered = await outside("is_on_tv", "jeopardy")
    assert answered.value is False
    assert answered.fresh_until == start
    assert not answered.is_free_text


@pytest.mark.parametrize(
    ("arguments", "value"),
    [
        (("Jeopardy", 45), False),
        (("Jeopardy", 61), True),
        (("jeopardy", 61, "ABC"), True),
        (("jeopardy", 61, "BBC One"), False),
        (("EastEnders",), True),
        (("East Enders Omnibus",), False),
    ],
)
async def test_soon_and_on_one_channel(
    outside: Asking, arguments: tuple[object, ...], value: bool
) -> None:
    assert await outside.value("is_on_tv", *arguments) is value


async def test_what_cannot_be_asked_says_how_to_fix_it(outside: Asking) -> None:
    assert 'no channel "Nowhere"' in await outside.error("is_on_tv", "News", 0, "Nowhere")
    assert "words of the title" in await outside.error("is_on_tv", " ")
    assert "several places" in await outside.error("get_weather_at", "Springfield")
    assert "no place" in await outside.error("get_weather_at", "Atlantis")


async def test_the_weather_of_another_place(outside: Asking) -> None:
    hours = await outside.value("get_weather_at", "Bremen", 6)
    assert len(hours) in (6, 7)
    assert hours[0]["at"] <= dt_util.utcnow() < hours[1]["at"]
    assert (hours[0]["condition"], hours[0]["temperature"]) == ("rainy", 9.0)
    assert not (await outside("get_weather_at", "Bremen", 6)).is_free_text


async def test_it_is_unknown_while_the_provider_is_away(
    outside: Asking, open_meteo: OpenMeteoServer
) -> None:
    open_meteo.status = 500
    answered = await outside("get_weather_at", "Bremen")
    assert answered.is_unknown
    assert answered.fresh_until is not None


def test_without_sources_there_are_no_such_functions(asking: Asking) -> None:
    names = {each.name for each in asking.functions.functions}
    assert not names & {"is_on_tv", "get_weather_at"}
