"""The same requests in every decision format, in English and in German."""

from collections.abc import AsyncGenerator, Awaitable, Callable

import pytest
from homeassistant.core import HomeAssistant

from benchmark.fake_model_server import FakeModelServer
from tests.decisions import Decides, claim, in_turn, step
from tests.end_to_end.conftest import Sage, async_make_sage
from tests.exposing import expose_all
from tests.smartthings_home import SmartThings

from .story import call, carried_out, changed, executed, given, hasty, index, kinds, posted, values

type MakeSmartSage = Callable[[str], Awaitable[Sage]]

LANGUAGES = ("en", "de", "en")
CHANNEL = {
    "en": "put channel 7 on the TV in the living room",
    "de": "schalte den Fernseher im Wohnzimmer auf Kanal 7",
}
SHOWN = {"en": "Channel 7 is on.", "de": "Kanal 7 läuft."}
ON_SEVEN = claim("samsung_8_series", "7", attribute="tvChannel")
NOT_SEEN = {
    "en": ("SmartThings accepted the command for Samsung 8 Series, but I saw no effect."),
    "de": (
        "SmartThings hat den Befehl für Samsung 8 Series angenommen, aber ich konnte keine "
        "Wirkung sehen."
    ),
}
START = {"en": "start the dishwasher", "de": "starte den Geschirrspüler"}
RUNS = {"en": "The dishwasher is running.", "de": "Der Geschirrspüler läuft."}
RUNNING = claim("dishwasher", "running", attribute="operatingState")
SMART_CONTROL = {
    "en": (
        "Remote control of Dishwasher is turned off. "
        "Please turn on Smart Control on the device first."
    ),
    "de": (
        "Die Fernsteuerung von Dishwasher ist ausgeschaltet. Bitte schalte zuerst am Gerät Smart "
        "Control ein."
    ),
}


@pytest.fixture
async def make_smart_sage(
    hass: HomeAssistant,
    homeassistant: None,
    smartthings: SmartThings,
    model_server: FakeModelServer,
) -> AsyncGenerator[MakeSmartSage]:
    """Set SAGE up in the paper's home with any decision format."""
    made: list[Sage] = []

    async def make(decision_format: str) -> Sage:
        expose_all(hass)
        made.append(await async_make_sage(hass, model_server, decision_format))
        await hass.async_block_till_done(wait_background_tasks=False)
        return made[-1]

    yield make
    for each in made:
        await hass.config_entries.async_remove(each.entry.entry_id)


@pytest.mark.parametrize(("name", "language"), in_turn(LANGUAGES))
async def test_channel_of_the_television_in_a_room(
    hass, make_smart_sage: MakeSmartSage, smartthings: SmartThings, name, language
) -> None:
    """Home Assistant only shows the channel; no entity sets it."""
    sage, decides, cloud = await make_smart_sage(name), Decides(name), smartthings.cloud
    before = values(cloud)
    heard = await carried_out(
        sage,
        decides,
        CHANNEL[language],
        [step("command", "samsung_8_series", capabilities=("tvChannel",))],
        executed(decides, "samsung_8_series", command="setTvChannel", tvChannel="7"),
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
    sage, decides, cloud = await make_smart_sage("native"), Decides("native"), smartthings.cloud
    await smartthings.async_change("Samsung 8 Series", "main", "switch", "switch", "off")
    heard = await carried_out(
        sage,
        decides,
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
    await carried_out(
        sage, decides, "turn on the TV", [planned], decides.finish("could_not", "I cannot.")
    )
    body = sage.server.completions[1].body
    steps = body["response_format"]["json_schema"]["schema"]["properties"]["steps"]["items"]
    assert "capabilities" in steps["properties"]
    assert "capabilities" not in steps["required"]
    assert "media_player (TV):" in given(sage)


@pytest.mark.parametrize(("name", "language"), in_turn(LANGUAGES))
async def test_claim_after_a_command_without_effect(
    make_smart_sage: MakeSmartSage, smartthings: SmartThings, name, language
) -> None:
    """The cloud takes it and nothing happens: the code says so, whatever the model claims."""
    sage, decides, cloud = hasty(await make_smart_sage(name)), Decides(name), smartthings.cloud
    cloud.faults.lose_events(state_changes=False)
    before = values(cloud)
    heard = await carried_out(
        sage,
        decides,
        CHANNEL[language],
        [step("command", "samsung_8_series", capabilities=("tvChannel",))],
        executed(decides, "samsung_8_series", command="setTvChannel", tvChannel="7"),
        *[decides.finish("acted", SHOWN[language], ON_SEVEN)] * 2,
        language=language,
    )
    assert heard == NOT_SEEN[language]
    assert "NOT CONFIRMED, do not say that it worked" in sage.server.completions[-2].prompt
    assert "That is more or other than the record shows" in sage.server.completions[-1].prompt
    assert kinds(sage) == ["not_confirmed"]
    assert posted(cloud) == ["tv_credenza main tvChannel.setTvChannel('7')"]
    assert changed(before, cloud) == {}


@pytest.mark.parametrize(("name", "language"), in_turn(LANGUAGES))
async def test_start_without_remote_control(
    make_smart_sage: MakeSmartSage, smartthings: SmartThings, name, language
) -> None:
    """The machine refuses, and the answer says what to do at the machine."""
    sage, decides, cloud = await make_smart_sage(name), Decides(name), smartthings.cloud
    cloud.set_remote_control("dishwasher", False)
    await smartthings.async_settle()
    before = values(cloud)
    heard = await carried_out(
        sage,
        decides,
        START[language],
        [step("command", "dishwasher", capabilities=("samsungce.dishwasherOperation",))],
        executed(decides, "dishwasher", command="start"),
        *[decides.finish("acted", RUNS[language], RUNNING)] * 2,
        language=language,
    )
    assert heard == SMART_CONTROL[language]
    assert "FAILED. Remote control of this device is switched off" in (
        sage.server.completions[-2].prompt
    )
    assert kinds(sage) == ["failed"]
    assert changed(before, cloud) == {}
