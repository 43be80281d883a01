"""The same requests in every decision format, in English and in German."""

import pytest

from tests.decisions import NATIVE, Decides, claim, in_turn, step
from tests.end_to_end.attacker import kinds
from tests.smartthings_home import SmartThings

from .conftest import MakeSmartSage
from .story import call, carried_out, changed, executed, given, index, posted, values

LANGUAGES = ("en", "de", "en")
CHANNEL = {
    "en": "put channel 7 on the TV in the living room",
    "de": "schalte den Fernseher im Wohnzimmer auf Kanal 7",
}
SHOWN = {"en": "Channel 7 is on.", "de": "Kanal 7 läuft."}
ON_SEVEN = claim("samsung_8_series", "7", attribute="tvChannel")


@pytest.mark.parametrize(("name", "language"), in_turn(LANGUAGES))
async def test_channel_of_the_television_in_a_room(
    hass, make_smart_sage: MakeSmartSage, smartthings: SmartThings, name, language
) -> None:
    """Home Assistant only shows the channel; no entity sets it."""
    sage, decides, cloud = await make_smart_sage(name), Decides(name), smartthings.cloud
    before = values(cloud)
    heard = await carried_out(
        sage,
        CHANNEL[language],
        [step("command", "samsung_8_series", capabilities=("tvChannel",))],
        executed("samsung_8_series", command="setTvChannel", tvChannel="7", decides=decides),
        decides.finish("acted", SHOWN[language]),
        language=language,
    )
    assert heard == SHOWN[language]
    assert "- samsung_8_series: media_player" in index(sage)
    assert "smartthings main (television): tvChannel, " in index(sage)
    shown = given(sage)
    assert "tvChannel:\nsamsung_8_series (Living room) component main: " in shown
    assert "tvChannel 4" in shown
    assert "setTvChannel(tvChannel: text)" in shown
    # Of the rest, only what turns it on and off.
    assert "media_player (TV):\nsamsung_8_series (Living room): state on" in shown
    assert "turn_on()" in shown
    assert "sensor" not in shown
    assert "setTvChannel(tvChannel=7): verified; tvChannel 4 -> 7" in (
        sage.server.completions[-1].prompt
    )
    assert kinds(sage) == ["verified"]
    assert posted(cloud) == ["tv_credenza main tvChannel.setTvChannel('7')"]
    assert changed(before, cloud) == {
        "tv_credenza main tvChannel.tvChannel": "7",
        "tv_credenza main tvChannel.tvChannelName": "TSN 2",
    }
    assert hass.states.get("sensor.living_room_samsung_8_series_tv_channel").state == "7"


async def test_a_channel_of_a_television_that_is_off_needs_no_further_look_up(
    make_smart_sage: MakeSmartSage, smartthings: SmartThings
) -> None:
    """A plan that names only the channel shows how to turn the television on, too."""
    sage, decides, cloud = await make_smart_sage("native"), NATIVE, smartthings.cloud
    await smartthings.async_change("Samsung 8 Series", "main", "switch", "switch", "off")
    heard = await carried_out(
        sage,
        CHANNEL["en"],
        [step("command", "samsung_8_series", capabilities=("tvChannel",))],
        decides.calls(
            ("execute_command", call("samsung_8_series", command="turn_on")),
            ("execute_command", call("samsung_8_series", command="setTvChannel", tvChannel="7")),
        ),
        decides.finish("acted", SHOWN["en"], claim("samsung_8_series", "on"), ON_SEVEN),
    )
    assert heard == SHOWN["en"]
    assert "samsung_8_series (Living room): state off" in given(sage)
    assert posted(cloud) == [
        "tv_credenza main switch.on()",
        "tv_credenza main tvChannel.setTvChannel('7')",
    ]


async def test_a_step_may_leave_out_the_capabilities(make_smart_sage: MakeSmartSage) -> None:
    sage, decides = await make_smart_sage("constrained"), Decides("constrained")
    planned = step("command", "samsung_8_series")
    del planned["capabilities"]
    await carried_out(sage, "turn on the TV", [planned], decides.finish("could_not", "I cannot."))
    body = sage.server.completions[1].body
    steps = body["response_format"]["json_schema"]["schema"]["properties"]["steps"]["items"]
    assert "capabilities" in steps["properties"]
    assert "capabilities" not in steps["required"]
    assert "media_player (TV):" in given(sage)
