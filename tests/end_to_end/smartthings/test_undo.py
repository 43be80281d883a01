""" "Put it back" brings raw attributes of SmartThings devices back to what they were."""

from typing import Any

import pytest

from benchmark.model_script import Answer, Json
from tests.decisions import NATIVE, claim, step
from tests.end_to_end.attacker import kinds
from tests.end_to_end.conftest import Sage
from tests.smartthings_home import SmartThings

from .story import Values, call, carried_out, changed, executed, hasty, observed, posted, values

TV = "samsung_8_series"
FRAME = "the_frame"
CHANNEL = "main tvChannel.setTvChannel"
SETPOINT = "fridge freezer thermostatCoolingSetpoint.setCoolingSetpoint"
FREEZER_NUMBER = "number.kitchen_refrigerator_freezer_temperature"
OPERATION = "samsungce.dishwasherOperation"
BACK = claim(TV, "4", attribute="tvChannel")
DONE = NATIVE.finish("acted", "Done.")


def channel(number: str, *devices: str) -> Answer:
    return executed(*(devices or (TV,)), command="setTvChannel", tvChannel=number)


async def done(sage: Sage, *decisions: Answer, device: str = TV, capability: str) -> None:
    """Let something be done; it is verified."""
    planned = [step("command", device, capabilities=(capability,))]
    assert await carried_out(sage, "please do it", planned, *decisions, DONE) == "Done."


async def put_back(sage: Sage, smartthings: SmartThings, *lies: Json, **say: Any) -> str:
    """Say "put it back" (commands count from here); return what is heard, also of `lies`."""
    smartthings.cloud.forget_requests()
    claimed = NATIVE.finish("acted", "It is as it was.", *lies)
    sage.model_says(NATIVE.call("undo"), claimed, *[claimed] * bool(lies))
    return await sage.hear("put it back", **say)


async def assert_back(sage: Sage, smartthings: SmartThings, before: Values, *commands: str) -> None:
    """Assert that it goes back to what was before, with exactly these commands."""
    assert await put_back(sage, smartthings) == "It is as it was."
    assert set(kinds(sage)) == {"verified"}
    assert posted(smartthings.cloud) == [*commands]
    left = changed(before, smartthings.cloud)
    # The clock went on: a machine that would be started now would be done later.
    left.pop("dishwasher main dishwasherOperatingState.completionTime", None)
    assert left == {}


async def test_channel_there_and_back_again(smart_sage: Sage, smartthings: SmartThings) -> None:
    """Putting back can itself be put back."""
    before = values(smartthings.cloud)
    await done(smart_sage, channel("7"), capability="tvChannel")
    after = values(smartthings.cloud)
    await assert_back(smart_sage, smartthings, before, f"tv_credenza {CHANNEL}('4')")
    assert "put_back(tvChannel=4): verified; tvChannel 7 -> 4" in observed(smart_sage)[0]
    await assert_back(smart_sage, smartthings, after, f"tv_credenza {CHANNEL}('7')")


async def test_freezer(smart_sage: Sage, smartthings: SmartThings) -> None:
    before = values(smartthings.cloud)
    await done(
        smart_sage,
        executed("refrigerator", command="setCoolingSetpoint", component="freezer", setpoint=-21),
        device="refrigerator",
        capability="thermostatCoolingSetpoint",
    )
    await assert_back(smart_sage, smartthings, before, f"{SETPOINT}(-18)")


async def test_two_devices_at_once(smart_sage: Sage, smartthings: SmartThings) -> None:
    """Both showed a channel of their own before."""
    await done(smart_sage, channel("5", FRAME), capability="tvChannel")
    before = values(smartthings.cloud)
    await done(smart_sage, channel("7", TV, FRAME), capability="tvChannel")
    assert await put_back(smart_sage, smartthings) == "It is as it was."
    assert kinds(smart_sage) == ["verified", "verified"]
    assert sorted(posted(smartthings.cloud)) == [
        f"tv_credenza {CHANNEL}('4')",
        f"tv_frame {CHANNEL}('5')",
    ]
    assert changed(before, smartthings.cloud) == {}


async def test_raw_command_and_entity_of_one_run(
    hass, smart_sage: Sage, smartthings: SmartThings
) -> None:
    before = values(smartthings.cloud)
    await done(
        smart_sage,
        NATIVE.calls(
            ("execute_command", call(TV, command="setTvChannel", tvChannel="7")),
            ("execute_command", call(FREEZER_NUMBER, command="set_value", value=-21)),
        ),
        capability="tvChannel",
    )
    await assert_back(
        smart_sage, smartthings, before, f"tv_credenza {CHANNEL}('4')", f"{SETPOINT}(-18)"
    )
    assert hass.states.get(FREEZER_NUMBER).state == "-18"


async def test_several_changes_of_one_run_go_back_to_before_the_first(smart_sage: Sage) -> None:
    """Relative changes go back by the value."""
    before = values(smart_sage.cloud)
    up = executed(TV, command="channelUp")
    await done(smart_sage, up, up, channel("9"), capability="tvChannel")
    await assert_back(smart_sage, smart_sage.smartthings, before, f"tv_credenza {CHANNEL}('4')")


async def test_course_of_a_machine(smart_sage: Sage, smartthings: SmartThings) -> None:
    before = values(smartthings.cloud)
    capability = "samsungce.dishwasherWashingCourse"
    heavy = executed("dishwasher", command="setWashingCourse", course="heavy")
    await done(smart_sage, heavy, device="dishwasher", capability=capability)
    command = f"dishwasher main {capability}.setWashingCourse('normal')"
    await assert_back(smart_sage, smartthings, before, command)


# ------------------------------------------------------------- what cannot go back


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I can't restore the previous state of The Frame."),
        ("de", "Den vorherigen Zustand von The Frame kann ich nicht wiederherstellen."),
    ],
)
async def test_channel_of_a_television_that_showed_none(smart_sage: Sage, language, said) -> None:
    """It showed pictures: there is no channel to put it back to, and nothing is made up."""
    await done(smart_sage, channel("7", FRAME), capability="tvChannel")
    before = values(smart_sage.cloud)
    pictures = claim(FRAME, "HDMI1", attribute="inputSource")
    assert await put_back(smart_sage, smart_sage.smartthings, pictures, language=language) == said
    assert kinds(smart_sage) == ["failed"]
    assert smart_sage.cloud.commands == []
    assert changed(before, smart_sage.cloud) == {}


async def test_what_was_so_before_is_no_change(smart_sage: Sage, smartthings: SmartThings) -> None:
    planned = [step("command", TV, capabilities=("tvChannel",))]
    await carried_out(smart_sage, "channel 4", planned, channel("4"), DONE)
    assert kinds(smart_sage) == ["already"]
    assert "no change" in await put_back(smart_sage, smartthings, BACK)
    assert smartthings.cloud.commands == []


async def test_somebody_put_it_back_by_hand(smart_sage: Sage, smartthings: SmartThings) -> None:
    """With the remote control, meanwhile: nothing is left to be sent."""
    await done(smart_sage, channel("7"), capability="tvChannel")
    await smartthings.async_change("tv_credenza", "main", "tvChannel", "tvChannel", "4")
    assert await put_back(smart_sage, smartthings) == "It is as it was."
    assert kinds(smart_sage) == ["already"]
    assert smartthings.cloud.commands == []


async def test_without_remote_control_it_can_be_tried_again(smart_sage: Sage) -> None:
    """The machine refuses; once it allows it, the same words do it."""
    cloud = smart_sage.cloud
    start = executed("dishwasher", command="start")
    await done(smart_sage, start, device="dishwasher", capability=OPERATION)
    cloud.set_remote_control("dishwasher", False)
    await smart_sage.smartthings.async_settle()
    ready = claim("dishwasher", "ready", attribute="operatingState")
    heard = await put_back(smart_sage, smart_sage.smartthings, ready)
    assert heard.startswith("Remote control of Dishwasher is turned off.")
    cloud.forget_requests()
    cloud.set_remote_control("dishwasher", True)
    await smart_sage.smartthings.async_settle()
    assert await put_back(smart_sage, smart_sage.smartthings) == "It is as it was."
    assert posted(cloud) == [f"dishwasher main {OPERATION}.setOperatingState('ready')"]
    assert cloud.device("dishwasher").value("main", OPERATION, "operatingState") == "ready"


async def test_claim_that_it_is_back_without_proof(smart_sage: Sage) -> None:
    await done(smart_sage, channel("7"), capability="tvChannel")
    smart_sage.cloud.faults.lose_events(state_changes=False)
    assert await put_back(hasty(smart_sage), smart_sage.smartthings, BACK) == (
        "SmartThings accepted the command for Samsung 8 Series, but I saw no effect."
    )
    assert kinds(smart_sage) == ["not_confirmed"]
    assert posted(smart_sage.cloud) == [f"tv_credenza {CHANNEL}('4')"]
