"""The capability of an entity comes from its unique id, or from the entity itself."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from custom_components.sage.home.smartthings.coverage import Coverage, Precision, StandIn
from custom_components.sage.home.smartthings.raw import RawDevice

from .registered_house import RegisteredHouse

ID = "7c3ad2ab-0000-4000-8000-000000000001"
CAPABILITIES = (
    "switch",
    "switchLevel",
    "threeAxis",
    "samsungce.lamp",
    "samsungce.dishwasherOperation",
    "samsungce.dishwasherWashingCourse",
    "samsungce.dishwasherWashingCourseDetails",
    "button",
    "firmwareUpdate",
)


@pytest.fixture
def house(hass: HomeAssistant) -> RegisteredHouse:
    return RegisteredHouse(hass)


@pytest.fixture
def device(house: RegisteredHouse) -> RawDevice:
    parts = ("main", "cavity", "cavity_2", "INDOOR1")
    return house.device(ID, "Thing", dict.fromkeys(parts, (None, CAPABILITIES)))


def only(house: RegisteredHouse) -> StandIn:
    (found,) = Coverage(house.hass, house.mirror).of(ID).stand_ins
    return found


COURSE = "samsungce.dishwasherWashingCourse"


@pytest.mark.parametrize(
    ("entity_id", "rest", "component", "capability", "attribute"),
    [
        ("switch.x", "main_switch_switch_switch", "main", "switch", "switch"),
        ("number.x", "main_switchLevel_level_level", "main", "switchLevel", "level"),
        ("sensor.x", "main_threeAxis_threeAxis_x_coordinate", "main", "threeAxis", "threeAxis"),
        ("select.x", f"main_{COURSE}_washingCourse_washingCourse", "main", COURSE, "washingCourse"),
        ("sensor.x", f"main_{COURSE}Details_a_a", "main", f"{COURSE}Details", "a"),
        ("switch.x", "cavity_2_switch_switch_switch", "cavity_2", "switch", "switch"),
        ("switch.x", "cavity_switch_switch_switch", "cavity", "switch", "switch"),
        ("event.x", "INDOOR1_button", "INDOOR1", "button", None),
        (
            "button.x",
            "main_samsungce.dishwasherOperation_cancel_drain",
            "main",
            "samsungce.dishwasherOperation",
            None,
        ),
    ],
)
def test_the_unique_id_tells_the_capability(
    house: RegisteredHouse,
    device: RawDevice,
    entity_id: str,
    rest: str,
    component: str,
    capability: str,
    attribute: str | None,
) -> None:
    # The entity also lists attributes that it only listens to; they do not count.
    house.entity(entity_id, device, rest, made_of=("switch", "firmwareUpdate"))

    found = only(house)

    assert found.component == component
    assert found.capabilities == {capability}
    assert found.attribute == attribute
    assert found.precision is Precision.CAPABILITY


def test_an_entity_of_several_capabilities_lists_them(
    house: RegisteredHouse, device: RawDevice
) -> None:
    house.entity("light.x", device, "cavity_2", made_of=("switch", "switchLevel", "colorControl"))

    found = only(house)

    assert found.component == "cavity_2"
    assert found.precision is Precision.LISTED
    assert found.capabilities == {"switch", "switchLevel"}


def test_an_entity_that_cannot_be_asked_stands_for_its_component(
    house: RegisteredHouse, device: RawDevice
) -> None:
    house.entity("media_player.x", device, "main")
    coverage = Coverage(house.hass, house.mirror).of(ID)

    (found,) = coverage.acting_on("main", "switchLevel")
    assert found.precision is Precision.COMPONENT
    assert not coverage.acting_on("cavity", "switchLevel")


def test_what_only_installs_stands_for_firmware(house: RegisteredHouse, device: RawDevice) -> None:
    house.entity("update.x", device, "main", disabled_by=er.RegistryEntryDisabler.USER)
    coverage = Coverage(house.hass, house.mirror).of(ID)

    assert coverage.acting_on("main", "firmwareUpdate")
    assert not coverage.acting_on("main", "switch")
    assert not coverage.made_of("main", "switch")
    assert not coverage.actuators("main")


def test_a_lamp_in_an_appliance_stands_for_itself(
    house: RegisteredHouse, device: RawDevice
) -> None:
    house.entity("light.x", device, "main", made_of=("switch", "samsungce.lamp"))
    coverage = Coverage(house.hass, house.mirror).of(ID)

    assert coverage.acting_on("main", "samsungce.lamp")
    assert not coverage.acting_on("main", "switch")
    assert not coverage.actuators("main")


def test_a_capability_that_is_not_known_is_not_the_component(
    house: RegisteredHouse, device: RawDevice
) -> None:
    house.entity("switch.x", device, "main_custom.news_on_on")
    coverage = Coverage(house.hass, house.mirror).of(ID)

    assert not coverage.acting_on("main", "switch")
    assert [each.entity_id for each in coverage.actuators("main")] == ["switch.x"]


def test_what_names_no_component_belongs_to_the_device(
    house: RegisteredHouse, device: RawDevice
) -> None:
    house.entity("switch.x", device, "elsewhere_switch")
    coverage = Coverage(house.hass, house.mirror).of(ID)

    assert only(house).component is None
    assert not coverage.acting_on("main", "switch")
    assert [each.entity_id for each in coverage.actuators("main")] == ["switch.x"]


def test_the_most_telling_entity_answers_for_the_rest(
    house: RegisteredHouse, device: RawDevice
) -> None:
    for entity_id, rest in {
        "sensor.x": "main_threeAxis_threeAxis_x",
        "button.x": "main_samsungce.dishwasherOperation_start",
        "switch.x": "main_switch_switch_switch",
        "lock.x": "cavity",
    }.items():
        house.entity(entity_id, device, rest)
    coverage = Coverage(house.hass, house.mirror).of(ID)

    assert [each.entity_id for each in coverage.actuators("main")] == ["switch.x"]
    assert [each.entity_id for each in coverage.actuators("cavity")] == ["lock.x"]
    assert [each.entity_id for each in coverage.actuators("INDOOR1")] == ["switch.x"]


async def test_what_was_found_out_is_kept_until_something_changes(
    house: RegisteredHouse, device: RawDevice
) -> None:
    coverage = Coverage(house.hass, house.mirror)
    coverage.setup()
    coverage.setup()
    house.entity("switch.x", device, "main_switch_switch_switch")
    known = coverage.of(ID)
    version = coverage.version
    assert coverage.of(ID) is known

    other = RegisteredHouse(house.hass)
    thing = other.device("other", "Other", {"main": (None, ("switch",))})
    other.entity("light.other", thing, "main", platform="template")
    assert coverage.of(ID) is known
    assert coverage.version == version

    house.entity("light.x", device, "main", made_of=("switchLevel",))
    assert coverage.of(ID).entity_ids == {"switch.x", "light.x"}
    assert coverage.version != version

    coverage.close()
    er.async_get(house.hass).async_remove("light.x")
    assert coverage.of(ID).entity_ids == {"switch.x"}
    coverage.close()


def test_an_entity_of_another_entry_is_not_of_this_device(
    house: RegisteredHouse, device: RawDevice
) -> None:
    other = RegisteredHouse(house.hass)
    other.device("7c3ad2ab-0000-4000-8000-00000000000f", "Elsewhere", {"main": (None, ())})
    copy = other.device(ID, "Thing", {"main": (None, CAPABILITIES)})
    other.entity("switch.copy", copy, "main_switch_switch_switch")
    coverage = Coverage(house.hass, house.mirror)

    assert coverage.of(ID).entity_ids == frozenset()
    assert coverage.of("nobody").stand_ins == ()
