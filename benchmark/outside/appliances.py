"""Fans, thermostats, media players and robots."""

from collections.abc import Mapping
from math import ceil
from typing import Any, Final

from homeassistant.components.climate import ClimateEntity
from homeassistant.components.climate.const import ClimateEntityFeature, HVACMode
from homeassistant.components.fan import FanEntity
from homeassistant.components.fan.const import FanEntityFeature
from homeassistant.components.lawn_mower import LawnMowerEntity
from homeassistant.components.lawn_mower.const import LawnMowerActivity, LawnMowerEntityFeature
from homeassistant.components.media_player import MediaPlayerEntity
from homeassistant.components.media_player.browse_media import (
    BrowseMedia,
    SearchMedia,
    SearchMediaQuery,
)
from homeassistant.components.media_player.const import (
    MediaClass,
    MediaPlayerEntityFeature,
    MediaPlayerState,
    MediaType,
)
from homeassistant.components.vacuum import StateVacuumEntity
from homeassistant.components.vacuum.const import VacuumActivity, VacuumEntityFeature
from homeassistant.const import UnitOfTemperature

from .case import OutsideEntity
from .thing import OutsideSwitched, OutsideThing

TARGET: Final = 71.0
"""Target temperature of thermostats in °F; the sentences never ask for it."""

VOLUME: Final = 0.5


class OutsideFan(OutsideSwitched, FanEntity):
    """A fan that rounds its speed up to its next step."""

    _attr_is_on: bool | None = None

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features | FanEntityFeature.TURN_ON | FanEntityFeature.TURN_OFF)
        self._attr_supported_features = FanEntityFeature(self.features)
        self._attr_preset_modes = data.attributes.get("preset_modes")
        self._attr_speed_count = round(100 / data.attributes.get("percentage_step", 1.0))

    @property
    def is_on(self) -> bool | None:
        return self._attr_is_on

    def _start(self, state: str) -> Mapping[str, Any]:
        attributes = self.data.attributes
        speed = round(attributes.get("percentage_step", 25.0)) if state == "on" else 0
        return {
            **super()._start(state),
            "percentage": speed,
            "current_direction": attributes.get("direction"),
            "oscillating": attributes.get("oscillating"),
            "preset_mode": None,
        }

    def speed(self, percentage: int) -> int:
        """Return the speed in percent that a command for `percentage` results in."""
        step = 100 / self._attr_speed_count
        return int(ceil(percentage / step - 0.01) * step)

    async def async_turn_on(
        self, percentage: int | None = None, preset_mode: str | None = None, **kwargs: Any
    ) -> None:
        speed = self.speed(percentage or self.percentage or 50)
        self.become(is_on=True, percentage=speed, preset_mode=preset_mode)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(is_on=False, percentage=0, preset_mode=None)

    async def async_set_percentage(self, percentage: int) -> None:
        self.become(is_on=percentage > 0, percentage=self.speed(percentage), preset_mode=None)

    async def async_set_preset_mode(self, preset_mode: str) -> None:
        self.become(is_on=True, preset_mode=preset_mode)

    async def async_oscillate(self, oscillating: bool) -> None:
        self.become(oscillating=oscillating)

    async def async_set_direction(self, direction: str) -> None:
        self.become(current_direction=direction)


class OutsideClimate(OutsideThing, ClimateEntity):
    """A thermostat; `room_temperature` is what it measures, in °F."""

    _attr_temperature_unit = UnitOfTemperature.FAHRENHEIT
    room_temperature = 70.0

    def __init__(self, data: OutsideEntity, features: int) -> None:
        attributes = data.attributes
        super().__init__(data, features)
        can = ClimateEntityFeature.TARGET_TEMPERATURE
        can |= ClimateEntityFeature.TURN_ON | ClimateEntityFeature.TURN_OFF
        for name, feature in (
            ("preset_modes", ClimateEntityFeature.PRESET_MODE),
            ("fan_modes", ClimateEntityFeature.FAN_MODE),
        ):
            if name in attributes:
                can |= feature
                self._take({name: attributes[name]})
        self._attr_supported_features = can
        self._attr_hvac_modes = [HVACMode(each) for each in attributes["hvac_modes"]]
        for name in ("min_temp", "max_temp"):
            self._take({name: float(attributes[name])})
        self._attr_target_temperature_step = attributes["target_temp_step"]

    def _start(self, state: str) -> Mapping[str, Any]:
        attributes = self.data.attributes
        return {
            "hvac_mode": HVACMode(state),
            "target_temperature": min(max(TARGET, attributes["min_temp"]), attributes["max_temp"]),
            "current_temperature": self.room_temperature,
            "preset_mode": None,
            "fan_mode": attributes.get("fan_modes", [None])[0],
        }

    async def async_set_temperature(self, **kwargs: Any) -> None:
        names = {"hvac_mode": "hvac_mode", "temperature": "target_temperature"}
        self.become(**{names[name]: kwargs[name] for name in names if name in kwargs})

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        self.become(hvac_mode=hvac_mode)

    async def async_set_preset_mode(self, preset_mode: str) -> None:
        self.become(preset_mode=preset_mode)

    async def async_set_fan_mode(self, fan_mode: str) -> None:
        self.become(fan_mode=fan_mode)


class OutsidePlayer(OutsideThing, MediaPlayerEntity):
    """A media player; its track counts, so that a skipped one is seen."""

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features)
        self._attr_supported_features = MediaPlayerEntityFeature(self.features)
        self._attr_source_list = data.attributes.get("source_list")
        self._attr_sound_mode_list = data.attributes.get("sound_mode_list")

    def _start(self, state: str) -> Mapping[str, Any]:
        return {
            "state": MediaPlayerState(state),
            "volume_level": VOLUME,
            "is_volume_muted": False,
            "media_track": 5,
            "media_content_id": None,
            "media_content_type": MediaType.MUSIC,
            "source": None,
            "sound_mode": None,
        }

    async def async_turn_on(self) -> None:
        self.become(state=MediaPlayerState.ON)

    async def async_turn_off(self) -> None:
        self.become(state=MediaPlayerState.OFF)

    async def async_media_play(self) -> None:
        self.become(state=MediaPlayerState.PLAYING)

    async def async_media_pause(self) -> None:
        self.become(state=MediaPlayerState.PAUSED)

    async def async_media_stop(self) -> None:
        self.become(state=MediaPlayerState.IDLE)

    async def async_media_next_track(self) -> None:
        self.become(media_track=(self.media_track or 0) + 1)

    async def async_media_previous_track(self) -> None:
        self.become(media_track=(self.media_track or 0) - 1)

    async def async_set_volume_level(self, volume: float) -> None:
        self.become(volume_level=volume)

    async def async_mute_volume(self, mute: bool) -> None:
        self.become(is_volume_muted=mute)

    async def async_select_source(self, source: str) -> None:
        self.become(source=source)

    async def async_select_sound_mode(self, sound_mode: str) -> None:
        self.become(sound_mode=sound_mode)

    async def async_search_media(self, query: SearchMediaQuery) -> SearchMedia:
        found = BrowseMedia(
            title=query.search_query,
            media_class=MediaClass.MUSIC,
            media_content_id=query.search_query,
            media_content_type=MediaType.MUSIC,
            can_play=True,
            can_expand=False,
        )
        return SearchMedia(result=[found])

    async def async_play_media(
        self, media_type: MediaType | str, media_id: str, **kwargs: Any
    ) -> None:
        self.become(state=MediaPlayerState.PLAYING, media_content_id=media_id)


class OutsideVacuum(OutsideThing, StateVacuumEntity):
    """A robot vacuum that is home at once."""

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features)
        self._attr_supported_features = VacuumEntityFeature(self.features)
        self._attr_fan_speed_list = data.attributes.get("fan_speed_list", [])

    def _start(self, state: str) -> Mapping[str, Any]:
        return {"activity": VacuumActivity(state)}

    async def async_start(self) -> None:
        self.become(activity=VacuumActivity.CLEANING)

    async def async_pause(self) -> None:
        self.become(activity=VacuumActivity.PAUSED)

    async def async_stop(self, **kwargs: Any) -> None:
        self.become(activity=VacuumActivity.IDLE)

    async def async_return_to_base(self, **kwargs: Any) -> None:
        self.become(activity=VacuumActivity.DOCKED)


class OutsideMower(OutsideThing, LawnMowerEntity):
    """A robot mower that is home at once."""

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features)
        self._attr_supported_features = LawnMowerEntityFeature(self.features)

    def _start(self, state: str) -> Mapping[str, Any]:
        return {"activity": LawnMowerActivity(state)}

    async def async_start_mowing(self) -> None:
        self.become(activity=LawnMowerActivity.MOWING)

    async def async_pause(self) -> None:
        self.become(activity=LawnMowerActivity.PAUSED)

    async def async_dock(self) -> None:
        self.become(activity=LawnMowerActivity.DOCKED)
