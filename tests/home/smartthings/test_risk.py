"""A raw command is as risky as what the entity for it would do, whatever it is called."""

import pytest
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.sage.home.home_types import RiskClass
from custom_components.sage.home.safety.risk_levels import RiskVerdict, levels_of, subject_of
from custom_components.sage.home.smartthings.coverage import Coverage
from custom_components.sage.home.smartthings.risk import RawRisks, service_for
from custom_components.sage.home.smartthings.risk_rules import RawAction

from .registered_house import RegisteredHouse

ID = "7c3ad2ab-0000-4000-8000-000000000001"


@pytest.fixture
def house(hass: HomeAssistant) -> RegisteredHouse:
    return RegisteredHouse(hass)


@pytest.fixture
def risks(house: RegisteredHouse) -> RawRisks:
    return RawRisks(house.hass, house.mirror, Coverage(house.hass, house.mirror))


def classify(hass: HomeAssistant, entity_id: str, risk: RiskClass | None) -> None:
    levels_of(hass).note(subject_of(hass, entity_id), RiskVerdict(risk=risk))


def test_a_plug_is_as_risky_as_its_entity_is_classified(
    house: RegisteredHouse, risks: RawRisks
) -> None:
    plug = house.device(ID, "Plug 3", {"main": ("SmartPlug", ("switch", "a.b"))})
    assert risks.of(ID, "main", "switch", "on", {}) is RiskClass.UNCLEAR
    house.entity("switch.plug_3", plug, "main_switch_switch_switch")
    assert risks.of(ID, "main", "switch", "on", {}) is None

    classify(house.hass, "switch.plug_3", RiskClass.HEAT)

    assert risks.of(ID, "main", "switch", "on", {}) is RiskClass.HEAT
    assert risks.of(ID, "main", "a.b", "doIt", {}) is RiskClass.HEAT
    assert risks.of(ID, "main", "switch", "off", {}) is None


def test_a_plug_that_is_shown_as_a_lock_is_a_lock(house: RegisteredHouse, risks: RawRisks) -> None:
    plug = house.device(ID, "Plug 3", {"main": ("SmartPlug", ("switch", "switchLevel"))})
    house.entity("switch.plug_3", plug, "main_switch_switch_switch")
    wrapper = MockConfigEntry(
        domain="switch_as_x", options={"entity_id": "switch.plug_3", "target_domain": "lock"}
    )
    wrapper.add_to_hass(house.hass)
    er.async_get(house.hass).async_get_or_create(
        "lock", "switch_as_x", wrapper.entry_id, config_entry=wrapper
    )

    assert risks.of(ID, "main", "switch", "on", {}) is RiskClass.UNLOCK
    assert risks.of(ID, "main", "switchLevel", "setLevel", {"level": 9}) is RiskClass.UNLOCK


def test_a_category_chosen_by_a_person_hides_nothing(
    house: RegisteredHouse, risks: RawRisks
) -> None:
    plug = house.device(ID, "Iron", {"main": ("Television", ("switch",))})
    house.entity("switch.iron", plug, "main_switch_switch_switch")
    classify(house.hass, "switch.iron", RiskClass.HEAT)

    assert risks.of(ID, "main", "switch", "on", {}) is RiskClass.HEAT


def test_a_shade_that_a_person_made_a_garage_door_is_one(
    house: RegisteredHouse, risks: RawRisks
) -> None:
    shade = house.device(ID, "Roller", {"main": ("Blind", ("windowShade", "windowShadeLevel"))})
    house.entity("cover.roller", shade, "main", made_of=("windowShade", "windowShadeLevel"))
    assert risks.of(ID, "main", "windowShade", "open", {}) is None

    garage = {"device_class": "garage"}
    house.hass.states.async_set("cover.roller", "closed", garage)

    assert risks.of(ID, "main", "windowShade", "open", {}) is RiskClass.OPEN
    assert risks.of(ID, "main", "windowShade", "close", {}) is None
    level = "windowShadeLevel"
    assert risks.of(ID, "main", level, "setShadeLevel", {"shadeLevel": 5}) is RiskClass.OPEN


def test_a_part_is_judged_by_the_category_of_the_whole(
    house: RegisteredHouse, risks: RawRisks
) -> None:
    house.device(
        ID,
        "Cooker",
        {"main": ("Range", ("ovenMode",)), "burner-01": ("Other", ("a.level",))},
    )

    assert risks.of(ID, "burner-01", "a.level", "setLevel", {"level": 3}) is RiskClass.HEAT


def test_a_relay_in_a_lamp_is_no_lamp(house: RegisteredHouse, risks: RawRisks) -> None:
    main = ("Light", ("switch", "switchLevel"))
    relay = house.device(ID, "Garden light", {"main": main, "relay": ("Switch", ("switch",))})
    house.entity("switch.gate", relay, "relay_switch_switch_switch")
    classify(house.hass, "switch.gate", RiskClass.OPEN)

    assert risks.of(ID, "relay", "switch", "on", {}) is RiskClass.OPEN


def test_a_part_without_category_has_that_of_the_whole(
    house: RegisteredHouse, risks: RawRisks
) -> None:
    parts = {"main": ("Television", ("switch",)), "sub": ("Other", ("switch",))}
    house.device(ID, "Stove TV", parts)

    assert risks.of(ID, "sub", "switch", "on", {}) is None


def test_arming_depends_on_how_it_is_armed_now(house: RegisteredHouse, risks: RawRisks) -> None:
    def armed(status: str) -> None:
        house.device(
            ID,
            "Home",
            {"main": ("SecurityPanel", ("securitySystem",))},
            {"main": {"securitySystem": {"securitySystemStatus": status}}},
        )

    armed("armedAway")
    assert risks.of(ID, "main", "securitySystem", "armStay", {}) is RiskClass.DISARM

    armed("disarmed")
    assert risks.of(ID, "main", "securitySystem", "armStay", {}) is None


def test_firmware_of_a_lock_is_firmware(house: RegisteredHouse, risks: RawRisks) -> None:
    lock = house.device(ID, "Door", {"main": ("SmartLock", ("lock", "firmwareUpdate"))})
    house.entity("lock.door", lock, "main", made_of=("lock",))

    assert risks.of(ID, "main", "firmwareUpdate", "updateFirmware", {}) is RiskClass.MAINTENANCE
    assert risks.of(ID, "main", "lock", "unlock", {}) is RiskClass.UNLOCK
    assert risks.of(ID, "main", "lock", "lock", {}) is None


def test_what_is_not_there_is_not_resolved(house: RegisteredHouse, risks: RawRisks) -> None:
    house.device(ID, "TV", {"main": ("Television", ("switch",))})

    assert risks.of("nobody", "main", "switch", "on", {}) is RiskClass.UNRESOLVED
    assert risks.of(ID, "freezer", "switch", "on", {}) is RiskClass.UNRESOLVED


@pytest.mark.parametrize(
    ("domain", "command", "arguments", "service"),
    [
        ("lock", "lock", {}, "lock"),
        ("lock", "whatever", {}, "unlock"),
        ("cover", "close", {}, "close_cover"),
        ("cover", "whatever", {}, "open_cover"),
        ("valve", "close", {}, "close_valve"),
        ("valve", "setLevel", {"level": 3}, "open_valve"),
        ("alarm_control_panel", "armAway", {}, "alarm_arm_away"),
        ("alarm_control_panel", "whatever", {}, "alarm_disarm"),
        ("switch", "off", {}, "turn_off"),
        ("switch", "whatever", {}, "turn_on"),
        ("button", "start", {}, None),
    ],
)
def test_in_doubt_a_command_means_the_worst(
    domain: str, command: str, arguments: dict[str, object], service: str | None
) -> None:
    action = RawAction(capability="a.b", command=command, arguments=arguments)

    assert service_for(domain, action) == service
