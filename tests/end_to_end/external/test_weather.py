"""The weather at home and elsewhere, in conversations."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from homeassistant.auth.models import User
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall, SupportsResponse
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from benchmark.open_meteo_server import OpenMeteoServer
from custom_components.sage.text.speech import has_fence
from tests.decisions import FORMATS, NATIVE, Decides
from tests.end_to_end.conftest import MakeSage, Sage
from tests.end_to_end.memory.story import knows, observed
from tests.guide_house import async_add_weather, iso, open_meteo

__all__ = ["open_meteo"]


@pytest.mark.parametrize("decision_format", FORMATS)
async def test_an_umbrella_for_the_way_to_mother(
    make_sage: MakeSage, user: User, open_meteo: OpenMeteoServer, decision_format: str
) -> None:
    sage, decides = await make_sage(decision_format), Decides(decision_format)
    await async_add_weather(sage.hass, sage.entry, open_meteo)
    sage.model_says(decides.finish("answered", "How nice.", about="other"))
    await sage.hear("my mother lives in Bremen", user_id=user.id)
    sage.conversation_id = None
    tomorrow = dt_util.now().date() + timedelta(days=1)
    sage.model_says(
        decides.call("personalization", question="Where does the person's mother live?"),
        knows("Their mother lives in Bremen.", 1),
        decides.call("weather", place="Bremen", start=str(tomorrow)),
        decides.finish("answered", "Yes, it rains in Bremen tomorrow.", about="other"),
    )
    heard = await sage.hear("should I take an umbrella to my mother's?", user_id=user.id)
    assert heard == "Yes, it rains in Bremen tomorrow."
    seen = observed(sage)
    assert "Weather in Bremen, Bremen, Germany" in seen
    assert f"{tomorrow:%a %Y-%m-%d}: condition rainy, temperature 9 °C, templow 4 °C" in seen
    assert has_fence(seen)


@pytest.mark.parametrize(("place", "is_asked"), [(None, False), ("Bremen", True)])
async def test_only_names_of_places_are_text_from_outside(
    sage: Sage, user: User, open_meteo: OpenMeteoServer, place: str | None, *, is_asked: bool
) -> None:
    """The weather of the home is numbers and words of SAGE: it can contain no orders."""
    await async_add_weather(sage.hass, sage.entry, open_meteo)
    alone = NATIVE.finish("answered", "What do you mean?", about="other")
    sage.model_says(
        NATIVE.call("weather", **({"place": place} if place else {})),
        NATIVE.execute("kitchen_light", command="turn_on", timing="now", final=True),
        *([alone] if is_asked else []),
        NATIVE.finish("could_not", "I left it.", about="home"),
    )
    heard = await sage.hear("if it is cloudy, turn on the kitchen light", user_id=user.id)
    assert any(has_fence(each.prompt) for each in sage.server.completions) is is_asked
    assert ("Shall I really turn on Kitchen Light?" in heard) is is_asked
    assert sage.hass.states.is_state("light.kitchen_light", "off") is is_asked
    if is_asked:
        await sage.hear("no", user_id=user.id)


async def test_several_places_are_named_for_the_question(
    hass: HomeAssistant, sage: Sage, open_meteo: OpenMeteoServer
) -> None:
    await async_add_weather(hass, sage.entry, open_meteo)
    sage.model_says(
        NATIVE.call("weather", place="Springfield"),
        NATIVE.finish("asked", "Which Springfield?", about="other"),
    )
    assert await sage.hear("how is the weather in Springfield?") == "Which Springfield?"
    seen = observed(sage)
    assert "Springfield, Illinois, United States" in seen
    assert "Several places have this name" in seen


async def test_a_service_that_is_away_is_said(sage: Sage, open_meteo: OpenMeteoServer) -> None:
    await async_add_weather(sage.hass, sage.entry, open_meteo)
    await open_meteo.async_stop()
    sage.model_says(
        NATIVE.call("weather", place="Bremen"),
        NATIVE.finish("could_not", "The weather service cannot be reached.", about="other"),
    )
    await sage.hear("how is the weather in Bremen?")
    assert "cannot be reached now" in observed(sage)


@pytest.fixture
async def weather_entity(hass: HomeAssistant, sage: Sage) -> Sage:
    """A home with a weather entity that has hourly and daily forecasts."""
    row = er.async_get(hass).async_get_or_create(
        "weather", "test", "village", suggested_object_id="village"
    )
    async_expose_entity(hass, "conversation", row.entity_id, True)
    attributes = {"friendly_name": "Village", "temperature": 12.5, "supported_features": 3}
    hass.states.async_set(row.entity_id, "cloudy", attributes)
    start = dt_util.utcnow().replace(minute=0, second=0, microsecond=0)

    def entry(at: datetime, condition: str) -> dict[str, Any]:
        return {"datetime": at.isoformat(), "condition": condition, "temperature": 7.0}

    async def forecasts(call: ServiceCall) -> dict[str, Any]:
        step = timedelta(hours=1) if call.data["type"] == "hourly" else timedelta(days=1)
        told = [entry(start + step * each, "snowy" if each else "sunny") for each in range(48)]
        return {row.entity_id: {"forecast": told}}

    hass.services.async_register(
        "weather", "get_forecasts", forecasts, supports_response=SupportsResponse.ONLY
    )
    await hass.async_block_till_done()
    return sage


async def test_the_weather_at_home(weather_entity: Sage) -> None:
    weather_entity.model_says(
        NATIVE.call("weather"), NATIVE.finish("answered", "Cloudy, then snow.", about="other")
    )
    await weather_entity.hear("how is the weather?")
    seen = observed(weather_entity)
    assert "now: condition cloudy, temperature 12.5" in seen
    assert "condition snowy, temperature 7" in seen
    assert has_fence(seen)
    assert weather_entity.trace["reads"] >= 1


async def test_a_time_limits_the_forecast_of_the_home(weather_entity: Sage) -> None:
    at = dt_util.utcnow() + timedelta(hours=5)
    weather_entity.model_says(
        NATIVE.call("weather", start=iso(at), end=iso(at)),
        NATIVE.finish("answered", "Snow.", about="other"),
    )
    await weather_entity.hear("how is the weather in five hours?")
    hourly = observed(weather_entity).partition("hourly:\n")[2].partition("\ndaily:")[0]
    assert len(hourly.splitlines()) == 1


async def test_other_places_have_to_be_set_up(weather_entity: Sage) -> None:
    weather_entity.model_says(
        NATIVE.call("weather", place="Bremen"),
        NATIVE.finish("could_not", "I only know the weather at home.", about="other"),
    )
    await weather_entity.hear("how is the weather in Bremen?")
    assert "Only the weather of the home is set up" in observed(weather_entity)
