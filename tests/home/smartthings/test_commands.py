"""From what a model asks of a raw part to one command in the cloud's own words."""

from copy import deepcopy

import pytest
from homeassistant.core import HomeAssistant

from custom_components.sage.home.home_types import HomeError

from .raw_home import RawHome, async_raw_home, part_of_home

TV, LAMP, FRIDGE = "Samsung 8 Series", "light_bed", "Refrigerator"


async def test_a_capability_may_be_given_beside_the_command(raw: RawHome) -> None:
    command = await raw.async_prepare(TV, "launchApp", {"appId": "3201"}, capability="launchapp")
    assert command.capability == "custom.launchapp"
    dotted = await raw.async_prepare(TV, "switch.on", capability="switch")
    assert (dotted.capability, dotted.name) == ("switch", "on")


@pytest.mark.parametrize(
    ("command", "arguments", "capability", "mend"),
    [
        ("setTvChanel", {}, None, f"No component of {TV} in SmartThings has"),
        ("setTvChanel", {}, None, "Nearest: tvChannel.setTvChannel"),
        ("xyzzy", {}, None, "It has: ocf.postOcfCommand, "),
        ("setInputSource", {"mode": "x"}, None, "Write one of: mediaInputSource.setInputSource, "),
        ("tvChannel.on", {}, None, "has the command tvChannel.on"),
        ("setTvChannel", {}, None, "setTvChannel needs tvChannel (string)."),
        ("setTvChannel", {"chanel": "7"}, None, "Nearest: tvChannel"),
        ("setVolume", {"volume": 101}, None, "101 is out of range: volume (integer, 0..100 %)"),
        ("switch.on", {"level": 3}, None, "on takes no arguments; leave level out."),
    ],
)
async def test_an_error_says_how_to_fix_it(
    raw: RawHome, command: str, arguments: dict[str, object], capability: str | None, mend: str
) -> None:
    with pytest.raises(HomeError) as told:
        await raw.async_prepare(TV, command, arguments, capability=capability)
    assert mend in str(told.value)
    assert raw.posts == 0


@pytest.mark.usefixtures("socket_enabled")
async def test_a_part_without_commands_says_so(hass: HomeAssistant) -> None:
    async with async_raw_home(hass, part_of_home("large", ["Anna's Phone"])) as raw:
        with pytest.raises(HomeError, match=r"has the command open\. It takes no commands"):
            await raw.async_prepare("Anna's Phone", "open")


@pytest.mark.usefixtures("socket_enabled")
async def test_arguments_go_by_position_and_without_gaps(hass: HomeAssistant) -> None:
    async with async_raw_home(hass, part_of_home("large", ["Soundbar"])) as raw:
        sound = await raw.async_prepare("Soundbar", "setSoundFrom", {"detailName": "B", "mode": 3})
        assert list(sound.arguments.values()) == [3, "B"]
        assert list(sound.arguments) == ["mode", "detailName"]


async def test_an_argument_is_not_sent_without_those_before_it(raw: RawHome) -> None:
    app = await raw.async_prepare(TV, "launchApp", {"appId": "1"})
    assert list(app.arguments.values()) == ["1"]
    with pytest.raises(HomeError, match="in the order appId, appName: give appId, too"):
        await raw.async_prepare(TV, "launchApp", {"appName": "Films"})


async def test_values_come_in_the_form_that_the_cloud_has(raw: RawHome) -> None:
    raw.cloud.definitions = deepcopy(raw.cloud.definitions)
    for capability, name, values in (
        ("tvChannel", "setTvChannel", {"type": "string", "enum": ["true", "false"]}),
        ("audioVolume", "setVolume", {"type": "integer", "enum": [5, 10]}),
    ):
        (argument,) = raw.cloud.definitions[capability]["commands"][name]["arguments"]
        argument["schema"] = values
    command = await raw.async_prepare(TV, "setTvChannel", {"tvChannel": True})
    assert list(command.arguments.values()) == ["true"]
    with pytest.raises(HomeError, match=r"volume cannot be 7: volume \(one of 5, 10 %\) is wanted"):
        await raw.async_prepare(TV, "setVolume", {"volume": 7})
    assert list(
        (await raw.async_prepare(TV, "setVolume", {"volume": "10"})).arguments.values()
    ) == [10]


async def test_an_object_may_be_written_as_text(raw: RawHome) -> None:
    blue = '{"hue": 66, "saturation": 100}'
    command = await raw.async_prepare(LAMP, "setColor", {"color": blue})
    assert list(command.arguments.values()) == [{"hue": 66, "saturation": 100}]


@pytest.mark.usefixtures("socket_enabled")
async def test_parts_are_called_by_their_names(hass: HomeAssistant) -> None:
    home = part_of_home("paper", [FRIDGE])
    for part in home.device(FRIDGE).description["components"]:
        if part["id"] == "cooler":
            part["label"] = "Refrigerator cooler"
    async with async_raw_home(hass, home) as raw:
        for part, setpoint, name in (
            ("freezer", -20, "Refrigerator freezer"),
            ("cooler", 2, "Refrigerator cooler"),
        ):
            wanted = {"setpoint": setpoint}
            command = await raw.async_prepare(FRIDGE, "setCoolingSetpoint", wanted, component=part)
            assert (command.device_name, command.component_id) == (name, part)
