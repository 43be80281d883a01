"""States that say the same thing in several places agree."""

from datetime import UTC, datetime

import pytest

from benchmark.simulator.home import SimulatedDevice, SimulatedHome, load_home

CONTACT = ("contactSensor", "contact")


@pytest.fixture
def home() -> SimulatedHome:
    return load_home("paper")


@pytest.fixture
def dishwasher(home: SimulatedHome) -> SimulatedDevice:
    device = home.device("dishwasher")
    device.now = lambda: datetime(2026, 11, 22, 8, 0, tzinfo=UTC)
    return device


def doors(fridge: SimulatedDevice) -> dict[str, object]:
    return {
        component: fridge.value(component, *CONTACT)
        for component in ("main", "cooler", "freezer", "cvroom")
    }


def job(dishwasher: SimulatedDevice) -> tuple[object, ...]:
    return (
        dishwasher.value("main", "dishwasherOperatingState", "machineState"),
        dishwasher.value("main", "dishwasherOperatingState", "dishwasherJobState"),
        dishwasher.value("main", "samsungce.dishwasherOperation", "operatingState"),
        dishwasher.value("main", "samsungce.dishwasherJobState", "dishwasherJobState"),
        dishwasher.value(
            "main", "custom.dishwasherOperatingProgress", "dishwasherOperatingProgress"
        ),
        dishwasher.value(
            "main", "custom.dishwasherOperatingPercentage", "dishwasherOperatingPercentage"
        ),
    )


IDLE = ("stop", "unknown", "ready", "none", "none", 1)
PREWASH = ("run", "prewash", "running", "preWashing", "prewash", 2)
DONE = ("stop", "finish", "ready", "finished", "finish", 100)


def test_a_fridge_is_open_while_one_of_its_doors_is(home: SimulatedHome):
    fridge = home.device("fridge")
    fridge.change("cooler", *CONTACT, "open")
    fridge.change("freezer", *CONTACT, "open")
    assert doors(fridge)["main"] == "open"
    fridge.change("cooler", *CONTACT, "closed")
    assert doors(fridge)["main"] == "open"
    fridge.change("freezer", *CONTACT, "closed")
    assert doors(fridge)["main"] == "closed"


def test_a_fridge_is_as_cold_as_it_is_set_to(home: SimulatedHome):
    fridge = home.device("fridge")
    fridge.apply("freezer", "thermostatCoolingSetpoint", "setCoolingSetpoint", [-20])
    assert fridge.status["freezer"]["temperatureMeasurement"]["temperature"]["value"] == -20
    assert fridge.status["freezer"]["temperatureMeasurement"]["temperature"]["unit"] == "C"
    assert fridge.value("cooler", "temperatureMeasurement", "temperature") == 4
    fridge.change("freezer", "temperatureMeasurement", "temperature", -17)
    assert fridge.value("freezer", "thermostatCoolingSetpoint", "coolingSetpoint") == -20


def test_a_channel_has_a_name_and_comes_through_the_receiver(home: SimulatedHome):
    frame = home.device("tv_frame")
    frame.apply("main", "tvChannel", "setTvChannel", ["7"])
    assert frame.value("main", "tvChannel", "tvChannelName") == "TSN 2"
    assert frame.value("main", "samsungvd.mediaInputSource", "inputSource") == "dtv"
    assert frame.value("main", "mediaInputSource", "inputSource") is None, "it knows none"
    frame.apply("main", "tvChannel", "setTvChannelName", ["Sportsnet"])
    assert frame.value("main", "tvChannel", "tvChannel") == "8"
    frame.apply("main", "tvChannel", "setTvChannel", ["42"])
    assert frame.value("main", "tvChannel", "tvChannelName") == ""


@pytest.mark.parametrize(
    ("capability", "command", "arguments"),
    [
        ("dishwasherOperatingState", "setMachineState", ["run"]),
        ("samsungce.dishwasherOperation", "start", []),
        ("samsungce.dishwasherOperation", "setOperatingState", ["running"]),
        ("samsungce.dishwasherWashingCourse", "startWashingCourse", ["normal"]),
    ],
)
def test_a_dishwasher_that_starts_says_so_everywhere(
    dishwasher: SimulatedDevice, capability: str, command: str, arguments: list[object]
):
    assert job(dishwasher) == IDLE
    dishwasher.apply("main", capability, command, arguments)
    assert job(dishwasher) == PREWASH
    assert dishwasher.value("main", "switch", "switch") == "on"
    operation = "samsungce.dishwasherOperation"
    assert dishwasher.value("main", operation, "remainingTime") == 137
    assert dishwasher.value("main", operation, "remainingTimeStr") == "02:17"
    assert (
        dishwasher.value("main", "dishwasherOperatingState", "completionTime")
        == "2026-11-22T10:17:00Z"
    )


def test_a_dishwasher_pauses_resumes_and_is_cancelled(dishwasher: SimulatedDevice):
    operation = "samsungce.dishwasherOperation"
    dishwasher.apply("main", operation, "start", [])
    dishwasher.apply("main", operation, "pause", [])
    assert job(dishwasher)[:3] == ("pause", "prewash", "paused")
    dishwasher.apply("main", operation, "resume", [])
    assert job(dishwasher) == PREWASH
    dishwasher.apply("main", operation, "cancel", [True])
    assert job(dishwasher) == IDLE
    dishwasher.apply("main", operation, "start", [])
    dishwasher.apply("main", "switch", "off", [])
    assert job(dishwasher) == IDLE


@pytest.mark.parametrize(
    ("capability", "attribute", "prewash", "finish"),
    [
        ("dishwasherOperatingState", "dishwasherJobState", "prewash", "finish"),
        ("custom.dishwasherOperatingProgress", "dishwasherOperatingProgress", "prewash", "finish"),
        ("samsungce.dishwasherJobState", "dishwasherJobState", "preWashing", "finished"),
    ],
)
def test_a_phase_is_told_everywhere(
    dishwasher: SimulatedDevice, capability: str, attribute: str, prewash: str, finish: str
):
    dishwasher.change("main", capability, attribute, prewash)
    assert job(dishwasher) == PREWASH
    dishwasher.change("main", capability, attribute, finish)
    assert job(dishwasher) == DONE
    dishwasher.apply("main", "dishwasherOperatingState", "setMachineState", ["run"])
    assert job(dishwasher) == PREWASH


@pytest.mark.parametrize("kind", ["Washer", "Dryer"])
def test_a_washer_and_a_dryer_agree_with_themselves(kind: str):
    machine = load_home("large").device(kind)
    plain = f"{kind.lower()}OperatingState"
    machine.change("main", "remoteControlStatus", "remoteControlEnabled", "true")
    machine.apply("main", plain, "setMachineState", ["stop"])
    machine.apply("main", f"samsungce.{plain}", "start", [])
    assert machine.value("main", plain, "machineState") == "run"
    assert machine.value("main", f"samsungce.{plain}", "operatingState") == "running"
    assert machine.value("main", plain, f"{kind.lower()}JobState") == "weightSensing"
    machine.apply("main", plain, "setMachineState", ["stop"])
    assert machine.value("main", f"samsungce.{plain}", "operatingState") == "ready"
    assert machine.value("main", f"samsungce.{plain}", f"{kind.lower()}JobState") == "none"


def test_a_shade_and_its_level_agree():
    shade = load_home("large").device("Left Shade")
    shade.apply("main", "windowShadeLevel", "setShadeLevel", [40])
    assert shade.value("main", "windowShade", "windowShade") == "partially open"
    shade.apply("main", "windowShade", "close", [])
    assert shade.value("main", "windowShadeLevel", "shadeLevel") == 0


def test_a_garage_door_and_its_sensor_agree():
    doors = [
        device
        for device in load_home("large").devices.values()
        if device.has("main", "doorControl") and device.has("main", "contactSensor")
    ]
    for door in doors:
        door.apply("main", "doorControl", "open", [])
        assert door.value("main", *CONTACT) == "open"
    assert doors


def test_what_a_device_does_not_have_cannot_change(home: SimulatedHome):
    with pytest.raises(KeyError):
        home.device("plug").change("main", "switchLevel", "level", 3)
    with pytest.raises(KeyError, match="has no main"):
        home.device("plug").change("main", "switch", "level", 3)
