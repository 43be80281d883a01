"""Sensors, lists, the weather, and a satellite for announcements."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from homeassistant.components.assist_satellite.const import AssistSatelliteEntityFeature
from homeassistant.components.assist_satellite.entity import (
    AssistSatelliteConfiguration,
    AssistSatelliteEntity,
)
from homeassistant.components.sensor import SensorEntity
from homeassistant.components.sensor.const import UNIT_CONVERTERS
from homeassistant.components.todo.const import TodoItemStatus, TodoListEntityFeature
from homeassistant.components.todo.entity import TodoItem, TodoListEntity
from homeassistant.components.weather import Forecast, WeatherEntity
from homeassistant.components.weather.const import WeatherEntityFeature
from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN, UnitOfTemperature
from homeassistant.util import dt as dt_util

from .case import OutsideEntity
from .thing import OutsideThing

ENTRIES: Final = ("Bread", "Apples", "Coffee", "Rice", "Soap", "Tea", "Onions")
"""What stands on the lists: their states are numbers of entries."""


class OutsideSensor(OutsideThing, SensorEntity):
    """A sensor that shows its value in the unit of the data."""

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features)
        attributes = data.attributes
        unit = attributes.get("unit_of_measurement")
        self._attr_state_class = attributes.get("state_class")
        self._attr_native_unit_of_measurement = unit
        if attributes.get("device_class") in UNIT_CONVERTERS:
            self._attr_suggested_unit_of_measurement = unit

    def _start(self, state: str) -> Mapping[str, Any]:
        if state in {STATE_UNAVAILABLE, STATE_UNKNOWN}:
            return {"native_value": None}
        value: str | float = state
        with suppress(ValueError):
            value = float(state) if "." in state else int(state)
        return {"native_value": value}


class OutsideList(OutsideThing, TodoListEntity):
    """A to-do list."""

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features)
        self._attr_supported_features = TodoListEntityFeature(self.features)

    def _start(self, state: str) -> Mapping[str, Any]:
        return {"todo_items": [_entry(each) for each in ENTRIES[: int(state)]]}

    def put(self, summary: str) -> None:
        """Write an entry in the place of the first one."""
        self.become(todo_items=[_entry(summary), *(self.todo_items or [])[1:]])

    async def async_create_todo_item(self, item: TodoItem) -> None:
        new = replace(item, uid=uuid4().hex)
        self.become(todo_items=[*(self.todo_items or []), new])

    async def async_update_todo_item(self, item: TodoItem) -> None:
        items = self.todo_items or []
        self.become(todo_items=[item if each.uid == item.uid else each for each in items])

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        self.become(todo_items=[each for each in self.todo_items or [] if each.uid not in uids])


def _entry(summary: str) -> TodoItem:
    return TodoItem(summary=summary, uid=summary.lower(), status=TodoItemStatus.NEEDS_ACTION)


class OutsideWeather(OutsideThing, WeatherEntity):
    """The weather; it stays as it is for three days."""

    _attr_native_temperature_unit = UnitOfTemperature.FAHRENHEIT

    def __init__(self, data: OutsideEntity, features: int) -> None:
        super().__init__(data, features)
        self._attr_supported_features = WeatherEntityFeature(self.features)

    def _start(self, state: str) -> Mapping[str, Any]:
        return {"condition": state, "native_temperature": 68.0}

    async def async_forecast_daily(self) -> list[Forecast]:
        return self._forecast(timedelta(days=1))

    async def async_forecast_hourly(self) -> list[Forecast]:
        return self._forecast(timedelta(hours=1))

    def _forecast(self, step: timedelta) -> list[Forecast]:
        return [
            Forecast(
                datetime=(dt_util.utcnow() + number * step).isoformat(),
                condition=self.condition,
                native_temperature=68.0,
            )
            for number in range(3)
        ]


class OutsideSatellite(OutsideThing, AssistSatelliteEntity):
    """A satellite that shows its last announcement.

    The data has none, but a tool that needs one.
    """

    _attr_supported_features = AssistSatelliteEntityFeature.ANNOUNCE

    def _start(self, state: str) -> Mapping[str, Any]:
        return {"extra_state_attributes": {"announced": None}}

    async def async_internal_announce(
        self, message: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        self.become(extra_state_attributes={"announced": message})

    def async_get_configuration(self) -> AssistSatelliteConfiguration:
        return AssistSatelliteConfiguration([], [], 0)

    async def async_set_configuration(self, config: AssistSatelliteConfiguration) -> None:
        """Refuse, since this satellite has no wake words to choose."""
        raise NotImplementedError

    def on_pipeline_event(self, event: Any) -> None:
        """Nobody speaks to it."""
