"""The demo home is a real home: rooms, devices, exposure, and things that move."""

from typing import Any

import pytest
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import floor_registry as fr

from tests.demo_home import async_furnish


@pytest.fixture(autouse=True)
async def _home(hass: HomeAssistant) -> None:
    await async_furnish(hass)


def state_of(hass: HomeAssistant, entity_id: str) -> State:
    state = hass.states.get(entity_id)
    assert state, entity_id
    return state


def area_of(hass: HomeAssistant, entity_id: str) -> str:
    row = er.async_get(hass).async_get(entity_id)
    assert row
    assert row.device_id
    device = dr.async_get(hass).async_get(row.device_id)
    assert device
    assert device.area_id
    area = ar.async_get(hass).async_get_area(device.area_id)
    assert area
    return area.name


async def test_every_thing_stands_in_a_room_on_a_floor(hass: HomeAssistant) -> None:
    things = [
        row for row in er.async_get(hass).entities.values() if row.platform == "sage_demo_home"
    ]
    assert len(things) > 45
    for row in things:
        assert state_of(hass, row.entity_id)
        assert area_of(hass, row.entity_id)
    assert area_of(hass, "light.kitchen_light") == "Kitchen"
    areas = ar.async_get(hass).areas.values()
    assert {area.name for area in areas} >= {"Garden", "Office", "Living Room"}
    floors = fr.async_get(hass).floors
    assert all(area.floor_id in floors for area in areas)


async def test_no_state_is_unknown(hass: HomeAssistant) -> None:
    unknown = {state.entity_id for state in hass.states.async_all() if state.state == "unknown"}
    # What has not been pressed or activated yet has no time of it.
    assert unknown == {"button.doorbell_chime", "scene.movie_night"}


@pytest.mark.parametrize(
    ("entity_id", "exposed"),
    [
        ("light.kitchen_light", True),
        ("lock.front_door", True),
        ("cover.garage_door", True),
        ("script.let_guests_in", True),
        ("scene.movie_night", True),
        ("select.dishwasher_program", True),
        ("sensor.washing_machine_phase", True),
        ("binary_sensor.fridge_door", True),
        ("lock.office_safe", False),
        ("switch.router", False),
    ],
)
async def test_exposure(hass: HomeAssistant, entity_id: str, exposed: bool) -> None:
    assert async_should_expose(hass, "conversation", entity_id) is exposed


async def act(hass: HomeAssistant, action: str, entity_id: str, **data) -> str:
    domain, _, name = action.partition(".")
    await hass.services.async_call(domain, name, {"entity_id": entity_id} | data, blocking=True)
    return state_of(hass, entity_id).state


@pytest.mark.parametrize(
    ("action", "entity_id", "data", "state", "attributes"),
    [
        ("light.turn_on", "light.kitchen_light", {}, "on", {"brightness": 255}),
        ("light.turn_on", "light.bedroom_light", {"brightness_pct": 30}, "on", {"brightness": 76}),
        (
            "light.turn_on",
            "light.floor_lamp",
            {"rgb_color": [255, 0, 0]},
            "on",
            {"hs_color": (0.0, 100.0), "color_mode": "hs"},
        ),
        ("light.turn_on", "light.floor_lamp", {"effect": "candle"}, "on", {"effect": "candle"}),
        ("switch.turn_on", "switch.coffee_maker", {}, "on", {}),
        ("fan.set_percentage", "fan.bedroom_fan", {"percentage": 75}, "on", {"percentage": 75}),
        ("fan.turn_on", "fan.bedroom_fan", {}, "on", {"percentage": 50}),
        (
            "climate.set_temperature",
            "climate.living_room_thermostat",
            {"temperature": 22.5},
            "heat",
            {"temperature": 22.5, "hvac_action": "heating"},
        ),
        ("climate.turn_off", "climate.living_room_thermostat", {}, "off", {"hvac_action": "off"}),
        ("media_player.turn_on", "media_player.bedroom_tv", {}, "on", {"source": "Live TV"}),
        (
            "media_player.play_media",
            "media_player.living_room_tv",
            {"media_content_type": "channel", "media_content_id": "9"},
            "playing",
            {"media_title": "Channel 9"},
        ),
        (
            "media_player.volume_set",
            "media_player.living_room_tv",
            {"volume_level": 0.5},
            "on",
            {"volume_level": 0.5},
        ),
        ("vacuum.start", "vacuum.robot_vacuum", {}, "cleaning", {}),
        ("humidifier.turn_on", "humidifier.bedroom_humidifier", {}, "on", {"humidity": 50}),
        (
            "water_heater.set_temperature",
            "water_heater.boiler",
            {"temperature": 55},
            "eco",
            {"temperature": 55},
        ),
        (
            "alarm_control_panel.alarm_arm_away",
            "alarm_control_panel.home_alarm",
            {},
            "armed_away",
            {},
        ),
        ("select.select_option", "select.dishwasher_program", {"option": "quick"}, "quick", {}),
        ("number.set_value", "number.fridge_target_temperature", {"value": 5}, "5.0", {}),
        ("siren.turn_on", "siren.hallway_siren", {}, "on", {}),
        ("todo.add_item", "todo.shopping_list", {"item": "Bread"}, "3", {}),
        ("todo.remove_item", "todo.shopping_list", {"item": "Milk"}, "1", {}),
    ],
)
async def test_a_command_changes_the_state_at_once(
    hass: HomeAssistant,
    action: str,
    entity_id: str,
    data: dict[str, Any],
    state: str,
    attributes: dict[str, Any],
) -> None:
    assert await act(hass, action, entity_id, **data) == state
    now = state_of(hass, entity_id)
    assert {name: now.attributes[name] for name in attributes} == attributes


async def test_the_world_can_be_played(hass: HomeAssistant) -> None:
    door = "binary_sensor.fridge_door"
    assert await act(hass, "sage_demo_home.inject", door, values={"is_on": True}) == "on"


async def test_the_home_can_be_cleared(hass: HomeAssistant) -> None:
    (entry,) = hass.config_entries.async_entries("sage_demo_home")
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert state_of(hass, "light.kitchen_light").state == "unavailable"
