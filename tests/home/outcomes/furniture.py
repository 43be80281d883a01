"""The entities of the recorded home: one or more of each domain, working and faulty."""

import datetime as dt
from typing import Any

from homeassistant.components.calendar import CalendarEntity, CalendarEvent
from homeassistant.components.calendar.const import CalendarEntityFeature
from homeassistant.components.cover import CoverDeviceClass, CoverEntityFeature
from homeassistant.components.date import DateEntity
from homeassistant.components.humidifier import HumidifierEntity
from homeassistant.components.humidifier.const import HumidifierEntityFeature
from homeassistant.components.lawn_mower import LawnMowerEntity
from homeassistant.components.lawn_mower.const import LawnMowerActivity, LawnMowerEntityFeature
from homeassistant.components.lock.const import LockEntityFeature
from homeassistant.components.notify import NotifyEntity
from homeassistant.components.remote import RemoteEntity
from homeassistant.components.text import TextEntity
from homeassistant.components.time import TimeEntity
from homeassistant.components.todo.const import TodoItemStatus, TodoListEntityFeature
from homeassistant.components.todo.entity import TodoItem, TodoListEntity
from homeassistant.components.vacuum import StateVacuumEntity
from homeassistant.components.vacuum.const import VacuumActivity, VacuumEntityFeature
from homeassistant.components.water_heater import WaterHeaterEntity
from homeassistant.components.water_heater.const import WaterHeaterEntityFeature
from homeassistant.components.weather import Forecast, WeatherEntity
from homeassistant.components.weather.const import WeatherEntityFeature
from homeassistant.const import UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component

from ..entity_kinds import (
    Alarm,
    BlindPlug,
    BrokenPlug,
    Button,
    CloudScene,
    Cover,
    DeadLight,
    Fan,
    FastCover,
    Firmware,
    Light,
    Lock,
    Number,
    Player,
    Plug,
    RestartButton,
    Select,
    Siren,
    TestEntity,
    Thermostat,
    Valve,
    VanishingLight,
)

AROUND: dict[str, Any] = {
    "input_boolean": {"guest_mode": {"name": "Guest Mode"}},
    "input_number": {"target": {"name": "Target", "min": 0, "max": 10, "step": 1, "initial": 4}},
    "input_select": {"mode": {"name": "Mode", "options": ["Day", "Night"], "initial": "Day"}},
    "input_text": {"note": {"name": "Note", "initial": "hello", "max": 20}},
    "input_button": {"bell": {"name": "Bell"}},
    "input_datetime": {"alarm_time": {"name": "Alarm Time", "has_time": True}},
    "counter": {"visits": {"name": "Visits", "initial": 3}},
    "timer": {"eggs": {"name": "Eggs", "duration": "00:05:00"}},
    "group": {"both_lamps": {"name": "Both Lamps", "entities": ["light.lamp", "light.desk"]}},
    "scene": [
        {"name": "Movie", "id": "movie", "entities": {"light.lamp": {"state": "off"}}},
        {"name": "Welcome", "id": "welcome", "entities": {"lock.front_door": "unlocked"}},
    ],
    "script": {
        "tidy": {
            "alias": "Tidy",
            "sequence": [{"action": "light.turn_off", "target": {"entity_id": "light.lamp"}}],
        },
        "let_in": {
            "alias": "Let In",
            "sequence": [{"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}],
        },
        "dim": {
            "alias": "Dim",
            "fields": {"level": {"name": "Level", "required": True, "selector": {"number": None}}},
            "sequence": [
                {
                    "action": "light.turn_on",
                    "target": {"entity_id": "light.lamp"},
                    "data": {"brightness_pct": "{{ level }}"},
                }
            ],
        },
    },
    "automation": [
        {
            "id": "dusk",
            "alias": "Dusk",
            "triggers": [{"trigger": "event", "event_type": "dusk"}],
            "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.lamp"}}],
        }
    ],
}
"""Configuration of helpers and other integrations that need no test entity."""


class Vacuum(TestEntity, StateVacuumEntity):
    domain = "vacuum"
    _attr_supported_features = (
        VacuumEntityFeature.STATE
        | VacuumEntityFeature.START
        | VacuumEntityFeature.STOP
        | VacuumEntityFeature.PAUSE
        | VacuumEntityFeature.RETURN_HOME
        | VacuumEntityFeature.FAN_SPEED
        | VacuumEntityFeature.LOCATE
    )
    _attr_fan_speed_list = ["quiet", "turbo"]  # noqa: RUF012
    _attr_fan_speed = "quiet"
    _attr_activity = VacuumActivity.DOCKED

    async def async_start(self) -> None:
        self.noted("start")
        self.set(activity=VacuumActivity.CLEANING)

    async def async_pause(self) -> None:
        self.noted("pause")
        self.set(activity=VacuumActivity.PAUSED)

    async def async_stop(self, **kwargs: Any) -> None:
        self.noted("stop")
        self.set(activity=VacuumActivity.IDLE)

    async def async_return_to_base(self, **kwargs: Any) -> None:
        self.noted("return_to_base")
        self.set(activity=VacuumActivity.RETURNING)

    async def async_set_fan_speed(self, fan_speed: str, **kwargs: Any) -> None:
        self.noted("fan_speed", fan_speed=fan_speed)
        self.set(fan_speed=fan_speed)

    async def async_locate(self, **kwargs: Any) -> None:
        self.noted("locate")


class Mower(TestEntity, LawnMowerEntity):
    domain = "lawn_mower"
    _attr_activity = LawnMowerActivity.DOCKED
    _attr_supported_features = (
        LawnMowerEntityFeature.START_MOWING
        | LawnMowerEntityFeature.PAUSE
        | LawnMowerEntityFeature.DOCK
    )

    async def async_start_mowing(self) -> None:
        self.noted("start_mowing")
        self.set(activity=LawnMowerActivity.MOWING)

    async def async_pause(self) -> None:
        self.noted("pause")
        self.set(activity=LawnMowerActivity.PAUSED)

    async def async_dock(self) -> None:
        self.noted("dock")
        self.set(activity=LawnMowerActivity.DOCKED)


class Humidifier(TestEntity, HumidifierEntity):
    domain = "humidifier"
    _attr_supported_features = HumidifierEntityFeature.MODES
    _attr_available_modes = ["auto", "sleep"]  # noqa: RUF012
    _attr_mode = "auto"
    _attr_is_on = False
    _attr_target_humidity = 50

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.noted("turn_on")
        self.set(is_on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.noted("turn_off")
        self.set(is_on=False)

    async def async_set_humidity(self, humidity: int) -> None:
        self.noted("set_humidity", humidity=humidity)
        self.set(target_humidity=humidity)

    async def async_set_mode(self, mode: str) -> None:
        self.noted("set_mode", mode=mode)
        self.set(mode=mode)


class Boiler(TestEntity, WaterHeaterEntity):
    domain = "water_heater"
    _attr_supported_features = (
        WaterHeaterEntityFeature.TARGET_TEMPERATURE | WaterHeaterEntityFeature.OPERATION_MODE
    )
    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_operation_list = ["off", "eco", "performance"]  # noqa: RUF012
    _attr_current_operation = "eco"
    _attr_target_temperature = 50.0
    _attr_min_temp = 40.0
    _attr_max_temp = 70.0

    async def async_set_temperature(self, **kwargs: Any) -> None:
        self.noted("set_temperature", **kwargs)
        self.set(target_temperature=kwargs["temperature"])

    async def async_set_operation_mode(self, operation_mode: str) -> None:
        self.noted("mode", mode=operation_mode)
        self.set(current_operation=operation_mode)


class Label(TestEntity, TextEntity):
    domain = "text"
    _attr_native_value = "hello"
    _attr_native_max = 20

    async def async_set_value(self, value: str) -> None:
        self.noted("set_value", value=value)
        self.set(native_value=value)


class Day(TestEntity, DateEntity):
    domain = "date"
    _attr_native_value = dt.date(2026, 11, 1)

    async def async_set_value(self, value: dt.date) -> None:
        self.noted("set_value", value=str(value))
        self.set(native_value=value)


class Moment(TestEntity, TimeEntity):
    domain = "time"
    _attr_native_value = dt.time(7, 30)

    async def async_set_value(self, value: dt.time) -> None:
        self.noted("set_value", value=str(value))
        self.set(native_value=value)


class Remote(TestEntity, RemoteEntity):
    domain = "remote"
    _attr_is_on = False

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.noted("turn_on")
        self.set(is_on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.noted("turn_off")
        self.set(is_on=False)

    async def async_send_command(self, command: Any, **kwargs: Any) -> None:
        self.noted("send_command", command=list(command))


class Messenger(TestEntity, NotifyEntity):
    domain = "notify"

    async def async_send_message(self, message: str, title: str | None = None) -> None:
        self.noted("send_message", message=message)


class Weather(TestEntity, WeatherEntity):
    domain = "weather"
    _attr_condition = "sunny"
    _attr_native_temperature = 12.0
    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_supported_features = WeatherEntityFeature.FORECAST_DAILY

    async def async_forecast_daily(self) -> list[Forecast]:
        return [Forecast(datetime="2026-11-24T00:00:00+00:00", condition="rainy")]


class Shopping(TestEntity, TodoListEntity):
    domain = "todo"
    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
    )
    _attr_todo_items = [  # noqa: RUF012
        TodoItem(summary="Milk", uid="milk", status=TodoItemStatus.NEEDS_ACTION)
    ]

    async def async_create_todo_item(self, item: TodoItem) -> None:
        self.noted("create", summary=item.summary)
        item.uid = str(item.summary)
        self.set(todo_items=[*self._items, item])

    async def async_update_todo_item(self, item: TodoItem) -> None:
        self.noted("update", summary=item.summary)
        self.set(todo_items=[item if one.uid == item.uid else one for one in self._items])

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        self.noted("delete", uids=uids)
        self.set(todo_items=[item for item in self._items if item.uid not in uids])

    @property
    def _items(self) -> list[TodoItem]:
        return self.todo_items or []


class Calendar(TestEntity, CalendarEntity):
    domain = "calendar"
    _attr_supported_features = CalendarEntityFeature.CREATE_EVENT
    _attr_events: list[CalendarEvent] = []  # noqa: RUF012

    @property
    def event(self) -> CalendarEvent | None:
        return None

    async def async_get_events(
        self, hass: HomeAssistant, start_date: dt.datetime, end_date: dt.datetime
    ) -> list[CalendarEvent]:
        return [
            each
            for each in self._attr_events
            if each.start_datetime_local < end_date and each.end_datetime_local > start_date
        ]

    async def async_create_event(self, **kwargs: Any) -> None:
        self.noted("create", summary=kwargs["summary"])
        event = CalendarEvent(
            start=kwargs["dtstart"], end=kwargs["dtend"], summary=kwargs["summary"]
        )
        self.set(events=[*self._attr_events, event])


class Gate(FastCover):
    _attr_device_class = CoverDeviceClass.GARAGE


class Tilting(FastCover):
    _attr_supported_features = (
        CoverEntityFeature.OPEN
        | CoverEntityFeature.CLOSE
        | CoverEntityFeature.SET_POSITION
        | CoverEntityFeature.OPEN_TILT
        | CoverEntityFeature.CLOSE_TILT
        | CoverEntityFeature.SET_TILT_POSITION
    )
    _attr_current_cover_tilt_position = 0

    async def async_open_cover_tilt(self, **kwargs: Any) -> None:
        await self.async_set_cover_tilt_position(tilt_position=100)

    async def async_close_cover_tilt(self, **kwargs: Any) -> None:
        await self.async_set_cover_tilt_position(tilt_position=0)

    async def async_set_cover_tilt_position(self, **kwargs: Any) -> None:
        self.noted("tilt", **kwargs)
        self.set(current_cover_tilt_position=kwargs["tilt_position"])


class CodedLock(Lock):
    _attr_code_format = r"^\d{4}$"
    _attr_supported_features = LockEntityFeature(0)

    async def async_unlock(self, **kwargs: Any) -> None:
        if kwargs.get("code") != "1234":
            raise HomeAssistantError("Wrong code.")
        await super().async_unlock()


class DeadLock(Lock):
    """Accepts every command and never moves."""

    async def async_lock(self, **kwargs: Any) -> None:
        self.noted("lock")

    async def async_unlock(self, **kwargs: Any) -> None:
        self.noted("unlock")


class SlowLock(Lock):
    """Starts to turn and never arrives."""

    async def async_unlock(self, **kwargs: Any) -> None:
        self.noted("unlock")
        self.set(is_unlocking=True)


def entities() -> tuple[TestEntity, ...]:
    """Return the entities as they are at the start."""
    oven = Plug("Oven")
    return (
        Light("Lamp"),
        Light("Desk"),
        Light("Ceiling", device="Panel"),
        Plug("Outlet", device="Panel"),
        Plug("Extra", device="Panel"),
        DeadLight("Dead Lamp"),
        VanishingLight("Ghost Lamp"),
        Plug("TV Plug"),
        BlindPlug("Blind Plug"),
        BrokenPlug("Broken Plug"),
        oven,
        Cover("Shade"),
        FastCover("Blind"),
        Tilting("Louvre"),
        Gate("Garage"),
        Valve("Water"),
        Lock("Front Door"),
        CodedLock("Safe"),
        DeadLock("Cellar"),
        SlowLock("Attic"),
        Alarm("Alarm"),
        Siren("Siren"),
        Thermostat("Heating"),
        Fan("Fan"),
        Player("Radio"),
        Player("Kitchen Radio"),
        Button("Chime"),
        RestartButton("Restart"),
        Select("Oven Program"),
        Number("Level"),
        Firmware("Firmware"),
        CloudScene("Cloud Scene"),
        Vacuum("Robot"),
        Mower("Mower"),
        Humidifier("Humidifier"),
        Boiler("Boiler"),
        Label("Label"),
        Day("Holiday"),
        Moment("Wake Up"),
        Remote("Remote"),
        Messenger("Messenger"),
        Weather("Weather"),
        Shopping("Shopping"),
        Calendar("Calendar"),
        Light("Hidden Lamp"),
    )


async def async_furnish_around(hass: HomeAssistant) -> None:
    """Set up helpers, scripts, scenes and automations."""
    for domain, config in AROUND.items():
        assert await async_setup_component(hass, domain, {domain: config})
    await hass.async_block_till_done()
