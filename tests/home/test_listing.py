"""Finding a device by what a model calls it."""

import pytest

from custom_components.sage.home.components import component_of
from custom_components.sage.home.home_types import Component, Device, HomeError
from custom_components.sage.home.listing import Area
from custom_components.sage.home.prompt_text import label, part_label

from .listings import plain_device, plain_listing, raw_part, with_raw

KITCHEN = plain_device(
    "kitchen_light", "Kitchen Light", "light.k", area="Kitchen", aliases=["Spots"]
)
LAMP = plain_device("lamp", "Lamp", "light.lamp", area="Living Room")
BEDROOM_LAMP = plain_device("bedroom_lamp", "Lamp", "light.bedroom", area="Bedroom")
FRIDGE = plain_device(
    "fridge", "Fridge", "sensor.f_temp=Temperature", "switch.f_ice=Ice Maker", area="Kitchen"
)
HOME = plain_listing(KITCHEN, LAMP, BEDROOM_LAMP, FRIDGE)


@pytest.mark.parametrize(
    "text", ["kitchen_light", "Kitchen Light", "KITCHEN-LIGHT", "spots", "light.k", "light.K"]
)
def test_a_device_is_found_by_id_name_alias_or_entity(text):
    assert HOME.device(text) is KITCHEN


@pytest.mark.parametrize("text", ["bedroom_lamp", "Bedroom Lamp", "Lamp (Bedroom)", "lamp bedroom"])
def test_the_area_tells_devices_of_one_name_apart(text):
    assert HOME.device(text) is BEDROOM_LAMP


def test_the_exact_id_is_never_ambiguous_but_a_name_is():
    assert HOME.device("lamp") is LAMP
    with pytest.raises(HomeError, match=r"(?s)bedroom_lamp.*Bedroom.*lamp.*Living Room.*Use an id"):
        HOME.device("Lamp")


def test_a_wrong_name_is_answered_with_the_nearest_and_their_areas():
    with pytest.raises(
        HomeError, match=r'no device "kitchn_ligth".*kitchen_light "Kitchen Light" \(Kitchen\)'
    ):
        HOME.device("kitchn_ligth")


def test_the_name_of_an_area_is_answered_with_its_devices():
    with pytest.raises(HomeError, match=r"Kitchen is an area.*fridge.*kitchen_light"):
        HOME.device("kitchen")


def test_the_name_of_a_kind_is_answered_with_its_devices():
    with pytest.raises(HomeError) as caught:
        HOME.device("Light")
    assert str(caught.value) == (
        'Light is a kind, not a device. Some of its devices: bedroom_lamp "Lamp" (Bedroom), '
        'kitchen_light "Kitchen Light" (Kitchen), lamp "Lamp" (Living Room). Call again with the '
        "id that the request means, such as `bedroom_lamp`."
    )


@pytest.mark.parametrize("text", ["sensor", "Sensor", "switch"])
def test_a_kind_that_the_home_has_once_is_that_device(text):
    (found,) = HOME.find_all([text])
    assert found.device is FRIDGE
    assert found.component is not None
    assert text.casefold() in found.component.capabilities


def test_a_kind_that_the_home_has_more_than_once_is_no_device():
    with pytest.raises(HomeError, match="Light is a kind"):
        HOME.find_all(["Light"])


def test_a_person_who_may_use_nothing_is_told_so():
    with pytest.raises(HomeError, match="no device at all"):
        plain_listing().device("lamp")


def test_the_name_of_a_part_finds_device_and_part():
    found = HOME.find("ice maker")
    assert found.device is FRIDGE
    assert found.component is not None
    assert found.component.id == "switch.f_ice"
    assert HOME.find("Fridge Temperature").component == FRIDGE.components[0]
    assert HOME.find("fridge").component is None


def test_the_alias_of_a_part_names_the_part_though_the_device_has_it_too():
    strip = Device(
        id="strip",
        name="Power Strip",
        aliases=("Desk Lamp",),
        components=(
            Component(
                id="switch.one", name="One", capabilities=("switch",), aliases=("Desk Lamp",)
            ),
            Component(id="switch.two", name="Two", capabilities=("switch",)),
        ),
    )
    found = plain_listing(strip).find("desk lamp")
    assert found.component is not None
    assert found.component.id == "switch.one"


def test_a_component_is_found_by_the_label_that_prompts_show():
    found = HOME.find(part_label("fridge", "sensor.f_temp"))

    assert found.device is FRIDGE
    assert found.component is not None
    assert found.component.name == "Temperature"
    assert HOME.find(part_label(label("fridge", "Fridge", "Kitchen"), "sensor.f_temp")) == found
    assert HOME.find(part_label("lamp", "light.lamp")).device is LAMP


def test_one_of_several_components_is_found_by_id_name_or_capability():
    assert component_of(FRIDGE, "sensor.f_temp").id == "sensor.f_temp"
    assert component_of(FRIDGE, "ice maker").id == "switch.f_ice"
    assert component_of(FRIDGE, "Fridge Ice Maker").id == "switch.f_ice"
    assert component_of(FRIDGE, "switch").id == "switch.f_ice"
    assert component_of(FRIDGE, None, "sensor").id == "sensor.f_temp"


@pytest.mark.parametrize(
    ("component", "capability", "text"),
    [
        (None, None, "several components.*sensor.f_temp.*switch.f_ice"),
        ("door", None, 'no component "door".*sensor.f_temp'),
        (None, "light", "no capability light.*switch.f_ice"),
    ],
)
def test_an_unclear_component_is_answered_with_those_there_are(component, capability, text):
    with pytest.raises(HomeError, match=text):
        component_of(FRIDGE, component, capability)


def test_words_of_the_area_and_its_aliases_find_its_devices():
    attic = Area(name="Attic", aliases=("Loft",), floor="Top", floor_aliases=("Second",))
    listing = plain_listing(
        plain_device("desk", "Desk", "light.d", area="Attic"), KITCHEN, areas=[attic]
    )
    assert [each.id for each in listing.nearest("loft")] == ["desk"]
    assert [each.id for each in listing.nearest("second")] == ["desk"]
    assert [each.id for each in listing.nearest("!!")] == []


COOLED = with_raw(
    plain_device("icebox", "Icebox", "number.f=Freezer temperature", "switch.i=Cubed ice"),
    raw_part("main", "contactSensor", "refrigeration", kind="refrigerator"),
    raw_part("freezer", "thermostatCoolingSetpoint", name="Freezer"),
    raw_part("cvroom", "custom.fridgeMode", name="CoolSelect+"),
)
TV = with_raw(
    plain_device("tv", "The Frame", "media_player.tv", area="Office"),
    raw_part("main", "tvChannel", "samsungvd.ambient", kind="television"),
)
CLOUDED = plain_listing(COOLED, TV, LAMP)


@pytest.mark.parametrize("text", ["freezer", "Freezer", "icebox freezer", "coolselect+"])
def test_the_name_of_a_raw_part_finds_its_device_as_a_whole(text):
    found = CLOUDED.find(text)
    assert found.device is COOLED
    assert found.component is None


def test_an_entity_of_the_same_name_is_not_preferred_to_the_part():
    device = with_raw(
        plain_device("icebox", "Icebox", "number.f=Freezer", "switch.i=Ice"),
        raw_part("freezer", "thermostatCoolingSetpoint", name="Freezer"),
    )
    found = plain_listing(device).find("freezer")
    assert (found.device, found.component) == (device, None)


@pytest.mark.parametrize("text", ["main", "Icebox main", "tvChannel", "cvroom", "cloud-id"])
def test_ids_of_raw_parts_capabilities_and_the_cloud_are_no_names(text):
    with pytest.raises(HomeError, match="There is no device"):
        CLOUDED.find(text)


def test_parts_of_one_name_in_two_devices_are_ambiguous():
    other = with_raw(
        plain_device("chest", "Chest", "switch.chest"),
        raw_part("freezer", "thermostatCoolingSetpoint", name="Freezer"),
    )
    with pytest.raises(HomeError, match=r"may be any of: chest.*icebox.*Use an id"):
        plain_listing(COOLED, other).find("freezer")
    assert plain_listing(COOLED, other).find("chest freezer").device is other


@pytest.mark.parametrize(
    ("text", "device"),
    [
        ("which channel is it", TV),
        ("the ambient picture", TV),
        ("television", TV),
        ("is the contact closed", COOLED),
        ("refrigerator", COOLED),
        ("coolselect", COOLED),
    ],
)
def test_words_of_raw_capabilities_parts_and_kinds_help_to_find(text, device):
    assert [*CLOUDED.nearest(text)] == [device]
