"""The home at the simulated SmartThings cloud, in a Home Assistant of the tests."""

from collections.abc import AsyncGenerator

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr

from benchmark.simulator.cloud import SimulatedCloud
from scripts.demonstration import cloud_record
from scripts.demonstration.client import Client, HomeAssistantError, connected
from scripts.demonstration.cloud_home import TOKEN, async_move_in, async_start_cloud
from scripts.demonstration.configure import preferred_pipeline
from scripts.demonstration.options import Saying
from scripts.demonstration.say import Speaker
from tests.smartthings_home import async_disconnect

BUILT_IN = "conversation.home_assistant"
LIBRARY = "light.library_light_strip"
EXPOSED = {
    LIBRARY,
    "media_player.office_the_frame",
    "sensor.office_the_frame_tv_channel",
    "sensor.office_the_frame_tv_channel_name",
    "binary_sensor.kitchen_refrigerator_fridge_door",
    "binary_sensor.kitchen_refrigerator_coolselect_door",
    "number.kitchen_refrigerator_freezer_temperature",
    "select.kitchen_dishwasher_cycle",
    "switch.kitchen_dishwasher_sanitize",
    "button.kitchen_dishwasher_start",
    "sensor.kitchen_dishwasher_job_state",
    "sensor.kitchen_dishwasher_completion_time",
    "binary_sensor.kitchen_dishwasher_remote_control",
    "sensor.kitchen_refrigerator_power",
    "sensor.hallway_motion_sensor_battery",
    "scene.film_night",
}
NOT_EXPOSED = {
    "button.kitchen_refrigerator_reset_water_filter",
    "sensor.kitchen_refrigerator_power_energy",
    "sensor.kitchen_refrigerator_energy_difference",
    "sensor.kitchen_refrigerator_energy_saved",
}


@pytest.fixture
async def cloud(hass: HomeAssistant, socket_enabled: None) -> AsyncGenerator[SimulatedCloud]:
    running = await async_start_cloud(hass)
    await async_move_in(hass)
    yield running
    (entry,) = hass.config_entries.async_entries("smartthings")
    await async_disconnect(hass, entry)
    await running.stop()


@pytest.fixture
def furnished(cloud: SimulatedCloud) -> None:
    """It is the home at the cloud."""


def is_exposed(hass: HomeAssistant, entity_id: str) -> bool:
    assert hass.states.get(entity_id), entity_id
    return async_should_expose(hass, "conversation", entity_id)


async def test_the_rooms_of_the_cloud_are_areas(hass: HomeAssistant, cloud: SimulatedCloud) -> None:
    areas = {area.id: area.name for area in ar.async_get(hass).async_list_areas()}
    (entry,) = hass.config_entries.async_entries("smartthings")
    devices = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    rooms = {room["roomId"]: room["name"] for room in cloud.home.rooms}
    placed = {
        next(iter(device.identifiers))[1]: areas[device.area_id]
        for device in devices
        if isinstance(device, dr.DeviceEntry) and device.area_id
    }
    assert placed == {
        device.id: rooms[device.description["roomId"]] for device in cloud.home.devices.values()
    }


async def test_all_that_can_be_controlled_or_tells_something_is_exposed(
    hass: HomeAssistant, cloud: SimulatedCloud
) -> None:
    assert {entity_id for entity_id in EXPOSED if not is_exposed(hass, entity_id)} == set()
    assert {entity_id for entity_id in NOT_EXPOSED if is_exposed(hass, entity_id)} == set()


async def test_the_token_is_that_of_the_next_cloud_too(
    hass: HomeAssistant, cloud: SimulatedCloud
) -> None:
    (entry,) = hass.config_entries.async_entries("smartthings")
    assert cloud.access_token == entry.data["token"]["access_token"] == TOKEN


async def test_a_command_comes_back_with_what_happened_in_the_cloud(owner: Client) -> None:
    pipeline = await preferred_pipeline(owner, BUILT_IN, "en")
    speaker = Speaker(owner, owner, pipeline, has_cloud=True)
    said = await speaker.say(Saying(text="turn off the lights in the library"))
    assert {change.entity_id for change in said.changes} == {LIBRARY}
    assert said.cloud is not None
    assert cloud_record.render_received(said.cloud) == [
        "Light strip (Library) main switch.off(): HTTP 200"
    ]
    assert cloud_record.render_changed(said.cloud) == [
        "Light strip (Library) main switch.switch: on → off"
    ]
    (received,) = said.as_json()["cloud"]["received"]
    assert (received["command"], received["status"]) == ("switch.off", 200)


async def test_what_has_no_entity_is_told_and_is_known_in_home_assistant_by_then(
    hass: HomeAssistant, cloud: SimulatedCloud, owner: Client
) -> None:
    before = cloud_record.from_json(await owner.call(cloud_record.COMMAND))
    cloud.change("Samsung 8 Series", "main", "tvChannel", "tvChannel", "7")
    cloud.change("Samsung 8 Series", "main", "custom.picturemode", "pictureMode", "Movie")
    after = cloud_record.from_json(await owner.call(cloud_record.COMMAND))
    channel = hass.states.get("sensor.living_room_samsung_8_series_tv_channel")
    assert channel is not None
    assert channel.state == "7"
    told = cloud_record.render_changed(cloud_record.between(before, after))
    assert "Samsung 8 Series main tvChannel.tvChannel: 4 → 7" in told
    assert "Samsung 8 Series main custom.picturemode.pictureMode: Standard → Movie" in told


async def test_only_an_owner_gets_the_record(url: str, hass_read_only_access_token: str) -> None:
    async with connected(url, hass_read_only_access_token) as guest:
        with pytest.raises(HomeAssistantError, match="Unauthorized"):
            await guest.call(cloud_record.COMMAND)
