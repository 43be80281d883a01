"""Reading: current values, as the person may see them now."""

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant

from custom_components.sage.home.entities.documentation import Documenter
from custom_components.sage.home.entities.reading import Reader
from custom_components.sage.home.home_types import HomeError
from custom_components.sage.home.safety.gate import Gate
from custom_components.sage.people.person import HOUSEHOLD

from ..entity_home import async_demo
from ..listings import plain_device, raw_part, with_raw

LIGHT = plain_device("ceiling", "Ceiling", "light.ceiling_lights", area="Kitchen")
STATION = plain_device(
    "station", "Station", "sensor.outside_temperature", "sensor.outside_humidity"
)


@pytest.fixture
async def reader(hass: HomeAssistant):
    gate = Gate(hass)
    await gate.async_setup()
    yield Reader(hass, gate, Documenter(hass))
    gate.close()


async def test_all_that_tells_something_is_read(hass, reader):
    await async_demo(hass, Platform.LIGHT)
    [reading] = await reader.async_read(HOUSEHOLD, LIGHT)
    assert reading.device_id == "ceiling"
    assert reading.area == "Kitchen"
    assert reading.values == {
        "state": "on",
        "brightness_pct": 71,
        "color_temp_kelvin": 2631,
        "rgb_color": [255, 164, 82],
    }
    assert {fact.name: fact.unit for fact in reading.attributes if fact.unit} == {
        "brightness_pct": "%",
        "color_temp_kelvin": "K",
    }


async def test_attributes_are_read_by_name_also_those_not_shown(hass, reader):
    await async_demo(hass, Platform.LIGHT)
    [reading] = await reader.async_read(
        HOUSEHOLD, LIGHT, attributes=["Brightness", "supported color modes", "brightness_pct"]
    )
    assert reading.values == {
        "brightness": 180,
        "supported_color_modes": ["color_temp", "hs"],
        "brightness_pct": 71,
    }


async def test_an_unknown_attribute_is_answered_with_those_there_are(hass, reader):
    await async_demo(hass, Platform.LIGHT)
    with pytest.raises(HomeError, match=r"no attribute volume.*brightness_pct"):
        await reader.async_read(HOUSEHOLD, LIGHT, attributes=["volume"])


async def test_a_part_without_the_attribute_is_left_out(hass, reader):
    await async_demo(hass, Platform.LIGHT, Platform.SENSOR)
    mixed = plain_device("mixed", "Mixed", "light.ceiling_lights", "sensor.outside_humidity")
    readings = await reader.async_read(HOUSEHOLD, mixed, attributes=["brightness_pct"])
    assert [each.component_id for each in readings] == ["light.ceiling_lights"]


async def test_units_and_meanings_come_with_the_values(hass, reader):
    await async_demo(hass, Platform.SENSOR, Platform.BINARY_SENSOR)
    first, second = await reader.async_read(HOUSEHOLD, STATION)
    assert (first.attributes[0].value, first.attributes[0].unit) == (15.6, "°C")
    assert (second.attributes[0].value, second.attributes[0].unit) == (54, "%")
    wet = plain_device("wet", "Wet", "binary_sensor.basement_floor_wet")
    [reading] = await reader.async_read(HOUSEHOLD, wet)
    assert (reading.fact("state").value, reading.fact("state").meaning) == ("off", "Dry")


async def test_what_was_hidden_after_it_was_listed_is_not_read(hass, reader):
    await async_demo(hass, Platform.SENSOR)
    async_expose_entity(hass, "conversation", "sensor.outside_humidity", False)
    [reading] = await reader.async_read(HOUSEHOLD, STATION)
    assert reading.component_id == "sensor.outside_temperature"
    with pytest.raises(
        HomeError, match=r"no component sensor.outside_humidity.*outside_temperature"
    ):
        await reader.async_read(HOUSEHOLD, STATION, ["sensor.outside_humidity"])
    async_expose_entity(hass, "conversation", "sensor.outside_temperature", False)
    with pytest.raises(HomeError, match="nothing that may be read"):
        await reader.async_read(HOUSEHOLD, STATION)


async def test_what_is_unavailable_says_so(hass, reader):
    await async_demo(hass, Platform.LIGHT)
    hass.states.async_set("light.ceiling_lights", "unavailable")
    [reading] = await reader.async_read(HOUSEHOLD, LIGHT)
    assert not reading.available
    assert reading.values == {"state": None}


async def test_a_survey_leaves_out_what_may_not_be_read(hass, reader):
    await async_demo(hass, Platform.LIGHT, Platform.SENSOR)
    async_expose_entity(hass, "conversation", "sensor.outside_humidity", False)
    readings = await reader.async_survey(HOUSEHOLD, [LIGHT, STATION])
    assert [each.component_id for each in readings] == [
        "light.ceiling_lights",
        "sensor.outside_temperature",
    ]


async def test_raw_components_are_read_by_others(hass, reader):
    """A raw component has no state here; the SmartThings backend reads it."""
    await async_demo(hass, Platform.LIGHT)
    clouded = with_raw(LIGHT, raw_part("main", "colorControl"))
    readings = await reader.async_read(HOUSEHOLD, clouded)
    assert [each.component_id for each in readings] == ["light.ceiling_lights"]
    assert [each.component_id for each in await reader.async_survey(HOUSEHOLD, [clouded])] == [
        "light.ceiling_lights"
    ]
    with pytest.raises(HomeError, match=r"no component main.*light.ceiling_lights"):
        await reader.async_read(HOUSEHOLD, clouded, ["main"])


async def test_a_device_with_raw_components_only_has_nothing_to_read(reader):
    bare = with_raw(plain_device("tv", "TV"), raw_part("main", "tvChannel"))
    with pytest.raises(HomeError, match="nothing that may be read"):
        await reader.async_read(HOUSEHOLD, bare)
    assert await reader.async_survey(HOUSEHOLD, [bare]) == ()
