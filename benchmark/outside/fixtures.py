"""Lights, switches, contacts, covers, valves and locks."""

from collections.abc import Mapping
from typing import Any, Final

from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.components.cover import CoverEntity
from homeassistant.components.cover.const import CoverEntityFeature
from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import ColorMode, LightEntityFeature
from homeassistant.components.lock import LockEntity
from homeassistant.components.lock.const import LockEntityFeature
from homeassistant.components.switch import SwitchEntity
from homeassistant.components.valve.const import ValveEntityFeature
from homeassistant.components.valve.entity import ValveEntity

from .case import OutsideEntity
from .thing import OutsideSwitched, OutsideThing

BRIGHTNESS: Final = 128


class OutsideSwitch(OutsideSwitched, SwitchEntity):
    """A switch."""


class OutsideBinarySensor(OutsideSwitched, BinarySensorEntity):
    """A binary sensor."""


class OutsideLight(OutsideSwitched, LightEntity):
    """A light with the color modes of the data."""

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features)
        modes = {ColorMode(each) for each in data.attributes["supported_color_modes"]}
        self._attr_supported_features = LightEntityFeature(self.features)
        self._attr_supported_color_modes = modes
        for name in ("min_color_temp_kelvin", "max_color_temp_kelvin"):
            if (kelvin := data.attributes.get(name)) is not None:
                setattr(self, f"_attr_{name}", kelvin)

    def _start(self, state: str) -> Mapping[str, Any]:
        modes = self.data.attributes["supported_color_modes"]
        return {
            **super()._start(state),
            "color_mode": ColorMode(self.data.attributes.get("color_mode") or modes[0]),
            "brightness": None if modes == [ColorMode.ONOFF] else BRIGHTNESS,
            "color_temp_kelvin": 4000,
            "hs_color": (30.0, 40.0),
            "rgbw_color": (255, 200, 150, 0),
        }

    async def async_turn_on(self, **kwargs: Any) -> None:
        values: dict[str, Any] = {"is_on": True}
        values |= {name: kwargs[name] for name in ("brightness",) if name in kwargs}
        modes = {"color_temp_kelvin": "color_temp", "hs_color": "hs", "rgbw_color": "rgbw"}
        for name, mode in modes.items():
            if name in kwargs:
                values |= {name: kwargs[name], "color_mode": ColorMode(mode)}
        self.become(**values)


class OutsideCover(OutsideThing, CoverEntity):
    """A cover; it reports its position if it can be set."""

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features)
        self._attr_supported_features = CoverEntityFeature(self.features)

    def _start(self, state: str) -> Mapping[str, Any]:
        return {"is_closed": state == "closed", **self._at(0 if state == "closed" else 100)}

    def _at(self, position: int) -> Mapping[str, Any]:
        has_position = CoverEntityFeature.SET_POSITION in CoverEntityFeature(self.features)
        return {"current_cover_position": position} if has_position else {}

    async def async_open_cover(self, **kwargs: Any) -> None:
        self.become(is_closed=False, **self._at(100))

    async def async_close_cover(self, **kwargs: Any) -> None:
        self.become(is_closed=True, **self._at(0))

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        self.become(is_closed=kwargs["position"] == 0, **self._at(kwargs["position"]))

    async def async_stop_cover(self, **kwargs: Any) -> None:
        self.async_write_ha_state()


class OutsideValve(OutsideThing, ValveEntity):
    """A valve without a position."""

    _attr_reports_position = False

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features)
        self._attr_supported_features = ValveEntityFeature(self.features)

    def _start(self, state: str) -> Mapping[str, Any]:
        return {"is_closed": state == "closed"}

    async def async_open_valve(self) -> None:
        self.become(is_closed=False)

    async def async_close_valve(self) -> None:
        self.become(is_closed=True)


class OutsideLock(OutsideThing, LockEntity):
    """A lock."""

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features)
        self._attr_supported_features = LockEntityFeature(self.features)

    def _start(self, state: str) -> Mapping[str, Any]:
        return {"is_locked": state == "locked", "is_jammed": state == "jammed", "is_open": False}

    async def async_lock(self, **kwargs: Any) -> None:
        self.become(**self._start("locked"))

    async def async_unlock(self, **kwargs: Any) -> None:
        self.become(**self._start("unlocked"))

    async def async_open(self, **kwargs: Any) -> None:
        self.become(**self._start("unlocked"))
