"""The large home is well made, and Home Assistant's own integration makes all of it."""

import logging
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import aiohttp
import pytest
from homeassistant.components.smartthings.entity import SmartThingsEntity
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.entity_platform import async_get_platforms

from benchmark.simulator.cloud import SimulatedCloud
from benchmark.simulator.definitions import definitions
from benchmark.simulator.home import SimulatedDevice, SimulatedHome, load_home
from benchmark.simulator.schema import faults
from tests.smartthings_home import SmartThings, large_cloud, large_smartthings  # noqa: F401

DISPLAY = "samsungce.displayBrightness"

OPTIONS = [
    ("airConditionerFanMode", "fanMode", "supportedAcFanModes"),
    ("airConditionerMode", "airConditionerMode", "supportedAcModes"),
    ("custom.airConditionerOptionalMode", "acOptionalMode", "supportedAcOptionalMode"),
    ("custom.dryerDryLevel", "dryerDryLevel", "supportedDryerDryLevel"),
    ("custom.fridgeMode", "fridgeMode", "supportedFridgeModes"),
    ("custom.picturemode", "pictureMode", "supportedPictureModes"),
    ("custom.soundmode", "soundMode", "supportedSoundModes"),
    ("custom.washerRinseCycles", "washerRinseCycles", "supportedWasherRinseCycles"),
    ("custom.washerSoilLevel", "washerSoilLevel", "supportedWasherSoilLevel"),
    ("custom.washerSpinLevel", "washerSpinLevel", "supportedWasherSpinLevel"),
    (
        "custom.washerWaterTemperature",
        "washerWaterTemperature",
        "supportedWasherWaterTemperature",
    ),
    ("fanOscillationMode", "fanOscillationMode", "supportedFanOscillationModes"),
    ("hca.dryerMode", "mode", "supportedModes"),
    ("hca.washerMode", "mode", "supportedModes"),
    ("mediaInputSource", "inputSource", "supportedInputSources"),
    ("ovenMode", "ovenMode", "supportedOvenModes"),
    ("samsungce.autoDispenseDetergent", "amount", "supportedAmount"),
    ("samsungce.cooktopHeatingPower", "heatingMode", "supportedHeatingModes"),
    ("samsungce.dishwasherWashingCourse", "washingCourse", "supportedCourses"),
    ("samsungce.dryerDryingTemperature", "dryingTemperature", "supportedDryingTemperature"),
    ("samsungce.dryerDryingTime", "dryingTime", "supportedDryingTime"),
    ("samsungce.lamp", "brightnessLevel", "supportedBrightnessLevel"),
    ("samsungce.microwavePower", "powerLevel", "supportedPowerLevels"),
    ("samsungce.ovenMode", "ovenMode", "supportedOvenModes"),
    ("samsungce.robotCleanerCleaningMode", "cleaningMode", "supportedCleaningMode"),
    ("samsungce.robotCleanerCleaningType", "cleaningType", "supportedCleaningTypes"),
    ("samsungce.robotCleanerOperatingState", "operatingState", "supportedOperatingState"),
    ("thermostatFanMode", "thermostatFanMode", "supportedThermostatFanModes"),
    ("thermostatMode", "thermostatMode", "supportedThermostatModes"),
]

RAW_ONLY = [
    ("Dryer", "main", DISPLAY, "setBrightnessLevel"),
    ("Dryer", "main", "custom.dryerDryLevel", "setDryerDryLevel"),
    ("Washer", "hca.main", "hca.washerMode", "setMode"),
    ("Oven", "main", "samsungce.ovenMode", "setOvenMode"),
    ("Microwave", "main", "samsungce.microwavePower", "setPowerLevel"),
    ("Refrigerator", "cvroom", "custom.fridgeMode", "setFridgeMode"),
    ("Living Room TV", "main", "custom.picturemode", "setPictureMode"),
    ("Living Room TV", "main", "tvChannel", "setTvChannel"),
    ("Soundbar", "main", "samsungvd.soundFrom", "setSoundFrom"),
    ("Living Room AC", "main", "custom.autoCleaningMode", "setAutoCleaningMode"),
    ("Air Purifier", "main", "samsungce.airPurifierLighting", "off"),
    ("Robot Vacuum", "main", "samsungce.robotCleanerCleaningMode", "setCleaningMode"),
    ("Left Shade", "main", "windowShadePreset", "presetPosition"),
    ("Siren", "main", "alarm", "siren"),
    ("Driveway Camera", "main", "imageCapture", "take"),
    ("Front Door Lock", "main", "lockCodes", "setCode"),
]
"""Device, component, capability and a command that none of Home Assistant's entities serves."""


@pytest.fixture
def home() -> SimulatedHome:
    return load_home("large")


def capabilities(
    device: SimulatedDevice,
) -> Iterator[tuple[str, str, Mapping[str, Mapping[str, Any]]]]:
    for component, inside in device.status.items():
        for capability, attributes in inside.items():
            yield component, capability, attributes


def category(device: SimulatedDevice) -> str:
    return str(device.description["components"][0]["categories"][0]["name"])


def test_it_has_sixty_devices_in_about_ten_rooms(home: SimulatedHome):
    assert len(home.devices) == 60
    assert len({device.label for device in home.devices.values()}) == 60
    assert 10 <= len(home.rooms) <= 12
    used = {device.description.get("roomId") for device in home.devices.values()}
    assert used - {None} == {room["roomId"] for room in home.rooms}


def test_it_has_every_kind_of_device(home: SimulatedHome):
    kinds = Counter(category(device) for device in home.devices.values())

    assert set(kinds) >= {
        *("Washer", "Dryer", "Oven", "Cooktop", "Microwave", "Refrigerator", "Dishwasher"),
        *("AirConditioner", "AirPurifier", "Thermostat", "RobotCleaner", "NetworkAudio"),
        *("SmartLock", "GarageDoor", "Camera", "Siren", "WaterValve", "Blind", "Hub"),
        *("Light", "Switch", "SmartPlug", "RemoteController", "MobilePresence"),
        *("ContactSensor", "MotionSensor", "LeakSensor", "SmokeDetector", "TempHumiditySensor"),
    }
    assert kinds["Television"] == 2
    assert kinds["SmartLock"] == 2
    assert kinds["Light"] >= 10


def test_every_value_is_one_that_its_definition_allows(home: SimulatedHome):
    known = definitions()
    for device in home.devices.values():
        for component, capability, attributes in capabilities(device):
            place = f"{device.key}.{component}.{capability}"
            assert set(attributes) == set(known[capability]["attributes"]), place
            for name, entry in attributes.items():
                if entry["value"] is None:
                    continue
                reported = {key: entry[key] for key in ("value", "unit") if key in entry}
                schema = known[capability]["attributes"][name]["schema"]
                assert list(faults(reported, schema, f"{place}.{name}")) == []


@pytest.mark.parametrize(("capability", "attribute", "options"), OPTIONS)
def test_a_device_is_set_to_something_that_it_supports(
    home: SimulatedHome, capability: str, attribute: str, options: str
):
    compared = 0
    for device in home.devices.values():
        for component, found, attributes in capabilities(device):
            value = attributes[attribute]["value"] if found == capability else None
            if value is not None:
                place = f"{device.key}.{component}"
                assert value in attributes[options]["value"], place
                compared += 1
    assert compared


def test_scenes_command_what_their_devices_have(home: SimulatedHome):
    assert home.scenes
    for scene in home.scenes:
        for action in scene["actions"]:
            device = home.devices[action["deviceId"]]
            for command in action["commands"]:
                assert device.has(command["component"], command["capability"])
                assert command["command"] in definitions()[command["capability"]]["commands"]


async def test_home_assistant_makes_all_of_it(
    hass: HomeAssistant,
    large_smartthings: SmartThings,  # noqa: F811
    caplog: pytest.LogCaptureFixture,
):
    entry_id = large_smartthings.entry.entry_id
    devices = dr.async_entries_for_config_entry(dr.async_get(hass), entry_id)
    entities = er.async_entries_for_config_entry(er.async_get(hass), entry_id)
    areas = {area.id: area.name for area in ar.async_get(hass).async_list_areas()}
    made = {device.name: areas.get(device.area_id or "") for device in devices}

    home = large_smartthings.cloud.home
    rooms = {room["roomId"]: room["name"] for room in home.rooms}
    assert made == {
        device.label: rooms.get(device.description.get("roomId"))
        for device in home.devices.values()
    }
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
    for entity in entities:
        state = hass.states.get(entity.entity_id)
        if not entity.disabled:
            assert state is not None, entity.entity_id
            assert state.state != STATE_UNAVAILABLE, entity.entity_id
    without = {
        device.name
        for device in devices
        if not er.async_entries_for_device(er.async_get(hass), device.id)
    }
    assert without == {"Home Hub"}
    assert len(entities) >= 300
    domains = {entity.domain for entity in entities}
    assert domains >= {
        "climate",
        "cover",
        "fan",
        "light",
        "lock",
        "media_player",
        "vacuum",
        "valve",
    }


async def test_setting_it_up_costs_two_requests_a_device(
    large_smartthings: SmartThings,  # noqa: F811
):
    cloud = large_smartthings.cloud

    assert cloud.count("GET", "/v1/devices/*/status") == 60
    assert cloud.count("GET", "/v1/devices/*/health") == 60
    assert cloud.count() == 60 * 2 + 5


async def test_what_is_switched_off_at_the_factory_makes_no_entity(
    large_smartthings: SmartThings,  # noqa: F811
):
    burners = [
        entity_id
        for entity_id in large_smartthings.entities("Cooktop", "sensor")
        if "burner" in entity_id and entity_id.endswith("level")
    ]

    assert len(burners) == 4
    assert large_smartthings.cloud.device("Cooktop").has(
        "burner-06", "samsungce.cooktopHeatingPower"
    )


async def test_only_the_raw_devices_have_some_commands(
    hass: HomeAssistant,
    large_smartthings: SmartThings,  # noqa: F811
):
    cloud = large_smartthings.cloud
    acting = {
        (entity.device.device.device_id, entity.component, str(capability))
        for platform in async_get_platforms(hass, "smartthings")
        if platform.domain not in {"binary_sensor", "event", "sensor", "update"}
        for entity in platform.entities.values()
        if isinstance(entity, SmartThingsEntity)
        for capability in entity.capabilities
    }

    assert (cloud.device_id("Sofa Lamp"), "main", "colorControl") in acting
    for device, component, capability, command in RAW_ONLY:
        place = (cloud.device_id(device), component, capability)
        assert place not in acting, place
        assert cloud.device(device).has(component, capability)
        assert command in definitions()[capability]["commands"]


async def test_the_screen_of_the_dryer_is_dimmed_through_the_cloud_only(
    large_cloud: SimulatedCloud,  # noqa: F811
):
    dryer = large_cloud.device("Dryer")
    headers = {"Authorization": f"Bearer {large_cloud.access_token}"}

    async def dim(level: int) -> int:
        command = {"component": "main", "capability": DISPLAY, "command": "setBrightnessLevel"}
        body = {"commands": [command | {"arguments": [level]}]}
        async with (
            aiohttp.ClientSession(large_cloud.url, headers=headers) as session,
            session.post(f"/v1/devices/{dryer.id}/commands", json=body) as response,
        ):
            return response.status

    assert dryer.value("main", DISPLAY, "brightnessLevelRange")["maximum"] == 10
    assert await dim(101) == 422
    assert dryer.value("main", DISPLAY, "brightnessLevel") == 8
    assert await dim(3) == 200
    assert dryer.value("main", DISPLAY, "brightnessLevel") == 3
