"""The expected effect of a command, without knowledge of the device."""

import pytest
from homeassistant.core import State

from custom_components.sage.home.commands.expectation import reported_values
from custom_components.sage.home.entities.expected_effect import (
    expectation_of,
    expectation_of_state,
)


def state(entity_id: str, value: str = "on", **attributes) -> State:
    return State(entity_id, value, attributes)


def met(action: str, before: State, now: State | None, **arguments) -> bool:
    domain, service = action.split(".")
    return expectation_of(domain, service, arguments, before).is_met(
        reported_values(before), reported_values(now)
    )


@pytest.mark.parametrize(
    ("action", "before", "good", "bad"),
    [
        ("switch.turn_on", "off", "on", "off"),
        ("switch.turn_off", "on", "off", "on"),
        ("switch.toggle", "on", "off", "on"),
        ("switch.toggle", "off", "on", "off"),
        ("homeassistant.toggle", "off", "on", "off"),
        ("fan.turn_on", "off", "on", "off"),
        ("group.turn_off", "on", "off", "on"),
        ("cover.open_cover", "closed", "open", "closed"),
        ("cover.toggle", "closed", "open", "closed"),
        ("cover.toggle", "open", "closed", "open"),
        ("cover.stop_cover", "opening", "open", "opening"),
        ("valve.close_valve", "open", "closed", "open"),
        ("lock.lock", "unlocked", "locked", "unlocked"),
        ("lock.unlock", "locked", "unlocked", "locked"),
        ("lock.lock", "unlocked", "locked", "jammed"),
        ("media_player.turn_on", "off", "idle", "off"),
        ("media_player.turn_on", "off", "on", "unavailable"),
        ("media_player.media_play_pause", "playing", "paused", "playing"),
        ("media_player.media_play_pause", "paused", "playing", "paused"),
        ("media_player.media_stop", "playing", "idle", "playing"),
        ("vacuum.start", "docked", "cleaning", "docked"),
        ("vacuum.return_to_base", "cleaning", "docked", "cleaning"),
        ("lawn_mower.start_mowing", "docked", "mowing", "docked"),
        ("climate.turn_on", "off", "heat", "off"),
        ("timer.start", "idle", "active", "idle"),
        ("alarm_control_panel.alarm_disarm", "armed_home", "disarmed", "armed_home"),
        ("counter.increment", "3", "4", "3"),
        ("counter.decrement", "3", "2", "4"),
    ],
)
def test_states(action, before, good, bad):
    entity_id = f"{action.split('.')[0]}.x".replace("homeassistant", "switch")
    old = state(entity_id, before)
    assert met(action, old, state(entity_id, good))
    assert not met(action, old, state(entity_id, bad))
    assert not met(action, old, None)


@pytest.mark.parametrize(
    ("action", "arguments", "good", "bad"),
    [
        ("light.turn_on", {"brightness_pct": 50}, {"brightness": 128}, {"brightness": 120}),
        ("light.turn_on", {"brightness": 50}, {"brightness": 51}, {"brightness": None}),
        (
            "light.turn_on",
            {"color_temp_kelvin": 4000},
            {"color_temp_kelvin": 4016},
            {"color_temp_kelvin": 3900},
        ),
        (
            "light.turn_on",
            {"rgb_color": [255, 0, 0]},
            {"rgb_color": (254, 3, 0)},
            {"rgb_color": (0, 0, 255)},
        ),
        ("light.turn_on", {"color_name": "red"}, {"rgb_color": (255, 0, 0)}, {"rgb_color": None}),
        (
            "light.turn_on",
            {"color_name": "green"},
            {"rgb_color": (0, 255, 0)},
            {"rgb_color": (0, 0, 255)},
        ),
        (
            "light.turn_on",
            {"rgb_color": [0, 128, 0]},
            {"rgb_color": (0, 128, 0)},
            {"rgb_color": (0, 200, 0)},
        ),
        ("light.turn_on", {"brightness_step_pct": 10}, {"brightness": 120}, {"brightness": 100}),
        ("light.turn_on", {"brightness_step": -10}, {"brightness": 90}, {"brightness": 100}),
        ("light.turn_on", {"transition": 5, "flash": "short"}, {}, None),
        (
            "climate.set_temperature",
            {"temperature": 21},
            {"temperature": 21.0},
            {"temperature": 20.5},
        ),
        (
            "media_player.volume_set",
            {"volume_level": 0.3},
            {"volume_level": 0.3},
            {"volume_level": 0.31},
        ),
        (
            "media_player.volume_mute",
            {"is_volume_muted": True},
            {"is_volume_muted": True},
            {"is_volume_muted": False},
        ),
        ("media_player.select_source", {"source": "TV"}, {"source": "TV"}, {"source": "Radio"}),
        ("media_player.volume_up", {}, {"volume_level": 0.6}, {"volume_level": 0.5}),
        (
            "cover.set_cover_position",
            {"position": 40},
            {"current_position": 40},
            {"current_position": 100},
        ),
        (
            "cover.set_cover_tilt_position",
            {"tilt_position": 40},
            {"current_tilt_position": 40},
            {"current_tilt_position": 0},
        ),
        ("fan.set_percentage", {"percentage": 50}, {"percentage": 66}, {"percentage": 33}),
        ("fan.increase_speed", {}, {"percentage": 66}, {"percentage": 33}),
        ("fan.oscillate", {"oscillating": True}, {"oscillating": True}, {"oscillating": False}),
        ("light.turn_on", {"color_name": "no such colour", "effect": None}, {}, None),
    ],
)
def test_arguments(action, arguments, good, bad):
    attributes = {
        "brightness": 100,
        "color_temp_kelvin": 3000,
        "rgb_color": (1, 1, 1),
        "temperature": 20,
        "volume_level": 0.5,
        "is_volume_muted": False,
        "source": "Radio",
        "percentage": 33,
        "percentage_step": 33.333,
        "oscillating": False,
        "current_position": 0,
        "current_tilt_position": 0,
        "xy_color": (0.1, 0.1),
    }
    before = state(f"{action.split('.')[0]}.x", "on", **attributes)
    now = state(before.entity_id, "on", **{**attributes, **good})
    assert met(action, before, now, **arguments)
    if bad is not None:
        now = state(before.entity_id, "on", **{**attributes, **bad})
        assert not met(action, before, now, **arguments)


@pytest.mark.parametrize(
    ("action", "arguments", "good", "bad"),
    [
        ("select.select_option", {"option": "Bake"}, "Bake", "Off"),
        ("number.set_value", {"value": 7}, "7.0", "6"),
        ("text.set_value", {"value": "hi"}, "hi", "ho"),
        ("climate.set_hvac_mode", {"hvac_mode": "heat"}, "heat", "off"),
        ("water_heater.set_operation_mode", {"operation_mode": "eco"}, "eco", "off"),
        ("input_number.set_value", {"value": 7}, "7.0", "unknown"),
    ],
)
def test_arguments_that_become_the_state(action, arguments, good, bad):
    before = state(f"{action.split('.')[0]}.x", "0")
    assert met(action, before, state(before.entity_id, good), **arguments)
    assert not met(action, before, state(before.entity_id, bad), **arguments)


def test_a_brightness_of_nothing_is_off():
    before = state("light.x", "on", brightness=100)
    assert met("light.turn_on", before, state("light.x", "off"), brightness_pct=0)


def test_what_cannot_be_observed():
    for entity_id in ("scene.x", "button.x", "notify.x", "script.x"):
        found = expectation_of(entity_id.split(".")[0], "turn_on", {}, state(entity_id))
        assert not found.observable
    assert expectation_of("script", "turn_off", {}, state("script.x")).observable
    assert not expectation_of(
        "switch", "turn_on", {}, state("switch.x", assumed_state=True)
    ).observable
    assert not expectation_of("notify", "send_message", {}, None).observable
    assert expectation_of("switch", "toggle", {}, None).goals == ()


def test_what_is_not_known_has_no_goals():
    found = expectation_of("vacuum", "locate", {}, state("vacuum.x"))
    assert found.goals == ()
    assert found.observable
    assert not found.is_met(
        reported_values(state("vacuum.x")), reported_values(state("vacuum.x", "gone"))
    )


def test_transitions_take_longer_but_not_for_ever():
    assert (
        expectation_of("light", "turn_on", {"transition": 4}, state("light.x")).extra_seconds == 4
    )
    assert (
        expectation_of("light", "turn_on", {"transition": 400}, state("light.x")).extra_seconds
        == 10
    )


@pytest.mark.parametrize(
    ("action", "now"),
    [
        ("cover.open_cover", "opening"),
        ("lock.lock", "locking"),
        ("vacuum.return_to_base", "returning"),
        ("alarm_control_panel.alarm_arm_away", "arming"),
        ("media_player.media_play", "buffering"),
    ],
)
def test_on_the_way(action, now):
    domain, service = action.split(".")
    found = expectation_of(domain, service, {}, state(f"{domain}.x"))
    assert found.is_under_way({}, reported_values(state(f"{domain}.x", now)))
    assert not found.is_under_way({}, reported_values(state(f"{domain}.x", "wrong")))
    assert not found.is_under_way({}, {})


def test_a_state_to_restore():
    wanted = state("light.x", "on", brightness=100, rgb_color=(1, 2, 3), effect=None, modes=["a"])
    found = expectation_of_state(wanted)

    def is_met(now: State) -> bool:
        return found.is_met({}, reported_values(now))

    assert is_met(wanted)
    assert not is_met(state("light.x", "on", brightness=50, rgb_color=(1, 2, 3)))
    assert not is_met(state("light.x", "on", brightness=100, rgb_color=(1, 2)))
    assert not is_met(state("light.x", "off"))


def test_a_half_open_cover_is_not_open_already():
    half = state("cover.x", "open", current_position=50)
    assert not met("cover.open_cover", half, half)
    assert met("cover.open_cover", half, state("cover.x", "open", current_position=100))
