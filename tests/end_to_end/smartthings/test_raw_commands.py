"""Raw commands of a model: accepted forms, errors, and what is sent."""

from typing import Any

import pytest

from benchmark.simulator.request_log import RequestKind
from tests.decisions import NATIVE, claim, step
from tests.end_to_end.attacker import kinds
from tests.end_to_end.conftest import Sage
from tests.smartthings_home import SmartThings

from .story import call, carried_out, changed, executed, hasty, observed, posted, values

TV = "samsung_8_series"
FRAME = "the_frame"
FREEZER = "fridge freezer thermostatCoolingSetpoint.setCoolingSetpoint"
COURSE = "samsungce.dishwasherWashingCourse"


async def attempted(sage: Sage, *calls: dict[str, Any]) -> list[str]:
    """Let the model try commands one after the other; return what it observed."""
    await carried_out(
        sage,
        "please try it",
        [step("command", TV, capabilities=("tvChannel",))],
        *(NATIVE.call("execute_command", **each) for each in calls),
        NATIVE.finish("could_not", "That is all."),
        conversation_id=None,
    )
    return observed(sage)


# ------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("devices", "names", "sent"),
    [
        (
            [TV],
            [
                ("setTvChannel", None),
                ("tvChannel.setTvChannel", None),
                ("main.tvChannel.setTvChannel", None),
                ("main.setTvChannel", None),
                ("set_tv_channel", None),
                ("setTvChannel", "main"),
                ("tvChannel.setTvChannel", "main"),
            ],
            "tv_credenza main tvChannel.setTvChannel",
        ),
        (
            ["media_player.living_room_samsung_8_series"],
            [("setTvChannel", None), ("tvChannel.setTvChannel", "main")],
            "tv_credenza main tvChannel.setTvChannel",
        ),
    ],
    ids=["device", "entity"],
)
async def test_names_of_a_command(smart_sage: Sage, devices, names, sent) -> None:
    """Plain, dotted, with the component: the same command, each time once."""
    calls = [
        {
            **call(*devices, command=command, tvChannel=str(number)),
            **({"component": component} if component else {}),
        }
        for number, (command, component) in enumerate(names, start=5)
    ]
    for observation in await attempted(smart_sage, *calls):
        assert "setTvChannel" in observation
        assert ": verified; tvChannel " in observation
    assert posted(smart_sage.cloud) == [f"{sent}('{5 + number}')" for number in range(len(names))]


async def test_names_of_a_part(smart_sage: Sage, smartthings: SmartThings) -> None:
    """Where several parts have the command, either way of naming one is enough."""
    observations = await attempted(
        smart_sage,
        {
            **call("refrigerator", command="setCoolingSetpoint", setpoint=-20),
            "component": "freezer",
        },
        call("refrigerator", command="freezer.setCoolingSetpoint", setpoint=-21),
        call(
            "refrigerator",
            command="freezer.thermostatCoolingSetpoint.setCoolingSetpoint",
            setpoint="-22 °C",
        ),
        call("refrigerator", command="thermostatCoolingSetpoint.setCoolingSetpoint", setpoint=-23),
    )
    assert all(
        "(freezer) setCoolingSetpoint(" in each and ": verified; " in each
        for each in observations[:3]
    )
    assert observations[3] == (
        "Error: Several components of Refrigerator have "
        "thermostatCoolingSetpoint.setCoolingSetpoint. "
        "Call the tool again with one of these as `component`: cooler, freezer, cvroom."
    )
    assert posted(smartthings.cloud) == [f"{FREEZER}({setpoint})" for setpoint in (-20, -21, -22)]


async def test_wrong_names_and_values_are_mended_by_what_is_said(smart_sage: Sage) -> None:
    """Nothing is posted; each error says how to fix the call."""
    cases: tuple[tuple[dict[str, Any], tuple[str, ...]], ...] = (
        (
            call(FRAME, command="setChannel", channel="7"),
            ("no command setChannel", "Nearest: tvChannel.setTvChannel"),
        ),
        (
            call(FRAME, command="tvChannel.setChannel", tvChannel="7"),
            ("tvChannel.setChannel", "tvChannel.setTvChannel"),
        ),
        (
            call(FRAME, command="setTvChannel", number="7"),
            ("setTvChannel has no argument number", "It takes: tvChannel"),
        ),
        (call(FRAME, command="setTvChannel"), ("setTvChannel needs tvChannel (string)",)),
        (
            {
                **call("refrigerator", command="setCoolingSetpoint", setpoint="cold"),
                "component": "freezer",
            },
            ("setpoint (number °C) is wanted, not 'cold'",),
        ),
        (
            call("dishwasher", command="setWashingCourse", course="pots"),
            (
                "course cannot be 'pots'",
                "auto, normal, heavy, delicate, express, rinseOnly, selfClean",
            ),
        ),
        (
            call("dishwasher", command="samsungce.dishwasherOperation.startLater", delay="soon"),
            ("delay (number) is wanted, not 'soon'",),
        ),
    )
    before = values(smart_sage.cloud)
    observations = await attempted(smart_sage, *(each for each, _ in cases))
    for observation, (_, words) in zip(observations, cases, strict=True):
        assert observation.startswith("Error: ")
        for word in words:
            assert word in observation
    assert kinds(smart_sage) == []
    assert smart_sage.cloud.commands == []
    assert changed(before, smart_sage.cloud) == {}


# ------------------------------------------------------------- several


async def test_two_commands_of_one_decision_run_in_order(smart_sage: Sage) -> None:
    """A course that is chosen after the start would be too late."""
    cloud = smart_sage.cloud
    heard = await carried_out(
        smart_sage,
        "wash the pots now",
        [step("command", "dishwasher", capabilities=(COURSE, "samsungce.dishwasherOperation"))],
        NATIVE.calls(
            ("execute_command", call("dishwasher", command="setWashingCourse", course="heavy")),
            ("execute_command", call("dishwasher", command="start")),
        ),
        NATIVE.finish("acted", "The dishwasher runs on heavy."),
    )
    assert heard == "The dishwasher runs on heavy."
    chosen, started = observed(smart_sage)
    assert "verified; washingCourse normal -> heavy" in chosen
    assert "verified; operatingState ready -> running" in started
    assert kinds(smart_sage) == ["verified", "verified"]
    assert posted(cloud) == [
        f"dishwasher main {COURSE}.setWashingCourse('heavy')",
        "dishwasher main samsungce.dishwasherOperation.start()",
    ]


async def test_two_changes_of_the_same_value_in_one_decision(smart_sage: Sage) -> None:
    heard = await carried_out(
        smart_sage,
        "channel 7 and then one up",
        [step("command", TV, capabilities=("tvChannel",))],
        NATIVE.calls(
            ("execute_command", call(TV, command="setTvChannel", tvChannel="7")),
            ("execute_command", call(TV, command="channelUp")),
        ),
        NATIVE.finish("acted", "Channel 8 is on."),
    )
    assert heard == "Channel 8 is on."
    assert [each.partition("; ")[2] for each in observed(smart_sage)] == [
        "tvChannel 4 -> 7.",
        "tvChannel 7 -> 8.",
    ]
    assert posted(smart_sage.cloud) == [
        "tv_credenza main tvChannel.setTvChannel('7')",
        "tv_credenza main tvChannel.channelUp()",
    ]


@pytest.mark.parametrize("devices", [(TV, FRAME), ("all media_player",)], ids=["ids", "group"])
async def test_one_command_on_several_devices(smart_sage: Sage, devices) -> None:
    cloud = smart_sage.cloud
    before = values(cloud)
    heard = await carried_out(
        smart_sage,
        "put channel 7 on both TVs",
        [step("command", *devices, capabilities=("tvChannel",))],
        executed(*devices, command="setTvChannel", tvChannel="7"),
        NATIVE.finish("acted", "Channel 7 is on at both."),
    )
    assert heard == "Channel 7 is on at both."
    assert kinds(smart_sage) == ["verified", "verified"]
    assert sorted(posted(cloud)) == [
        "tv_credenza main tvChannel.setTvChannel('7')",
        "tv_frame main tvChannel.setTvChannel('7')",
    ]
    assert changed(before, cloud) == {
        "tv_credenza main tvChannel.tvChannel": "7",
        "tv_credenza main tvChannel.tvChannelName": "TSN 2",
        "tv_frame main tvChannel.tvChannel": "7",
        "tv_frame main tvChannel.tvChannelName": "TSN 2",
        "tv_frame main samsungvd.mediaInputSource.inputSource": "dtv",
    }


# ------------------------------------------------------------- what is claimed


async def put_on(sage: Sage, channel: str, *more: Any) -> str:
    """Ask for a channel of the television in the living room."""
    decision = executed(TV, command="setTvChannel", tvChannel=channel)
    shown = claim(TV, channel, attribute="tvChannel")
    finish = NATIVE.finish("acted", f"Channel {channel} is on.", shown)
    return await carried_out(
        sage,
        f"put channel {channel} on the TV in the living room",
        [step("command", TV, capabilities=("tvChannel",))],
        decision,
        finish,
        *more,
    )


async def test_already_so(smart_sage: Sage, smartthings: SmartThings) -> None:
    """The channel that was on before may be claimed, and no other one."""
    cloud = smartthings.cloud
    before = values(cloud)
    assert await put_on(smart_sage, "4") == "Channel 4 is on."
    assert "already so before; tvChannel 4" in observed(smart_sage)[0]
    assert kinds(smart_sage) == ["already"]
    assert posted(cloud) == ["tv_credenza main tvChannel.setTvChannel('4')"]
    assert changed(before, cloud) == {}


async def test_other_channel_than_the_one_that_was_on_is_not_claimed(smart_sage: Sage) -> None:
    lie = NATIVE.finish("acted", "Channel 7 is on.", claim(TV, "7", attribute="tvChannel"))
    heard = await carried_out(
        smart_sage,
        "put channel 4 on the TV in the living room",
        [step("command", TV, capabilities=("tvChannel",))],
        executed(TV, command="setTvChannel", tvChannel="4"),
        lie,
        lie,
    )
    assert heard == "Samsung 8 Series was already at channel 4."


async def test_lost_report_is_looked_for_once(smart_sage: Sage, smartthings: SmartThings) -> None:
    """Without a report of the device its values are fetched, and prove it."""
    cloud = smartthings.cloud
    cloud.faults.lose_events(device="tv_credenza")
    cloud.forget_requests()
    assert await put_on(hasty(smart_sage), "7") == "Channel 7 is on."
    assert kinds(smart_sage) == ["verified"]
    assert posted(cloud) == ["tv_credenza main tvChannel.setTvChannel('7')"]
    assert cloud.count_kind(RequestKind.STATUS) == 1
