"""From what a model asks of a raw part to one command in the cloud's own words."""

import pytest

from custom_components.sage.home.home_types import CommandRequest, Component, HomeError

from .raw_house import RawHouse, Thing


@pytest.fixture
def tv() -> Thing:
    return Thing(
        "TV",
        {
            "main": {
                "switch": {"switch": "on"},
                "tvChannel": {"tvChannel": "5"},
                "audioVolume": {"volume": 10},
                "mediaInputSource": {"inputSource": "HDMI1"},
                "samsungvd.mediaInputSource": {"inputSource": "HDMI1"},
                "custom.launchapp": {},
                "samsungvd.soundFrom": {},
            }
        },
    )


@pytest.fixture
def house(tv: Thing) -> RawHouse:
    return RawHouse(tv)


@pytest.mark.parametrize(
    "written",
    [
        "setTvChannel",
        "set_tv_channel",
        "tvChannel.setTvChannel",
        "tvchannel.settvchannel",
        "main.tvChannel.setTvChannel",
        " tvChannel.setTvChannel ",
    ],
)
async def test_a_command_is_found_however_it_is_written(house, tv, written):
    command = await house.async_prepare(tv, written, {"tvChannel": 7})
    assert (command.capability, command.command) == ("tvChannel", "setTvChannel")
    assert command.positional == ("7",)
    assert command.full_name == "tvChannel.setTvChannel"
    assert house.finder.has_command(tv.component(), written)


async def test_a_capability_may_be_given_beside_the_command(house, tv):
    command = await house.async_prepare(tv, "launchApp", {"appId": "3201"}, capability="launchapp")
    assert command.capability == "custom.launchapp"
    dotted = await house.async_prepare(tv, "switch.on", capability="switch")
    assert dotted.full_name == "switch.on"


@pytest.mark.parametrize(
    ("command", "arguments", "capability", "mend"),
    [
        ("setChannel", {}, None, "main of TV has no command setChannel. Nearest: "),
        ("setChannel", {}, None, "tvChannel.setTvChannel"),
        ("brew", {}, None, "It has: switch."),
        ("setInputSource", {"mode": "x"}, None, "Write one of: mediaInputSource.setInputSource, "),
        ("on", {}, "swich", "no capability swich. Nearest: switch."),
        ("tvChannel.on", {}, None, "has no command on"),
        ("tvChannel.setTvChannel", {}, "switch", "Name only one of them"),
        ("setTvChannel", {}, None, "setTvChannel needs tvChannel (string)."),
        ("setTvChannel", {"chanel": "7"}, None, "Nearest: tvChannel"),
        ("setVolume", {"volume": 101}, None, "101 is out of range: volume (integer, 0..100)"),
        ("on", {"level": 3}, None, "on takes no arguments; leave level out."),
    ],
)
async def test_an_error_names_the_mend(house, tv, command, arguments, capability, mend):
    with pytest.raises(HomeError) as told:
        await house.async_prepare(tv, command, arguments, capability=capability)
    assert mend in str(told.value)
    assert not house.posted


async def test_a_part_without_commands_says_so(house):
    door = Thing("Door", {"main": {"contactSensor": {"contact": "open"}}})
    with pytest.raises(HomeError, match=r"main of Door has no command open\. It takes no commands"):
        await house.async_prepare(door, "open")
    assert not house.finder.has_command(door.component(), "open")


async def test_an_entity_takes_no_raw_commands(house, tv):
    entity = Component(id="light.tv", name="TV", capabilities=("light",))
    request = CommandRequest(device_id="tv", command="on")
    with pytest.raises(HomeError, match="no part that takes raw commands"):
        await house.finder.async_find(tv.device, entity, request)


async def test_arguments_go_by_position_and_without_gaps(house, tv):
    sound = await house.async_prepare(tv, "setSoundFrom", {"detailName": "Bar", "mode": 3})
    assert sound.positional == (3, "Bar")
    assert list(sound.arguments) == ["mode", "detailName"]
    app = await house.async_prepare(tv, "launchApp", {"appId": "1"})
    assert app.positional == ("1",)
    with pytest.raises(HomeError, match="in the order appId, appName: give appId, too"):
        await house.async_prepare(tv, "launchApp", {"appName": "Films"})


async def test_without_its_definition_nothing_is_guessed(house, tv):
    house.incomplete.add("tvChannel")
    with pytest.raises(HomeError, match="does not give the definition of tvChannel just now"):
        await house.async_prepare(tv, "setTvChannel", {"tvChannel": "7"})
    up = await house.async_prepare(tv, "channelUp")
    assert up.positional == ()


async def test_values_come_in_the_form_that_the_cloud_has(house, tv):
    house.narrowed["tvChannel"] = {"values": ("true", "false")}
    command = await house.async_prepare(tv, "setTvChannel", {"tvChannel": True})
    assert command.positional == ("true",)
    house.narrowed["volume"] = {"values": ("5", "10")}
    with pytest.raises(HomeError, match=r"volume cannot be 7: volume \(one of 5, 10\) is wanted"):
        await house.async_prepare(tv, "setVolume", {"volume": 7})
    assert (await house.async_prepare(tv, "setVolume", {"volume": "10"})).positional == (10,)


async def test_long_lists_of_candidates_are_cut(house):
    names: dict[str, dict[str, object]] = {f"custom.thing{n}": {} for n in range(40)}
    many = Thing("Many", {"main": names})
    with pytest.raises(HomeError, match="and 10 more"):
        await house.async_prepare(many, "on", capability="weather")


async def test_what_is_inside_an_object_is_checked(house):
    lamp = Thing("Lamp", {"main": {"colorControl": {"hue": 1, "saturation": 1}}})
    blue = '{"hue": 66, "saturation": 100}'
    command = await house.async_prepare(lamp, "setColor", {"color": blue})
    assert command.positional == ({"hue": 66, "saturation": 100},)
    for wrong, mend in (
        ("blue", "color must be an object with hue, saturation"),
        ("{blue", "color must be an object"),
        ({"hue": "blue"}, "color.hue must be of type number, not 'blue'"),
        ({"tone": 1}, "color has no part tone. It takes: hue, "),
    ):
        with pytest.raises(HomeError) as told:
            await house.async_prepare(lamp, "setColor", {"color": wrong})
        assert mend in str(told.value)


async def test_parts_are_called_by_their_names(house):
    fridge = Thing(
        "Fridge",
        {
            "main": {"refrigeration": {}},
            "freezer": {"thermostatCoolingSetpoint": {"coolingSetpoint": -18}},
            "cooler": {"thermostatCoolingSetpoint": {"coolingSetpoint": 3}},
        },
        labels={"freezer": "Freezer", "cooler": "Fridge cooler"},
    )
    colder = await house.async_prepare(
        fridge, "setCoolingSetpoint", {"setpoint": -20}, component="freezer"
    )
    assert (colder.device_name, colder.component_id) == ("Fridge Freezer", "freezer")
    cooler = await house.async_prepare(
        fridge, "setCoolingSetpoint", {"setpoint": 2}, component="cooler"
    )
    assert cooler.device_name == "Fridge cooler"
