"""Every simulated home is well made."""

import copy
from collections.abc import Iterator

import pytest
from pysmartthings.models import Device, Location, Room, Scene

from benchmark.simulator.consistency import consequences
from benchmark.simulator.definitions import definitions
from benchmark.simulator.device import SimulatedDevice
from benchmark.simulator.home import FOLDER, SimulatedHome, load_home
from benchmark.simulator.rule_types import Setting
from benchmark.simulator.schema import faults

MOVING = {"completionTime"}
"""Values that depend on the time of day."""

HOMES = sorted(path.stem for path in FOLDER.glob("*.json"))


@pytest.fixture(params=HOMES)
def home(request: pytest.FixtureRequest) -> SimulatedHome:
    return load_home(request.param)


@pytest.fixture
def paper() -> SimulatedHome:
    return load_home("paper")


def instances(home: SimulatedHome) -> Iterator[tuple[SimulatedDevice, str, str]]:
    """Yield every capability of every component of every device."""
    for device in home.devices.values():
        for component, capabilities in device.status.items():
            for capability in capabilities:
                yield device, component, capability


def test_both_homes_are_there():
    assert {"paper", "large"} <= set(HOMES)


def test_the_client_library_understands_all_of_it(home: SimulatedHome):
    assert Location.from_dict(copy.deepcopy(home.location)).location_id
    rooms = {Room.from_dict(copy.deepcopy(room)).room_id for room in home.rooms}
    for scene in home.scenes:
        assert Scene.from_dict(copy.deepcopy(scene)).name
    for device in home.devices.values():
        understood = Device.from_dict(copy.deepcopy(device.description))
        assert understood.device_id == device.id
        assert understood.room_id in rooms | {None}
        assert understood.components["main"].manufacturer_category


def test_every_capability_of_every_device_is_defined(home: SimulatedHome):
    listed = {
        (device.key, component["id"], capability["id"])
        for device in home.devices.values()
        for component in device.description["components"]
        for capability in component["capabilities"]
    }
    assert {capability for _, _, capability in listed} <= set(definitions())
    reported = {(device.key, *others) for device, *others in instances(home)}
    assert reported <= listed


def test_every_value_fits_its_definition(home: SimulatedHome):
    wrong: list[tuple[str, str]] = []
    for device, component, capability in instances(home):
        known = definitions()[capability]["attributes"]
        attributes = device.status[component][capability]
        assert set(attributes) == set(known), (device.key, capability)
        for name, entry in attributes.items():
            if entry["value"] is None:
                assert set(entry) == {"value"}
                continue
            place = f"{device.key}.{component}.{capability}.{name}"
            told = {key: value for key, value in entry.items() if key != "timestamp"}
            wrong += faults(told, known[name]["schema"], place)
    assert wrong == []


def test_scenes_do_what_devices_can(home: SimulatedHome):
    for scene in home.scenes:
        for action in scene["actions"]:
            device = home.devices[action["deviceId"]]
            for command in action["commands"]:
                assert device.has(command["component"], command["capability"])
                commands = definitions()[command["capability"]]["commands"]
                assert command["command"] in commands


def test_states_agree_from_the_start(home: SimulatedHome):
    wrong = [
        (device.key, setting, consequence)
        for device, component, capability in instances(home)
        for attribute, entry in device.status[component][capability].items()
        if entry["value"] is not None
        for setting in [Setting(component, capability, attribute, entry["value"])]
        for consequence in consequences(device, setting)
        if consequence.attribute not in MOVING
    ]
    assert wrong == []


def test_ids_are_always_the_same_and_homes_are_not_shared(home: SimulatedHome):
    again = load_home(home.name)
    assert list(again.devices) == list(home.devices)
    device_id = next(iter(home.devices))
    home.devices[device_id].description["label"] = "Changed"
    home.devices[device_id].status.clear()
    assert load_home(home.name).devices[device_id].description["label"] != "Changed"
    assert again.devices[device_id].description["label"] != "Changed"


def test_what_the_paper_needs_is_there(paper: SimulatedHome):
    assert paper.device("tv_credenza").value("main", "tvChannel", "tvChannel") == "4"
    assert paper.device("dishwasher").value(
        "main", "samsungce.dishwasherWashingCourse", "supportedCourses"
    ) == ["auto", "normal", "heavy", "delicate", "express", "rinseOnly", "selfClean"]
    fridge = paper.device("fridge")
    assert fridge.status["freezer"]["temperatureMeasurement"]["temperature"] == {
        "value": -18,
        "unit": "C",
        "timestamp": "2026-11-21T16:20:00.000Z",
    }
    assert fridge.value("main", "temperatureMeasurement", "temperature") is None
    assert fridge.value("main", "custom.disabledComponents", "disabledComponents") == [
        "icemaker-02",
        "pantry-01",
        "scale-10",
        "scale-11",
    ]
    assert fridge.status["main"]["ocf"]["vid"]["value"] == "DA-REF-NORMAL-01011"


@pytest.mark.parametrize(
    ("key", "component", "capability", "attribute", "value"),
    [
        *(
            (key, "main", *place)
            for key in ("tv_credenza", "tv_frame")
            for place in (
                ("switch", "switch", "off"),
                ("audioVolume", "volume", 75),
                ("tvChannel", "tvChannel", "0"),
                ("tvChannel", "tvChannel", "42"),
            )
        ),
        *(
            (key, "main", *place)
            for key in ("light_bed", "light_tv", "light_fireplace", "light_dining")
            for place in (
                ("switch", "switch", "off"),
                ("switchLevel", "level", 0),
                ("switchLevel", "level", 100),
                ("colorControl", "hue", 66.67),
                ("colorControl", "saturation", 100),
                ("colorTemperature", "colorTemperature", 5000),
            )
        ),
        ("fridge", "main", "contactSensor", "contact", "open"),
        ("fridge", "cooler", "temperatureMeasurement", "temperature", 11),
        ("fridge", "freezer", "temperatureMeasurement", "temperature", -17),
        ("fridge", "freezer", "thermostatCoolingSetpoint", "coolingSetpoint", -20),
        ("dishwasher", "main", "switch", "switch", "on"),
        ("dishwasher", "main", "dishwasherOperatingState", "machineState", "run"),
        ("dishwasher", "main", "dishwasherOperatingState", "dishwasherJobState", "prewash"),
        (
            "dishwasher",
            "main",
            "custom.dishwasherOperatingProgress",
            "dishwasherOperatingProgress",
            "spin",
        ),
        (
            "dishwasher",
            "main",
            "samsungce.dishwasherWashingCourse",
            "washingCourse",
            "express",
        ),
    ],
)
def test_the_start_states_of_the_papers_tasks_can_be_set(
    paper: SimulatedHome, key: str, component: str, capability: str, attribute: str, value: object
):
    device = paper.device(key)
    device.change(component, capability, attribute, value)
    assert device.value(component, capability, attribute) == value
    schema = definitions()[capability]["attributes"][attribute]["schema"]["properties"]["value"]
    assert list(faults(value, schema, "")) == []


@pytest.mark.parametrize(("allowed", "value"), [(False, "false"), (True, "true")])
def test_remote_control_is_allowed_or_not(paper: SimulatedHome, allowed: bool, value: str):
    dishwasher = paper.device("dishwasher")
    assert dishwasher.remote_control
    dishwasher.remote_control = allowed
    assert dishwasher.value("main", "remoteControlStatus", "remoteControlEnabled") == value
    assert dishwasher.remote_control is allowed
