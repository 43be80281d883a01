"""What people ask of SmartThings devices, from their words to what the cloud was sent."""

from typing import Any

import pytest

from benchmark.model_script import verification
from benchmark.simulator.request_log import RequestKind
from tests.decisions import NATIVE, step
from tests.end_to_end.attacker import kinds
from tests.end_to_end.conftest import Sage
from tests.smartthings_home import SmartThings

from .story import call, carried_out, changed, executed, given, index, observed, posted, values

SELECT_CYCLE = "select.kitchen_dishwasher_cycle"
CYCLES = "auto|normal|heavy|delicate|express|rinse_only|self_clean"
COURSES = "auto|normal|heavy|delicate|express|rinseOnly|selfClean"
COURSE = "samsungce.dishwasherWashingCourse"


# ------------------------------------------------------------- the freezer

COLDER = "make the freezer two degrees colder"
FREEZER_COLDER = {
    "fridge freezer temperatureMeasurement.temperature": -20,
    "fridge freezer thermostatCoolingSetpoint.coolingSetpoint": -20,
}
FREEZER_POSTED = ["fridge freezer thermostatCoolingSetpoint.setCoolingSetpoint(-20)"]


async def test_freezer_by_its_entity(smart_sage: Sage, smartthings: SmartThings) -> None:
    """There are two number entities; "freezer" in the request tells which is meant."""
    cloud = smartthings.cloud
    before = values(cloud)
    heard = await carried_out(
        smart_sage,
        COLDER,
        [step("command", "refrigerator", capabilities=("number",))],
        executed("refrigerator", command="set_value", value=-20),
        NATIVE.finish("acted", "The freezer is set to -20 °C."),
    )
    assert heard == "The freezer is set to -20 °C."
    assert "number (Freezer temperature, Fridge temperature)" in index(smart_sage)
    assert "nothing before it on the line can do or tell" in index(smart_sage)
    assert "set_value(value: -23..-15 °C)" in given(smart_sage)
    (done,) = observed(smart_sage)
    assert "verified; state -18 -> -20" in done
    assert kinds(smart_sage) == ["verified"]
    assert posted(cloud) == FREEZER_POSTED
    assert changed(before, cloud) == FREEZER_COLDER


# ------------------------------------------------------------- greasy dishes

GREASY = "dishes are greasy, set a fitting mode"


@pytest.mark.parametrize(
    ("capability", "device", "wrong", "right", "allowed", "mend"),
    [
        (
            "select",
            SELECT_CYCLE,
            {"command": "select_option", "option": "intensive"},
            {"command": "select_option", "option": "heavy"},
            f"component {SELECT_CYCLE}: state normal\nstate: {CYCLES}\n",
            CYCLES.replace("|", ", "),
        ),
        (
            COURSE,
            "dishwasher",
            {"command": "setWashingCourse", "course": "intensive"},
            {"command": "setWashingCourse", "course": "heavy"},
            f"component main: washingCourse normal\nwashingCourse: {COURSES}\n",
            COURSES.replace("|", ", "),
        ),
    ],
    ids=["entity", "raw"],
)
async def test_course_for_greasy_dishes(
    smart_sage: Sage,
    capability,
    device,
    wrong: dict[str, Any],
    right: dict[str, Any],
    allowed,
    mend,
) -> None:
    """The model chooses from the machine's own list, and from nothing else."""
    cloud = smart_sage.cloud
    before = values(cloud)
    heard = await carried_out(
        smart_sage,
        GREASY,
        [step("command", "dishwasher", capabilities=(capability,))],
        executed(device, **wrong),
        executed(device, **right),
        NATIVE.finish("acted", "The dishwasher is set to heavy."),
    )
    assert heard == "The dishwasher is set to heavy."
    assert allowed in given(smart_sage)
    refused, done = observed(smart_sage)
    assert refused.startswith("Error: ")
    assert "cannot be 'intensive'" in refused
    assert mend in refused
    assert "verified" in done
    assert kinds(smart_sage) == ["verified"]
    assert posted(cloud) == [f"dishwasher main {COURSE}.setWashingCourse('heavy')"]
    after = changed(before, cloud)
    assert after.pop("dishwasher main dishwasherOperatingState.completionTime")
    assert after == {
        f"dishwasher main {COURSE}.washingCourse": "heavy",
        "dishwasher main samsungce.dishwasherOperation.remainingTime": 165,
        "dishwasher main samsungce.dishwasherOperation.remainingTimeStr": "02:45",
    }


# ------------------------------------------------------------- what a machine is doing


@pytest.mark.parametrize(
    ("capability", "told"),
    [
        ("samsungce.dishwasherJobState", "dishwasherJobState rinsing"),
        ("sensor", "sensor.kitchen_dishwasher_job_state: state rinse"),
    ],
    ids=["raw", "entity"],
)
async def test_phase_of_the_dishwasher(smart_sage: Sage, capability, told) -> None:
    """It runs and reports a phase; the answer needs no request to the cloud."""
    cloud = smart_sage.cloud
    cloud.change("dishwasher", "main", "dishwasherOperatingState", "machineState", "run")
    cloud.change(
        "dishwasher", "main", "samsungce.dishwasherJobState", "dishwasherJobState", "rinsing"
    )
    await smart_sage.smartthings.async_settle()
    before = values(cloud)
    cloud.forget_requests()
    heard = await carried_out(
        smart_sage,
        "what phase is the dishwasher in",
        [step("read", "dishwasher", capabilities=(capability,))],
        NATIVE.finish("answered", "The dishwasher is rinsing."),
    )
    assert heard == "The dishwasher is rinsing."
    assert told in given(smart_sage)
    assert smart_sage.trace["reads"] >= 1
    assert kinds(smart_sage) == []
    assert cloud.count_kind(RequestKind.STATUS, RequestKind.COMMANDS) == 0
    assert changed(before, cloud) == {}


@pytest.mark.parametrize(
    ("capability", "told"),
    [
        ("contactSensor", "refrigerator (Kitchen) cooler contactSensor: contact open"),
        ("binary_sensor", "binary_sensor.kitchen_refrigerator_fridge_door: state on (Open)"),
    ],
    ids=["raw", "entity"],
)
async def test_door_of_the_cooler(
    smart_sage: Sage, smartthings: SmartThings, capability, told
) -> None:
    """What the model believes without looking is sent back; then it looks."""
    cloud = smartthings.cloud
    await smartthings.async_change("fridge", "cooler", "contactSensor", "contact", "open")
    before = values(cloud)
    cloud.forget_requests()
    decisions = (
        NATIVE.finish("answered", "The cooler door is closed.", about="home"),
        verification("The cooler door is closed."),
        *NATIVE.planned(
            "is the cooler door open", step("read", "refrigerator", capabilities=(capability,))
        ),
        NATIVE.finish("answered", "Yes, the cooler door is open."),
    )
    smart_sage.model_says(*decisions)
    assert await smart_sage.hear("is the cooler door open") == "Yes, the cooler door is open."
    assert len(smart_sage.decisions) == len(decisions) - 1
    assert (
        '"The cooler door is closed.": the record does not show it'
        in smart_sage.decisions[1].prompt
    )
    assert told in str(smart_sage.decisions[3].messages[-1]["content"])
    assert smart_sage.trace["reads"] >= 1
    assert cloud.count_kind(RequestKind.STATUS, RequestKind.COMMANDS) == 0
    assert changed(before, cloud) == {}


# ------------------------------------------------------------- what only the cloud documents


async def test_screen_of_the_dryer(large_sage: Sage, large_smartthings: SmartThings) -> None:
    """No entity of the dryer has anything to do with its screen."""
    cloud = large_smartthings.cloud
    assert not [each for each in large_smartthings.entities("dryer") if "brightness" in each]
    before = values(cloud)
    heard = await carried_out(
        large_sage,
        "turn down the screen brightness on my dryer",
        [step("command", "dryer", capabilities=("samsungce.displayBrightness",))],
        executed("dryer", command="setBrightnessLevel", level=200),
        executed("dryer", command="setBrightnessLevel", level=6),
        NATIVE.finish("acted", "The screen of the dryer is darker."),
    )
    assert heard == "The screen of the dryer is darker."
    line = next(each for each in index(large_sage).splitlines() if each.startswith("- dryer: "))
    assert "smartthings main (dryer): " in line
    assert "samsungce.displayBrightness" in line
    assert cloud.count("GET", "/v1/capabilities/samsungce.displayBrightness/1") == 1
    assert (
        "dryer (Laundry Room) component main: brightnessLevel 8, "
        "brightnessLevelRange {minimum: 1, maximum: 10"
    ) in given(large_sage)
    assert "setBrightnessLevel(level: 0..100)" in given(large_sage)
    refused, done = observed(large_sage)
    assert refused == "Error: 200 is out of range: level (integer, 0..100) is wanted."
    assert "verified; brightnessLevel 8 -> 6" in done
    assert kinds(large_sage) == ["verified"]
    assert posted(cloud) == ["dryer main samsungce.displayBrightness.setBrightnessLevel(6)"]
    assert changed(before, cloud) == {"dryer main samsungce.displayBrightness.brightnessLevel": 6}


# ------------------------------------------------------------- two televisions


async def test_channel_moves_to_the_other_television(smart_sage: Sage) -> None:
    """It reads which one shows a channel, sets the other and turns the first one off."""
    cloud = smart_sage.cloud
    before = values(cloud)
    both = ("samsung_8_series", "the_frame")
    heard = await carried_out(
        smart_sage,
        "move this channel to the other TV and turn this one off",
        [
            {**step("command", *both, capabilities=("tvChannel",)), "doubt": "which shows one"},
            step("command", *both, capabilities=("media_player",), task="Turn it off."),
        ],
        NATIVE.call("read_attributes", devices=[*both], attributes=["tvChannel", "tvChannelName"]),
        NATIVE.calls(
            ("execute_command", call("the_frame", command="setTvChannel", tvChannel="4")),
            ("execute_command", call("samsung_8_series", command="turn_off")),
        ),
        NATIVE.finish("acted", "Channel 4 is on in the office, and the other TV is off."),
    )
    assert heard == "Channel 4 is on in the office, and the other TV is off."
    shown = given(smart_sage)
    assert "(settle first, from the values if they tell: which shows one)" in shown
    assert "setTvChannel(tvChannel: text)" in shown
    assert "turn_off()" in shown
    read, moved, off = observed(smart_sage)
    assert "samsung_8_series (Living room) main tvChannel: tvChannel 4" in read
    assert "the_frame (Office) main tvChannel: " in read
    assert "The Frame (main) setTvChannel(tvChannel=4): verified" in moved
    assert "turn_off(): verified; state on -> off" in off
    assert kinds(smart_sage) == ["verified", "verified"]
    assert posted(cloud) == [
        "tv_frame main tvChannel.setTvChannel('4')",
        "tv_credenza main switch.off()",
    ]
    assert changed(before, cloud) == {
        "tv_credenza main switch.switch": "off",
        "tv_frame main tvChannel.tvChannel": "4",
        "tv_frame main tvChannel.tvChannelName": "BBC",
        "tv_frame main samsungvd.mediaInputSource.inputSource": "dtv",
    }
