"""The kinds of things that stand in the demo home, each with what it can do."""

from typing import Any

from homeassistant.components.alarm_control_panel import (
    AlarmControlPanelEntityFeature,
    AlarmControlPanelState,
)
from homeassistant.components.climate import ClimateEntityFeature, HVACMode
from homeassistant.components.cover import CoverEntityFeature
from homeassistant.components.fan import FanEntityFeature
from homeassistant.components.humidifier import HumidifierEntityFeature
from homeassistant.components.light import ColorMode, LightEntityFeature
from homeassistant.components.media_player import MediaPlayerEntityFeature, MediaPlayerState
from homeassistant.components.siren import SirenEntityFeature
from homeassistant.components.todo import TodoListEntityFeature
from homeassistant.components.vacuum import VacuumActivity, VacuumEntityFeature
from homeassistant.components.valve import ValveEntityFeature
from homeassistant.components.water_heater import WaterHeaterEntityFeature

from .model import Appliance, Thing

ON_OFF = {"supported_color_modes": {ColorMode.ONOFF}}
DIMMABLE = {"supported_color_modes": {ColorMode.BRIGHTNESS}}
WHITES = {
    "supported_color_modes": {ColorMode.COLOR_TEMP},
    "min_color_temp_kelvin": 2200,
    "max_color_temp_kelvin": 6500,
}
COLOURS = WHITES | {
    "supported_color_modes": {ColorMode.COLOR_TEMP, ColorMode.HS},
    "supported_features": LightEntityFeature.EFFECT,
    "effect_list": ["off", "candle", "rainbow", "sunset"],
}
OPENS_AND_CLOSES = CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.STOP
TELEVISION = {
    "device_class": "tv",
    "source_list": ["Live TV", "HDMI 1", "HDMI 2", "Netflix", "YouTube"],
    "supported_features": MediaPlayerEntityFeature.TURN_ON
    | MediaPlayerEntityFeature.TURN_OFF
    | MediaPlayerEntityFeature.VOLUME_SET
    | MediaPlayerEntityFeature.VOLUME_MUTE
    | MediaPlayerEntityFeature.SELECT_SOURCE
    | MediaPlayerEntityFeature.PLAY_MEDIA,
}
SPEAKER = {
    "device_class": "speaker",
    "source_list": ["Radio", "Spotify", "Bluetooth"],
    "supported_features": MediaPlayerEntityFeature.TURN_ON
    | MediaPlayerEntityFeature.TURN_OFF
    | MediaPlayerEntityFeature.VOLUME_SET
    | MediaPlayerEntityFeature.VOLUME_MUTE
    | MediaPlayerEntityFeature.SELECT_SOURCE
    | MediaPlayerEntityFeature.PLAY
    | MediaPlayerEntityFeature.PAUSE
    | MediaPlayerEntityFeature.NEXT_TRACK
    | MediaPlayerEntityFeature.PREVIOUS_TRACK,
}


def light(
    entity_id: str,
    traits: dict[str, Any],
    *,
    on: bool = False,
    percent: int = 100,
    kelvin: int = 2700,
) -> Thing:
    """Return a light; its brightness is remembered while it is off."""
    start: dict[str, Any] = {"is_on": on, "color_mode": ColorMode.ONOFF}
    if traits is not ON_OFF:
        start |= {"brightness": round(percent * 2.55), "color_mode": ColorMode.BRIGHTNESS}
    if "min_color_temp_kelvin" in traits:
        start |= {"color_temp_kelvin": kelvin, "color_mode": ColorMode.COLOR_TEMP}
    if "effect_list" in traits:
        start |= {"effect": "off"}
    return Thing(entity_id=entity_id, traits=traits, start=start)


def switch(entity_id: str, *, on: bool = False, exposed: bool | None = None) -> Thing:
    """Return a switch."""
    kind = "switch" if entity_id.endswith(("sprinkler", "machine")) else "outlet"
    return Thing(
        entity_id=entity_id, traits={"device_class": kind}, start={"is_on": on}, exposed=exposed
    )


def sensor(
    entity_id: str, value: float, kind: str = "temperature", *, name: str | None = None
) -> Thing:
    """Return a temperature or humidity sensor."""
    unit = "%" if kind == "humidity" else "°C"
    return Thing(
        entity_id=entity_id,
        name=name,
        traits={
            "device_class": kind,
            "state_class": "measurement",
            "native_unit_of_measurement": unit,
        },
        start={"native_value": value},
    )


def phase(entity_id: str, *phases: str) -> Thing:
    """Return a sensor for what an appliance is doing; it starts with the first phase."""
    return Thing(
        entity_id=entity_id,
        name="Phase",
        traits={"device_class": "enum", "options": list(phases)},
        start={"native_value": phases[0]},
        exposed=True,
    )


def contact(entity_id: str, kind: str, *, on: bool = False, name: str | None = None) -> Thing:
    """Return a binary sensor."""
    return Thing(entity_id=entity_id, name=name, traits={"device_class": kind}, start={"is_on": on})


def appliance(area: str, name: str, maker: str, model: str, *things: Thing) -> Appliance:
    """Return a device with its entities."""
    return Appliance(name=name, area=area, manufacturer=maker, model=model, things=things)


def television(entity_id: str, channel: str, *, on: bool = False, volume: float = 0.2) -> Thing:
    """Return a television that is tuned to `channel`."""
    start = {
        "state": MediaPlayerState.ON if on else MediaPlayerState.OFF,
        "source": "Live TV",
        "volume_level": volume,
        "is_volume_muted": False,
        "media_channel": channel,
    }
    return Thing(entity_id=entity_id, traits=TELEVISION, start=start)


def speaker(entity_id: str) -> Thing:
    """Return a speaker, switched off."""
    start = {
        "state": MediaPlayerState.OFF,
        "source": "Radio",
        "volume_level": 0.3,
        "is_volume_muted": False,
    }
    return Thing(entity_id=entity_id, traits=SPEAKER, start=start)


def shade(entity_id: str, kind: str, *, position: int, seconds: float) -> Thing:
    """Return a blind or curtain that knows its position (100 is open)."""
    traits = {
        "device_class": kind,
        "supported_features": OPENS_AND_CLOSES | CoverEntityFeature.SET_POSITION,
    }
    start = {"current_cover_position": position}
    return Thing(entity_id=entity_id, traits=traits, start=start, seconds=seconds)


def garage_door(entity_id: str, *, seconds: float) -> Thing:
    """Return a closed garage door, which knows no position in between."""
    return Thing(
        entity_id=entity_id,
        traits={"device_class": "garage", "supported_features": OPENS_AND_CLOSES},
        start={"current_cover_position": 0},
        exposed=True,
        seconds=seconds,
    )


def valve(entity_id: str, *, seconds: float) -> Thing:
    """Return an open water valve."""
    traits = {
        "device_class": "water",
        "reports_position": False,
        "supported_features": ValveEntityFeature.OPEN | ValveEntityFeature.CLOSE,
    }
    start = {"is_closed": False, "is_opening": False, "is_closing": False}
    return Thing(entity_id=entity_id, traits=traits, start=start, exposed=True, seconds=seconds)


def thermostat(entity_id: str, *, current: float, target: float) -> Thing:
    """Return a heating thermostat."""
    traits = {
        "supported_features": ClimateEntityFeature.TARGET_TEMPERATURE
        | ClimateEntityFeature.PRESET_MODE
        | ClimateEntityFeature.TURN_ON
        | ClimateEntityFeature.TURN_OFF,
        "temperature_unit": "°C",
        "hvac_modes": [HVACMode.OFF, HVACMode.HEAT, HVACMode.AUTO],
        "preset_modes": ["comfort", "eco", "away"],
        "min_temp": 7,
        "max_temp": 30,
        "target_temperature_step": 0.5,
    }
    start = {
        "hvac_mode": HVACMode.HEAT,
        "current_temperature": current,
        "target_temperature": target,
        "preset_mode": "comfort",
    }
    return Thing(entity_id=entity_id, traits=traits, start=start)


def fan(entity_id: str) -> Thing:
    """Return a fan with four speeds, switched off."""
    traits = {
        "supported_features": FanEntityFeature.SET_SPEED
        | FanEntityFeature.OSCILLATE
        | FanEntityFeature.TURN_ON
        | FanEntityFeature.TURN_OFF,
        "speed_count": 4,
    }
    return Thing(entity_id=entity_id, traits=traits, start={"percentage": 0, "oscillating": False})


def humidifier(entity_id: str, *, current: int, target: int) -> Thing:
    """Return a humidifier, switched off."""
    traits = {
        "supported_features": HumidifierEntityFeature.MODES,
        "available_modes": ["auto", "sleep", "boost"],
        "min_humidity": 30,
        "max_humidity": 80,
    }
    start = {
        "is_on": False,
        "target_humidity": target,
        "current_humidity": current,
        "mode": "auto",
    }
    return Thing(entity_id=entity_id, traits=traits, start=start)


def boiler(entity_id: str, *, current: float, target: float) -> Thing:
    """Return a water heater."""
    traits = {
        "supported_features": WaterHeaterEntityFeature.TARGET_TEMPERATURE
        | WaterHeaterEntityFeature.OPERATION_MODE
        | WaterHeaterEntityFeature.ON_OFF,
        "temperature_unit": "°C",
        "operation_list": ["off", "eco", "performance"],
        "min_temp": 35,
        "max_temp": 65,
    }
    start = {
        "current_operation": "eco",
        "current_temperature": current,
        "target_temperature": target,
    }
    return Thing(entity_id=entity_id, traits=traits, start=start)


def lock(entity_id: str, *, exposed: bool) -> Thing:
    """Return a lock, locked."""
    return Thing(entity_id=entity_id, start={"is_locked": True}, exposed=exposed)


def alarm(entity_id: str) -> Thing:
    """Return a burglar alarm, disarmed, that wants no code."""
    traits = {
        "supported_features": AlarmControlPanelEntityFeature.ARM_HOME
        | AlarmControlPanelEntityFeature.ARM_AWAY
        | AlarmControlPanelEntityFeature.ARM_NIGHT,
        "code_arm_required": False,
    }
    start = {"alarm_state": AlarmControlPanelState.DISARMED}
    return Thing(entity_id=entity_id, traits=traits, start=start, exposed=True)


def siren(entity_id: str) -> Thing:
    """Return a siren, silent."""
    features = SirenEntityFeature.TURN_ON | SirenEntityFeature.TURN_OFF
    return Thing(
        entity_id=entity_id,
        name="Siren",
        traits={"supported_features": features | SirenEntityFeature.VOLUME_SET},
        start={"is_on": False},
        exposed=True,
    )


def vacuum(entity_id: str, *, seconds: float) -> Thing:
    """Return a robot vacuum in its dock; `seconds` is its way back."""
    traits = {
        "supported_features": VacuumEntityFeature.STATE
        | VacuumEntityFeature.START
        | VacuumEntityFeature.STOP
        | VacuumEntityFeature.PAUSE
        | VacuumEntityFeature.RETURN_HOME
        | VacuumEntityFeature.FAN_SPEED
        | VacuumEntityFeature.LOCATE,
        "fan_speed_list": ["quiet", "standard", "turbo"],
    }
    start = {"activity": VacuumActivity.DOCKED, "fan_speed": "standard"}
    return Thing(entity_id=entity_id, traits=traits, start=start, seconds=seconds)


def program(entity_id: str, *programs: str) -> Thing:
    """Return the choice of an appliance's program."""
    return Thing(
        entity_id=entity_id,
        name="Program",
        traits={"options": list(programs)},
        start={"current_option": programs[0]},
        exposed=True,
    )


def target(entity_id: str, value: float, *, low: float, high: float) -> Thing:
    """Return a temperature that can be set as a number."""
    traits = {
        "device_class": "temperature",
        "native_unit_of_measurement": "°C",
        "native_min_value": low,
        "native_max_value": high,
        "native_step": 0.5,
    }
    return Thing(
        entity_id=entity_id,
        name="Target temperature",
        traits=traits,
        start={"native_value": value},
        exposed=True,
    )


def todo(entity_id: str, *entries: str) -> Thing:
    """Return a to-do list."""
    features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
    )
    return Thing(
        entity_id=entity_id,
        traits={"supported_features": features},
        start={"entries": entries},
    )


def button(entity_id: str) -> Thing:
    """Return a button."""
    return Thing(entity_id=entity_id, exposed=True)
