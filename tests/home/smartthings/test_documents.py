"""What a model reads about a raw capability: enough to write the command at once."""

from typing import Any

import pytest

from benchmark.simulator.definitions import definitions
from custom_components.sage.home.home_types import HomeError
from custom_components.sage.home.rendering import render_documentation

from .simulated_mirror import ANNA, Mirrored


@pytest.fixture
def house():
    return Mirrored()


async def written(house, label, capability, component="main", **kwargs):
    device, part = house.device_of(label, component)
    (document,) = await house.reader.async_document([(device, part, capability)], **kwargs)
    return document


async def test_dishes_are_greasy(house):
    document = await written(house, "Dishwasher", "samsungce.dishwasherWashingCourse")
    text = render_documentation([document])
    courses = house.of("Dishwasher").value(
        "main", "samsungce.dishwasherWashingCourse", "supportedCourses"
    )
    assert f"washingCourse: {'|'.join(courses)}\n" in text
    assert "startWashingCourse(course: a value of washingCourse)" in text
    assert len(text) < 600


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
    assert named.isdisjoint({"lockCodes", "codeChanged", "codeReport", "scanCodes"})
    assert "Bob" not in str(document)


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
    assert "inputSource HDMI1" in text
    assert "supportedInputSourcesMap [{id: HDMI1, name: Console}, {id: dtv, name: TV}]" in text


async def test_what_is_gone_is_not_documented(house):
    device, part = house.device_of("Dryer")
    with pytest.raises(HomeError, match="no capability tvChannel"):
        await house.reader.async_document([(device, part, "tvChannel")])
    house.home.devices.clear()
    with pytest.raises(HomeError, match="Look the device up again"):
        await house.reader.async_document([(device, part, "samsungce.displayBrightness")])


async def test_a_device_out_of_reach_is_unavailable(house):
    house.of("Dryer").online = False
    assert not (await written(house, "Dryer", "samsungce.displayBrightness")).available


# ------------------------------------------------------------------ lists of a device


def argument(document, command, number=0):
    return next(each for each in document.commands if each.name == command).arguments[number]


async def test_a_list_of_an_enumeration_takes_its_place(house):
    house.report(
        "Dishwasher",
        "main",
        "samsungce.dishwasherWashingCourse",
        washingCourse="eco",
        supportedCourses=["auto", "normal"],
        customCourseCandidates=None,
    )
    document = await written(house, "Dishwasher", "samsungce.dishwasherWashingCourse")
    assert argument(document, "setWashingCourse").values == ("auto", "normal")
    (course,) = document.attributes
    # What the device reports is true, even if its list lacks it.
    assert course.values == ("auto", "normal", "eco")


async def test_an_empty_list_restricts_nothing(house):
    capability = "thermostatMode"
    house.report("Living Room Thermostat", "main", capability, supportedThermostatModes=[])
    document = await written(house, "Living Room Thermostat", capability)
    assert len(argument(document, "setThermostatMode").values) > 10


async def test_a_list_without_an_enumeration_stands_beside_the_command(house):
    house.report(
        "Living Room TV",
        "main",
        "custom.picturemode",
        pictureMode="Standard",
        supportedPictureModes=["Dynamic", "Standard", "Natural", "Movie Mode", "Game", "Eco"],
    )
    document = await written(house, "Living Room TV", "custom.picturemode")
    text = render_documentation([document])
    assert "setPictureMode(mode: text)" in text
    modes = '"Dynamic", "Standard", "Natural", "Movie Mode", "Game", "Eco"'
    assert f"supportedPictureModes [{modes}]" in text


async def test_of_a_list_of_objects_the_plain_members_are_shown(house):
    cycles = [{"cycle": each, "supportedOptions": {"x": [1] * 50}} for each in ("1B", "1C")]
    house.report(
        "Washer",
        "main",
        "samsungce.washerCycle",
        washerCycle="Table_02_Course_1C",
        supportedCycles=cycles,
    )
    text = render_documentation([await written(house, "Washer", "samsungce.washerCycle")])
    assert "washerCycle Table_02_Course_1C" in text
    assert "supportedCycles [1B, 1C]" in text


@pytest.mark.parametrize("home", ["paper", "large"])
async def test_no_device_of_a_home_reports_what_its_documentation_excludes(home):
    house = Mirrored(home)
    checked = 0
    for device in house.home.devices.values():
        for component, capabilities in device.status.items():
            for capability in capabilities:
                document = await written(house, device.key, capability, component)
                for each in document.attributes:
                    if isinstance(each.value, str) and each.value and each.values:
                        assert each.value in each.values, (device.label, capability, each.name)
                        checked += 1
    assert checked > 5


JUNK: list[Any] = [
    None, True, float("nan"), "", [[]], [{}], [{"id": [1]}], {"value": None, "settable": [{}]},
    {"minimum": None, "maximum": "x"}, ["a", 1, True],
]  # fmt: skip


@pytest.mark.parametrize("junk", JUNK)
async def test_nothing_a_device_reports_breaks_its_documentation(junk):
    house = Mirrored("paper")
    names = [each for each in definitions() if each != "samsungce.unavailableCapabilities"]
    for capability in names:
        attributes = dict.fromkeys(definitions()[capability]["attributes"], junk)
        house.report("Dishwasher", "main", capability, **attributes)
        document = await written(house, "Dishwasher", capability)
        assert len(document.commands) == len(definitions()[capability]["commands"])
