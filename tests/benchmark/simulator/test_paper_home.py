"""Home Assistant's own integration makes all of the paper's home, and controls it."""

from typing import Any

import pytest
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr

from benchmark.simulator.home import SimulatedHome
from tests.smartthings_home import SmartThings, cloud, smartthings  # noqa: F401

SHOWN = {
    "light.bedroom_light_strip": "on",
    "light.dining_room_light_strip": "on",
    "light.library_light_strip": "on",
    "light.living_room_light_strip": "on",
    "media_player.living_room_samsung_8_series": "on",
    "media_player.office_the_frame": "on",
    "sensor.living_room_samsung_8_series_tv_channel": "4",
    "sensor.office_the_frame_tv_channel_name": "art",
    "binary_sensor.kitchen_refrigerator_fridge_door": "off",
    "binary_sensor.kitchen_refrigerator_freezer_door": "off",
    "number.kitchen_refrigerator_freezer_temperature": "-18",
    "switch.kitchen_refrigerator_cubed_ice": "on",
    "binary_sensor.kitchen_dishwasher_remote_control": "on",
    "button.kitchen_dishwasher_start": "unknown",
    "select.kitchen_dishwasher_cycle": "normal",
    "sensor.kitchen_dishwasher_job_state": "unknown",
    "switch.kitchen_outlet": "off",
    "binary_sensor.hallway_motion_sensor_motion": "off",
    "sensor.hallway_motion_sensor_temperature": "21",
    "scene.film_night": "unknown",
}


@pytest.fixture
def home(smartthings: SmartThings) -> SimulatedHome:  # noqa: F811
    return smartthings.cloud.home


async def act(
    hass: HomeAssistant,
    connected: SmartThings,
    action: str,
    entity_id: str,
    **data: Any,
) -> None:
    domain, _, service = action.partition(".")
    await hass.services.async_call(domain, service, {"entity_id": entity_id, **data}, blocking=True)
    await connected.async_settle()


async def test_every_device_is_there_in_its_room(hass: HomeAssistant, home: SimulatedHome):
    rooms = {room["roomId"]: room["name"] for room in home.rooms}
    devices = dr.async_get(hass)
    for device in home.devices.values():
        found = next(
            each for each in devices.devices if ("smartthings", device.id) in each.identifiers
        )
        area = ar.async_get(hass).async_get_area(found.area_id or "")
        assert area is not None
        assert area.name == rooms[device.description["roomId"]]
        assert found.manufacturer


async def test_the_entities_show_what_the_cloud_has(hass: HomeAssistant, home: SimulatedHome):
    shown = {entity_id: hass.states.get(entity_id) for entity_id in SHOWN}
    assert {key: state and state.state for key, state in shown.items()} == SHOWN
    states = [state.state for state in hass.states.async_all()]
    assert STATE_UNAVAILABLE not in states
    assert home.name == "paper"


async def test_a_light_is_switched_dimmed_and_coloured(
    hass: HomeAssistant,
    smartthings: SmartThings,  # noqa: F811
    home: SimulatedHome,
):
    lamp, device = "light.bedroom_light_strip", home.device("light_bed")
    await act(hass, smartthings, "light.turn_off", lamp)
    assert hass.states.is_state(lamp, "off")
    await act(hass, smartthings, "light.turn_on", lamp, brightness_pct=30, hs_color=(240, 100))
    assert hass.states.is_state(lamp, "on")
    assert device.value("main", "switchLevel", "level") == 30
    assert device.value("main", "colorControl", "hue") == pytest.approx(66.67, abs=0.1)
    assert home.device("light_tv").value("main", "switchLevel", "level") == 48


async def test_the_dishwasher_starts_and_its_entities_follow(
    hass: HomeAssistant,
    smartthings: SmartThings,  # noqa: F811
    home: SimulatedHome,
):
    await act(
        hass, smartthings, "select.select_option", "select.kitchen_dishwasher_cycle", option="heavy"
    )
    await act(hass, smartthings, "button.press", "button.kitchen_dishwasher_start")
    assert hass.states.is_state("select.kitchen_dishwasher_cycle", "heavy")
    assert hass.states.is_state("sensor.kitchen_dishwasher_machine_state", "run")
    assert hass.states.is_state("sensor.kitchen_dishwasher_job_state", "pre_wash")
    assert hass.states.is_state("binary_sensor.kitchen_dishwasher_power", "on")
    assert home.device("dishwasher").value("main", "switch", "switch") == "on"


async def test_the_freezer_is_made_colder_and_the_cooler_is_not(
    hass: HomeAssistant,
    smartthings: SmartThings,  # noqa: F811
    home: SimulatedHome,
):
    number = "number.kitchen_refrigerator_freezer_temperature"
    await act(hass, smartthings, "number.set_value", number, value=-20)
    assert hass.states.is_state("sensor.kitchen_refrigerator_freezer_temperature", "-20")
    assert hass.states.is_state("sensor.kitchen_refrigerator_fridge_temperature", "4")
    assert home.device("fridge").value("freezer", "temperatureMeasurement", "temperature") == -20


async def test_a_scene_dims_the_light_by_the_television(
    hass: HomeAssistant,
    smartthings: SmartThings,  # noqa: F811
    home: SimulatedHome,
):
    await act(hass, smartthings, "scene.turn_on", "scene.film_night")
    assert home.device("light_tv").value("main", "switchLevel", "level") == 20
    state = hass.states.get("light.living_room_light_strip")
    assert state is not None
    assert state.attributes["brightness"] == 51
