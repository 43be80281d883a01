"""Nothing that is not exposed is read or commanded by raw means."""

from collections.abc import AsyncGenerator

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from pytest_homeassistant_custom_component.common import MockUser

from custom_components.sage.home.safety.gate import Gate
from custom_components.sage.home.smartthings.coverage import Coverage
from custom_components.sage.home.smartthings.exposure import RawExposure
from custom_components.sage.home.smartthings.raw import RawDevice
from custom_components.sage.people.person import HOUSEHOLD, Person

from .registered_house import RegisteredHouse, TableDefinitions

TV = "7c3ad2ab-0000-4000-8000-000000000001"
FRIDGE = "7c3ad2ab-0000-4000-8000-000000000002"
LOCK = "7c3ad2ab-0000-4000-8000-000000000003"
OVEN = "7c3ad2ab-0000-4000-8000-000000000004"
SENSOR = "7c3ad2ab-0000-4000-8000-000000000005"

USER = er.RegistryEntryDisabler.USER
INTEGRATION = er.RegistryEntryDisabler.INTEGRATION


class Home:
    """A house of raw devices behind the real gate."""

    def __init__(self, hass: HomeAssistant, house: RegisteredHouse) -> None:
        self.hass = hass
        self.house = house
        self.gate = Gate(hass)
        self.coverage = Coverage(hass, house.mirror)
        self.coverage.setup()
        self.exposure = RawExposure(self.gate, house.mirror, self.coverage, TableDefinitions())
        self.person = HOUSEHOLD

    def expose(self, *entity_ids: str) -> None:
        """Expose exactly these entities."""
        for entity_id in er.async_get(self.hass).entities:
            async_expose_entity(self.hass, "conversation", entity_id, entity_id in entity_ids)

    def reads(self, device: str, component: str, capability: str, attribute: str) -> bool:
        return self.exposure.may_read(self.person, device, component, capability, attribute)

    def commands(self, device: str, component: str, capability: str) -> bool:
        return self.exposure.may_command(self.person, device, component, capability)

    def shown(self, device: str) -> dict[str, tuple[str, ...]]:
        return dict(self.exposure.shown(device, self.gate.visible(self.person)))

    def allowed(self, device: str) -> dict[str, tuple[str, ...]]:
        return dict(self.exposure.allowed(device, self.gate.visible(self.person)))


@pytest.fixture
async def home(hass: HomeAssistant) -> AsyncGenerator[Home]:
    made = Home(hass, RegisteredHouse(hass))
    await made.gate.async_setup()
    yield made
    made.coverage.close()
    made.gate.close()


def television(house: RegisteredHouse) -> RawDevice:
    capabilities = ("switch", "audioVolume", "tvChannel", "custom.launchapp", "execute", "ocf")
    values = {"main": {"tvChannel": {"tvChannel": "7", "tvChannelName": "TSN"}}}
    tv = house.device(TV, "TV", {"main": ("Television", capabilities)}, values)
    made_of = ("switch", "audioVolume", "execute", "mediaPlayback")
    house.entity("media_player.tv", tv, "main", made_of=made_of)
    house.entity("sensor.tv_channel", tv, "main_tvChannel_tvChannel_tvChannel")
    house.entity("switch.tv", tv, "main_switch_switch_switch")
    return tv


def fridge(house: RegisteredHouse) -> RawDevice:
    device = house.device(
        FRIDGE,
        "Fridge",
        {
            "main": ("Refrigerator", ("samsungce.powerCool", "custom.fridgeMode", "lockOnly")),
            "freezer": ("Other", ("thermostatCoolingSetpoint", "custom.fridgeMode")),
            "cooler": ("Other", ("contactSensor", "custom.fridgeMode")),
        },
        {"cooler": {"contactSensor": {"contact": "open"}}},
    )
    config = EntityCategory.CONFIG
    power = "main_samsungce.powerCool_activated_activated"
    house.entity("switch.power_cool", device, power, category=config)
    setpoint = "thermostatCoolingSetpoint_coolingSetpoint_coolingSetpoint"
    house.entity("number.freezer", device, f"freezer_{setpoint}", category=config)
    house.entity("binary_sensor.cooler", device, "cooler_contactSensor_contact_contact")
    return device


# ---------------------------------------------------------------- commands


async def test_nothing_exposed_nothing_done(home: Home) -> None:
    television(home.house)
    fridge(home.house)
    home.expose()

    for device in home.house.mirror.devices():
        for component in device.components:
            for capability in component.capabilities:
                assert not home.commands(device.id, component.id, capability)
                for attribute in ("switch", "tvChannel", "contact", "anything"):
                    assert not home.reads(device.id, component.id, capability, attribute)
        assert home.shown(device.id) == home.allowed(device.id) == {}


async def test_what_has_no_entity_follows_the_entity_that_is_the_device(home: Home) -> None:
    television(home.house)

    home.expose("media_player.tv")
    assert home.commands(TV, "main", "tvChannel")
    assert home.commands(TV, "main", "custom.launchapp")

    home.expose("switch.tv", "sensor.tv_channel")
    assert not home.commands(TV, "main", "tvChannel")
    assert not home.commands(TV, "main", "custom.launchapp")


async def test_the_entity_of_a_capability_decides_about_it_alone(home: Home) -> None:
    television(home.house)

    home.expose("media_player.tv")
    assert not home.commands(TV, "main", "switch")

    home.expose("switch.tv")
    assert home.commands(TV, "main", "switch")


async def test_a_sensor_neither_permits_nor_forbids_a_command(home: Home) -> None:
    television(home.house)

    home.expose("sensor.tv_channel")
    assert not home.commands(TV, "main", "tvChannel")

    home.expose("media_player.tv")
    assert home.commands(TV, "main", "tvChannel")
    assert not home.reads(TV, "main", "tvChannel", "tvChannel")


async def test_each_component_has_its_own_entities(home: Home) -> None:
    fridge(home.house)

    home.expose("number.freezer")
    assert home.commands(FRIDGE, "freezer", "thermostatCoolingSetpoint")
    assert home.commands(FRIDGE, "freezer", "custom.fridgeMode")
    assert not home.commands(FRIDGE, "main", "custom.fridgeMode")
    # The cooler has no entity to control it with: that is up to the fridge itself.
    assert not home.commands(FRIDGE, "cooler", "custom.fridgeMode")

    home.expose("switch.power_cool")
    assert home.commands(FRIDGE, "cooler", "custom.fridgeMode")
    assert not home.commands(FRIDGE, "freezer", "custom.fridgeMode")


async def test_a_setting_does_not_answer_for_the_device_beside_its_main_entity(
    home: Home,
) -> None:
    washer = home.house.device(
        FRIDGE, "Washer", {"main": ("Washer", ("washerOperatingState", "a.cycle", "a.soak"))}
    )
    state = "main_washerOperatingState_machineState_machineState"
    home.house.entity("select.washer", washer, state)
    soak = "main_a.soak_status_status"
    home.house.entity("switch.soak", washer, soak, category=EntityCategory.CONFIG)

    home.expose("switch.soak")
    assert home.commands(FRIDGE, "main", "a.soak")
    assert not home.commands(FRIDGE, "main", "a.cycle")

    home.expose("select.washer")
    assert home.commands(FRIDGE, "main", "a.cycle")


async def test_a_device_of_sensors_only_takes_no_command(home: Home) -> None:
    sensor = home.house.device(SENSOR, "Door", {"main": (None, ("contactSensor", "a.b"))})
    home.house.entity("binary_sensor.door", sensor, "main_contactSensor_contact_contact")
    home.expose("binary_sensor.door")

    assert home.reads(SENSOR, "main", "contactSensor", "contact")
    assert not home.reads(SENSOR, "main", "a.b", "c")
    assert not home.commands(SENSOR, "main", "a.b")


async def test_the_lamp_of_an_oven_is_not_the_oven(home: Home) -> None:
    capabilities = ("switch", "samsungce.lamp", "ovenMode", "ovenOperatingState")
    oven = home.house.device(OVEN, "Oven", {"main": ("Oven", capabilities)})
    lamp = "main_samsungce.lamp_brightnessLevel_brightnessLevel"
    home.house.entity("light.oven", oven, lamp)
    home.expose("light.oven")

    assert home.commands(OVEN, "main", "samsungce.lamp")
    assert not home.commands(OVEN, "main", "switch")
    assert not home.commands(OVEN, "main", "ovenMode")
    assert not home.commands(OVEN, "main", "ovenOperatingState")


# ---------------------------------------------------------------- disabled, hidden, renamed


async def test_what_a_person_disabled_is_there_and_not_exposed(home: Home) -> None:
    tv = home.house.device(TV, "TV", {"main": ("Television", ("switch", "tvChannel"))})
    home.house.entity("switch.tv", tv, "main_switch_switch_switch", disabled_by=USER)
    home.house.entity("media_player.tv", tv, "main", disabled_by=USER)
    home.house.entity("button.tv", tv, "main_tvChannel_channelUp")
    home.expose("button.tv", "media_player.tv", "switch.tv")

    assert not home.commands(TV, "main", "switch")
    assert home.commands(TV, "main", "tvChannel")


async def test_a_device_that_a_person_disabled_is_out_of_reach(home: Home) -> None:
    television(home.house)
    home.expose("media_player.tv", "switch.tv", "sensor.tv_channel")
    registry = er.async_get(home.hass)
    for entity_id in ("media_player.tv", "switch.tv", "sensor.tv_channel"):
        registry.async_update_entity(entity_id, disabled_by=er.RegistryEntryDisabler.DEVICE)
        home.hass.states.async_remove(entity_id)

    assert not home.commands(TV, "main", "tvChannel")
    assert not home.reads(TV, "main", "tvChannel", "tvChannel")
    assert home.shown(TV) == home.allowed(TV) == {}


async def test_what_is_disabled_by_default_is_not_there(home: Home) -> None:
    tv = home.house.device(TV, "TV", {"main": ("Television", ("switch", "tvChannel"))})
    home.house.entity("media_player.tv", tv, "main")
    channel = "main_tvChannel_tvChannel_tvChannel"
    home.house.entity("sensor.tv_channel", tv, channel, disabled_by=INTEGRATION)
    home.expose("media_player.tv")

    assert home.reads(TV, "main", "tvChannel", "tvChannel")


async def test_disabling_and_hiding_hold_at_once(home: Home) -> None:
    television(home.house)
    home.expose("media_player.tv")
    assert home.commands(TV, "main", "tvChannel")

    registry = er.async_get(home.hass)
    registry.async_update_entity("media_player.tv", disabled_by=USER)
    home.hass.states.async_remove("media_player.tv")

    assert not home.commands(TV, "main", "tvChannel")


async def test_a_hidden_entity_counts_as_it_is_exposed(home: Home) -> None:
    tv = home.house.device(TV, "TV", {"main": ("Television", ("switch", "tvChannel"))})
    hider = er.RegistryEntryHider.USER
    home.house.entity("media_player.tv", tv, "main", hidden_by=hider)

    # Nothing was chosen: what is hidden is not exposed by default.
    assert not home.commands(TV, "main", "tvChannel")

    home.expose("media_player.tv")
    assert home.commands(TV, "main", "tvChannel")


async def test_a_renamed_entity_keeps_its_say(home: Home) -> None:
    television(home.house)
    home.expose("media_player.tv")
    assert home.commands(TV, "main", "tvChannel")

    er.async_get(home.hass).async_update_entity(
        "media_player.tv", new_entity_id="media_player.cinema"
    )
    home.hass.states.async_remove("media_player.tv")
    home.hass.states.async_set("media_player.cinema", "on")
    async_expose_entity(home.hass, "conversation", "media_player.cinema", False)
    assert not home.commands(TV, "main", "tvChannel")

    async_expose_entity(home.hass, "conversation", "media_player.cinema", True)
    assert home.commands(TV, "main", "tvChannel")
    assert "tvChannel" in home.shown(TV)["main"]


async def test_an_entity_in_another_room_still_belongs_to_its_device(home: Home) -> None:
    television(home.house)
    attic = ar.async_get(home.hass).async_create("Attic")
    er.async_get(home.hass).async_update_entity("media_player.tv", name="Big TV", area_id=attic.id)
    home.expose("media_player.tv")

    assert home.commands(TV, "main", "custom.launchapp")


async def test_an_entity_that_is_not_loaded_permits_nothing(home: Home) -> None:
    television(home.house)
    home.expose("media_player.tv")
    home.hass.states.async_remove("media_player.tv")

    assert not home.commands(TV, "main", "tvChannel")


async def test_an_entity_of_another_integration_permits_nothing(home: Home) -> None:
    lock = home.house.device(LOCK, "Lock", {"main": ("SmartLock", ("lock", "lockCodes"))})
    home.house.entity("lock.mine", lock, "main", platform="template")
    home.expose("lock.mine")

    assert not home.commands(LOCK, "main", "lock")


async def test_an_entity_that_comes_later_decides_at_once(home: Home) -> None:
    tv = home.house.device(TV, "TV", {"main": ("Television", ("switch", "tvChannel"))})
    home.house.entity("media_player.tv", tv, "main")
    home.expose("media_player.tv")
    assert home.commands(TV, "main", "switch")

    home.house.entity("switch.tv", tv, "main_switch_switch_switch")
    async_expose_entity(home.hass, "conversation", "switch.tv", False)
    assert not home.commands(TV, "main", "switch")

    er.async_get(home.hass).async_remove("switch.tv")
    assert home.commands(TV, "main", "switch")


# ---------------------------------------------------------------- guesses


@pytest.mark.parametrize(
    ("device", "component", "capability"),
    [
        ("nobody", "main", "switch"),
        ("", "", ""),
        (TV, "freezer", "switch"),
        (TV, "MAIN", "tvChannel"),
        (TV, "main", "tvchannel"),
        (TV, "main", "lock"),
        (TV, "main", "execute"),
        (TV, "main", "ocf"),
        (TV, "main", "tvChannel.setTvChannel"),
    ],
)
async def test_guesses_lead_nowhere(
    home: Home, device: str, component: str, capability: str
) -> None:
    television(home.house)
    home.expose("media_player.tv", "switch.tv", "sensor.tv_channel")

    assert not home.commands(device, component, capability)
    assert not home.reads(device, component, capability, "switch")


async def test_what_the_device_disabled_is_out_of_reach(home: Home) -> None:
    fridge(home.house)
    home.expose("number.freezer", "switch.power_cool")
    home.house.mirror.disable(FRIDGE, "freezer", "samsungce.powerCool")

    assert not home.commands(FRIDGE, "freezer", "custom.fridgeMode")
    assert not home.commands(FRIDGE, "main", "samsungce.powerCool")
    assert home.commands(FRIDGE, "main", "custom.fridgeMode")
    assert "freezer" not in home.allowed(FRIDGE)


async def test_a_device_that_is_gone_is_gone(home: Home) -> None:
    television(home.house)
    home.expose("media_player.tv")
    assert home.shown(TV)

    home.house.mirror.remove(TV)

    assert not home.commands(TV, "main", "tvChannel")
    assert home.shown(TV) == home.allowed(TV) == {}


async def test_the_names_of_lock_codes_are_told_to_nobody(home: Home) -> None:
    lock = home.house.device(
        LOCK,
        "Lock",
        {"main": ("SmartLock", ("lock", "lockCodes", "lockUsers"))},
        {"main": {"lockCodes": {"lockCodes": '{"1": "Anna"}'}, "lock": {"lock": "locked"}}},
    )
    home.house.entity("lock.door", lock, "main")
    home.expose("lock.door")

    assert home.reads(LOCK, "main", "lock", "lock")
    assert not home.reads(LOCK, "main", "lockCodes", "lockCodes")
    assert not home.reads(LOCK, "main", "lockUsers", "users")
    assert not home.commands(LOCK, "main", "lockCodes")


# ---------------------------------------------------------------- reading


async def test_the_entity_of_an_attribute_decides_about_it(home: Home) -> None:
    television(home.house)

    home.expose("media_player.tv")
    assert not home.reads(TV, "main", "tvChannel", "tvChannel")

    home.expose("sensor.tv_channel")
    assert home.reads(TV, "main", "tvChannel", "tvChannel")
    assert home.reads(TV, "main", "tvChannel", "tvChannelName")
    assert not home.reads(TV, "main", "audioVolume", "volume")


async def test_an_attribute_without_entity_follows_the_device(home: Home) -> None:
    fridge(home.house)

    home.expose("binary_sensor.cooler")
    assert home.reads(FRIDGE, "cooler", "contactSensor", "contact")
    assert not home.reads(FRIDGE, "cooler", "custom.fridgeMode", "fridgeMode")

    home.expose("switch.power_cool")
    assert not home.reads(FRIDGE, "cooler", "contactSensor", "contact")
    assert home.reads(FRIDGE, "cooler", "custom.fridgeMode", "fridgeMode")


# ---------------------------------------------------------------- persons


async def a_user(home: Home, policy: dict[str, object]) -> Person:
    user = MockUser(id="lea", name="Lea").add_to_hass(home.hass)
    user.mock_policy(policy)
    person = Person(user_id="lea", name="Lea")
    await home.gate.async_load_rights(person)
    return person


async def test_whoever_may_only_read_may_not_command(home: Home) -> None:
    television(home.house)
    home.expose("media_player.tv", "switch.tv", "sensor.tv_channel")
    home.person = await a_user(home, {"entities": {"domains": {"media_player": {"read": True}}}})

    assert home.reads(TV, "main", "audioVolume", "volume")
    assert not home.reads(TV, "main", "tvChannel", "tvChannel")
    assert not home.commands(TV, "main", "tvChannel")
    assert not home.commands(TV, "main", "switch")


async def test_a_policy_for_some_entities_holds_for_their_raw_parts(home: Home) -> None:
    fridge(home.house)
    home.expose("switch.power_cool", "number.freezer", "binary_sensor.cooler")
    entities = {"entity_ids": {"number.freezer": {"read": True, "control": True}}}
    home.person = await a_user(home, {"entities": entities})

    assert home.commands(FRIDGE, "freezer", "custom.fridgeMode")
    assert not home.commands(FRIDGE, "main", "custom.fridgeMode")
    assert not home.reads(FRIDGE, "cooler", "contactSensor", "contact")
    assert list(home.allowed(FRIDGE)) == ["freezer"]


async def test_somebody_unknown_to_home_assistant_may_nothing(home: Home) -> None:
    television(home.house)
    home.expose("media_player.tv", "switch.tv", "sensor.tv_channel")
    home.person = Person(user_id="gone", name="Gone")

    assert not home.commands(TV, "main", "tvChannel")
    assert not home.reads(TV, "main", "audioVolume", "volume")
    assert home.shown(TV) == home.allowed(TV) == {}


# ---------------------------------------------------------------- listings


async def test_a_listing_shows_what_raw_adds(home: Home) -> None:
    television(home.house)
    home.expose("media_player.tv", "switch.tv", "sensor.tv_channel")

    assert home.shown(TV) == {"main": ("tvChannel", "custom.launchapp")}
    assert home.allowed(TV) == {"main": ("switch", "audioVolume", "tvChannel", "custom.launchapp")}


async def test_a_value_without_entity_is_shown_once_there_is_one(home: Home) -> None:
    device = home.house.device(
        FRIDGE,
        "Fridge",
        {"main": (None, ("switch",)), "cooler": (None, ("odorSensor",))},
        {"cooler": {"odorSensor": {"odorLevel": None}}},
    )
    home.house.entity("switch.fridge", device, "main_switch_switch_switch")
    home.expose("switch.fridge")
    assert home.shown(FRIDGE) == {}
    assert home.allowed(FRIDGE) == {"main": ("switch",), "cooler": ("odorSensor",)}

    home.house.mirror.add(device, {"cooler": {"odorSensor": {"odorLevel": 2}}})

    assert home.shown(FRIDGE) == {"cooler": ("odorSensor",)}


async def test_noise_can_be_asked_for_but_is_not_listed(home: Home) -> None:
    tv = home.house.device(
        TV,
        "TV",
        {"main": ("Television", ("switch", "firmwareUpdate", "demandResponseLoadControl"))},
    )
    home.house.entity("media_player.tv", tv, "main")
    home.expose("media_player.tv")

    assert home.shown(TV) == {"main": ("switch",)}
    assert home.allowed(TV)["main"] == ("switch", "firmwareUpdate", "demandResponseLoadControl")


async def test_listings_follow_what_is_exposed(home: Home) -> None:
    television(home.house)
    home.expose("media_player.tv")
    assert home.allowed(TV)

    home.expose()
    assert home.allowed(TV) == {}
