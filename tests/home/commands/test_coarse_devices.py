"""Devices with coarse steps: the answer reports what was reached, and no false success."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from homeassistant.components.climate.const import ClimateEntityFeature, HVACMode
from homeassistant.components.cover import CoverEntityFeature
from homeassistant.components.fan.const import FanEntityFeature
from homeassistant.components.humidifier import HumidifierEntity
from homeassistant.components.humidifier.const import HumidifierEntityFeature
from homeassistant.components.light.const import ColorMode
from homeassistant.components.media_player.const import MediaPlayerEntityFeature
from homeassistant.components.text import TextEntity
from homeassistant.components.vacuum import StateVacuumEntity
from homeassistant.components.vacuum.const import VacuumActivity, VacuumEntityFeature
from homeassistant.components.valve.const import ValveEntityFeature
from homeassistant.components.water_heater import WaterHeaterEntity
from homeassistant.components.water_heater.const import WaterHeaterEntityFeature
from homeassistant.const import UnitOfTemperature
from homeassistant.core import HomeAssistant

from custom_components.sage.home.home_types import Outcome, OutcomeKind

from ..entity_home import EntityHome
from ..entity_kinds import (
    Cover,
    Fan,
    Light,
    Lock,
    Number,
    Player,
    Select,
    TestEntity,
    Thermostat,
    Valve,
)

VERIFIED, REACHED = OutcomeKind.VERIFIED, OutcomeKind.REACHED


class WaterHeater(TestEntity, WaterHeaterEntity):
    domain = "water_heater"
    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_operation_list = ["eco", "performance", "off"]  # noqa: RUF012
    _attr_current_operation = "eco"
    _attr_min_temp = 30
    _attr_max_temp = 75
    _attr_target_temperature = 40.0
    _attr_supported_features = (
        WaterHeaterEntityFeature.TARGET_TEMPERATURE | WaterHeaterEntityFeature.OPERATION_MODE
    )


class Humidifier(TestEntity, HumidifierEntity):
    domain = "humidifier"
    _attr_is_on = True
    _attr_target_humidity = 30
    _attr_current_humidity = 33
    _attr_available_modes = ["auto", "sleep"]  # noqa: RUF012
    _attr_mode = "auto"
    _attr_supported_features = HumidifierEntityFeature.MODES


class Vacuum(TestEntity, StateVacuumEntity):
    domain = "vacuum"
    _attr_activity = VacuumActivity.CLEANING
    _attr_fan_speed_list = ["Quiet", "Standard", "Turbo"]  # noqa: RUF012
    _attr_fan_speed = "Quiet"
    _attr_supported_features = VacuumEntityFeature.FAN_SPEED | VacuumEntityFeature.STATE


class Text(TestEntity, TextEntity):
    domain = "text"
    _attr_native_value = "Hello"


MOVES = {
    "supported_features": CoverEntityFeature.OPEN
    | CoverEntityFeature.CLOSE
    | CoverEntityFeature.SET_POSITION
    | CoverEntityFeature.SET_TILT_POSITION
    | CoverEntityFeature.OPEN_TILT
    | CoverEntityFeature.CLOSE_TILT
}
OPEN = {
    **MOVES,
    "is_closed": False,
    "current_cover_position": 100,
    "current_cover_tilt_position": 0,
}
SHUT = {**MOVES, "is_closed": True, "current_cover_position": 0, "current_cover_tilt_position": 0}
TAP = {
    "supported_features": ValveEntityFeature.OPEN
    | ValveEntityFeature.CLOSE
    | ValveEntityFeature.SET_POSITION,
    "reports_position": True,
    "is_closed": False,
    "current_valve_position": 100,
}
COLOR = {
    "is_on": True,
    "supported_color_modes": {ColorMode.HS},
    "color_mode": ColorMode.HS,
    "hs_color": (200.0, 50.0),
}
WHITE = {"is_on": True, "min_color_temp_kelvin": 2700, "max_color_temp_kelvin": 6500}
RANGE = {
    "supported_features": ClimateEntityFeature.TARGET_TEMPERATURE_RANGE,
    "hvac_modes": [HVACMode.OFF, HVACMode.HEAT_COOL],
    "hvac_mode": HVACMode.HEAT_COOL,
    "target_temperature": None,
    "target_temperature_low": 18.0,
    "target_temperature_high": 26.0,
}
AIR = {
    "supported_features": ClimateEntityFeature.TARGET_TEMPERATURE
    | ClimateEntityFeature.TARGET_HUMIDITY
    | ClimateEntityFeature.FAN_MODE
    | ClimateEntityFeature.PRESET_MODE,
    "target_humidity": 40,
    "fan_modes": ["low", "medium", "high"],
    "fan_mode": "low",
    "preset_modes": ["eco", "comfort"],
    "preset_mode": "comfort",
}
BREEZE = {
    "supported_features": FanEntityFeature.SET_SPEED
    | FanEntityFeature.DIRECTION
    | FanEntityFeature.OSCILLATE
    | FanEntityFeature.PRESET_MODE,
    "current_direction": "forward",
    "oscillating": False,
    "preset_modes": ["auto", "night"],
    "preset_mode": None,
}
SOUND = {
    "supported_features": MediaPlayerEntityFeature.VOLUME_SET
    | MediaPlayerEntityFeature.SELECT_SOURCE
    | MediaPlayerEntityFeature.SELECT_SOUND_MODE,
    "sound_mode_list": ["Music", "Movie"],
    "sound_mode": "Music",
    "volume_level": 0.1,
}


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of device, one command, and what devices of this kind make of it."""

    entity: type[TestEntity]
    start: dict[str, Any] = field(default_factory=dict)
    command: str
    arguments: dict[str, Any] = field(default_factory=dict)
    near: dict[str, Any]
    """The values after the command of a device that follows it with its own steps."""

    outcome: OutcomeKind = VERIFIED
    far: dict[str, Any]
    """The values of a device that went somewhere else."""

    said: str = ""
    """Words of the sentence about `far`."""

    other: dict[str, Any] = field(default_factory=dict)
    """Values that changed for another reason."""


def heat(near: float, far: float, wanted: float = 21.5, step: float | None = None, **more: Any):
    start = {"target_temperature": 18.0, "target_temperature_step": step}
    return Kind(
        entity=Thermostat,
        start=start,
        command="set_temperature",
        arguments={"temperature": wanted},
        near={"target_temperature": near},
        far={"target_temperature": far},
        said=f"{far:g} degrees instead of {wanted:g} degrees",
        other={"current_temperature": 21.5},
        **more,
    )


def blind(command: str, near: int, far: int, start: dict[str, Any] = OPEN, **arguments: Any):
    return Kind(
        entity=Cover,
        start=start,
        command=command,
        arguments=arguments,
        near={"current_cover_position": near, "is_closed": near == 0},
        far={"current_cover_position": far, "is_closed": False},
        said=f"{far} percent open",
        other={"current_cover_tilt_position": 30},
    )


def tilt(near: int, far: int, command: str = "set_cover_tilt_position", **arguments: Any):
    return Kind(
        entity=Cover,
        start={**OPEN, "current_cover_tilt_position": 45 if "close" in command else 0},
        command=command,
        arguments=arguments,
        near={"current_cover_tilt_position": near},
        far={"current_cover_tilt_position": far},
        said=f"{far} percent tilt",
        other={"current_cover_position": 90},
    )


def tap(command: str, near: int, far: int, **more: Any):
    arguments = more.pop("arguments", {})
    return Kind(
        entity=Valve,
        start=TAP,
        command=command,
        arguments=arguments,
        near={"current_valve_position": near},
        far={"current_valve_position": far},
        **more,
    )


def dim(wanted: int, near: int, far: int, outcome: OutcomeKind = VERIFIED):
    return Kind(
        entity=Light,
        start={"is_on": True, "brightness": 255},
        command="turn_on",
        arguments={"brightness_pct": wanted},
        near={"brightness": near},
        outcome=outcome,
        far={"brightness": far},
        said=f"{round(far / 2.55)} percent brightness instead of {wanted} percent",
        other={"color_temp_kelvin": 3100},
    )


def volume(near: float, far: float, outcome: OutcomeKind = VERIFIED):
    return Kind(
        entity=Player,
        start=SOUND,
        command="volume_set",
        arguments={"volume_level": 0.5},
        near={"volume_level": near},
        outcome=outcome,
        far={"volume_level": far},
        said=f"{far * 100:.0f} percent volume instead of 50 percent volume",
        other={"source": "TV"},
    )


def air(wanted: int, near: int, far: int, step: int | None, outcome: OutcomeKind = VERIFIED):
    return Kind(
        entity=Humidifier,
        start={"target_humidity_step": step},
        command="set_humidity",
        arguments={"humidity": wanted},
        near={"target_humidity": near},
        outcome=outcome,
        far={"target_humidity": far},
        said=f"{far} percent humidity instead of {wanted} percent humidity",
        other={"current_humidity": wanted},
    )


def choice(entity: type[TestEntity], command: str, near: Any, far: Any, **more: Any):
    """A setting with options: there is no value near another."""
    (attribute, start) = more.pop("attribute"), more.pop("start", {})
    return Kind(
        entity=entity,
        start=start,
        command=command,
        arguments=more.pop("arguments"),
        near={attribute: near},
        far={attribute: far},
        **more,
    )


KINDS = {
    # Thermostats: 0.1, 0.5 and 1 degree, with and without a reported step; whole Fahrenheit.
    "thermostat, steps of 0.1": heat(21.5, 25.0, step=0.1),
    "thermostat, steps of 0.5": heat(21.5, 22.0, 21.3, step=0.5, outcome=VERIFIED),
    "thermostat, whole degrees up": heat(22.0, 25.0, step=1),
    "thermostat, whole degrees down": heat(21.0, 20.0, step=1),
    "thermostat, undeclared whole degrees": heat(22.0, 25.0, outcome=REACHED),
    "thermostat, limited": heat(19.0, 10.0, 25.0, step=0.5, outcome=REACHED),
    "thermostat, steps of 2": heat(22.0, 24.0, 21.0, step=2),
    "range of temperatures": Kind(
        entity=Thermostat,
        start={**RANGE, "target_temperature_step": 1},
        command="set_temperature",
        arguments={"target_temp_low": 20.5, "target_temp_high": 23.5},
        near={"target_temperature_low": 20.0, "target_temperature_high": 24.0},
        far={"target_temperature_low": 20.0, "target_temperature_high": 25.0},
        said="25 instead of",
        other={"current_temperature": 20.5},
    ),
    "air conditioner, humidity": Kind(
        entity=Thermostat,
        start={**AIR, "target_humidity_step": 5},
        command="set_humidity",
        arguments={"humidity": 52},
        near={"target_humidity": 50},
        far={"target_humidity": 60},
        said="60 percent humidity instead of 52 percent humidity",
        other={"current_humidity": 52},
    ),
    # Water heaters.
    "water heater, whole degrees": Kind(
        entity=WaterHeater,
        start={"target_temperature_step": 1.0},
        command="set_temperature",
        arguments={"temperature": 50.5},
        near={"target_temperature": 50.0},
        far={"target_temperature": 60.0},
        said="60 degrees instead of 50.5 degrees",
        other={"current_temperature": 50.5},
    ),
    "water heater, Fahrenheit inside": Kind(
        entity=WaterHeater,
        start={
            "temperature_unit": "°F",
            "min_temp": 90,
            "max_temp": 170,
            "target_temperature": 100,
        },
        command="set_temperature",
        arguments={"temperature": 50},
        near={"target_temperature": 122},
        far={"target_temperature": 140},
        said="60 degrees instead of 50 degrees",
        other={"current_temperature": 122},
    ),
    "water heater, steps of 5": Kind(
        entity=WaterHeater,
        start={"target_temperature_step": 5.0},
        command="set_temperature",
        arguments={"temperature": 52},
        near={"target_temperature": 55.0},
        far={"target_temperature": 65.0},
        said="65 degrees instead of 52 degrees",
        other={"current_temperature": 52},
    ),
    # Blinds.
    "blind, stops early": blind("set_cover_position", 52, 80, position=50),
    "blind, stops late": blind("set_cover_position", 48, 30, position=50),
    "blind, closed at 2": blind("close_cover", 2, 40),
    "blind, closed at 5": blind("close_cover", 5, 60),
    "blind, position 0 at 3": blind("set_cover_position", 3, 20, position=0),
    "blind, open at 97": blind("open_cover", 97, 60, SHUT),
    "blind, position 100 at 96": blind("set_cover_position", 96, 70, SHUT, position=100),
    "blind, steps of 10": blind("set_cover_position", 30, 20, position=34),
    "slats, steps of 5": tilt(48, 80, tilt_position=50),
    "slats, shut at 4": tilt(4, 30, "close_cover_tilt"),
    "slats, open at 96": tilt(96, 50, "open_cover_tilt"),
    # Valves: one that is nearly closed is open.
    "valve, half": tap(
        "set_valve_position", 52, 90, arguments={"position": 50}, said="90 percent open"
    ),
    "valve, not shut": tap("close_valve", 0, 3, said="3 percent open instead of 0 percent open"),
    # Dimmers.
    "dimmer, 255 steps": dim(50, 128, 60),
    "dimmer, 100 steps": dim(33, 82, 160),
    "dimmer, 100 steps up": dim(33, 86, 200),
    "dimmer, 10 steps": dim(33, 76, 128, REACHED),
    "dimmer, limited": Kind(
        entity=Light,
        start={"is_on": True, "brightness": 20},
        command="turn_on",
        arguments={"brightness_pct": 100},
        near={"brightness": 204},
        outcome=REACHED,
        far={"brightness": 100},
        said="39 percent brightness instead of 100 percent brightness",
        other={"color_temp_kelvin": 3100},
    ),
    # White and coloured light.
    "white, in mireds": Kind(
        entity=Light,
        start=WHITE,
        command="turn_on",
        arguments={"color_temp_kelvin": 4000},
        near={"color_temp_kelvin": 4016},
        far={"color_temp_kelvin": 5000},
        said="5000 kelvin instead of 4000 kelvin",
        other={"brightness": 100},
    ),
    "white, 100 steps": Kind(
        entity=Light,
        start=WHITE,
        command="turn_on",
        arguments={"color_temp_kelvin": 5000},
        near={"color_temp_kelvin": 4962},
        far={"color_temp_kelvin": 6500},
        said="6500 kelvin instead of 5000 kelvin",
        other={"brightness": 100},
    ),
    "colour, rounded": Kind(
        entity=Light,
        start=COLOR,
        command="turn_on",
        arguments={"rgb_color": [0, 255, 0]},
        near={"hs_color": (117.0, 96.0)},
        far={"hs_color": (240.0, 100.0)},
        said="a different color",
        other={"brightness": 100},
    ),
    "colour, red around 360": Kind(
        entity=Light,
        start=COLOR,
        command="turn_on",
        arguments={"rgb_color": [255, 4, 0]},
        near={"hs_color": (358.6, 98.8)},
        far={"hs_color": (60.0, 100.0)},
        said="a different color",
        other={"brightness": 100},
    ),
    "colour by name": Kind(
        entity=Light,
        start=COLOR,
        command="turn_on",
        arguments={"color_name": "blue"},
        near={"hs_color": (236.5, 95.3)},
        far={"hs_color": (0.0, 100.0)},
        said="a different color",
        other={"brightness": 100},
    ),
    # Fans.
    "fan, 3 speeds up": Kind(
        entity=Fan,
        start={**BREEZE, "percentage": 100},
        command="set_percentage",
        arguments={"percentage": 50},
        near={"percentage": 66},
        far={"percentage": 10},
        said="10 percent speed instead of 50 percent speed",
        other={"oscillating": True},
    ),
    "fan, 3 speeds down": Kind(
        entity=Fan,
        start={**BREEZE, "percentage": 100},
        command="set_percentage",
        arguments={"percentage": 50},
        near={"percentage": 33},
        far={"percentage": 5},
        said="5 percent speed instead of 50 percent speed",
        other={"oscillating": True},
    ),
    "fan, direction": choice(
        Fan,
        "set_direction",
        "reverse",
        "sideways",
        attribute="current_direction",
        start=BREEZE,
        arguments={"direction": "reverse"},
        other={"percentage": 66},
    ),
    "fan, night": choice(
        Fan,
        "set_preset_mode",
        "night",
        "auto",
        attribute="preset_mode",
        start=BREEZE,
        arguments={"preset_mode": "night"},
        other={"oscillating": True},
        said="auto instead of",
    ),
    # Loudspeakers.
    "amplifier, 40 steps": volume(0.49, 0.3),
    "amplifier, steps of 1 dB": volume(0.487, 0.35),
    "amplifier, limited": volume(0.35, 0.05, REACHED),
    "amplifier, source": choice(
        Player,
        "select_source",
        "TV",
        "Aux",
        attribute="source",
        start=SOUND,
        arguments={"source": "TV"},
        other={"volume_level": 0.3},
        said="source Aux instead of source TV",
    ),
    "amplifier, sound mode": choice(
        Player,
        "select_sound_mode",
        "Movie",
        "Stereo",
        attribute="sound_mode",
        start=SOUND,
        arguments={"sound_mode": "Movie"},
        other={"volume_level": 0.3},
        said="Stereo instead of",
    ),
    # Humidifiers.
    "humidifier, steps of 5": air(43, 45, 60, 5),
    "humidifier, steps of 10": air(43, 40, 70, 10),
    "humidifier, undeclared steps": air(43, 45, 60, None, REACHED),
    # Numbers, options and the rest.
    "number, steps of 5": Kind(
        entity=Number,
        start={"native_step": 5},
        command="set_value",
        arguments={"value": 52},
        near={"native_value": 50},
        far={"native_value": 200},
        said="200 instead of 52",
    ),
    "number, fine steps": Kind(
        entity=Number,
        start={"native_step": 0.1},
        command="set_value",
        arguments={"value": 52.34},
        near={"native_value": 52.3},
        far={"native_value": 52.5},
        said="52.5 instead of 52.34",
    ),
    "oven mode": choice(
        Select,
        "select_option",
        "Bake",
        "Grill",
        attribute="current_option",
        arguments={"option": "Bake"},
        said="Grill instead of Bake",
    ),
    "vacuum, suction": choice(
        Vacuum,
        "set_fan_speed",
        "Turbo",
        "Standard",
        attribute="fan_speed",
        arguments={"fan_speed": "Turbo"},
        said="level Standard instead of level Turbo",
    ),
    "display, shortened": Kind(
        entity=Text,
        command="set_value",
        arguments={"value": "Good morning everybody"},
        near={"native_value": "Good morning"},
        outcome=REACHED,
        far={"native_value": "Error"},
        said="Error instead of Good morning everybody",
    ),
    "lock, jammed": Kind(
        entity=Lock,
        start={"is_locked": False},
        command="lock",
        near={"is_locked": True},
        far={"is_jammed": True},
        said="jammed instead of locked",
    ),
}

METHODS = """
turn_on turn_off set_temperature set_humidity set_cover_position open_cover close_cover
set_cover_tilt_position open_cover_tilt close_cover_tilt set_valve_position handle_open_valve
handle_close_valve open_valve close_valve set_percentage set_direction set_preset_mode
set_volume_level select_source select_sound_mode set_native_value select_option set_fan_speed
set_value lock
"""


def reacting(kind: Kind) -> Any:
    """Return a device of this kind, which sets `reaction` at each command."""

    async def react(self: Any, *_arguments: Any, **_more: Any) -> None:
        if self.reaction and self.delay:
            self.hass.loop.call_later(self.delay, lambda: self.set(**self.reaction))
        elif self.reaction:
            self.set(**self.reaction)

    methods = {f"async_{name}": react for name in METHODS.split()}
    own = {name: react for name in methods if hasattr(kind.entity, name)}
    thing = type("Coarse", (kind.entity,), {**own, "reaction": {}, "delay": 0.0})("Gadget")
    thing.begin(**kind.start)
    return thing


@pytest.fixture
async def house(hass: HomeAssistant):
    house = EntityHome(hass)
    yield house
    house.close()


async def command(house: EntityHome, kind: Kind, reaction: dict[str, Any], delay=0.0) -> Outcome:
    thing = reacting(kind)
    await house.async_furnish(thing)
    thing.reaction, thing.delay = reaction, delay
    return await house.async_do("Gadget", kind.command, kind.arguments)


def test_there_are_many_kinds():
    assert len(KINDS) >= 40


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
async def test_a_device_that_follows_with_its_own_steps(house, kind):
    outcome = await command(house, kind, kind.near)
    assert outcome.kind is kind.outcome
    said = await house.async_say(outcome)
    assert "no effect" not in said
    assert ("not as asked" in said) == (kind.outcome is REACHED)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
async def test_a_device_that_goes_elsewhere(house, kind):
    outcome = await command(house, kind, kind.far)
    assert outcome.kind is REACHED
    said = await house.async_say(outcome)
    assert said.startswith("Gadget reacted, but not as asked: ")
    assert kind.said in said
    for language in ("de", "fr"):
        assert "{" not in await house.async_say(outcome, language=language)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
async def test_a_device_that_ignores_the_command(house, kind):
    outcome = await command(house, kind, {})
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert "no effect" in await house.async_say(outcome)


@pytest.mark.parametrize("kind", [each for each in KINDS.values() if each.other], ids=str)
async def test_a_device_that_changes_for_another_reason(house, kind):
    outcome = await command(house, kind, kind.other)
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED


@pytest.mark.parametrize(
    "name", ["blind, stops late", "thermostat, whole degrees up", "amplifier, 40 steps"]
)
async def test_a_slow_device_that_gets_near(house, name):
    house.waits.state_seconds = 30.0
    outcome = await command(house, KINDS[name], KINDS[name].near, delay=0.01)
    assert outcome.kind is VERIFIED


async def test_the_same_command_again_is_no_failure(house):
    kind = KINDS["blind, stops late"]
    await command(house, kind, kind.near)
    again = await house.async_do("Gadget", kind.command, kind.arguments)
    assert again.kind is OutcomeKind.ALREADY
    assert await house.async_say(again) == "Gadget was already at 48 percent open."


async def test_a_small_difference_does_not_excuse_a_device_that_ignores_the_command(house):
    kind = heat(21.0, 25.0, 21.2, step=0.1)
    thing = reacting(kind)
    thing.begin(target_temperature=21.0)
    await house.async_furnish(thing)
    outcome = await house.async_do("Gadget", kind.command, kind.arguments)
    assert outcome.kind is OutcomeKind.NOT_CONFIRMED
    assert await house.async_say(outcome) == (
        "I sent the command to Gadget, but saw no effect. Its state is: Heat, at 21 degrees."
    )
