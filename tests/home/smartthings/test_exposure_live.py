"""The gate of raw devices behind Home Assistant's own integration and a simulated cloud."""

from collections.abc import AsyncGenerator

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.helpers import entity_registry as er

from custom_components.sage.home.commands.pipeline import ValidatedCommand
from custom_components.sage.home.home_types import CommandDescription, RiskClass
from custom_components.sage.home.safety.gate import Gate
from custom_components.sage.home.smartthings.coverage import Capabilities, Coverage, RawExposure
from custom_components.sage.home.smartthings.definitions import DefinitionStore
from custom_components.sage.home.smartthings.mirror import Mirror
from custom_components.sage.home.smartthings.risk import effects_of_command
from custom_components.sage.home.smartthings.withheld import is_never_offered
from custom_components.sage.people.person import HOUSEHOLD
from tests.exposing import expose, expose_all, hide_all
from tests.smartthings_home import SmartThings, cloud, large_cloud, large_smartthings, smartthings  # noqa: F401

TV = "Samsung 8 Series"


class Live:
    """What the household may do in a connected home."""

    def __init__(self, connected: SmartThings) -> None:
        self.smartthings = connected
        self.hass = connected.hass
        self.mirror = Mirror(self.hass)
        self.gate = Gate(self.hass)
        self.coverage = Coverage(self.hass, self.mirror)
        self.definitions = DefinitionStore(self.mirror.client)
        self.exposure = RawExposure(self.gate, self.mirror, self.coverage, self.definitions)

    async def async_setup(self) -> None:
        await self.gate.async_setup()
        self.mirror.async_setup()
        self.coverage.setup()
        await self.mirror.async_make_fresh(device.id for device in self.mirror.devices())
        assert self.mirror.devices()

    def close(self) -> None:
        self.coverage.close()
        self.mirror.close()
        self.gate.close()

    def id(self, device: str) -> str:
        return self.smartthings.cloud.device_id(device)

    def commands(self, device: str, capability: str, component: str = "main") -> bool:
        return self.exposure.may_command(HOUSEHOLD, self.id(device), component, capability)

    def reads(self, device: str, capability: str, attribute: str, component: str = "main") -> bool:
        where = (self.id(device), component, capability, attribute)
        return self.exposure.may_read(HOUSEHOLD, *where)

    def shown(self, device: str) -> Capabilities:
        visible = self.gate.visible(HOUSEHOLD)
        return self.exposure.usable(self.id(device), visible, only_more=True)

    def permitted(self) -> set[tuple[str, str, str]]:
        """Return every device, component and capability that anything may be done with."""
        return {
            (self.smartthings.cloud.home.devices[device.id].label, component.id, capability)
            for device in self.mirror.devices()
            for component in device.components
            for capability in component.capabilities
            if self.exposure.may_command(HOUSEHOLD, device.id, component.id, capability)
            or any(
                self.exposure.may_read(HOUSEHOLD, device.id, component.id, capability, attribute)
                for attribute in (
                    *self.mirror.attributes(device.id, component.id, capability),
                    "a guess",
                )
            )
        }


@pytest.fixture
async def live(smartthings: SmartThings) -> AsyncGenerator[Live]:  # noqa: F811
    made = Live(smartthings)
    await made.async_setup()
    yield made
    made.close()


@pytest.fixture
async def large(large_smartthings: SmartThings) -> AsyncGenerator[Live]:  # noqa: F811
    made = Live(large_smartthings)
    await made.async_setup()
    yield made
    made.close()


def only(live: Live, device: str, domain: str, ending: str = "") -> str:
    (found,) = [each for each in live.smartthings.entities(device, domain) if each.endswith(ending)]
    return found


async def test_in_a_large_home_nothing_is_permitted_either(large: Live) -> None:
    hide_all(large.hass)

    assert large.permitted() == set()


async def test_with_all_exposed_plumbing_is_still_not_offered(large: Live) -> None:
    expose_all(large.hass)

    permitted = large.permitted()

    assert permitted
    assert not {row for row in permitted if is_never_offered(row[2])}
    usable = {
        (large.smartthings.cloud.home.devices[device.id].label, component.id, capability)
        for device in large.mirror.devices()
        for component in device.components
        for capability in component.capabilities
    }
    assert permitted <= usable
    assert "Home Hub" not in {label for label, _, _ in permitted}


async def test_the_listing_of_a_television_shows_what_its_entities_lack(live: Live) -> None:
    expose_all(live.hass)

    shown = live.shown(TV)["main"]

    assert {"tvChannel", "custom.launchapp", "mediaTrackControl"} <= set(shown)
    assert not {"switch", "audioVolume", "audioMute", "execute", "ocf", "refresh"} & set(shown)


async def test_lamps_add_nothing_to_their_entities(live: Live) -> None:
    expose_all(live.hass)

    devices = live.smartthings.cloud.home.devices
    lamps = [each for each in live.mirror.devices() if devices[each.id].label == "Light strip"]

    assert len(lamps) == 4
    assert all(live.shown(lamp.id) == {} for lamp in lamps)


async def test_an_option_of_a_dishwasher_does_not_start_it(live: Live) -> None:
    # The entity of the option listens to the machine's state, which is not its own.
    sanitize = only(live, "Dishwasher", "switch", "_sanitize")
    expose(live.hass, sanitize)

    assert live.commands("Dishwasher", "samsungce.dishwasherWashingOptions")
    assert not live.commands("Dishwasher", "dishwasherOperatingState")
    assert not live.commands("Dishwasher", "samsungce.dishwasherOperation")
    assert not live.commands("Dishwasher", "samsungce.dishwasherWashingCourse")
    assert not live.commands("Dishwasher", "custom.dishwasherDelayStartTime")


async def test_the_start_button_of_a_dishwasher_starts_it(live: Live) -> None:
    expose(live.hass, only(live, "Dishwasher", "button", "_start"))

    assert live.commands("Dishwasher", "samsungce.dishwasherOperation")
    assert not live.commands("Dishwasher", "samsungce.dishwasherWashingCourse")


async def test_an_entity_that_is_disabled_takes_its_device_along(live: Live) -> None:
    expose_all(live.hass)
    assert live.commands(TV, "tvChannel")
    registry = er.async_get(live.hass)
    player = only(live, TV, "media_player")

    registry.async_update_entity(player, disabled_by=er.RegistryEntryDisabler.USER)
    await live.hass.async_block_till_done()

    assert not live.commands(TV, "tvChannel")
    assert not live.commands(TV, "audioVolume")
    assert "tvChannel" not in live.shown(TV).get("main", ())


async def test_a_renamed_entity_is_the_same(live: Live) -> None:
    player = only(live, TV, "media_player")
    expose(live.hass, player)

    registry = er.async_get(live.hass)
    registry.async_update_entity(player, new_entity_id="media_player.cinema")
    await live.hass.async_block_till_done()
    async_expose_entity(live.hass, "conversation", "media_player.cinema", True)

    assert live.commands(TV, "tvChannel")
    assert "audioVolume" not in live.shown(TV)["main"]


async def test_the_lamp_of_an_oven_does_not_heat_it(large: Live) -> None:
    expose(large.hass, only(large, "Oven", "light"), *large.smartthings.entities("Oven", "select"))

    assert large.commands("Oven", "samsungce.lamp")
    for capability in ("ovenMode", "ovenSetpoint", "ovenOperatingState", "samsungce.meatProbe"):
        assert not large.commands("Oven", capability)

    expose(large.hass, *large.smartthings.entities("Microwave", "light"))
    assert not large.commands("Microwave", "switch")
    assert not large.commands("Microwave", "samsungce.microwavePower")


async def test_a_burner_cannot_be_lit_with_sensors_alone(large: Live) -> None:
    expose_all(large.hass)

    assert not large.commands("Cooktop", "switch")
    assert not large.commands("Cooktop", "samsungce.cooktopHeatingPower", "burner-01")
    assert large.reads("Cooktop", "samsungce.cooktopHeatingPower", "manualLevel", "burner-01")


async def test_lock_codes_are_neither_listed_nor_read(large: Live) -> None:
    expose_all(large.hass)
    lock = "Front Door Lock"

    assert large.shown(lock) == {}
    assert large.reads(lock, "lock", "lock")
    attributes = large.mirror.attributes(large.id(lock), "main", "lockCodes")
    assert not any(large.reads(lock, "lockCodes", attribute) for attribute in attributes)
    assert not large.commands(lock, "lockCodes")


RISKY: list[tuple[str, str, str, dict[str, object], RiskClass | None]] = [
    ("Front Door Lock", "lock", "unlock", {}, RiskClass.UNLOCK),
    ("Front Door Lock", "lockCodes", "setCode", {"codeSlot": 2}, RiskClass.UNLOCK),
    ("Front Door Lock", "firmwareUpdate", "updateFirmware", {}, RiskClass.UNLOCK),
    ("Garage Door", "doorControl", "open", {}, RiskClass.OPEN),
    ("Water Main Valve", "valve", "open", {}, RiskClass.OPEN),
    ("Siren", "alarm", "off", {}, RiskClass.SECURITY_OFF),
    ("Driveway Camera", "switch", "off", {}, RiskClass.SECURITY_OFF),
    ("Oven", "ovenOperatingState", "start", {}, RiskClass.HEAT),
    ("Oven", "samsungce.ovenMode", "setOvenMode", {"mode": "Convection"}, RiskClass.HEAT),
    ("Microwave", "switch", "on", {}, RiskClass.HEAT),
    ("Cooktop", "switch", "on", {}, RiskClass.HEAT),
    ("Front Door Lock", "lock", "lock", {}, None),
    ("Garage Door", "doorControl", "close", {}, None),
    ("Water Main Valve", "valve", "close", {}, None),
    ("Left Shade", "windowShade", "open", {}, None),
    ("Oven", "ovenOperatingState", "stop", {}, None),
    ("Oven", "samsungce.lamp", "setBrightnessLevel", {"level": "high"}, None),
    ("Microwave", "samsungce.hoodFanSpeed", "setHoodFanSpeed", {"speed": 1}, None),
    ("Dishwasher", "samsungce.dishwasherOperation", "start", {}, None),
    ("Washer", "switch", "on", {}, None),
    ("Dryer", "samsungce.displayBrightness", "setBrightness", {"brightness": 1}, None),
    ("Robot Vacuum", "samsungce.robotCleanerOperatingState", "start", {}, None),
    ("Living Room TV", "tvChannel", "setTvChannel", {"tvChannel": "7"}, None),
    ("Living Room Thermostat", "thermostatMode", "heat", {}, None),
    ("Kids Room Radiator", "thermostatHeatingSetpoint", "setHeatingSetpoint", {"s": 21}, None),
    ("Refrigerator", "refrigeration", "setRapidFreezing", {"rapidFreezing": "on"}, None),
    ("Coffee Machine", "switch", "on", {}, None),
    ("Sofa Lamp", "switch", "on", {}, None),
]


async def test_what_is_risky_in_a_large_home(large: Live) -> None:
    judged = [
        (label, capability, command, arguments, found)
        for label, capability, command, arguments, _ in RISKY
        for found in [
            effects_of_command(
                large.hass,
                large.mirror,
                large.coverage,
                ValidatedCommand(
                    device_id="",
                    device_name=label,
                    source_id=large.id(label),
                    component_id="main",
                    capability=capability,
                    description=CommandDescription(name=command),
                    arguments=arguments,
                ),
            ).risk
        ]
    ]

    assert judged == RISKY
