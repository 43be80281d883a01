"""What people ask of SmartThings devices that no entity serves (issue: raw devices)."""

from tests.decisions import Decides, plan, step
from tests.end_to_end.conftest import Sage
from tests.smartthings_home import SmartThings

DECIDES = Decides("native")
COMMANDS = ("POST", "/v1/devices/*/commands")


async def test_channel_of_the_television_in_a_room(
    smart_sage: Sage, smartthings: SmartThings
) -> None:
    smart_sage.model_says(
        DECIDES.call("device_interaction", command="channel 7 on the living room TV", final=True),
        plan(step("command", "samsung_8_series", capabilities=("tvChannel",))),
        DECIDES.call(
            "execute_command",
            devices=["samsung_8_series"],
            command="setTvChannel",
            arguments={"tvChannel": "7"},
        ),
        DECIDES.finish("acted", "Channel 7 is on."),
    )
    heard = await smart_sage.hear("put channel 7 on the TV in the living room")
    assert heard == "Channel 7 is on."
    assert smart_sage.trace["outcomes"][0]["kind"] == "verified"
    assert smartthings.cloud.count(*COMMANDS) == 1
