"""Entities of all kinds for tests, working and faulty, set up through their real platforms."""

import asyncio
from typing import Any

from homeassistant.components.alarm_control_panel import AlarmControlPanelEntity
from homeassistant.components.alarm_control_panel.const import (
    AlarmControlPanelEntityFeature,
    AlarmControlPanelState,
)
from homeassistant.components.button import ButtonEntity
from homeassistant.components.climate import ClimateEntity
from homeassistant.components.climate.const import ClimateEntityFeature, HVACMode
from homeassistant.components.cover import CoverEntity, CoverEntityFeature
from homeassistant.components.fan import FanEntity
from homeassistant.components.fan.const import FanEntityFeature
from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import ColorMode
from homeassistant.components.lock import LockEntity
from homeassistant.components.lock.const import LockEntityFeature
from homeassistant.components.media_player import MediaPlayerEntity
from homeassistant.components.media_player.const import MediaPlayerEntityFeature, MediaPlayerState
from homeassistant.components.number import NumberEntity
from homeassistant.components.scene import Scene
from homeassistant.components.siren import SirenEntity
from homeassistant.components.siren.const import SirenEntityFeature
from homeassistant.components.switch import SwitchEntity
from homeassistant.components.update import UpdateEntity, UpdateEntityFeature
from homeassistant.components.valve.const import ValveEntityFeature
from homeassistant.components.valve.entity import ValveEntity
from homeassistant.const import UnitOfTemperature
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity

CONVERSATION = "01JCONVERSATION"


class TestEntity(Entity):
    """An entity with a device of the same name."""

    __test__ = False
    _attr_should_poll = False

    def __init__(self, name: str, *, model: str = "Thing", device: str | None = None) -> None:
        self._attr_unique_id = name
        self._attr_name = name
        self.entity_id = f"{self.domain}.{name.lower().replace(' ', '_')}"
        self._attr_device_info = DeviceInfo(
            identifiers={("test", device or name)}, name=device or name, model=model
        )
        self.calls: list[tuple[str, dict[str, Any]]] = []

    domain = "sensor"

    def noted(self, call: str, **arguments: Any) -> None:
        self.calls.append((call, arguments))

    def begin(self, **values: Any) -> None:
        """Set the initial values."""
        for name, value in values.items():
            setattr(self, f"_attr_{name}", value)

    def set(self, **values: Any) -> None:
        self.begin(**values)
        self.async_write_ha_state()


class Light(TestEntity, LightEntity):
    domain = "light"
    _attr_supported_color_modes = {ColorMode.COLOR_TEMP}  # noqa: RUF012
    _attr_color_mode = ColorMode.COLOR_TEMP
    _attr_is_on = False
    _attr_brightness = 200
    _attr_color_temp_kelvin = 3000

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.noted("turn_on", **kwargs)
        self.set(is_on=True, **kwargs)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.noted("turn_off", **kwargs)
        self.set(is_on=False)


class DeadLight(Light):
    """Accepts every command and never changes."""

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.noted("turn_on", **kwargs)

    async_turn_off = async_turn_on


class Plug(TestEntity, SwitchEntity):
    domain = "switch"
    _attr_is_on = False

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.noted("turn_on")
        self.set(is_on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.noted("turn_off")
        self.set(is_on=False)


class BlindPlug(Plug):
    """Has an assumed state."""

    _attr_assumed_state = True


class BrokenPlug(Plug):
    error: Exception = HomeAssistantError("The fuse is blown.")

    async def async_turn_on(self, **kwargs: Any) -> None:
        raise self.error


class Cover(TestEntity, CoverEntity):
    """Moves until `arrive` is called."""

    domain = "cover"
    _attr_supported_features = (
        CoverEntityFeature.OPEN
        | CoverEntityFeature.CLOSE
        | CoverEntityFeature.STOP
        | CoverEntityFeature.SET_POSITION
    )
    _attr_is_closed = True
    _attr_current_cover_position = 0
    _target = 0

    async def async_open_cover(self, **kwargs: Any) -> None:
        await self.async_set_cover_position(position=100)

    async def async_close_cover(self, **kwargs: Any) -> None:
        await self.async_set_cover_position(position=0)

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        self.noted("set_cover_position", **kwargs)
        self._target = kwargs["position"]
        up = self._target > (self._attr_current_cover_position or 0)
        self.set(is_opening=up, is_closing=not up)

    async def async_stop_cover(self, **kwargs: Any) -> None:
        self.noted("stop_cover")
        self.set(is_opening=False, is_closing=False)

    def arrive(self) -> None:
        self.set(
            is_opening=False,
            is_closing=False,
            current_cover_position=self._target,
            is_closed=self._target == 0,
        )


class FastCover(Cover):
    async def async_set_cover_position(self, **kwargs: Any) -> None:
        await super().async_set_cover_position(**kwargs)
        self.arrive()


class Valve(TestEntity, ValveEntity):
    domain = "valve"
    _attr_supported_features = ValveEntityFeature.OPEN | ValveEntityFeature.CLOSE
    _attr_reports_position = False
    _attr_is_closed = True

    async def async_open_valve(self) -> None:
        self.noted("open_valve")
        self.set(is_closed=False)

    async def async_close_valve(self) -> None:
        self.noted("close_valve")
        self.set(is_closed=True)


class Lock(TestEntity, LockEntity):
    domain = "lock"
    _attr_is_locked = True
    _attr_supported_features = LockEntityFeature.OPEN

    async def async_lock(self, **kwargs: Any) -> None:
        self.noted("lock")
        self.set(is_locked=True, is_open=False)

    async def async_unlock(self, **kwargs: Any) -> None:
        self.noted("unlock")
        self.set(is_locked=False)

    async def async_open(self, **kwargs: Any) -> None:
        self.noted("open")
        self.set(is_locked=False, is_open=True)


class Alarm(TestEntity, AlarmControlPanelEntity):
    domain = "alarm_control_panel"
    _attr_code_arm_required = False
    _attr_supported_features = (
        AlarmControlPanelEntityFeature.ARM_AWAY | AlarmControlPanelEntityFeature.ARM_HOME
    )
    _attr_alarm_state = AlarmControlPanelState.ARMED_AWAY

    async def async_alarm_disarm(self, code: str | None = None) -> None:
        self.noted("disarm")
        self.set(alarm_state=AlarmControlPanelState.DISARMED)

    async def async_alarm_arm_home(self, code: str | None = None) -> None:
        self.noted("arm_home")
        self.set(alarm_state=AlarmControlPanelState.ARMED_HOME)

    async def async_alarm_arm_away(self, code: str | None = None) -> None:
        self.noted("arm_away")
        self.set(alarm_state=AlarmControlPanelState.ARMING)


class Siren(TestEntity, SirenEntity):
    domain = "siren"
    _attr_supported_features = SirenEntityFeature.TURN_ON | SirenEntityFeature.TURN_OFF
    _attr_is_on = True

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.noted("turn_off")
        self.set(is_on=False)

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.noted("turn_on")
        self.set(is_on=True)


class Thermostat(TestEntity, ClimateEntity):
    domain = "climate"
    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_hvac_modes = [HVACMode.OFF, HVACMode.HEAT]  # noqa: RUF012
    _attr_hvac_mode = HVACMode.HEAT
    _attr_target_temperature = 20.0
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE
        | ClimateEntityFeature.TURN_ON
        | ClimateEntityFeature.TURN_OFF
    )

    async def async_set_temperature(self, **kwargs: Any) -> None:
        self.noted("set_temperature", **kwargs)
        self.set(target_temperature=kwargs["temperature"])

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        self.noted("set_hvac_mode", hvac_mode=hvac_mode)
        self.set(hvac_mode=hvac_mode)


class Fan(TestEntity, FanEntity):
    domain = "fan"
    _attr_supported_features = (
        FanEntityFeature.SET_SPEED | FanEntityFeature.TURN_ON | FanEntityFeature.TURN_OFF
    )
    _attr_percentage = 33
    _attr_speed_count = 3

    async def async_set_percentage(self, percentage: int) -> None:
        self.noted("set_percentage", percentage=percentage)
        self.set(percentage=next(each for each in (0, 33, 66, 100) if each >= percentage))

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.set(percentage=0)


class Player(TestEntity, MediaPlayerEntity):
    domain = "media_player"
    _attr_state = MediaPlayerState.PLAYING
    _attr_volume_level = 0.5
    _attr_source_list = ["Radio", "TV"]  # noqa: RUF012
    _attr_source = "Radio"
    _attr_supported_features = (
        MediaPlayerEntityFeature.VOLUME_SET
        | MediaPlayerEntityFeature.VOLUME_STEP
        | MediaPlayerEntityFeature.PAUSE
        | MediaPlayerEntityFeature.PLAY
        | MediaPlayerEntityFeature.PLAY_MEDIA
        | MediaPlayerEntityFeature.SELECT_SOURCE
        | MediaPlayerEntityFeature.GROUPING
        | MediaPlayerEntityFeature.BROWSE_MEDIA
    )

    async def async_set_volume_level(self, volume: float) -> None:
        self.noted("volume", volume=volume)
        self.set(volume_level=volume)

    async def async_media_pause(self) -> None:
        self.noted("pause")
        self.set(state=MediaPlayerState.PAUSED)

    async def async_media_play(self) -> None:
        self.set(state=MediaPlayerState.PLAYING)

    async def async_play_media(self, media_type: str, media_id: str, **kwargs: Any) -> None:
        self.noted("play_media", media_id=media_id)

    async def async_select_source(self, source: str) -> None:
        self.noted("source", source=source)
        self.set(source=source)

    async def async_join_players(self, group_members: list[str]) -> None:
        self.noted("join", group_members=group_members)


class Button(TestEntity, ButtonEntity):
    domain = "button"

    async def async_press(self) -> None:
        self.noted("press")


class Number(TestEntity, NumberEntity):
    domain = "number"
    _attr_native_min_value = 0
    _attr_native_max_value = 250
    _attr_native_value = 0

    async def async_set_native_value(self, value: float) -> None:
        self.noted("set_value", value=value)
        self.set(native_value=value)


class Firmware(TestEntity, UpdateEntity):
    """Installs until `done` is set."""

    domain = "update"
    _attr_supported_features = UpdateEntityFeature.INSTALL | UpdateEntityFeature.PROGRESS
    _attr_installed_version = "1"
    _attr_latest_version = "2"
    _attr_in_progress = False

    async def async_install(self, version: str | None, backup: bool, **kwargs: Any) -> None:
        self.noted("install")
        self.set(in_progress=True)
        self.done = asyncio.Event()
        await self.done.wait()
        self.set(installed_version="2")


class CloudScene(TestEntity, Scene):
    """A scene of another integration, whose contents are only in its cloud."""

    domain = "scene"

    async def async_activate(self, **kwargs: Any) -> None:
        self.noted("activate")
