"""What a model reads about a raw capability: enough to write the command at once."""

import pysmartthings
import pytest

from custom_components.sage.home.home_types import HomeError, Source
from custom_components.sage.home.rendering import render_documentation
from custom_components.sage.home.smartthings.documents import NAMES_ONLY, REMOTE_CONTROL_OFF
from custom_components.sage.home.smartthings.raw import CloudError, CloudErrorKind

from .simulated_mirror import ANNA, Mirrored


@pytest.fixture
def house():
    return Mirrored()


async def written(house, label, capability, component="main", **kwargs):
    device, part = house.device_of(label, component)
    return await house.documenter.async_document(device, part, capability, **kwargs)


async def test_put_channel_7_on_the_tv(house):
    document = await written(house, "Living Room TV", "tvChannel")
    text = render_documentation([document])
    assert text.startswith("tvChannel (TV channel):\nliving_room_tv component main: ")
    assert "setTvChannel(tvChannel: text)" in text
    assert "channelUp()" in text
    assert len(text) < 320
    assert document.source is Source.SMARTTHINGS


async def test_make_the_freezer_two_degrees_colder(house):
    document = await written(house, "Refrigerator", "thermostatCoolingSetpoint", "freezer")
    assert render_documentation([document]).splitlines()[2:] == [
        "commands:",
        "setCoolingSetpoint(setpoint: -23..-15 °C)",
    ]
    assert document.component_id == "freezer"


async def test_dishes_are_greasy(house):
    document = await written(house, "Dishwasher", "samsungce.dishwasherWashingCourse")
    text = render_documentation([document])
    courses = house.of("Dishwasher").value(
        "main", "samsungce.dishwasherWashingCourse", "supportedCourses"
    )
    assert f"washingCourse: {'|'.join(courses)}\n" in text
    assert "startWashingCourse(course: a value of washingCourse)" in text
    assert len(text) < 600


async def test_turn_down_the_screen_of_the_dryer(house):
    document = await written(house, "Dryer", "samsungce.displayBrightness")
    assert render_documentation([document]).splitlines()[2:] == [
        "commands:",
        "setBrightnessLevel(level: 1..10)",
    ]


async def test_somebody_has_to_go_to_the_machine_when_remote_control_is_off(house):
    dishwasher = house.of("Dishwasher")
    dishwasher.remote_control = False
    assert (
        REMOTE_CONTROL_OFF
        in (await written(house, "Dishwasher", "samsungce.dishwasherOperation")).notes
    )
    assert (await written(house, "Dishwasher", "samsungce.kidsLock")).notes == ()

    dishwasher.remote_control = True
    assert (await written(house, "Dishwasher", "samsungce.dishwasherOperation")).notes == ()


async def test_only_what_the_person_may_read_and_command_is_written(house):
    house.hidden.add("tvChannelName")
    house.forbidden.add("tvChannel")
    document = await written(house, "Living Room TV", "tvChannel", person=ANNA)
    assert [each.name for each in document.attributes] == ["tvChannel"]
    assert document.commands == ()


async def test_codes_of_a_lock_are_never_written(house):
    house.report(
        "Front Door Lock", "main", "lockCodes", lockCodes='{"1":"Bob"}', codeChanged="1 set"
    )
    document = await written(house, "Front Door Lock", "lockCodes")
    named = {each.name for each in document.attributes}
    assert "codeLength" in named
    assert named.isdisjoint({"lockCodes", "codeChanged", "codeReport", "scanCodes"})
    assert "Bob" not in str(document)


async def test_a_capability_without_definition_says_that_it_guesses(house):
    assert pysmartthings.CAPABILITY_COMMANDS  # loaded, as in a home that has SmartThings
    house.unknown.add("tvChannel")
    document = await written(house, "Living Room TV", "tvChannel")
    assert NAMES_ONLY in document.notes
    assert "setTvChannel(tvChannel: text)" in render_documentation([document])


async def test_values_that_may_be_old_are_fetched_first(house):
    house.fresh = False
    assert (await written(house, "Dryer", "samsungce.displayBrightness")).notes == ()
    assert house.refreshed == 1

    house.refresh_error = CloudError(CloudErrorKind.TIMEOUT, "no answer in time")
    document = await written(house, "Dryer", "samsungce.displayBrightness")
    assert document.notes == ("values may be out of date: no answer in time",)


async def test_many_are_written_with_one_look(house):
    house.fresh = False
    device, part = house.device_of("Living Room TV")
    wanted = [(device, part, each) for each in ("tvChannel", "audioVolume", "switch")]
    documents = await house.documenter.async_document_all(wanted)
    assert [each.capability for each in documents] == ["tvChannel", "audioVolume", "switch"]
    assert house.refreshed == 1
    assert house.asked == ["tvChannel", "audioVolume", "switch"]


async def test_commands_that_the_device_names_as_unavailable_are_left_out(house):
    house.report(
        "Living Room TV",
        "main",
        "samsungce.unavailableCapabilities",
        unavailableCommands=["tvChannel.channelUp"],
    )
    document = await written(house, "Living Room TV", "tvChannel")
    assert "channelUp" not in {each.name for each in document.commands}
    assert "channelDown" in {each.name for each in document.commands}


async def test_colours_are_explained(house):
    document = await written(house, "Sofa Lamp", "colorControl")
    assert "percentages" in document.notes[0]


async def test_names_of_sources_are_told(house):
    house.report(
        "Living Room TV",
        "main",
        "samsungvd.mediaInputSource",
        inputSource="HDMI1",
        supportedInputSourcesMap=[{"id": "HDMI1", "name": "Console"}, {"id": "dtv", "name": "TV"}],
    )
    text = render_documentation(
        [await written(house, "Living Room TV", "samsungvd.mediaInputSource")]
    )
    assert "HDMI1=Console" in text
    assert "inputSource HDMI1 (Console)" in text


async def test_what_is_gone_is_not_documented(house):
    device, part = house.device_of("Dryer")
    with pytest.raises(HomeError, match="no capability tvChannel"):
        await house.documenter.async_document(device, part, "tvChannel")
    house.home.devices.clear()
    with pytest.raises(HomeError, match="no longer"):
        await house.documenter.async_document(device, part, "samsungce.displayBrightness")


async def test_a_device_out_of_reach_is_unavailable(house):
    house.of("Dryer").online = False
    assert not (await written(house, "Dryer", "samsungce.displayBrightness")).available


def test_the_definition_is_had_without_waiting(house):
    assert house.documenter.definition("tvChannel").command("setTvChannel") is not None
