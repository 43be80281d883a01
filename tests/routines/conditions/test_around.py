"""The condition functions: clock, sun, weather, calendars, devices."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from homeassistant.auth.models import Group
from homeassistant.auth.permissions import PermissionLookup
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, SupportsResponse
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.sage.people.person import HOUSEHOLD, Person
from tests.end_to_end.attacker import person as user_may_all
from tests.exposing import expose_all
from tests.home.entity_home import EntityHome, async_demo
from tests.routines.conditions.calling import Asking


async def test_now_is_the_clock_of_the_home(hass, asking: Asking, freezer):
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to("2026-03-29T00:30:00+00:00")
    answered = await asking("now")
    before: Any = answered.value
    freezer.tick(timedelta(hours=1))
    after = await asking.value("now")

    assert (before.hour, after.hour) == (1, 3)
    assert (before.utcoffset(), after.utcoffset()) == (timedelta(hours=1), timedelta(hours=2))
    assert answered.fresh_until is not None
    assert answered.fresh_until < before


async def test_it_is_dark_from_sunset_to_sunrise(hass, asking: Asking, freezer):
    hass.config.latitude, hass.config.longitude = 52.5, 13.4
    freezer.move_to("2026-03-20T12:00:00+00:00")
    assert await asking.value("is_dark") is False
    freezer.move_to("2026-03-20T17:00:00+00:00")
    answered = await asking("is_dark")
    assert answered.value is False
    sunset = answered.fresh_until
    assert sunset is not None
    assert "17:15" <= f"{sunset:%H:%M}" <= "17:20"
    freezer.move_to(sunset + timedelta(seconds=1))
    assert await asking.value("is_dark") is True
    freezer.move_to("2026-03-21T04:00:00+00:00")
    assert await asking.value("is_dark") is True
    freezer.move_to("2026-03-21T06:00:00+00:00")
    assert await asking.value("is_dark") is False


async def test_in_the_summer_of_the_north_it_does_not_get_dark(hass, asking: Asking, freezer):
    hass.config.latitude, hass.config.longitude = 70.0, 25.0
    freezer.move_to("2026-06-21T23:00:00+00:00")
    assert await asking.value("is_dark") is False
    freezer.move_to("2026-12-21T11:00:00+00:00")
    assert await asking.value("is_dark") is True


async def test_the_weather_now_and_to_come(hass, asking: Asking, freezer):
    # Its forecast begins at 16:00 of today: the number of days depends on the hour.
    freezer.move_to("2026-03-21T18:00:00+00:00")
    await async_demo(hass, "weather")
    south = await asking.value("get_weather", "weather.demo_weather_south")
    assert south["condition"] == "sunny"
    assert south["temperature"] == 21.6

    daily = await asking.value("get_forecast", 72, "weather.demo_weather_south")
    assert daily[0]["condition"] == "rainy"
    assert daily[0]["templow"] == 15
    assert len(daily) == 3
    assert all(each["at"].tzinfo is not None for each in daily)
    hourly = await asking.value("get_forecast", 240, "weather.demo_weather_north")
    assert hourly[1]["at"] - hourly[0]["at"] == timedelta(hours=1)
    assert hourly[0]["condition"] == "sunny"


async def test_the_only_weather_needs_no_name_and_stays_the_same(hass, asking: Asking):
    await async_demo(hass, "weather")
    assert "name one as device" in await asking.error("get_weather")
    async_expose_entity(hass, "conversation", "weather.demo_weather_south", False)
    north = await asking.value("get_weather")

    async_expose_entity(hass, "conversation", "weather.demo_weather_south", True)
    assert await asking.value("get_weather") == north
    async_expose_entity(hass, "conversation", "weather.demo_weather_north", False)
    assert (await asking("get_weather")).is_withheld
    assert (await asking("get_forecast", 1)).is_withheld


async def test_without_weather_or_calendar_the_mend_is_named(hass, asking: Asking):
    build = EntityHome(hass)
    build.entity("light.lamp", "on", device=build.device("Lamp"))

    for question in (("get_weather",), ("get_forecast", 5), ("get_calendar", 5)):
        assert "expose one to Assist" in await asking.error(*question)
    assert "lamp is no weather" in await asking.error("get_weather", "lamp")
    assert "lamp is no calendar" in await asking.error("get_calendar", 1, "lamp")
    assert "hours has to be a number" in await asking.error("get_calendar", "x")


async def test_weather_without_a_forecast_is_told_so(hass, asking: Asking):
    build = EntityHome(hass)
    build.entity("weather.home", "rainy", device=build.device("Sky"), temperature=5)
    assert (await asking.value("get_weather"))["condition"] == "rainy"
    assert "has no forecast" in await asking.error("get_forecast", 5)
    hass.states.async_set("weather.home", "unavailable")
    for question in (("get_weather",), ("get_forecast", 5)):
        assert (await asking(*question)).is_unknown


async def test_a_forecast_that_fails_is_unknown_and_one_that_came_is_used_again(
    hass, asking: Asking, freezer
):
    build = EntityHome(hass)
    build.entity("weather.home", "rainy", device=build.device("Sky"), supported_features=2)
    calls: list[str] = []

    async def forecast(call: Any) -> Any:
        calls.append(call.data["type"])
        if len(calls) == 1:
            raise HomeAssistantError
        at = dt_util.utcnow().replace(minute=0)
        return {
            "weather.home": {
                "forecast": [
                    {"datetime": (at + timedelta(hours=n)).isoformat(), "temperature": n}
                    for n in range(-2, 30)
                ]
                + [{"temperature": 1}]
            }
        }

    hass.services.async_register(
        "weather", "get_forecasts", forecast, supports_response=SupportsResponse.ONLY
    )
    failed = await asking("get_forecast", 2)
    assert failed.is_unknown
    freezer.tick(61)
    told = await asking.value("get_forecast", 2)
    assert [each["temperature"] for each in told] == [0, 1, 2][: len(told)]
    await asking.value("get_forecast", 5)
    assert calls == ["hourly", "hourly"]
    freezer.tick(timedelta(minutes=16))
    await asking.value("get_forecast", 5)
    assert len(calls) == 3


@pytest.fixture
async def calendars(hass: HomeAssistant) -> None:
    await async_demo(hass, "calendar")


async def test_events_of_all_calendars(asking: Asking, calendars):
    events = await asking.value("get_calendar", 3)

    assert [each["summary"] for each in events] == ["Current Event", "Future Event"]
    assert [each["calendar"] for each in events] == ["Calendar 2", "Calendar 1"]
    assert events[0]["start"] < dt_util.now() < events[0]["end"]
    assert dt_util.now() < events[1]["start"]
    assert events[0]["all_day"] is False
    one = await asking.value("get_calendar", 3, "calendar.calendar_1")
    assert [each["summary"] for each in one] == ["Future Event"]


async def test_a_calendar_that_a_person_may_not_read_is_not_read(hass, home, calendars):
    user = MockUser(name="Kim").add_to_hass(hass)
    user.perm_lookup = PermissionLookup(er.async_get(hass), dr.async_get(hass))
    policy: Any = {"entities": {"entity_ids": {"calendar.calendar_1": {"read": True}}}}
    user.groups = [Group(name="limited", policy=policy, id="limited")]
    everybody = Asking(hass, home)
    kim = Asking(hass, home, Person(user_id=user.id, name="Kim"))
    assert len(await everybody.value("get_calendar", 3)) == 2

    # May read, but not control: a calendar is only read.
    assert [each["summary"] for each in await kim.value("get_calendar", 3)] == ["Future Event"]
    assert "There is no device" in await kim.error("get_calendar", 3, "calendar.calendar_2")

    async_expose_entity(hass, "conversation", "calendar.calendar_1", False)
    assert "no calendar" in await kim.error("get_calendar", 3)
    assert (await kim("get_calendar", 3, "calendar.calendar_1")).value is None


async def test_days_begin_at_midnight_and_events_end(hass, asking: Asking, freezer):
    await hass.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to("2026-03-10T11:00:00+00:00")
    hass.states.async_set("calendar.home", "on", {"friendly_name": "Home"})
    expose_all(hass)
    calls = 0

    async def events(call: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise HomeAssistantError
        return {
            "calendar.home": {
                "events": [
                    {"start": "2026-03-10", "end": "2026-03-11", "summary": "Holiday"},
                    {
                        "start": "2026-03-10T12:00:00+01:00",
                        "end": "2026-03-10T12:02:00+01:00",
                        "summary": "Tea",
                    },
                    {"start": "nonsense", "end": None},
                ]
            }
        }

    hass.services.async_register(
        "calendar", "get_events", events, supports_response=SupportsResponse.ONLY
    )
    first = await asking.value("get_calendar", 8)
    assert [each["summary"] for each in first] == ["Holiday", "Tea"]
    assert first[0]["all_day"] is True
    assert first[0]["start"] == datetime(2026, 3, 9, 23, tzinfo=UTC)
    freezer.tick(timedelta(minutes=3))
    assert [each["summary"] for each in await asking.value("get_calendar", 8)] == ["Holiday"]
    assert calls == 1
    freezer.tick(timedelta(minutes=3))
    await asking.value("get_calendar", 8)
    assert calls == 2
    freezer.tick(timedelta(minutes=6))
    assert (await asking("get_calendar", 8)).is_unknown


async def test_devices_by_area_and_kind(hass, asking: Asking):
    build = EntityHome(hass)
    kitchen = build.area("Kitchen", aliases=["Cookery"])
    oven = build.device("Oven", kitchen)
    build.entity("switch.oven", "on", device=oven)
    build.entity("light.oven_1", "on", device=oven, name="Left")
    build.entity("light.oven_2", "on", device=oven, name="Right")
    build.entity("light.lamp", "on", device=build.device("Lamp"))
    build.entity("binary_sensor.door", "on", device=build.device("Door"), device_class="door")

    async def ids(*question: str) -> list[str]:
        return [each["id"] for each in await asking.value("list_devices", *question)]

    assert await ids() == ["oven", "door", "lamp"]
    assert await ids("kitchen") == await ids("Cookery") == ["oven"]
    assert await ids("", "light") == ["light.oven_1", "light.oven_2", "lamp"]
    assert await ids("Kitchen", "light") == ["light.oven_1", "light.oven_2"]
    assert await ids("", "binary_sensor.door") == await ids("", "door") == ["door"]
    assert await ids("", "lock") == []
    assert "There are: Kitchen" in await asking.error("list_devices", "Cellar")
    (listed,) = await asking.value("list_devices", "Kitchen")
    assert listed == {
        "id": "oven",
        "name": "Oven",
        "area": "Kitchen",
        "capabilities": ["light", "switch"],
    }
    for each in await ids("", "light"):
        assert await asking.value("get_state", each) == "on"


async def test_a_calendar_of_a_person_is_read_for_their_routines_only(hass, home, calendars):
    anna, ben = (Person(user_id=user_may_all(hass, name), name=name) for name in ("Anna", "Ben"))
    await hass.async_block_till_done()
    assert anna.user_id is not None
    async_expose_entity(hass, "conversation", "calendar.calendar_1", False)
    row = er.async_get(hass).async_get("calendar.calendar_1")
    home.gate.assign({row.id if row else "calendar.calendar_1": anna.user_id})

    own = await Asking(hass, home, anna).value("get_calendar", 3)
    assert [each["summary"] for each in own] == ["Current Event", "Future Event"]
    for person in (ben, HOUSEHOLD):
        asking = Asking(hass, home, person)
        assert [each["summary"] for each in await asking.value("get_calendar", 3)] == [
            "Current Event"
        ]
        assert "There is no device" in await asking.error("get_calendar", 3, "calendar.calendar_1")
