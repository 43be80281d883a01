"""The entities: what is asked of them, they are at once."""

from collections.abc import Awaitable, Callable
from typing import Any

from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.components.climate import ClimateEntity
from homeassistant.components.climate.const import ClimateEntityFeature, HVACMode
from homeassistant.components.cover import CoverEntity
from homeassistant.components.light import LightEntity
from homeassistant.components.light.const import ColorMode
from homeassistant.components.sensor import SensorEntity
from homeassistant.components.switch import SwitchEntity
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import slugify

from .layout import Thing, things

type Setup = Callable[[HomeAssistant, ConfigEntry, AddConfigEntryEntitiesCallback], Awaitable[None]]

DOMAIN = "sage_large_home"


class LargeHomeEntity(Entity):
    """An entity whose state lives in memory."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    def __init__(self, thing: Thing) -> None:
        self.entity_id = thing.entity_id
        self._attr_unique_id = thing.entity_id
        self._attr_name = thing.name
        self._attr_device_class = thing.kind
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, slugify(f"{thing.area} {thing.device}"))},
            name=thing.device,
            manufacturer="Acme",
            model=f"{thing.device} 2",
        )

    def become(self, **values: Any) -> None:
        """Take these properties and show them."""
        for name, value in values.items():
            setattr(self, f"_attr_{name}", value)
        self.async_write_ha_state()


class LargeHomeLight(LargeHomeEntity, LightEntity):
    """A light with brightness and colour temperature."""

    _attr_color_mode = ColorMode.COLOR_TEMP
    _attr_supported_color_modes = {ColorMode.COLOR_TEMP}  # noqa: RUF012
    _attr_is_on = False
    _attr_brightness = 128
    _attr_color_temp_kelvin = 3000

    async def async_turn_on(self, **kwargs: Any) -> None:
        known = ("brightness", "color_temp_kelvin")
        self.become(is_on=True, **{name: kwargs[name] for name in known if name in kwargs})

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(is_on=False)


class LargeHomeSwitch(LargeHomeEntity, SwitchEntity):
    """A plug."""

    _attr_is_on = False

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.become(is_on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.become(is_on=False)


class LargeHomeCover(LargeHomeEntity, CoverEntity):
    """A blind or curtain that needs no time to move."""

    _attr_is_closed = False
    _attr_current_cover_position = 100

    async def async_open_cover(self, **kwargs: Any) -> None:
        self.become(is_closed=False, current_cover_position=100)

    async def async_close_cover(self, **kwargs: Any) -> None:
        self.become(is_closed=True, current_cover_position=0)

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        position = kwargs["position"]
        self.become(is_closed=position == 0, current_cover_position=position)


class LargeHomeClimate(LargeHomeEntity, ClimateEntity):
    """A thermostat."""

    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_hvac_modes = [HVACMode.OFF, HVACMode.HEAT]  # noqa: RUF012
    _attr_hvac_mode = HVACMode.HEAT
    _attr_supported_features = ClimateEntityFeature.TARGET_TEMPERATURE
    _attr_target_temperature = 20.0

    def __init__(self, thing: Thing) -> None:
        super().__init__(thing)
        self._attr_current_temperature = thing.value

    async def async_set_temperature(self, **kwargs: Any) -> None:
        self.become(target_temperature=kwargs["temperature"])

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        self.become(hvac_mode=hvac_mode)


class LargeHomeSensor(LargeHomeEntity, SensorEntity):
    """A sensor that always measures the same."""

    def __init__(self, thing: Thing) -> None:
        super().__init__(thing)
        self._attr_native_value = thing.value
        self._attr_native_unit_of_measurement = thing.unit


class LargeHomeBinarySensor(LargeHomeEntity, BinarySensorEntity):
    """A sensor that never sees anybody."""

    _attr_is_on = False


def platform_of(domain: str, kind: type[LargeHomeEntity]) -> Setup:
    """Return the `async_setup_entry` of a platform: it adds all entities of the domain.

    `areas` in the data of the entry limits the home to these.
    """

    async def async_setup_entry(
        _hass: HomeAssistant, entry: ConfigEntry, add: AddConfigEntryEntitiesCallback
    ) -> None:
        rooms = entry.data.get("areas")
        add(
            kind(thing)
            for thing in things()
            if thing.domain == domain and (rooms is None or thing.area in rooms)
        )

    return async_setup_entry
