"""Every simulated home is well made."""

import copy
from collections.abc import Iterator

import pytest
from pysmartthings.models import Device, Location, Room, Scene

from benchmark.paper.cases import CASES
from benchmark.paper.servers import start_home
from benchmark.paper.world import NOW
from benchmark.simulator.consistency import consequences
from benchmark.simulator.definitions import definitions
from benchmark.simulator.device import SimulatedDevice
from benchmark.simulator.home import FOLDER, SimulatedHome, load_home
from benchmark.simulator.rule_types import Setting
from benchmark.simulator.schema import faults

MOVING = {"completionTime"}  # values that depend on the time of day
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


def wrong_values(home: SimulatedHome) -> list[tuple[str, str]]:
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
    return wrong


def test_every_value_fits_its_definition(home: SimulatedHome):
    assert wrong_values(home) == []


def test_every_value_at_the_start_of_a_case_of_the_paper_fits_its_definition():
    assert {each.id: wrong_values(start_home(each, lambda: NOW)) for each in CASES} == {
        each.id: [] for each in CASES
    }


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
