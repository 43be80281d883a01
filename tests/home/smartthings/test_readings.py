"""The values of raw devices as a person may read them."""

import pytest

from custom_components.sage.home.smartthings.withheld import shown_value

from .simulated_mirror import ANNA, Mirrored


@pytest.fixture
def house():
    return Mirrored()


def read(house, label, capability, *attributes, component="main"):
    device, part = house.device_of(label, component)
    return house.reader.read(ANNA, [(device, part, capability)], attributes or None)


def test_how_cold_is_the_freezer(house):
    (reading,) = read(house, "Refrigerator", "thermostatCoolingSetpoint", component="freezer")
    assert reading.values == {"coolingSetpoint": -19}
    assert [fact.unit for fact in reading.attributes] == ["°C"]


def test_possibilities_are_read_only_when_asked_for(house):
    capability = "samsungce.dishwasherWashingCourse"
    (usual,) = read(house, "Dishwasher", capability)
    (asked,) = read(house, "Dishwasher", capability, "SupportedCourses")
    assert "supportedCourses" not in usual.values
    assert list(asked.values) == ["supportedCourses"]
    assert read(house, "Dishwasher", capability, "temperature") == []


def test_dotted_names_and_other_spellings_are_understood(house):
    for name in ("tvChannel.tvChannel", "tv_channel", "TV channel"):
        (reading,) = read(house, "Living Room TV", "tvChannel", name)
        assert list(reading.values) == ["tvChannel"]


def test_what_may_not_be_read_is_as_if_it_were_not_there(house):
    house.hidden.add("tvChannel")
    (reading,) = read(house, "Living Room TV", "tvChannel")
    assert "tvChannel" not in reading.values
    assert read(house, "Living Room TV", "tvChannel", "tvChannel") == []


def test_what_has_no_value_is_not_read(house):
    house.report("Living Room TV", "main", "tvChannel", tvChannel="", tvChannelName=None)
    assert read(house, "Living Room TV", "tvChannel") == []


def test_words_that_the_device_lists_are_no_text_of_others(house):
    names = ["Natural Mode", "Movie Mode of the maker", "Game"]
    capability = "custom.picturemode"
    house.report("Living Room TV", "main", capability, pictureMode=names[1])
    assert read(house, "Living Room TV", capability)[0].attributes[0].is_free_text
    house.report("Living Room TV", "main", capability, supportedPictureModes=names)
    (reading,) = read(house, "Living Room TV", capability)
    assert reading.values == {"pictureMode": names[1]}
    assert not reading.attributes[0].is_free_text


def test_addresses_are_dropped_wherever_they_stand():
    assert shown_value("https://camera.example/live?token=abc") is None
    assert shown_value({"title": "Song", "art": "http://192.168.1.2/x", "accessToken": "s"}) == {
        "title": "Song"
    }
    assert shown_value([{"name": "One", "imageUrl": "x"}, "rtsp://user:pw@10.0.0.1"]) == [
        {"name": "One"}
    ]


def test_long_values_are_cut_and_say_so():
    cut = shown_value([{"name": f"course number {number}"} for number in range(40)])
    assert isinstance(cut, list)
    assert str(cut[-1]).endswith(" more")
    assert len(str(cut)) < 400
    assert shown_value({f"member{n}": "x" * 60 for n in range(20)}) == (
        "an object with " + ", ".join(f"member{n}" for n in range(20))[:80]
    )
    everything = shown_value(["x" * 50] * 10, everything=True)
    assert isinstance(everything, list)
    assert len(everything) == 10
    assert shown_value({"value": "all", "settable": ["none", "all"]}) == "all"
